"""Sentences about pairs of systems whose order depends on how one looks: by plain means, weighted means, or buckets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.comparison.winners import better
from tertium.families.base import Metric
from tertium.results import metric_labels, sentence

if TYPE_CHECKING:
    from tertium.comparison.buckets import Bucket
    from tertium.comparison.means import Means
    from tertium.measured import Measured


def reversals(
    measured: Measured, found: Sequence[Bucket], pairs: Sequence[tuple[str, str]], averages: Means
) -> tuple[str, ...]:
    """Sentences about pairs whose winner depends on how one looks."""
    sentences = []
    for metric, label in zip(measured.metrics, metric_labels(measured.metrics), strict=True):
        own = averages.of(metric)
        for a, b in pairs:
            i, j = measured.systems.index(a), measured.systems.index(b)
            plain, weighted = (own.plain[i], own.plain[j]), (own.weighted[i], own.weighted[j])
            parts = [
                (
                    bucket.name,
                    bucket.share_of_words or 0.0,
                    (bucket.scores[a, metric], bucket.scores[b, metric]),
                )
                for bucket in found
            ]
            sentences.append(mean_reversal(metric, (a, b), plain, weighted, label))
            sentences.append(
                bucket_reversal(metric, (a, b), "plain mean of segment scores", plain, parts, label)
            )
            sentences.append(
                bucket_reversal(metric, (a, b), "corpus score", (own.corpus[i], own.corpus[j]), parts, label)
            )
    return tuple(sentence for sentence in sentences if sentence is not None)


def bucket_reversal(
    metric: Metric,
    systems: tuple[str, str],
    whole: str,
    scores: tuple[float | None, float | None],
    parts: Sequence[tuple[str, float, tuple[float | None, float | None]]],
    label: str = "",
) -> str | None:
    """A sentence if the winner by `scores` over the whole loses the buckets that hold most words, else None.

    >>> import tertium as tt
    >>> parts = [("1-7", 0.028, (78.4, 69.2)), ("8-24", 0.34, (71.2, 71.5)), ("25+", 0.632, (70.2, 70.8))]
    >>> whole = "plain mean of segment scores"
    >>> print(bucket_reversal(tt.metric("chrf"), ("Portage", "Sockeye"), whole, (70.3, 70.0), parts))
    chrF2: Portage has the better plain mean of segment scores, but Sockeye the better score in the buckets that hold \
most words (8-24, 25+: 97.2%), and Portage only in 1-7 (2.8%)
    """
    winner = better(metric, *scores)
    if winner == 0:
        return None
    won: dict[int, list[tuple[str, float]]] = {1: [], -1: [], 0: []}
    for name, share, pair in parts:
        won[better(metric, *pair)].append((name, share))
    shares = {sign: sum(share for _, share in own) for sign, own in won.items()}
    if shares[-winner] <= shares[winner] or shares[-winner] <= shares[0]:
        return None
    first, second = systems if winner > 0 else (systems[1], systems[0])
    mine = ", ".join(name for name, _ in won[winner])
    rest = f", and {first} only in {mine} ({100 * shares[winner]:.1f}%)" if mine else ""
    names = ", ".join(name for name, _ in won[-winner])
    return sentence(
        "compare.bucket-reversal",
        metric=label or metric.label,
        first=first,
        second=second,
        whole=whole,
        buckets=f"{names}: {100 * shares[-winner]:.1f}%",
        rest=rest,
    )


def mean_reversal(
    metric: Metric,
    systems: tuple[str, str],
    plain: tuple[float | None, float | None],
    weighted: tuple[float | None, float | None],
    label: str = "",
) -> str | None:
    """A sentence if the plain mean and the length-weighted mean have different winners, else None.

    >>> import tertium as tt
    >>> print(mean_reversal(tt.metric("chrf"), ("Portage", "Sockeye"), (70.3, 70.0), (70.2, 70.4)))
    chrF2: Portage has the better plain mean of segment scores (70.30 against 70.00), but Sockeye the better mean \
weighted by length (70.40 against 70.20): short segments decide the plain mean
    """
    by_plain, by_weighted = better(metric, *plain), better(metric, *weighted)
    if by_plain * by_weighted >= 0:
        return None
    first, second = systems if by_plain > 0 else (systems[1], systems[0])
    return sentence(
        "compare.mean-reversal",
        metric=label or metric.label,
        first=first,
        second=second,
        plain=_against(plain, by_plain),
        weighted=_against(weighted, by_weighted),
    )


def _against(pair: Sequence[float | None], winner: int) -> str:
    first, second = pair if winner > 0 else (pair[1], pair[0])
    return f"{first:.2f} against {second:.2f}"
