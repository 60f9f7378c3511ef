"""Matches in this process."""

import pickle
import struct
from pathlib import Path
from typing import Union

import pytest

import tilewright
from tilewright import IllegalPlayError, InvalidPlayError, Lexicon, Play, Position, Rules, SearchError, match


def test_a_match_is_the_same_for_any_threads_and_any_shares() -> None:
    whole = match("static:late=off", "greedy", pairs=12, threads=1)
    assert match("static:late=off", "greedy", pairs=12, threads=2).pentanomial == whole.pentanomial
    first, rest = match("static:late=off", "greedy", pairs=range(5)), match("static:late=off", "greedy", pairs=range(5, 12))
    table = whole.columns()
    joined = {name: first.columns()[name] + rest.columns()[name] for name in table}
    assert {name: table[name] for name in table if "micro" not in name} == {name: joined[name] for name in joined if "micro" not in name}
    assert sum(whole.pentanomial) == whole.pairs == 12 and whole.wins + whole.ties + whole.losses == 24
    assert (
        whole.win_error > 0
        and whole.spread_error > 0
        and whole.spread == pytest.approx(sum(a - b for a, b in zip(table["score_a"], table["score_b"])) / 24)
    )
    assert "12 pairs" in str(whole)


def test_luck_and_games() -> None:
    result = match("static", "greedy", pairs=3, redraws=4, keep_games=True)
    assert result.adjusted is not None and result.adjusted.spread_error >= 0
    assert len(result.games) == 6 and result.games[0].scores == (result.columns()["score_a"][0], result.columns()["score_b"][0])
    assert result.games[0].repairs == [] and pickle.loads(pickle.dumps(result)).games == result.games


def best(position: Position) -> Play:
    return position.best_plays(1)[0]


def best_text(position: Position) -> Union[Play, str]:
    assert position.rack and not position.is_over()
    return str(best(position))


def test_a_player_of_pythons_meets_its_twin() -> None:
    native = match("static:late=off", "greedy", pairs=4)
    python = match(best, "greedy", pairs=4)
    assert python.pentanomial == native.pentanomial and python.columns()["score_a"] == native.columns()["score_a"]
    assert python.players == ("best", "greedy")
    mirror = match(best, best_text, pairs=2, keep_games=True)
    assert mirror.divergent == 0 and mirror.win == 0.5 and len(mirror.games) == 4


def test_positions_of_a_match_pickle_with_their_seats() -> None:
    seats = set()

    def careful(position: Position) -> Play:
        again = pickle.loads(pickle.dumps(position))
        assert again == position and (again.turn, again.scores, again.rack) == (position.turn, position.scores, position.rack)
        seats.add(again.turn)
        return best(position)

    match(careful, "greedy", pairs=1, threads=1)
    assert seats == {0, 1}


def test_what_a_player_does_wrong_is_told() -> None:
    def phony(position: Position) -> str:
        return "8G." + "".join(list(position.rack))[:2][::-1].replace("?", "z") if not position.tile_map() else "pass"

    def broken(position: Position) -> str:
        raise RuntimeError("no idea")

    with pytest.raises(RuntimeError, match="no idea"):
        match(broken, "static", pairs=2)
    with pytest.raises(InvalidPlayError):
        match(lambda position: "nonsense", "static", pairs=2)
    with pytest.raises(TypeError):
        match(lambda position: 5, "static", pairs=2)  # type: ignore[arg-type, return-value]
    with pytest.raises((IllegalPlayError, SearchError)):
        match(phony, "pass", pairs=5)
    for wrong in ("statik", "static:late=maybe", "sim:iterations=-1"):
        with pytest.raises(SearchError):
            match(wrong, "static", pairs=1)
    for pairs in (0, -1, range(0, 10, 2), range(5, 2)):
        with pytest.raises(SearchError, match="step 1"):
            match("static", "static", pairs=pairs)
    with pytest.raises(SearchError, match="seed"):
        match("static", "static", pairs=1, seed=-1)


def test_players_take_the_values_of_their_list(tmp_path: Path) -> None:
    few = list(tilewright.Lexicon())[::50]
    (tmp_path / "few.txt").write_text("\n".join(few), encoding="utf-8")
    before = match("static:late=off", "greedy", pairs=2, lexicon=Lexicon(tmp_path / "few.txt"))
    # Leave values in the list's folder by which an E is worth a bingo, so that everybody keeps it.
    (tmp_path / "few.klv2").write_bytes(klv2("E", 90.0))
    lexicon = Lexicon(tmp_path / "few.txt")
    assert lexicon.leave_value("E") == 90.0 and lexicon.leave_value("S") == 0.0
    own = match("static:late=off", "greedy", pairs=2, lexicon=lexicon)
    assert own.columns()["score_a"] != before.columns()["score_a"]
    named = match(
        f"static:late=off,leaves={tmp_path / 'few.klv2'}", "greedy", pairs=2, lexicon=Lexicon(tmp_path / "few.txt", leaves="enable")
    )
    assert named.columns()["score_a"] == own.columns()["score_a"]
    enable = match("static:late=off,leaves=enable", "greedy", pairs=2, lexicon=lexicon)
    assert enable.columns()["score_a"] == before.columns()["score_a"]
    kept = match("static:late=off", "greedy", pairs=2, lexicon=Lexicon(tmp_path / "few.txt", leaves="enable"))
    assert kept.columns()["score_a"] == before.columns()["score_a"]


def klv2(tile: str, points: float) -> bytes:
    """Values of one tile and of nothing else: a graph of one word, then its value."""
    # Two arcs of a word graph: the roots, then the letter at which the word ends.
    nodes = [0x0040_0000, 0x0040_0000, (ord(tile) - 64) << 24 | 0x00C0_0000]
    nodes[0] |= 2
    return struct.pack(f"<I{len(nodes)}II", len(nodes), *nodes, 1) + struct.pack("<f", points)


def test_other_words_and_rules() -> None:
    result = match("static", "greedy", pairs=2, rules=Rules("wordsmog"), keep_games=True)
    assert result.pairs == 2 and result.games[0].position().rules.variant == "wordsmog"
    pets = Lexicon.from_words(list(tilewright.Lexicon())[::50], name="few")
    assert match("static", "greedy", pairs=2, lexicon=pets, seed=5).pairs == 2
