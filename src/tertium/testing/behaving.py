"""Promises about the metric itself: what it says, what it does with odd texts, that it never changes."""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

from tertium import registry
from tertium.errors import TertiumWarning
from tertium.families.base import LEVELS, Metric
from tertium.scoring import score
from tertium.testing.comparing import content, refused, rows_of, same_scores
from tertium.testing.example import Example
from tertium.text.segments import References


def check_declarations(metric: Metric, example: Example) -> None:
    """It says what it is, and the registry knows it by its name."""
    for attribute in ("name", "title", "formula", "paper"):
        assert getattr(metric, attribute, ""), f"{type(metric).__name__}.{attribute} is empty"
    assert "\n" not in metric.title, f"{metric.name}: the title is more than one line"
    assert metric.label, f"{metric.name}: the label is empty"
    assert type(registry.metric(str(metric))) is type(metric), f"{metric} is registered for another class"
    for field in dataclasses.fields(metric):
        helped = field.metadata.get("help")
        assert helped, f"{metric.name}: option {field.name} has no help (make it with `option`)"


def check_round_trips(metric: Metric, example: Example) -> None:
    """The spec string and the signature name the metric: both lead back to an equal one."""
    spec = str(metric)
    assert registry.metric(spec) == metric, f"the spec {spec!r} gives {registry.metric(spec)}"
    for number in (1, 4, None):
        signature = metric.signature(number)
        again = registry.from_signature(metric.label, signature)
        assert again == metric, f"the signature {signature!r} of {spec} gives {again}"


def check_perfect(metric: Metric, example: Example) -> None:
    """A hypothesis equal to its reference, of ten tokens and more, has the declared perfect score."""
    if metric.perfect is None:
        return
    sources = example.perfect if metric.needs_source else None
    rows = metric.statistics(example.perfect, example.perfect, sources=sources)
    for level in LEVELS:
        found = [*metric.score_rows(rows, level).tolist(), metric.score_total(rows, level)]
        wrong = [value for value in found if value is None or abs(value - metric.perfect) > 1e-9]
        assert not wrong, f"{metric}: equal texts score {wrong[0]} at {level} level, not {metric.perfect}"


def check_empty(metric: Metric, example: Example) -> None:
    """Empty texts give a finite score, or none with a documented reason; an empty corpus is refused."""
    text = "one two three four five six seven eight nine ten"
    for hypothesis, reference in ((text, ""), ("", text), ("", ""), (" \t", "\u3000"), (text, " ")):
        sources = [text] if metric.needs_source else None
        where = f"hypothesis {hypothesis!r} against {reference!r}"
        for level in LEVELS:
            how: dict[str, Any] = {
                "sources": sources,
                "documents": ["document"] if "document" in (level, metric.scope) else None,
            }
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", TertiumWarning)  # that all hypotheses are empty
                result = score([hypothesis], [reference], metric, level=level, **how)
            (value,) = result.scores[0].values
            assert value is None or math.isfinite(value), f"{metric}: {where} scores {value} at {level} level"
            explained = value is not None or metric.undefined
            assert explained, f"{metric}: {where} has no score, and `undefined` says nothing"
    sources = [] if metric.needs_source else None
    refused(lambda: score([], [[]], metric, sources=sources), f"{metric}: an empty corpus is not refused")


def check_frozen(metric: Metric, example: Example) -> None:
    """Scoring changes neither the metric nor what it is given."""
    metric = dataclasses.replace(metric)  # one that has not been used yet
    before = hash(metric), dataclasses.astuple(metric), str(metric), dict(vars(metric))
    hypotheses, streams = list(example.hypotheses), [list(stream) for stream in example.streams]
    sources = list(example.sources)
    given = sources if metric.needs_source else None
    rows = metric.statistics(hypotheses, metric.prepare(streams), sources=given, threads=2)
    known = content(rows)
    for level in LEVELS:
        metric.score_rows(rows, level)
        metric.score_total(rows, level)
        metric.components(rows.total(), level)
        metric.verbose(rows.total(), level)
    after = hash(metric), dataclasses.astuple(metric), str(metric), dict(vars(metric))
    assert after == before, f"{metric}: scoring changed the metric"
    assert content(rows) == known, f"{metric}: scoring changed the rows"
    assert tuple(hypotheses) == example.hypotheses, f"{metric}: scoring changed the hypotheses"
    assert tuple(map(tuple, streams)) == example.streams, f"{metric}: scoring changed the references"
    assert tuple(sources) == example.sources, f"{metric}: scoring changed the sources"
    for field in dataclasses.fields(metric):
        try:
            setattr(metric, field.name, getattr(metric, field.name))
        except dataclasses.FrozenInstanceError:
            continue
        raise AssertionError(f"{metric}: option {field.name} can be changed (make it a frozen dataclass)")


def check_prepared(metric: Metric, example: Example) -> None:
    """Prepared references serve any number of systems, and only the metric that prepared them."""
    prepared = metric.prepare(example.streams)
    sources = example.sources if metric.needs_source else None
    for texts in (example.hypotheses, example.others, example.hypotheses):
        shared = metric.statistics(texts, prepared, sources=sources)
        fresh = metric.statistics(texts, example.streams, sources=sources)
        same = content(shared) == content(fresh)
        assert same, f"{metric}: prepared references give other rows than fresh ones"
        same_scores(metric, shared, fresh, "when references are prepared first")
    refused(
        lambda: metric.statistics(example.others[:-1], prepared, sources=example.sources[:-1]),
        f"{metric}: prepared references of another number of segments are not refused",
    )


def check_reward(metric: Metric, example: Example) -> None:
    """Rewards are the segment scores, turned so that higher is better, and finite whatever the texts."""
    sources = example.sources if metric.needs_source else None
    prepared = metric.prepare(example.streams)
    rows = metric.statistics(example.hypotheses, prepared, sources=sources)
    scores = metric.score_rows(rows, "segment").tolist()
    rewards = metric.reward(example.hypotheses, prepared, sources=sources).tolist()
    sign = 1 if metric.higher_is_better else -1
    for score_, reward in zip(scores, rewards, strict=True):
        assert math.isfinite(reward), f"{metric}: a reward is {reward}"
        assert math.isnan(score_) or reward == sign * score_, f"{metric}: {score_} is rewarded with {reward}"
    text = "one two three four five six seven eight nine ten"
    odd = [(text, ""), ("", text), ("", ""), (text, text)]
    hypotheses, references = [pair[0] for pair in odd], [pair[1] for pair in odd]
    given = references if metric.needs_source else None
    rewards = metric.reward(hypotheses, references, sources=given).tolist()
    assert all(map(math.isfinite, rewards)), f"{metric}: empty texts are rewarded with {rewards}"
    assert rewards[3] >= rewards[1], f"{metric}: equal texts are rewarded with less than an empty hypothesis"


def check_ragged(metric: Metric, example: Example) -> None:
    """A missing reference is as if it were not there; lists per segment are the same as streams."""
    rows = rows_of(metric, example)
    sources = example.sources if metric.needs_source else None
    lists = [[text for text in texts if text is not None] for texts in zip(*example.streams, strict=True)]
    by_segment = metric.statistics(example.hypotheses, References.per_segment(lists), sources=sources)
    same = content(by_segment) == content(rows)
    assert same, f"{metric}: references per segment give other rows than streams"
    if metric.needs_whole_set:
        return
    for i, texts in enumerate(lists):
        alone = example.take([i])
        given = sources and alone.sources
        own = metric.statistics(alone.hypotheses, [[text] for text in texts], sources=given)
        same = content(own) == content(rows.take([i]))
        assert same, f"{metric}: a None beside the references of segment {i + 1} counts"


def check_shapes(metric: Metric, example: Example) -> None:
    """References of a wrong shape are refused, never guessed."""
    three = ["a b", "c d", "e f"]
    wrong: dict[str, Any] = {
        "transposed references": [["a", "b"], ["c", "d"], ["e", "f"]],
        "fewer references than hypotheses": three[:2],
        "more references than hypotheses": [*three, "g"],
        "streams of different lengths": [three, three[:2]],
        "one string": "a b",
        "strings among lists": ["a b", ["c d"], ["e f"]],
        "no references": [],
        "a segment without reference": ["a", None, "b"],
        "numbers": [1, 2, 3],
    }
    sources = three if metric.needs_source else None
    for what, references in wrong.items():
        broken = f"{metric}: {what} instead of one stream of three is not refused"
        refused(partial(metric.statistics, three, references, sources=sources), broken)


def check_different(metrics: Sequence[Metric]) -> None:
    """Among variants, equal signatures and labels mean equal metrics, and equal metrics equal specs."""
    known: dict[tuple[str, str], Metric] = {}
    for metric in metrics:
        same = known.setdefault((metric.label, metric.signature()), metric)
        assert same == metric, f"{same} and {metric} differ, but both have the signature {metric.signature()}"
        assert str(same) == str(metric), f"{same} and {metric} are equal, but have different specs"
