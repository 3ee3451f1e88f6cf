"""METEOR over paragraphs: by hand, from links; files, parses and what is refused."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.errors import SpecError
from tertium.text.alignment import Aligner
from tests.families.test_golden_morphology import conllu

HYPOTHESIS = "The dogs ran home . It was late ."
REFERENCE = "It was late . Then the dog ran home ."


def by_hand(links: list[tuple[int, int]], own: int, theirs: int, weights: list[float]) -> float:
    """Equations 3 and 4."""
    ordered = sorted(links)
    chunks = 1 + sum((k - i, m - j) != (1, 1) for (i, j), (k, m) in pairwise(ordered))
    precision, recall = sum(weights) / own, sum(weights) / theirs
    return 1000 * precision * recall / (recall + 9 * precision) * (1 - 0.5 * (chunks / len(links)) ** 3)


def test_hard_and_soft_by_hand() -> None:
    ours, theirs = HYPOTHESIS.lower().split(), REFERENCE.lower().split()
    links = list(Aligner(alike=True).align_many([ours], [theirs])[0])
    assert links == [(0, 5), (1, 6), (2, 7), (3, 8), (5, 0), (6, 1), (7, 2), (8, 9)]
    hard = tt.metric("doc:meteor:normalize=lower")
    assert hard.score([HYPOTHESIS], [REFERENCE]) == pytest.approx(by_hand(links, 9, 10, [1.0] * 8))
    soft = tt.metric("doc:meteor:soft,vectors=letters,normalize=lower")
    weights = [1.0] * 8
    weights[1] = 2 * 2 / (3 + 2)  # do og gs; do og
    assert soft.score([HYPOTHESIS], [REFERENCE]) == pytest.approx(by_hand(links, 9, 10, weights))
    parts = hard.components(hard.total([HYPOTHESIS], [REFERENCE]))
    assert (parts["chunks"], parts["hypothesis_length"], parts["reference_length"]) == (3, 9, 10)


def test_sentence_boundaries_do_not_matter() -> None:
    cut = tt.score(
        ["The dogs ran home .", "It was late ."],
        ["It was late . Then", "the dog ran home ."],
        "doc:meteor",
        documents=["d", "d"],
    )
    assert cut.scores[0].value == tt.metric("doc:meteor").score([HYPOTHESIS], [REFERENCE])


def test_a_wrong_word_in_the_right_place_is_no_match() -> None:
    pair = ["He saw a big dog there ."], ["He saw a big cat there ."]
    alike, every = (tt.metric(f"doc:meteor:links={links}").score(*pair) for links in ("alike", "all"))
    assert alike is not None
    assert every is not None
    assert alike < every
    assert tt.metric("doc:meteor").reward(["dog"], ["cat"]).tolist() == [0.0]


def test_rewards_are_scores_of_documents() -> None:
    metric = tt.metric("doc:meteor")
    prepared = metric.prepare([REFERENCE] * 3)
    rewards = metric.reward([HYPOTHESIS, "", REFERENCE], prepared, threads=2)
    assert rewards.tolist() == [metric.score([text], [REFERENCE]) for text in (HYPOTHESIS, "", REFERENCE)]
    assert rewards.argmax() == 2
    assert not np.isnan(rewards).any()
    assert rewards[1] == 0


def test_the_best_of_several_references() -> None:
    metric = tt.metric("doc:meteor")
    both = metric.score([HYPOTHESIS], [[REFERENCE], [HYPOTHESIS]])
    assert both == metric.score([HYPOTHESIS], [HYPOTHESIS])
    assert metric.score([HYPOTHESIS], [[REFERENCE], [None]]) == metric.score([HYPOTHESIS], [REFERENCE])


def test_parses_and_vectors(tmp_path: Path) -> None:
    texts = "mice|NOUN|\nslept|VERB|\ntoday|ADV|", "nobody|PRON|\nsleeps|VERB|\nanywhere|ADV|"
    path = conllu(tmp_path / "both.conllu", *texts)
    plain = [" ".join(row.split("|")[0] for row in text.split("\n")) for text in texts]
    metric = tt.metric(f'doc:meteor:parser="conllu:{path}",links=all')
    assert metric.score([plain[0]], [plain[1]]) is not None
    assert "parser:" in metric.signature()
    assert "parser-hash:" in metric.signature()
    assert "parser:none" in tt.metric("doc:meteor").signature()
    vectors = tmp_path / "toy.vec"
    vectors.write_text("3 2\nsofa 1 0\ncouch 0.9 0.2\nred 0 1\n")
    pair = ["the red sofa stood here"], ["a couch stood here then"]
    hard, soft = (
        tt.metric(f'doc:meteor:{kind},vectors="{vectors}"').score(*pair) for kind in ("hard", "soft")
    )
    none = tt.metric("doc:meteor").score(*pair)
    assert none is not None
    assert none < soft < hard  # type: ignore[operator]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("doc:meteor:soft", "vectors=<file>, or vectors=letters"),
        ("doc:meteor:hrd", "did you mean"),
        ("doc:meteor:beam=3", "no beam"),
        ("doc:meteor:soft,kind=hard", "given twice"),
    ],
)
def test_refused(spec: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        tt.metric(spec).score(["a"], ["a"])
