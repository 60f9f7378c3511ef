"""A recorded game, judged turn by turn: the loss of each play against the best one.

>>> import tilewright
>>> game = tilewright.Game("Ann", "Ben")
>>> game.push("8D.NASTIER", rack="AEINRST"), game.push("pass", rack="ACEIRTV")
(<Play 8D.NASTIER for 66>, <Play pass for 0>)
>>> analysis = tilewright.Engine().analyse_game(game, iterations=40)
>>> mistake = analysis.worst(1)[0]
>>> mistake.play, mistake.player, mistake.is_mistake, mistake.loss > 0.1
(<Play pass for 0>, 1, True, True)

`docs/analysing.md` describes how turns are judged, and the content of `document`. Nothing is computed here: the library judges.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Tuple

from .rows import columns, pandas_frame, polars_frame

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ._native import Game, Play

__all__ = ["GameAnalysis", "TurnAnalysis"]


@dataclass(frozen=True)
class TurnAnalysis:
    """A turn of a game with its verdict. Chances are those of the player on turn."""

    #: From 0, an index into `Game.turns` and `Game.positions()`.
    number: int
    #: 0 or 1, an index into `Game.players`.
    player: int
    play: Play
    score: int
    in_bag: int
    #: `opening`, `middle`, `approach`, `pre-endgame` or `endgame`.
    part: str
    #: `None` if the turn could not be judged, as are all values that depend on it; `skipped` has the reason.
    best: Optional[Play]
    best_win: Optional[float]
    #: The chance of winning with the play made.
    win: Optional[float]
    win_error: Optional[float]
    #: The chance of winning that the play lost against the best one, on the same tiles. Noise can make it negative.
    loss: Optional[float]
    loss_error: Optional[float]
    #: The loss in points, which counts if neither play can change the winner (`measure`).
    loss_points: Optional[float]
    loss_points_error: Optional[float]
    #: `win` or `points`.
    measure: Optional[str]
    #: Whether the loss is more than two standard errors.
    is_mistake: bool
    #: The place of the play in the ranking, from 1.
    rank: Optional[int]
    #: `exact`, `sampled` or `unfinished`.
    certainty: Optional[str]
    #: The value of the tiles drawn for this turn, minus the expected value, points.
    luck: Optional[float]
    #: `missed-bingo`, `phony`, `missed-challenge`, `blown-endgame`, `missed-exchange`, `needless-exchange`.
    remarks: Tuple[str, ...]
    skipped: Optional[str]


@dataclass(frozen=True)
class GameAnalysis:
    """The turns of a game with their verdicts: a sequence of `TurnAnalysis`."""

    game: Game
    turns: Tuple[TurnAnalysis, ...] = field(repr=False)
    #: The whole report, with rankings and sums, as `tilewright analyse --json` writes it for a game.
    document: Mapping[str, Any] = field(repr=False)

    def __len__(self) -> int:
        return len(self.turns)

    def __iter__(self) -> Iterator[TurnAnalysis]:
        return iter(self.turns)

    def __getitem__(self, index: int) -> TurnAnalysis:
        return self.turns[index]

    def lost(self, player: int) -> Tuple[float, float]:
        """The sum of a player's losses: in chances of winning, and in points for turns on which neither play could change the winner."""
        own = [turn for turn in self.turns if turn.player == player]
        win = sum(turn.loss or 0.0 for turn in own if turn.measure == "win")
        return win, sum(turn.loss_points or 0.0 for turn in own if turn.measure == "points")

    def worst(self, count: int = 3) -> List[TurnAnalysis]:
        """The largest mistakes. Losses in chances of winning come before losses in points."""
        mistakes = [turn for turn in self.turns if turn.is_mistake]
        mistakes.sort(key=lambda turn: (turn.measure == "win", turn.loss if turn.measure == "win" else turn.loss_points), reverse=True)
        return mistakes[:count]

    def chance_after(self, turn: TurnAnalysis) -> Optional[float]:
        """The chance of winning of the first player of `Game.players` after a turn."""
        if turn.win is None:
            return None
        return turn.win if turn.player == 0 else 1.0 - turn.win

    def columns(self) -> Dict[str, List[Any]]:
        """One row per turn, as columns."""
        return columns(self.turns)

    def to_pandas(self) -> Any:
        """One row per turn, as a frame of pandas."""
        return pandas_frame(self.columns())

    def to_polars(self) -> Any:
        """One row per turn, as a frame of polars."""
        return polars_frame(self.columns())

    def plot(self) -> Figure:
        """The chance of winning over the game, and the loss of each turn, with matplotlib. Pale bars are within two standard errors."""
        from .plots import game_plot

        return game_plot(self)


def of_report(game: Game, report: Mapping[str, Any]) -> GameAnalysis:
    """Makes the analysis from a report of the library."""
    recorded = game.turns
    turns = []
    for told in report["turns"]:
        number = told["number"] - 1
        turn, verdict = recorded[number], told["verdict"]
        best = None
        if verdict is not None:
            position = game.position(number)
            if told["rack"]:
                position.set_rack(told["rack"])
            best = position.parse_play(verdict["best"]["play"])
        loss, played = (verdict["loss"], verdict["played"]) if verdict is not None else ({}, {})
        counted = loss.get("points" if loss.get("measure") == "points" else "win", 0.0)
        turns.append(
            TurnAnalysis(
                number=number,
                player=turn.player,
                play=turn.play,
                score=told["score"],
                in_bag=told["in_bag"],
                part=told["part"],
                best=best,
                best_win=None if verdict is None else verdict["best"]["win"],
                win=played.get("win"),
                win_error=played.get("win_error"),
                loss=loss.get("win"),
                loss_error=loss.get("win_error"),
                loss_points=loss.get("points"),
                loss_points_error=loss.get("points_error"),
                measure=loss.get("measure"),
                is_mistake=verdict is not None and counted > 0 and not loss["within_noise"],
                rank=None if verdict is None else verdict["rank"],
                certainty=None if verdict is None else verdict["certainty"],
                luck=None if told["luck"] is None else told["luck"]["points"],
                remarks=tuple(label["kind"] for label in told["labels"]),
                skipped=told["skipped"],
            )
        )
    return GameAnalysis(game, tuple(turns), report)
