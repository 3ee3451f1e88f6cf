"""Tails of the distributions that p-values come from: normal and Student's t. scipy's numbers without scipy."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_TINY = 1e-300
_TERMS = 20_000  # far more than any argument needs: the fraction converges in about sqrt(max(a, b)) terms


def normal_tail(z: float) -> float:
    """P(Z >= z) of the standard normal distribution.

    >>> round(normal_tail(1.96), 4)
    0.025
    """
    return 0.5 * math.erfc(z / math.sqrt(2))


def student_tail(t: ArrayLike, degrees: float) -> NDArray[np.float64]:
    """P(T >= t) of Student's t with `degrees` degrees of freedom, for each t; NaN stays NaN.

    With x = degrees / (degrees + t^2) it is half of the incomplete beta function I_x(degrees / 2, 1 / 2).

    >>> student_tail([0.0, 2.0, -2.0], 10).round(4).tolist()
    [0.5, 0.0367, 0.9633]
    """
    if degrees <= 0:
        raise ValueError(f"Student's t needs more than {degrees} degrees of freedom")
    given = np.asarray(t, dtype=np.float64)
    square = given * given
    with np.errstate(invalid="ignore", over="ignore"):
        x = degrees / (degrees + square)
        rest = np.where(np.isinf(square), 1.0, square / (degrees + square))  # 1 - x, without rounding it away
    half = 0.5 * incomplete_beta(degrees / 2, 0.5, x, rest)
    return np.where(given < 0, 1 - half, half)


@cache
def student_quantile(share: float, degrees: float) -> float:
    """The t below which Student's distribution has this share, by bisection of `student_tail`.

    >>> round(student_quantile(0.975, 4), 4), round(student_quantile(0.025, 30), 4)
    (2.7764, -2.0423)
    """
    if not 0 < share < 1:
        raise ValueError(f"a quantile needs a share between 0 and 1, not {share}")
    if share < 0.5:
        return -student_quantile(1 - share, degrees)
    low, high = 0.0, 1.0
    while float(student_tail(high, degrees)) > 1 - share:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if float(student_tail(middle, degrees)) > 1 - share else (low, middle)
    return high


def incomplete_beta(a: float, b: float, x: ArrayLike, rest: ArrayLike | None = None) -> NDArray[np.float64]:
    """I_x(a, b), the regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun 26.5.8).

    `rest` is 1 - x where it is known better than from x.

    >>> incomplete_beta(2, 3, [0.0, 0.5, 1.0]).round(4).tolist()
    [0.0, 0.6875, 1.0]
    """
    one = np.atleast_1d(np.asarray(x, dtype=np.float64))
    other = 1 - one if rest is None else np.atleast_1d(np.asarray(rest, dtype=np.float64))
    log_beta = _log_beta(a, b)
    with np.errstate(divide="ignore", invalid="ignore"):
        front = np.exp(a * np.log(one) + b * np.log(other) - log_beta)
    direct = one < (a + 1) / (a + b + 2)
    value = np.zeros_like(one)
    known = (one > 0) & (other > 0)  # not NaN either
    for chosen, first, second, at in ((direct & known, a, b, one), (~direct & known, b, a, other)):
        if chosen.any():
            value[chosen] = front[chosen] * _fraction(first, second, at[chosen]) / first
    value = np.where(direct, value, 1 - value)
    value = np.where(one <= 0, 0.0, np.where(other <= 0, 1.0, value))
    value[np.isnan(one)] = np.nan
    return value.reshape(np.shape(x))


def _log_beta(a: float, b: float) -> float:
    """log B(a, b). For large a the two large logarithms of gamma are never subtracted."""
    if a < b:
        a, b = b, a
    if a < 50:
        return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    # Stirling's series, term by term as differences.
    correction = _stirling(a) - _stirling(a + b)
    return math.lgamma(b) - (a - 0.5) * math.log1p(b / a) - b * math.log(a + b) + b + correction


def _stirling(a: float) -> float:
    square = a * a
    return (1 / 12 - (1 / 360 - 1 / (1260 * square)) / square) / a


def _fraction(a: float, b: float, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The continued fraction, by Lentz's method as Thompson and Barnett (1986) made it safe."""
    top, bottom = np.ones_like(x), _away(1 - (a + b) * x / (a + 1))
    bottom = 1 / bottom
    value = bottom.copy()
    for m in range(1, _TERMS):
        for coefficient in (
            m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            term = coefficient * x
            bottom = 1 / _away(1 + term * bottom)
            top = _away(1 + term / top)
            step = top * bottom
            value *= step
        if np.all(np.abs(step - 1) < 1e-15):
            break
    return value


def _away(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Away from zero, by too little to matter."""
    return np.where(np.abs(values) < _TINY, _TINY, values)
