"""Scores of resamples and shuffles, and what they say of systems and pairs, by metrics that have the same rows.

What is drawn is drawn once for all jobs, and rows are summed once for all metrics of a job.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import _native
from tertium.comparison.pair_results import PairResult, SystemResult
from tertium.comparison.single_precision import resample_scores
from tertium.comparison.units import Runs, Systems
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.families.base import Metric
from tertium.families.together import WeightedScores, swapped_scores
from tertium.progress import steps
from tertium.statistics import DenseStatistics, Statistics
from tertium.stats import pvalues
from tertium.stats.resampling import Draws
from tertium.stats.subsampling import around, subset_size

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Rules:
    """How scores of resamples become intervals and p-values."""

    interval: Callable[[Scores, float | None, int, bool, float], pvalues.Interval]
    bootstrap_p: Callable[[Scores, Scores, float], float]
    randomisation_p: Callable[[Scores, Scores, float], float]


def _interval(
    scores: Scores, value: float | None, n_units: int, bootstrap: bool, share: float
) -> pvalues.Interval:
    return pvalues.resample_interval(scores, value, n_units, bootstrap=bootstrap, share=share)


def _sacrebleu_interval(
    scores: Scores, _value: float | None, _n_units: int, _bootstrap: bool, _share: float
) -> pvalues.Interval:
    return pvalues.sacrebleu_interval(scores)


OWN = Rules(_interval, pvalues.bootstrap_p, pvalues.randomisation_p)
LIKE = {
    "sacrebleu": Rules(_sacrebleu_interval, pvalues.sacrebleu_bootstrap_p, pvalues.sacrebleu_randomisation_p)
}
EXACT_UNITS = 16  # up to so many segments or documents, randomisation tests look at every swap
SWAPS_AT_ONCE = 4096
MOST_RUNS = 60  # of each system, after those of fewer runs are repeated


def rules_like(like: str | None) -> Rules:
    """Our own rules, or those of another program."""
    if like is None:
        return OWN
    if like not in LIKE:
        raise SpecError(f"cannot compare like {like!r}{did_you_mean(like, LIKE)}")
    return LIKE[like]


@dataclass(frozen=True)
class Job:
    """What is resampled, and how, for metrics that have the same rows."""

    metrics: tuple[Metric, ...]
    systems: Systems  # rows of units
    rules: Rules
    like: str | None
    method: str
    resamples: int
    intervals: int
    seed: int
    threads: int

    @property
    def n_units(self) -> int:
        return len(self.systems[0][1][0])

    @property
    def bootstrappable(self) -> bool:
        return self.systems[0][1][0].bootstrappable

    @cached_property
    def _totals(self) -> list[list[Statistics]]:
        return [[run.total() for run in runs] for _, runs in self.systems]

    @cached_property
    def _identical(self) -> Callable[[int, int], bool]:
        """Whether two systems have the same rows: asked by every metric, looked at once."""
        return cache(lambda a, b: _identical(self.systems[a][1], self.systems[b][1]))

    @property
    def exact(self) -> bool:
        """Whether a randomisation test looks at every swap."""
        return self.method == "randomisation" and self.like is None and self.n_units <= EXACT_UNITS

    def swaps(self) -> tuple[int, Iterator[NDArray[np.uint8]]]:
        """How many swaps of units the test looks at, and the swaps in blocks of packed bits."""
        if self.exact:
            every = Draws.every_swap(self.n_units)
            return len(every), iter(np.array_split(every, -(-len(every) // SWAPS_AT_ONCE)))
        return self.resamples, Draws(self.seed).swaps(self.n_units, self.resamples)

    def linear(self, metric: Metric, pairs: int) -> bool:
        """Whether what segments add to a difference is shuffled: of two systems, their scores are."""
        own = type(metric).swap_weights is not Metric.swap_weights
        return own and pairs > 1 and self.like is None and self.method == "randomisation"

    def as_sacrebleu(self, baseline: str | None) -> dict[Metric, list[Scores]]:
        """sacrebleu draws a system's resamples after the shuffles, from the same stream, but not the baseline's."""
        swaps = self.method == "randomisation"
        late = {name: swaps and baseline not in (None, name) for name, _ in self.systems}
        found: dict[tuple[Metric, str], Scores] = {}
        for moved in set(late.values()):
            names = [(name, runs) for name, runs in self.systems if late[name] == moved]
            start = partial(self._stream, after_swaps=moved)
            flat = [run for _, runs in names for run in runs]
            for metric, scores in resample_scores(self.metrics, flat, start, self.intervals).items():
                for name, runs in names:
                    found[metric, name] = np.stack(scores[: len(runs)])
                    del scores[: len(runs)]
        return {metric: [found[metric, name] for name, _ in self.systems] for metric in self.metrics}

    def _stream(self, *, after_swaps: bool) -> Draws:
        draws = Draws(self.seed)
        if after_swaps:
            for _ in draws.swaps(self.n_units, self.resamples):
                pass
        return draws

    def system(self, metric: Metric, i: int, scores: Scores) -> SystemResult:
        name, runs = self.systems[i]
        values = [metric.score_total(total) for total in self._totals[i]]
        defined = [value for value in values if value is not None]
        value = sum(defined) / len(defined) if len(defined) == len(values) else None
        interval = self.interval(metric, _over_runs(scores), value)
        spreads = (
            [pvalues.percentile_interval(run).spread for run in scores]
            if len(runs) > 1
            else [interval.spread]
        )
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

    def interval(
        self, metric: Metric, scores: Scores, value: float | None, share: float = 0.95
    ) -> pvalues.Interval:
        """The 95% interval of a value from its scores in resamples; none where these units are too few for one."""
        found = self.rules.interval(scores, value, self.n_units, self.bootstrappable, share)
        if self.like is None and self.n_units < metric.fewest_for_interval:
            return replace(found, low=None, high=None, half_width=None)
        return found

    def run_p(self, metric: Metric, couple: tuple[int, int]) -> float | None:
        """Of systems with several runs, the p-value of the permutation of runs; None where there is one run each."""
        first, second = ([metric.score_total(run) for run in self.systems[i][1]] for i in couple)
        if self.like is not None or len(first) + len(second) == 2:
            return None
        ours, theirs = ([value for value in side if value is not None] for side in (first, second))
        if len(ours) < len(first) or len(theirs) < len(second):
            return None
        return pvalues.run_permutation_p(ours, theirs, self.seed)

    def bootstrap_p(
        self, couples: Sequence[tuple[int, int]], results: Sequence[SystemResult], scores: Sequence[Scores]
    ) -> list[float | None]:
        means = [_over_runs(of_system) for of_system in scores]
        found: list[float | None] = []
        for a, b in couples:
            difference = _difference(results[a], results[b])
            found.append(
                None if difference is None else self.rules.bootstrap_p(means[a], means[b], difference)
            )
        return found

    def pair(
        self,
        metric: Metric,
        couple: tuple[int, int],
        results: Sequence[SystemResult],
        scores: Sequence[Scores],
        p: float | None,
        detectable: Callable[[float, int], float],
    ) -> PairResult:
        a, b = couple
        first, second = results[a], results[b]
        difference = _difference(first, second)
        better = None
        if difference:
            better = second.name if (difference > 0) == metric.higher_is_better else first.name
        changes = _over_runs(scores[b]) - _over_runs(scores[a])
        defined = changes[~np.isnan(changes)]
        spread = float(defined.std(ddof=1)) if len(defined) > 1 else None
        n = self.n_units
        if spread is not None and self.bootstrappable and self.like is None:
            spread *= math.sqrt(n / (n - 1))  # resampled units have (n - 1)/n of the variance of other units
        p_runs = None if difference is None or p is None else self.run_p(metric, couple)
        return PairResult(
            first.name,
            second.name,
            difference,
            better,
            p if p is None or p_runs is None else max(p, p_runs),
            p_units=None if p_runs is None else p,
            p_runs=p_runs,
            spread=spread,
            smallest_detectable=None if spread is None else detectable(spread, n),
            undefined=len(changes) - len(defined),
            identical=not difference and self._identical(a, b),  # equal rows have equal scores
        )


def resampled(jobs: Sequence[Job], baseline: str | None) -> dict[Metric, list[Scores]]:
    """For each metric and system the scores of its runs in each resample (runs x resamples)."""
    found: dict[Metric, list[Scores]] = {}
    alike: dict[tuple[bool, int], list[Job]] = {}
    for job in jobs:
        if job.bootstrappable and job.intervals and job.like is not None:
            found |= job.as_sacrebleu(baseline)
        else:
            alike.setdefault((job.bootstrappable, job.intervals), []).append(job)
    for (bootstrappable, number), own in alike.items():
        found |= bootstrapped(own, number) if bootstrappable else subsampled(own, number)
    return found


def bootstrapped(jobs: Sequence[Job], number: int) -> dict[Metric, list[Scores]]:
    """Scores of segments drawn with replacement, as many as there are."""
    drawn = Draws(jobs[0].seed).counts(jobs[0].n_units, number)
    return _drawn(jobs, steps(drawn, "resamples", size=len, total=number))


def subsampled(jobs: Sequence[Job], number: int) -> dict[Metric, list[Scores]]:
    """Scores that vary as those of other segments would: `around` our own, by subsets of our segments."""
    n = jobs[0].n_units
    drawn = Draws(jobs[0].seed).subsets(n, subset_size(n), number)
    found = _drawn(jobs, steps(drawn, "subsets", size=len, total=number))
    for job in jobs:
        for metric in job.metrics:
            for scores, (_, runs) in zip(found[metric], job.systems, strict=True):
                scores[:] = [
                    around(metric.score_total(run), own, n) for run, own in zip(runs, scores, strict=True)
                ]
    return found


def _drawn(jobs: Sequence[Job], weights: Iterable[NDArray[np.int16]]) -> dict[Metric, list[Scores]]:
    blocks: dict[Metric, list[list[Scores]]] = {
        metric: [[np.empty((len(runs), 0))] for _, runs in job.systems]
        for job in jobs
        for metric in job.metrics
    }
    shared = [(job.metrics, run) for job in jobs for _, runs in job.systems for run in runs]
    together = WeightedScores(shared)
    for block in weights:
        scored = together(block, threads=jobs[0].threads)
        for job in jobs:
            for i, (_, runs) in enumerate(job.systems):
                of_runs = [next(scored) for _ in runs]
                for metric, scores in zip(job.metrics, zip(*of_runs, strict=True), strict=True):
                    blocks[metric][i].append(np.stack(scores))
    return {
        metric: [np.concatenate(found, axis=1) for found in of_systems]
        for metric, of_systems in blocks.items()
    }


def randomised(
    jobs: Sequence[Job],
    couples: Sequence[tuple[int, int]],
    results: Mapping[Metric, Sequence[SystemResult]],
) -> dict[Metric, list[float | None]]:
    """Every pair under the same shuffles, or under every swap where there are few units. All runs of a system change
    sides together: they share what is hard about a segment, so that a coin for each run's segment, as MultEval tosses
    them (Clark et al. 2011), would count repeated runs as evidence."""
    if not jobs:
        return {}
    runs = math.lcm(*(len(own) for _, own in jobs[0].systems))
    if runs > MOST_RUNS:
        numbers = ", ".join(f"{name}: {len(own)}" for name, own in jobs[0].systems)
        raise InputError(
            f"the systems have too different numbers of runs for randomisation ({numbers}): give each the same "
            "number, or use the bootstrap"
        )
    pools = [[_pooled(own, runs) for _, own in job.systems] for job in jobs]
    found: dict[Metric, list[float | None]] = {}
    for job, pooled in zip(jobs, pools, strict=True):
        sides: dict[tuple[Metric, tuple[int, int]], list[tuple[Scores, Scores]]] = {}
        whole = [metric for metric in job.metrics if not job.linear(metric, len(couples))]
        for metric in job.metrics:
            if metric not in whole:
                weights = np.asarray(metric.swap_weights(pooled, couples))
                weights = weights.reshape(runs, job.n_units, -1).sum(axis=0)
                found[metric] = _linear_p(job, weights, couples, results[metric])
        trials, swaps = job.swaps() if whole else (0, iter(()))
        for units in steps(swaps, "trials", size=len, total=trials):
            masks = _repeated(units, job.n_units, runs)
            for a, b in couples:
                metrics = [m for m in whole if _difference(results[m][a], results[m][b]) is not None]
                if metrics:
                    both = swapped_scores(metrics, pooled[a], pooled[b], masks, threads=job.threads)
                    for metric, scores in zip(metrics, both, strict=True):
                        sides.setdefault((metric, (a, b)), []).append(scores)
        for metric in whole:
            totals = [metric.score_total(rows) for rows in pooled]
            found[metric] = []
            for couple in couples:
                (first, second), drawn = (totals[i] for i in couple), sides.get((metric, couple))
                if drawn is None or first is None or second is None:
                    found[metric].append(None)
                    continue
                ours, theirs = (np.concatenate(side) for side in zip(*drawn, strict=True))
                p_value = pvalues.exact_randomisation_p if job.exact else job.rules.randomisation_p
                found[metric].append(p_value(ours, theirs, second - first))
    return found


def _linear_p(
    job: Job,
    weights: NDArray[np.int64],
    couples: Sequence[tuple[int, int]],
    results: Sequence[SystemResult],
) -> list[float | None]:
    """Of the sums of what segments add, all pairs in one pass over the shuffles.

    These are whole numbers that sum up to less than 2**53: as real numbers, too, they are added exactly.
    """
    columns = np.ascontiguousarray(weights.T, dtype=np.float64)
    totals, large = columns.sum(axis=1, keepdims=True), np.zeros(len(couples), dtype=np.int64)
    trials, swaps = job.swaps()
    for masks in swaps:
        for part in np.array_split(masks, 1 + len(masks) // 2000):  # sums of all pairs at a time
            swapped = totals - 2 * np.asarray(_native.masked_sums(columns, np.ascontiguousarray(part)))
            large += (np.abs(swapped) >= np.abs(totals)).sum(axis=1)
    return [
        None
        if _difference(results[a], results[b]) is None
        else int(count) / trials
        if job.exact
        else (int(count) + 1) / (trials + 1)
        for (a, b), count in zip(couples, large, strict=True)
    ]


def _difference(first: SystemResult, second: SystemResult) -> float | None:
    return None if first.value is None or second.value is None else second.value - first.value


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _pooled(runs: Runs, number: int) -> Statistics:
    """The rows of all runs, which are repeated up to this number."""
    pooled = runs[0]
    for i in range(1, number):
        pooled = pooled.concat(runs[i % len(runs)])
    return pooled


def _repeated(masks: NDArray[np.uint8], n: int, times: int) -> NDArray[np.uint8]:
    """The same swaps of n units in every run."""
    if times == 1:
        return masks
    bits = np.unpackbits(masks, axis=1, count=n, bitorder="little")
    return np.packbits(np.tile(bits, (1, times)), axis=1, bitorder="little")


def _over_runs(scores: Scores) -> Scores:
    """The mean of the runs in each resample."""
    over: Scores = scores[0] if len(scores) == 1 else scores.mean(axis=0)
    return over


def _identical(first: Runs, second: Runs) -> bool:
    return len(first) == len(second) and all(map(_same_rows, first, second))


def _same_rows(one: Any, other: Any) -> bool:
    if isinstance(one, DenseStatistics):
        return bool(np.array_equal(one.array, other.array))
    return bool(one.to_bytes() == other.to_bytes())
