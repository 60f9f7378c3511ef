"""Recorded games."""

import pickle
import threading
from pathlib import Path

import pytest

from tilewright import Engine, Game, IllegalPlayError, InvalidGameError, Rules, SearchError, read_games

RECORD = """#player1 Ann Ann Smith
#player2 Ben Ben Jones
#title A short one
>Ann: ACEIRTV 8D VICAR +28 28
#note well played
>Ben: AEFGHII -FGII +0 0
>Ann: BDELNTW - +0 28
"""


def test_a_game_is_read_and_written() -> None:
    game = Game.parse(RECORD)
    assert game.players == ("Ann Smith", "Ben Jones") and game.scores == (28, 0) and len(game) == 3
    assert game.gcg() == RECORD == str(game) and game.repairs == [] and game.unread is None
    assert game.pragma("title") == "A short one" and game.lexicon_name is None
    first, second, third = game.turns
    assert (str(first.play), first.points, first.total, first.note, str(first.rack)) == ("8D.VICAR", 28, 28, "well played", "ACEIRTV")
    assert (second.player, second.play.kind, third.play.kind) == (1, "exchange", "pass")
    positions = game.positions()
    assert list(game) == game.turns and game[-1] == third and game[:2] == [first, second]
    assert len(positions) == 4 and [position.turn for position in positions] == [0, 1, 0, 1]
    assert [len(position.plays) for position in positions] == [0, 1, 2, 3] and game.position(1) == positions[1]
    last = game.position()
    for number in (2, 1, 0):
        last.pop()
        assert last == positions[number]
    assert "<svg" in game._repr_svg_()


def test_games_and_their_positions_pickle() -> None:
    game = Game.parse(RECORD)
    assert pickle.loads(pickle.dumps(game)) == game
    position = game.position(2)
    position.push("pass")
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.plays == position.plays
    position.pop(), position.pop()
    assert pickle.loads(pickle.dumps(position)) == position == game.position(1)


def test_repairs_are_told() -> None:
    game = Game.parse(RECORD.replace("+28 28", "+27 28"))
    assert game.scores[0] == 28 and game.repairs
    assert game.repairs[0].line == 4 and str(game.repairs[0]).startswith("line 4: ")
    assert Game.parse(RECORD.encode("latin-1")) == Game.parse(RECORD)


def test_what_is_no_game_is_an_error_with_its_line() -> None:
    with pytest.raises(InvalidGameError) as raised:
        Game.parse("what is this\n")
    assert raised.value.line == 1
    with pytest.raises(FileNotFoundError, match="no/such/file") as missing:
        Game.read("no/such/file.gcg")
    assert str(missing.value.filename) == "no/such/file.gcg"


def test_a_game_is_built_and_read_back(tmp_path: Path) -> None:
    game = Game("Ann Lee", "Ben")
    assert game.push("8D.VICAR", rack="ACEIRTV", note="best") == game.position().last_play
    game.push("ex.4")
    game.add_note("unlucky")
    with pytest.raises(IllegalPlayError):
        game.push("8D.QUIZ")
    for _ in range(5):
        game.push("pass")
    assert game.position().is_over() and len(game) == 7
    with pytest.raises(IllegalPlayError, match="over"):
        game.push("pass")
    assert [turn.note for turn in game.turns][:2] == ["best", "unlucky"]
    path = tmp_path / "game.gcg"
    path.write_text(game.gcg() + RECORD, encoding="utf-8")
    first, second = read_games(path)
    assert first == game and second == Game.parse(RECORD) and Game.read(path).players == ("Ann Lee", "Ben")
    assert pickle.loads(pickle.dumps(game)) == game


def test_a_game_goes_on_after_it_was_read() -> None:
    game = Game.parse(RECORD.replace("#player1 Ann Ann Smith\n#player2 Ben Ben Jones", "#player1 Ben B\n#player2 Ann A"))
    assert game.scores == (0, 28)
    game.push("pass")
    assert game.turns[-1].play.kind == "pass" and game.position().turn == 0
    assert len(Game.parse(game.gcg())) == 4


def test_rules_of_a_game() -> None:
    game = Game(rules=Rules(bingo_bonus=35))
    game.push("8D.RETAINS")
    assert game.turns[0].points == 2 * 8 + 35


def test_threads_may_share_a_game() -> None:
    game = Game.parse(RECORD)

    def look() -> None:
        for _ in range(200):
            assert len(game.turns) == 3 and game.gcg() == RECORD

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def test_a_game_is_analysed_turn_by_turn() -> None:
    text = "#player1 Ann Ann\n#player2 Ben Ben\n>Ben: AEINRST 8D NASTIER +66 66\n>Ann: ACEIRTV - +0 0\n"
    game = Game.parse(text)
    analysis = Engine(threads=1).analyse_game(game, iterations=60)
    assert len(analysis) == len(game) == len(analysis.turns) and [turn.number for turn in analysis] == list(range(len(game)))
    first, second = analysis[0], analysis[1]
    # Players are those of `Game.players`, whoever began.
    assert (first.player, second.player, game.turns[0].player, game.players) == (1, 0, 1, ("Ann", "Ben"))
    assert (str(second.play), second.is_mistake, second.measure, second.skipped) == ("pass", True, "win", None)
    assert second.loss is not None and second.win is not None and second.best_win is not None
    assert second.loss > 0.05 and second.best_win > second.win and analysis.worst(5)[0] == second
    assert analysis.chance_after(second) == second.win and first.win is not None
    assert analysis.chance_after(first) == pytest.approx(1 - first.win)
    assert analysis.lost(0)[0] == pytest.approx(second.loss)
    assert analysis.document["turns"][1]["verdict"]["loss"]["win"] == second.loss
    table = analysis.columns()
    assert table["play"][:2] == ["8D.NASTIER", "pass"] and len(table["loss"]) == len(game)
    assert Engine(threads=2).analyse_game(game, iterations=60) == analysis
    assert pickle.loads(pickle.dumps(analysis)) == analysis
    unknown = Game("Ann", "Ben")
    unknown.push("8D.VICAR")
    last = Engine().analyse_game(unknown, iterations=1)[0]
    assert last.skipped is not None and "rack" in last.skipped and last.loss is None and not last.is_mistake
    with pytest.raises(SearchError, match="not both"):
        Engine().analyse_game(game, iterations=1, seconds=1)
    with pytest.raises(SearchError, match="iterations"):
        Engine().analyse_game(game, iterations=-1)
    with pytest.raises(SearchError, match="model"):
        Engine().analyse_game(game, iterations=1, opponent="nobody")
