"""The rows of results, as frozen dataclasses.

A `Ranking` is a sequence of rows, the best first, and a table: `to_pandas()` and `to_polars()` work if these packages are installed.
Chances are from 0 to 1, errors are standard errors, and spreads and equities are in points.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Dict, Generic, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._native import Play, Rack

__all__ = [
    "Belief",
    "Check",
    "GameTurn",
    "Hooks",
    "LeaveRow",
    "LineRow",
    "Mean",
    "Outcome",
    "Ply",
    "PreEndgame",
    "PreEndgameRow",
    "Ranking",
    "Repair",
    "Replies",
    "ReplyRow",
    "SimulationRow",
    "Solution",
    "StaticRow",
    "Word",
]

Row = TypeVar("Row")


def columns(rows: Sequence[Any]) -> Dict[str, List[Any]]:
    """Rows of one dataclass as columns. Plays and racks become texts."""
    if not rows:
        return {}
    return {column.name: [_cell(getattr(row, column.name)) for row in rows] for column in fields(rows[0])}


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        return [asdict(part) if is_dataclass(part) and not isinstance(part, type) else part for part in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def pandas_frame(table: Mapping[str, Sequence[Any]]) -> Any:
    """Columns as a frame of pandas."""
    import pandas

    return pandas.DataFrame(dict(table))


def polars_frame(table: Mapping[str, Sequence[Any]]) -> Any:
    """Columns as a frame of polars."""
    import polars

    return polars.DataFrame(dict(table))


@dataclass(frozen=True)
class Hooks:
    """The letters that make another word in front of a word, and after it."""

    front: str
    back: str


@dataclass(frozen=True)
class Word:
    """A word that a play forms."""

    text: str
    score: int
    is_valid: bool


@dataclass(frozen=True)
class Check:
    """The verdict on a play: whether it is legal, and if not, why not."""

    is_legal: bool
    reason: Optional[str]
    #: `None` if the rules forbid the play; a play with invalid words has a score.
    score: Optional[int]
    #: The main word first.
    words: Tuple[Word, ...]

    def __bool__(self) -> bool:
        return self.is_legal


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    reason: str
    #: The seat that won; `None` for a tie.
    winner: Optional[int]
    scores: Tuple[int, int]


@dataclass(frozen=True)
class GameTurn:
    """A turn of a recorded game."""

    number: int
    #: 0 or 1, an index into `Game.players`.
    player: int
    #: The tiles that the player held, as far as they are in the record.
    rack: Rack
    play: Play
    points: int
    #: The player's total before the next turn.
    total: int
    challenge_points: int
    note: str


@dataclass(frozen=True)
class Repair:
    """Something that was wrong or unusual in a record, and how it was read."""

    line: Optional[int]
    text: str

    def __str__(self) -> str:
        return self.text if self.line is None else f"line {self.line}: {self.text}"


@dataclass(frozen=True)
class StaticRow:
    """A play with its static equity."""

    play: Play
    score: int
    equity: float


@dataclass(frozen=True)
class Ply:
    """A ply of the rollouts after a candidate."""

    score: float
    #: Standard deviation.
    deviation: float
    bingos: float


@dataclass(frozen=True)
class SimulationRow:
    """A candidate of a simulation."""

    play: Play
    score: int
    static_equity: float
    win: float
    win_error: float
    equity: float
    equity_error: float
    iterations: int
    is_pruned: bool
    plies: Tuple[Ply, ...]


@dataclass(frozen=True)
class PreEndgameRow:
    """A candidate of a pre-endgame, with the draws of the bag that win, tie and lose."""

    play: Play
    score: int
    win: float
    spread: Optional[float]
    #: `static`, `broken-off`, `playouts`, `searched`, `solved` or `proved`.
    basis: str
    #: How many tiles at the start of each draw are drawn right after the play.
    drawn: int
    wins: Tuple[str, ...]
    ties: Tuple[str, ...]
    losses: Tuple[str, ...]


@dataclass(frozen=True)
class LineRow:
    """A play of the expected line."""

    play: Play
    score: int


@dataclass(frozen=True)
class LeaveRow:
    """Tiles that the opponent may have kept: their chance after and before the turn was seen."""

    leave: Rack
    chance: float
    prior: float


@dataclass(frozen=True)
class ReplyRow:
    """A reply, and how often it is the best one."""

    play: Play
    score: int
    share: float


@dataclass(frozen=True)
class Mean:
    """A mean over racks."""

    mean: float
    error: float
    racks: int
    #: Whether these are all possible racks.
    is_exact: bool


@dataclass(frozen=True)
class Ranking(Generic[Row]):
    """A ranking, the best row first."""

    #: The kind of search that it comes from.
    kind: str
    rows: Tuple[Row, ...]
    #: Plays generated, or positions searched.
    nodes: Optional[int] = None

    @property
    def best(self) -> Row:
        """The first row."""
        return self.rows[0]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __getitem__(self, index: int) -> Row:
        return self.rows[index]

    def columns(self) -> Dict[str, List[Any]]:
        """The rows as columns."""
        return columns(self.rows)

    def to_pandas(self) -> Any:
        """The rows as a frame of pandas."""
        return pandas_frame(self.columns())

    def to_polars(self) -> Any:
        """The rows as a frame of polars."""
        return polars_frame(self.columns())

    def plot(self) -> Figure:
        """The rows with their standard errors, the best at the top, with matplotlib."""
        from .plots import ranking_plot

        return ranking_plot(self.rows, self.kind)


@dataclass(frozen=True)
class PreEndgame(Ranking[PreEndgameRow]):
    """The ranking of a pre-endgame."""

    #: The proof about the first row: `nothing`, `share` (no play wins more often) or `best`.
    claim: str = "nothing"


@dataclass(frozen=True)
class Solution(Ranking[LineRow]):
    """An endgame. The rows are the line that leads to the value."""

    #: The change of the lead of the player on turn.
    value: int = 0
    #: The final lead.
    lead: int = 0
    #: 1 if the player on turn wins, 0 for a tie, -1 for a loss; `None` if that is still open.
    winner: Optional[int] = None
    #: Whether the result is proved.
    is_solved: bool = False
    depth: int = 0


@dataclass(frozen=True)
class Belief(Ranking[LeaveRow]):
    """The tiles that the opponent may have kept, the likeliest first."""

    #: Whether any rack explains the turns.
    is_explained: bool = False
    #: The number of equally likely leaves that would have the same uncertainty.
    effective_leaves: float = 0.0


_NO_MEAN = Mean(0.0, 0.0, 0, False)


@dataclass(frozen=True)
class Replies(Ranking[ReplyRow]):
    """The opponent's best replies to a play, the most frequent first."""

    score: Mean = _NO_MEAN
    #: How often the opponent has a bingo in reply.
    reply_bingo: Mean = _NO_MEAN
    #: How often the player has one on the next turn, if the opponent passes.
    own_bingo: Mean = _NO_MEAN
    #: How often a reply places a tile on a square.
    squares: Mapping[str, float] = field(default_factory=dict)
