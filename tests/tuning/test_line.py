"""The line search is exact: envelopes against their twin, scores against every choice there is along the line."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium import _native, registry
from tertium.families.base import Metric
from tertium.nbest import score_nbest
from tertium.statistics import Statistics
from tertium.testing import content
from tertium.tuning.line import line
from tertium.tuning.objective import CandidatePart, Objective
from tests.conftest import each_metric
from tests.tuning.made import lists
from tests.twins.envelopes import envelope

WHOLE = st.integers(-6, 6).map(float)  # so that many lines are parallel, equal, or meet in one point


@settings(deadline=None, max_examples=200)
@given(st.lists(st.lists(st.tuples(WHOLE, WHOLE), min_size=1, max_size=7), min_size=1, max_size=4))
def test_envelopes_are_those_of_the_twin(sentences: list[list[tuple[float, float]]]) -> None:
    offsets, slopes = (np.array([pair[i] for own in sentences for pair in own]) for i in (0, 1))
    starts = np.concatenate([[0], np.cumsum([len(own) for own in sentences])]).astype(np.int64)
    first, where, before, after = map(np.asarray, _native.envelopes(offsets, slopes, starts))
    expected: list[Any] = []
    for s, (begin, end) in enumerate(pairwise(starts.tolist())):
        chosen, turns = envelope(offsets[begin:end].tolist(), slopes[begin:end].tolist())
        assert first[s] == begin + chosen
        expected += [(float(x), s, begin + a, begin + b) for x, a, b in turns]
    expected.sort(key=lambda turn: turn[:2])
    assert where.tolist() == pytest.approx([turn[0] for turn in expected], abs=1e-12)
    if all(a == b or abs(a - b) > 1e-9 for a, b in pairwise(turn[0] for turn in expected)):
        assert before.tolist() == [turn[2] for turn in expected]
        assert after.tolist() == [turn[3] for turn in expected]


@pytest.mark.parametrize(
    ("offsets", "starts", "message"),
    [
        ([1.0, 2.0], [0, 1], "cover"),
        ([1.0, 2.0], [0, 0, 2], "needs a candidate"),
        ([1.0, np.nan], [0, 2], "finite"),
        ([], [], "cover"),
    ],
)
def test_what_envelopes_refuse(offsets: list[float], starts: list[int], message: str) -> None:
    numbers = np.array(offsets, dtype=np.float64)
    with pytest.raises(ValueError, match=message):
        _native.envelopes(numbers, numbers, np.array(starts, dtype=np.int64))


def objective(spec: str, seed: int = 1, sentences: int = 12, candidates: int = 5) -> Objective:
    found, references = lists(sentences, candidates, 3, seed)
    scores = score_nbest(found.nbest, references, [spec])
    starts = np.arange(0, sentences * candidates + 1, candidates)
    return Objective(CandidatePart(found.values, starts), scores.metrics[0], scores.rows[0])


def by_brute_force(own: Objective, weights: Any, direction: Any) -> list[tuple[float, float]]:
    """Scores on a fine grid and between all places where two candidates of a sentence meet."""
    a, b = own.part.sums(weights), own.part.sums(direction)
    meeting = set()
    for begin, end in pairwise(own.part.starts.tolist()):
        for i in range(begin, end):
            for j in range(i):
                if j >= begin and b[i] != b[j]:
                    meeting.add((a[i] - a[j]) / (b[j] - b[i]))
    places = sorted(meeting)
    between = [(x + y) / 2 for x, y in pairwise(places) if y - x > 1e-9]
    grid = np.linspace(places[0] - 1, places[-1] + 1, 200).tolist()
    return [(x, own.of_choice(own.part.highest(a + x * b))) for x in (*between, *grid)]


@pytest.mark.parametrize("spec", ["bleu", "bleu:PABC4", "ter", "chrf", "macrof1", "nist"])
@pytest.mark.parametrize("seed", [1, 2])
def test_the_line_is_exact(spec: str, seed: int) -> None:
    own = objective(spec, seed)
    rng = np.random.default_rng(seed)
    weights, direction = rng.normal(size=(2, 3))
    found = line(own, weights, direction)
    assert len(found.turns) == len(found.values) - 1 == len(found.places) - 1 > 5
    assert (np.diff(found.turns) > 0).all()
    for x, value in by_brute_force(own, weights, direction):
        if np.abs(found.turns - x).min() > 1e-7:
            assert found.values[np.searchsorted(found.turns, x)] == value
    place, best = found.best()
    assert best == found.values.max() == max(value for _, value in by_brute_force(own, weights, direction))
    assert own.of_weights(weights + place * direction) == best


def test_equal_scores_take_the_nearest_place() -> None:
    own = objective("ter")
    found = line(own, np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 0.0]))  # nothing changes along it
    assert found.best() == (0.0, own.of_weights(np.array([1.0, 0.0, 0.0])))


def test_sums_of_features_do_not_depend_on_the_others() -> None:
    """The same sum for a candidate, whatever part it is in: choices must not depend on the part."""
    rng = random.Random(3)
    features = np.array([[rng.gauss(0, 1) for _ in range(30)] for _ in range(7)])
    part = CandidatePart(features, np.arange(0, 31, 5))
    weights = np.array([rng.gauss(0, 1) for _ in range(7)])
    half, numbers = part.taken(np.array([1, 4, 5]))
    np.testing.assert_array_equal(half.sums(weights), part.sums(weights)[numbers])
    np.testing.assert_array_equal(numbers[half.chosen(weights)], part.chosen(weights)[[1, 4, 5]])


def test_gains_within_the_corpus() -> None:
    for spec in ("bleu", "ter", "macrof1"):
        own = objective(spec)
        choice = own.part.chosen(np.array([1.0, 0.5, 0.2]))
        gains = own.corpus_gains(choice)
        for candidate in (0, 7, 31, 59):
            other = choice.copy()
            other[own.part.sentences[candidate]] = candidate
            expected = (own.of_choice(other) - own.of_choice(choice)) * len(own.part)
            assert gains[candidate] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("spec", each_metric())
def test_exchanges_by_every_metric(supply: Any, spec: str) -> None:
    """Rows that go and come give the scores of what is there then."""
    metric = supply(registry.metric(spec))
    texts = [
        "the cat sat on a mat",
        "a cat",
        "on the mat sat",
        "hello world",
        "the mat sat on the cat",
        "you",
    ]
    references = [
        "the cat sat on the mat",
        "a cat sat",
        "on the mat we sat",
        "hello",
        "the cat",
        "you and you",
    ]
    rows = metric.statistics(texts, references, sources=texts if metric.needs_source else None)
    first, before, after, ends = [0, 1, 4], [1, 0, 3, 5], [3, 5, 2, 0], [0, 1, 1, 3, 4]
    chosen, expected = list(first), []
    for j, (gone, come) in enumerate(zip([None, *before], [None, *after], strict=True)):
        if gone is not None:
            chosen[chosen.index(gone)] = come
        expected += [metric.score_total(rows.take(chosen))] * ends.count(j)
    found = metric.score_exchanged(rows, first, before, after, ends)
    assert [None if value != value else value for value in found.tolist()] == expected
    slow = Statistics.exchanged(rows, first, before, after, ends)
    assert content(slow) == content(rows.exchanged(first, before, after, ends))
    assert len(rows.exchanged(first, before, after, [])) == 0


def test_exchanges_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    own = objective("macrof1")
    rng = np.random.default_rng(1)
    found = line(own, *rng.normal(size=(2, 3)))
    monkeypatch.setattr("tertium.statistics.base._EXCHANGES", 3)
    monkeypatch.setattr(type(own.metric), "score_exchanged", Metric.score_exchanged)
    rng = np.random.default_rng(1)
    np.testing.assert_array_equal(line(own, *rng.normal(size=(2, 3))).values, found.values)
