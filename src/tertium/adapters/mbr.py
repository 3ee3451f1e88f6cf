"""Minimum Bayes risk decoding: of several translations the one that is most like all others, by any metric.

Kumar and Byrne 2004, https://aclanthology.org/N04-1022; with sampled translations as pseudo-references, Eikema and Aziz
2020, https://aclanthology.org/2020.coling-main.398.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.families.for_texts import warn_of
from tertium.measuring import chosen_for
from tertium.text.segments import References, Texts, as_lines

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
    hypotheses: Texts,
    references: Texts,
    metric: str | Metric = "chrf",
    *,
    source: str | None = None,
    threads: int = 1,
) -> NDArray[np.float64]:
    """The utility of each hypothesis against each reference, a row a hypothesis; higher is better (error metrics are
    negated), and never NaN. `source` is for metrics that need it.

    >>> pairwise(["a b", "c"], ["a b", "d"], "chrf").tolist()
    [[100.0, 0.0], [0.0, 0.0]]
    """
    import numpy as np

    rows, columns = _texts(hypotheses, "hypotheses"), _texts(references, "references")
    if not rows or not columns:
        raise InputError("there is nothing to compare: no hypotheses or no references")
    chosen = chosen_for(metric, References.of(columns))
    warn_of(chosen.notes)
    [own] = chosen.metrics
    found = np.empty((len(rows), len(columns)))
    # Weights over the whole set are of the references, which repeated references could change.
    at_once = 1 if own.needs_whole_set else min(max(1, PAIRS // len(columns)), len(rows))
    prepared = own.prepare(columns * at_once, threads=threads)
    for begin in range(0, len(rows), at_once):
        some = rows[begin : begin + at_once]
        if len(some) < at_once:
            prepared = own.prepare(columns * len(some), threads=threads)
        repeated = [text for text in some for _ in columns]
        origin = None if source is None else [source] * len(repeated)
        utilities = own.reward(repeated, prepared, sources=origin, threads=threads)
        found[begin : begin + len(some)] = utilities.reshape(len(some), -1)
    return found


def decode(
    candidates: Texts,
    metric: str | Metric = "chrf",
    *,
    references: Texts | None = None,
    weights: ArrayLike | None = None,
    source: str | None = None,
    top: int = 1,
    threads: int = 1,
) -> Decoded:
    """The candidates of highest expected utility against `references` (by default the candidates themselves), which
    count equally or by `weights`. Of equals the first.

    >>> decode(["the cat sat", "a cat sat", "dogs"]).texts
    ('the cat sat',)
    """
    import numpy as np

    if not isinstance(top, int | np.integer) or top < 1:
        raise InputError(f"top must be 1 or more, not {top}")
    texts = _texts(candidates, "candidates")
    against = texts if references is None else _texts(references, "references")
    utilities = pairwise(texts, against, metric, source=source, threads=threads)
    shares = np.ones(len(against))
    if weights is not None:
        shares = _weights(weights, len(against))
    # Summed exactly: equal candidates tie, wherever they stand, and the first wins.
    total = math.fsum(shares)
    expected = [math.fsum(row) / total for row in (utilities * shares).tolist()]
    order = sorted(range(len(texts)), key=lambda i: -expected[i])[:top]
    return Decoded(tuple(order), tuple(texts[i] for i in order), tuple(expected[i] for i in order))


def _texts(given: Texts, what: str) -> list[str]:
    lines = as_lines(given, what)
    return [str(lines[i]) for i in range(len(lines))]


def _weights(given: ArrayLike, number: int) -> NDArray[np.float64]:
    import numpy as np

    try:
        shares = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        shares = np.empty(0)
    fine = shares.shape == (number,) and np.isfinite(shares).all() and (shares >= 0).all() and shares.any()
    if not fine:
        raise InputError(
            f"weights must be {number} numbers that are not negative, and not all 0; "
            "of log-probabilities x take numpy.exp(x - x.max())"
        )
    # By a power of two: huge or tiny ones become ordinary, and their ratios stay.
    scaled: NDArray[np.float64] = np.ldexp(shares, -np.frexp(shares.max())[1])
    return scaled
