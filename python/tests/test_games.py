"""Recorded games."""

import pickle
import threading
from pathlib import Path

import pytest

from tilewright import Game, IllegalPlayError, InvalidGameError, Rules, read_games

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
    with pytest.raises(OSError):
        Game.read("no/such/file.gcg")


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
