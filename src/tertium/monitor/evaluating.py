"""What is computed of an evaluation: the same calls as the command line makes, so the same numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import registry
from tertium.errors import TertiumError
from tertium.families.base import Metric
from tertium.measuring import measure
from tertium.scoring import scores_of
from tertium.testset import TestSet
from tertium.web.refusals import Problem

USUAL = ("chrf", "ter")
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

    def data(self) -> dict[str, Any]:
        """As the service answers."""
        return {
            "metric": self.spec,
            "label": self.metric.label,
            "higher_is_better": self.metric.higher_is_better,
            "signature": self.signature,
            "value": self.value,
            "segments": defined(self.values),
        }


def defined(values: NDArray[np.float64]) -> list[float | None]:
    """Numbers as JSON has them.

    >>> defined(np.array([1.5, np.nan]))
    [1.5, None]
    """
    return [None if value != value else float(value) for value in values]


def chosen_metrics(specs: Sequence[str], allowed: Sequence[str]) -> dict[str, Metric]:
    """Metrics that a caller may ask for: those that the administrator named, and any without programs and files.

    >>> chosen_metrics(["chrf", "bleu:smooth=floor"], []).keys()
    dict_keys(['chrf', 'bleu:smooth=floor'])
    >>> chosen_metrics(["yisi1:vectors=/etc/passwd"], [])
    Traceback (most recent call last):
    tertium.web.refusals.Problem: 'yisi1:vectors=/etc/passwd' names a file; the administrator must allow it
    """
    if len(specs) > MOST_METRICS:
        raise Problem(422, f"{len(specs)} metrics; at most {MOST_METRICS} in one call", "/metrics")
    found = {}
    for i, spec in enumerate(dict.fromkeys(specs)):
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
        found[spec] = metric
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
    segments: Sequence[Mapping[str, Any]], metrics: Mapping[str, Metric], *, document: str, threads: int = 1
) -> list[Measurement]:
    """Segments with `source`, `mt` and `references`, by all metrics."""
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
    measured = measure(texts, list(metrics.values()), threads=threads)
    whole, single = scores_of(measured, level="corpus"), scores_of(measured)
    found = []
    for spec, metric in metrics.items():
        values = [np.nan if value is None else value for value in single["mt", str(metric)].values]
        found.append(
            Measurement(
                spec,
                metric,
                measured.signature(metric),
                whole["mt", str(metric)].value,
                np.array(values, dtype=np.float64),
                measured["mt", str(metric)].to_bytes(metric),
            )
        )
    return found
