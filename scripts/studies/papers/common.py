"""Shared by the reproductions: matches with their files, the folder of results, plots."""

import datetime
import json
import math
import re
import resource
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import NamedTuple, Optional

from checkout import find_engine

ROOT = Path(__file__).resolve().parent.parent.parent.parent


def fail(text):
    sys.exit(f"reproduce: {text}")


def run(command):
    """Returns the standard output of a command, which reports its progress on standard error."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        fail(f"status {done.returncode} of {' '.join(map(str, command))}")
    return done.stdout


def commit():
    """The newest commit here, if this is a working copy."""
    done = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip() or "unknown"


class Figure(NamedTuple):
    """A mean with its standard error."""

    mean: float
    error: float

    def text(self, digits=2, sign=""):
        return f"{self.mean:{sign}.{digits}f} +- {self.error:.{digits}f}"


class Match(NamedTuple):
    """The results of paired games of player a against player b. Lists have a figure for each player."""

    a: str
    b: str
    pairs: int
    wins: Figure  # percent
    spread: Figure  # points a game
    adjusted_wins: Optional[Figure]  # with the luck of the draws subtracted
    adjusted_spread: Optional[Figure]
    scores: list  # points a game
    turns: list  # a game
    bingos: list  # a game
    ms: list  # a turn
    exchanges: Optional[list]  # in all games
    sacrifices: Optional[list]


def match_file(arguments, name, seed=1):
    """The file of a match of this name."""
    return arguments.out / (re.sub(r"\W+", "-", name + ("" if seed == 1 else f" seed {seed}")) + ".jsonl")


def played(arguments, a, b, pairs, *options, name=None, seed=1):
    """The match of two players, which continues where its file ends. The file is named after the players, if it has no name."""
    file = match_file(arguments, name or f"{a} {b}", seed)
    command = [find_engine(), "match", a, b, "--pairs", str(pairs), "--seed", str(seed), "--out", str(file), "--resume", *options]
    told = run(command)

    def both(label):
        line = re.search(rf"^{label} +(\S+) +(\S+)", told, re.MULTILINE)
        return [float(figure) for figure in line.groups()] if line else None

    def figures(pattern):
        line = re.search(pattern, told, re.MULTILINE)
        if not line:
            return None, None
        words = line[1].split()
        value = dict(zip(words[0::2], words[1::2]))
        return tuple(Figure(float(value[key]), float(value[f"{key}_se"])) for key in ("winpct", "spread"))

    (wins, spread), (adjusted_wins, adjusted_spread) = figures(r"^result a \S+ b \S+ (.*)$"), figures(r"^adjusted (.*)$")
    counted = [both(label) for label in ("mean score", "turns per game", "bingos per game", "ms per turn", "exchanges", "sacrifices")]
    return Match(a, b, pairs, wins, spread, adjusted_wins, adjusted_spread, *counted)


def processor_ms(player, pairs):
    """The processor time per turn of a player against itself, ms, including the work of the runner. Other work on the machine hardly matters."""
    games = {}
    for count in (1, 1 + pairs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        told = run([find_engine(), "match", player, player, "--pairs", str(count), "--redraws", "0"])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        turns = re.search(r"^turns per game +(\S+) +(\S+)", told, re.MULTILINE)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        games[count] = (seconds, 2 * count * sum(map(float, turns.groups())))
    # Both include the start of the program.
    (least, few), (most, many) = games.values()
    return 1000 * (most - least) / (many - few)


def keep(arguments, name, rows, seed=1):
    """Writes rows of a table as JSON, with the command, commit and date that made them."""
    made = {"command": " ".join(["scripts/studies/reproduce", *sys.argv[1:]]), "commit": commit(), "date": str(datetime.date.today()), "seed": seed}
    text = json.dumps({"made": made, "rows": rows}, indent=1) + "\n"
    (arguments.out / f"{name}{'' if seed == 1 else f'-seed-{seed}'}.json").write_text(text)


def ticks(low, high):
    """Round numbers between two others, at most nine."""
    raw = (high - low) / 8
    power = 10 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw)
    first = math.ceil(low / step)
    return [step * at for at in range(first, math.floor(high / step) + 1)]


def drawn(title, rows, legend):
    """A plot of figures with their ranges, as SVG: rows of (label, figure, least, greatest, what a paper has or None)."""
    every = [value for _, *values in rows for value in values if value is not None]
    low, high = min(every), max(every)
    margin = (high - low) / 20 or 1
    low, high = low - margin, high + margin
    # A letter is about six and a half units wide.
    left, width, height = 30 + round(6.5 * max(len(row[0]) for row in rows)), 420, 22 * len(rows) + 70

    def x(value):
        return left + width * (value - low) / (high - low)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 20} {height}" font-family="sans-serif" font-size="12" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="100%" height="100%" fill="#fff"/><text x="10" y="18" font-weight="bold">{escape(title)}</text>',
    ]
    bottom = 22 * len(rows) + 38
    for value in ticks(low, high):
        lines.append(f'<path d="M{x(value):.1f} 30V{bottom}" stroke="#ddd"/><text x="{x(value):.1f}" y="{bottom + 14}" text-anchor="middle">{value:.4g}</text>')
    for at, (label, figure, least, greatest, paper) in enumerate(rows):
        y = 46 + 22 * at
        lines.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{escape(label)}</text>')
        lines.append(f'<path d="M{x(least):.1f} {y}H{x(greatest):.1f}" stroke="#1b6ca8"/><circle cx="{x(figure):.1f}" cy="{y}" r="4" fill="#1b6ca8"/>')
        if paper is not None:
            lines.append(f'<path d="M{x(paper) - 5:.1f} {y - 5}l10 10m0 -10l-10 10" stroke="#b3261e" stroke-width="2"/>')
    lines.append(f'<text x="10" y="{height - 6}" fill="#555">{escape(legend)}</text></svg>')
    return "\n".join(lines) + "\n"


def plot(arguments, name, title, rows, legend="dot: ours, with two standard errors; cross: published"):
    """Writes a plot of figures with two standard errors to both sides: rows of (label, figure, what the paper has or None)."""
    ranges = [(label, figure.mean, figure.mean - 2 * figure.error, figure.mean + 2 * figure.error, paper) for label, figure, paper in rows]
    (arguments.out / f"{name}.svg").write_text(drawn(title, ranges, legend))
