"""doc:pronouns: links that are given, values by hand, neighbours, the twin."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium._native import Forms, TextLinks, pronoun_rows, pronoun_translations
from tertium.errors import SpecError
from tertium.families.pronouns import COLUMNS, OUTCOMES, Pronouns, pronouns
from tertium.statistics import DenseStatistics
from tertium.text.cut import Cut, words_only
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
    links = ((0, 0), (2, 1), (3, 3))
    assert list(twin.translations(source, target, links, frozenset(["it"]), pronouns("de"))) == [{"es"}]
    assert native(source.text, target.text, links, ["it"], pronouns("de")) == [{"es"}]
    assert native(source.text, target.text, links, ["it"], ()) == [set()]


def native(source: str, target: str, links: Any, wanted: Any, listed: Any) -> list[set[str]]:
    forms = Forms()
    cut = [Cut.of([text], forms).numbered for text in (source, target)]
    found = pronoun_translations(cut[0], cut[1], TextLinks([links]), [1], sorted(wanted), sorted(listed))
    return [{forms[word] for word in own} for own in found[0]]


def test_as_the_twin_finds_them() -> None:
    draw = random.Random(15)
    ours, theirs = (
        ["it", "they", "It", "we\u2019", "boat", "x"],
        ["es", "Sie", "ihr\u2019", "Boot", "y", "er"],
    )
    for _ in range(300):
        source = " ".join(draw.choices(ours, k=draw.randint(0, 9)))
        target = " ".join(draw.choices(theirs, k=draw.randint(0, 9)))
        one, other = words_only(source), words_only(target)
        places = [(i, j) for i in range(len(one)) for j in range(len(other))]
        links = tuple(sorted(draw.sample(places, draw.randint(0, min(6, len(places))))))
        wanted, listed = frozenset(["it", "they", "we'"]), frozenset(["es", "sie", "ihr'"])
        expected = list(twin.translations(one, other, links, wanted, listed))
        assert native(source, target, links, wanted, listed) == expected


def test_as_the_twin_counts() -> None:
    draw = random.Random(6)
    for _ in range(100):
        cases = [
            tuple(frozenset(draw.sample(["er", "sie", "es"], draw.randint(0, 2))) for _ in "ab")
            for _ in range(draw.randint(0, 8))
        ]
        row = [sum(twin.outcome(*case) == name for case in cases) for name in OUTCOMES]
        rows = DenseStatistics.of_lists(COLUMNS, [row])
        for part in ("accuracy", "linked"):
            expected = twin.accuracy([(set(a), set(b)) for a, b in cases], linked=part == "linked")
            assert Pronouns(part=part).score_total(rows) == (
                None if expected is None else pytest.approx(expected)
            )


def test_outcomes_as_the_twin_names_them() -> None:
    """Every pair of sets, as translations of one pronoun by links that are given."""
    words = ["er", "sie"]
    sets = [frozenset[str](), frozenset(words[:1]), frozenset(words[1:]), frozenset(words)]
    for own in sets:
        for other in sets:
            forms = Forms()
            found = []
            for chosen in (own, other):
                links = TextLinks([[(0, words.index(word)) for word in sorted(chosen)]])
                cut = [Cut.of([text], forms).numbered for text in ("it", "er sie")]
                found.append(pronoun_translations(cut[0], cut[1], links, [1], ["it"], []))
            row = pronoun_rows(found[0], [found[1]]).tolist()[0]
            assert [name for name, n in zip(OUTCOMES, row, strict=True) if n] == [twin.outcome(own, other)]


def test_languages_without_a_list() -> None:
    with pytest.raises(SpecError, match="no list of pronouns of the language 'cs': name them"):
        tt.metric("doc:pronouns:source_lang=cs")
    assert tt.metric("doc:pronouns:on+ona,source_lang=cs").label == "doc:pronouns[on+ona]"
