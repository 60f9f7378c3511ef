"""The package as a whole."""

import shutil
import subprocess
import sys
from pathlib import Path

import tilewright

CHECKOUT = """
import tilewright.errors
print(hasattr(tilewright, "no_such_name"), issubclass(tilewright.SearchError, ValueError))
try:
    from tilewright import Position
except ImportError as error:
    print(error)
"""


def test_a_checkout_says_what_is_missing(tmp_path: Path) -> None:
    package = Path(__file__).parent.parent / "tilewright"
    shutil.copytree(package, tmp_path / "tilewright", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    told = subprocess.run([sys.executable, "-c", CHECKOUT], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == [
        "False True",
        "tilewright.Position is compiled, but this is a checkout: pip install ./python",
    ]


def test_everything_that_is_offered_is_there() -> None:
    assert all(hasattr(tilewright, name) for name in tilewright.__all__)
    assert len(tilewright.__all__) == len(set(tilewright.__all__))
