#!/usr/bin/env python3
"""MAGPIE as a SIU engine: one console process of an installed MAGPIE, kept for all games, answers `go movetime <ms>`. Python 3.9.

    scripts/siu_magpie.py --magpie <folder> [--lexicon TWL06]    reads SIU from standard input until `quit`

While the bag has tiles, MAGPIE's `gsimulate` picks the play: with its 15 best static plays, two plies, one thread, no inference, and MAGPIE's
defaults for everything else (sampling, stopping, the weight of spread). The first row of its ranking is the answer. Its pre-endgame search is
never called. With an empty bag its `endgame` search answers. Both get the movetime, minus a margin and the time since `go`.

The position is a CGP from the player on turn, as in `siu_skeleton.py`: set `positions = "whole"` in a tournament. MAGPIE counts tiles of an
unknown rack as tiles in the bag. Therefore the other player gets random tiles, so that the bag has its true size, and `gsimulate -` declares
all of these tiles unknown, so that each playout deals that rack anew.

`--magpie` is the folder of an installed MAGPIE, with `bin/magpie`, its data, and the word map of the lexicon. The script was tried with
MAGPIE's commit 183bebc4.

Half of the playouts that 400 ms allow go to all plays equally, the others to the best two. For that `--min-plays` is 60; at 100 ms it should
be 15. MAGPIE's console has 500, with which short simulations end before any play gets more playouts than another.

If an endgame is stopped before its first ply was searched, the answer is MAGPIE's best static play, with a note on standard error. Any other
fault ends the program with a traceback on standard error.

Environment: nothing is read.
Exit status: 0, 1 after a fault, 2 for a wrong argument.
"""

import argparse
import csv
import pathlib
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter

from siu_adapter import adapter_parser, seconds_left, serve, siu_move

RACK_SIZE = 7
MOVE = r"pass|\(exch [A-Z?]+\)|(?:[0-9]{1,2}[A-O]|[A-O][0-9]{1,2}) [A-Za-z()]+"
BOARD = (
    "9A1PIXY/9S1L3/2ToWNLETS1O3/9U1DA1R/3GERANIAL1U1I/9g2T1C/8WE2OBI/6EMU4ON/6AID3GO1/5HUN4ET1/4ZA1T4ME1/1Q1FAKEY3JOES/"
    "FIVE1E5IT1C/5SPORRAN2A/6ORE2N2D"
)
NOTHING_TO_STOP = "no currently running command to stop"
ENDGAME = f"{BOARD} BGIV/DEHILOR 384/389 0"  # any position with an empty bag
SIMULATED_PLAY = re.compile(rf"1: +({MOVE}) ")
SOLVED_PLAY = re.compile(rf"({MOVE}) ")


class Magpie:
    """A console process of MAGPIE, which gets one command at a time."""

    def __init__(self, folder: pathlib.Path, lexicon: str, min_plays: int) -> None:
        settings = (
            f"set -mode sync -lex {lexicon} -wmp true -threads 1 -plies 2 -numplays 15 -minplayiterations {min_plays}"
            " -sinfer false -eplies 25 -ttfraction 0.002"
            " -hr false -printonfinish true -savesettings false -autosavegcg false -shprompt false -shwithmoves false"
        )
        self.process = subprocess.Popen(
            [folder / "bin" / "magpie", *settings.split()],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.last = settings
        self.until_finished("setoptions")

    def warm_up(self) -> None:
        """Loads and fills the tables that MAGPIE makes at its first simulation and its first endgame."""
        board = "/".join(["15"] * 15)
        self.simulate(f"{board} AEINRST/BCDEFGH 0/0 0", time.monotonic() + 0.2)
        self.solve(ENDGAME, time.monotonic() + 1.5)

    def until_finished(self, command: str) -> list[str]:
        """Returns the lines up to the one that reports the end of a command."""
        lines: list[str] = []
        for line in self.process.stdout:
            if NOTHING_TO_STOP in line:  # a `stop` that crossed the end of an endgame
                continue
            if f"unrecognized async command '{command}" in line:  # the previous endgame was not cleaned up yet
                self.write(self.last)
                continue
            if line.startswith("(error"):
                raise RuntimeError(f"MAGPIE refuses {command}: {line.strip()}")
            if line.strip() == f"finished {command}":
                return lines
            lines.append(line.rstrip())
        raise RuntimeError(f"MAGPIE ended at {command}: {lines}")

    def write(self, line: str) -> None:
        """Sends a line."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def tell(self, name: str, rest: str = "") -> list[str]:
        """Returns MAGPIE's answer to a command, which must be named in full."""
        self.last = f"{name} {rest}"
        self.write(self.last)
        return self.until_finished(name)

    def simulate(self, cgp: str, deadline: float) -> tuple[str, str]:
        """Returns the best play of a simulation, and a description of the search."""
        self.tell("cgp", cgp)
        lines = self.tell("gsimulate", f"- -tlim {seconds_left(deadline):.4f}")
        rows = [line for line in lines if re.match(r"\d+: ", line)]
        figures = dict(line.split(":", 1) for line in lines if re.match(r"(Iters|Time|Status):", line))
        said = " ".join(f"{key} {value.strip()}" for key, value in figures.items())
        return first_match(SIMULATED_PLAY, rows, lines), f"simulation of {len(rows)}: {said}"

    def solve(self, cgp: str, deadline: float) -> tuple[str, str]:
        """Returns the first play of an endgame, and a description of the search.

        MAGPIE checks its limit only between depths, and may take many times as long. `stop`, which works only in async mode, enforces the limit.
        """
        self.tell("cgp", cgp)
        self.tell("setoptions", "-mode async")
        stop = threading.Timer(seconds_left(deadline), self.write, ["stop"])
        stop.start()
        self.tell("endgame", f"-etlim {seconds_left(deadline):.4f}")
        stop.cancel()
        stop.join()
        lines = self.tell("shendgame")
        self.tell("setoptions", "-mode sync")  # simulations need no `stop`
        if any("No principal variation" in line for line in lines):
            print("not even one ply was searched; answering with the best static play", file=sys.stderr, flush=True)
            self.tell("generate")
            lines = self.tell("shmoves")
            return first_match(SIMULATED_PLAY, lines, lines), "static"
        headings = [number for number, line in enumerate(lines) if line.startswith("Play ")]
        rows = lines[headings[0] + 1 :] if headings else []
        return first_match(SOLVED_PLAY, rows, lines), lines[0]


def first_match(pattern: re.Pattern[str], rows: list[str], lines: list[str]) -> str:
    """The play in the first row, in the notation of SIU."""
    match = pattern.match(rows[0]) if rows else None
    if match is None:
        raise RuntimeError("no play in MAGPIE's answer:\n" + "\n".join(lines))
    return siu_move(match[1])


def read_distribution(folder: pathlib.Path) -> Counter[str]:
    """The number of tiles of each kind, from MAGPIE's table."""
    with open(folder / "data/letterdistributions/english.csv", encoding="utf-8", newline="") as table:
        return Counter({row[0]: int(row[2]) for row in csv.reader(table) if row})


def with_other_rack(cgp: str, distribution: Counter[str]) -> tuple[str, int]:
    """The CGP with a rack for the other player, drawn from the unseen tiles if it has none, and the number of tiles in the bag."""
    board, racks, scores, zero_turns = cgp.split()[:4]
    own, other = racks.split("/")
    unseen = Counter(distribution)
    unseen.subtract("?" if tile.islower() else tile for tile in board if tile.isalpha())
    unseen.subtract(own)
    unseen.subtract(other)
    if min(unseen.values()) < 0:
        raise ValueError(f"more tiles than the game has: {cgp}")
    bag = sorted(unseen.elements())
    random.Random(cgp).shuffle(bag)
    missing = max(0, RACK_SIZE - len(other)) if bag else 0
    return f"{board} {own}/{other + ''.join(bag[:missing])} {scores} {zero_turns}", len(bag[missing:])


def choose(magpie: Magpie, distribution: Counter[str], cgp: str, until: float, arguments: argparse.Namespace) -> tuple[str, str]:
    """MAGPIE's move in this position by a deadline, and a description of the search."""
    position, in_bag = with_other_rack(cgp, distribution)
    if in_bag:
        move, said = magpie.simulate(position, until - arguments.margin / 1000)
    else:
        move, said = magpie.solve(position, until - arguments.endgame_margin / 1000)
    return move, f"bag {in_bag} {said}"


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = adapter_parser(__doc__, "MAGPIE", "bin/magpie", 10)
    parser.add_argument("--min-plays", type=int, default=60, help="playouts that each candidate gets before the best two get more")
    parser.add_argument("--endgame-margin", type=int, default=40, help="the margin with an empty bag, since MAGPIE ends an endgame slowly (40)")
    return parser.parse_args()


def main() -> None:
    """Answers SIU until `quit`."""
    arguments = read_arguments()
    folder = arguments.magpie.resolve()
    distribution = read_distribution(folder)
    magpie = Magpie(folder, arguments.lexicon, arguments.min_plays)
    serve(
        "MAGPIE 183bebc4",
        "jvc56 and others",
        magpie.warm_up,
        lambda cgp, deadline: choose(magpie, distribution, cgp, deadline, arguments),
        arguments.debug,
    )


if __name__ == "__main__":
    main()
