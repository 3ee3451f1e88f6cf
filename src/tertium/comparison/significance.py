"""Is the difference real? Paired bootstrap and paired approximate randomisation, for every metric.

Both work on rows of statistics alone: a resample is a row of counts, a shuffle a row of bits, and all resamples of a
system are scored in one call. What is drawn is the same for all systems, so that differences are paired.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import registry
from tertium.comparison.pair_results import PairResult, PairTests, SystemResult
from tertium.comparison.single_precision import resample_scores
from tertium.comparison.units import Runs, Systems, checked_systems, resampled_units
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.families.base import Metric
from tertium.statistics import DenseStatistics, Statistics
from tertium.stats import pvalues
from tertium.stats.clusters import rank_clusters
from tertium.stats.multiple import benjamini_hochberg, holm
from tertium.stats.power import smallest_detectable
from tertium.stats.resampling import SEED, Draws, fresh_seed

METHODS = {"bootstrap": 1_000, "randomisation": 10_000}  # and how many resamples or trials are usual
INTERVALS = 1_000  # resamples behind confidence intervals, beside a randomisation test
Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Rules:
    """How scores of resamples become intervals and p-values."""

    interval: Callable[[Scores], pvalues.Interval]
    bootstrap_p: Callable[[Scores, Scores, float], float]
    randomisation_p: Callable[[Scores, Scores, float], float]


OWN = Rules(pvalues.percentile_interval, pvalues.bootstrap_p, pvalues.randomisation_p)
LIKE = {
    "sacrebleu": Rules(
        pvalues.sacrebleu_interval, pvalues.sacrebleu_bootstrap_p, pvalues.sacrebleu_randomisation_p
    )
}


def pair_tests(
    statistics: Mapping[str, Statistics | Runs] | Iterable[tuple[str, Statistics | Runs]],
    metric: str | Metric,
    *,
    baseline: str | None = None,
    method: str = "bootstrap",
    resamples: int | None = None,
    intervals: int | None = None,
    seed: int | None = SEED,
    documents: Sequence[str] | None = None,
    like: str | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
    threads: int = 1,
) -> PairTests:
    """Test systems in pairs: each against `baseline`, or all against all.

    `statistics` has the rows of each system, or a list of several runs' rows (optimiser replicas). Where the
    `documents` of segments are known, whole documents are resampled. `intervals` is the number of resamples
    behind confidence intervals and power (0: none). `like="sacrebleu"` gives its numbers for the same seed.

    >>> import tertium as tt
    >>> ts, m = tt.TestSet.sample(), tt.metric("chrf")
    >>> rows = {name: m.statistics(texts, ts.references) for name, texts in ts.systems.items()}
    >>> found = pair_tests(rows, m, baseline="literal")
    >>> print(found.sentence(found.pair("literal", "strong")))
    strong is better than literal by 25.77 chrF2 (p = 0.001, 0.002 after Holm)
    """
    chosen = registry.metric(metric)
    systems = checked_systems(statistics)
    n_segments = len(systems[0][1][0])
    asked, between = _checked_numbers(method, resamples, intervals, like, alpha=alpha, power=power)
    if baseline is not None and baseline not in dict(systems):
        names = [name for name, _ in systems]
        raise InputError(f"there is no system {baseline!r} to be the baseline{did_you_mean(baseline, names)}")
    units, systems = resampled_units(systems, documents)
    start = fresh_seed() if seed is None else seed
    job = _Job(chosen, systems, _rules(like), like, asked, between, start, threads)
    scores = job.resampled(after_swaps=method == "randomisation", baseline=baseline)
    results = [job.system(i, scores[i]) for i in range(len(systems))]
    places = {name: i for i, (name, _) in enumerate(systems)}
    couples = (
        list(combinations(range(len(systems)), 2))
        if baseline is None
        else [(places[baseline], i) for i in range(len(systems)) if i != places[baseline]]
    )
    p_values = (
        job.bootstrap_p(couples, results, scores)
        if method == "bootstrap"
        else job.randomisation_p(couples, results)
    )
    pairs = [
        job.pair(couple, results, scores, p, partial(smallest_detectable, alpha=alpha, power=power))
        for couple, p in zip(couples, p_values, strict=True)
    ]
    found = [pair.p for pair in pairs]
    pairs = [
        replace(pair, p_holm=one, p_bh=other)
        for pair, one, other in zip(pairs, holm(found), benjamini_hochberg(found), strict=True)
    ]
    return PairTests(
        metric=chosen,
        method=method,
        resamples=asked,
        seed=start,
        units=units,
        n_units=job.n_units,
        n_segments=n_segments,
        systems=tuple(results),
        pairs=tuple(pairs),
        baseline=baseline,
        clusters=None if baseline is not None else _clusters(results, pairs, chosen, alpha),
        alpha=alpha,
        power=power,
        like=like,
        intervals=between,
    )


def _rules(like: str | None) -> Rules:
    if like is None:
        return OWN
    if like not in LIKE:
        raise SpecError(f"nothing to be compared like {like!r}{did_you_mean(like, LIKE)}")
    return LIKE[like]


def _checked_numbers(
    method: str, resamples: int | None, intervals: int | None, like: str | None, **shares: float
) -> tuple[int, int]:
    """How many resamples or trials, and how many resamples for intervals."""
    if method not in METHODS:
        raise SpecError(f"unknown test {method!r}{did_you_mean(method, METHODS)}")
    for name, share in shares.items():
        if not 0 < share < 1:
            raise SpecError(f"{name} must be between 0 and 1, not {share}")
    asked = METHODS[method] if resamples is None else resamples
    if asked < 1:
        raise SpecError(f"there must be at least one resample, not {asked}")
    if method == "bootstrap":
        return asked, asked  # the test needs what intervals are made of
    if intervals is None:
        return asked, INTERVALS if like is None else 0
    if intervals < 0:
        raise SpecError(f"intervals must be a number of resamples, or 0 for none, not {intervals}")
    return asked, intervals


@dataclass(frozen=True)
class _Job:
    """What is resampled, and how."""

    metric: Metric
    systems: Systems  # rows of units
    rules: Rules
    like: str | None
    resamples: int
    intervals: int
    seed: int
    threads: int

    @property
    def n_units(self) -> int:
        return len(self.systems[0][1][0])

    def resampled(self, *, after_swaps: bool, baseline: str | None) -> list[Scores]:
        """For each system the scores of its runs in each bootstrap resample (runs x resamples)."""
        number = self.intervals
        if not number:
            return [np.empty((len(runs), 0)) for _, runs in self.systems]
        if self.like is None:
            return self._exact_scores(number)
        # sacrebleu draws a system's resamples after the shuffles, from the same stream, but not the baseline's.
        late = {name: after_swaps and baseline not in (None, name) for name, _ in self.systems}
        found: dict[str, Scores] = {}
        for moved in set(late.values()):
            names = [(name, runs) for name, runs in self.systems if late[name] == moved]
            start = partial(self._stream, after_swaps=moved)
            flat = resample_scores(self.metric, [run for _, runs in names for run in runs], start, number)
            for name, runs in names:
                found[name] = np.stack(flat[: len(runs)])
                del flat[: len(runs)]
        return [found[name] for name, _ in self.systems]

    def _stream(self, *, after_swaps: bool) -> Draws:
        draws = Draws(self.seed)
        if after_swaps:
            for _ in draws.swaps(self.n_units, self.resamples):
                pass
        return draws

    def _exact_scores(self, number: int) -> list[Scores]:
        blocks: list[list[Scores]] = [[] for _ in self.systems]
        for counts in Draws(self.seed).counts(self.n_units, number):
            for found, (_, runs) in zip(blocks, self.systems, strict=True):
                found.append(
                    np.stack([self.metric.score_weighted(run, counts, threads=self.threads) for run in runs])
                )
        return [np.concatenate(found, axis=1) for found in blocks]

    def system(self, i: int, scores: Scores) -> SystemResult:
        name, runs = self.systems[i]
        values = [self.metric.score_total(run) for run in runs]
        defined = [value for value in values if value is not None]
        value = sum(defined) / len(defined) if len(defined) == len(values) else None
        interval = self.rules.interval(scores.mean(axis=0))
        spreads = [self.rules.interval(run).spread for run in scores]
        several = len(runs) > 1 and value is not None
        return SystemResult(
            name,
            value,
            mean=interval.mean,
            low=interval.low,
            high=interval.high,
            half_width=interval.half_width,
            spread=_mean(spreads),
            run_spread=float(np.std(defined, ddof=1)) if several else None,
            runs=len(runs),
            undefined=interval.undefined,
        )

    def bootstrap_p(
        self, couples: Sequence[tuple[int, int]], results: Sequence[SystemResult], scores: Sequence[Scores]
    ) -> list[float | None]:
        means = [of_system.mean(axis=0) for of_system in scores]
        found: list[float | None] = []
        for a, b in couples:
            difference = _difference(results[a], results[b])
            found.append(
                None if difference is None else self.rules.bootstrap_p(means[a], means[b], difference)
            )
        return found

    def randomisation_p(
        self, couples: Sequence[tuple[int, int]], results: Sequence[SystemResult]
    ) -> list[float | None]:
        """Every pair under the same shuffles. Runs are pooled, the i-th of one system with the i-th of the other:
        each segment of each run is a stratum within which outputs change sides (MultEval, Clark et al. 2011)."""
        pooled = [_pooled(runs) for _, runs in self.systems]
        for a, b in couples:
            if len(pooled[a]) != len(pooled[b]):
                raise InputError(
                    f"{results[a].name} has {results[a].runs} runs and {results[b].name} {results[b].runs}: "
                    "randomisation pairs them one by one; give as many, or use the bootstrap"
                )
        sides: list[tuple[list[Scores], list[Scores]]] = [([], []) for _ in couples]
        for size in {len(rows) for rows in pooled}:
            for masks in Draws(self.seed).swaps(size, self.resamples):
                for (a, b), (ours, theirs) in zip(couples, sides, strict=True):
                    if len(pooled[a]) == size and _difference(results[a], results[b]) is not None:
                        one, other = self.metric.score_swapped(
                            pooled[a], pooled[b], masks, threads=self.threads
                        )
                        ours.append(one)
                        theirs.append(other)
        found: list[float | None] = []
        for (a, b), (ours, theirs) in zip(couples, sides, strict=True):
            first, second = self.metric.score_total(pooled[a]), self.metric.score_total(pooled[b])
            if not ours or first is None or second is None:
                found.append(None)
                continue
            found.append(
                self.rules.randomisation_p(np.concatenate(ours), np.concatenate(theirs), second - first)
            )
        return found

    def pair(
        self,
        couple: tuple[int, int],
        results: Sequence[SystemResult],
        scores: Sequence[Scores],
        p: float | None,
        detectable: Callable[[float], float],
    ) -> PairResult:
        a, b = couple
        first, second = results[a], results[b]
        difference = _difference(first, second)
        better = None
        if difference:
            better = second.name if (difference > 0) == self.metric.higher_is_better else first.name
        changes = scores[b].mean(axis=0) - scores[a].mean(axis=0)
        defined = changes[~np.isnan(changes)]
        return PairResult(
            first.name,
            second.name,
            difference,
            better,
            p,
            smallest_detectable=detectable(float(defined.std(ddof=1))) if len(defined) > 1 else None,
            undefined=len(changes) - len(defined),
            identical=_identical(self.systems[a][1], self.systems[b][1]),
        )


def _difference(first: SystemResult, second: SystemResult) -> float | None:
    return None if first.value is None or second.value is None else second.value - first.value


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _pooled(runs: Runs) -> Statistics:
    pooled = runs[0]
    for run in runs[1:]:
        pooled = pooled.concat(run)
    return pooled


def _identical(first: Runs, second: Runs) -> bool:
    return len(first) == len(second) and all(map(_same_rows, first, second))


def _same_rows(one: Any, other: Any) -> bool:
    if isinstance(one, DenseStatistics):
        return bool(np.array_equal(one.array, other.array))
    if one.types != other.types:
        return False
    return all(np.array_equal(a, b) for a, b in zip(one.entries, other.entries, strict=True))


def _clusters(
    results: Sequence[SystemResult], pairs: Sequence[PairResult], metric: Metric, alpha: float
) -> tuple[tuple[str, ...], ...] | None:
    """Groups of systems, best first; None where a system has no score."""
    values = {found.name: found.value for found in results}
    if any(value is None for value in values.values()):
        return None
    sign = -1 if metric.higher_is_better else 1
    ranked = sorted(values, key=lambda name: sign * float(values[name] or 0.0))
    won = {
        (pair.better, pair.first if pair.better == pair.second else pair.second)
        for pair in pairs
        if pair.significant(alpha)
    }
    return tuple(tuple(group) for group in rank_clusters(ranked, lambda above, it: (above, it) in won))
