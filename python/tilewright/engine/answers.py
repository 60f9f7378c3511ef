"""The answers of an engine as values: rows, rankings and errors, and how its lines are read.

A line of a ranking becomes a `Row`, whose class shows which search it comes from. Consecutive rows
are a `Ranking`. `protocol/grammar.abnf` has the grammar of the lines. Nothing here waits or writes.
Start with `RankingReader`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Callable, TypeVar

# A confidence interval of 99 % extends this many standard errors to each side.
ERRORS_OF_99_PERCENT = 2.576

ERROR_TEXT = re.compile(r"(?:([a-z]+): )?(?:column ([0-9]+): )?(.*)")
COORDINATE = re.compile(r"(?:phony\.)?((?:[0-9]{1,2}[a-zA-Z]+|[a-zA-Z]+[0-9]{1,2}))(?=\.)")

_Kind = TypeVar("_Kind", bound="Row")


class EngineError(Exception):
    """An engine refuses a command, does not start, does not answer in time, or answers nonsense.

    `code` is the engine's own (`bad-position`, `bad-move`, `bad-option`, `unsupported-mode`,
    `no-position`, `busy`, `unknown-command`), or one of this module: `missing` (the engine cannot
    be started), `ended`, `timeout`, `nonsense` (an answer that cannot be read). `text` is the text
    of the engine. If the text has them, `command` is the refused command and `column` the place in
    it, counted from 1; `message` is the text without these. `sent` is the line that was sent, if
    known.

    >>> error = EngineError.of_line("info string error bad-move position: column 32: no tile")
    >>> error.code, error.command, error.column, error.message
    ('bad-move', 'position', 32, 'no tile')
    >>> print(error)
    bad-move: position: column 32: no tile
    """

    def __init__(self, code: str, text: str, sent: str | None = None) -> None:
        super().__init__(code, text, sent)
        self.code = code
        self.text = text
        self.sent = sent
        found = ERROR_TEXT.fullmatch(text)
        command, column, message = found.groups() if found else (None, None, text)
        self.command: str | None = command
        self.column: int | None = int(column) if column else None
        self.message: str = message or ""

    def __str__(self) -> str:
        return f"{self.code}: {self.text}"

    @classmethod
    def of_line(cls, line: str, sent: str | None = None) -> EngineError | None:
        """Returns the error that a line reports, or None if it reports none."""
        words = line.split(None, 4)
        if words[:3] != ["info", "string", "error"]:
            return None
        code = words[3] if len(words) > 3 else "nonsense"
        return cls(code, words[4] if len(words) > 4 else "", sent)


class EngineTerminatedError(EngineError):
    """The engine's process has ended. `status` is its exit status, if known, negative for a signal.

    `stderr` has the last lines of the engine's standard error.
    """

    def __init__(
        self,
        text: str,
        status: int | None = None,
        stderr: tuple[str, ...] = (),
        sent: str | None = None,
    ) -> None:
        super().__init__("ended", text, sent)
        self.status = status
        self.stderr = stderr

    def __reduce__(self) -> tuple[object, ...]:
        return EngineTerminatedError, (self.text, self.status, self.stderr, self.sent)


@dataclass(frozen=True)
class Row:
    """A row of a ranking. `more` has the keys that have no field, with their values as text."""

    more: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)


@dataclass(frozen=True)
class GenRow(Row):
    """A play by static equity, in points. `leave` are the tiles kept, None if they are unknown."""

    move: str = ""
    score: int = 0
    equity: float = 0.0
    leave: str | None = None


@dataclass(frozen=True)
class SimRow(Row):
    """A simulated play: win % and equity (points) with their standard errors, and its iterations.

    `score` are the points of the play itself, None if the engine does not report them.
    """

    move: str = ""
    win: float = 0.0
    win_error: float = 0.0
    equity: float = 0.0
    equity_error: float = 0.0
    iterations: int = 0
    score: int | None = None


@dataclass(frozen=True)
class PegRow(Row):
    """A play of a pre-endgame: the draws that win, tie and lose, as far as they were examined.

    `spread` is the mean final lead, `win` the chance of winning in percent over these draws; None
    while they are unknown.
    """

    move: str = ""
    wins: tuple[str, ...] = ()
    ties: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    spread: int | None = None
    win: float | None = None


@dataclass(frozen=True)
class EndgameRow(Row):
    """An endgame after `depth` plies: `spread` is the change of the lead until the end of the game.

    `bound` is the kind of number: `exact`, `lowerbound`, `upperbound` or `estimate`. `pv` is the
    play and the moves that are expected to follow.
    """

    depth: int = 0
    spread: int = 0
    bound: str = "exact"
    pv: tuple[str, ...] = ()

    @property
    def move(self) -> str:
        """The play: the first move of `pv`, empty if there is none."""
        return self.pv[0] if self.pv else ""


@dataclass(frozen=True)
class InferRow(Row):
    """Tiles that the opponent may have kept: their probability (0 to 1) after and before the turn."""

    leave: str = ""
    probability: float = 0.0
    prior: float = 0.0


@dataclass(frozen=True)
class EventRow(Row):
    """An outcome of a challenge: `stands`, `off`, or `vain` under a `rule`, with its win %.

    `by` is the search that found the win %.
    """

    event: str = ""
    rule: str | None = None
    win: float = 0.0
    win_error: float = 0.0
    by: str = ""


@dataclass(frozen=True)
class RuleRow(Row):
    """Whether to challenge under a rule: win % with a challenge and without.

    A challenge is better if the play is valid with a probability less than `below`. `better` is
    `challenge` or `accept`. All of these are None if the search was stopped too early.
    """

    rule: str = ""
    challenge: float | None = None
    accept: float | None = None
    below: float | None = None
    below_error: float | None = None
    better: str | None = None


@dataclass(frozen=True)
class BingoRow(Row):
    """The probability (0 to 1) of a bingo on the next turn: `who` is `own` or `reply`.

    `racks` is the number of racks; `by` is `all` if these are all possible ones, else `drawn`.
    """

    who: str = ""
    probability: float = 0.0
    probability_error: float = 0.0
    racks: int = 0
    by: str = ""


@dataclass(frozen=True)
class ScoreRow(Row):
    """The mean score of the best reply. `racks` and `by` as in `BingoRow`."""

    score: float = 0.0
    score_error: float = 0.0
    racks: int = 0
    by: str = ""


@dataclass(frozen=True)
class SquareRow(Row):
    """The probability (0 to 1) that the best reply places a tile on a square, such as `8H`."""

    square: str = ""
    probability: float = 0.0


@dataclass(frozen=True)
class ReplyRow(Row):
    """A reply, the probability (0 to 1) that it is the best one, and its points."""

    move: str = ""
    probability: float = 0.0
    score: int = 0


@dataclass(frozen=True)
class Progress:
    """How far a search is, as the engine reports it; None for what it does not report.

    `time` is in seconds, `hashfull` in thousandths.
    """

    depth: int | None = None
    time: float | None = None
    nodes: int | None = None
    nps: float | None = None
    hashfull: int | None = None


@dataclass(frozen=True)
class Ranking:
    """The rows of a search at one moment, the best first.

    `notes` are the engine's other lines about this ranking, without `info string`: the summary of a
    pre-endgame, the model of an inference, `solved`. `ignored` lists the parts of the position and
    of the search that the engine could not use. Numbers with different `provenance` are not
    comparable.
    """

    rows: tuple[Row, ...] = ()
    progress: Progress = Progress()
    notes: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    provenance: str = ""

    def of(self, kind: type[_Kind]) -> tuple[_Kind, ...]:
        """Returns the rows of one class, in their order.

        >>> Ranking((GenRow(move="8G.DOG", score=8), SquareRow(square="8H"))).of(GenRow)[0].score
        8
        """
        return tuple(row for row in self.rows if isinstance(row, kind))

    @property
    def moves(self) -> tuple[str, ...]:
        """The ranked moves, the best first; after a search for replies, the replies."""
        kinds = (GenRow, SimRow, PegRow, EndgameRow, ReplyRow)
        return tuple(row.move for row in self.rows if isinstance(row, kinds))

    @property
    def is_solved(self) -> bool:
        """Whether the engine has proved the first row of an endgame to be the answer."""
        return "solved" in self.notes


@dataclass(frozen=True)
class PlayResult:
    """The end of a search: the move, None if there is none, and the last ranking."""

    move: str | None
    ranking: Ranking = Ranking()


@dataclass(frozen=True)
class Option:
    """An option of an engine, as the handshake describes it.

    >>> option = Option.of_line("option name Threads type spin default 1 min 1 max 256")
    >>> option.name, option.type, option.default, option.max
    ('Threads', 'spin', '1', 256)
    >>> option.text(300)
    Traceback (most recent call last):
    ...
    tilewright.engine.EngineError: bad-option: Threads: 300, expected a number from 1 to 256
    """

    name: str
    type: str
    default: str | None = None
    min: int | None = None
    max: int | None = None
    var: tuple[str, ...] = ()

    @classmethod
    def of_line(cls, line: str) -> Option:
        """Reads a line `option name <name> type <type> ...`. Raises EngineError if it is not one."""
        key = ""
        values: dict[str, list[str]] = {}
        choices: list[list[str]] = []
        for word in line.split()[1:]:
            if word in ("name", "type", "default", "min", "max", "var") and word not in values:
                key = word
                if word == "var":
                    choices.append([])
                else:
                    values[word] = []
            elif key == "var":
                choices[-1].append(word)
            elif key:
                values[key].append(word)
        texts = {key: " ".join(words) for key, words in values.items()}
        try:
            return cls(
                texts["name"],
                texts["type"],
                None if "default" not in texts else texts["default"].replace("<empty>", ""),
                int(texts["min"]) if "min" in texts else None,
                int(texts["max"]) if "max" in texts else None,
                tuple(" ".join(words) for words in choices),
            )
        except (KeyError, ValueError):
            raise EngineError("nonsense", f"no option can be read from {line!r}") from None

    def text(self, value: object) -> str:
        """Returns a value as the engine reads it. Raises EngineError for an invalid value."""
        expected = ""
        text = "" if value is None else str(value)
        if self.type == "check":
            text = text.lower()
            expected = "" if text in ("true", "false") else "True or False"
        elif self.type == "spin":
            is_number = re.fullmatch("-?[0-9]+", text) is not None
            low, high = (float("-inf") if self.min is None else self.min, self.max)
            if not is_number or not low <= int(text) <= (float("inf") if high is None else high):
                expected = f"a number from {self.min} to {self.max}"
        elif self.type == "combo":
            words = {word.lower(): word for word in self.var}
            expected = "" if text.lower() in words else f"one of {' '.join(self.var)}"
            text = words.get(text.lower(), text)
        elif self.type == "button" and text:
            expected = "None, since the option has no value"
        if expected:
            raise EngineError("bad-option", f"{self.name}: {value}, expected {expected}")
        return text


def move_of(text: str) -> str:
    """Returns a move with its column in capitals, as SIU writes it.

    >>> move_of("8d.DOg"), move_of("d8.DOG"), move_of("ex.ab")
    ('8D.DOg', 'D8.DOG', 'ex.ab')
    """
    found = COORDINATE.match(text)
    return text[: found.start(1)] + found[1].upper() + text[found.end(1) :] if found else text


def pairs_of(words: Iterable[str]) -> dict[str, str]:
    """Returns keys with their values; the last key may lack one."""
    values = list(words)
    return dict(zip(values[0::2], [*values[1::2], ""]))


def gen_row(words: list[str]) -> Row:
    """`move 8D.DOG score 12 eq 14.3 leave AEI`."""
    pairs = pairs_of(words)
    move, score, equity = (
        move_of(pairs.pop("move")),
        int(pairs.pop("score")),
        float(pairs.pop("eq")),
    )
    return GenRow(move=move, score=score, equity=equity, leave=pairs.pop("leave", None), more=pairs)


def sim_row(words: list[str]) -> Row:
    """`move 8D.DOG wp 51.2 wpse 0.4 eq 20.1 eqse 1.1 iters 500 score 12`."""
    pairs = pairs_of(words)
    score = pairs.pop("score", None)
    return SimRow(
        move=move_of(pairs.pop("move")),
        win=float(pairs.pop("wp")),
        win_error=float(pairs.pop("wpse")),
        equity=float(pairs.pop("eq")),
        equity_error=float(pairs.pop("eqse")),
        iterations=int(pairs.pop("iters")),
        score=None if score is None else int(score),
        more=pairs,
    )


def peg_row(words: list[str]) -> Row:
    """`move 3I.OXEN w:AC d:AE l:AI|AS spread -4 wp 37.5`."""
    draws = {"w": "", "d": "", "l": ""}
    others: list[str] = []
    for word in words[2:]:
        key, colon, values = word.partition(":")
        if colon and key in draws and not others:
            draws[key] = values
        else:
            others.append(word)
    if words[0] != "move" or not any(word.startswith("w:") for word in words):
        raise ValueError
    wins, ties, losses = (tuple(values.split("|")) if values else () for values in draws.values())
    more = pairs_of(others)
    spread = more.pop("spread", None)
    win = more.pop("wp", None)
    return PegRow(
        move=move_of(words[1]),
        wins=wins,
        ties=ties,
        losses=losses,
        spread=None if spread is None else int(spread),
        win=None if win is None else float(win),
        more=more,
    )


def endgame_row(words: list[str]) -> Row:
    """`depth 5 score spread -6 estimate pv 5C.LAD B5.CRU`; skips unknown words before `pv`."""
    if words[0] != "depth" or words[2:4] != ["score", "spread"]:
        raise ValueError
    pv = words.index("pv")
    bounds = [word for word in words[5:pv] if word in ("lowerbound", "upperbound", "estimate")]
    return EndgameRow(
        depth=int(words[1]),
        spread=int(words[4]),
        bound=bounds[0] if bounds else "exact",
        pv=tuple(move_of(move) for move in words[pv + 1 :]),
    )


def infer_row(words: list[str]) -> Row:
    """`leave ?O prob 0.02 prior 0.003`; a leave of no tiles is `-`."""
    pairs = pairs_of(words)
    leave, probability = pairs.pop("leave"), float(pairs.pop("prob"))
    prior = float(pairs.pop("prior", "nan"))
    text = "" if leave == "-" else leave
    return InferRow(leave=text, probability=probability, prior=prior, more=pairs)


def challenge_row(words: list[str]) -> Row:
    """`event vain rule double wp 40.1 wpse 0.3 by sim`, or `rule double challenge 61.0 ...`."""
    if words[0] == "rule" and words[2].startswith("unknown"):
        return RuleRow(rule=words[1])
    pairs = pairs_of(words)
    if words[0] == "rule":
        rule, better = pairs.pop("rule"), pairs.pop("better")
        keys = ("challenge", "accept", "below", "belowse")
        challenge, accept, below, error = (float(pairs.pop(key)) for key in keys)
        return RuleRow(pairs, rule, challenge, accept, below, error, better)
    event, by = pairs.pop("event"), pairs.pop("by")
    rule_of_event = pairs.pop("rule", None)
    return EventRow(pairs, event, rule_of_event, float(pairs.pop("wp")), float(pairs.pop("wpse")), by)


def replies_row(words: list[str]) -> Row:
    """`bingo own prob 0.1 ...`, `score 30.1 ...`, `square 8H prob 0.2`, `reply 8A.DOG prob ...`."""
    kind, subject = words[0], words[1]
    pairs = pairs_of(words[2:])
    if kind == "bingo":
        numbers = (float(pairs.pop("prob")), float(pairs.pop("probse")))
        return BingoRow(pairs, subject, *numbers, int(pairs.pop("racks")), pairs.pop("by"))
    if kind == "score":
        error, racks, by = float(pairs.pop("scorese")), int(pairs.pop("racks")), pairs.pop("by")
        return ScoreRow(pairs, float(subject), error, racks, by)
    if kind == "square":
        probability = float(pairs.pop("prob"))
        return SquareRow(pairs, subject, probability)
    if kind == "reply":
        probability, score = float(pairs.pop("prob")), int(pairs.pop("score"))
        return ReplyRow(pairs, move_of(subject), probability, score)
    raise ValueError


def ucgi_row(words: list[str]) -> Row:
    """`currmove 8d.DOG sc 12 wp 51.2 wpe 1.0 eq 20.1 eqe 2.8 it 500 ig 0 ...`, or without `wp`.

    UCGI has half the width of 99 % intervals; a row has standard errors.
    """
    pairs = pairs_of(words)
    move, score, equity = (
        move_of(pairs.pop("currmove")),
        int(pairs.pop("sc")),
        float(pairs.pop("eq")),
    )
    iterations = int(pairs.pop("it", "0"))
    if "wp" not in pairs:
        return GenRow(move=move, score=score, equity=equity, more=pairs)
    return SimRow(
        move=move,
        win=float(pairs.pop("wp")),
        win_error=float(pairs.pop("wpe", "nan")) / ERRORS_OF_99_PERCENT,
        equity=equity,
        equity_error=float(pairs.pop("eqe", "nan")) / ERRORS_OF_99_PERCENT,
        iterations=iterations,
        score=score,
        more=pairs,
    )


SIU_ROWS: dict[str, Callable[[list[str]], Row]] = {
    "gen": gen_row,
    "sim": sim_row,
    "peg": peg_row,
    "endgame": endgame_row,
    "infer": infer_row,
    "challenge": challenge_row,
    "replies": replies_row,
}


def row_of(line: str) -> Row | None:
    """Returns the row of a line of either dialect, or None if the line has none.

    A line that begins like a row but cannot be read as one is an EngineError.

    >>> row = row_of("info gen move 8D.DOG score 12 eq 14.300 leave AEIR")
    >>> row.move, row.equity, row.leave
    ('8D.DOG', 14.3, 'AEIR')
    >>> row_of("info string hello") is None
    True
    >>> row_of("info gen move 8D.DOG score x")
    Traceback (most recent call last):
    ...
    tilewright.engine.EngineError: nonsense: no row can be read from 'info gen move 8D.DOG score x'
    """
    words = line.split()
    if words[:1] != ["info"] or len(words) < 2:
        return None
    try:
        if words[1] == "currmove":
            return ucgi_row(words[1:])
        if words[1] in SIU_ROWS and words[1:3] != ["replies", "move"]:
            return SIU_ROWS[words[1]](words[2:])
    except (KeyError, ValueError, IndexError):
        raise EngineError("nonsense", f"no row can be read from {shortened(line)!r}") from None
    return None


def shortened(text: str) -> str:
    """Shortens a text for a message by cutting off its end."""
    return text if len(text) <= 200 else text[:200] + "..."


def progress_of(words: list[str]) -> Progress | None:
    """Returns the progress in the words after `info`, or None if they are something else."""
    pairs = pairs_of(words)
    whole: dict[str, int | None] = dict.fromkeys(("depth", "time", "nodes", "hashfull"))
    try:
        for key in whole:
            whole[key] = int(pairs[key]) if key in pairs else None
        nps = float(pairs["nps"]) if "nps" in pairs else None
    except ValueError:
        return None
    if nps is None and all(value is None for value in whole.values()):
        return None
    seconds = None if whole["time"] is None else whole["time"] / 1000
    return Progress(whole["depth"], seconds, whole["nodes"], nps, whole["hashfull"])


class RankingReader:
    """Makes rankings of the lines of a search.

    A ranking is complete when a line comes that is not one of its rows. `current` is the ranking of
    the rows that have come so far, whether it is complete or not.
    """

    def __init__(self, ignored: Iterable[str] = ()) -> None:
        self._rows: list[Row] = []
        self._notes: list[str] = []
        self._ignored: list[str] = list(ignored)
        self._provenance = ""
        self._progress = Progress()
        # Whether the next row begins a ranking; whether a UCGI engine has yet to report progress.
        self.is_complete = True
        self._awaits_progress = False

    @property
    def current(self) -> Ranking:
        """The newest rows as a ranking."""
        return Ranking(
            tuple(self._rows),
            self._progress,
            tuple(self._notes),
            tuple(self._ignored),
            self._provenance,
        )

    def feed(self, line: str) -> Ranking | None:
        """Reads a line. Returns the ranking that it completes, if any."""
        row = row_of(line)
        if row is not None:
            if self.is_complete:
                self._rows = []
                self.is_complete = False
            self._rows.append(row)
            return None
        words = line.split()
        if words[:1] == ["bestsofar"]:
            # `info nps` follows, which belongs to these rows.
            self._awaits_progress = True
            return None
        is_general = words[:1] == ["info"] and words[1:2] != ["string"]
        progress = progress_of(words[1:]) if is_general else None
        if progress is not None and self._awaits_progress:
            self._progress = progress
        self._awaits_progress = False
        completed = self._completed()
        if words[:3] == ["info", "replies", "move"]:
            progress = progress_of(words[2:])
        if progress is not None:
            self._progress = progress
        elif words[:2] == ["info", "string"]:
            self._note(line.split(None, 2)[2] if len(words) > 2 else "")
        return completed

    def _completed(self) -> Ranking | None:
        if self.is_complete:
            return None
        completed = self.current
        self.is_complete = True
        self._notes = []
        return completed

    def _note(self, text: str) -> None:
        kind, _, rest = text.partition(" ")
        if kind == "provenance":
            self._provenance = rest
        elif kind == "ignored":
            self._ignored.append(rest)
        else:
            self._notes.append(text)
