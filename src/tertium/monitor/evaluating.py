"""What is computed of an evaluation: the same calls as the command line makes, so the same numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import registry
from tertium.errors import TertiumError
from tertium.families.base import Metric
from tertium.families.for_texts import ChosenMetrics, leaves_words_open
from tertium.measuring import chosen_for, measure
from tertium.monitor.context import in_context
from tertium.monitor.phrases import Explaining, Span, phrases_of
from tertium.monitor.settings import equipped
from tertium.scoring import scores_of
from tertium.testset import TestSet
from tertium.web.refusals import Problem

MOST_METRICS = 20
_WORD = re.compile(r"[\w+.-]*")


@dataclass(frozen=True)
class Measurement:
    """One metric's view of a document: its score, those of the segments, and the rows that add."""

    spec: str
    metric: Metric
    signature: str
    value: float | None
    values: NDArray[np.float64]
    rows: bytes
    context: NDArray[np.float64] | None = None  # of the segments with their neighbours
    note: str = ""  # on the tokeniser, for languages without spaces between words


def defined(values: NDArray[np.float64]) -> list[float | None]:
    """Numbers as JSON has them.

    >>> defined(np.array([1.5, np.nan]))
    [1.5, None]
    """
    return [None if value != value else float(value) for value in values]


@dataclass(frozen=True)
class Evaluated:
    """All that is computed of a document: by metrics, and the words that nothing explains."""

    measurements: Sequence[Measurement]
    spans: Sequence[Sequence[Span]] | None = None
    linked: str = ""  # how words were linked


def chosen_metrics(
    specs: Sequence[str], allowed: Sequence[str], files: Mapping[str, str] = MappingProxyType({})
) -> dict[str, Metric]:
    """Metrics that a caller may ask for: those that the administrator named, and any without programs and files.

    `files` are the office's own, by the options that name them: `yisi1` has the office's vectors then.

    >>> chosen_metrics(["chrf", "bleu:smooth=floor"], []).keys()
    dict_keys(['chrf', 'bleu:smooth=floor'])
    >>> chosen_metrics(["yisi1:vectors=/etc/passwd"], [])
    Traceback (most recent call last):
    tertium.web.refusals.Problem: 'yisi1:vectors=/etc/passwd' names a file; the administrator must allow it
    """
    if len(specs) > MOST_METRICS:
        raise Problem(422, f"{len(specs)} metrics; at most {MOST_METRICS} in one call", "/metrics")
    found = {}
    for i, spec in enumerate(specs):
        if spec in found:
            continue
        where = f"/metrics/{i}"
        if spec not in allowed:
            _, _, options = spec.partition(":")
            if not all(_WORD.fullmatch(part.partition("=")[2]) for part in options.split(",")):
                raise Problem(422, f"{spec!r} names a file; the administrator must allow it", where)
        try:
            metric = registry.metric(spec)
        except TertiumError as error:
            raise Problem(422, str(error), where) from None
        if metric.runs_programs and spec not in allowed:
            raise Problem(422, f"{spec!r} runs a program; the administrator must allow it", where)
        found[spec] = equipped(metric, files)
        lacking = [name for name in metric.required if not getattr(found[spec], name)]
        if lacking:
            raise Problem(422, f"{spec!r} needs {lacking[0]}, which this office does not have", where)
    return found


def check_segments(segments: Sequence[Mapping[str, Any]], metrics: Mapping[str, Metric]) -> None:
    """Refuse segments that lack what a metric compares with."""
    needy = next((spec for spec, metric in metrics.items() if metric.needs_references), None)
    across = next((spec for spec, metric in metrics.items() if metric.needs_source), None)
    for i, segment in enumerate(segments):
        if needy and not segment["references"]:
            raise Problem(422, f"{needy} needs a reference or a post-edit", f"/segments/{i}/reference")
        if across and not segment["source"]:
            raise Problem(422, f"{across} compares with the source", f"/segments/{i}/source")


def evaluated(
    segments: Sequence[Mapping[str, Any]],
    metrics: Mapping[str, Metric],
    *,
    document: str,
    explaining: Explaining | None = None,
    context: int = 0,
    threads: int = 1,
) -> Evaluated:
    """Segments with `source`, `mt` and `references`, by all metrics; with so many neighbours, if any."""
    check_segments(segments, metrics)
    free = not any(metric.needs_references for metric in metrics.values())
    sources = [segment["source"] for segment in segments]
    outputs = [segment["mt"] for segment in segments]
    given = [segment["references"] or ([""] if free else []) for segment in segments]
    texts = TestSet.of(
        references_per_segment=given,
        systems={"mt": outputs},
        sources=sources if all(sources) else None,
        documents=[document] * len(segments),
        name=document,
    )
    chosen = {
        spec: chosen_for(str(metric) if leaves_words_open(spec) else metric, texts.references)
        for spec, metric in metrics.items()
    }
    metrics = {spec: own.metrics[0] for spec, own in chosen.items()}
    measured = measure(texts, ChosenMetrics(tuple(metrics.values())), threads=threads)
    whole, single = scores_of(measured, level="corpus"), scores_of(measured)
    wider = in_context(segments, metrics, context, document=document) if context else {}
    found = []
    for spec, metric in metrics.items():
        values = [np.nan if value is None else value for value in single["mt", metric].values]
        found.append(
            Measurement(
                spec,
                metric,
                measured.signature(metric),
                whole["mt", metric].value,
                np.array(values, dtype=np.float64),
                measured["mt", metric].to_bytes(metric),
                wider.get(spec),
                " ".join(chosen[spec].notes),
            )
        )
    spans = None if explaining is None else phrases_of(segments, explaining)
    return Evaluated(found, spans, "" if spans is None or explaining is None else explaining.signature)
