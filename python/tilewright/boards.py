"""Boards as text and as pictures (SVG), with the last play marked, arrows and colours, similar to `chess.svg`.

>>> import tilewright
>>> position = tilewright.Position()
>>> position.push("8D.VICAR")
<Play 8D.VICAR for 28>
>>> print(text(position).splitlines()[8])
 8 =   . . [V][I][C][A][R] . . .  '  . .  =
>>> picture = svg(position, size=300, arrows=[Arrow("8D", "8H"), ("E5", "E11")], fill={"7D": "#cc000080"}, colours=DARK)
>>> picture[:4], picture.count("<line")
('<svg', 2)

Nothing is computed here. `print(position)` and notebooks call this module.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, Final, Iterable, List, Literal, Mapping, Optional, Tuple, Union
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from ._native import Play, Position, Rules

__all__ = ["DARK", "LIGHT", "Arrow", "Svg", "svg", "text"]

#: The character of a premium square, and the name of its colour, by the factors of letter and word.
_SIGNS: Dict[Tuple[int, int], Tuple[str, str]] = {
    (1, 1): (".", "square"),
    (2, 1): ("'", "letter 2"),
    (3, 1): ('"', "letter 3"),
    (4, 1): ("^", "letter 4"),
    (1, 2): ("-", "word 2"),
    (1, 3): ("=", "word 3"),
    (1, 4): ("~", "word 4"),
}

#: The colours of `svg`, for pages with a light background.
LIGHT: Final[Mapping[str, str]] = {
    "margin": "none",
    "coordinates": "#777",
    "square": "#f3efe4",
    "letter 2": "#bfe0ec",
    "letter 3": "#5aa9c8",
    "letter 4": "#3f86b0",
    "word 2": "#f3c6c1",
    "word 3": "#dd7266",
    "word 4": "#b7493d",
    "line": "#fff",
    "start": "#fff",
    "tile": "#f7e2b4",
    "tile line": "#c9a864",
    "last play": "#ffd54f",
    "letter": "#222",
    "blank": "#a02020",
    "arrow green": "#15781b80",
    "arrow red": "#88202080",
    "arrow yellow": "#e68f00b3",
    "arrow blue": "#00308880",
}

#: The colours of `svg`, for pages with a dark background.
DARK: Final[Mapping[str, str]] = {
    "margin": "#1b1d20",
    "coordinates": "#9aa0a6",
    "square": "#2b2e33",
    "letter 2": "#27495a",
    "letter 3": "#2f6f8f",
    "letter 4": "#3c8fb8",
    "word 2": "#5c3434",
    "word 3": "#8f3f38",
    "word 4": "#b0504a",
    "line": "#1b1d20",
    "start": "#9aa0a6",
    "tile": "#d9c189",
    "tile line": "#8f7a45",
    "last play": "#ffca28",
    "letter": "#1a1a1a",
    "blank": "#9c1f1f",
    "arrow green": "#4cd964b3",
    "arrow red": "#ff6b6bb3",
    "arrow yellow": "#ffd166b3",
    "arrow blue": "#6ea8feb3",
}


class Svg(str):
    """A picture as text, which a notebook shows."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<Svg of {len(self)} characters>"


@dataclass(frozen=True)
class Arrow:
    """An arrow from one square to another, as in `chess.svg`; a ring if they are the same.

    The colour is `green`, `red`, `yellow`, `blue`, or any CSS colour.
    """

    tail: str
    head: str
    colour: str = "green"

    @classmethod
    def along(cls, play: Play, colour: str = "green") -> Arrow:
        """The arrow along the word of a play."""
        if play.square is None:
            raise ValueError(f"{play} places no tiles: there is no word to draw an arrow along")
        letters = len(re.findall(r"\[[^]]*\]|.", play.word))
        row, column = _row_and_column(play.square)
        last = (row, column + letters - 1) if play.is_across else (row + letters - 1, column)
        return cls(_square(row, column), _square(*last), colour)


def _column(number: int) -> str:
    """The name of a column, from 0: A to Z, AA, AB and so on."""
    return chr(65 + number) if number < 26 else _column(number // 26 - 1) + chr(65 + number % 26)


def _square(row: int, column: int) -> str:
    return f"{row + 1}{_column(column)}"


def _row_and_column(square: str) -> Tuple[int, int]:
    """Row and column, from 0, of a square in the library's notation: `8D` or `D8`."""
    letters, digits = "".join(filter(str.isalpha, square)), "".join(filter(str.isdigit, square))
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - 64
    return int(digits) - 1, column - 1


def _squares(rules: Rules) -> List[List[str]]:
    return [[_square(row, column) for column in range(rules.size)] for row in range(rules.size)]


def _checked(square: str, rules: Rules) -> Tuple[int, int]:
    """Row and column of a square that the caller names. The library raises an error if the board does not have it."""
    rules.premium(square)
    return _row_and_column(square.strip().upper())


def _last_placed(position: Position) -> Dict[str, str]:
    last = position.last_play
    return dict(last.placed) if last is not None and last.kind == "place" else {}


def text(position: Position) -> str:
    """The board as text: tiles, characters of premium squares, the last play in brackets; below the board, whose turn it is."""
    rules = position.rules
    tiles, last = position.tile_map(), _last_placed(position)
    lines = ["   " + "".join(f"{_column(column):^3}" for column in range(rules.size)).rstrip()]
    for number, squares in enumerate(_squares(rules)):
        cells = []
        for square in squares:
            face = tiles.get(square)
            if face is None:
                cells.append(f"{_SIGNS[rules.premium(square)][0]:^3}")
            elif square in last:
                cells.append(f"[{face.strip('[]')}]")
            else:
                cells.append(f"{face.strip('[]'):^3}")
        lines.append(f"{number + 1:>2} {''.join(cells)}".rstrip())
    scores = position.scores
    outcome = position.outcome()
    if outcome is None:
        lines.append(
            f"seat {position.turn} on turn, rack {position.rack or 'unknown'}, {position.in_bag} in the bag, scores {scores[0]} {scores[1]}"
        )
    else:
        lines.append(f"the game is over ({outcome.reason}), scores {scores[0]} {scores[1]}")
    return "\n".join(lines)


def svg(
    position: Position,
    *,
    size: Optional[int] = 480,
    coordinates: bool = True,
    last_play: Union[Play, Literal["position"], None] = "position",
    arrows: Iterable[Union[Arrow, Tuple[str, str], Play]] = (),
    fill: Optional[Mapping[str, str]] = None,
    colours: Optional[Mapping[str, str]] = None,
) -> Svg:
    """The board as a picture with sides of this many pixels, the last play in another colour.

    With `size=None` the picture is as large as its frame. `last_play` names another play to mark, or `None` for no mark. Arrows are
    `Arrow`s, pairs of squares, or plays, for an arrow along the word. `fill` has colours by square, which may be translucent. `colours`
    replaces some or all of the colours of `LIGHT`; `DARK` is such a set.
    """
    rules = position.rules
    palette = _palette(colours)
    tiles = position.tile_map()
    marked: Mapping[str, str] = {}
    if isinstance(last_play, str):
        marked = _last_placed(position)
    elif last_play is not None:
        marked = last_play.placed
    filled = {_checked(square, rules): _attribute(colour) for square, colour in (fill or {}).items()}
    values = rules.values
    side, margin = 30, 22 if coordinates else 2
    width = margin + side * rules.size + 2
    extent = "" if size is None else f'width="{size}" height="{size}" '
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {width}" {extent}role="img" '
        f'aria-label="{escape(position.cgp())}" font-family="sans-serif" text-anchor="middle">'
    ]
    if palette["margin"] != "none":
        parts.append(f'<rect width="{width}" height="{width}" rx="4" fill="{palette["margin"]}"/>')
    for number in range(rules.size if coordinates else 0):
        middle, ink = margin + side * number + side // 2, palette["coordinates"]
        parts.append(f'<text x="{middle}" y="{margin - 7}" font-size="11" fill="{ink}">{_column(number)}</text>')
        parts.append(f'<text x="{margin // 2 - 1}" y="{middle + 4}" font-size="11" fill="{ink}">{number + 1}</text>')
    for row, squares in enumerate(_squares(rules)):
        for column, square in enumerate(squares):
            x, y = margin + side * column, margin + side * row
            face = tiles.get(square)
            shade = filled.get((row, column))
            if face is None:
                colour = palette[_SIGNS[rules.premium(square)][1]]
                parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{colour}" stroke="{palette["line"]}"/>')
                if square == rules.start:
                    parts.append(f'<circle cx="{x + side // 2}" cy="{y + side // 2}" r="{side // 5}" fill="{palette["start"]}"/>')
                if shade is not None:
                    parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{shade}"/>')
                continue
            letter = face.strip("[]")
            is_blank = face not in values
            box = f'<rect x="{x + 1}" y="{y + 1}" width="{side - 2}" height="{side - 2}" rx="4" fill='
            parts.append(f'{box}"{palette["last play" if square in marked else "tile"]}" stroke="{palette["tile line"]}"/>')
            if shade is not None:
                parts.append(f'{box}"{shade}"/>')
            style = f'font-style="italic" fill="{palette["blank"]}"' if is_blank else f'fill="{palette["letter"]}"'
            parts.append(f'<text x="{x + side // 2}" y="{y + 21}" font-size="17" {style}>{escape(letter)}</text>')
            if not is_blank:
                parts.append(f'<text x="{x + side - 6}" y="{y + side - 4}" font-size="8" fill="{palette["letter"]}">{values[face]}</text>')
    for arrow in arrows:
        parts.append(_drawn(arrow, rules, palette, side, margin))
    parts.append("</svg>")
    return Svg("".join(parts))


def _attribute(colour: str) -> str:
    return escape(colour, {'"': "&quot;"})


def _palette(colours: Optional[Mapping[str, str]]) -> Dict[str, str]:
    for name in colours or {}:
        if name not in LIGHT:
            raise ValueError(f"there is no colour {name!r}, expected one of {', '.join(LIGHT)}")
    return {name: _attribute(colour) for name, colour in {**LIGHT, **(colours or {})}.items()}


def _drawn(arrow: Union[Arrow, Tuple[str, str], Play], rules: Rules, palette: Mapping[str, str], side: int, margin: int) -> str:
    """An arrow: a line with a head, or a ring."""
    if isinstance(arrow, tuple):
        arrow = Arrow(*arrow)
    elif not isinstance(arrow, Arrow):
        arrow = Arrow.along(arrow)
    colour = palette.get(f"arrow {arrow.colour}") or _attribute(arrow.colour)
    ends = (_checked(arrow.tail, rules), _checked(arrow.head, rules))
    (x0, y0), (x1, y1) = ((margin + side * (column + 0.5), margin + side * (row + 0.5)) for row, column in ends)
    length = math.hypot(x1 - x0, y1 - y0)
    if length == 0:
        return f'<circle cx="{x0:g}" cy="{y0:g}" r="{side * 0.45:g}" fill="none" stroke="{colour}" stroke-width="{side * 0.1:g}"/>'
    # The unit vector along the arrow; its head is as long as it is wide, and ends a little past the middle of the square.
    along_x, along_y = (x1 - x0) / length, (y1 - y0) / length
    head, stroke = side * 0.55, side * 0.2
    tip_x, tip_y = x1 + side * 0.2 * along_x, y1 + side * 0.2 * along_y
    neck_x, neck_y = tip_x - head * along_x, tip_y - head * along_y
    wing_x, wing_y = -along_y * head / 2, along_x * head / 2
    points = ((tip_x, tip_y), (neck_x + wing_x, neck_y + wing_y), (neck_x - wing_x, neck_y - wing_y))
    line = f'<line x1="{x0:g}" y1="{y0:g}" x2="{neck_x:g}" y2="{neck_y:g}" stroke="{colour}" stroke-width="{stroke:g}"/>'
    return line + f'<polygon points="{" ".join(f"{x:g},{y:g}" for x, y in points)}" fill="{colour}"/>'
