"""How far a score would vary, from subsets of segments drawn without replacement (Politis and Romano 1994).

Drawn with replacement, a set of segments holds some of them twice and others never: it has fewer types of words
than other segments would have, and a score that counts types is shifted and varies too little. A subset has no
segment twice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def subset_size(n: int) -> int:
    """Three quarters of `n`: chosen by simulated coverage among one half, three quarters and nine tenths.

    >>> subset_size(400), subset_size(2)
    (300, 1)
    """
    return n - max(1, n // 4)


def around(score: float | None, subsets: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    """`score` of n segments, varied as it would be over other n segments.

    Means over m of n things vary by s^2 (1/m - 1/n), those over n things by s^2/n: deviations from the mean of the
    subsets' scores times sqrt(m / (n - m)).

    >>> around(5.0, np.array([4.0, 6.0]), 4).round(2).tolist()
    [3.27, 6.73]
    """
    defined = ~np.isnan(subsets)
    if score is None or not defined.any():
        return np.full_like(subsets, np.nan)
    m = subset_size(n)
    varied: NDArray[np.float64] = score + (subsets - subsets[defined].mean()) * np.sqrt(m / (n - m))
    return varied
