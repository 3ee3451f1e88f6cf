"""Bootstrap resampling as sacrebleu does it (Koehn 2004): same seed, same draws, same numbers.

Resamples are drawn as `default_rng(seed).choice(n, (resamples, n))`, their rows summed in single precision.
Where single precision holds the sums exactly, one matrix product gives the same.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.compat.sacrebleu.metrics.base import confidence

if TYPE_CHECKING:
    from numpy.typing import NDArray

EXACT = 2**24  # single precision holds every whole number up to here
DRAWS = 2**22  # draws in memory at once


def estimate_ci(scores: Sequence[float] | NDArray[Any]) -> tuple[float, float]:
    """Mean and half the width of the 95% confidence interval.

    >>> estimate_ci([1.0, 2.0, 6.0])
    (3.0, 2.5)
    """
    return confidence([float(score) for score in scores])


def seeded() -> tuple[str, np.random.Generator]:
    """The seed as signatures print it (SACREBLEU_SEED, `none` for no seed), and the generator it starts."""
    seed = os.environ.get("SACREBLEU_SEED", "12345").lower()
    return seed, np.random.default_rng(None if seed == "none" else int(seed))


def resampled_sums(
    rows: NDArray[np.float64], rng: np.random.Generator, n_samples: int
) -> NDArray[np.float32]:
    """The summed rows of each resample, as single precision sums them.

    >>> resampled_sums(np.array([[1.0, 2.0]]), np.random.default_rng(1), 2).tolist()
    [[1.0, 2.0], [1.0, 2.0]]
    """
    n, width = rows.shape
    whole = bool((rows == np.floor(rows)).all())
    sums = np.empty((n_samples, width), dtype=np.float32)
    step = max(1, DRAWS // n)
    for start in range(0, n_samples, step):  # the same stream of draws as in one piece
        draws = rng.choice(n, size=(min(step, n_samples - start), n))
        sums[start : start + step] = _sums(rows, draws, whole)
    return sums


def _sums(rows: NDArray[np.float64], draws: NDArray[np.int64], whole: bool) -> NDArray[np.float32]:
    if whole:
        resamples, n = draws.shape
        places = (draws + n * np.arange(resamples)[:, None]).ravel()
        counts = np.bincount(places, minlength=resamples * n).reshape(resamples, n)
        exact = counts.astype(np.float64) @ rows
        if exact.max() <= EXACT:
            return exact.astype(np.float32)
    single = rows.astype(np.float32)
    return np.stack([single[picked].sum(axis=0) for picked in draws])
