"""The errors of the package. Each has the library's message, and the place in the input where there is one.

Bad input is a `ValueError`, as in python-chess.

>>> import tilewright
>>> try:
...     tilewright.Position("15/15 AEINRST/ 0/0 0")
... except tilewright.InvalidPositionError as error:
...     print(error.column, error, sep=" | ")
6 | column 6: 2 rows, the board has 15
"""

from __future__ import annotations

from typing import Mapping, Optional

__all__ = [
    "IllegalPlayError",
    "InvalidGameError",
    "InvalidPlayError",
    "InvalidPositionError",
    "LexiconError",
    "RulesError",
    "SearchError",
    "TilewrightError",
]


class TilewrightError(ValueError):
    """The base of all errors of this package.

    `line` and `column`, from 1, say where in the input it went wrong; `None` where the message says it all.
    """

    line: Optional[int]
    column: Optional[int]

    def __init__(self, message: str, line: Optional[int] = None, column: Optional[int] = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class InvalidPositionError(TilewrightError):
    """A text that is no position, or a position that cannot be."""


class InvalidPlayError(TilewrightError):
    """A text that is no play."""


class IllegalPlayError(TilewrightError):
    """A play that the rules forbid, or a game that is over."""


class InvalidGameError(TilewrightError):
    """A text that is no game."""


class LexiconError(TilewrightError):
    """Words or tables that are not there or cannot be read, or a text that is no word."""


class RulesError(TilewrightError):
    """Rules that cannot be: an unknown variant, board or alphabet, a number out of range."""


class SearchError(TilewrightError):
    """A question that cannot be asked of this position, an option out of range, or a player that is not known."""


def require_naturals(numbers: Mapping[str, Optional[int]]) -> None:
    """Refuses numbers below 0, by their names."""
    for name, value in numbers.items():
        if value is not None and value < 0:
            raise SearchError(f"{name} is {value}, expected a number from 0 on")
