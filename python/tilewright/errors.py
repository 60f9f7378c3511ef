"""The errors of the package. Each has the library's message, and the place in the input if there is one.

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

    `line` and `column`, from 1, are the place of the error in the input, or `None` if it has no place.
    """

    line: Optional[int]
    column: Optional[int]

    def __init__(self, message: str, line: Optional[int] = None, column: Optional[int] = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class InvalidPositionError(TilewrightError):
    """A text that is not a position, or an impossible position."""


class InvalidPlayError(TilewrightError):
    """A text that is not a play."""


class IllegalPlayError(TilewrightError):
    """A play that the rules forbid, or a game that is over."""


class InvalidGameError(TilewrightError):
    """A text that is not a game."""


class LexiconError(TilewrightError):
    """Words or tables that are missing or cannot be read, or a text that is not a word."""


class RulesError(TilewrightError):
    """Impossible rules: an unknown variant, board or alphabet, or a number out of range."""


class SearchError(TilewrightError):
    """A question that cannot be asked about this position, an option out of range, or an unknown player."""


def require_naturals(numbers: Mapping[str, Optional[int]]) -> None:
    """Raises an error that names the first number below 0."""
    for name, value in numbers.items():
        if value is not None and value < 0:
            raise SearchError(f"{name} is {value}, expected a number of at least 0")
