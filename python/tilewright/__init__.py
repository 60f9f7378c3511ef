"""Tilewright, a crossword-game engine: positions, words, games, searches and matches.

>>> import tilewright
>>> position = tilewright.Position("15/15/15/15/15/15/15/3QUIZ8/6E8/6B8/6R8/6A8/15/15/15 AEINRST/ 48/34 0")
>>> play = position.legal_plays()[0]
>>> print(play, play.score, play.equity)
13G.STAINER 86 86.0
>>> position.push(play)
<Play 13G.STAINER for 86>
>>> position.scores
(134, 34)

Positions, plays and games are compiled. `tilewright.engine`, which runs engines as processes, is not, and works without the compiled part.
"""

from __future__ import annotations

from . import boards, errors
from .errors import (
    IllegalPlayError,
    InvalidGameError,
    InvalidPlayError,
    InvalidPositionError,
    LexiconError,
    RulesError,
    SearchError,
    TilewrightError,
)

try:
    from ._native import CHALLENGES, LAYOUTS, LETTERS, VARIANTS, Game, Lexicon, Play, Plays, Position, Rack, Rules, __version__, read_games
except ModuleNotFoundError as missing:
    if missing.name != f"{__name__}._native":
        raise

    def __getattr__(name: str) -> object:
        """Reports what is missing: a checkout has no compiled part before it is installed."""
        if name in __all__:
            raise ImportError(f"tilewright.{name} is compiled, but this is a checkout: pip install ./python")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

else:
    from collections.abc import Sequence as _Sequence

    from .analysis import (
        Analysis,
        Endgame,
        Engine,
        Inference,
        PreEndgameSearch,
        Question,
        RepliesTo,
        Simulation,
        Static,
    )
    from .game_analysis import GameAnalysis, TurnAnalysis
    from .matches import Adjusted, MatchResult, match
    from .rows import Belief, PreEndgame, Ranking, Replies, Solution

    _Sequence.register(Plays)

__all__ = [
    "CHALLENGES",
    "LAYOUTS",
    "LETTERS",
    "VARIANTS",
    "Adjusted",
    "Analysis",
    "Belief",
    "Endgame",
    "Engine",
    "Game",
    "GameAnalysis",
    "IllegalPlayError",
    "Inference",
    "InvalidGameError",
    "InvalidPlayError",
    "InvalidPositionError",
    "Lexicon",
    "LexiconError",
    "MatchResult",
    "Play",
    "Plays",
    "Position",
    "PreEndgame",
    "PreEndgameSearch",
    "Question",
    "Rack",
    "Ranking",
    "Replies",
    "RepliesTo",
    "Rules",
    "RulesError",
    "SearchError",
    "Simulation",
    "Solution",
    "Static",
    "TilewrightError",
    "TurnAnalysis",
    "__version__",
    "boards",
    "errors",
    "match",
    "read_games",
]
