"""A comparison to make reports from: the bundled sample with its true scores.

Scores, differences, buckets, preferences, favouritism and components are computed from the sample. Everything that
needs a test of significance (intervals, p-values, clusters, smallest differences) and the findings are MADE UP for
these tests: they are there to be shown, not to be believed.
"""

from __future__ import annotations

from typing import Any

import tertium as tt
from tertium.testset import TestSet

METRICS = ("bleu", "chrf", "ter", "macrof1")
LENGTHS = (("1-7", 1, 7), ("8-14", 8, 14), ("15+", 15, 10**9))


def sample_comparison() -> dict[str, Any]:
    """All parts of a report, from the bundled sample."""
    sample = TestSet.sample()
    systems = {name: [line or "" for line in lines] for name, lines in sample.systems.items()}
    names = list(systems)
    references = [[stream[i] or "" for i in range(len(sample))] for stream in sample.references.streams]
    assert sample.sources is not None
    assert sample.documents is not None
    sources = [sample.sources[i] or "" for i in range(len(sample))]
    corpus = sample.score(METRICS)
    segments = sample.score(METRICS, level="segment")
    labels = [metric.label for metric in corpus.metrics]
    values = {name: {s.metric.label: s.value for s in corpus if s.system == name} for name in names}
    by_segment = {
        name: {s.metric.label: list(s.values) for s in segments if s.system == name} for name in names
    }
    upward = {metric.label: metric.higher_is_better for metric in corpus.metrics}
    lengths = [len(source.split()) for source in sources]
    membership = [next(b for b, (_, low, high) in enumerate(LENGTHS) if low <= n <= high) for n in lengths]
    return {
        "title": "Harbour, kitchen, court: three systems on the sample",
        "created": "2026-03-01 12:00",
        "seed": 12345,
        "version": tt.__version__,
        "systems": names,
        "baseline": "literal",
        "metrics": [
            {
                "spec": str(score.metric),
                "label": score.metric.label,
                "higher_is_better": score.metric.higher_is_better,
                "signature": score.signature,
            }
            for score in corpus
            if score.system == names[0]
        ],
        "scores": {
            name: {
                label: {"value": value, "low": value - 2.5, "high": value + 2.75, "reason": ""}  # made up
                for label, value in values[name].items()
            }
            for name in names
        },
        "pairs": _pairs(names, labels, values, upward),
        "clusters": {label: [["strong"], ["smooth", "literal"]] for label in labels},  # made up
        "buckets": [
            {
                "by": "source length",
                "unit": "words",
                "membership": membership,
                "buckets": [
                    _bucket(
                        label, [i for i, m in enumerate(membership) if m == b], systems, references, lengths
                    )
                    for b, (label, _, _) in enumerate(LENGTHS)
                ],
            },
            {
                "by": "document",
                "unit": "",
                "buckets": [
                    _bucket(
                        d, [i for i, x in enumerate(sample.documents) if x == d], systems, references, lengths
                    )
                    for d in dict.fromkeys(sample.documents)
                ],
            },
        ],
        "reversals": [
            "By BLEU, literal is ahead of smooth on the shortest sentences, smooth is ahead on the rest."  # made up
        ],
        "types": _types(sample, names),
        "preferences": [
            _preference(a, b, label, by_segment, upward, lengths)
            for label in labels
            for a, b in (("literal", "smooth"), ("literal", "strong"), ("smooth", "strong"))
        ],
        "favouritism": [
            _favouritism(spec, systems, references, "literal", "smooth") for spec in ("macrof1", "bleu")
        ],
        "components": {
            label: {s.system: dict(s.components) for s in corpus if s.metric.label == label}
            for label in labels
        },
        "doctor": [  # made up
            {
                "severity": "warning",
                "what": "7 outputs are much shorter than their source.",
                "where": "smooth, segments 4, 12, 13, 22, 31, 40, 58",
                "advice": "Look whether parts of the source were left out.",
            },
            {
                "severity": "note",
                "what": "1 output equals a reference.",
                "where": "strong, segment 19",
                "advice": "",
            },
        ],
        "segments": {
            "documents": list(sample.documents),
            "sources": sources,
            "references": references,
            "hypotheses": systems,
            "scores": by_segment,
            "metadata": {"topic": [d.partition("-")[0] for d in sample.documents]},
        },
    }


def _pairs(
    names: list[str], labels: list[str], values: dict[str, dict[str, Any]], upward: dict[str, bool]
) -> list[dict[str, Any]]:
    found = []
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            for label in labels:
                difference = values[a][label] - values[b][label]
                sure = abs(difference) > 5  # made up, as are all p-values
                p = 0.0001 if sure else 0.21
                found.append(
                    {
                        "a": a,
                        "b": b,
                        "metric": label,
                        "difference": difference,
                        "p": p,
                        "p_holm": min(1.0, 3 * p),
                        "p_bh": min(1.0, 1.5 * p),
                        "better": (a if (difference > 0) == upward[label] else b) if sure else None,
                        "smallest_detectable": 4.8,
                        "method": "made up for the test",
                        "reason": "",
                    }
                )
    return found


def _bucket(
    label: str,
    members: list[int],
    systems: dict[str, list[str]],
    references: list[list[str]],
    lengths: list[int],
) -> dict[str, Any]:
    scored = tt.score(
        {name: [texts[i] for i in members] for name, texts in systems.items()},
        [[stream[i] for i in members] for stream in references],
        METRICS,
    )
    scores: dict[str, dict[str, Any]] = {name: {} for name in systems}
    for score in scored:
        scores[score.system][score.metric.label] = score.value
    return {
        "label": label,
        "segments": len(members),
        "share_of_words": sum(lengths[i] for i in members) / sum(lengths),
        "scores": scores,
        "reason": "",
        "better": {score.metric.label: "strong" for score in scored},  # made up
    }


def _types(sample: TestSet, names: list[str]) -> dict[str, Any]:
    """The mean F1 of the most frequent types up to each rank: not the curve of the paper, but of its shape."""
    metric = tt.metric("macrof1")
    prepared = metric.prepare(sample.references)
    curves: dict[str, list[float | None]] = {}
    gets: dict[str, dict[str, Any]] = {}
    ranks = [1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 135, 200, 300, 450, 675]
    for name in names:
        statistics: Any = metric.statistics(sample.systems[name], prepared)
        table = [row for row in statistics.table() if row.reference]
        curves[name] = [100 * sum(row.f for row in table[:rank]) / rank for rank in ranks]
        for row in table:
            known = gets.setdefault(row.type, {"type": row.type, "reference": row.reference, "by": {}})
            known["by"][name] = row.matched
    split = [
        row
        for row in gets.values()
        if row["reference"] > 2 and 0 in row["by"].values() and any(row["by"].values())
    ]
    return {
        "metric": "MacroF1",
        "ranks": ranks,
        "curves": curves,
        "crossovers": [{"a": "literal", "b": "smooth", "rank": 33}],  # made up
        "gets": split[:10],
        "over": [
            {"system": "literal", "n_gram": "of the", "count": 12, "reference": 4, "log_odds": 1.09}
        ],  # made up
        "under": [
            {"system": "smooth", "n_gram": "according to", "count": 0, "reference": 3, "log_odds": -1.9}
        ],
    }


def _preference(
    a: str, b: str, label: str, scores: dict[str, dict[str, Any]], upward: dict[str, bool], lengths: list[int]
) -> dict[str, Any]:
    sign = 1 if upward[label] else -1
    gaps = [sign * (x - y) for x, y in zip(scores[a][label], scores[b][label], strict=True)]

    def shares(weights: list[int]) -> dict[str, float]:
        total = sum(weights)
        return {
            "a_share": sum(w for w, gap in zip(weights, gaps, strict=True) if gap > 0) / total,
            "b_share": sum(w for w, gap in zip(weights, gaps, strict=True) if gap < 0) / total,
            "tied_share": sum(w for w, gap in zip(weights, gaps, strict=True) if gap == 0) / total,
        }

    return {
        "a": a,
        "b": b,
        "metric": label,
        **shares([1] * len(gaps)),
        "weighted": shares(lengths),
        "note": f"{a} or {b}, by {label}",
    }


def _favouritism(
    spec: str, systems: dict[str, list[str]], references: list[list[str]], a: str, b: str
) -> dict[str, Any]:
    """Leave-one-out, the slow way."""

    def value(name: str, left_out: int | None) -> float:
        keep = [i for i in range(len(systems[name])) if i != left_out]
        streams = [[stream[i] for i in keep] for stream in references]
        found = tt.score([systems[name][i] for i in keep], streams, spec)[spec].value
        assert found is not None
        return found

    whole = {name: value(name, None) for name in (a, b)}
    rows = []
    for i in range(len(systems[a])):
        benefits = {name: whole[name] - value(name, i) for name in (a, b)}
        rows.append({"segment": i, "value": benefits[a] - benefits[b], "benefits": benefits})
    rows.sort(key=lambda row: -abs(row["value"]))
    return {"metric": tt.metric(spec).label, "a": a, "b": b, "rows": rows[:6]}


def small_comparison(**parts: Any) -> dict[str, Any]:
    """The least that a report can be made from: two systems, one metric, three segments."""
    return {
        "systems": ["A", "B"],
        "metrics": [{"spec": "bleu", "label": "BLEU", "higher_is_better": True, "signature": "made:up"}],
        "scores": {"A": {"BLEU": {"value": 30.25}}, "B": {"BLEU": {"value": 28.125}}},
        "segments": {
            "references": [["one cat", "two cats", "three cats"]],
            "hypotheses": {"A": ["one cat", "two dogs", "three"], "B": ["a cat", "two cats", "cats three"]},
            "scores": {"A": {"BLEU": [100.0, 10.5, None]}, "B": {"BLEU": [50.0, 100.0, 3.25]}},
        },
        **parts,
    }
