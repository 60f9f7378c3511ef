"""The program `tilewright`: `python -m tilewright`, and the console script of that name that pip installs.

The program takes over the process: standard streams, signals and the exit status are those of the program. No Python code runs after it.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import List

#: The code that starts this program again. It loads this package, whatever the current folder and the environment contain.
_AGAIN = "import sys; sys.path.append({folder!r}); from tilewright.__main__ import again, bound; {call}"


def again_words() -> List[str]:
    """The words that start the program, before its arguments, with the package and the interpreter of this process."""
    return _words("again()")


def bound_words() -> List[str]:
    """The words for a program that ends with the thread that starts it, if the system can do that (Linux)."""
    return _words(f"bound({os.getpid()})")


def _words(call: str) -> List[str]:
    package = os.path.dirname(os.path.abspath(__file__))
    return [sys.executable or "python3", "-I", "-S", "-c", _AGAIN.format(folder=os.path.dirname(package), call=call)]


def _run(typed: List[str]) -> None:
    # Python would raise KeyboardInterrupt only when its own code runs. The program handles the signal itself, or ends at once.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    # If a standard stream is closed, the first opened file would take its place.
    for stream in range(3):
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    from ._native import run_program

    run_program(sys.argv[1:], again_words(), typed)


def again() -> None:
    """Runs the program as one that the program itself has started."""
    _run(again_words())


def bound(parent: int) -> None:
    """Runs the program until the parent's thread that has started this process ends."""
    if sys.platform == "linux":
        import ctypes

        parent_death_signal = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>
        ctypes.CDLL(None).prctl(parent_death_signal, signal.SIGKILL)
        # If the parent has ended already, this process has another parent.
        if os.getppid() != parent:
            sys.exit(1)
    again()


def script() -> None:
    """Runs the program as the console script."""
    _run([os.path.abspath(sys.argv[0])])


if __name__ == "__main__":
    _run([sys.executable, "-m", "tilewright"])
