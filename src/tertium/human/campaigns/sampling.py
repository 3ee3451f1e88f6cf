"""Which segments, and outputs of which systems, are judged, and in which order they are taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from tertium.errors import InputError, did_you_mean
from tertium.human.campaigns.draws import shuffled
from tertium.human.campaigns.segments import Segment
from tertium.human.campaigns.settings import Quality, Sampling

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.scores import Scores


def sampled(segments: Sequence[Segment], sampling: Sampling, seed: int) -> list[Segment]:
    """The segments that may be judged, in the order in which they are drawn.

    >>> from tertium import TestSet
    >>> from tertium.human.campaigns.segments import counted, segments_of
    >>> every = counted(segments_of(TestSet.sample()))
    >>> chosen = sampled(every, Sampling(length=(8, 24), different=True), 12345)
    >>> len(every), len(chosen), all(8 <= segment.tokens <= 24 for segment in chosen)
    (69, 63, True)
    """
    chosen = list(segments)
    if sampling.documents:
        known = {segment.document for segment in chosen}
        for document in sampling.documents:
            if document not in known:
                raise InputError(
                    f"sampling.documents: there is no document {document!r}{did_you_mean(document, known)}"
                )
        chosen = [segment for segment in chosen if segment.document in sampling.documents]
    if sampling.length is not None:
        low, high = sampling.length
        chosen = [segment for segment in chosen if low <= segment.tokens <= high]
    if sampling.quality is not None and chosen:
        chosen = of_quality(chosen, sampling.quality)
    if sampling.different:
        chosen = [segment for segment in chosen if len(segment.distinct()) > 1]
    if sampling.how == "documents":
        if not any(segment.document for segment in chosen):
            raise InputError('sampling.how is "documents", but the segments have no documents')
        order = shuffled(dict.fromkeys(segment.document for segment in chosen), seed, "documents", key=str)
        place = {document: i for i, document in enumerate(order)}
        return sorted(chosen, key=lambda segment: place[segment.document])
    chosen = shuffled(chosen, seed, "segments", key=lambda segment: segment.id)
    if sampling.how == "disagreement" and chosen:
        gaps = disagreement(chosen, sampling.metrics)
        by_gap = sorted(range(len(chosen)), key=lambda i: (-gaps[i], i))
        chosen = [chosen[i] for i in by_gap]
    return chosen


def of_quality(segments: Sequence[Segment], quality: Quality) -> list[Segment]:
    """The segments with the outputs of only those systems whose corpus score on them lies between the limits.

    >>> two = [Segment("1", {"A": "the cat sat on the mat", "B": "x"}, reference="the cat sat on the mat")]
    >>> list(of_quality(two, Quality("bleu", above=30))[0].outputs)
    ['A']
    """
    found = _scores(segments, quality.metric, "corpus", "sampling.quality")
    values = {one.system: one.value for one in found}
    low = float("-inf") if quality.above is None else quality.above
    high = float("inf") if quality.below is None else quality.below
    kept = [name for name, value in values.items() if value is not None and low < value < high]
    if not kept:
        shown = ", ".join(f"{name} {value:.1f}" for name, value in values.items() if value is not None)
        raise InputError(f"sampling.quality leaves no system: {quality.metric} of {shown}")
    return [replace(one, outputs={name: one.outputs[name] for name in kept}) for one in segments]


def disagreement(segments: Sequence[Segment], metrics: tuple[str, str]) -> list[float]:
    """How much two metrics disagree on each segment: over all pairs of systems, the largest difference between the gaps
    that the two metrics see. Scores count by their ranks among all scores of a metric, from 0 to 1, so that scales do
    not matter. With one system it is the difference of the two ranks.
    """
    import numpy as np

    names = list(segments[0].outputs)
    ranks = []
    for metric in metrics:
        found = _scores(segments, metric, "segment", "sampling.how")
        upward = found.metrics[0].higher_is_better
        values = np.array([[np.nan if v is None else v for v in one.values] for one in found])
        ranks.append(_ranks(values if upward else -values))
    first, second = ranks
    if len(names) == 1:
        return [float(gap) for gap in np.abs(first - second)[0]]
    gaps = np.zeros(len(segments))
    for i in range(len(names)):
        for j in range(i):
            gaps = np.maximum(gaps, np.abs((first[i] - first[j]) - (second[i] - second[j])))
    return [float(gap) for gap in gaps]


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean ranks from 0 to 1; undefined scores rank in the middle."""
    import numpy as np

    flat = values.ravel()
    defined = ~np.isnan(flat)
    found = np.full(len(flat), 0.5)
    _, places, counts = np.unique(flat[defined], return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts + 1) / 2
    found[defined] = middle[places.reshape(-1)] / max(1, len(places) - 1)
    return found.reshape(values.shape)


def _scores(
    segments: Sequence[Segment], metric: str, level: Literal["corpus", "segment"], key: str
) -> Scores:
    from tertium.scoring import score

    if missing := next((segment.id for segment in segments if not segment.reference), None):
        raise InputError(f"{key} needs metrics and therefore references: segment {missing} has none")
    systems = {name: [segment.outputs[name] for segment in segments] for name in segments[0].outputs}
    references = [segment.reference for segment in segments]
    return score(systems, references, metric, level=level, sources=[segment.source for segment in segments])
