"""The notebooks run as they are, and have the outputs that the repository has. Neither Jupyter nor a kernel is needed.

`python notebooks/run.py <notebook>` stores new outputs.
"""

import importlib.util
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"


def load_run() -> Any:
    spec = importlib.util.spec_from_file_location("notebooks_run", NOTEBOOKS / "run.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


run = load_run()


def check(name: str) -> None:
    path = NOTEBOOKS / name
    text = path.read_text(encoding="utf-8")
    stored = json.loads(text)
    now = run.ran(path)
    assert run.differences(stored, now) == [], f"python notebooks/run.py {name} stores these outputs"
    assert run.written(stored) == text, f"python notebooks/run.py {name} writes the file in one form"


def test_a_game_is_analysed() -> None:
    pytest.importorskip("matplotlib")
    check("analyse_a_game.ipynb")


def test_an_idea_is_measured() -> None:
    pytest.importorskip("matplotlib")
    check("measure_an_idea.ipynb")


def test_leaves_are_trained() -> None:
    pytest.importorskip("matplotlib")
    if not (os.environ.get("TILEWRIGHT") or shutil.which("tilewright")):
        pytest.skip("no program: set TILEWRIGHT, or build it with `cargo build --release`")
    check("train_leaves.ipynb")


def cell(source: str, outputs: Any) -> Any:
    return {"cells": [{"cell_type": "code", "source": [source], "outputs": outputs}]}


def test_another_output_is_found(tmp_path: Path) -> None:
    path = tmp_path / "small.ipynb"
    path.write_text(json.dumps(cell("print(1 + 1)\n'two'", [])), encoding="utf-8")
    now = run.ran(path)
    printed, value = now["cells"][0]["outputs"]
    assert printed["text"] == ["2\n"] and value["data"]["text/plain"] == ["'two'"]
    assert run.differences(now, run.ran(path)) == []
    assert run.differences(json.loads(path.read_text(encoding="utf-8")), now) == ["cell 1: 0 outputs are stored, but there are 2"]
    path.write_text(json.dumps(cell("print(3)\n'two'", [])), encoding="utf-8")
    assert run.differences(now, run.ran(path)) == ["cell 1: it printed\n3\nbut the stored output is\n2\n"]
