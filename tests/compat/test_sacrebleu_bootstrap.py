"""Confidence intervals: sacrebleu's draws, sacrebleu's numbers."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import sacrebleu as theirs

import tertium.compat.sacrebleu as ours
from tertium.compat.sacrebleu import significance

METRICS = {"BLEU": "BLEU", "chrF2": "CHRF", "TER": "TER"}

INTERVALS = {
    "ci_challenge_google.json": ("challenge/Google.fr", ["challenge/ref.fr"]),
    "ci_ted_sys1.json": ("ted/sys1.detok.eng", ["ted/ref.detok.eng"]),
    "sig_nist4_ci.json": ("multi/nist4.sys", [f"multi/nist4.ref{i}" for i in range(4)]),
}


@pytest.mark.golden
@pytest.mark.parametrize("file", INTERVALS)
def test_golden_intervals(file: str, golden: Any, golden_lines: Any) -> None:
    """What `sacrebleu --confidence --format json -w 10` printed, character for character."""
    hypotheses, references = INTERVALS[file]
    for expected in golden(f"significance/{file}"):
        metric = getattr(ours, METRICS[expected["name"]])()
        streams = [golden_lines(name) for name in references]
        score = metric.corpus_score(golden_lines(hypotheses), streams, n_bootstrap=1000)
        signature = str(metric.get_signature())
        assert json.loads(score.format(width=10, signature=signature, is_json=True)) == expected


@pytest.mark.parametrize("kind", METRICS.values())
@pytest.mark.parametrize("seed", ["12345", "7"])
def test_intervals_on_the_sample(kind: str, seed: str, sample: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As sacrebleu here and now. On NumPy 2 it keeps more in single precision, hence the tolerance."""
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    references = [sample["reference1.en"], sample["reference2.en"]]
    mine, other = getattr(ours, kind)(), getattr(theirs, kind)()
    score = mine.corpus_score(sample["system-smooth.en"], references, n_bootstrap=200)
    expected = other.corpus_score(sample["system-smooth.en"], references, n_bootstrap=200)
    assert (score._mean, score._ci) == pytest.approx((float(expected._mean), float(expected._ci)), abs=2e-5)
    assert str(score) == str(expected)
    assert str(mine.get_signature()) == str(other.get_signature())
    assert mine.get_signature().format(short=True) == other.get_signature().format(short=True)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("CHRF", {"word_order": 2, "eps_smoothing": True}),
        ("CHRF", {"char_order": 9, "beta": 3}),
        ("BLEU", {"smooth_method": "add-k", "smooth_value": 0.5, "max_ngram_order": 6}),
        ("BLEU", {"smooth_method": "floor", "effective_order": True}),
        ("TER", {"normalized": True}),
    ],
)
def test_intervals_with_options(kind: str, options: dict[str, Any]) -> None:
    """Short segments, so that resamples lack matches and orders. There sacrebleu itself fails on NumPy 2, so
    its scores of the resamples are taken one by one, from plain numbers."""
    hypotheses = ["a b c", "a", "c d", "e f g h i", "", "a b c d e f"]
    references = [["a b c d", "b", "c d", "e f x h i", "z", "a b d c e f"]]
    mine, other = getattr(ours, kind)(**options), getattr(theirs, kind)(**options)
    score = mine.corpus_score(hypotheses, references, n_bootstrap=300)
    rows = np.array(other._extract_corpus_statistics(hypotheses, references), dtype=float)
    draws = np.random.default_rng(12345).choice(len(rows), (300, len(rows)))
    resamples = [other._compute_score_from_stats(rows[picked].sum(0).tolist()) for picked in draws]
    expected = theirs.metrics.bleu.Score("all", 0.0)
    expected.estimate_ci(resamples)
    assert (score._mean, score._ci) == pytest.approx((expected._mean, expected._ci), abs=2e-5)


def test_no_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "None")
    metric = ours.CHRF()
    metric.corpus_score(["a b", "c"], [["a", "c"]], n_bootstrap=10)
    assert "|seed:none|" in str(metric.get_signature())


def test_estimate_ci_takes_scores() -> None:
    scores = [float(number) for number in np.random.default_rng(3).normal(size=1000)]
    mine, other = ours.metrics.bleu.Score("X", 1.0), theirs.metrics.bleu.Score("X", 1.0)
    for score, package in ((mine, ours), (other, theirs)):
        score.estimate_ci([package.metrics.bleu.Score("X", value) for value in scores])
    assert (mine._mean, mine._ci) == (other._mean, other._ci)
    assert significance.estimate_ci(np.array(scores)) == pytest.approx((mine._mean, mine._ci))
