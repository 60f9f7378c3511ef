"""Shared by the scripts that drive engines: makes this checkout's `tilewright.engine` importable, and finds the program.

Import it before `tilewright.engine`. An installed package is not used.
"""

import os
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

sys.path.insert(0, str(ROOT / "python"))


def find_engine():
    """The engine's path: $TILEWRIGHT, the release build of this checkout, or the search path."""
    built = ROOT / "target" / "release" / "tilewright"
    for path in (os.environ.get("TILEWRIGHT"), str(built) if built.exists() else None, shutil.which("tilewright")):
        if path:
            return path
    sys.exit("there is no engine: build it with `cargo build --release`, or name one with --engine PATH")
