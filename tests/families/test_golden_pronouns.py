"""doc:pronouns: links that are given, values by hand, neighbours, the twin."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.errors import SpecError
from tertium.families.pronouns import COLUMNS, OUTCOMES, Pronouns, outcome, pronouns, translations
from tertium.statistics import DenseStatistics
from tertium.text.parsers import words_only
from tests.twins import pronouns as twin

SOURCE = ["It sleeps.", "They see it.", "They go.", "It is late."]
REFERENCE = ["Sie schläft.", "Die Leute sehen sie.", "Sie gehen.", "Spät."]
HYPOTHESIS = ["Es schläft.", "Sie sehen sie.", "Gehen.", "Es ist spät."]
LINKS = [
    ("It sleeps.", "Sie schläft.", "0-0 1-1"),
    ("It sleeps.", "Es schläft.", "0-0 1-1"),
    ("They see it.", "Die Leute sehen sie.", "0-1 1-2 2-3"),
    ("They see it.", "Sie sehen sie.", "0-0 1-1 2-2"),
    ("They go.", "Sie gehen.", "0-0 1-1"),
    ("They go.", "Gehen.", "1-0"),
    ("It is late.", "Spät.", "2-0"),
    ("It is late.", "Es ist spät.", "0-0 1-1 2-2"),
]


@pytest.fixture
def links(tmp_path: Path) -> str:
    path = tmp_path / "links.tsv"
    path.write_text("".join("\t".join(row) + "\n" for row in LINKS), "utf-8")
    return str(path)


def test_by_hand(links: str) -> None:
    """It: es for sie; they: sie for Leute; it: sie; they: nothing for sie; it: es for nothing."""
    how: dict[str, Any] = {"sources": ["\n".join(SOURCE)]}
    texts = ["\n".join(HYPOTHESIS)], ["\n".join(REFERENCE)]
    metric = Pronouns(lang="de", alignments=links)
    total: Any = metric.total(*texts, **how)
    assert metric.components(total) == {
        "same": 1, "different": 2, "missing": 1, "added": 1, "neither": 0
    }  # fmt: skip
    assert metric.score(*texts, **how) == pytest.approx(25)
    assert Pronouns(lang="de", alignments=links, part="linked").score(*texts, **how) == pytest.approx(100 / 3)
    only = tt.metric(f'doc:pronouns:it,lang=de,alignments="{links}"')
    assert only.score(*texts, **how) == pytest.approx(50)
    assert metric.reward(*texts, **how).tolist() == [pytest.approx(25)]
    scored = tt.score(HYPOTHESIS, REFERENCE, metric, sources=SOURCE, documents=["d"] * 4)
    assert scored.scores[0].value == pytest.approx(25)
    assert "alignments-hash:" in metric.signature()


def test_as_in_one_of_several_references(links: str) -> None:
    how: dict[str, Any] = {"sources": SOURCE[:1]}
    metric = Pronouns(lang="de", alignments=links)
    assert metric.score(["Es schläft."], [["Sie schläft."], ["Es schläft."]], **how) == 100
    assert metric.score(["Es schläft."], [["Sie schläft."], [None]], **how) == 0


def test_learnt_from_the_texts() -> None:
    sources = ["he sleeps", "he sees", "she sleeps", "she sees", "he waits", "she waits"]
    reference = ["er schläft", "er sieht", "sie schläft", "sie sieht", "er wartet", "sie wartet"]
    hypothesis = [*reference[:5], "er wartet"]
    metric = tt.metric("doc:pronouns:lang=de")
    found = metric.statistics(hypothesis, reference, sources=sources)
    assert metric.score_rows(found).tolist() == [100, 100, 100, 100, 100, 0]


def test_neighbours_tell_where_it_may_stand() -> None:
    source, target = words_only("yesterday it slept well"), words_only("gestern schlief es gut")
    found = translations(source, target, ((0, 0), (2, 1), (3, 3)), frozenset(["it"]), pronouns("de"))
    assert list(found) == [frozenset(["es"])]
    nothing = translations(source, target, ((0, 0), (2, 1), (3, 3)), frozenset(["it"]), frozenset())
    assert list(nothing) == [frozenset()]


def test_as_the_twin_counts() -> None:
    draw = random.Random(6)
    for _ in range(100):
        cases = [
            tuple(frozenset(draw.sample(["er", "sie", "es"], draw.randint(0, 2))) for _ in "ab")
            for _ in range(draw.randint(0, 8))
        ]
        row = [sum(outcome(*case) == name for case in cases) for name in OUTCOMES]
        rows = DenseStatistics.of_lists(COLUMNS, [row])
        for part in ("accuracy", "linked"):
            expected = twin.accuracy([(set(a), set(b)) for a, b in cases], linked=part == "linked")
            assert Pronouns(part=part).score_total(rows) == (
                None if expected is None else pytest.approx(expected)
            )


def test_languages_without_a_list() -> None:
    with pytest.raises(SpecError, match="no list of pronouns of the language 'cs': name them"):
        tt.metric("doc:pronouns:source_lang=cs")
    assert tt.metric("doc:pronouns:on+ona,source_lang=cs").label == "doc:pronouns[on+ona]"
