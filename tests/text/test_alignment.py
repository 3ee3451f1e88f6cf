"""Links between words: Pharaoh's format, crossings, and the aligner on corpora whose links are known."""

from __future__ import annotations

import random
import re
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.io.files import read_lines
from tertium.text.alignment import crossing_share, moved_most, parse_pharaoh
from tertium.text.ibm1 import align
from tests.twins import ibm1 as twin


def test_pharaoh() -> None:
    assert parse_pharaoh("", 2, 2, "x") == ()
    assert parse_pharaoh(" 1-0  0-1 1-0 ", 2, 2, "x") == ((0, 1), (1, 0))
    for line, said in (
        ("0-0 1", "x: '1' is not a link"),
        ("0-2", "the link 0-2 is out of range: the target has 2 words"),
        ("2-0", "the source has 2 words"),
        ("-1-0", "is not a link"),
        ("0-0S", "is not a link"),
    ):
        with pytest.raises(InputError, match=said):
            parse_pharaoh(line, 2, 2, "x")


@given(st.permutations(range(6)))
def test_crossings_of_a_permutation_are_its_inversions(order: list[int]) -> None:
    links = list(enumerate(order))
    inversions = sum(order[a] > order[b] for a, b in combinations(range(6), 2))
    assert crossing_share(links) == inversions / 15
    assert (moved_most(links) is None) == (inversions == 0)


def test_links_that_share_a_word_do_not_cross() -> None:
    assert crossing_share([(0, 1), (0, 0), (1, 1)]) == 0
    assert crossing_share([(0, 0), (0, 1)]) is None
    assert crossing_share([]) is None


def test_the_aligner_finds_the_links_of_a_made_corpus() -> None:
    """Every word has one translation, and the target stands in any order: all links must be found."""
    draw = random.Random(7)
    sources, targets, truth = [], [], []
    for _ in range(300):
        words = draw.sample(range(60), 6)
        order = draw.sample(range(6), 6)
        sources.append([f"s{word}" for word in words])
        targets.append([f"t{words[place]}" for place in order])
        truth.append(tuple(sorted((place, j) for j, place in enumerate(order))))
    assert align(sources, targets) == truth


def test_what_has_no_counterpart_gets_no_link() -> None:
    draw = random.Random(3)
    sources, targets = [], []
    for _ in range(300):
        words = draw.sample(range(40), 4)
        sources.append([f"s{word}" for word in words])
        targets.append([f"t{word}" for word in words[:3]] + [f"noise{draw.randrange(5)}"])
    found = align(sources, targets)
    right = sum((place, place) in links for links in found for place in range(3))
    stray = sum(j == 3 for links in found for _, j in links)
    assert right == 900
    assert stray < 150  # of 300: the source word without its translation draws some


def test_the_nearer_of_two_equal_words_is_taken() -> None:
    pairs = [("a x a", "b y b"), ("a", "b"), ("x", "y"), ("a z", "b w"), ("z", "w")]
    assert align([s.split() for s, _ in pairs], [t.split() for _, t in pairs])[0] == ((0, 0), (1, 1), (2, 2))


def test_empty_sentences_and_new_words_are_no_trouble() -> None:
    assert align([[], ["a"], ["a"]], [["b"], [], ["b"]]) == [(), (), ((0, 0),)]
    assert align([[]], [[]]) == [()]
    assert align([], []) == []
    long = [["a"] * 61, ["b"] * 61]  # too long to learn from
    assert align(long, long) == [(), ()]


def test_names_and_numbers_of_wmt17_are_linked_to_themselves(shared: Path) -> None:
    folder = shared / "data" / "wmt17"
    sides = []
    for name in ("sources/newstest2017-deen-src.de.gz", "references/newstest2017-deen-ref.en.gz"):
        lines = read_lines(folder / name)
        sides.append([re.findall(r"\w+", lines[i] or "") for i in range(1000)])
    linked = known = 0
    for source, target, links in zip(*sides, align(*sides), strict=True):
        for i, word in enumerate(source):
            if len(word) > 3 and source.count(word) == target.count(word) == 1:
                known += 1
                linked += (i, target.index(word)) in links
    assert known > 800
    assert linked / known > 0.9


def test_links_are_those_of_the_twin_on_drawn_sentences() -> None:
    """Frequent and rare words, words twice in a sentence, too long and empty sentences, words in capitals."""
    draw = random.Random(11)
    for longest in (6, 60):
        words = [f"{draw.choice('sS')}{int(draw.paretovariate(0.6)) % 90}" for _ in range(4000)]
        cuts = [draw.randrange(12) for _ in range(600)]
        sources = [draw.sample(words, n) for n in cuts]
        targets = [
            [w.replace("s", draw.choice(["s", "t", "T"])) for w in one if draw.random() < 0.8]
            for one in sources
        ]
        assert align(sources, targets, longest=longest) == twin.align(sources, targets, longest=longest)
