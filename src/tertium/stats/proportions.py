"""Counted successes: intervals of proportions, and exact tests of paired yes/no answers."""

from __future__ import annotations

import math
from statistics import NormalDist

_EXACT = 5_000  # trials up to which tails are summed in whole numbers


def wilson_interval(successes: float, total: int, *, confidence: float = 0.95) -> tuple[float, float] | None:
    """The interval of a proportion after Wilson (1927), good for few trials and for proportions near 0 and 1:
    (p + z²/2n ± z sqrt(p (1 - p) / n + z²/4n²)) / (1 + z²/n). None where nothing was tried.
    Successes may be a sum of shares, such as the mean answer of several judges to each question.

    >>> low, high = wilson_interval(32, 108)
    >>> round(low, 4), round(high, 4)
    (0.2184, 0.3882)
    """
    if not 0 <= successes <= total:
        raise ValueError(f"{successes} successes in {total} trials cannot be")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}")
    if total == 0:
        return None
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, spread = successes / total, z * z / total
    middle = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return (
        0.0 if successes == 0 else max(0.0, middle - half),
        1.0 if successes == total else min(1.0, middle + half),
    )


def rarely(successes: int, total: int, share: float) -> float:
    """P(X <= successes) for X ~ Binomial(total, share): how likely it is to see so few, if the share is this one.

    >>> round(rarely(0, 59, 0.05), 4)
    0.0485
    """
    from tertium.stats.distributions import incomplete_beta

    if not 0 <= successes <= total:
        raise ValueError(f"{successes} successes in {total} trials cannot be")
    if successes == total:
        return 1.0
    return float(incomplete_beta(total - successes, successes + 1, 1 - share, share))


def highest_share(successes: int, total: int, *, confidence: float = 0.95) -> float:
    """The largest share that so few successes do not speak against: the upper bound of Clopper and Pearson (1934),
    one-sided. 1 where nothing was tried.

    >>> round(highest_share(0, 59), 4), round(highest_share(3, 100), 4)
    (0.0495, 0.0757)
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, not {confidence}")
    if successes == total:
        return 1.0
    low, high = successes / total, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        if rarely(successes, total, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def sign_test(positive: int, negative: int) -> float:
    """Two-sided exact sign test: how likely is a split at least as uneven as this one, if both signs are equally
    likely? Ties are left out before. With no sign at all, 1.

    >>> sign_test(1, 5)
    0.21875
    """
    if min(positive, negative) < 0:
        raise ValueError(f"counts cannot be negative: {positive}, {negative}")
    return min(1.0, 2 * _lower_tail(positive + negative, min(positive, negative)))


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """McNemar's test (1947), exact and two-sided: do two systems that answered the same questions succeed equally
    often? It looks at the questions that only one of them got right, and is the sign test of these two counts.

    >>> mcnemar_exact(2, 10)
    0.03857421875
    """
    return sign_test(only_first, only_second)


def _lower_tail(n: int, most: int) -> float:
    """P(X <= most) for X ~ Binomial(n, 1/2), most <= n/2."""
    if n <= _EXACT:
        term: int = 1
        total: int = 1
        for k in range(most):
            term = term * (n - k) // (k + 1)
            total += term
        return float(total / (1 << n))  # whole numbers of any size are divided with one rounding
    log_term = math.lgamma(n + 1) - math.lgamma(most + 1) - math.lgamma(n - most + 1) - n * math.log(2)
    terms, ratio = [1.0], 1.0
    for k in range(most, 0, -1):  # from the largest term down, until nothing more is added
        ratio *= k / (n - k + 1)
        if ratio < 1e-18:
            break
        terms.append(ratio)
    return min(1.0, math.exp(log_term) * math.fsum(terms))
