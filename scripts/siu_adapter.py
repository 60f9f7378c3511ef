"""What the adapters share: the SIU side of a program that is driven by its own console. Python 3.9, standard library only; not a script.

`siu_magpie.py` and `siu_macondo.py` use it.
"""

import argparse
import pathlib
import sys
import time
from collections.abc import Callable


def adapter_parser(doc: str, program: str, contents: str, margin: int) -> argparse.ArgumentParser:
    """The command line of an adapter: the program's folder, with `contents`, by the option of its name; the lexicon; and the margin in ms."""
    parser = argparse.ArgumentParser(description=doc, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(f"--{program.lower()}", type=pathlib.Path, required=True, help=f"the folder of {program}, with {contents} and data/")
    parser.add_argument("--lexicon", default="TWL06", help=f"the lexicon, by its name in {program}'s data")
    parser.add_argument("--margin", type=int, default=margin, help=f"ms of the movetime that are held back ({margin})")
    parser.add_argument("--debug", action="store_true", help="describe each search on standard error")
    return parser


def seconds_left(deadline: float) -> float:
    """The seconds until the deadline, at least one millisecond, since programs take zero as no limit."""
    return max(0.001, deadline - time.monotonic())


def siu_move(move: str) -> str:
    """`8D (W)EN` as `8D.WEN`, `(exch AB)` as `ex.AB`."""
    if move.strip("()").lower() == "pass":
        return "pass"
    if move.startswith("(exch "):
        return "ex." + move.removeprefix("(exch ").removesuffix(")")
    square, word = move.split()
    return square + "." + word.replace("(", "").replace(")", "")


def serve(name: str, author: str, warm_up: Callable[[], None], choose: Callable[[str, float], tuple[str, str]], is_debug: bool) -> None:
    """Answers SIU until `quit`. `warm_up` runs before the first `readyok`.

    `choose` gets a CGP and a deadline by `time.monotonic`, and returns the move in SIU's notation with a description of the search.
    """
    cgp = ""
    is_warm = False
    for line in sys.stdin:
        start = time.monotonic()
        words = line.split()
        if words[:1] == ["siu"]:
            print(f"id name {name}\nid author {author}\ncapability auto\nsiuok", flush=True)
        elif words[:1] == ["isready"]:
            if not is_warm:
                warm_up()
                is_warm = True
            print("readyok", flush=True)
        elif words[:2] == ["position", "cgp"]:
            cgp = line.split(maxsplit=2)[2]
        elif words[:1] == ["go"]:
            ms = int(words[words.index("movetime") + 1])
            move, said = choose(cgp, start + ms / 1000)
            print("bestmove", move, flush=True)
            if is_debug:
                print(f"{(time.monotonic() - start) * 1000:.1f} ms of {ms}: {move}: {said}", file=sys.stderr, flush=True)
        elif words[:1] == ["quit"]:
            return
