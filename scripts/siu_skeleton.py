#!/usr/bin/env python3
"""A SIU engine around any function that turns a CGP and a time into a move: replace `choose` by yours. Python 3, standard library only.

    scripts/siu_skeleton.py    reads SIU from standard input until `quit`; a tournament or a front end starts it

The position is a CGP from the player on turn: `<board> <own rack>/<other rack> <own score>/<other score> <turns without points>`.
The other rack is empty until the bag is empty. Moves are written `8D.WORD` (across), `D8.WORD` (down), `ex.TILES` and `pass`; lowercase
letters are blanks. The engine keeps nothing between turns, so in a tournament's file give it `positions = "whole"`.

Environment: nothing is read.
Exit status: 0, 2 for a wrong argument.
"""

import argparse
import sys


def choose(cgp: str, ms: int) -> str:
    """Returns the move in this position, within `ms` milliseconds. This function exchanges all tiles if it may, and passes if not."""
    board, racks = cgp.split()[:2]
    tiles_out = sum(character.isalpha() for character in board)
    rack = racks.split("/")[0]
    return f"ex.{rack}" if rack and 100 - tiles_out - 14 >= 7 else "pass"


def main() -> None:
    argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    cgp = ""
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["siu"]:
            print("id name skeleton 1\nid author nobody\ncapability auto\nsiuok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:2] == ["position", "cgp"]:
            cgp = line.split(maxsplit=2)[2]
        elif words[:1] == ["go"] and not cgp:
            print("info string error no-position go: there is no position: send position cgp <position> first", flush=True)
        elif words[:1] == ["go"]:
            ms = int(words[words.index("movetime") + 1]) if "movetime" in words else 1000
            print("bestmove", choose(cgp, ms), flush=True)
        elif words[:1] == ["quit"]:
            return


if __name__ == "__main__":
    main()
