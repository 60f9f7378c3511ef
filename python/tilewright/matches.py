"""Matches in this process, on all cores: pairs of games on the same tiles with the seats swapped.

>>> import tilewright
>>> result = tilewright.match("static", "greedy", pairs=4)
>>> sum(result.pentanomial), result.wins + result.ties + result.losses
(4, 8)

A player may be written in Python: a function that takes a position, with the rack of the player on turn, and returns a play.

>>> def longest(position):
...     return max(position.legal_plays(), key=lambda play: len(play.word))
>>> result = tilewright.match(longest, "static", pairs=2)
>>> result.players
('longest', 'static')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Union

from ._native import play_match
from .errors import SearchError, require_naturals
from .rows import pandas_frame, polars_frame

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._native import Game, Lexicon, Play, Position, Rules

    #: A player: a text as in `tilewright match --help`, or a function.
    Player = Union[str, Callable[[Position], Union[Play, str]]]

__all__ = ["Adjusted", "MatchResult", "match"]


@dataclass(frozen=True)
class Adjusted:
    """A result with the luck of the draws subtracted: the same means with smaller errors."""

    win: float
    win_error: float
    spread: float
    spread_error: float


@dataclass(frozen=True)
class MatchResult:
    """The result of a match, from the side of player a. Errors are standard errors over pairs."""

    players: Tuple[str, str]
    pairs: int
    #: Share of the points for wins, 0 to 1; a tie counts half.
    win: float
    win_error: float
    #: Points per game.
    spread: float
    spread_error: float
    #: Pairs by wins of a: 0, 1/2, 1, 3/2, 2.
    pentanomial: Tuple[int, int, int, int, int]
    wins: int
    ties: int
    losses: int
    #: Pairs whose games are not mirror images.
    divergent: int
    mean_scores: Tuple[float, float]
    adjusted: Optional[Adjusted]
    #: The games, if they were kept; the game that a began comes first in each pair.
    games: Tuple[Game, ...]
    _rows: Tuple[Any, ...]

    def columns(self) -> Dict[str, List[Any]]:
        """One row per game, as columns; `win` is 1, 0.5 or 0, from the side of a."""
        by_player = [f"{name}_{player}" for name in ("score", "turns", "bingos", "microseconds") for player in "ab"]
        table: Dict[str, List[Any]] = {name: [] for name in ["pair", "begins", "win", *by_player, "divergent"]}
        for pair, begins, win, scores, turns, bingos, times, divergent in self._rows:
            values = (pair, "ab"[begins], win, *scores, *turns, *bingos, *times, divergent)
            for column, value in zip(table.values(), values):
                column.append(value)
        return table

    def to_pandas(self) -> Any:
        """One row per game, as a frame of pandas."""
        return pandas_frame(self.columns())

    def to_polars(self) -> Any:
        """One row per game, as a frame of polars."""
        return polars_frame(self.columns())

    def plot(self) -> Figure:
        """The win % with its error over the pairs, and the distribution of the spreads, with matplotlib."""
        from .plots import match_plot

        return match_plot(self)

    def __str__(self) -> str:
        return (
            f"{self.players[0]} against {self.players[1]}, {self.pairs} pairs: wins {100 * self.win:.1f} +- {100 * self.win_error:.1f} %, "
            f"{self.spread:+.1f} +- {self.spread_error:.1f} points a game"
        )


def match(
    player_a: Player,
    player_b: Player,
    pairs: Union[int, range] = 1000,
    *,
    seed: int = 1,
    threads: Optional[int] = None,
    lexicon: Optional[Lexicon] = None,
    rules: Optional[Rules] = None,
    redraws: Optional[int] = None,
    keep_games: bool = False,
) -> MatchResult:
    """Plays a match, on all processors if `threads` is not given.

    `pairs` is a number or a range, so that several machines can share a match: a pair depends only on the seed and its number. With
    `redraws` the luck of each draw is judged by this many other draws. `keep_games` keeps the records. Ctrl-C ends the match. A function
    written in Python is called by several threads, one at a time because of the interpreter's lock; with `threads=1`, by a single thread.
    """
    numbers = range(pairs) if isinstance(pairs, int) else pairs
    if numbers.step != 1 or not 0 <= numbers.start < numbers.stop:
        raise SearchError(f"pairs is {pairs}, expected a number of at least 1, or a range of numbers with step 1")
    require_naturals({"seed": seed, "threads": threads, "redraws": redraws})
    told = play_match(player_a, player_b, (numbers.start, numbers.stop), seed, threads, lexicon, rules, redraws, keep_games)
    adjusted = told.pop("adjusted")
    rows, games = tuple(told.pop("rows")), tuple(told.pop("games"))
    return MatchResult(adjusted=None if adjusted is None else Adjusted(*adjusted), games=games, _rows=rows, **told)
