"""Context: a segment scored together with its neighbours, by the same metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.families.base import Metric
from tertium.families.for_texts import ChosenMetrics
from tertium.measuring import measure
from tertium.scoring import scores_of
from tertium.testset import TestSet

MOST = 5  # neighbours on either side


def windows(number: int, width: int) -> list[range]:
    """For each segment, itself and its neighbours.

    >>> windows(3, 1)
    [range(0, 2), range(0, 3), range(1, 3)]
    """
    return [range(max(0, i - width), min(number, i + width + 1)) for i in range(number)]


def in_context(
    segments: Sequence[Mapping[str, Any]], metrics: Mapping[str, Metric], width: int, *, document: str
) -> dict[str, NDArray[np.float64]]:
    """Scores of segments whose texts are joined with those of their neighbours; by metrics of segments only.

    Of several references the first is joined: others need not be by the same hand throughout.
    """
    chosen = {spec: metric for spec, metric in metrics.items() if metric.scope == "segment"}
    if not chosen:
        return {}
    places = windows(len(segments), width)

    def joined(texts: Sequence[str]) -> list[str]:
        return [" ".join(texts[i] for i in window) for window in places]

    sources = [segment["source"] for segment in segments]
    first = [(segment["references"] or [""])[0] for segment in segments]
    texts = TestSet.of(
        references_per_segment=[[text] for text in joined(first)],
        systems={"mt": joined([segment["mt"] for segment in segments])},
        sources=joined(sources) if all(sources) else None,
        name=document,
    )
    found = scores_of(measure(texts, ChosenMetrics(tuple(chosen.values()))))
    return {
        spec: np.array(
            [np.nan if value is None else value for value in found["mt", metric].values],
            dtype=np.float64,
        )
        for spec, metric in chosen.items()
    }
