"""Rank clusters: systems that cannot be told apart share a rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def rank_clusters(ranked: Sequence[T], beats: Callable[[T, T], bool]) -> list[list[T]]:
    """Clusters of things ordered from the best down, as WMT draws them: one starts a new cluster when all above it
    are significantly better (`beats(above, it)`).

    >>> rank_clusters([9.0, 8.9, 5.0], lambda above, it: above - it > 1)
    [[9.0, 8.9], [5.0]]
    """
    clusters: list[list[T]] = []
    for place, thing in enumerate(ranked):
        if all(beats(above, thing) for above in ranked[:place]):
            clusters.append([])
        clusters[-1].append(thing)
    return clusters


def descending_clusters(ranked: Sequence[T], beats: Callable[[T, T], bool]) -> list[list[T]]:
    """Clusters of things ordered from the best down, as the WMT22 metrics task draws them (Freitag et al. 2022): one
    starts a new cluster when *any* of the current cluster is significantly better.

    >>> descending_clusters([9.0, 8.5, 7.9], lambda above, it: above - it > 1)
    [[9.0, 8.5], [7.9]]
    """
    clusters: list[list[T]] = []
    for thing in ranked:
        if not clusters or any(beats(above, thing) for above in clusters[-1]):
            clusters.append([])
        clusters[-1].append(thing)
    return clusters
