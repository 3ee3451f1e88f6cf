"""How well scores find what is wrong: average precision, the area under the curve; ties count as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def _ranked(wrong: ArrayLike, scores: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of each distinct score, the highest first: how many have it or more, and how many of these are wrong."""
    marks, values = np.asarray(wrong, dtype=bool), np.asarray(scores, dtype=float)
    if marks.shape != values.shape:
        raise ValueError(f"{len(marks)} marks and {len(values)} scores")
    order = np.argsort(-values, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(values[order])), len(order) - 1)
    return (ends + 1).astype(float), np.cumsum(marks[order])[ends].astype(float)


def detection_precision(wrong: ArrayLike, scores: ArrayLike) -> float:
    """Average precision: the mean, over all that is wrong, of the precision at its score. NaN where nothing is wrong.

    >>> round(detection_precision([True, False, True, False], [0.9, 0.8, 0.7, 0.1]), 4)
    0.8333
    """
    if not np.any(wrong):
        return float("nan")
    seen, found = _ranked(wrong, scores)
    return float(np.sum(np.diff(found, prepend=0.0) * found / seen) / found[-1])


def area_under_curve(wrong: ArrayLike, scores: ArrayLike) -> float:
    """How likely something wrong scores higher than something right; ties are half. NaN without one of both.

    >>> area_under_curve([True, False, True, False], [0.9, 0.8, 0.7, 0.1])
    0.75
    """
    if not np.any(wrong) or np.all(wrong):
        return float("nan")
    seen, found = _ranked(wrong, scores)
    right = seen - found
    steps, before = np.diff(right, prepend=0.0), np.append(0.0, found[:-1])
    return float(np.sum(steps * (before + found) / 2.0) / (found[-1] * right[-1]))


def matthews(wrong: ArrayLike, told: ArrayLike) -> float:
    """Matthews' correlation of two yes-or-no columns; 0 where one of them does not vary.

    >>> matthews([True, True, False, False], [True, True, False, True])
    0.5773502691896258
    """
    marks, said = np.asarray(wrong, bool), np.asarray(told, bool)
    if marks.shape != said.shape:
        raise ValueError(f"{len(marks)} marks and {len(said)} answers")
    both, n = float((marks & said).sum()), float(len(marks))
    a, b = float(marks.sum()), float(said.sum())
    spread = a * (n - a) * b * (n - b)
    return (n * both - a * b) / spread**0.5 if spread > 0 else 0.0


def best_cut(wrong: ArrayLike, scores: ArrayLike) -> tuple[float, float]:
    """The score from which on telling agrees best with the marks (Matthews), and how well; the highest of several.

    >>> best_cut([True, False, True, False], [0.9, 0.2, 0.7, 0.1])
    (0.7, 1.0)
    """
    seen, found = _ranked(wrong, scores)
    n, all_wrong = seen[-1], found[-1]
    spread = all_wrong * (n - all_wrong) * seen * (n - seen)
    agreement = np.where(
        spread > 0, (n * found - all_wrong * seen) / np.sqrt(np.maximum(spread, 1e-300)), 0.0
    )
    best = int(np.argmax(agreement))
    values = np.unique(np.asarray(scores, float))[::-1]
    return float(values[best]), float(agreement[best])
