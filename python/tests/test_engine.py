"""`tilewright.engine` against the program, and against small engines with faults.

The program is `TILEWRIGHT` of the environment, or a build in `target/` of the checkout. Without one
the tests that need it are skipped. The engines with faults are Python scripts of a few lines.
"""

from __future__ import annotations

import asyncio
import doctest
import importlib.util
import json
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import pytest

if importlib.util.find_spec("tilewright") is None:
    # If the package is not installed, the tests use that of the checkout.
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import tilewright.engine
from tilewright.engine import (
    BingoRow,
    EndgameRow,
    EngineError,
    EngineTerminatedError,
    EventRow,
    GenRow,
    InferRow,
    Limit,
    Option,
    PegRow,
    Ranking,
    ReplyRow,
    RuleRow,
    ScoreRow,
    Setup,
    SimpleEngine,
    SimRow,
    SquareRow,
    answers,
    asynchronous,
    popen_siu,
    popen_ucgi,
    questions,
)

ROOT = Path(__file__).resolve().parent.parent.parent
EMPTY = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15"
START = f"{EMPTY} AEINRST/ 0/0 0"
ENDGAME = (
    "13C1/13Oh/8W2MUNI/1DETESTER1VAPID/8YO3NE/5J1PEH4O/4QUAIS3GNU/3GIBBETS1FIAT/3U1E3E2N1S/"
    "3I5X2G2/2ODOMETRY2I2/3E3H3AVOW/1cARIOLE3ZA2/7CANNOLI1/7A5FE ADLLRRT/KR 397/433 0"
)
PEG = (
    "15/3Q7U3/3U2TAURINE2/1CHANSONS2W3/2AI6JO3/DIRL1PO3IN3/E1D2EF3V4/F1I2p1TRAIK3/O1L2T4E4/"
    "ABy1PIT2BRIG2/ME1MOZELLE5/1GRADE1O1NOH3/WE3R1V7/AT5E7/G6D7 ENOSTXY/ 356/378 0"
)


def program() -> str:
    """The program, or a skip."""
    built = [ROOT / "target" / profile / "tilewright" for profile in ("release", "debug")]
    for path in (os.environ.get("TILEWRIGHT"), *map(str, built)):
        if path and Path(path).exists():
            return path
    pytest.skip("no program: set TILEWRIGHT, or build it with `cargo build --release`")


@pytest.fixture
def engine() -> Iterator[SimpleEngine]:
    """The program, speaking SIU."""
    with SimpleEngine.popen_siu(program(), timeout=60) as engine:
        yield engine


@pytest.fixture
def ucgi() -> Iterator[SimpleEngine]:
    """The program, speaking UCGI."""
    with SimpleEngine.popen_ucgi(program(), timeout=60) as engine:
        yield engine


Script = Callable[[str], "list[str]"]

# An engine that answers as a test wants, and writes everything it reads to its standard error.
# `answer` is the function that handles a line.
SCRIPTED = """\
import sys, time

def say(*lines):
    for line in lines:
        print(line, flush=True)

def usual(line):
    words = line.split()
    if words[0] == "siu":
        say("id name scripted 1", "id author nobody", "capability gen sim auto stream stop",
            "option name Threads type spin default 1 min 1 max 8", "siuok")
    elif words[0] == "ucgi":
        say("id name scripted 1", "ucgiok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "go":
        say("bestmove 8d.DOG")
    elif words[0] == "quit":
        sys.exit(0)

def answer(line):
    usual(line)

%s

for line in sys.stdin:
    print(line, end="", file=sys.stderr, flush=True)
    answer(line.strip())
"""


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Makes the command of an engine with other answers: `script("def answer(line): ...")`."""

    def made(text: str) -> list[str]:
        path = tmp_path / "engine.py"
        path.write_text(SCRIPTED % textwrap.dedent(text), encoding="utf-8")
        return [sys.executable, str(path)]

    return made


def heard(engine: SimpleEngine) -> list[str]:
    """Ends the engine, and returns the lines that it has read, without `isready`."""
    engine.quit()
    return [line for line in engine.protocol._stderr if line != "isready"]


def refused(code: str) -> pytest.RaisesExc[EngineError]:
    """Expects an error with this code."""
    return pytest.raises(EngineError, check=lambda error: error.code == code)


# The examples in the documentation.


@pytest.mark.parametrize("module", [answers, questions, asynchronous])
def test_examples_that_need_no_engine(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tilewright").symlink_to(Path(program()).resolve())
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    found = doctest.testmod(tilewright.engine)
    assert found.failed == 0 and found.attempted > 20


# Handshake and options.


def test_handshake_is_told(engine: SimpleEngine) -> None:
    assert engine.id["name"].startswith("Tilewright ") and engine.id["author"]
    assert {"gen", "sim", "peg", "endgame", "infer", "stop"} <= set(engine.capabilities)
    assert engine.options["Threads"] == Option("Threads", "spin", "1", 1, 256)
    assert engine.options["DataPath"].default == ""
    assert engine.options["Variant"].var == ("classic", "wordsmog", "misere", "crossplay")


def test_options_are_set_in_any_case_and_checked_before_they_are_sent(script: Script) -> None:
    engine = SimpleEngine.popen_siu(
        script(
            """
            def answer(line):
                if line == "siu":
                    say("option name Own Book type check default false",
                        "option name Clear type button",
                        "option name Kind type combo default one two var one two var three",
                        "option name Name type string default <empty>",
                        "option name Threads type spin default 1 min 1 max 8", "siuok")
                else:
                    usual(line)
            """
        )
    )
    spins = [("Threads", 0), ("Threads", "many"), ("Threads", True), ("Threads", None)]
    others = [("Own Book", "perhaps"), ("Kind", "four"), ("Clear", "now"), ("Nothing", 1)]
    for name, value in (*spins, *others):
        with refused("bad-option") as caught:
            engine.configure({name: value})
        assert name in caught.value.text
    assert engine.options["Kind"].default == "one two"
    engine.configure({"threads": 4, "own book": True, "KIND": "THREE", "Clear": None, "Name": ""})
    engine.configure({"Name": Path("some where")})
    assert heard(engine)[1:] == [
        "setoption name Threads value 4",
        "setoption name Own Book value true",
        "setoption name Kind value three",
        "setoption name Clear",
        "setoption name Name value <empty>",
        "setoption name Name value some where",
        "quit",
    ]


def test_options_are_told_together_before_the_engine_uses_them(tmp_path: Path) -> None:
    words = "CANTE CANTEN LLAMA NIÑA CASA"
    (tmp_path / "made.txt").write_text("\n".join(words.split()), encoding="utf-8")
    options = {"DataPath": tmp_path, "LetterDistribution": "spanish", "Lexicon": "made"}
    with SimpleEngine.popen_siu(program(), options=options, timeout=60) as engine:
        assert engine.tell("check NIÑA") == ["info string check NIÑA valid"]


def test_an_option_that_the_engine_refuses_is_an_error(engine: SimpleEngine) -> None:
    with refused("bad-option") as caught:
        engine.configure({"Lexicon": "NOSUCH"})
    assert caught.value.command == "setoption" and "NOSUCH" in caught.value.message
    assert caught.value.sent == "setoption name Lexicon value NOSUCH"
    assert engine.tell("check QI") == ["info string check QI valid"]


# Positions.


def test_positions_are_told(engine: SimpleEngine) -> None:
    def cgp() -> str:
        return engine.tell("cgp")[0].split(" ", 3)[3].split(" bb ")[0]

    engine.position(START)
    assert cgp() == START
    engine.position(Setup(moves=["8G.DOG", "ex.3"], rack="AEINRST", opponent_rack="QZ"))
    assert cgp() == f"{'15/' * 7}6DOG6{'/15' * 7} AEINRST/QZ 10/0 1"
    engine.position(Setup(START, ["8H.RAT"]))
    assert cgp().split()[1:] == ["/EINS", "0/6", "0"]

    class WithMethod:
        def cgp(self) -> str:
            return START

    class WithAttribute:
        cgp = START

    for position in (WithMethod(), WithAttribute()):
        engine.new_game()
        engine.position(position)
        assert cgp() == START


def test_a_search_of_none_is_of_the_position_that_was_set_up_last(engine: SimpleEngine) -> None:
    with refused("no-position"):
        engine.play(None, mode="gen")
    engine.tell("position startpos moves 8G.DOG rack.AEINRST")
    assert engine.play(None, mode="gen", searchmoves=["J2.RETAINS"]).move == "J2.RETAINS"


def test_a_refused_position_says_where_and_the_old_one_stays(engine: SimpleEngine) -> None:
    engine.position(START)
    with refused("bad-move") as caught:
        engine.play(Setup(moves=["8G.DOG", "1A.CAT"]), mode="gen")
    error = caught.value
    assert (error.command, error.column) == ("position", 32) and "1A" in str(error)
    assert error.sent == "position startpos moves 8G.DOG 1A.CAT"
    with refused("bad-position"):
        engine.position("nonsense")
    assert engine.play(None, mode="gen").ranking.of(GenRow)[0].score == 66
    with refused("bad-position") as caught:
        engine.position(Setup(moves=["8G.DOG"], rack="AEINRST", opponent_rack="QQQ"))
    assert caught.value.sent == "opprack QQQ"
    # Only the opponent's rack is missing.
    assert engine.play(None, mode="gen", searchmoves=["J2.RETAINS"]).move == "J2.RETAINS"


def test_a_command_that_goes_on_when_the_engine_is_ready(engine: SimpleEngine) -> None:
    lines = engine.tell("ghost solve minlen 3", last="info string ghost letter Z")
    assert "winner second" in lines[0] and lines[-1].startswith("info string ghost letter Z")
    assert engine.tell("check QI") == ["info string check QI valid"]
    with refused("bad-option"):
        engine.tell("ghost solve minlen 99", last="info string ghost letter Z")


def test_a_command_is_one_line(engine: SimpleEngine) -> None:
    for wrong in (f"{START}\nquit", "x\rquit"):
        with pytest.raises(ValueError, match="one line"):
            engine.position(wrong)
    with pytest.raises(ValueError, match="does not send go"):
        engine.tell("go gen")
    engine.ping()


# Searches and their rows.


def test_static_rankings(engine: SimpleEngine) -> None:
    ranking = engine.analyse(START, mode="gen", multipv=3)
    rows = ranking.of(GenRow)
    assert len(rows) == len(ranking.rows) == 3 and ranking.moves == tuple(r.move for r in rows)
    assert rows[0].score == 66 and rows[0].equity >= rows[1].equity and rows[0].leave == ""
    assert ranking.provenance.startswith("engine=tilewright/") and not ranking.ignored
    short = engine.analyse(START, mode="gen", searchmoves=["8H.RAT"]).of(GenRow)
    assert (short[0].move, short[0].leave) == ("8H.RAT", "EINS")


def test_simulations(engine: SimpleEngine) -> None:
    result = engine.play(START, Limit(iterations=40, depth=1), mode="sim", seed=3, plays=4)
    rows = result.ranking.of(SimRow)
    assert result.move == rows[0].move and len(rows) == 4
    assert all(0 < row.win < 100 and row.win_error > 0 and row.equity_error > 0 for row in rows)
    assert rows[0].iterations == 40 and rows[0].score == 66 and not rows[0].more
    progress = result.ranking.progress
    assert progress.depth == 1 and progress.nodes and progress.time is not None and progress.nps
    assert engine.play(START, Limit(iterations=40, depth=1), mode="sim", seed=3, plays=4).move == (result.move)


def test_pre_endgames(engine: SimpleEngine) -> None:
    result = engine.play(PEG, Limit(nodes=3000), mode="peg", plays=5, multipv=2)
    assert result.move == "13L.ONYX"
    first, second = result.ranking.of(PegRow)
    assert (first.wins, first.ties, first.losses) == (tuple("ACEISU"), ("Y",), ())
    assert first.spread is not None and first.spread > 0 and second.losses
    # Seven of the eight unseen tiles win, and the other one ties.
    assert first.win is not None and second.win is not None and 100 > first.win > second.win > 0
    assert result.ranking.notes == ("peg 1 is best, proved; 1-2 proved",)


def test_endgames(engine: SimpleEngine) -> None:
    depths = [ranking.of(EndgameRow)[0] for ranking in engine.analysis(ENDGAME, Limit(time=30))]
    assert [row.depth for row in depths] == sorted(row.depth for row in depths)
    assert depths[0].bound == "estimate" and depths[0].pv
    ranking = engine.analyse(ENDGAME, mode="endgame")
    (row,) = ranking.of(EndgameRow)
    assert ranking.is_solved and (row.spread, row.bound) == (-6, "exact")
    assert row.move == row.pv[0] == ranking.moves[0]
    shallow = engine.analyse(ENDGAME, Limit(depth=1), mode="endgame")
    assert not shallow.is_solved and shallow.of(EndgameRow)[0].depth == 1


def test_inferences(engine: SimpleEngine) -> None:
    engine.configure({"OpponentModel": "richards-amir"})
    last = Setup(moves=["8D.IMINO"], rack="GLORRTU")
    result = engine.play(last, mode="infer")
    rows = result.ranking.of(InferRow)
    assert result.move is None and result.ranking.moves == ()
    assert abs(sum(row.probability for row in rows) - 1) < 0.01
    assert all(len(row.leave) == 2 and 0 < row.prior < row.probability for row in rows)
    assert any(note.startswith("infer model richards-amir") for note in result.ranking.notes)
    # The inference of a position is kept when the position is set again.
    engine.configure({"OpponentModel": "uniform"})
    with_it = engine.analyse(last, Limit(iterations=5), mode="sim", useinference=True)
    assert not with_it.ignored and with_it.rows
    full = engine.analyse(Setup(moves=["8B.RETINAS"], rack="GLORRTU"), mode="infer")
    assert [(row.leave, row.probability) for row in full.of(InferRow)] == [("", 1.0)]


def test_challenges(engine: SimpleEngine) -> None:
    engine.configure({"ChallengeRule": "double"})
    position = Setup(moves=["8D.QUIZX"], rack="AEINRST")
    ranking = engine.analyse(position, Limit(iterations=10), mode="challenge", prob=0.4, plays=2)
    events, (rule,) = ranking.of(EventRow), ranking.of(RuleRow)
    assert [row.event for row in events] == ["stands", "off", "vain"]
    assert [row.rule for row in events] == [None, None, "double"]
    assert rule.accept == events[0].win and rule.better == "challenge" and events[0].by == "sim"
    assert "words QUIZX" in ranking.notes[0]


def test_replies(engine: SimpleEngine) -> None:
    position = Setup(rack="AEINRST")
    ranking = engine.analyse(position, Limit(iterations=5), mode="replies", move=["8G.TIN"])
    own, reply = ranking.of(BingoRow)
    assert (own.who, reply.who, reply.racks, reply.by) == ("own", "reply", 5, "drawn")
    assert ranking.of(ScoreRow)[0].score > 0 and ranking.of(SquareRow)[0].probability > 0
    replies = ranking.of(ReplyRow)
    assert replies[0].score > 0 and ranking.moves == tuple(row.move for row in replies)
    assert ranking.progress.time is not None


def test_what_the_engine_ignores_is_told(engine: SimpleEngine) -> None:
    ranking = engine.analyse(f"{START} lex NOSUCH;", Limit(iterations=5), mode="sim", firstwin=True)
    lexicon, parameter = ranking.ignored
    assert lexicon.startswith("lex NOSUCH: ") and parameter == "firstwin"
    assert engine.analyse(START, mode="gen").ignored == ()


def test_a_mode_that_the_engine_lacks_is_refused_before_it_is_sent(engine: SimpleEngine) -> None:
    for mode in ("smi", "stop", ""):
        with refused("unsupported-mode") as caught:
            engine.play(START, mode=mode)
        assert repr(mode) in caught.value.text
    engine.configure({"Variant": "wordsmog"})
    with refused("unsupported-mode") as caught:
        engine.play(START, mode="infer")
    assert caught.value.command == "go" and caught.value.sent == "go infer"


def test_rows_are_values(engine: SimpleEngine) -> None:
    result = engine.play(START, mode="gen", multipv=2)
    assert pickle.loads(pickle.dumps(result)) == result
    assert len({*result.ranking.rows}) == 2
    with pytest.raises(AttributeError):
        result.move = "pass"  # type: ignore[misc]


def test_keys_that_no_field_is_for_are_kept() -> None:
    row = answers.row_of("info sim move 8D.DOG wp 50.0 wpse 1.0 eq -1.5 eqse 2.0 iters 3 score 9 new 7")
    assert isinstance(row, SimRow) and row.more == {"new": "7"} and row.equity == -1.5
    old = answers.row_of("info sim move 8D.DOG wp 50.0 wpse 1.0 eq 1.5 eqse 2.0 iters 3")
    assert isinstance(old, SimRow) and old.score is None


def test_blocks_are_rankings() -> None:
    reader = answers.RankingReader()
    lines = [
        "info depth 2 time 1500 nodes 3 nps 4",
        "info gen move 8D.A score 1 eq 1.0 leave B",
        "info gen move 8D.B score 1 eq 0.5 leave",
        "info string peg something",
        "info depth 3",
        "info string is depth 9",
        "info gen move 8D.C score 1 eq 2.0 leave B",
        "bestmove 8D.C",
    ]
    found = [ranking for ranking in map(reader.feed, lines) if ranking is not None]
    assert [ranking.moves for ranking in found] == [("8D.A", "8D.B"), ("8D.C",)]
    assert [ranking.progress.depth for ranking in found] == [2, 3]
    assert found[0].progress.time == 1.5 and found[0].notes == ()
    assert found[1].notes == ("peg something", "is depth 9")


# UCGI.


def test_ucgi(ucgi: SimpleEngine) -> None:
    limit = Limit(iterations=50, depth=1)
    result = ucgi.play(START, limit, mode="sim", plays=2, seed=1)
    rows = result.ranking.of(SimRow)
    assert result.move == rows[0].move and rows[0].move.startswith("8") and rows[0].move[1].isupper()
    assert rows[0].iterations == 50 and rows[0].score == 66 and "ply1-scm" in rows[0].more
    assert result.ranking.progress.depth == 1 and result.ranking.progress.nps
    with SimpleEngine.popen_siu(program(), timeout=60) as siu:
        other = siu.play(START, limit, mode="sim", plays=2, seed=1).ranking.of(SimRow)
    assert [row.move for row in rows] == [row.move for row in other]
    assert abs(rows[0].win_error - other[0].win_error) < 0.01
    assert len(ucgi.analyse(START, mode="gen", multipv=3).of(GenRow)) == 3
    assert ucgi.play(ENDGAME, Limit(depth=1)).move is not None
    with refused("bad-position"):
        ucgi.position("nonsense")


def test_ucgi_rankings_have_their_own_progress() -> None:
    reader = answers.RankingReader()
    row = "info currmove 8d.DOG sc 9 wp 50.000 wpe 2.576 eq 1.000 eqe 0.000 it {} ig 0"
    lines = [row.format(1), "bestsofar 8d.DOG", "info nps 1.0 depth 2 time 100 nodes 10"]
    lines += ["info nps 2.0 depth 2 time 200 nodes 20", row.format(2), "bestmove 8d.DOG"]
    first, last = (ranking for ranking in map(reader.feed, lines) if ranking is not None)
    assert (first.progress.nodes, last.progress.nodes) == (10, 20)
    assert first.of(SimRow)[0].win_error == pytest.approx(1.0)
    assert first.of(SimRow)[0].more == {"ig": "0"}


def test_clocks_and_limits_are_told_in_the_words_of_the_dialect(script: Script) -> None:
    limit = Limit(time=1.5, clock=60, opponent_clock=50, increment=2, iterations=9, nodes=8, stop_condition=95)
    siu = SimpleEngine.popen_siu(script(""))
    assert siu.play(START, limit, multipv=2, firstwin=True, seed=0, useinference=False).move == ("8D.DOG")
    siu.play(None, Limit(depth=3), mode="sim", searchmoves=["8D.DOG", "pass"], plays=4)
    siu.analysis(None, mode="gen").wait()
    assert [line for line in heard(siu) if line.startswith("go")] == [
        "go auto movetime 1500 mytime 60000 opptime 50000 myinc 2000 iterations 9 nodes 8 stopcondition 95 multipv 2 firstwin seed 0",
        "go sim depth 3 plays 4 searchmoves 8D.DOG pass",
        "go gen infinite",
    ]
    ucgi = SimpleEngine.popen_ucgi(script(""))
    ucgi.play(START, Limit(clock=60, opponent_clock=50, iterations=9))
    ucgi.play(Setup(moves=["8D.DOG"]), Limit(clock=60, increment=1))
    ucgi.new_game()
    assert [line for line in heard(ucgi) if line[:4] != "posi"] == [
        "ucgi",
        "go 1time 60000 2time 50000 i 9",
        "go 2time 60000 2inc 1000",
        "ucginewgame",
        "quit",
    ]


# Rankings that improve.


def test_an_iteration_that_is_left_early_stops_the_search(engine: SimpleEngine) -> None:
    for ranking in engine.analysis(START, mode="sim"):
        if ranking.of(SimRow):
            break
    assert engine.tell("check QI") == ["info string check QI valid"]
    began = time.monotonic()
    analysis = engine.analysis(START, Limit(time=60), mode="sim")
    for _ in analysis:
        break
    # The search ended without another command.
    assert analysis.wait().move is not None and time.monotonic() - began < 30


def test_with_stops_a_search(engine: SimpleEngine) -> None:
    began = time.monotonic()
    with engine.analysis(START, Limit(time=60), mode="sim") as analysis:
        assert analysis.next() is not None
    assert analysis.wait().ranking.rows == analysis.ranking.rows
    assert time.monotonic() - began < 30


def test_rankings_improve_until_the_search_ends(engine: SimpleEngine) -> None:
    analysis = engine.analysis(START, Limit(time=1.5), mode="sim", info=100, seed=1)
    iterations = [sum(row.iterations for row in ranking.of(SimRow)) for ranking in analysis]
    assert len(iterations) > 2 and iterations == sorted(iterations)
    result = analysis.wait()
    assert sum(row.iterations for row in result.ranking.of(SimRow)) == iterations[-1]
    assert result.move == result.ranking.moves[0] and analysis.next() is None
    assert list(analysis) == []


def test_stop_brings_the_last_ranking(engine: SimpleEngine) -> None:
    analysis = engine.analysis(START, mode="sim")
    analysis.next()
    analysis.stop()
    result = analysis.wait()
    assert result.move == result.ranking.moves[0]
    analysis.stop()
    engine.ping()


def test_a_new_command_stops_the_running_search(engine: SimpleEngine) -> None:
    analysis = engine.analysis(START, mode="sim")
    analysis.next()
    engine.ping()
    assert analysis.next() is not None, "a ping does not stop it"
    assert engine.analyse(START, mode="gen", multipv=1).of(GenRow)
    assert analysis.wait().move is not None


def test_rows_come_before_the_line_that_follows_them(script: Script) -> None:
    command = script(
        """
        def answer(line):
            if line.startswith("go"):
                say("info gen move 8D.DOG score 9 eq 1.0 leave")
            elif line == "stop":
                say("info gen move 8D.CAT score 9 eq 0.0 leave", "bestmove 8D.DOG")
            else:
                usual(line)
        """
    )
    with SimpleEngine.popen_siu(command) as engine:
        analysis = engine.analysis(START)
        first = analysis.next()
        assert first is not None and first.moves == ("8D.DOG",)
        analysis.stop()
        assert analysis.wait().ranking.moves == ("8D.DOG", "8D.CAT")


def test_searches_from_several_threads_take_turns(engine: SimpleEngine) -> None:
    results: list[Ranking] = []

    def search() -> None:
        results.append(engine.analyse(START, Limit(iterations=20), mode="sim", seed=1, plays=2))

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and all(ranking.of(SimRow) for ranking in results)


# Engines with faults.


@pytest.mark.parametrize("command", ["/no/such/engine", ".", ["/no/such/engine", "x"]])
def test_an_engine_that_cannot_be_started(command: str | list[str]) -> None:
    with refused("missing") as caught:
        SimpleEngine.popen_siu(command)
    assert (command if isinstance(command, str) else command[0]) in str(caught.value)


def test_a_program_that_is_no_engine() -> None:
    with pytest.raises(EngineTerminatedError) as caught:
        SimpleEngine.popen_siu([sys.executable, "-c", "import sys; sys.exit('no engine here')"])
    error = caught.value
    assert error.status == 1 and error.stderr == ("no engine here",) and error.code == "ended"
    assert "status 1" in str(error) and "no engine here" in str(error)
    assert pickle.loads(pickle.dumps(error)).stderr == error.stderr


def test_an_engine_that_does_not_shake_hands(script: Script) -> None:
    command = script("def answer(line): say('what do you mean?', '', '\\x01\\x02 info sim move')")
    began = time.monotonic()
    with refused("timeout") as caught:
        SimpleEngine.popen_siu(command, timeout=2.5)
    assert "siuok" in str(caught.value) and "info sim move" in str(caught.value)
    assert time.monotonic() - began < 30


def test_an_engine_that_dies_while_it_is_asked(script: Script) -> None:
    command = script(
        """
        def answer(line):
            if line.startswith("position"):
                print("out of tiles", file=sys.stderr)
                sys.exit(7)
            usual(line)
        """
    )
    engine = SimpleEngine.popen_siu(command)
    with pytest.raises(EngineTerminatedError) as caught:
        engine.play(START)
    assert caught.value.status == 7 and caught.value.stderr[-1] == "out of tiles"
    for again in (engine.ping, lambda: engine.play(START), lambda: engine.tell("d")):
        with pytest.raises(EngineTerminatedError):
            again()
    assert engine.quit() == 7
    engine.close()
    with pytest.raises(EngineTerminatedError):
        engine.ping()


def test_an_engine_that_dies_while_it_searches(script: Script) -> None:
    command = script(
        """
        import os, signal
        def answer(line):
            if line.startswith("go"):
                say("info gen move 8D.DOG score 9 eq 1.0 leave", "info depth 1")
                time.sleep(0.2)
                sys.stdout.write("info gen mov")
                sys.stdout.flush()
                os.kill(os.getpid(), 9)
            usual(line)
        """
    )
    with SimpleEngine.popen_siu(command) as engine:
        analysis = engine.analysis(START)
        shown = analysis.next()
        assert shown is not None and shown.moves == ("8D.DOG",)
        with pytest.raises(EngineTerminatedError) as caught:
            analysis.next()
        assert caught.value.status == -9 and caught.value.sent == "go auto infinite"
        with pytest.raises(EngineTerminatedError):
            analysis.wait()


def test_the_last_answer_of_an_engine_that_ends_counts(script: Script) -> None:
    command = script(
        """
        def answer(line):
            if line.startswith("go"):
                sys.stdout.write("bestmove 8D.DOG")
                sys.exit(0)
            usual(line)
        """
    )
    with SimpleEngine.popen_siu(command) as engine:
        assert engine.play(START).move == "8D.DOG"


def test_an_engine_that_closes_its_output_is_ended(script: Script) -> None:
    command = script(
        """
        import os
        def answer(line):
            if line.startswith("go"):
                os.close(1)
                time.sleep(60)
            usual(line)
        """
    )
    engine = SimpleEngine.popen_siu(command)
    began = time.monotonic()
    with pytest.raises(EngineTerminatedError):
        engine.play(START)
    assert time.monotonic() - began < 30
    engine.close()


def test_a_refused_search(script: Script) -> None:
    command = script(
        """
        def answer(line):
            if line.startswith("go"):
                say("info string error bad-option go: column 4: 7 is too many")
            else:
                usual(line)
        """
    )
    with SimpleEngine.popen_siu(command) as engine:
        with refused("bad-option") as caught:
            engine.play(START, Limit(depth=7))
        error = caught.value
        assert (error.command, error.column, error.message) == ("go", 4, "7 is too many")
        assert error.sent == "go auto depth 7"
        with refused("bad-option"):
            list(engine.analysis(START))
        engine.ping()


def test_errors_of_other_commands_do_not_end_a_search(script: Script) -> None:
    command = script(
        """
        def answer(line):
            if line.startswith("go"):
                say("info string error busy position: a search runs")
                say("info string error bad-option setoption: column 3: what?", "bestmove 8D.DOG")
            else:
                usual(line)
        """
    )
    with SimpleEngine.popen_siu(command) as engine:
        assert engine.play(START).move == "8D.DOG"


def test_nonsense_in_a_search_is_an_error_and_the_next_search_is_well(script: Script) -> None:
    command = script(
        """
        rows = ["info gen move 8D.DOG score lots eq 1.0 leave", "info sim move 8D.DOG wp 50.0",
                "info peg", "info endgame depth 1", "info infer leave", "info replies square 8H",
                "info challenge event", "info currmove 8d.DOG sc 1", "bestmove"]
        def answer(line):
            if line.startswith("go auto"):
                say("no line of the protocol", rows.pop(0))
            elif line == "stop":
                say("info gen move 8D.OLD score 9 eq 1.0 leave", "bestmove 8D.OLD")
            elif line.startswith("go"):
                say("info unknown 1", "info depth x", "info")
                say("info gen move 8D.NEW score 9 eq 1.0 leave", "bestmove 8D.NEW")
            else:
                usual(line)
        """
    )
    with SimpleEngine.popen_siu(command) as engine:
        for row in range(9):
            with refused("nonsense") as caught:
                engine.play(START, Limit(nodes=1))
            assert caught.value.sent == "go auto nodes 1", row
            assert engine.play(START, mode="gen").ranking.moves == ("8D.NEW",)


def test_bytes_that_are_no_text(script: Script) -> None:
    command = script(
        """
        def answer(line):
            if line.startswith("go"):
                sys.stdout.buffer.write(b"\\xff\\xfe\\x00 info\\r\\n\\n")
                sys.stdout.buffer.write(b"x" * 200_000 + b"\\r\\n")
                sys.stdout.buffer.write(b"  bestmove   8d.DOG  \\r\\n")
                sys.stdout.flush()
            else:
                usual(line)
        """
    )
    with SimpleEngine.popen_siu(command) as engine:
        assert engine.play(START).move == "8D.DOG"


def test_an_endless_line_ends_the_engine(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asynchronous, "MOST_BYTES_OF_A_LINE", 1 << 20)
    command = script(
        """
        def answer(line):
            while line.startswith("go"):
                sys.stdout.write("x" * 65536)
            usual(line)
        """
    )
    engine = SimpleEngine.popen_siu(command)
    with refused("nonsense"):
        engine.play(START)
    engine.close()


def test_an_endless_answer_ends_the_engine(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asynchronous, "MOST_LINES_OF_AN_ANSWER", 1000)
    command = script(
        """
        def answer(line):
            while line == "d":
                say("info string and on")
            usual(line)
        """
    )
    engine = SimpleEngine.popen_siu(command)
    with refused("nonsense"):
        engine.tell("d")
    engine.close()


def test_a_late_answer_is_nobody_elses(script: Script) -> None:
    command = script(
        """
        def answer(line):
            if line == "slow":
                time.sleep(1.0)
                say("info string slow")
            elif line == "quick":
                say("info string quick")
            else:
                usual(line)
        """
    )
    with SimpleEngine.popen_siu(command) as engine:
        with refused("timeout") as caught:
            engine.tell("slow", timeout=0.3)
        assert "'slow'" in str(caught.value)
        assert engine.tell("quick") == ["info string quick"]


def test_a_search_that_goes_on_after_its_time(script: Script) -> None:
    command = script(
        """
        moves = ["8D.LATE", "8D.SECOND"]
        def answer(line):
            if line == "stop":
                say("bestmove " + moves.pop(0))
            elif line.startswith("go auto nodes"):
                say("bestmove 8D.NEXT")
            elif not line.startswith("go"):
                usual(line)
        """
    )
    with SimpleEngine.popen_siu(command) as engine:
        engine.timeout = 1.0
        for limit, timeout in ((Limit(time=0.1), None), (Limit(clock=0.1, increment=0.1), 0.3)):
            with refused("timeout") as caught:
                engine.play(START, limit, timeout=timeout)
            assert caught.value.sent is not None and caught.value.sent.startswith("go auto")
        # The search was stopped, and its late answer is not taken for the next one.
        assert engine.play(START, Limit(nodes=1)).move == "8D.NEXT"


def test_a_search_that_cannot_be_stopped(script: Script) -> None:
    command = script(
        """
        def answer(line):
            if line == "d":
                say("bestmove 8D.DOG")
            elif not line.startswith("go"):
                usual(line)
        """
    )
    engine = SimpleEngine.popen_siu(command)
    engine.timeout = 1.0
    analysis = engine.analysis(START)
    analysis.stop()
    with refused("timeout"):
        analysis.wait()
    with refused("timeout") as caught:
        engine.tell("check AA")
    assert "still searching" in str(caught.value)
    engine.ping()
    began = time.monotonic()
    engine.close()
    assert time.monotonic() - began < 30


def test_an_engine_without_stop_is_not_told_to(script: Script) -> None:
    command = script(
        """
        def answer(line):
            if line == "siu":
                say("capability auto", "siuok")
            elif line == "stop":
                say("info string error unknown-command column 1: what?")
            elif line.startswith("go"):
                time.sleep(0.5)
                say("bestmove 8D.DOG")
            else:
                usual(line)
        """
    )
    engine = SimpleEngine.popen_siu(command)
    analysis = engine.analysis(START, Limit(time=0.5))
    analysis.stop()
    engine.ping()
    assert analysis.wait().move == "8D.DOG"
    with refused("unsupported-mode"):
        engine.play(START, mode="sim")
    assert "stop" not in heard(engine)


def test_quit_kills_an_engine_that_goes_on(script: Script) -> None:
    command = script(
        """
        def answer(line):
            if line != "quit":
                usual(line)
            elif sys.argv[-1] == "hang":
                time.sleep(60)
        """
    )
    engine = SimpleEngine.popen_siu([*command, "hang"])
    began = time.monotonic()
    assert engine.quit(timeout=0.3) != 0
    assert time.monotonic() - began < 30
    assert engine.quit() != 0


def test_quit_returns_the_status_and_ends_a_search(engine: SimpleEngine) -> None:
    analysis = engine.analysis(START, mode="sim")
    analysis.next()
    assert engine.quit() == 0 and engine.quit() == 0
    with pytest.raises(EngineTerminatedError):
        analysis.wait()


def test_ctrl_c_stops_a_search_and_the_engine_can_be_asked_again(engine: SimpleEngine) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(KeyboardInterrupt):
            engine.play(START, mode="sim", infinite=True)
    finally:
        signal.signal(signal.SIGALRM, before)
    # Cancelling stopped the search, not the next command.
    search, began = engine.protocol._search, time.monotonic()
    while search is not None and not search._is_stopped:
        assert time.monotonic() - began < 30
        time.sleep(0.01)
    assert engine.tell("check QI") == ["info string check QI valid"]


def test_a_forgotten_engine_ends_with_the_program(script: Script) -> None:
    program = (
        "import sys; from tilewright.engine import SimpleEngine\n"
        "engine = SimpleEngine.popen_siu(sys.argv[1:])\n"
        "engine.analysis('15')\n"
        "print(engine.protocol._transport.get_pid())"
    )
    command = [sys.executable, "-c", program, *script("")]
    environment = {**os.environ, "PYTHONPATH": str(Path(tilewright.engine.__file__).parents[2])}
    ended = subprocess.run(command, env=environment, stdout=subprocess.PIPE, timeout=60, check=True)
    for _ in range(300):
        try:
            os.kill(int(ended.stdout), 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("the engine still runs")


def test_what_is_for_the_process_is_handed_on(script: Script, tmp_path: Path) -> None:
    command = script(
        """
        import os
        def answer(line):
            if line == "where":
                say("info string " + os.getcwd() + " " + os.environ["NAME"])
            else:
                usual(line)
        """
    )
    environment = {**os.environ, "NAME": "value"}
    with SimpleEngine.popen_siu(command, cwd=tmp_path, env=environment) as engine:
        assert engine.tell("where") == [f"info string {os.path.realpath(tmp_path)} value"]


def test_lines_that_answer_nothing_are_left_out_and_logged(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    command = script(
        """
        def answer(line):
            if line == "talk":
                say("info string answer", "readyok", "info string chatter")
                for line in sys.stdin:
                    break
                say("info string more chatter")
            else:
                usual(line)
        """
    )
    caplog.set_level("DEBUG", "tilewright.engine")
    with SimpleEngine.popen_siu(command) as engine:
        assert engine.tell("talk") == ["info string answer"]
        time.sleep(0.3)
        assert engine.tell("nothing") == []
    assert "scripted 1: << talk" in caplog.text
    assert "scripted 1: >> info string more chatter" in caplog.text
    assert "scripted 1: stderr: talk" in caplog.text


def test_no_thread_and_no_process_is_left(script: Script) -> None:
    before = set(threading.enumerate())

    def new_threads() -> set[threading.Thread]:
        return set(threading.enumerate()) - before

    for _ in range(3):
        with SimpleEngine.popen_siu(script("")) as engine:
            engine.ping()
            process = engine.protocol._transport
        with pytest.raises(EngineError):
            SimpleEngine.popen_siu([sys.executable, "-c", ""])
        with refused("bad-option"):
            SimpleEngine.popen_siu(script(""), options={"Nothing": 1})
        assert process is not None and process.get_returncode() == 0
    # A thread of asyncio that has waited for a process may take a moment to end.
    patience = time.monotonic() + 10
    while new_threads() and time.monotonic() < patience:
        time.sleep(0.01)
    assert not new_threads()


# asyncio.


def test_asyncio(script: Script) -> None:
    async def main() -> None:
        transport, engine = await popen_siu(program(), options={"Threads": 1}, timeout=60)
        assert transport.get_pid() and transport.get_returncode() is None
        async with engine:
            result = await engine.play(START, Limit(iterations=20), mode="sim", plays=2)
            assert result.move == result.ranking.moves[0]
            analysis = await engine.analysis(START, mode="sim")
            async for ranking in analysis:
                assert ranking.rows
                break
            # The loop has been left, so the search ends by itself.
            assert (await asyncio.wait_for(analysis.wait(), 30)).move is not None
            with await engine.analysis(START, mode="sim") as analysis:
                assert await analysis.next() is not None
            assert (await engine.analyse(START, mode="gen", multipv=1)).of(GenRow)
            with refused("bad-option"):
                await engine.configure({"Threads": 0})
        assert engine.returncode.result() == 0

    asyncio.run(main())


def test_a_cancelled_search_is_stopped() -> None:
    async def main() -> None:
        _, engine = await popen_siu(program(), timeout=60)
        async with engine:
            endless = engine.play(START, mode="sim", infinite=True)
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(endless, 0.5)
            assert await engine.tell("check QI") == ["info string check QI valid"]
            plays = [engine.play(START, Limit(nodes=n), mode="sim", seed=1) for n in (100, 200)]
            results = await asyncio.gather(*plays)
            assert all(result.move for result in results)

    asyncio.run(main())


def test_several_engines_at_once(script: Script) -> None:
    async def main() -> None:
        engines = [(await popen_ucgi(script("")))[1] for _ in range(3)]
        results = await asyncio.gather(*(engine.play(START) for engine in engines))
        assert [result.move for result in results] == ["8D.DOG"] * 3
        assert await asyncio.gather(*(engine.quit() for engine in engines)) == [0, 0, 0]

    asyncio.run(main())


def test_what_cannot_be_started_is_an_error_with_asyncio_too() -> None:
    async def main() -> None:
        with refused("missing"):
            await popen_ucgi("/no/such/engine")
        with pytest.raises(EngineTerminatedError):
            await popen_ucgi([sys.executable, "-c", ""])

    asyncio.run(main())


# The notebook. Only its code is run, so neither Jupyter nor a kernel is needed.

NOTEBOOK = ROOT / "python" / "notebooks" / "compare_engines.ipynb"


def cells() -> list[dict[str, Any]]:
    """The cells of the notebook that have code."""
    found = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == "code"]


def test_the_notebook_stores_no_outputs() -> None:
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells())


def test_the_notebook_compares_two_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT", program())
    names: dict[str, Any] = {}
    try:
        for number, cell in enumerate(cells()):
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    finally:
        for engine in (names.get("first"), names.get("second")):
            if engine is not None:
                engine.close()
    assert len(names["choices"]) == len(names["lost"]) == len(names["POSITIONS"])
    assert any(one != other for one, other in names["choices"])
    assert names["seen"][-1][1] >= 60
