"""Minimum Bayes risk decoding: of several translations the one that is most like all others, by any metric.

Kumar and Byrne 2004, https://aclanthology.org/N04-1022; with sampled translations as pseudo-references, Eikema and Aziz
2020, https://aclanthology.org/2020.coling-main.398.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium import registry
from tertium.errors import InputError
from tertium.families.base import Metric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

PAIRS = 1 << 16  # at a time


@dataclass(frozen=True)
class Decoded:
    """The best candidates of a segment: their places, texts and expected utilities, the best first."""

    places: tuple[int, ...]
    texts: tuple[str, ...]
    utilities: tuple[float, ...]


def pairwise(
    hypotheses: Sequence[str], references: Sequence[str], metric: str | Metric = "chrf", *, threads: int = 1
) -> NDArray[np.float64]:
    """The utility of each hypothesis against each reference, a row a hypothesis; higher is better (error metrics are
    negated), and never NaN.

    >>> pairwise(["a b", "c"], ["a b", "d"], "chrf").tolist()
    [[100.0, 0.0], [0.0, 0.0]]
    """
    import numpy as np

    own = registry.metric(metric)
    if not hypotheses or not references:
        raise InputError("there is nothing to compare: no hypotheses or no references")
    found = np.empty((len(hypotheses), len(references)))
    at_once = max(1, PAIRS // len(references))
    prepared = own.prepare(list(references) * min(at_once, len(hypotheses)), threads=threads)
    for begin in range(0, len(hypotheses), at_once):
        some = hypotheses[begin : begin + at_once]
        if len(some) < min(at_once, len(hypotheses)):
            prepared = own.prepare(list(references) * len(some), threads=threads)
        repeated = [text for text in some for _ in references]
        found[begin : begin + len(some)] = own.reward(repeated, prepared, threads=threads).reshape(
            len(some), -1
        )
    return found


def decode(
    candidates: Sequence[str],
    metric: str | Metric = "chrf",
    *,
    references: Sequence[str] | None = None,
    weights: ArrayLike | None = None,
    top: int = 1,
    threads: int = 1,
) -> Decoded:
    """The candidates of highest expected utility against `references` (by default the candidates themselves), which
    count equally or by `weights`. Of equals the first.

    >>> decode(["the cat sat", "a cat sat", "dogs"]).texts
    ('the cat sat',)
    """
    import numpy as np

    against = candidates if references is None else references
    utilities = pairwise(candidates, against, metric, threads=threads)
    shares = np.full(len(against), 1 / len(against))
    if weights is not None:
        given = np.asarray(weights, dtype=np.float64)
        if given.shape != (len(against),) or not (given >= 0).all() or not given.sum() > 0:
            raise InputError(f"weights must be {len(against)} numbers that are not negative, and not all 0")
        shares = given / given.sum()
    expected = utilities @ shares
    order = np.argsort(-expected, kind="stable")[:top]
    return Decoded(
        tuple(int(i) for i in order),
        tuple(candidates[i] for i in order),
        tuple(float(expected[i]) for i in order),
    )
