"""Boards as text and as pictures (SVG), with the last play marked.

>>> import tilewright
>>> position = tilewright.Position()
>>> position.push("8D.VICAR")
<Play 8D.VICAR for 28>
>>> print(text(position).splitlines()[8])
 8 =   . . [V][I][C][A][R] . . .  '  . .  =

Not here: anything that is computed. `print(position)` and a notebook call this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Dict, List, Tuple
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from ._native import Position, Rules

__all__ = ["svg", "text"]

#: The sign of a premium square, and its colour, by the factors of letter and word.
_SIGNS: Dict[Tuple[int, int], Tuple[str, str]] = {
    (1, 1): (".", "#f3efe4"),
    (2, 1): ("'", "#bfe0ec"),
    (3, 1): ('"', "#5aa9c8"),
    (4, 1): ("^", "#3f86b0"),
    (1, 2): ("-", "#f3c6c1"),
    (1, 3): ("=", "#dd7266"),
    (1, 4): ("~", "#b7493d"),
}


def _column(number: int) -> str:
    """The name of a column, from 0: A to Z, AA, AB and so on."""
    return chr(65 + number) if number < 26 else _column(number // 26 - 1) + chr(65 + number % 26)


def _squares(rules: Rules) -> List[List[str]]:
    return [[f"{row + 1}{_column(column)}" for column in range(rules.size)] for row in range(rules.size)]


def _last_placed(position: Position) -> Dict[str, str]:
    last = position.last_play
    return dict(last.placed) if last is not None and last.kind == "place" else {}


def text(position: Position) -> str:
    """The board as text: tiles, signs of premium squares, the last play in brackets; below it whose turn it is."""
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


def svg(position: Position, *, size: int = 480) -> str:
    """The board as a picture of this many pixels a side, the last play in another colour."""
    rules = position.rules
    tiles, last = position.tile_map(), _last_placed(position)
    values = rules.values
    side, margin = 30, 22
    width = margin + side * rules.size + 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {width}" width="{size}" height="{size}" role="img" '
        f'aria-label="{escape(position.cgp())}" font-family="sans-serif" text-anchor="middle">'
    ]
    for number in range(rules.size):
        middle = margin + side * number + side // 2
        parts.append(f'<text x="{middle}" y="{margin - 7}" font-size="11" fill="#777">{_column(number)}</text>')
        parts.append(f'<text x="{margin // 2 - 1}" y="{middle + 4}" font-size="11" fill="#777">{number + 1}</text>')
    for row, squares in enumerate(_squares(rules)):
        for column, square in enumerate(squares):
            x, y = margin + side * column, margin + side * row
            face = tiles.get(square)
            if face is None:
                colour = _SIGNS[rules.premium(square)][1]
                parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{colour}" stroke="#fff"/>')
                if square == rules.start:
                    parts.append(f'<circle cx="{x + side // 2}" cy="{y + side // 2}" r="{side // 5}" fill="#fff"/>')
                continue
            letter = face.strip("[]")
            is_blank = face not in values
            fill = "#ffd54f" if square in last else "#f7e2b4"
            parts.append(f'<rect x="{x + 1}" y="{y + 1}" width="{side - 2}" height="{side - 2}" rx="4" fill="{fill}" stroke="#c9a864"/>')
            style = 'font-style="italic" fill="#a02020"' if is_blank else 'fill="#222"'
            parts.append(f'<text x="{x + side // 2}" y="{y + 21}" font-size="17" {style}>{escape(letter)}</text>')
            if not is_blank:
                parts.append(f'<text x="{x + side - 6}" y="{y + side - 4}" font-size="8" fill="#222">{values[face]}</text>')
    parts.append("</svg>")
    return "".join(parts)
