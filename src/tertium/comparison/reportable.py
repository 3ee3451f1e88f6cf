"""A comparison as the report takes it: plain JSON types, in the shape of `tertium.report.contract`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.comparison.winners import better

if TYPE_CHECKING:
    from tertium.comparison.buckets import Bucket, Buckets
    from tertium.comparison.comparison import Comparison
    from tertium.comparison.groupings import Grouping
    from tertium.comparison.preferences import LabelAgreement, Rates
    from tertium.families.base import Metric

LISTED = 10  # types and n-grams of each list


def report_data(comparison: Comparison) -> dict[str, Any]:
    """Everything that the page shows.

    >>> from tertium import TestSet
    >>> from tertium.comparison import compare
    >>> made = report_data(compare(TestSet.sample(), ["chrf"], resamples=100))
    >>> made["systems"], len(made["pairs"])
    (['literal', 'smooth', 'strong'], 3)
    """
    from datetime import UTC, datetime

    from tertium import __version__

    measured = comparison.measured
    made: dict[str, Any] = {
        "title": measured.testset.name,
        "created": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "seed": comparison.seed,
        "version": __version__,
        "systems": list(measured.systems),
        "baseline": comparison.baseline,
        "metrics": [
            {
                "spec": str(metric),
                "label": label,
                "higher_is_better": metric.higher_is_better,
                "signature": metric.signature(measured.testset.references.number),
            }
            for metric, label in _labels(comparison).items()
        ],
        "scores": {name: {} for name in measured.systems},
        "pairs": list(_pairs(comparison)),
        "clusters": {
            _labels(comparison)[found.metric]: [list(cluster) for cluster in found.clusters]
            for found in comparison.tests
            if found.clusters is not None
        },
        "buckets": [
            _bucketing(comparison, grouping, own)
            for grouping, own in zip(comparison.groupings, comparison.buckets, strict=True)
        ],
        "reversals": [words for own in comparison.buckets for words in own.reversals],
        "preferences": list(_preferences(comparison)),
        "favouritism": list(_favouritism(comparison)),
        "components": {
            _labels(comparison)[own.metric]: {
                system: {part: values[i] for part, values in own.parts.items()}
                for i, system in enumerate(comparison.components.systems)
            }
            for own in comparison.components.metrics
        },
        "doctor": [
            {
                "severity": finding.severity,
                "what": finding.message,
                "where": finding.where,
                "advice": finding.advice,
            }
            for finding in comparison.doctor.findings
        ],
        "segments": _segments(comparison),
    }
    for found in comparison.tests:
        for system in found.systems:
            made["scores"][system.name][_labels(comparison)[found.metric]] = {
                "value": system.value,
                "low": system.low,
                "high": system.high,
                "reason": found.metric.undefined if system.value is None else "",
            }
    made["types"] = _types(comparison)
    return made


def _labels(comparison: Comparison) -> dict[Any, str]:
    return {found.metric: found.label for found in comparison.tests}


def _pairs(comparison: Comparison) -> Iterator[dict[str, Any]]:
    for found in comparison.tests:
        for pair in found:
            yield {
                "a": pair.first,
                "b": pair.second,
                "metric": _labels(comparison)[found.metric],
                "difference": None if pair.difference is None else -pair.difference,  # the page says a - b
                "p": pair.p,
                "p_holm": pair.p_holm,
                "p_bh": pair.p_bh,
                "better": pair.better
                if pair.significant(found.alpha)
                else None,  # the page means: surely better
                "smallest_detectable": pair.smallest_detectable,
                "method": found.settings(),
                "reason": "the outputs are equal" if pair.identical else "",
            }


def _bucketing(comparison: Comparison, grouping: Grouping, own: Buckets) -> dict[str, Any]:
    return {
        "by": own.by,
        "unit": "tokens" if "length" in own.by else "",
        "membership": [None if group < 0 else int(group) for group in grouping.groups.tolist()],
        "buckets": [_bucket(comparison, bucket) for bucket in own.buckets],
    }


def _bucket(comparison: Comparison, bucket: Bucket) -> dict[str, Any]:
    scores: dict[str, dict[str, float | None]] = {}
    for (system, metric), value in bucket.scores.items():
        scores.setdefault(system, {})[_labels(comparison)[metric]] = value
    return {
        "label": bucket.name,
        "segments": bucket.segments,
        "share_of_words": bucket.share_of_words,
        "scores": scores,
        "better": {
            label: _surely_best(bucket, comparison.measured.systems, metric)
            for metric, label in _labels(comparison).items()
        },
        "reason": "; ".join(bucket.undefined.values()),
    }


def _surely_best(bucket: Bucket, systems: tuple[str, ...], metric: Metric) -> str | None:
    """The system that beats all others in a bucket by more than chance (p < 0.05), where that was tested."""
    for one in systems:
        rest = [other for other in systems if other != one]
        p_values = [
            bucket.p_values.get((one, other, metric), bucket.p_values.get((other, one, metric)))
            for other in rest
        ]
        if all(p is not None and p < 0.05 for p in p_values) and all(
            better(metric, bucket.scores[one, metric], bucket.scores[other, metric]) > 0 for other in rest
        ):
            return one
    return None


def _shares(rates: Rates) -> dict[str, float]:
    return {"a_share": rates.first, "b_share": rates.second, "tied_share": rates.tied}


def _preferences(comparison: Comparison) -> Iterator[dict[str, Any]]:
    for found in comparison.preferences:
        a, b = found.systems
        for own in found.metrics:
            if own.plain is None:
                continue
            made: dict[str, Any] = {
                "a": a,
                "b": b,
                "metric": _labels(comparison)[own.metric],
                **_shares(own.plain),
            }
            if own.weighted is not None:
                made["weighted"] = _shares(own.weighted)
            if own.agreement is not None and own.agreement.raw is not None and found.human is not None:
                made["note"] = _agreement(made["metric"], found.systems, found.human, own.agreement)
            yield made


def _agreement(label: str, systems: tuple[str, str], human: Rates, found: LabelAgreement) -> str:
    shares = [
        f"{name} in {100 * share:.1f} %"
        for name, share in zip(systems, (human.first, human.second), strict=True)
    ]
    said = f"people prefer {' and '.join(shares)} of {found.labels} judgements"
    said += f"; {label} agrees with {100 * (found.raw or 0.0):.1f} %"
    return said + (
        "" if found.adjusted is None else f", {100 * found.adjusted:.1f} % adjusted for forced choices"
    )


def _favouritism(comparison: Comparison) -> Iterator[dict[str, Any]]:
    for pair in comparison.strongest if comparison.k else ():
        a, b = pair.systems
        for found, segments in zip(pair.favouritisms, pair.segments, strict=True):
            yield {
                "metric": _labels(comparison)[found.metric],
                "a": a,
                "b": b,
                "rows": [
                    {
                        "segment": one.segment - 1,
                        "value": one.favouritism,
                        "benefits": {
                            a: float(found.benefits[0][one.segment - 1]),
                            b: float(found.benefits[1][one.segment - 1]),
                        },
                        "tags": {own.system: own.text() for own in one.tags if own.looked_at},
                    }
                    for one in segments
                ],
            }


def _types(comparison: Comparison) -> dict[str, Any]:
    curve = comparison.curve
    data = curve.data()
    crossovers = []
    for a, b in comparison.pairs:
        turn = curve.crossover(a, b)
        if turn is not None:
            crossovers.append({"a": a, "b": b, "rank": turn.rank})
    return {
        "metric": registry.metric(curve.metric).label,
        "ranks": data["ranks"],
        "curves": data["curves"],
        "crossovers": crossovers,
        "gets": [
            {
                "type": pair[which].type,
                "reference": pair[which].reference,
                "only": found.systems[which],
                "not": found.systems[1 - which],
                "matched": pair[which].matched,
            }
            for found in comparison.type_differences
            for which, own in enumerate(found.found)
            for pair in own[:LISTED]
        ],
        "over": list(_ngrams(comparison, "over")),
        "under": list(_ngrams(comparison, "under")),
    }


def _ngrams(comparison: Comparison, side: str) -> Iterator[dict[str, Any]]:
    """By count and by log odds, each n-gram of a system once."""
    for system, found in comparison.ngrams.items():
        rankings = {
            "count": getattr(found, f"{side}_by_count")[:LISTED],
            "log odds": getattr(found, f"{side}_by_odds")[:LISTED],
        }
        for by, ranking in rankings.items():
            for one in ranking:
                yield {
                    "system": system,
                    "ranked_by": by,
                    "n_gram": one.text,
                    "outputs": one.produced,
                    "reference": one.reference,
                    "log_odds": one.log_odds,
                }


def _segments(comparison: Comparison) -> dict[str, Any]:
    measured = comparison.measured
    testset = measured.testset

    def texts(lines: Any) -> list[str | None]:
        return [lines[i] for i in range(len(lines))]

    def numbers(values: Any) -> list[float | None]:
        return [None if value != value else value for value in values.tolist()]

    return {
        "documents": None if testset.documents is None else list(testset.documents),
        "sources": None if testset.sources is None else texts(testset.sources),
        "references": [texts(stream) for stream in testset.references.streams],
        "hypotheses": {name: texts(testset.systems[name]) for name in measured.systems},
        "scores": {
            name: {
                label: numbers(measured.segment_scores(name, metric))
                for metric, label in _labels(comparison).items()
            }
            for name in measured.systems
        },
        "metadata": {column: list(values) for column, values in testset.metadata.items()},
    }
