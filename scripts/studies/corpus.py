"""Shared by the scripts that ask engines about the turns of a corpus: its turns, plays judged by long simulations, weighted means.

`tilewright lab regret make` makes a corpus. Start with `asked_turns`.
"""

import argparse
import json
import math
from itertools import islice

from tilewright.engine import SimRow

JUDGE_SEED = 9999


def turns_of(path):
    """The positions of a corpus with their weights."""
    with open(path, encoding="utf-8") as lines:
        games = [json.loads(line) for line in lines]
    return [(turn["cgp"], turn["stands_for"]) for game in games for turn in game.get("turns", [])]


def limits_of(words):
    """Reads `nodes 1800` as parameters of a search."""
    words = words.split()
    if len(words) % 2:
        raise argparse.ArgumentTypeError(f"{' '.join(words)!r}: expected names with values, such as nodes 1800")
    return dict(zip(words[0::2], words[1::2]))


def range_of(words):
    """Reads `5-93` as the numbers from 5 to 93."""
    first, _, last = words.partition("-")
    return range(int(first), int(last or first) + 1)


def add_turn_arguments(parser, bag, skipped="turns"):
    """Adds the arguments that select turns; `bag` is the default range of tiles in the bag, and `--skip` counts `skipped`."""
    parser.add_argument("--bag", type=range_of, default=bag, help="range of tiles in the bag: turns outside it are left out (%(default)s)")
    parser.add_argument("--turns", type=int, default=100, help="turns to ask for (100)")
    parser.add_argument("--skip", type=int, default=0, help=f"{skipped} at the beginning that are left out")


def asked_turns(arguments, *engines):
    """The turns that the arguments select, each set up in all engines: CGP, weight, tiles in the bag."""

    def turns():
        for cgp, weight in turns_of(arguments.corpus)[arguments.skip :]:
            for engine in engines:
                engine.position(cgp)
            bag = in_bag(engines[0])
            if bag in arguments.bag:
                yield cgp, weight, bag

    return islice(turns(), arguments.turns)


def in_bag(engine):
    """The number of tiles in the bag of the position."""
    words = next(line for line in engine.tell("d") if line.startswith("info string onturn ")).split()
    return int(words[words.index("bag") + 1])


def worth(engine, play, limits):
    """Win % and points of a play, by a long simulation of it alone. The racks are the same for all plays."""
    (row,) = engine.analyse(None, mode="sim", searchmoves=[play], **limits, seed=JUDGE_SEED).of(SimRow)
    return row.win, row.equity


def utility(worth_of_play):
    """Nearly the value by which simulations rank: corrected win % plus 30 percent of the logistic curve of the equity."""
    win, points = worth_of_play
    return win + 30 / (1 + math.exp(-points / 100))


def weighted(values, weights):
    """The mean, and its standard error."""
    total = sum(weights)
    mean = sum(value * weight for value, weight in zip(values, weights)) / total
    return mean, math.sqrt(sum((weight * (value - mean)) ** 2 for value, weight in zip(values, weights))) / total
