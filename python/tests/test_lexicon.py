"""Words."""

import pickle
from pathlib import Path

import pytest

from tilewright import InvalidPlayError, Lexicon, LexiconError, Position


def test_the_built_in_words_answer_questions() -> None:
    lexicon = Lexicon()
    assert (lexicon.name, lexicon.letters, len(lexicon)) == ("ENABLE", "english", 168871)
    assert "qi" in lexicon and "CATT" not in lexicon and "c4t" not in lexicon
    assert lexicon.matching("QU?ZZ??") == ["QUIZZED", "QUIZZER", "QUIZZES"]
    assert lexicon.anagrams("AEINRS?", limit=3) == ["ALINERS", "ANESTRI", "ANTSIER"]
    assert len(lexicon.anagrams("AEINRS?", use_all=False)) == 1696
    assert (lexicon.hooks("AR").front, lexicon.hooks("AR").back) == ("BCEFGJLMOPTVWY", "BCEFKMST")
    assert lexicon.leave_value("?") > lexicon.leave_value("S") > 0 > lexicon.leave_value("UVW")
    words = list(lexicon)
    assert len(words) == len(lexicon) and words[0] == "AA"


def test_wrong_questions_are_errors_with_a_place() -> None:
    lexicon = Lexicon()
    with pytest.raises(LexiconError) as raised:
        lexicon.hooks("A4")
    assert raised.value.column == 2
    with pytest.raises(LexiconError, match="rack holds 7"):
        lexicon.leave_value("AEINRSTU")
    with pytest.raises(LexiconError, match="not that many Z"):
        lexicon.leave_value("ZZ")
    with pytest.raises(InvalidPlayError):
        lexicon.anagrams("A4")
    with pytest.raises(LexiconError, match="NWL20"):
        Lexicon("NWL20")
    with pytest.raises(LexiconError, match="line 2"):
        Lexicon.from_words(["CAT", "C-T"])


def test_lists_of_ones_own(tmp_path: Path) -> None:
    pets = Lexicon.from_words(["cat", "cats", "scat"], name="pets")
    assert pets.name == "pets" and list(pets) == ["CAT", "CATS", "SCAT"]
    position = Position(lexicon=pets)
    position.set_rack("ACSTXYZ")
    assert position.best_plays(1)[0].word in {"CAT", "CATS", "SCAT"}
    path = tmp_path / "birds.txt"
    path.write_text("OWL the one that hoots\nOWLS\n", encoding="utf-8")
    birds = Lexicon(path)
    assert birds.name == "birds" and birds.definition("owl") == "the one that hoots" and birds.definition("OWLS") is None
    for lexicon in (pets, birds):
        again = pickle.loads(pickle.dumps(lexicon))
        assert list(again) == list(lexicon) and again.name == lexicon.name
    assert pickle.loads(pickle.dumps(Lexicon())) is pickle.loads(pickle.dumps(Lexicon()))
