"""How far raters agree, raw and beyond chance.

Ratings are a table: a row for each thing rated, a column for each rater, numbers for the answers, None (or NaN) where
a rater gave none. Where a coefficient is undefined, because only one answer was ever given or nothing was rated twice,
the result is None.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Ratings = Sequence[Sequence[float | None]]
Level = Literal["nominal", "ordinal", "interval"]
Weights = Literal["none", "linear", "quadratic"]


@dataclass(frozen=True)
class RawAgreement:
    """On how many of the things rated at least twice all raters agree, and the share of agreeing pairs of ratings."""

    all_agree: int
    rated_twice: int
    pairwise: float | None

    @property
    def share(self) -> float | None:
        return self.all_agree / self.rated_twice if self.rated_twice else None


def raw_agreement(ratings: Ratings) -> RawAgreement:
    """Agreement as it is counted: things on which all agree, and the mean share of agreeing pairs per thing.

    >>> found = raw_agreement([[1, 1, 1], [1, 0, 1], [0, 0, None], [1, None, None]])
    >>> found.all_agree, found.rated_twice, round(found.pairwise, 4)
    (2, 3, 0.7778)
    """
    agreed, shares = 0, []
    for row in _table(ratings):
        given = row[~np.isnan(row)]
        if len(given) < 2:
            continue
        _, counts = np.unique(given, return_counts=True)
        agreed += len(counts) == 1
        shares.append(float((counts * (counts - 1)).sum() / (len(given) * (len(given) - 1))))
    return RawAgreement(agreed, len(shares), sum(shares) / len(shares) if shares else None)


def kappa(agreement: float, expected: float) -> float | None:
    """Agreement beyond chance, (P(A) - P(E)) / (1 - P(E)), with the chance agreement given: 1/3 for three answers
    that are equally likely, as in studies of ranked pairs (better, worse, equal).

    >>> round(kappa(0.7, 1 / 3), 4)
    0.55
    """
    for name, value in (("agreement", agreement), ("expected agreement", expected)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be between 0 and 1, not {value}")
    return None if expected == 1 else (agreement - expected) / (1 - expected)


def cohen_kappa(
    first: Sequence[float | None],
    second: Sequence[float | None],
    *,
    weights: Weights = "none",
    categories: Sequence[float] | None = None,
) -> float | None:
    """Cohen's kappa (1960) of two raters: 1 - sum(w O) / sum(w E), with O the table of their answers and E the one
    that their own frequencies would give by chance. `weights` says how bad a difference is (Cohen 1968): `none`
    counts every difference as 1, `linear` and `quadratic` by the distance between the places of the two answers in
    `categories` (all answers given, in order, if not named). Things that one of them left out do not count.

    >>> round(cohen_kappa([1, 1, 0, 0, 1], [1, 0, 0, 0, 1]), 4)
    0.6154
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} answers of one rater, {len(second)} of the other")
    pairs = _table(list(zip(first, second, strict=True)), width=2)
    pairs = pairs[~np.isnan(pairs).any(axis=1)]
    if not len(pairs):
        return None
    scale = np.unique(pairs) if categories is None else np.asarray(categories, float)
    places = {float(value): place for place, value in enumerate(scale)}
    if unknown := sorted({float(value) for value in pairs.ravel()} - set(places)):
        raise ValueError(f"answers outside the categories: {unknown}")
    observed = np.zeros((len(scale), len(scale)))
    for a, b in pairs:
        observed[places[float(a)], places[float(b)]] += 1
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / len(pairs)
    distance = np.abs(np.subtract.outer(np.arange(len(scale)), np.arange(len(scale)))).astype(float)
    if weights == "none":
        distance = (distance > 0).astype(float)
    elif weights == "quadratic":
        distance = distance**2
    elif weights != "linear":
        raise ValueError(f"weights must be none, linear or quadratic, not {weights!r}")
    chance = float((distance * expected).sum())
    return None if chance == 0 else 1 - float((distance * observed).sum()) / chance


def fleiss_kappa(ratings: Ratings) -> float | None:
    """Fleiss' kappa (1971) of several raters, not necessarily the same ones for each thing: (P - Pe) / (1 - Pe), with
    P the mean share of agreeing pairs per thing and Pe the sum of the squared shares of the answers. Every thing
    needs the same number of ratings.

    >>> round(fleiss_kappa([[1, 1, 1], [0, 0, 1], [0, 0, 0], [1, 1, 0]]), 4)
    0.3333
    """
    rows = [row[~np.isnan(row)] for row in _table(ratings)]
    sizes = {len(row) for row in rows}
    if len(sizes) > 1:
        raise ValueError(
            f"Fleiss' kappa needs the same number of ratings for each item; found {min(sizes)} to {max(sizes)}"
        )
    if not rows or min(sizes) < 2:
        return None
    _, shares = np.unique(np.concatenate(rows), return_counts=True)
    expected = float(((shares / shares.sum()) ** 2).sum())
    observed = raw_agreement(ratings).pairwise
    assert observed is not None
    return None if len(shares) == 1 else (observed - expected) / (1 - expected)


def krippendorff_alpha(ratings: Ratings, *, level: Level = "nominal") -> float | None:
    """Krippendorff's alpha (2004), 1 - Do / De, for any number of raters with any answers missing. Differences count
    as 0 or 1 (`nominal`), squared (`interval`), or squared between mean ranks (`ordinal`); Do is their mean within the
    things rated at least twice, De among all answers to these.

    >>> first, second = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    >>> round(krippendorff_alpha(list(zip(first, second))), 3)  # Krippendorff (2011), section B
    0.095
    """
    rows = [row[~np.isnan(row)] for row in _table(ratings)]
    rows = [row for row in rows if len(row) >= 2]
    if not rows:
        return None
    answers = np.concatenate(rows)
    if level == "nominal":
        within = sum(_nominal(row) / (len(row) - 1) for row in rows)
        among = _nominal(answers)
    elif level in ("ordinal", "interval"):
        if level == "ordinal":
            # The ordinal difference of Krippendorff is the difference of mean ranks.
            _, places, counts = np.unique(answers, return_inverse=True, return_counts=True)
            ranks = (np.cumsum(counts) - (counts - 1) / 2)[places.reshape(-1)]
            edges = np.cumsum([len(row) for row in rows])[:-1]
            rows, answers = list(np.split(ranks, edges)), ranks
        within = sum(_squared(row) / (len(row) - 1) for row in rows)
        among = _squared(answers)
    else:
        raise ValueError(f"the level must be nominal, ordinal or interval, not {level!r}")
    return None if among == 0 else 1 - (len(answers) - 1) * within / among


def _nominal(answers: NDArray[np.float64]) -> float:
    """Ordered pairs of different answers."""
    _, counts = np.unique(answers, return_counts=True)
    return float(len(answers) ** 2 - (counts**2).sum())


def _squared(answers: NDArray[np.float64]) -> float:
    """The sum of squared differences over ordered pairs: 2 n sum of (x - mean)²."""
    if len(answers) and (answers == answers[0]).all():
        return 0.0
    return float(2 * len(answers) * ((answers - answers.mean()) ** 2).sum())


def _table(ratings: Ratings, width: int = 0) -> NDArray[np.float64]:
    rows = [[np.nan if value is None else value for value in row] for row in ratings]
    if len({len(row) for row in rows}) > 1:
        raise ValueError(
            "every row of ratings needs an entry for every rater: give None for a missing answer"
        )
    return np.array(rows, dtype=float).reshape(len(rows), len(rows[0]) if rows else width)
