"""Whether texts have to do with each other, by an estimator's lexical tables: pairs against random ones.

A pair's number is the mean, over the words of both sides, of the logarithm of how likely each is by its best link to
the other side, rare words counting more. What a number means is learnt of the texts at hand: the same sources with
the translations of other ones, of like length, tell what texts without any relation have. So nobody need know how good
the tables are: with poor ones, true pairs look much like random ones, and little is said.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tertium.estimation.view import Learnt, View
from tertium.estimation.words import KeyedWords, Numbers

LEAST = 10  # pairs, fewer than which tell nothing of random ones
OTHERS = 8  # random other sides of each
BESIDE = 16  # other sources that one target is put beside
RANDOM = 1.645  # deviations that 95 of 100 random pairs do not pass
LOW, APART = 0.2, 3.0  # a share of pairs, and how far their best is above the edge at least
STEEP = 2.0  # of scores, by deviation
_LEAST_SPREAD = 1e-4


def related(learnt: Learnt, sources: KeyedWords, targets: KeyedWords) -> Numbers:
    """How far each pair is above random ones, in deviations of theirs; nothing (NaN) where there is too little text."""
    number = len(sources)
    own = _explained(learnt, sources, targets) if number else np.zeros(0)
    if np.isfinite(own).sum() < LEAST:
        return np.full(number, np.nan)
    others = _others(targets)
    random = np.array(
        [_explained(learnt, sources, KeyedWords.of([targets.lines[i] for i in own])) for own in others]
    )
    sizes = np.log1p(np.minimum(sources.sizes, targets.sizes))
    centre = _smoothed(sizes, random)
    spread = np.sqrt(np.maximum(_smoothed(sizes, (random - centre) ** 2), _LEAST_SPREAD))
    return np.asarray((own - centre) / spread)


def beside_others(
    learnt: Learnt, sources: Sequence[str], targets: Sequence[str], others: Sequence[str] = ()
) -> Numbers:
    """How far each target is above what it has with other sources, of these and `others`, in deviations; NaN where
    there are too few."""
    pool = list(dict.fromkeys([*others, *sources]))
    sizes = KeyedWords.of(pool).sizes
    own = KeyedWords.of(sources).sizes
    beside: list[str] = []
    for place, source in enumerate(sources):
        near = np.argsort(np.abs(sizes - own[place]), kind="stable")[: BESIDE + 1].tolist()
        beside += [pool[i] for i in near if pool[i] != source][:BESIDE]
        if len(beside) < (place + 1) * BESIDE:
            return np.full(len(sources), np.nan)
    repeated = [text for text in targets for _ in range(BESIDE)]
    random = _explained(learnt, KeyedWords.of(beside), KeyedWords.of(repeated)).reshape(-1, BESIDE)
    found = _explained(learnt, KeyedWords.of(sources), KeyedWords.of(targets))
    spread = np.sqrt(np.maximum(random.var(axis=1, ddof=1), _LEAST_SPREAD))
    return np.asarray((found - random.mean(axis=1)) / spread)


def unrelated(above: Numbers) -> Numbers:
    """From 0 to 1, whether each pair has nothing to do with each other: one half at the edge, which 95 of 100 random
    pairs are below; or lower, where the tables are so poor that many true pairs are there, too."""
    known = np.isfinite(above)
    found = np.zeros(len(above))
    if known.sum() < LEAST:
        return found
    values = above[known]
    edge = min(RANDOM, float(np.quantile(values, LOW)) - APART)
    found[known] = 1 / (1 + np.exp(-np.clip(STEEP * (edge - values), -30.0, 30.0)))
    return found


def _explained(learnt: Learnt, sources: KeyedWords, targets: KeyedWords) -> Numbers:
    view = View(sources, targets, learnt)
    sums, weights = np.zeros(len(sources)), np.zeros(len(sources))
    for side, (best, _), rarity in (
        (targets, view.forward, view.rarity["target"]),
        (sources, view.backward, view.rarity["source"]),
    ):
        sums += side.sums(rarity * np.log(best))
        weights += side.sums(rarity)
    return np.where((sources.sizes > 0) & (targets.sizes > 0), sums / np.maximum(weights, 1e-9), np.nan)


def _others(targets: KeyedWords) -> list[list[int]]:
    """For each pair the places of other targets, of like length."""
    order = np.argsort(targets.sizes, kind="stable")
    found = []
    for step in range(1, min(OTHERS, len(order) - 1) + 1):
        places = np.empty(len(order), np.int64)
        places[order] = np.roll(order, -step)
        found.append(places.tolist())
    return found


def _smoothed(sizes: Numbers, values: Numbers) -> Numbers:
    """What values of random pairs, a row for each set of them, are on average: a straight line over sizes."""
    known = np.isfinite(values)
    found, all_sizes = values[known], np.broadcast_to(sizes, values.shape)[known]
    if not found.size or np.ptp(all_sizes) < 1e-9:
        return np.full(len(sizes), found.mean() if found.size else 0.0)
    slope, begin = np.polyfit(all_sizes, found, 1)
    return np.asarray(np.clip(begin + slope * sizes, *np.percentile(found, [5, 95])))
