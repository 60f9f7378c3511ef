"""Plots of results, with matplotlib, which `pip install <repository>/python[plots]` installs.

`MatchResult.plot`, `Ranking.plot` and `GameAnalysis.plot` call this module, and return a figure of matplotlib: a notebook shows it, and its
`savefig` writes it. A figure belongs only to the caller: it is not registered with `matplotlib.pyplot`, and need not be closed.

Not here: the values that are plotted. Results have them as columns.
"""

from __future__ import annotations

import functools
import io
import math
from itertools import accumulate
from typing import TYPE_CHECKING, Any, List, Optional, Sequence, Tuple

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .game_analysis import GameAnalysis
    from .matches import MatchResult

__all__ = ["game_plot", "match_plot", "ranking_plot", "running"]

#: Colours that everybody can tell apart, on a light and on a dark background.
_MAIN, _OTHER, _LINE = "#2a7fb8", "#d1603d", "#888888"


def _figure(width: float, height: float) -> Any:
    """Makes a figure that a notebook shows only once."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as missing:
        raise ImportError("plots are drawn by matplotlib, which is not installed: pip install matplotlib") from missing
    figure: Any = Figure(figsize=(width, height), layout="constrained")
    figure._repr_png_ = functools.partial(_png, figure)
    return figure


def _png(figure: Any) -> bytes:
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=80)
    return written.getvalue()


def running(values: Sequence[float]) -> Tuple[List[float], List[float]]:
    """Returns the means of the first 1, 2, 3 and more values, and their standard errors; that of one value is unknown."""
    means = [total / number for number, total in enumerate(accumulate(values), 1)]
    squares = accumulate(value * value for value in values)
    errors = [math.nan]
    for number, (mean, square) in enumerate(zip(means, squares), 1):
        if number > 1:
            errors.append(math.sqrt(max(square - number * mean * mean, 0.0) / (number - 1) / number))
    return means, errors[: len(means)]


def match_plot(result: MatchResult) -> Figure:
    """The win % with its standard error over the pairs, and the distributions of the spreads of games and of pairs."""
    table = result.columns()
    games = [a - b for a, b in zip(table["score_a"], table["score_b"])]
    spreads = [(first + second) / 2 for first, second in zip(games[::2], games[1::2])]
    means, errors = running([50 * (first + second) for first, second in zip(table["win"][::2], table["win"][1::2])])
    figure = _figure(10, 3.8)
    win, spread = figure.subplots(1, 2)
    numbers = list(range(1, len(means) + 1))
    for factor, alpha in ((2, 0.15), (1, 0.3)):
        low, high = ([mean + sign * factor * error for mean, error in zip(means, errors)] for sign in (-1, 1))
        label = "± 1 and 2 standard errors" if factor == 1 else None
        win.fill_between(numbers, low, high, color=_MAIN, alpha=alpha, linewidth=0, label=label)
    win.plot(numbers, means, color=_MAIN, marker="o" if len(means) == 1 else None)
    win.axhline(50, color=_LINE, linewidth=1, linestyle="--")
    # The first pairs vary most, and would flatten the rest of the curve.
    settled = [(mean, error) for mean, error in list(zip(means, errors))[min(len(means) // 10, 20) :] if not math.isnan(error)]
    reach = max([10.0, *(abs(mean - 50) + 2.5 * error for mean, error in settled)])
    win.set(ylim=(max(-2, 50 - reach), min(102, 50 + reach)), xlabel="pairs", ylabel="win %")
    figure.suptitle(f"{result.players[0]} against {result.players[1]}, {result.pairs} pairs", fontsize="medium")
    win.set_title(f"wins {100 * result.win:.1f} ± {100 * result.win_error:.1f} %", fontsize="medium")
    if not math.isnan(errors[-1]):
        win.legend(fontsize="small", loc="upper right")
    least, most = min(games), max(games)
    width = max(10, 10 * math.ceil((most - least) / 300))
    edges = [width * number for number in range(math.floor(least / width), math.floor(most / width) + 2)]
    spread.hist(games, edges, weights=[100 / len(games)] * len(games), color=_MAIN, alpha=0.35, label="games")
    shares = [100 / len(spreads)] * len(spreads)
    spread.hist(spreads, edges, weights=shares, histtype="step", color=_OTHER, linewidth=1.5, label="pairs, a game")
    spread.axvline(0, color=_LINE, linewidth=1, linestyle="--")
    spread.set(xlabel="points of the first player minus those of the second", ylabel="% of games or pairs")
    spread.set_title(f"{result.spread:+.1f} ± {result.spread_error:.1f} points a game", fontsize="medium")
    spread.legend(fontsize="small")
    return figure  # type: ignore[no-any-return]


def ranking_plot(rows: Sequence[Any], kind: str) -> Figure:
    """The rows of a ranking, the best at the top, with standard errors if they have them."""
    if not rows:
        raise ValueError(f"there is nothing to plot: the ranking ({kind}) has no rows")
    first = rows[0]
    # The value that is ranked, by the kind of row. A line of an endgame has only points.
    known = {"win": (100, "win %"), "equity": (1, "equity, points"), "chance": (100, "%"), "share": (100, "%"), "score": (1, "points")}
    name = next(name for name in known if hasattr(first, name))
    factor, label = known[name]
    texts = [str(row.play if hasattr(row, "play") else row.leave) for row in rows]
    values = [factor * getattr(row, name) for row in rows]
    errors: Optional[List[float]] = [factor * getattr(row, f"{name}_error") for row in rows] if hasattr(first, f"{name}_error") else None
    figure = _figure(7, 1.2 + 0.26 * len(rows))
    axes = figure.subplots()
    places = list(range(len(rows)))
    axes.errorbar(values, places, xerr=errors, fmt="o", color=_MAIN, ecolor=_MAIN, elinewidth=1.5, capsize=3)
    axes.axvline(values[0], color=_LINE, linewidth=1, linestyle="--")
    axes.set_yticks(places, texts, family="monospace")
    axes.invert_yaxis()
    axes.set(xlabel=label if errors is None else f"{label} ± standard error")
    axes.grid(axis="x", alpha=0.3)
    return figure  # type: ignore[no-any-return]


def game_plot(analysis: GameAnalysis) -> Figure:
    """The first player's chance of winning over the game, and the loss of each turn."""
    first, second = analysis.game.players
    curve = [(turn.number + 1, 100 * chance) for turn in analysis.turns if (chance := analysis.chance_after(turn)) is not None]
    figure = _figure(10, 4.4)
    win, lost = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    numbers, chances = [number for number, _ in curve], [chance for _, chance in curve]
    win.plot(numbers, chances, color=_LINE, linewidth=1.2, zorder=1)
    win.axhline(50, color=_LINE, linewidth=1, linestyle="--")
    win.set(ylim=(-4, 104), ylabel=f"win % of {first}")
    for player, name, colour in ((0, first, _MAIN), (1, second, _OTHER)):
        own = [turn for turn in analysis.turns if turn.player == player]
        by_number = dict(curve)
        seen = [turn.number + 1 for turn in own if turn.number + 1 in by_number]
        win.scatter(seen, [by_number[number] for number in seen], color=colour, s=22, zorder=2, label=f"after a turn of {name}")
        judged = [turn for turn in own if turn.loss is not None]
        real = [turn.is_mistake for turn in judged]
        heights = [100 * (turn.loss or 0.0) for turn in judged]
        bars = lost.bar([turn.number + 1 for turn in judged], heights, color=colour)
        for bar, is_real in zip(bars, real):
            bar.set_alpha(1.0 if is_real else 0.3)
    win.legend(fontsize="small")
    lost.axhline(0, color=_LINE, linewidth=1)
    lost.set(xlabel="turn", ylabel="win % lost")
    return figure  # type: ignore[no-any-return]
