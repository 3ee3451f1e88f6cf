"""How far one system's score would vary over other segments: a bootstrap confidence interval (Efron 1979)."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tertium import registry
from tertium.comparison.single_precision import resample_scores
from tertium.comparison.units import resampled_units
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.families.base import Metric
from tertium.statistics import Statistics
from tertium.stats.pvalues import Interval, percentile_interval, sacrebleu_interval
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

    `like="sacrebleu"` gives the mean and half-width that `sacrebleu --confidence` prints for this seed.

    >>> import tertium as tt
    >>> ts, m = tt.TestSet.sample(), tt.metric("chrf")
    >>> found = confidence_interval(m.statistics(ts.systems["strong"], ts.references), m)
    >>> print(f"{found.low:.1f} to {found.high:.1f}")
    69.2 to 74.3
    """
    chosen = registry.metric(metric)
    if like not in (None, "sacrebleu"):
        raise SpecError(f"cannot compute like {like!r}{did_you_mean(str(like), ['sacrebleu'])}")
    if resamples < 1:
        raise SpecError(f"there must be at least one resample, not {resamples}")
    if len(rows) < 2:
        raise InputError("there is one segment: an interval needs several, since it resamples them")
    _, [(_, [units])] = resampled_units([("", [rows])], documents)
    if like is None:
        blocks = Draws(seed).counts(len(units), resamples)
        return percentile_interval(
            np.concatenate([chosen.score_weighted(units, counts, threads=threads) for counts in blocks])
        )
    [scores] = resample_scores([chosen], [units], lambda: Draws(seed), resamples)[chosen]
    found = sacrebleu_interval(scores)
    if found.mean is None:
        return found
    return replace(found, mean=statistics.mean(scores[~np.isnan(scores)].tolist()))
