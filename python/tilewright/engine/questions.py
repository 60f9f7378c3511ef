"""Questions for an engine as values: limits and positions, and their words in the protocol.

Nothing here waits or writes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Union

from .answers import shortened

Command = Union[str, "os.PathLike[str]", Sequence[Union[str, "os.PathLike[str]"]]]
Parameter = Union[str, int, float, Sequence[str]]


@dataclass(frozen=True)
class Limit:
    """The limits of a search, which ends at the first one that is reached. Times are in seconds.

    `time` is for the search, `clock` and `increment` are of the player on turn, and the other two
    of the opponent. `iterations` are samples of the leading play, `nodes` plays generated, `depth`
    plies. With `stop_condition` 95, 98 or 99 a simulation ends when its leader is best with this
    certainty, in percent. `Ranking.ignored` lists what the engine did not use.
    """

    time: float | None = None
    iterations: int | None = None
    nodes: int | None = None
    depth: int | None = None
    stop_condition: int | None = None
    clock: float | None = None
    opponent_clock: float | None = None
    increment: float | None = None
    opponent_increment: float | None = None

    def seconds(self) -> float | None:
        """Returns how long the search may take, or None if no time limits it."""
        clock = None if self.clock is None else self.clock + (self.increment or 0.0)
        times = [max(0.0, time) for time in (self.time, clock) if time is not None]
        return min(times, default=None)


@dataclass(frozen=True)
class Setup:
    """A position for an engine: a CGP or the start of a game, then moves, then racks.

    Racks are those of the player on turn after the moves, and of the other player. A rack may be
    known in part. Every engine accepts `cgp` and `moves`, but not every engine accepts racks.

    >>> Setup(moves=["8G.DOG"], rack="AEINRST").lines()
    ['position startpos moves 8G.DOG rack.AEINRST']
    """

    cgp: str | None = None
    moves: Sequence[str] = ()
    rack: str | None = None
    opponent_rack: str | None = None

    def lines(self) -> list[str]:
        """Returns the commands that set up the position."""
        words = ["position", "startpos" if self.cgp is None else f"cgp {self.cgp.strip()}"]
        tokens = [*self.moves, *([f"rack.{self.rack}"] if self.rack else [])]
        words += ["moves", *tokens] if tokens else []
        return [" ".join(words), *([f"opprack {self.opponent_rack}"] if self.opponent_rack else [])]


class HasCgp(Protocol):
    """A position of another module: its `cgp` is a CGP, or returns one."""

    @property
    def cgp(self) -> Any:
        """The CGP."""


Position = Union[str, Setup, HasCgp]


def setup_of(position: Position) -> Setup:
    """Returns a CGP, or a position that has one, as a `Setup`."""
    if isinstance(position, Setup):
        return position
    cgp = position if isinstance(position, str) else position.cgp
    return Setup(str(cgp() if callable(cgp) else cgp))


def check_line(line: str) -> None:
    """Raises ValueError if a text is more than one line."""
    if "\n" in line or "\r" in line:
        raise ValueError(f"a command is one line, not {shortened(line)!r}")


def clocks_of(limit: Limit) -> tuple[float | None, ...]:
    """Returns both clocks, then both increments, those of the player on turn first."""
    return (limit.clock, limit.opponent_clock, limit.increment, limit.opponent_increment)


def parameter_words(parameters: Mapping[str, Parameter]) -> list[str]:
    """Returns parameters of `go` as words. Lists come last, since they have no end of their own."""
    single: list[str] = []
    lists: list[str] = []
    for name, value in parameters.items():
        if value is False:
            continue
        if value is True:
            single.append(name)
        elif isinstance(value, (str, int, float)):
            single.append(f"{name} {value}".rstrip())
        elif value:
            lists += [name, *value]
    return single + lists


def seconds_of(limit: Limit | None, parameters: Mapping[str, Parameter]) -> float | None:
    """Returns how long a search may take, or None if no time limits it."""
    if "movetime" in parameters:
        return max(0.0, float(str(parameters["movetime"])) / 1000)
    return None if limit is None or "infinite" in parameters else limit.seconds()


def is_limited(limit: Limit | None, parameters: Mapping[str, Parameter]) -> bool:
    """Whether anything limits a search."""
    if limit is not None and limit != Limit():
        return True
    return any(word in parameters for word in ("movetime", "iterations", "i", "nodes", "depth", "plies"))
