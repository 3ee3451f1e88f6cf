"""Two systems on the same documents, paired; two periods of one system, as if they had the same texts."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from tertium import registry
from tertium.comparison.significance import pair_tests
from tertium.families.base import Metric
from tertium.measuring import joined
from tertium.monitor import schema
from tertium.monitor.drift import EDGES, length_classes
from tertium.monitor.history import Evaluations, score_with_interval, scored
from tertium.statistics import Statistics
from tertium.stats.distributions import student_quantile, student_tail
from tertium.web.database import Database
from tertium.web.refusals import Problem

MANY = 10  # documents from which on they are resampled, not segments
SHOWN = 50  # documents that differ most
_done, _scores = schema.evaluations.c, schema.scores.c


def compare_systems(
    database: Database, wanted: Evaluations, spec: str, first: str, second: str
) -> dict[str, Any]:
    """The tests of `compare` on documents that two systems translated: the last translation of each counts."""
    if first == second:
        raise Problem(422, f"{first!r} cannot be compared with itself", "/second")
    metric = registry.metric(spec)
    columns = (_done.document, _done.basis, _done.size, _scores.rows, _scores.value)
    sides = []
    for name in (first, second):
        query = replace(wanted, system=name).of(scored(spec, *columns))
        sides.append({(row.domain, row.document, row.signature): row for row in database.rows(query)})
    shared = [key for key in sides[0] if key in sides[1] and _same_texts(sides[0][key], sides[1][key])]
    signatures = {signature for _, _, signature in shared}
    if not shared:
        raise Problem(404, f"there is no document that {first!r} and {second!r} both translated, by {spec}")
    if len(signatures) > 1:  # the newest is what people look at
        newest = max(shared, key=lambda key: sides[0][key].time)[2]
        shared = [key for key in shared if key[2] == newest]
    rows = {
        name: joined([Statistics.from_bytes(side[key].rows) for key in shared])
        for name, side in zip((first, second), sides, strict=True)
    }
    documents = [f"{domain}/{document}" for domain, document, _ in shared]
    whole = [name for name, key in zip(documents, shared, strict=True) for _ in range(sides[0][key].size)]
    tests = pair_tests(rows, metric, baseline=first, documents=whole if len(shared) >= MANY else None)
    pair = tests.pair(first, second)
    apart = [
        {
            "domain": key[0],
            "document": key[1],
            "first": sides[0][key].value,
            "second": sides[1][key].value,
            "first_evaluation": sides[0][key].id,
            "second_evaluation": sides[1][key].id,
        }
        for key in shared
    ]
    return {
        "metric": spec,
        "signature": shared[0][2],
        "higher_is_better": metric.higher_is_better,
        "systems": [
            {"system": own.name, "value": own.value, "low": own.low, "high": own.high}
            for own in tests.systems
        ],
        "difference": pair.difference,
        "better": pair.better,
        "p": pair.p,
        "smallest_detectable": pair.smallest_detectable,
        "test": tests.settings(),
        "sentence": tests.sentence(pair),
        "documents": len(shared),
        "segments": len(whole),
        "most_different": sorted(apart, key=_difference, reverse=True)[:SHOWN],
    }


def _same_texts(one: Any, other: Any) -> bool:
    return one.size == other.size and (one.basis == other.basis or not one.basis or not other.basis)


def _difference(own: dict[str, Any]) -> float:
    known = own["first"] is not None and own["second"] is not None
    return abs(own["second"] - own["first"]) if known else 0.0


def compare_periods(database: Database, before: Evaluations, after: Evaluations, spec: str) -> dict[str, Any]:
    """A system in two periods: the scores, and their difference if both had had the same lengths and domains.

    The second is what tells whether the system changed: scores of other texts differ because texts do.
    """
    metric = registry.metric(spec)
    sides = [_period(database, wanted, spec, metric) for wanted in (before, after)]
    signatures = [own.pop("signature") for own in sides]
    if signatures[0] != signatures[1]:
        raise Problem(422, f"{spec} is not the same in both periods: {signatures[0]} and {signatures[1]}")
    classes = [own.pop("classes") for own in sides]
    difference, low, high, p = adjusted_difference(*classes)
    return {
        "metric": spec,
        "signature": signatures[0],
        "higher_is_better": metric.higher_is_better,
        "before": sides[0],
        "after": sides[1],
        "difference": _minus(sides[1]["value"], sides[0]["value"]),
        "adjusted": difference,
        "low": low,
        "high": high,
        "p": p,
    }


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _period(database: Database, wanted: Evaluations, spec: str, metric: Metric) -> dict[str, Any]:
    query = wanted.of(scored(spec, _done.lengths, _scores.rows, _scores["values"]))
    rows = database.rows(query.where(_done.probe == ""))
    if not rows:
        raise Problem(404, f"there is nothing by {spec} in one of the periods")
    newest = rows[-1].signature
    rows = [row for row in rows if row.signature == newest]
    found: dict[tuple[str, int], list[tuple[int, float]]] = {}
    for place, row in enumerate(rows):
        values, lengths = np.frombuffer(row.values), np.frombuffer(row.lengths, dtype=np.int32)
        kinds = length_classes(lengths) if len(lengths) == len(values) else np.full(len(values), len(EDGES))
        for value, kind in zip(values.tolist(), kinds.tolist(), strict=True):
            if value == value:
                found.setdefault((row.domain, kind), []).append((place, value))
    parts = [Statistics.from_bytes(row.rows) for row in rows]
    value, low, high = score_with_interval(metric, parts)
    return {
        "signature": newest,
        "value": value,
        "low": low,
        "high": high,
        "documents": len(rows),
        "segments": sum(map(len, parts)),
        "classes": found,
    }


def adjusted_difference(
    before: dict[Any, Any], after: dict[Any, Any]
) -> tuple[float | None, float | None, float | None, float | None]:
    """Mean segment scores after minus before, as if lengths and domains were the same: the difference, its 95% interval
    and p, by Welch's t test over documents. `before` and `after`: (document, score) of segments by class."""
    difference, spread, degrees = _adjusted(before, after)
    if difference is None or not spread or not degrees:
        return difference, None, None, None
    half = student_quantile(0.975, degrees) * spread
    p = min(1.0, 2 * float(student_tail(abs(difference) / spread, degrees)))
    return difference, difference - half, difference + half, p


def _adjusted(
    before: dict[Any, Any], after: dict[Any, Any]
) -> tuple[float | None, float | None, float | None]:
    """Mean segment scores after minus before, class by class, weighted by how many segments both have; the standard
    error over documents, and its degrees of freedom (Welch and Satterthwaite's)."""
    shared = [kind for kind in before if kind in after]
    if not shared:
        return None, None, None
    weights = np.array(
        [len(before[kind]) * len(after[kind]) / (len(before[kind]) + len(after[kind])) for kind in shared]
    )
    weights /= weights.sum()
    total, variance, parts = 0.0, 0.0, 0.0
    for side, sign in ((after, 1.0), (before, -1.0)):
        documents = {
            place: i for i, place in enumerate({place for kind in shared for place, _ in side[kind]})
        }
        n = len(documents)
        changes = np.zeros(n)  # of this side's mean, where a document is left out with all its segments
        for weight, kind in zip(weights, shared, strict=True):
            where = [documents[place] for place, _ in side[kind]]
            sums = np.bincount(where, [value for _, value in side[kind]], n)
            sizes = np.bincount(where, minlength=n)
            mean = sums.sum() / sizes.sum()
            total += sign * float(weight) * float(mean)
            left = sizes.sum() - sizes
            changes += weight * np.where(left > 0, (sums.sum() - sums) / np.maximum(left, 1) - mean, 0.0)
        if n < 2:
            return total, None, None
        own = (n - 1) / n * float(((changes - changes.mean()) ** 2).sum())
        variance += own
        parts += own**2 / (n - 1)
    return total, sqrt(variance), variance**2 / parts if parts else None
