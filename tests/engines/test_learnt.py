"""What metrics learn from the whole set is learnt in parts, to the last bit."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import pytest

from tertium import registry
from tertium.errors import TertiumWarning
from tertium.families.base import Metric
from tertium.measuring import joined
from tertium.statistics import WholeCounts
from tertium.testing import EXAMPLE
from tertium.text.segments import References, as_lines
from tests.conftest import registered

WHOLE = [spec for spec in registered() if registry.metric(spec).needs_whole_set]
LEARNING = [spec for spec in WHOLE if registry.metric(spec).learns]
MORE = [
    *("nist:order=2,like=nltk", "doc:nist", "doc:yisi0"),
    pytest.param("bertscore:idf=references", marks=pytest.mark.heavy),
]


def test_what_needs_the_whole_set_and_cannot_be_learnt_in_parts() -> None:
    assert set(WHOLE) - set(LEARNING) == {"doc:terms", "doc:pronouns"}


def parts(n: int) -> list[tuple[int, int]]:
    step = -(-len(EXAMPLE) // n)
    return [(i, min(i + step, len(EXAMPLE))) for i in range(0, len(EXAMPLE), step)]


def learnt(metric: Metric, cuts: list[tuple[int, int]]) -> WholeCounts:
    found = WholeCounts()
    for begin, end in reversed(cuts):  # the order does not matter
        streams = [list(stream)[begin:end] for stream in EXAMPLE.streams]
        own = metric.learn(
            References(tuple(as_lines(stream, missing=True) for stream in streams)),
            list(EXAMPLE.hypotheses)[begin:end],
            sources=list(EXAMPLE.sources)[begin:end],
        )
        found.add(pickle.loads(pickle.dumps(own)))
    return found


@pytest.mark.parametrize("spec", [*LEARNING, *MORE])
@pytest.mark.parametrize("n", [1, 3, 17])
def test_parts_give_the_rows_of_the_whole(spec: str, n: int, supply: Any) -> None:
    metric = registry.metric(spec)
    metric = supply(metric) if not spec.startswith("doc:") else metric
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TertiumWarning)
        streams = References.of([list(stream) for stream in EXAMPLE.streams])
        whole = metric.statistics(list(EXAMPLE.hypotheses), streams, sources=list(EXAMPLE.sources))
        known = learnt(metric, parts(n))
        rows = []
        for begin, end in parts(n):
            own = streams.map(lambda lines, begin=begin, end=end: lines.slice(begin, end))  # type: ignore[misc]
            prepared = copy.copy(metric.prepare(own, learnt=known))
            sources = list(EXAMPLE.sources)[begin:end]
            rows.append(metric.statistics(list(EXAMPLE.hypotheses)[begin:end], prepared, sources=sources))
    assert joined(rows).to_bytes() == whole.to_bytes()
    half = len(EXAMPLE) // 2
    alone = metric.statistics(
        list(EXAMPLE.hypotheses)[:half],
        streams.map(lambda lines: lines.slice(0, half)),
        sources=list(EXAMPLE.sources)[:half],
    )
    assert alone.to_bytes() != whole.take(range(half)).to_bytes()  # what was learnt matters


def test_counts_travel() -> None:
    found = WholeCounts()
    found.count("words", {b"the": 2, "Straße".encode(): 1, b"": 7})
    found.count("lines", {b"": 3})
    other = WholeCounts()
    other.count("lines", {b"": 3})
    other.count("words", {b"": 7})
    assert found.digest() != other.digest()
    other.count("words", {b"the": 2, "Straße".encode(): 1})
    assert found.digest() == other.digest() == WholeCounts.of_arrow(found.arrow()).digest()
    assert WholeCounts.of_arrow(found.arrow()).counts("words") == found.counts("words")
    assert (found.number("lines"), found.number("nothing")) == (3, 0)
    assert not WholeCounts.of_arrow(WholeCounts().arrow()).counts("words")
