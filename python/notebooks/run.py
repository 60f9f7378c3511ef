#!/usr/bin/env python3
"""Runs notebooks without Jupyter, and stores their outputs or compares them with the stored ones.

python run.py analyse_a_game.ipynb            # runs it and stores its outputs
python run.py --check analyse_a_game.ipynb    # runs it and names the cells whose outputs differ

Cells run in this process. The printed text of a cell is its first output. If its last line is an expression, its value is the second
output, as in Jupyter: as text, and as a picture if it has one. Needs matplotlib for the plots, and the program (TILEWRIGHT, or
`tilewright` on the search path) for training.
"""

from __future__ import annotations

import argparse
import ast
import base64
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

#: The allowed mean difference of pixel values, which go up to 255: fonts and antialiasing differ a little between machines.
_LIKE = 3.0


def ran(path: Path) -> Dict[str, Any]:
    """Runs the notebook in its folder, and returns it with the new outputs of its cells."""
    notebook: Dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: Dict[str, Any] = {"__name__": "__main__"}
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        for number, cell in enumerate(code_cells(notebook), 1):
            cell["execution_count"] = number
            cell["outputs"] = _outputs("".join(cell["source"]), number, f"{path.name}, cell {number}", names)
    finally:
        os.chdir(before)
    return notebook


def code_cells(notebook: Dict[str, Any]) -> List[Dict[str, Any]]:
    """The cells that have code."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def differences(stored: Dict[str, Any], now: Dict[str, Any]) -> List[str]:
    """The cells whose outputs differ, with what differs."""
    told = []
    for number, (old, new) in enumerate(zip(code_cells(stored), code_cells(now)), 1):
        reason = _difference(old["outputs"], new["outputs"])
        if reason is not None:
            told.append(f"cell {number}: {reason}")
    return told


def written(notebook: Dict[str, Any]) -> str:
    """The text of the file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _outputs(source: str, number: int, name: str, names: Dict[str, Any]) -> List[Dict[str, Any]]:
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
    outputs: List[Dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        outputs.append({"data": _shown(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def _shown(value: Any) -> Dict[str, Any]:
    """A value as Jupyter shows it."""
    data: Dict[str, Any] = {}
    if hasattr(value, "_repr_png_"):
        data["image/png"] = base64.b64encode(value._repr_png_()).decode() + "\n"
    if hasattr(value, "_repr_svg_"):
        data["image/svg+xml"] = value._repr_svg_().splitlines(keepends=True)
    data["text/plain"] = repr(value).splitlines(keepends=True)
    return data


def _difference(old: List[Dict[str, Any]], new: List[Dict[str, Any]]) -> Optional[str]:
    if len(old) != len(new):
        return f"{len(old)} outputs are stored, but there are {len(new)}"
    for stored, now in zip(old, new):
        if stored["output_type"] != now["output_type"]:
            return f"{stored['output_type']} became {now['output_type']}"
        if stored["output_type"] == "stream":
            if stored["text"] != now["text"]:
                return f"it printed\n{''.join(now['text'])}but the stored output is\n{''.join(stored['text'])}"
            continue
        for kind in stored["data"].keys() | now["data"].keys():
            one, other = stored["data"].get(kind), now["data"].get(kind)
            if one is None or other is None:
                return f"only one of the outputs has {kind}"
            if kind == "image/png" and one != other:
                apart = _apart(base64.b64decode(one), base64.b64decode(other))
                if apart > _LIKE:
                    return f"the plot differs by {apart:.1f} of 255 per pixel"
            elif one != other:
                return f"{kind} differs: {''.join(other)[:300]}"
    return None


def _apart(one: bytes, other: bytes) -> float:
    """The mean difference of two pictures per pixel; 255 if they are of different sizes."""
    from PIL import Image, ImageChops, ImageStat

    first, second = (Image.open(io.BytesIO(picture)).convert("RGB") for picture in (one, other))
    if first.size != second.size:
        return 255.0
    return sum(ImageStat.Stat(ImageChops.difference(first, second)).mean) / 3


def main() -> None:
    """Runs the notebooks that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--check", action="store_true", help="compare with the stored outputs, and write nothing")
    arguments = parser.parse_args()
    told: List[str] = []
    for path in arguments.notebooks:
        path = path.resolve()
        now = ran(path)
        if arguments.check:
            told += [f"{path.name}, {line}" for line in differences(json.loads(path.read_text(encoding="utf-8")), now)]
        else:
            path.write_text(written(now), encoding="utf-8")
    if told:
        sys.exit("\n".join(told))


if __name__ == "__main__":
    main()
