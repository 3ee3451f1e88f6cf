"""Is the difference real? Paired bootstrap and paired approximate randomisation, for every metric.

Both work on rows of statistics alone: a resample is a row of counts, a shuffle a row of bits, and all resamples of a
system are scored in one call. What is drawn is the same for all systems, so that differences are paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import ceil

from tertium import registry
from tertium.comparison.pair_results import PairResult, PairTests, SystemResult
from tertium.comparison.resamples import EXACT_UNITS, Job, bootstrapped, randomised, resampled, rules_like
from tertium.comparison.units import Runs, checked_systems, resampled_units
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.families.base import Metric
from tertium.statistics import Statistics
from tertium.stats.clusters import rank_clusters
from tertium.stats.multiple import benjamini_hochberg, holm
from tertium.stats.power import smallest_detectable
from tertium.stats.pvalues import MANY_UNITS
from tertium.stats.resampling import SEED, fresh_seed

METHODS = {"bootstrap": 1_000, "randomisation": 10_000}  # and how many resamples or trials are usual
INTERVALS = 1_000  # resamples behind confidence intervals, beside a randomisation test
SUBSETS = 20_000_000  # segments in all subsets: of a very long text 200 are enough for its narrow interval
LEAST = 0.01  # after Holm, the least p-value possible: there are more resamples the more pairs are tested


Given = Mapping[str, Statistics | Runs] | Iterable[tuple[str, Statistics | Runs]]


@dataclass(frozen=True)
class ResamplingPlan:
    """How systems are tested; `pair_tests` says what each of these means."""

    baseline: str | None = None
    method: str | None = None
    resamples: int | None = None
    intervals: int | None = None
    seed: int | None = SEED
    documents: Sequence[str] | None = None
    like: str | None = None
    alpha: float = 0.05
    power: float = 0.8
    threads: int = 1

    def chosen_method(self, rows: Statistics) -> str:
        """The one asked for, else the one that is right for these rows of segments or documents: of fewer than
        `MANY_UNITS` the bootstrap finds too much (docs/significance.md), whatever the metric."""
        few = self.like is None and len(rows) < MANY_UNITS
        return self.method or ("randomisation" if few else rows.usual_test)

    def numbers(self, rows: Statistics, pairs: int) -> tuple[int, int]:
        """How many resamples, trials or swaps, and how many resamples for intervals."""
        method = self.chosen_method(rows)
        if method == "randomisation" and self.like is None and len(rows) <= EXACT_UNITS:
            return 2 ** (len(rows) - 1), INTERVALS if self.intervals is None else self.intervals
        grown = 0 if self.like is not None else ceil(pairs / LEAST)
        asked = max(METHODS[method], grown) if self.resamples is None else self.resamples
        if method == "bootstrap" and rows.bootstrappable:
            return asked, asked  # the test needs what intervals are made of
        usual = INTERVALS if self.like is None or method == "bootstrap" else 0
        if not rows.bootstrappable:
            usual = min(usual, max(200, SUBSETS // len(rows)))
        return asked, usual if self.intervals is None else self.intervals


def pair_tests(
    statistics: Given,
    metric: str | Metric,
    *,
    baseline: str | None = None,
    method: str | None = None,
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

    `statistics` has the rows of each system, or a list of several runs' rows (optimiser replicas). `method` is
    "bootstrap" or "randomisation"; by default the first from 100 segments or documents on, and the second for fewer
    of them and by metrics that count types, where the bootstrap rejects too many true nulls. Up to 16, randomisation
    is exact. `resamples` grow with the number of pairs, unless you say how many. Where the `documents` of segments are
    known, whole documents are resampled. `intervals` is the number of resamples behind confidence intervals and power
    (0: none). `like="sacrebleu"` gives its numbers for the same seed.

    >>> import tertium as tt
    >>> ts, m = tt.TestSet.sample(), tt.metric("chrf")
    >>> rows = {name: m.statistics(texts, ts.references) for name, texts in ts.systems.items()}
    >>> found = pair_tests(rows, m, baseline="literal")
    >>> print(found.sentence(found.pair("literal", "strong")))
    strong is significantly better than literal by 25.77 chrF2 (p = .0002, Holm; the least possible with 10,000 trials)
    """
    chosen = registry.metric(metric)
    plan = ResamplingPlan(
        baseline, method, resamples, intervals, seed, documents, like, alpha, power, threads
    )
    return pair_tests_by_metric([([chosen], statistics)], plan)[chosen]


def pair_tests_by_metric(
    shared: Iterable[tuple[Sequence[Metric], Given]], plan: ResamplingPlan
) -> dict[Metric, PairTests]:
    """`pair_tests` by several metrics: those that have the same rows stand beside them.

    What is drawn is drawn once for all, and rows are summed once for all metrics that share them.
    """
    alpha, power, baseline = plan.alpha, plan.power, plan.baseline
    _check(plan)
    rules = rules_like(plan.like)
    start = fresh_seed() if plan.seed is None else plan.seed
    jobs: list[Job] = []
    for metrics, statistics in shared:
        systems = checked_systems(statistics)
        if baseline is not None and baseline not in dict(systems):
            names = [name for name, _ in systems]
            raise InputError(
                f"there is no system {baseline!r} to use as the baseline{did_you_mean(baseline, names)}"
            )
        n_segments = len(systems[0][1][0])
        units, systems = resampled_units(systems, plan.documents)
        couples = _couples([name for name, _ in systems], baseline)
        rows = systems[0][1][0]
        method, numbers = plan.chosen_method(rows), plan.numbers(rows, len(couples))
        jobs.append(Job(tuple(metrics), systems, rules, plan.like, method, *numbers, start, plan.threads))
    drawn = resampled(jobs, baseline)
    results = {
        metric: [job.system(metric, i, scores) for i, scores in enumerate(drawn[metric])]
        for job in jobs
        for metric in job.metrics
    }
    p_values = randomised([job for job in jobs if job.method == "randomisation"], couples, results)
    for job in jobs:
        if job.method == "bootstrap":
            scores = drawn if job.bootstrappable else bootstrapped([job], job.resamples)
            p_values |= {
                metric: job.bootstrap_p(couples, results[metric], scores[metric]) for metric in job.metrics
            }
    detectable = partial(smallest_detectable, alpha=alpha, power=power)
    tests = {}
    for job in jobs:
        for metric in job.metrics:
            found = [
                job.pair(metric, couple, results[metric], drawn[metric], p, detectable)
                for couple, p in zip(couples, p_values[metric], strict=True)
            ]
            adjusted = [adjust([pair.p for pair in found]) for adjust in (holm, benjamini_hochberg)]
            pairs = [
                replace(pair, p_holm=one, p_bh=other)
                for pair, one, other in zip(found, *adjusted, strict=True)
            ]
            tested = PairTests(
                metric=metric,
                method=job.method,
                resamples=job.resamples,
                seed=start,
                units=units,
                n_units=job.n_units,
                n_segments=n_segments,
                systems=tuple(results[metric]),
                pairs=tuple(pairs),
                baseline=baseline,
                clusters=None if baseline is not None else _clusters(results[metric], pairs, metric, alpha),
                alpha=alpha,
                power=power,
                like=plan.like,
                intervals=job.intervals,
                interval_method="bootstrap" if job.bootstrappable else "subsets",
                linear=job.linear(metric, len(couples)),
                exact=job.exact,
            )
            tests[metric] = tested if tested.least < alpha else tested.without_detectable()
    return tests


def _check(plan: ResamplingPlan) -> None:
    if plan.method is not None and plan.method not in METHODS:
        raise SpecError(f"unknown test {plan.method!r}{did_you_mean(plan.method, METHODS)}")
    for name, share in (("alpha", plan.alpha), ("power", plan.power)):
        if not 0 < share < 1:
            raise SpecError(f"{name} must be between 0 and 1, not {share}")
    if plan.resamples is not None and plan.resamples < 1:
        raise SpecError(f"there must be at least one resample, not {plan.resamples}")
    if plan.intervals is not None and plan.intervals < 0:
        raise SpecError(f"intervals must be a number of resamples, or 0 for none, not {plan.intervals}")


def _couples(names: Sequence[str], baseline: str | None) -> list[tuple[int, int]]:
    """All pairs of systems, or each with the baseline."""
    if baseline is None:
        return list(combinations(range(len(names)), 2))
    first = names.index(baseline)
    return [(first, i) for i in range(len(names)) if i != first]


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
