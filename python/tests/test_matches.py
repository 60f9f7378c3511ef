"""Matches in this process."""

import pickle
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


def test_other_words_and_rules() -> None:
    result = match("static", "greedy", pairs=2, rules=Rules("wordsmog"), keep_games=True)
    assert result.pairs == 2 and result.games[0].position().rules.variant == "wordsmog"
    pets = Lexicon.from_words(list(tilewright.Lexicon())[::50], name="few")
    assert match("static", "greedy", pairs=2, lexicon=pets, seed=5).pairs == 2
