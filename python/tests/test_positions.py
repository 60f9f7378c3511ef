"""Positions, plays, racks, rules and boards."""

import collections.abc
import copy
import pickle
import xml.etree.ElementTree as ElementTree
from typing import Any, List, Optional, Type

import pytest

import tilewright
from tilewright import IllegalPlayError, InvalidPlayError, InvalidPositionError, Position, Rack, Rules, RulesError, TilewrightError, boards

MIDDLE = "15/15/15/15/15/15/15/3QUIZ8/6E8/6B8/6R8/6A8/15/15/15 AEINRST/ 48/34 0"


def test_a_position_is_read_and_written() -> None:
    position = Position(MIDDLE)
    assert Position(position.cgp()) == position
    assert (position.turn, position.scores, position.spread, position.in_bag) == (0, (48, 34), 14, 78)
    assert str(position.rack) == "AEINRST" and not position.opponent_rack
    assert len(position.unseen) == 85
    assert position.tile_at("8D") == "Q" and position.tile_at("D8") == "Q" and position.tile_at("1A") is None
    assert position.tile_map()["12G"] == "A"


def test_all_legal_plays_have_scores_and_are_legal() -> None:
    position = Position(MIDDLE)
    plays = position.legal_plays()
    assert len(plays) == len(set(plays)) > 1000
    equities = [play.equity for play in plays if play.equity is not None]
    assert equities == sorted(equities, reverse=True) and len(equities) == len(plays)
    assert {play.kind for play in plays} == {"place", "exchange", "pass"}
    for play in plays[::50]:
        check = position.check(play)
        assert check and check.reason is None and check.score == play.score
        assert all(word.text in position.lexicon for word in check.words)
        assert position.parse_play(str(play)) == play
    assert position.best_plays(3) == plays[:3]
    assert position.best_plays(0) == [] and not pickle.loads(pickle.dumps(position.best_plays(0)))
    assert plays[-1] == list(plays)[-1] == next(reversed(plays)) and plays.index(plays[5]) == 5 and plays.count(plays[5]) == 1
    assert plays[3] in plays and position.best_plays(2) != plays and isinstance(plays, collections.abc.Sequence)
    with pytest.raises(IndexError):
        plays[len(plays)]
    with pytest.raises(ValueError, match="not among"):
        position.best_plays(2).index(plays[5])


def test_a_play_tells_what_it_is() -> None:
    position = Position(MIDDLE)
    play = position.parse_play("13G.STAINER")
    assert (play.word, play.square, play.is_across, play.is_bingo, play.score, play.kind) == ("STAINER", "13G", True, True, 86, "place")
    assert play.placed["13H"] == "T" and len(play.placed) == 7
    assert play.tiles == "STAINER" and len(play.leave) == 0
    through = position.parse_play("G8.ZEBRAS")
    assert (through.word, str(through.tiles), str(through.leave), through.is_across) == ("ZEBRAS", "S", "AEINRT", False)
    exchange = position.parse_play("ex.AE")
    assert (exchange.kind, exchange.word, exchange.square, str(exchange.leave)) == ("exchange", "", None, "INRST")


def test_push_and_pop_are_each_others_inverse() -> None:
    position, before = Position(MIDDLE), Position(MIDDLE)
    play = position.push("13G.STAINER")
    assert position.last_play == play and position.turn == 1 and position.scores == (134, 34)
    position.push("pass")
    assert [str(made) for made in position.plays] == ["13G.STAINER", "pass"]
    other = position.copy()
    assert str(position.pop()) == "pass" and position.pop() == play and position == before
    assert len(other.plays) == 2 and copy.deepcopy(other) == other == copy.copy(other)
    with pytest.raises(IllegalPlayError, match="no play to take back"):
        position.pop()


def test_a_game_ends_and_says_how() -> None:
    position = Position()
    assert position.outcome() is None
    position.push("8D.VICAR")
    for _ in range(6):
        position.push("pass")
    outcome = position.outcome()
    assert position.is_over() and outcome is not None
    assert (outcome.reason, outcome.winner, outcome.scores) == ("turns without points", 0, (28, 0))
    assert position.legal_plays() == []
    with pytest.raises(IllegalPlayError, match="over"):
        position.push("pass")


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        ("13G.STAINZR", "there is no Z for this play: it is not on the rack"),
        ("8D.RATINES", "another tile"),
        ("H1.RATINES", "touch"),
        ("13G.STAINRE", "STAINRE is not in ENABLE"),
        ("ex.QQ", "there is no"),
    ],
)
def test_an_illegal_play_has_a_reason(play: str, reason: str) -> None:
    position = Position(MIDDLE)
    check = position.check(play)
    assert not position.is_legal(play) and not check and check.reason is not None
    assert reason in check.reason


@pytest.mark.parametrize(
    ("text", "error", "column"),
    [("foo", InvalidPlayError, 1), ("99Z.A", InvalidPlayError, 1), ("8D.V4", InvalidPlayError, 5), ("8D.QQQQ", IllegalPlayError, None)],
)
def test_a_wrong_play_is_an_error_with_its_place(text: str, error: Type[TilewrightError], column: int) -> None:
    with pytest.raises(error) as raised:
        Position(MIDDLE).push(text)
    assert isinstance(raised.value, ValueError) and raised.value.column == column


def test_a_wrong_position_is_an_error_with_its_place() -> None:
    with pytest.raises(InvalidPositionError, match="rows") as raised:
        Position("15/15 AEINRST/ 0/0 0")
    assert (raised.value.line, raised.value.column) == (1, 6)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (type(again), str(again), again.column) == (InvalidPositionError, str(raised.value), 6)
    with pytest.raises(InvalidPositionError, match="NWL20"):
        Position(MIDDLE + " lex NWL20;")
    with pytest.raises(InvalidPositionError):
        Position().set_rack("ZZ")


def test_racks_are_multisets() -> None:
    rack = Rack("STAINE?")
    assert str(rack) == "AEINST?" and rack == "EN?TIAS" and len(rack) == 7
    assert rack - "SA" == "EINT?" and rack + "Z" == "?AEINSTZ" and "SA" in rack and "SS" not in rack
    assert (rack.value, rack.count("?"), list(Rack("BA"))) == (6, 1, ["A", "B"])
    assert hash(rack) == hash(Rack("?AEINST")) == hash("AEINST?") and pickle.loads(pickle.dumps(rack)) == rack
    with pytest.raises(IllegalPlayError, match="no Q"):
        rack - "Q"
    with pytest.raises(InvalidPlayError) as raised:
        Rack("A4")
    assert raised.value.column == 2


def test_rules_are_what_is_said() -> None:
    usual = Rules()
    assert (usual.variant, usual.letters, usual.layout, usual.size) == ("classic", "english", "standard15", 15)
    assert (usual.bingo_bonus, usual.rack_size, usual.exchange_limit, usual.max_zero_turns) == (50, 7, 7, 6)
    assert (usual.counts["E"], usual.values["Q"], usual.counts["?"], usual.start) == (12, 10, 2, "8H")
    assert usual.premium("1A") == (1, 3) and usual.premium("8D") == (2, 1)
    other = Rules("wordsmog", layout="super21", letters="english_super", bingo_bonus=35, challenge="5pt")
    assert other.size == 21 and other != usual and pickle.loads(pickle.dumps(other)) == other
    position = Position(rules=Rules("wordsmog"))
    position.set_rack("CATXYZQ")
    assert position.is_legal("8G.TCA") and not Position().is_legal("8G.TCA")
    for wrong in ({"variant": "chess"}, {"letters": "klingon"}, {"layout": "round"}, {"rack_size": 0}, {"challenge": "never"}):
        with pytest.raises(RulesError):
            Rules(**wrong)


def test_every_alphabet_board_and_variant_has_a_position() -> None:
    for letters in tilewright.LETTERS:
        lexicon = tilewright.Lexicon.from_words(["EE"], letters=letters, leaves="none", win_table="logistic")
        assert Position(lexicon=lexicon).rules.letters == letters
    for layout in tilewright.LAYOUTS:
        assert Position(rules=Rules(layout=layout)).rules.layout == layout
    for variant in tilewright.VARIANTS:
        assert Position(rules=Rules(variant)).rules.variant == variant


def test_positions_and_plays_pickle() -> None:
    position = Position(MIDDLE, rules=Rules(bingo_bonus=35))
    position.push("13G.STAINER")
    position.set_rack("AEIOU?S")
    position.push("ex.AE")
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.plays == position.plays and again.rules == position.rules
    while again.plays:
        assert again.pop() == position.pop() and again == position
    plays = position.legal_plays()
    copies = pickle.loads(pickle.dumps(plays))
    assert copies == plays
    assert [(play.score, play.equity, str(play)) for play in copies] == [(play.score, play.equity, str(play)) for play in plays]


def test_positions_are_set_by_hand() -> None:
    position = Position()
    position.set_tiles("8D", "QUIZ")
    position.set_tiles("G9", "EBRA")
    position.set_rack("AEINRST")
    position.scores = (48, 34)
    assert position == Position(MIDDLE) and position.cgp() == Position(MIDDLE).cgp()
    position.turn = 1
    assert (position.turn, position.scores, str(position.opponent_rack), position.spread) == (1, (48, 34), "AEINRST", -14)
    position.set_rack("XYV")
    position.zero_turns = 2
    again = pickle.loads(pickle.dumps(position))
    assert again == position and (again.turn, again.scores, again.zero_turns) == (1, (48, 34), 2) and str(again.rack) == "VXY"
    position.push("pass")
    assert position.turn == 0 and pickle.loads(pickle.dumps(position)) == position
    other = Position()
    other.set_tile_map(position.tile_map())
    assert other.tile_map() == position.tile_map() and other.in_bag == position.in_bag


def test_squares_are_set_one_by_one() -> None:
    position = Position()
    position.push("8D.VICAR")
    assert position.plays and position.scores == (28, 0)
    position.set_tiles("8H", "s")
    assert position.plays == [] and position.scores == (28, 0) and position.turn == 1
    assert position.tile_at("8H") == "s" and position.unseen.count("?") == 1
    position.set_tiles("D8", ".")
    assert position.tile_map() == {"8E": "I", "8F": "C", "8G": "A", "8H": "s"}
    position.set_tile_map({})
    assert position.tile_map() == {} and position.in_bag == Position().in_bag


@pytest.mark.parametrize(
    ("square", "tiles", "message"),
    [("8M", "TILES", "does not fit"), ("99A", "A", "not a square"), ("8D", "A4", "4"), ("8D", "QQ", "Q"), ("nowhere", "A", "not a square")],
)
def test_tiles_that_cannot_be_set_change_nothing(square: str, tiles: str, message: str) -> None:
    position = Position(MIDDLE)
    play = position.push("13G.STAINER")
    before = position.copy()
    with pytest.raises(TilewrightError, match=message):
        position.set_tiles(square, tiles)
    assert position == before and position.last_play == play


def test_other_parts_that_cannot_be_are_refused() -> None:
    position = Position(MIDDLE)
    with pytest.raises(InvalidPositionError, match="seat 2"):
        position.turn = 2
    with pytest.raises(InvalidPositionError, match="score"):
        position.scores = (2_000_000_000, 0)
    with pytest.raises(InvalidPositionError, match="not one tile"):
        position.set_tile_map({"8D": "AB"})
    with pytest.raises(RulesError, match="not a square"):
        position.set_tile_map({"99A": "A"})
    with pytest.raises(AttributeError):
        position.spread = 5  # type: ignore[misc]
    assert position == Position(MIDDLE)


def test_boards_mark_the_last_play() -> None:
    position = Position(MIDDLE)
    position.push("13G.STAINER")
    assert "[S][T][A][I][N][E][R]" in str(position) and "seat 1 on turn, rack unknown" in str(position)
    picture = ElementTree.fromstring(position._repr_svg_())
    fills = [node.get("fill") for node in picture.iter("{http://www.w3.org/2000/svg}rect")]
    assert fills.count("#ffd54f") == 7 and fills.count("#f7e2b4") == 8 and len(fills) == 225
    assert boards.svg(Position(rules=Rules(layout="super21")), size=100).startswith("<svg")
    assert boards.svg(position) == position._repr_svg_()


SVG = "{http://www.w3.org/2000/svg}"


def picture(position: Position, **options: Any) -> ElementTree.Element:
    return ElementTree.fromstring(boards.svg(position, **options))


def test_boards_have_arrows() -> None:
    position = Position(MIDDLE)
    play = position.parse_play("13G.STAINER")
    assert boards.Arrow.along(play) == boards.Arrow("13G", "13M") and boards.Arrow.along(position.parse_play("G8.ZEBRAS")).head == "13G"
    drawn = picture(position, arrows=[boards.Arrow("1A", "1C", "red"), ("D8", "8F"), play, boards.Arrow("8H", "H8", "#123456")])
    lines, heads, rings = ([*drawn.iter(SVG + name)] for name in ("line", "polygon", "circle"))
    assert len(lines) == len(heads) == 3
    assert [line.get("stroke") for line in lines] == [boards.LIGHT["arrow red"], boards.LIGHT["arrow green"], boards.LIGHT["arrow green"]]
    assert rings[-1].get("stroke") == "#123456" and rings[-1].get("fill") == "none"
    # From the middle of 1A to the right.
    assert (lines[0].get("x1"), lines[0].get("y1"), lines[0].get("y2")) == ("37", "37", "37")
    with pytest.raises(ValueError, match="places no tiles"):
        boards.Arrow.along(position.parse_play("pass"))
    with pytest.raises(RulesError, match="99Z"):
        picture(position, arrows=[("1A", "99Z")])


def test_arrows_count_tiles_of_several_letters() -> None:
    words = tilewright.Lexicon.from_words(["[CH]E", "CO[CH]E"], letters="spanish", leaves="none", win_table="logistic")
    position = Position(lexicon=words)
    assert boards.Arrow.along(position.parse_play("8F.CO[CH]E")) == boards.Arrow("8F", "8I")


def test_boards_have_colours() -> None:
    position = Position(MIDDLE)
    position.push("13G.STAINER")

    def fills(**options: Any) -> List[Optional[str]]:
        return [node.get("fill") for node in picture(position, **options).iter(SVG + "rect")]

    assert set(boards.DARK) == set(boards.LIGHT)
    dark = fills(colours=boards.DARK)
    assert dark[0] == boards.DARK["margin"] and dark.count(boards.DARK["last play"]) == 7 and boards.LIGHT["tile"] not in dark
    assert fills(colours={"tile": "teal"}).count("teal") == 8 and fills(fill={"1A": "pink", "D8": "#f008"})[0:2] == ["#dd7266", "pink"]
    assert "#f008" in fills(fill={"D8": "#f008"}) and len(fills(fill={"D8": "#f008"})) == 226
    assert fills(last_play=None).count(boards.LIGHT["last play"]) == 0
    earlier = Position(MIDDLE).parse_play("G8.ZEBRAS")
    assert fills(last_play=earlier).count(boards.LIGHT["last play"]) == 1
    assert fills(fill={"1A": '"><script>'}).count('"><script>') == 1
    with pytest.raises(ValueError, match="there is no colour 'tiles', expected one of margin, coordinates"):
        boards.svg(position, colours={"tiles": "red"})
    with pytest.raises(RulesError, match="Z99"):
        boards.svg(position, fill={"Z99": "red"})


def test_boards_have_a_size_and_coordinates_or_not() -> None:
    position = Position(MIDDLE)
    whole, bare = picture(position, size=None), picture(position, coordinates=False, size=100)
    assert whole.get("width") is None and (bare.get("width"), bare.get("viewBox")) == ("100", "0 0 454 454")
    texts = [node.text for node in bare.iter(SVG + "text")]
    assert "O" not in texts and [node.text for node in whole.iter(SVG + "text")].count("O") == 1
