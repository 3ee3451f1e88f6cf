"""Sentences in beads: every sentence once, in order; known beads are found again; nothing teaches itself."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import _native
from tertium.text.beads import KINDS, Bead, Document, Odds, align, beads_of

LINE = st.text(alphabet="ab1 .é中\u0301", max_size=30)


def covers(beads: list[Bead], sources: int, targets: int) -> None:
    """All sentences, each once, in order, in beads of known kinds."""
    i = j = 0
    for (a, past_a), (b, past_b), _ in beads:
        assert (a, b) == (i, j)
        assert (past_a - a, past_b - b) in KINDS
        i, j = past_a, past_b
    assert (i, j) == (sources, targets)


@given(st.lists(LINE, max_size=12), st.lists(LINE, max_size=12))
def test_every_sentence_is_in_one_bead(sources: list[str], targets: list[str]) -> None:
    [beads] = align([Document(sources, targets)])
    covers(beads, len(sources), len(targets))


def made(n: int, rng: random.Random) -> tuple[list[str], list[str], dict[str, str]]:
    """Sentences of a made language pair: each word has one translation, and every tenth is a name that both have."""
    letters = "bcdfghjklm"
    names = [f"{letters[k // 100]}a{letters[k // 10 % 10]}e{letters[k % 10]}o" for k in range(400)]
    words = {name: name if k % 10 == 0 else name[::-1] for k, name in enumerate(names)}
    sources = [" ".join(rng.choices(list(words), k=rng.randint(4, 15))) for _ in range(n)]
    return sources, [" ".join(words[w] for w in line.split()) for line in sources], words


def test_known_beads_are_found() -> None:
    """Joined and dropped at known places, words of one language only known from the texts themselves."""
    rng = random.Random(4)
    sources, targets, _ = made(600, rng)
    truth, left, right, k = [], list[str](), list[str](), 0
    while k < len(sources):
        turn = rng.random()
        ours, theirs, step = sources[k : k + 1], targets[k : k + 1], 1
        if turn < 0.05:
            ours = []
        elif turn < 0.1:
            theirs = []
        elif turn < 0.2 and k + 1 < len(sources):
            ours, theirs, step = sources[k : k + 2], [" ".join(targets[k : k + 2])], 2
        truth.append(((len(left), len(left) + len(ours)), (len(right), len(right) + len(theirs))))
        left += ours
        right += theirs
        k += step
    [beads] = align([Document(left, right)])
    covers(beads, len(left), len(right))
    found = {bead[:2] for bead in beads}
    assert len(found & set(truth)) / len(truth) > 0.97
    [lengths] = align([Document(left, right)], odds=Odds(words=0.0))
    assert len({bead[:2] for bead in lengths} & set(truth)) < len(found & set(truth))


def test_a_wide_gap_is_found_within_a_band() -> None:
    """Long documents are looked at near their anchors only; 400 sentences that one side lacks are still found."""
    rng = random.Random(5)
    sources, targets, _ = made(3000, rng)
    marked = [f"{line} id{n}" for n, line in enumerate(sources)]
    theirs = [f"{line} id{n}" for n, line in enumerate(targets)]
    del theirs[1000:1400]
    [beads] = align([Document(marked, theirs)])
    covers(beads, 3000, 2600)
    alone = [bead.source[0] for bead in beads if bead.target[0] == bead.target[1]]
    assert alone == list(range(1000, 1400))


def test_one_pair_teaches_nothing() -> None:
    """A table knows pairs of words that several lines have, so that a wrong pair cannot justify itself."""
    table = _native.WordPairs()
    once = (_native.Lines(["alpha beta"]), _native.Lines(["gamma delta"]))
    table.learn(*once, iterations=5, longest=10, most=10)
    document = Document(["alpha beta"], ["gamma delta"])
    [untaught] = beads_of(document, _native.WordPairs(), Odds())
    assert beads_of(document, table, Odds()) == [untaught]
    often = _native.Lines(["alpha", "beta", "omega"] * 9), _native.Lines(["gamma", "delta", "psi"] * 9)
    table.learn(*often, iterations=5, longest=10, most=100)
    [taught] = beads_of(document, table, Odds())
    assert taught.score > untaught.score + 0.5


def test_paragraphs_keep_sentences_apart() -> None:
    """Where a paragraph begins on one side only, two sentences are joined less readily."""
    sources, targets = ["aaaa bbbb cccc.", "dddd eeee."], ["xxxx yyyy zzzz uuuu vvvv."]
    loose = align([Document(sources, targets)])[0]
    strict = align([Document(sources, targets, [True, True], [True])])[0]
    assert [bead[:2] for bead in loose] == [((0, 2), (0, 1))]
    assert [bead[:2] for bead in strict] != [((0, 2), (0, 1))]


def test_vectors_decide() -> None:
    import numpy as np

    vectors = np.eye(3, dtype=np.float32)
    ours, theirs = ["aa", "bb"], ["xx", "yy", "zz"]
    document = Document(ours, theirs, vectors=(vectors[[0, 2]], vectors))
    [beads] = align([document], odds=Odds(vectors=20.0), rounds=1)
    pairs = [
        bead[:2] for bead in beads if bead.source[0] < bead.source[1] and bead.target[0] < bead.target[1]
    ]
    assert ((0, 1), (0, 1)) in pairs
    assert any(target == (2, 3) or target[1] == 3 for source, target in pairs if source == (1, 2))


def test_bad_calls() -> None:
    finder = _native.BeadFinder(_native.WordPairs(), _native.Lines(["a"]), _native.Lines(["b"]))
    with pytest.raises(ValueError, match="a mark for each sentence"):
        finder.set_breaks(b"", b"\0")
    with pytest.raises(ValueError, match="missing"):
        _native.BeadFinder(_native.WordPairs(), _native.Lines([None]), _native.Lines(["b"]))
