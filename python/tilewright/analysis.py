"""The engine in this process: `Engine`, the questions for it, and their rankings while they improve.

>>> import tilewright
>>> from tilewright import Engine, Simulation
>>> engine = Engine(threads=1)
>>> position = tilewright.Position("15/15/15/15/15/15/15/3QUIZ8/6E8/6B8/6R8/6A8/15/15/15 AEINRST/ 48/34 0")
>>> engine.static(position, 2).best
StaticRow(play=<Play 13G.STAINER for 86>, score=86, equity=86.0)
>>> for ranking in engine.analyse(position, Simulation(plies=2, iterations=100)):
...     best = ranking.best
>>> best.iterations
100

A search ends by itself, after `seconds`, at the end of a `with` block, by `stop()`, or by Ctrl-C. The interpreter's lock is free while it
runs. With counted limits the same seed gives the same answer for any number of threads.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Iterator, Optional, Sequence, Tuple, Type, TypeVar, Union

from ._native import Game, Lexicon, Play, Position, Searcher
from .errors import SearchError, require_naturals
from .game_analysis import GameAnalysis, of_report
from .rows import Belief, PreEndgame, Ranking, Replies, SimulationRow, Solution, StaticRow

__all__ = ["Analysis", "Endgame", "Engine", "Inference", "PreEndgameSearch", "Question", "RepliesTo", "Simulation", "Static"]

R = TypeVar("R", bound=Ranking[Any])

#: A play, or its text: `8D.VICAR`.
AnyPlay = Union[Play, str]


class Question(Generic[R]):
    """A question for a search. Its type determines the type of the rankings."""

    kind: ClassVar[str]


@dataclass(frozen=True)
class Static(Question[Ranking[StaticRow]]):
    """A ranking by static equity."""

    kind: ClassVar[str] = "static"
    #: How many of the best plays; 15 by default.
    count: Optional[int] = None
    #: Only these plays.
    plays: Optional[Sequence[AnyPlay]] = None


@dataclass(frozen=True)
class Simulation(Question[Ranking[SimulationRow]]):
    """A simulation: candidates are played out against racks of the opponent.

    It ends when a limit is reached, or when it is sure of its first play to `confidence` percent: 95, 98, 99, or `None` to go on.
    """

    kind: ClassVar[str] = "simulation"
    #: How many of the statically best plays; 15 by default.
    count: Optional[int] = None
    #: Only these plays.
    plays: Optional[Sequence[AnyPlay]] = None
    #: Plies after the candidate; by default two, or up to the end of the game if that is near.
    plies: Optional[int] = None
    #: Samples of the leader, at most.
    iterations: Optional[int] = None
    #: Plays generated, at most.
    nodes: Optional[int] = None
    confidence: Optional[int] = 99
    #: Weight of the equity in the ranking, in addition to the chance of winning.
    equity_weight: Optional[float] = None
    #: A model by which the opponent's tiles are inferred from the plays of the position: `static`, `sim`, `auto`, `richards-amir`.
    opponent: Optional[str] = None


@dataclass(frozen=True)
class PreEndgameSearch(Question[PreEndgame]):
    """A pre-endgame, with 1 to 4 tiles in the bag: all draws are examined."""

    kind: ClassVar[str] = "pre-endgame"
    count: Optional[int] = None
    plays: Optional[Sequence[AnyPlay]] = None
    nodes: Optional[int] = None
    #: If true, only the share of wins counts, not the spread.
    first_win: bool = False
    opponent: Optional[str] = None


@dataclass(frozen=True)
class Endgame(Question[Solution]):
    """An endgame, with an empty bag: searched to the end of the game."""

    kind: ClassVar[str] = "endgame"
    count: Optional[int] = None
    plays: Optional[Sequence[AnyPlay]] = None
    plies: Optional[int] = None
    nodes: Optional[int] = None
    #: If true, only the winner counts, not the spread.
    first_win: bool = False


@dataclass(frozen=True)
class Inference(Question[Belief]):
    """An inference of the tiles that the opponent kept, from the plays that led to the position."""

    kind: ClassVar[str] = "inference"
    model: str = "static"


@dataclass(frozen=True)
class RepliesTo(Question[Replies]):
    """The opponent's best replies to a play; `pass` leaves the board as it is."""

    play: AnyPlay
    kind: ClassVar[str] = "replies"
    #: Dealt racks, at most.
    iterations: Optional[int] = 1000
    opponent: Optional[str] = None


class Analysis(Generic[R]):
    """A search under way: an iterator, and an asynchronous iterator, over improving rankings.

    Each step asks for a ranking and waits for it, so that the caller sets the pace. The last ranking is the final one. As a context manager
    it stops the search at the end of the block.
    """

    def __init__(self, search: Any) -> None:
        self._search = search
        #: The latest ranking that was asked for.
        self.ranking: Optional[R] = None

    def stop(self) -> None:
        """Stops the search. Its last ranking still comes."""
        self._search.stop()

    def last(self) -> R:
        """Waits for the end, and returns the last ranking."""
        found: Optional[R] = self._search.finish()
        self.ranking = found if found is not None else self.ranking
        if self.ranking is None:
            raise SearchError("the search was stopped before it had a ranking")
        return self.ranking

    def __iter__(self) -> Iterator[R]:
        return self

    def __next__(self) -> R:
        found: Optional[R] = self._search.next()
        if found is None:
            raise StopIteration
        self.ranking = found
        return found

    def __aiter__(self) -> Analysis[R]:
        return self

    async def __anext__(self) -> R:
        try:
            found: Optional[R] = await asyncio.to_thread(self._search.next)
        except asyncio.CancelledError:
            self.stop()
            raise
        if found is None:
            raise StopAsyncIteration
        self.ranking = found
        return found

    def __enter__(self) -> Analysis[R]:
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    async def __aenter__(self) -> Analysis[R]:
        return self

    async def __aexit__(self, *exception: object) -> None:
        self.stop()


class Engine:
    """An engine in this process. It reads no files and starts no processes: words and tables are in the package.

    For other engines, which run as processes, see `tilewright.engine`.
    """

    def __init__(
        self,
        lexicon: Optional[Lexicon] = None,
        *,
        threads: Optional[int] = None,
        seed: int = 1,
        hash_megabytes: int = 16,
        memory_megabytes: int = 256,
    ) -> None:
        """An engine with these words; without `threads` it uses all processors."""
        numbers = {"threads": threads, "seed": seed, "hash_megabytes": hash_megabytes, "memory_megabytes": memory_megabytes}
        require_naturals(numbers)
        self._arguments = (lexicon, threads, seed, hash_megabytes, memory_megabytes)
        self._searcher = Searcher(*self._arguments)

    @property
    def lexicon(self) -> Lexicon:
        """The words of the engine."""
        return self._searcher.lexicon

    @property
    def threads(self) -> int:
        """The number of threads of its searches."""
        return self._searcher.threads

    def analyse(self, position: Position, question: Optional[Question[R]] = None, *, seconds: Optional[float] = None) -> Analysis[R]:
        """Begins a search.

        Without a question it is the search of the phase: a simulation, a pre-endgame or an endgame.
        """
        if question is not None and not isinstance(question, Question):
            raise SearchError(f"{question!r} is not a question: expected Simulation(), Static(), PreEndgameSearch() or another one")
        return Analysis(self._searcher.start(position, question, seconds))

    def analyse_game(
        self, game: Game, *, iterations: Optional[int] = None, seconds: Optional[float] = None, opponent: Optional[str] = None
    ) -> GameAnalysis:
        """Judges each turn of a game: the loss of its play against the best one.

        A turn has this number of iterations, or this time; a second by default. With `opponent` the other player's tiles are inferred by a
        model, as in `Simulation`.
        """
        require_naturals({"iterations": iterations})
        return of_report(game, json.loads(self._searcher.analyse_game(game, iterations, seconds, opponent)))

    def best(self, position: Position, question: Optional[Question[Any]] = None, *, seconds: Optional[float] = None) -> Play:
        """The best play: by static equity, or by a search with this question or this time."""
        if question is None and seconds is None:
            question = Static(count=1)
        found: Ranking[Any] = self.analyse(position, question, seconds=seconds).last()
        play: Play = found.best.play
        return play

    def static(self, position: Position, count: Optional[int] = None, *, plays: Optional[Sequence[AnyPlay]] = None) -> Ranking[StaticRow]:
        """The best plays by static equity, 15 by default, or these plays."""
        return self.analyse(position, Static(count=count, plays=plays)).last()

    def solve(self, position: Position, *, seconds: Optional[float] = None) -> Union[Solution, PreEndgame]:
        """The endgame if the bag is empty, else the pre-endgame."""
        if position.in_bag == 0:
            return self.analyse(position, Endgame(), seconds=seconds).last()
        return self.analyse(position, PreEndgameSearch(), seconds=seconds).last()

    def infer(self, position: Position, model: str = "static", *, seconds: Optional[float] = None) -> Belief:
        """Infers the tiles that the opponent may have kept, from the plays that were pushed on the position."""
        return self.analyse(position, Inference(model), seconds=seconds).last()

    def replies(self, position: Position, play: AnyPlay = "pass", *, iterations: Optional[int] = 1000) -> Replies:
        """The opponent's best replies to a play."""
        return self.analyse(position, RepliesTo(play, iterations=iterations)).last()

    def play(self, position: Position, player: str) -> Play:
        """The play of a player that a text names: `greedy`, `sim:iterations=500`."""
        return self._searcher.player_play(position, player)

    def __repr__(self) -> str:
        return f"<Engine {self.lexicon.name}, {self.threads} threads>"

    def __reduce__(self) -> Tuple[Any, ...]:
        lexicon, threads, seed, hash_megabytes, memory_megabytes = self._arguments
        return (_engine, (type(self), lexicon, threads, seed, hash_megabytes, memory_megabytes))


def _engine(
    of: Type[Engine], lexicon: Optional[Lexicon], threads: Optional[int], seed: int, hash_megabytes: int, memory_megabytes: int
) -> Engine:
    return of(lexicon, threads=threads, seed=seed, hash_megabytes=hash_megabytes, memory_megabytes=memory_megabytes)
