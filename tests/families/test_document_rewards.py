"""Metrics over documents as rewards: a batch of paragraphs, each of which is one text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium import registry
from tertium.errors import InputError
from tertium.text.units import joined, numbered

LIFTED = ("doc:bleu", "doc:chrf++", "doc:ter", "doc:macrof1", "doc:meteor-hard", "doc:rouge:L")
OWN = [name for name in registry.METRICS if name.startswith(registry.DOCUMENT)]
SPECS = [*LIFTED, *OWN, "doc:cohesion:difference", "doc:cohesion:closeness"]


def paragraphs(lines: Any, between: str) -> list[str]:
    return joined(lines, numbered(tt.TestSet.sample().documents or ()), between)


@pytest.mark.parametrize("spec", SPECS)
def test_rewards_are_the_scores_of_documents(supply: Any, spec: str) -> None:
    """As `score` has them for segments with document ids, whether sentences are joined by blanks or lines."""
    sample = tt.TestSet.sample()
    metric = supply(registry.metric(spec))
    own, reference = sample.systems["literal"], sample.references.first
    sources = list(sample.sources or ())
    how: dict[str, Any] = {"sources": sources if metric.needs_source else None}
    found = tt.score(list(own), list(reference), metric, level="document", documents=sample.documents, **how)
    sign = 1 if metric.higher_is_better else -1
    expected = [metric.least_reward if value is None else sign * value for value in found.scores[0].values]
    for between in (metric.separator, "\n"):
        texts = [paragraphs(lines, between) for lines in (own, reference, sources)]
        given = texts[2] if metric.needs_source else None
        assert metric.reward(texts[0], texts[1], sources=given).tolist() == pytest.approx(expected, abs=1e-9)
    prepared = metric.prepare(texts[1])
    for _ in range(2):
        assert metric.reward(texts[0], prepared, sources=given).tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("spec", SPECS)
def test_rewards_of_odd_paragraphs_are_finite(supply: Any, spec: str) -> None:
    metric = supply(registry.metric(spec))
    texts = ["", "\n", "Ann sleeps.\n\nBut Ann dreams.", "...", "word " * 400]
    sources = texts if metric.needs_source else None
    rewards = metric.reward(texts, list(reversed(texts)), sources=sources)
    assert np.isfinite(rewards).all()
    assert metric.reward(texts, texts, sources=sources, undefined=-7.5).min() >= -100


def test_a_paragraph_that_says_nothing_is_not_the_closest_to_its_reference() -> None:
    reference = ["Cats sleep. Cats dream. Cats play."]
    texts = ["", "Cats sleep. Dogs dream. Cats play."]
    for how in ("difference", "ratio", "closeness"):
        empty, other = tt.metric(f"doc:cohesion:{how}").reward(texts, reference * 2)
        assert empty < other, how


def test_references_may_be_left_out_where_they_are_not_looked_at() -> None:
    text = ["Cats sleep. Cats dream."]
    assert tt.metric("doc:cohesion").reward(text).tolist() == pytest.approx([100 / 3])
    against = tt.metric("doc:cohesion:ratio,against=source,source_lang=de")
    assert against.reward(text, sources=["Katzen schlafen. Katzen träumen."]).tolist() == [100.0]
    assert tt.metric("doc:cohesion").score(text, None) == pytest.approx(100 / 3)
    with pytest.raises(InputError, match="bleu needs references"):
        tt.metric("bleu").reward(text)
