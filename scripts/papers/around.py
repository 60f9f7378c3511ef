"""Games around the board: who wins Ghost on a word list, and the shortest game known that ends in a dead position.

    ghost       Ghost solved for each length from which words count: the winner, the first letters that win, the sheets to learn
    dead        Kyle Corbin's position of four plays, and what it waits for
"""

import re

from client import Engine, find_engine
from papers.common import keep

TITLE = "Ghost and dead positions"
CORBIN = ["8G.JUS", "I8.SOx", "H7.jUS", "J9.XU"]


def ghost(_arguments):
    print("A sheet has a word for each reply of the opponent: who knows it wins. Randall Munroe (the blog of xkcd, 31 December 2007) found that with the Scrabble")
    print("list the second player always wins if words count from three letters on; so it is here.\n")
    print("| words count from | winner | first letters that win | the shortest sheet of them | words against all letters that lose |\n|---|---|---|---|---|")
    rows = []
    with Engine([find_engine()]) as engine:
        for least in range(1, 7):
            lines = engine.tell(f"ghost solve minlen {least}")
            head = re.search(r"winner (\S+) winning (\S+) against (\d+)", "\n".join(lines))
            sheets = [re.search(r"letter (\S+) wins plies \d+ sheet (\d+) words (\S+)", line) for line in lines]
            shortest = min((sheet for sheet in sheets if sheet), key=lambda sheet: int(sheet[2]), default=None)
            sheet = f"{shortest[1]}: {shortest[3].replace('|', ', ').lower()}" if shortest else "-"
            print(f"| {least} | {head[1]} | {head[2].replace('|', ', ')} | {sheet} | {head[3]} |")
            rows.append({"least": least, "winner": head[1], "winning": head[2], "sheet": sheet, "against": int(head[3])})
    keep(_arguments, "ghost", rows)
    print()


def dead(_arguments):
    with Engine([find_engine()]) as engine:
        engine.position(moves=CORBIN)
        lines = [line for line in engine.tell("dead") if "dead" in line]
    print(f"After {', '.join(f'`{play}`' for play in CORBIN)}, nine tiles, no rack at all has a play: the J and both blanks are on the board.\n")
    print("```text\n" + "\n".join(line.replace("info string ", "") for line in lines) + "\n```\n")
    keep(_arguments, "dead", lines)


def add_arguments(_parser):
    pass


def prepare(_parser, _arguments):
    pass


PARTS = {"ghost": ghost, "dead": dead}
