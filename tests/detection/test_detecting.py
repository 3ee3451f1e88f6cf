"""Detectors: what they find, where, and what is blocked."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import _native
from tertium.detection.base import DETECTORS, TOLD
from tertium.detection.detecting import Detections, detect
from tertium.detection.oscillation import repeated
from tertium.errors import InputError, SpecError
from tests.twins.repeats import repeats

WORDS = {"der Hund": "the dog", "die Katze": "the cat", "das Haus": "the house", "der Baum": "the tree"}
WORDS |= {"die Stadt": "the city", "das Kind": "the child", "der Fluss": "the river", "das Buch": "the book"}
DE, EN = list(WORDS), list(WORDS.values())
DID = [("sieht", "sees"), ("sucht", "looks for"), ("findet", "finds"), ("verlässt", "leaves")]
WHEN = [
    ("heute", "today"),
    ("morgen", "tomorrow"),
    ("im Winter", "in winter"),
    ("am Abend", "in the evening"),
]


def pairs(number: int = 300) -> tuple[list[str], list[str]]:
    """Sentences with clauses, drawn from a small language, translated word by word."""
    draw = Random(3)
    sources, targets = [], []
    for _ in range(number):
        clauses = [(draw.randrange(8), draw.choice(DID), draw.randrange(8), draw.choice(WHEN)) for _ in "ab"]
        year = draw.randrange(1900, 2030)
        sources.append(
            ", und ".join(f"{DE[a]} {v[0]} {DE[b]} {w[0]}" for a, v, b, w in clauses) + f" {year}."
        )
        targets.append(
            ", and ".join(f"{EN[a]} {v[1]} {EN[b]} {w[1]}" for a, v, b, w in clauses) + f" {year}."
        )
    return sources, targets


def told(found: Detections, place: int) -> set[str]:
    return {own.detector for own in found.reasons[place]}


def test_right_translations_are_left_alone() -> None:
    found = detect(*pairs(), pair="de-en")
    assert found.blocked.sum() <= 3
    assert set(found.scores) == set(DETECTORS)
    assert all(((own >= 0) & (own <= 1)).all() for own in found.scores.values())


def test_each_detector_tells_its_damage_and_where() -> None:
    sources, targets = pairs()
    targets[1] = targets[1].removesuffix(".") + " in winter" * 12
    targets[2] = "Nothing but money interests these ministers, say angry voters."
    targets[3] = targets[3].partition(", and")[0] + "."
    targets[4] = targets[4][:-5] + ("1815." if "1815" not in targets[4] else "1816.")
    sources[5] = sources[5].replace(", und", " nicht, und")
    found = detect(sources, targets, pair="de-en")
    assert "oscillation" in told(found, 1)
    assert "detachment" in told(found, 2)
    assert "omission" in told(found, 3)
    assert "numbers" in told(found, 4)
    assert "negation" in told(found, 5)
    assert found.blocked[1]
    assert found.blocked[2]
    reasons = {own.detector: own for place in range(6) for own in found.reasons[place]}
    begin, end = reasons["oscillation"].translation[-1]
    assert targets[1][begin:end].count("in winter") >= 12
    (begin, end), *_ = reasons["omission"].source
    assert sources[3][begin:end] in sources[3].partition(", und")[2] + sources[3]
    assert end > sources[3].index(", und")
    assert "1815 is extra" in reasons["numbers"].sentence
    (begin, end), *_ = reasons["numbers"].translation
    assert targets[4][begin:end] == "1815"
    (begin, end), *_ = reasons["negation"].source
    assert sources[5][begin:end] == "nicht"


def test_a_corpus_teaches_what_a_few_lines_cannot() -> None:
    sources, targets = pairs()
    few = (["der Hund sieht das Haus heute 1990."], ["Yesterday's prices were low in all shops."])
    alone, taught = detect(*few, pair="de-en"), detect(*few, pair="de-en", corpus=(sources, targets))
    assert taught.scores["detachment"][0] >= TOLD
    assert taught.scores["detachment"][0] > alone.scores["detachment"][0]
    assert any("corpus" in sentence for sentence in alone.words())


def test_no_texts_and_empty_texts() -> None:
    assert len(detect([], []).block) == 0
    found = detect(["Ein Haus", "", "Ein Baum"], ["", "", "A tree"], pair="de-en")
    assert np.isfinite(found.block).all()


def test_texts_that_are_no_pairs_are_refused() -> None:
    with pytest.raises(InputError, match="2 sources, but 1 translations"):
        detect(["a", "b"], ["a"])
    with pytest.raises(SpecError, match="detachment"):
        detect(["a"], ["a"], detectors=["detachmen"])


def test_results_say_everything() -> None:
    sources, targets = pairs(80)
    targets[7] = "no no no no no no no no no no no no no"
    found = detect(sources, targets, pair="de-en")
    data = found.data()
    assert data["kind"] == "detections"
    assert len(data["segments"]) == 80
    assert data["segments"][7]["blocked"] is True
    assert data["segments"][7]["reasons"][0]["sentence"]
    assert [row[0] for row in found.table().rows if row[2] == "block"] == [8]
    assert len(detect(sources, targets, every=True).table().rows) == 80
    assert set(found.records()[7]) >= {"segment", "block", *DETECTORS}


_TEXT = st.lists(st.sampled_from(["a", "b", "cc", "d.", "ä", "…", "!!!", "9", "北京"]), max_size=30).map(
    " ".join
)


@given(_TEXT, _TEXT)
def test_repeats_are_those_of_the_twin(source: str, target: str) -> None:
    row = np.asarray(_native.repeats(_native.Lines([source]), _native.Lines([target])))[0]
    spaced = [text.replace("北京", "北 京") for text in (source, target)]  # ideographs stand alone
    slow = [repeats(text) for text in spaced]
    assert row.tolist() == [*slow[0], *slow[1]]


def test_the_phrase_that_is_repeated() -> None:
    words = [
        (word, (i, i))
        for i, word in enumerate(["we", "like", "we", "like", "we", "like", "tea", "and", "we"])
    ]
    assert repeated(words)[0] == ("we", "like")
    assert repeated([]) == ((), [])
