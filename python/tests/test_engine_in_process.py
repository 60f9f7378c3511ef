"""Searches of the engine in this process."""

import asyncio
import dataclasses
import importlib.util
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, List

import pytest

from tilewright import (
    Endgame,
    Engine,
    Game,
    Inference,
    InvalidPositionError,
    Lexicon,
    Position,
    PreEndgameSearch,
    RepliesTo,
    SearchError,
    Simulation,
    Static,
    match,
)

MIDDLE = "15/15/15/15/15/15/15/3QUIZ8/6E8/6B8/6R8/6A8/15/15/15 AEINRST/ 48/34 0"
LATE = (
    "13C1/13Oh/8W2MUNI/1DETESTER1VAPID/8YO3NE/5J1PEH4O/4QUAIS3GNU/3GIBBETS1FIAT/3U1E3E2N1S/3I5X2G2/"
    "2ODOMETRY2I2/3E3H3AVOW/1cARIOLE3ZA2/7CANNOLI1/7A5FE ADLLRRT/KR 397/433 0"
)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(threads=2)


def test_static(engine: Engine) -> None:
    position = Position(MIDDLE)
    ranking = engine.static(position)
    assert len(ranking) == 15 and ranking.best.play == position.best_plays(1)[0] == engine.best(position)
    named = engine.static(position, plays=["pass", "13G.STAINER"])
    assert [str(row.play) for row in named] == ["13G.STAINER", "pass"]


def test_a_simulation_is_repeated_by_its_seed() -> None:
    question = Simulation(plies=2, iterations=60, count=4)
    rankings = [Engine(threads=threads, seed=7).analyse(Position(MIDDLE), question).last() for threads in (1, 2)]
    assert rankings[0] == rankings[1] and rankings[0].best.iterations == 60 and len(rankings[0].best.plies) == 2
    assert rankings[0] != Engine(threads=1, seed=8).analyse(Position(MIDDLE), question).last()


def test_rankings_come_while_it_thinks(engine: Engine) -> None:
    analysis = engine.analyse(Position(MIDDLE), Simulation(confidence=None))
    seen = [next(analysis).best.iterations for _ in range(3)]
    assert seen == sorted(seen) and analysis.ranking is not None
    analysis.stop()
    last = analysis.last()
    assert last.best.iterations >= seen[-1] and list(analysis) == []


def test_a_search_ends_after_its_time(engine: Engine) -> None:
    with engine.analyse(Position(MIDDLE), Simulation(confidence=None), seconds=0.3) as analysis:
        assert analysis.last().best.iterations > 0
    with pytest.raises(SearchError, match="seconds"):
        engine.analyse(Position(MIDDLE), seconds=-1)


def test_rankings_can_be_waited_for_asynchronously(engine: Engine) -> None:
    async def ticks(count: List[int]) -> None:
        while True:
            count[0] += 1
            await asyncio.sleep(0.001)

    async def run() -> int:
        count = [0]
        ticking = asyncio.ensure_future(ticks(count))
        async with engine.analyse(Position(MIDDLE), Simulation(confidence=None), seconds=0.3) as analysis:
            rankings = [ranking async for ranking in analysis]
        ticking.cancel()
        assert rankings[-1].best.win > 0.5
        return count[0]

    assert asyncio.run(run()) > 1


def test_other_threads_of_python_run_meanwhile(engine: Engine) -> None:
    count, done = [0], threading.Event()

    def work() -> None:
        while not done.is_set():
            count[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=work)
    thread.start()
    engine.best(Position(MIDDLE), Simulation(confidence=None), seconds=0.3)
    done.set()
    thread.join()
    assert count[0] > 1


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    "work",
    [
        "tilewright.Engine(threads=1).best(position, tilewright.Simulation(confidence=None))",
        "[ranking for ranking in tilewright.Engine(threads=1).analyse(position, tilewright.Simulation(confidence=None))]",
        "tilewright.match('sim:iterations=2000', 'static', pairs=1000, threads=1)",
        "tilewright.match('sim:iterations=2000', lambda position: position.best_plays(1)[0], pairs=1000, threads=1)",
    ],
)
def test_an_interrupt_ends_it(work: str, tmp_path: Path) -> None:
    code = f"import tilewright\nposition = tilewright.Position({MIDDLE!r})\nprint('ready', flush=True)\n{work}"
    # In another folder, so that the installed package is used.
    process = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode != 0 and "KeyboardInterrupt" in errors


def test_an_endgame_is_solved(engine: Engine) -> None:
    position = Position(LATE)
    solution = engine.analyse(position, Endgame()).last()
    assert solution.is_solved and solution.rows == engine.solve(position).rows and engine.best(position, Endgame()) == solution.best.play
    assert solution.lead == position.spread + solution.value and solution.winner in (-1, 0, 1)
    for row in solution:
        position.push(row.play)
    assert position.is_over() and position.scores[0] - position.scores[1] == solution.lead
    with pytest.raises(SearchError, match="empty bag"):
        engine.analyse(Position(MIDDLE), Endgame())


def test_a_pre_endgame_goes_through_the_draws(engine: Engine) -> None:
    games = match("static", "static", pairs=4, keep_games=True).games
    late = [position for game in games for position in game.positions() if 1 <= position.in_bag <= 2 and len(position.rack) == 7]
    ranking = engine.analyse(late[0], PreEndgameSearch(count=3, first_win=True), seconds=2).last()
    assert 0 <= ranking.best.win <= 1 and ranking.claim in {"nothing", "share", "best"}
    assert ranking.best.wins or ranking.best.ties or ranking.best.losses
    assert engine.analyse(late[0], seconds=0.2).last().kind == "pre-endgame" == engine.solve(late[0], seconds=0.2).kind


def test_what_the_opponent_kept_is_inferred(engine: Engine) -> None:
    position = Position()
    position.push("8D.IMINO")
    position.set_rack("GLORRTU")
    belief = engine.infer(position)
    assert belief.is_explained and len(belief.best.leave) == 2 and belief.best.chance > belief.best.prior
    assert abs(sum(row.chance for row in belief) - 1) < 1e-6
    simulated = engine.analyse(position, Simulation(iterations=20, count=3, opponent="static")).last()
    assert simulated.kind == "simulation" and len(simulated) == 3
    with pytest.raises(SearchError, match="push it"):
        engine.analyse(Position(MIDDLE), Inference())


def test_replies(engine: Engine) -> None:
    replies = engine.replies(Position(MIDDLE), "13G.STAINER", iterations=50)
    assert replies.best.share > 0 and 0 < replies.score.mean < 200 and 0 <= replies.reply_bingo.mean <= 1
    assert replies.squares and engine.analyse(Position(MIDDLE), RepliesTo("pass", iterations=5)).last().kind == "replies"


def test_a_named_player_chooses(engine: Engine) -> None:
    play = engine.play(Position(MIDDLE), "greedy")
    assert play.score == max(other.score or 0 for other in Position(MIDDLE).legal_plays())
    with pytest.raises(SearchError, match="greedy"):
        engine.play(Position(MIDDLE), "greedi")


def test_wrong_questions_are_errors(engine: Engine) -> None:
    position = Position(MIDDLE)
    wrong: List[Any] = [
        Simulation(confidence=90),
        Simulation(opponent="magic"),
        Simulation(plies=10**6),
        Simulation(iterations=-1),
        Static(plays=[]),
    ]
    for question in wrong:
        with pytest.raises(SearchError):
            engine.analyse(position, question)
    with pytest.raises(SearchError, match="rack"):
        engine.static(Position())
    german = Position(lexicon=Lexicon.from_words(["TÜR"], letters="german"))
    german.set_rack("TÜR")
    with pytest.raises(InvalidPositionError, match="german"):
        engine.static(german)
    for threads in (0, -1):
        with pytest.raises(SearchError, match="threads"):
            Engine(threads=threads)


def test_results_are_values(engine: Engine) -> None:
    ranking = engine.analyse(Position(MIDDLE), Simulation(iterations=10, count=2)).last()
    assert pickle.loads(pickle.dumps(ranking)) == ranking
    with pytest.raises(dataclasses.FrozenInstanceError):
        ranking.best.win = 1.0  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(Engine(threads=1, seed=3)))
    assert again.threads == 1 and again.static(Position(MIDDLE)) == engine.static(Position(MIDDLE))
    assert Game().position().rules.variant == "classic"


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_tables(engine: Engine, package: str) -> None:
    ranking = engine.analyse(Position(MIDDLE), Simulation(iterations=10, count=2)).last()
    columns = ranking.columns()
    assert columns["play"] == [str(row.play) for row in ranking] and columns["win"] == [row.win for row in ranking]
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    frame: Any = getattr(ranking, f"to_{package}")()
    assert list(frame["score"]) == columns["score"]
