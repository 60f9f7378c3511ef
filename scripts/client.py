#!/usr/bin/env python3
"""Analyses one position: an example of `tilewright.engine`. Python 3.9, standard library only.

    scripts/client.py "<cgp>" [--movetime ms] [--mode auto] [--rows n]

Most of the script prints rows; `main` has the lines that drive an engine. The module is in `python/tilewright/engine/`, and needs nothing else
of this repository. protocol/guide.md describes the protocol.

Environment: TILEWRIGHT is the engine, if --engine does not name it and it is not the release build or a program of the search path.
Exit status: 0, 1 if the engine fails, 2 for a wrong argument, 130 if interrupted.
"""

import argparse
import sys
from dataclasses import fields

from checkout import find_engine
from tilewright.engine import EndgameRow, EngineError, GenRow, InferRow, Limit, PegRow, SimpleEngine, SimRow

MODES = ("auto", "gen", "sim", "infer", "peg", "endgame", "challenge", "replies")


def text_of(row):
    """Formats a row of a ranking for people."""
    if isinstance(row, GenRow):
        return f"{row.move:<22} {row.score:>5}  {row.equity:+8.2f}  {row.leave}"
    if isinstance(row, SimRow):
        errors = f"{row.win:7.2f} % ± {row.win_error:.2f}  {row.equity:+8.2f} ± {row.equity_error:.2f}"
        return f"{row.move:<22} {errors}  {row.iterations:>8}  {'' if row.score is None else row.score:>4}"
    if isinstance(row, PegRow):
        spread = "" if row.spread is None else f"{row.spread:+d}"
        return f"{row.move:<22} wins {len(row.wins):>4} draws  ties {len(row.ties):>4}  losses {len(row.losses):>4}  {spread}"
    if isinstance(row, EndgameRow):
        return f"{row.spread:+d} ({row.bound}, depth {row.depth}): {' '.join(row.pv)}"
    if isinstance(row, InferRow):
        return f"{row.leave or '-':<8} {100 * row.probability:6.2f} % before {100 * row.prior:6.2f} %"
    values = {field.name: getattr(row, field.name) for field in fields(row) if field.name != "more"}
    return " ".join(f"{name} {value}" for name, value in values.items() if value is not None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cgp", help="the position, racks and scores from the player on turn")
    parser.add_argument("--engine", help="path of the engine")
    parser.add_argument("--mode", default="auto", choices=MODES)
    parser.add_argument("--movetime", type=int, default=3000, help="ms to think")
    parser.add_argument("--rows", type=int, default=10, help="plays to show")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    limit = None if arguments.mode == "gen" else Limit(time=arguments.movetime / 1000)
    threads = {} if arguments.mode == "gen" else {"threads": arguments.threads}
    try:
        with SimpleEngine.popen_siu(arguments.engine or find_engine()) as engine:
            result = engine.play(arguments.cgp, limit, mode=arguments.mode, multipv=arguments.rows, **threads)
            print(f"{engine.id.get('name')}, {result.ranking.provenance}")
        for ignored in result.ranking.ignored:
            print(f"ignored: {ignored}", file=sys.stderr)
        for row in result.ranking.rows:
            print(text_of(row))
        print(f"best: {result.move or 'none'}")
    except EngineError as error:
        sys.exit(f"the engine: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
