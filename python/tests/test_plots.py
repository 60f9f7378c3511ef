"""Plots. Without matplotlib they report what is missing; with it they draw the values of the results."""

import math
import statistics
import sys
from typing import Any, List

import pytest

import tilewright
from tilewright import Engine, Inference, Position, Simulation, Static, match, plots

MIDDLE = "15/15/15/15/15/15/15/3QUIZ8/6E8/6B8/6R8/6A8/15/15/15 AEINRST/ 48/34 0"


def list_of(values: Any) -> List[float]:
    return list(values)


def test_without_matplotlib_an_error_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    ranking = Engine().static(Position(MIDDLE), 3)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match="plots are drawn by matplotlib, which is not installed: pip install matplotlib"):
        ranking.plot()


def test_running_means_have_the_errors_of_the_result() -> None:
    means, errors = plots.running([1.0, 0.0, 0.5, 1.0])
    assert means == [1.0, 0.5, 0.5, 0.625] and math.isnan(errors[0])
    assert errors[3] == pytest.approx(statistics.stdev([1.0, 0.0, 0.5, 1.0]) / 2)
    result = match("static:late=off", "greedy", pairs=12)
    wins = result.columns()["win"]
    means, errors = plots.running([(first + second) / 2 for first, second in zip(wins[::2], wins[1::2])])
    assert means[-1] == pytest.approx(result.win) and errors[-1] == pytest.approx(result.win_error)
    assert wins.count(1.0) == result.wins and wins.count(0.0) == result.losses


def test_the_winner_of_misere_has_fewer_points() -> None:
    table = match("misere", "misere", pairs=1, rules=tilewright.Rules("misere")).columns()
    assert all((win == 1.0) == (a < b) for win, a, b in zip(table["win"], table["score_a"], table["score_b"]))


def test_a_match_is_plotted() -> None:
    pytest.importorskip("matplotlib")
    result = match("static:late=off", "greedy", pairs=20)
    figure = result.plot()
    win, spread = figure.axes
    line = win.get_lines()[0]
    numbers, chances = list_of(line.get_xdata()), list_of(line.get_ydata())
    assert len(numbers) == 20 and chances[-1] == pytest.approx(100 * result.win)
    assert f"{100 * result.win:.1f} ± {100 * result.win_error:.1f} %" in win.get_title()
    low, high = win.get_ylim()
    assert low < 100 * (result.win - result.win_error) and 100 * (result.win + result.win_error) < high
    bars = sum(patch.get_height() for patch in spread.containers[0])
    assert bars == pytest.approx(100) and "points a game" in spread.get_title()
    assert figure._repr_png_().startswith(b"\x89PNG")  # type: ignore[attr-defined]
    # A single pair has no error.
    assert len(match("static:late=off", "greedy", pairs=1).plot().axes) == 2


def test_rankings_are_plotted() -> None:
    pytest.importorskip("matplotlib")
    engine, position = Engine(), Position(MIDDLE)
    ranking = engine.analyse(position, Simulation(iterations=30, count=4)).last()
    axes = ranking.plot().axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == [str(row.play) for row in ranking]
    assert axes.get_xlabel() == "win % ± standard error"
    assert engine.analyse(position, Static(count=2)).last().plot().axes[0].get_xlabel() == "equity, points"
    position = Position()
    position.push("8D.IMINO")
    position.set_rack("GLORRTU")
    assert engine.analyse(position, Inference()).last().plot().axes[0].get_xlabel() == "%"
    with pytest.raises(ValueError, match="no rows"):
        plots.ranking_plot((), "endgame")


def test_a_game_is_plotted() -> None:
    pytest.importorskip("matplotlib")
    game = match("static", "greedy", pairs=1, keep_games=True).games[0]
    analysis = Engine().analyse_game(game, iterations=5)
    win, lost = analysis.plot().axes
    assert len(list_of(win.get_lines()[0].get_xdata())) == sum(turn.win is not None for turn in analysis)
    assert sum(len(bars) for bars in lost.containers) == sum(turn.loss is not None for turn in analysis)
    assert game.players[0] in win.get_ylabel()
