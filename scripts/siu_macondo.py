#!/usr/bin/env python3
"""macondo as a SIU engine: one console process of an installed macondo, kept for all games, answers `go movetime <ms>`. Python 3.9.

    scripts/siu_macondo.py --macondo <folder> [--lexicon TWL06]    reads SIU from standard input until `quit`

The console's searches have the settings of macondo's simulating bot, which plays as BestBot on Woogles, without inference:

    unseen tiles    search
    15 or more      `sim` of the 100 best static plays, 5 plies
    9 to 14         the same, as many plies as there are unseen tiles
    8               `peg`, with endgames of 2 to 5 plies: the closer the game, the more
    7 or fewer      `endgame`, as deep as the game is long

A search ends by its own rule or at the movetime minus a margin. In simulations the rule is macondo's 99 %, which ends them after 2,000 iterations
and 625 for each ply at the latest. Before the 128th iteration no play is dropped, so the simulation needs several seconds to get past its
100 plays. `--own-time` ignores the movetime: for choices, not for games.

`--macondo` is the folder of an installed macondo, with the console as `macondo-shell`, and `data/` with the lexicon as word graph (.kwg),
leave values (.klv2) and word map (.wmp). The script was tried with macondo's commit d3ce7c76.

If a search is stopped before it has a play, the answer is macondo's best static play, with a note on standard error. Any other fault ends the
program with a traceback on standard error.

Environment: nothing is read; the console gets what it needs for one thread, its data, and 2 % of the memory for endgames.
Exit status: 0, 1 after a fault, 2 for a wrong argument.
"""

import argparse
import os
import pathlib
import queue
import re
import subprocess
import sys
import threading
import time

from siu_adapter import adapter_parser, seconds_left, serve, siu_move

TILES = 100
MOVE = r"\(Pass\)|\(exch [A-Z?]+\)|(?:[0-9]{1,2}[A-O]|[A-O][0-9]{1,2}) [A-Za-z.()]+"
EMPTY_BOARD = "/".join(["15"] * 15)


class NoPlay(Exception):
    """A search has no play."""


class Macondo:
    """A console process of macondo, which gets one command at a time."""

    def __init__(self, folder: pathlib.Path, lexicon: str) -> None:
        own = {
            "MACONDO_DATA_PATH": str(folder / "data"),
            "MACONDO_DEFAULT_LEXICON": lexicon,
            "MACONDO_SERVE": "127.0.0.1:0",  # or its web server takes a port on all interfaces
            "MACONDO_TTABLE_MEM_FRACTION": "0.02",
            "GOMAXPROCS": "1",
            "NO_COLOR": "1",
        }
        self.process = subprocess.Popen(
            [folder / "macondo-shell"],
            cwd=folder,
            env={**os.environ, **own},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.lexicon = lexicon
        self.asked = 0
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        """Queues the console's lines, and an empty one when it ends; lines have their ends."""
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def next_line(self, deadline: float = float("inf")) -> str:
        """The next line. `queue.Empty` if there is none by the deadline."""
        line = self.lines.get(timeout=None if deadline == float("inf") else seconds_left(deadline))
        if not line:
            raise RuntimeError("macondo ended")
        return line.rstrip()

    def ask(self, command: str) -> list[str]:
        """The answer to a command: the lines up to the refusal of a command that does not exist, which is sent after it."""
        self.asked += 1
        end = f"end{self.asked}"
        self.process.stdin.write(f"{command}\n{end}\n")
        self.process.stdin.flush()
        return list(iter(self.next_line, f'Error: command "{end}" not found'))

    def tell(self, command: str) -> list[str]:
        """The answer to a command that must be possible, once a search that was stopped has ended."""
        lines = self.ask(command)
        while any("macondo is busy" in line for line in lines):
            time.sleep(0.005)
            lines = self.ask(command)
        refusals = [line for line in lines if line.startswith("Error: ")]
        if refusals:
            raise RuntimeError(f"macondo refuses {command}: {refusals[0]}")
        return lines

    def search(self, command: str, result: str, deadline: float) -> str:
        """The line with a search's result. The search is stopped at the deadline."""

        def outcome(line: str) -> bool:
            # A `stop` is refused before the search has begun and after it has ended.
            return bool(re.match(rf"{result}|Error: (?!no .+ to (stop|cancel)$)", line))

        found = next(filter(outcome, self.tell(command)), None)
        while not found:
            try:
                found = next(filter(outcome, [self.next_line(deadline)]), None)
            except queue.Empty:
                found = next(filter(outcome, self.ask(f"{command.split()[0]} stop")), None)
                deadline = time.monotonic() + 0.05
        if found.startswith("Error: "):
            raise NoPlay(found)
        return found

    def choose(self, cgp: str, deadline: float, candidates: int) -> tuple[str, str]:
        """The best play by the search for this number of unseen tiles, and a description of the search."""
        board, racks, scores, zero_turns = cgp.split()[:4]
        rack = racks.split("/")[0]
        unseen = TILES - sum(square.isalpha() for square in board) - len(rack)
        # With an empty bag macondo deduces the other rack.
        self.tell(f"load cgp {board} {rack}/ {scores} {zero_turns} lex {self.lexicon};")
        try:
            if unseen > 8:
                self.tell(f"gen {candidates}")
                plies = 5 if unseen > 14 else unseen
                said = self.search(f"sim -plies {plies} -threads 1 -stop 99", r"Iterations: ", deadline)
                winners = [line.strip() for line in self.tell("sim winner")]
                move = next(line for line in winners if re.fullmatch(MOVE, line))
            elif unseen == 8:
                own, other = map(int, scores.split("/"))
                plies = 5 - sum(abs(own - other) >= lead for lead in (50, 75, 100))
                move = said = self.search(f"peg -threads 1 -endgameplies {plies} -early-cutoff true", r"Winner: ", deadline)
            else:
                plies = unseen + len(rack) - 1
                move = said = self.search(f"endgame -plies {plies} -threads 1 -prevent-slowroll true", r"Best move: ", deadline)
            move = re.search(MOVE, move)[0]
        except NoPlay as reason:
            print(f"{reason}; answering with the best static play", file=sys.stderr, flush=True)
            said = "static"
            move = re.search(rf"^ *1: +({MOVE}) ", "\n".join(self.tell("gen 1")), re.MULTILINE)[1]
        return whole_word(siu_move(move), board), f"{unseen} unseen: {said}"


def whole_word(move: str, board: str) -> str:
    """A move in SIU's notation with the letters on the board, which macondo writes as dots."""
    if "." not in move or move.startswith("ex."):
        return move
    square, word = move.split(".", 1)
    rows = [re.sub(r"\d+", lambda empty: "." * int(empty[0]), row) for row in board.split("/")]
    is_across = square[0].isdigit()
    number, letter = (square[:-1], square[-1]) if is_across else (square[1:], square[0])
    row, column = int(number) - 1, "ABCDEFGHIJKLMNO".index(letter)
    line = rows[row][column:] if is_across else "".join(each[column] for each in rows[row:])
    return square + "." + "".join(there if tile == "." else tile for tile, there in zip(word, line))


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = adapter_parser(__doc__, "macondo", "macondo-shell", 50)
    parser.add_argument("--candidates", type=int, default=100, help="plays in a simulation")
    parser.add_argument("--own-time", action="store_true", help="ignore the movetime: each search ends by its own rule")
    return parser.parse_args()


def main() -> None:
    """Answers SIU until `quit`."""
    arguments = read_arguments()
    macondo = Macondo(arguments.macondo.resolve(), arguments.lexicon)

    def choose(cgp: str, until: float) -> tuple[str, str]:
        deadline = float("inf") if arguments.own_time else until - arguments.margin / 1000
        return macondo.choose(cgp, deadline, arguments.candidates)

    def warm_up() -> None:
        macondo.choose(f"{EMPTY_BOARD} AEINRST/ 0/0 0", time.monotonic() + 0.5, arguments.candidates)

    serve("macondo d3ce7c76", "domino14 and others", warm_up, choose, arguments.debug)


if __name__ == "__main__":
    main()
