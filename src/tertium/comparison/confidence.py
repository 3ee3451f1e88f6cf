"""How far one system's score would vary over other segments: a bootstrap confidence interval (Efron 1979), or one from
subsets of segments where the bootstrap is wrong."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium import registry
from tertium.comparison.resamples import Job, resampled, rules_like
from tertium.comparison.single_precision import resample_scores
from tertium.comparison.units import resampled_units
from tertium.errors import InputError, SpecError
from tertium.families.base import Metric
from tertium.statistics import Statistics
from tertium.stats.pvalues import Interval
from tertium.stats.resampling import SEED, Draws


def confidence_interval(
    rows: Statistics,
    metric: str | Metric,
    *,
    resamples: int = 1_000,
    seed: int = SEED,
    documents: Sequence[str] | None = None,
    like: str | None = None,
    threads: int = 1,
) -> Interval:
    """The 95% interval of a system's corpus score over resamples of its segments, or of its `documents`.

    By metrics that count types, whose resamples have too few of them, it comes from subsets (`stats.subsampling`). Of
    few units it is Student's (`stats.pvalues.resample_interval`), and `low` and `high` are None where even that does
    not hold (`Metric.fewest_for_interval`).

    `like="sacrebleu"` gives the mean and half-width that `sacrebleu --confidence` prints for this seed.

    >>> import tertium as tt
    >>> ts, m = tt.TestSet.sample(), tt.metric("chrf")
    >>> found = confidence_interval(m.statistics(ts.systems["strong"], ts.references), m)
    >>> print(f"{found.low:.1f} to {found.high:.1f}")
    69.1 to 74.3
    """
    chosen, rules = registry.metric(metric), rules_like(like)
    if resamples < 1:
        raise SpecError(f"there must be at least one resample, not {resamples}")
    if len(rows) < 2:
        raise InputError("there is one segment: an interval needs several, since it resamples them")
    _, [(_, [units])] = resampled_units([("", [rows])], documents)
    if like is None or not units.bootstrappable:
        job = Job((chosen,), [("", [units])], rules, None, "", 0, resamples, seed, threads)
        [scores] = resampled([job], None)[chosen][0]
        return job.interval(chosen, scores, chosen.score_total(units))
    [scores] = resample_scores([chosen], [units], lambda: Draws(seed), resamples)[chosen]
    found = rules.interval(scores, None, len(units), True, 0.95)
    if found.mean is None:
        return found
    return replace(found, mean=statistics.mean(scores[~np.isnan(scores)].tolist()))
