"""Any crossword-game engine as a process: SIU and UCGI, with asyncio and without.

This module works alone: it needs the standard library and an engine, `tilewright` or another one.
Positions, racks and moves are text, as `protocol/README.md` describes them: a CGP for a position,
`8D.WORD` and `ex.ABC` for moves. Users of `chess.engine` of python-chess will find most names here.

>>> from tilewright.engine import GenRow, InferRow, Limit, Setup, SimpleEngine, SimRow
>>> START = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0"
>>> engine = SimpleEngine.popen_siu("tilewright")
>>> engine.play(START, Limit(nodes=2000), seed=1).move
'8D.RETSINA'

Rankings
--------
`analyse` returns the last ranking of a search. Its rows are frozen dataclasses, whose class shows
which search they are from; `Ranking.of` returns those of one class.

>>> ranking = engine.analyse(START, mode="gen", multipv=2)
>>> [(row.score, row.leave) for row in ranking.of(GenRow)]
[(66, ''), (66, '')]
>>> ranking = engine.analyse(START, Limit(iterations=50), mode="sim", seed=1, plays=3)
>>> best = ranking.of(SimRow)[0]
>>> 60 < best.win < 90 and best.win_error < 10 and best.iterations == 50
True

`analysis` yields all rankings while they improve. Leaving the loop stops the search, and so does
the next command. Without a limit a search goes on until then.

>>> for ranking in engine.analysis(START, mode="sim"):
...     if ranking.of(SimRow)[0].iterations >= 20:
...         break
>>> engine.ping()

| mode | rows |
|---|---|
| `gen` | `GenRow` |
| `sim` | `SimRow` |
| `peg` | `PegRow` |
| `endgame` | `EndgameRow`, one for each depth |
| `auto` | those of the search that the engine chooses |
| `infer` | `InferRow` |
| `challenge` | `EventRow`, `RuleRow` |
| `replies` | `BingoRow`, `ScoreRow`, `SquareRow`, `ReplyRow` |

>>> last = Setup(moves=["8D.IMINO"], rack="GLORRTU")
>>> engine.configure({"OpponentModel": "richards-amir"})
>>> engine.analyse(last, mode="infer").of(InferRow)[0].probability > 0.01
True
>>> engine.configure({"OpponentModel": "uniform"})

Positions
---------
A position is a CGP, a `Setup`, anything with an attribute or a method `cgp`, or None for the one
that was set up last, by `position` or by a command that `tell` has sent.

>>> _ = engine.position(Setup(moves=["8G.DOG.DGOAEIR", "ex.3"], rack="AEINRST"))
>>> engine.tell("score J2.RETAINS")
['info string score J2.RETAINS score 67 leave - words RETAINS|DOGS invalid -']
>>> engine.analyse(None, mode="gen", searchmoves=["J2.RETAINS"]).moves
('J2.RETAINS',)

Errors
------
A refused command is an `EngineError` with the engine's code, message and place in the command.
`EngineTerminatedError` means that the process has ended. If an engine does not answer within
`timeout` seconds, that is an `EngineError` whose code is `timeout`.

>>> engine.position(Setup(moves=["8G.DOG", "1A.CAT"])) # doctest: +ELLIPSIS
Traceback (most recent call last):
...
tilewright.engine.EngineError: bad-move: position: column 32: ...
>>> engine.configure({"Threads": 0})
Traceback (most recent call last):
...
tilewright.engine.EngineError: bad-option: Threads: 0, expected a number from 1 to 256
>>> ranking = engine.analyse(START + " lex NOSUCH;", mode="gen", movetime=5)
>>> ranking.ignored  # doctest: +ELLIPSIS
('lex NOSUCH: ...', 'movetime')
>>> engine.quit()
0

asyncio
-------
`popen_siu` and `popen_ucgi` return a transport and an engine with the same methods as coroutines.

>>> import asyncio
>>> from tilewright.engine import popen_ucgi
>>> async def main():
...     transport, engine = await popen_ucgi("tilewright", options={"Threads": 1})
...     async with engine:
...         result = await engine.play(START, Limit(nodes=2000), seed=1)
...         async for ranking in await engine.analysis(START):
...             break
...     return result.move
>>> asyncio.run(main())
'8D.RETSINA'

The logger `tilewright.engine` logs all lines at the level `DEBUG`.
"""

from .answers import (
    BingoRow,
    EndgameRow,
    EngineError,
    EngineTerminatedError,
    EventRow,
    GenRow,
    InferRow,
    Option,
    PegRow,
    PlayResult,
    Progress,
    Ranking,
    ReplyRow,
    Row,
    RuleRow,
    ScoreRow,
    SimRow,
    SquareRow,
)
from .asynchronous import (
    Analysis,
    EngineProtocol,
    SiuProtocol,
    UcgiProtocol,
    popen_siu,
    popen_ucgi,
)
from .questions import Limit, Setup
from .simple import SimpleAnalysis, SimpleEngine

__all__ = [
    "Analysis",
    "BingoRow",
    "EndgameRow",
    "EngineError",
    "EngineProtocol",
    "EngineTerminatedError",
    "EventRow",
    "GenRow",
    "InferRow",
    "Limit",
    "Option",
    "PegRow",
    "PlayResult",
    "Progress",
    "Ranking",
    "ReplyRow",
    "Row",
    "RuleRow",
    "ScoreRow",
    "Setup",
    "SimRow",
    "SimpleAnalysis",
    "SimpleEngine",
    "SiuProtocol",
    "SquareRow",
    "UcgiProtocol",
    "popen_siu",
    "popen_ucgi",
]

# Messages name the module that users import.
for _class in (EngineError, EngineTerminatedError):
    _class.__module__ = __name__
