"""Hybrid systems: thousands of made systems, each segment taken from one of two real ones (Graham and Liu 2016).

Ten real systems are too few to tell metrics apart. A hybrid takes every segment from one of two systems, by the toss of
a coin; people and metrics have scored all its segments already. A hybrid is a pair of systems and a row of bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.stats.permutation import RESAMPLES, PermutationTests, compare_all
from tertium.stats.resampling import SEED, Draws

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from tertium.stats.permutation import Pairs, Vector

HYBRIDS = 10_000
FEWEST_SYSTEMS = 3


@dataclass(frozen=True, eq=False)
class Hybrids:
    """Which system gives each segment of each hybrid: `second` where its bit is set, `first` elsewhere.

    Bits are packed as `numpy.packbits(..., axis=1, bitorder="little")` packs them. `seed` is None for hybrids that
    were not drawn here.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    masks: NDArray[np.uint8]  # hybrids x bytes
    n_systems: int
    n_segments: int
    seed: int | None = None

    def __post_init__(self) -> None:
        n = len(self.first)
        if self.second.shape != (n,) or self.masks.shape != (n, (self.n_segments + 7) // 8):
            raise InputError(f"{n} hybrids need two systems and a row of {self.n_segments} bits each")
        if n and not (min(self.first.min(), self.second.min()) >= 0 and self._last() < self.n_systems):
            raise InputError(f"a hybrid is made of a system that is not one of the {self.n_systems}")
        if self.n_segments % 8 and (self.masks[:, -1] >> self.n_segments % 8).any():
            raise InputError(f"a hybrid has a bit set after its last segment, of {self.n_segments}")
        if (self.first == self.second).any():
            place = int(np.flatnonzero(self.first == self.second)[0]) + 1
            raise InputError(f"hybrid {place} is made of one system only")

    def _last(self) -> int:
        return int(max(self.first.max(), self.second.max()))

    def __len__(self) -> int:
        return len(self.first)

    @property
    def taken(self) -> NDArray[np.int64]:
        """How many segments each hybrid takes from its second system."""
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1)
        return np.asarray(bits[self.masks].sum(axis=1), dtype=np.int64)

    def by_pair(self) -> Iterator[tuple[int, int, NDArray[np.int64]]]:
        """The hybrids of each pair of systems: first, second, and the numbers of the hybrids."""
        codes = self.first * self.n_systems + self.second
        order = np.argsort(codes, kind="stable")
        edges = np.flatnonzero(np.diff(codes[order])) + 1
        for part in np.split(order, edges):
            if len(part):
                yield int(self.first[part[0]]), int(self.second[part[0]]), part

    def mixed_by_share(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Scores of the two systems, mixed by the share of segments that a hybrid has from each.

        What there is where people's scores are known for whole systems only.
        """
        known = np.asarray(scores, dtype=np.float64)
        if known.shape != (self.n_systems,):
            raise InputError(f"there are {self.n_systems} systems, but {known.size} scores")
        share = self.taken / self.n_segments
        return np.asarray((1 - share) * known[self.first] + share * known[self.second])


def draw_hybrids(
    n_systems: int,
    n_segments: int,
    hybrids: int = HYBRIDS,
    *,
    seed: int = SEED,
    documents: Sequence[int] | None = None,
) -> Hybrids:
    """Random pairs of different systems, and a fair coin for each segment; the same for a seed on every machine.
    With the number of each segment's document, from 0, a coin for each document: whole documents come from one system.

    >>> drawn = draw_hybrids(3, 10, 1000)
    >>> len(drawn), drawn.taken.mean().round(1)
    (1000, np.float64(5.0))
    >>> sorted({*draw_hybrids(3, 4, 100, documents=[0, 0, 0, 0]).taken.tolist()})
    [0, 4]
    """
    if n_systems < FEWEST_SYSTEMS:
        raise InputError(
            f"hybrids need {FEWEST_SYSTEMS} or more systems: those of {n_systems} would all lie on a straight line"
        )
    if n_segments < 1 or hybrids < 1:
        raise InputError(f"there must be at least one segment and one hybrid, not {n_segments} and {hybrids}")
    pairs = n_systems * (n_systems - 1) // 2
    draws = Draws(seed)
    chosen = np.concatenate([block.ravel() for block in draws.indices(pairs, -(-hybrids // pairs))])[:hybrids]
    one, other = np.triu_indices(n_systems, 1)
    if documents is None:
        masks = np.concatenate(list(draws.swaps(n_segments, hybrids)))
    else:
        coins = np.concatenate(list(draws.swaps(max(documents) + 1, hybrids)))
        bits = np.unpackbits(coins, axis=1, bitorder="little")[:, np.asarray(documents)]
        masks = np.packbits(bits, axis=1, bitorder="little")
    return Hybrids(
        one[chosen].astype(np.int64), other[chosen].astype(np.int64), masks, n_systems, n_segments, seed
    )


def hybrid_tests(
    human: ArrayLike,
    metrics: ArrayLike,
    hybrids: Hybrids,
    *,
    used: ArrayLike | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> PermutationTests:
    """Permutation tests of Pearson's r over hybrids for every pair of metrics (metrics x hybrids, oriented).

    Ten thousand hybrids of ten systems know no more than the ten: tests that take hybrids for independent, as
    Williams' does, reject most true nulls. Here systems change sides. A metric's score of a hybrid is divided between
    the two systems it is made of: what each system contributes in proportion to its share (by least squares over all
    hybrids), and the rest in the same proportion. `used` says which hybrids count.

    >>> rng = np.random.default_rng(1)
    >>> drawn = draw_hybrids(8, 50, 200)
    >>> human = drawn.mixed_by_share(np.arange(8.0))
    >>> metrics = [drawn.mixed_by_share(np.arange(8.0) + noise * rng.normal(size=8)) for noise in (0.1, 9)]
    >>> hybrid_tests(human, metrics, drawn).p.round(3).tolist()
    [[nan, 0.012], [nan, nan]]
    """
    counted = slice(None) if used is None else np.asarray(used, dtype=bool)
    share = (hybrids.taken / hybrids.n_segments)[counted]
    shares = np.zeros((len(share), hybrids.n_systems))
    places = np.arange(len(share))
    shares[places, hybrids.first[counted]] = 1 - share
    shares[places, hybrids.second[counted]] = share
    shares = shares[:, shares.any(axis=0)]
    systems = shares.shape[1]
    gold = np.asarray(human, dtype=np.float64)[counted]
    gold = gold - gold.mean()
    table = np.asarray(metrics, dtype=np.float64)[:, counted]
    centred = table - table.mean(axis=1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=1))
    flat = (table.min(axis=1) == table.max(axis=1)) | (gold.min() == gold.max())
    scores = np.divide(centred, spread[:, None], out=np.zeros(table.shape), where=~flat[:, None])
    effects = np.linalg.lstsq(shares, scores.T, rcond=None)[0].T
    rest = scores - effects @ shares.T
    with np.errstate(invalid="ignore", divide="ignore"):
        values = scores @ gold / np.sqrt((scores * scores).sum(axis=1) * (gold @ gold))

    def correlations(bits: Vector, sums: Vector, products: Vector, squares: Vector) -> Vector:
        """r of (1, bits) @ parts with people, from each part's sum, its product with people and all squares."""
        rows = np.concatenate([np.ones((len(bits), 1)), bits], axis=1)
        variance = ((rows @ squares) * rows).sum(axis=1) - (rows @ sums) ** 2 / len(gold)
        size = np.sqrt(np.maximum(0.0, variance) * (gold @ gold))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(size > 0, rows @ products / size, np.nan))

    def resampled(coins: NDArray[np.uint8], pairs: Pairs) -> Iterable[tuple[Vector, Vector]]:
        bits = np.unpackbits(coins, axis=1, count=systems, bitorder="little").astype(np.float64)
        for i, j in pairs:
            change = shares * (effects[j] - effects[i] + (rest[j] - rest[i])[:, None])
            sides = []
            for own, moved in ((scores[i], change), (scores[j], -change)):
                parts = np.concatenate([own[None, :], moved.T])
                sides.append(correlations(bits, parts.sum(axis=1), parts @ gold, parts @ parts.T))
            yield sides[0], sides[1]

    values = np.where(flat, np.nan, values)
    return compare_all(values.tolist(), systems, resampled, resamples=resamples, seed=seed)
