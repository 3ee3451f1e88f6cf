"""Williams' test: is one metric's correlation with people higher than another's, given that both share the people?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.stats.correlation import correlation_matrix
from tertium.stats.distributions import student_tail

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

FEWEST = 4  # the test has n - 3 degrees of freedom


def williams_p(r12: ArrayLike, r13: ArrayLike, r23: ArrayLike, n: int) -> NDArray[np.float64]:
    """One-sided p-values of "r12 is greater than r13" for dependent correlations (Williams 1959, for metrics Graham and
    Baldwin 2014).

    1 are the people, 2 and 3 the two metrics, n the number of systems or segments:

        t(n - 3) = (r12 - r13) sqrt((n - 1)(1 + r23)) / sqrt(2 K (n - 1)/(n - 3) + (r12 + r13)^2 / 4 (1 - r23)^3),
        K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23.

    Equal correlations give 0.5. NaN in, NaN out.

    >>> williams_p(0.95, 0.90, 0.93, 10).round(4).item()
    0.1461
    """
    if n < FEWEST:
        raise InputError(f"Williams' test needs {FEWEST} or more scores, there are {n}")
    a, b, c = np.broadcast_arrays(*(np.asarray(r, dtype=np.float64) for r in (r12, r13, r23)))
    k = np.maximum(0.0, 1 - a * a - b * b - c * c + 2 * a * b * c)  # a determinant: below 0 by rounding only
    spread = np.sqrt(2 * k * (n - 1) / (n - 3) + (a + b) ** 2 / 4 * (1 - c) ** 3)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (a - b) * np.sqrt((n - 1) * (1 + c)) / spread
    t = np.where(a == b, 0.0, t)  # also where both metrics are the same and nothing varies
    return student_tail(t, n - 3)


@dataclass(frozen=True, eq=False)
class WilliamsTests:
    """All metrics against all. `p[i, j]` is small where metric i correlates better with people than metric j.

    NaN: no test, because a metric is constant (`correlations` is NaN there too) or on the diagonal.
    """

    correlations: NDArray[np.float64]
    p: NDArray[np.float64]
    n: int


def williams_tests(human: ArrayLike, metrics: ArrayLike, *, absolute: bool = True) -> WilliamsTests:
    """Williams' test for each ordered pair of metrics (metrics x scores) on the same human scores.

    `absolute` compares |r| as WMT does: a metric that correlates negatively, as error rates should, is turned round
    first. Without it scores must be oriented already, and a metric that ranks backwards stays bad.

    >>> human = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    >>> found = williams_tests(human, [[1.1, 2.0, 2.9, 4.2, 5.0, 6.1], [-2, -1, -4, -3, -6, -5]])
    >>> found.correlations.round(3).tolist(), found.p[0, 1].round(4).item()
    ([0.998, 0.829], 0.0052)
    """
    rows = np.atleast_2d(np.asarray(metrics, dtype=np.float64))
    people = np.asarray(human, dtype=np.float64)
    if people.shape != rows.shape[1:]:
        raise InputError(f"there are {people.size} human scores, but the metrics have {rows.shape[1]} each")
    found = correlation_matrix(np.vstack([people, rows]))
    with_people, between = found[0, 1:], found[1:, 1:]
    if absolute:
        signs = np.where(with_people < 0, -1.0, 1.0)
        with_people, between = with_people * signs, between * np.outer(signs, signs)
    n = people.size
    if n < FEWEST:
        return WilliamsTests(with_people, np.full(between.shape, np.nan), n)
    p = williams_p(with_people[:, None], with_people[None, :], between, n)
    np.fill_diagonal(p, np.nan)
    return WilliamsTests(with_people, p, n)
