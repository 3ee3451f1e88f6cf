"""Slow, readable twins of the kernels that count pairs of scores."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations


def sign(value: float) -> int:
    return int(value > 0) - int(value < 0)


def pair_counts(gold: Sequence[float], metric: Sequence[float], epsilon: float = 0.0) -> list[int]:
    """Concordant, discordant, tied by gold only, by the metric only, by both."""
    counts = [0] * 5
    for i, j in combinations(range(len(gold)), 2):
        difference = metric[i] - metric[j]
        by_gold, by_metric = sign(gold[i] - gold[j]), 0 if abs(difference) <= epsilon else sign(difference)
        if by_gold and by_metric:
            counts[0 if by_gold == by_metric else 1] += 1
        elif by_metric:
            counts[2] += 1
        elif by_gold:
            counts[3] += 1
        else:
            counts[4] += 1
    return counts


def accuracy(groups: Sequence[tuple[Sequence[float], Sequence[float]]], epsilon: float) -> float:
    """The mean over groups with a pair of (concordant + tied by both) / pairs."""
    found = []
    for gold, metric in groups:
        counts = pair_counts(gold, metric, epsilon)
        if sum(counts):
            found.append((counts[0] + counts[4]) / sum(counts))
    return sum(found) / len(found)


def calibrated(groups: Sequence[tuple[Sequence[float], Sequence[float]]]) -> tuple[float, float]:
    """The best accuracy over all margins, and the smallest margin that has it."""
    margins = {0.0}
    for _, metric in groups:
        margins |= {abs(a - b) for a, b in combinations(metric, 2)}
    values = {margin: accuracy(groups, margin) for margin in margins}
    best = max(values.values())
    return best, min(margin for margin, value in values.items() if value >= best - 1e-12)
