"""EED as one would explain it on paper: the slow twin of native/eed.hpp.

Stanchev, Wang and Ney, "EED: Extended edit distance measure for machine translation", WMT 2019.
"""

from __future__ import annotations


def eed(
    hypothesis: str,
    reference: str,
    *,
    alpha: float = 2.0,
    rho: float = 0.3,
    deletion: float = 0.2,
    insertion: float = 1.0,
) -> float:
    """The distance of two prepared texts, from 0 to 1."""
    hypothesis, reference = f" {hypothesis} ", f" {reference} "
    n = len(hypothesis)
    row = [0.0] + [1.0] * n
    visits = [0] * (n + 1)
    for character in reference:
        new = [row[0] + 1.0]
        for i in range(1, n + 1):
            substituted = row[i - 1] + (hypothesis[i - 1] != character)
            new.append(min(new[i - 1] + deletion, substituted, row[i] + insertion))
        cheapest = new.index(min(new))
        visits[cheapest] += 1
        if character == " ":
            new = [min(cost, new[cheapest] + alpha) for cost in new]
        row = new
    uncovered = rho * sum(
        abs(times - 1) for times in visits[1:]
    )  # once is right: more is again, none is never
    return min(1.0, (row[n] + uncovered) / (len(reference) + uncovered))
