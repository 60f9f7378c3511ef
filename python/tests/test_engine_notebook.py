"""The notebook of `tilewright.engine` is run, cell after cell, against the program.

Only its code is taken: neither Jupyter nor a kernel is needed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_engine import program

NOTEBOOK = Path(__file__).resolve().parent.parent / "notebooks" / "compare_engines.ipynb"


def cells() -> list[dict[str, Any]]:
    """The cells that have code."""
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == "code"]


def test_no_outputs_are_stored() -> None:
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells())


def test_two_engines_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT", program())
    names: dict[str, Any] = {}
    try:
        for number, cell in enumerate(cells()):
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    finally:
        for engine in (names.get("first"), names.get("second")):
            if engine is not None:
                engine.close()
    assert len(names["choices"]) == len(names["lost"]) == len(names["POSITIONS"])
    assert any(one != other for one, other in names["choices"])
    assert names["seen"][-1][1] >= 60
