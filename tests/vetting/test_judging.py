"""The lexical model, lengths, and the combined probability."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.io.memories.unit import Unit
from tertium.memory.damages import DAMAGES, Others, damaged
from tertium.vetting.checks.base import LEARNT_CHECKS
from tertium.vetting.combining import VERSION, Combination, shipped
from tertium.vetting.judging import CombinedJudge
from tertium.vetting.lexicon import MemoryLexicon

WORDS = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("azo", "ebu", "iko", "oma", "ulu")]


def translated(word: str) -> str:
    return word[::-1] + "e"


def memory(number: int = 2000, seed: int = 1) -> list[Unit]:
    """A language whose words are those of the other, read backwards."""
    draw = Random(seed)
    found = []
    for _ in range(number):
        words = [draw.choice(WORDS) for _ in range(draw.randrange(4, 12))]
        found.append(Unit(" ".join(words), " ".join(map(translated, words)), "en", "fr"))
    return found


@pytest.fixture(scope="module")
def judge() -> CombinedJudge:
    made = CombinedJudge.of()
    made.learn(memory())
    return made


def test_another_target_is_found(judge: CombinedJudge) -> None:
    units = memory(200, seed=2)
    wrong = [unit.changed(target=other.target) for unit, other in pairwise(units)]
    right, others = judge.judge(units), judge.judge(wrong)
    assert min(own.probability for own in others) > max(own.probability for own in right)
    assert all("meaning" in [doubt.check for doubt in own.reasons] for own in others)
    assert not any(doubt.check == "meaning" for own in right for doubt in own.reasons)


def test_what_is_left_out_and_added_is_pointed_at(judge: CombinedJudge) -> None:
    words = WORDS[:12]
    source, target = " ".join(words), " ".join(map(translated, words))
    short = " ".join(map(translated, words[:8]))
    (omitted,) = judge.judge([Unit(source, short, "en", "fr")])
    found = next(doubt for doubt in omitted.reasons if doubt.check == "omission")
    assert [source[a:b] for a, b in found.source] == [" ".join(words[8:])]
    (added,) = judge.judge([Unit(" ".join(words[:4]), target, "en", "fr")])
    found = next(doubt for doubt in added.reasons if doubt.check == "insertion")
    assert [target[a:b] for a, b in found.target] == [" ".join(map(translated, words[4:]))]


def test_no_unit_is_judged_by_a_model_that_learnt_from_it() -> None:
    """A pair of words that occurs in one unit only, however often that is repeated, is never known in it."""
    units = memory(500)
    strange = Unit("bazo debu zyxwvq", "ozabe ubede qwertu", "en", "fr")
    lexicon = MemoryLexicon()
    lexicon.learn(units + [strange] * 300)
    lexicon.ready()
    source, target = lexicon.evidence(strange)
    plain = MemoryLexicon()
    plain.learn(units)
    plain.ready()
    expected, _ = plain.evidence(strange)
    assert source[-1].evidence == pytest.approx(expected[-1].evidence, abs=0.3)
    assert len(source) == len(target) == 3


def test_memory_is_flat_and_the_sample_small() -> None:
    lexicon = MemoryLexicon(most_words=3000)
    for seed in range(4):
        lexicon.learn(memory(1000, seed))
    assert 100 < lexicon._model.sampled() < 800
    lexicon.ready()
    right = lexicon.measure(memory(100, 9))
    assert (right[:, 1] > 0).mean() > 0.95


def test_learning_again_is_refused(judge: CombinedJudge) -> None:
    with pytest.raises(ValueError, match="no more units"):
        judge.learners[MemoryLexicon].learn(memory(1))


@pytest.mark.parametrize("kind", DAMAGES)
def test_damage_changes_the_target_only(kind: str) -> None:
    units = [
        Unit(
            "Do not open 10 files of Paris, please wait %s now.",
            f"N'ouvrez pas 10 fichiers de Paris, {word} %s ici.",
            "en",
            "fr",
        )
        for word in ("attendez", "patientez", "restez", "venez")
    ] + [
        Unit(
            "It is not ready in London, go 25 on.", "Ce n'est pas prêt à London, allez 25 encore.", "en", "fr"
        )
    ] * 30
    units += [
        Unit(f"w{n}x {n}", f"mot{'abcdefghijklmnopqrstuvwxyz'[n]}al chose", "en", "fr") for n in range(26)
    ] * 3
    made = damaged(kind, units, Others(units), 1)
    assert made
    assert made == damaged(kind, units, Others(units), 1)
    for i, unit in made.items():
        assert unit.source == units[i].source
        assert unit.target != units[i].target


def test_shares_move_probabilities(judge: CombinedJudge) -> None:
    units = memory(20, 5)
    rows = judge.looked(units)[1]
    few, many = (judge.combination.probabilities(judge.names, rows, share) for share in (0.001, 0.5))
    assert (few < many).all()
    same = judge.combination.probabilities(judge.names, rows, judge.combination.share)
    assert np.allclose(same, judge.combination.probabilities(judge.names, rows))


def test_a_check_that_the_model_does_not_know_counts() -> None:
    model = shipped()
    rows = np.array([[0.0], [1.0]])
    low, high = model.odds(["yours"], rows)
    assert high == pytest.approx(low + 3.0)


def test_a_model_of_another_version_is_refused() -> None:
    with pytest.raises(InputError, match=f"of version {VERSION}"):
        Combination.parse({"version": 99}, "x.json")


def test_every_learnt_check_has_its_name() -> None:
    for name in LEARNT_CHECKS:
        assert LEARNT_CHECKS[name]().name == name
        assert LEARNT_CHECKS[name]().sentence.endswith(".")


def test_a_word_that_is_translated_otherwise_is_told_with_its_places(judge: CombinedJudge) -> None:
    """A rare alternative in one unit; of units as they are, none is doubted."""
    units = memory(200, seed=4)
    right = judge.judge(units)
    assert not [doubt for own in right for doubt in own.reasons if doubt.check == "wording"]
    told = tried = 0
    for unit in units:
        word = unit.source.split()[1]
        if unit.source.split().count(word) > 1:
            continue
        tried += 1
        other = unit.changed(target=unit.target.replace(translated(word), "ersatz"))
        found = [doubt for doubt in judge.judge([other])[0].reasons if doubt.check == "wording"]
        for doubt in found:
            assert [other.source[a:b] for a, b in doubt.source] == [word]
            assert [other.target[a:b] for a, b in doubt.target] == ["ersatz"]
            assert doubt.sentence.startswith(f"“{word}” has one of its usual translations (“")
            assert doubt.sentence.endswith("here perhaps “ersatz”")
        told += len(found)
    assert told > 0.95 * tried


def test_function_words_have_no_usual_translation() -> None:
    units = [Unit(f"the {a} of {b}", f"le {a[::-1]} de {b[::-1]}", "en", "fr") for a, b in _pairs()]
    judge = CombinedJudge.of()
    judge.learn(units)
    found = judge.judge([units[0].changed(target=units[0].target.replace("le ", "ersatz "))])[0]
    assert "wording" not in [doubt.check for doubt in found.reasons]


def _pairs() -> list[tuple[str, str]]:
    return [(a, b) for a in WORDS[:30] for b in WORDS[30:50]]
