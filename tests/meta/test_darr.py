"""Segment metrics on real better/worse pairs (WMT19, Kazakh-English): tau with intervals, error rates among them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.stats.taulike import WMT12, WMT14, tau_intervals, tau_like, verdict_counts, verdicts
from tertium.stats.wins import interval_wins, not_outperformed

SPECS = ("chrf", "sentbleu:tok=moses-en", "ter")


def test_tau_on_darr(shared: Path) -> None:
    text = gzip.decompress((shared / "data" / "wmt19-darr" / "kk-en.jsonl.gz").read_bytes()).decode("utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    better, worse = ([row[side]["sys"] for row in rows] for side in ("better", "worse"))
    human = np.zeros(len(rows), dtype=int)  # the first is always the better one
    found, ties = [], []
    for spec in SPECS:
        metric = tt.metric(spec)
        prepared = metric.prepare([row["ref"] for row in rows])
        first, second = (
            metric.score_rows(metric.statistics(side, prepared), "segment") for side in (better, worse)
        )
        found.append(verdicts(first, second, higher_is_better=metric.higher_is_better))
        right, tied = np.sign(first - second) == (1 if metric.higher_is_better else -1), first == second
        ties.append(int(tied.sum()))
        counts = verdict_counts(human, found[-1])
        wrong = len(rows) - right.sum() - tied.sum()
        assert tau_like(counts, WMT14).value == pytest.approx((right.sum() - wrong) / len(rows))
        assert tau_like(counts, WMT12).value == pytest.approx((right.sum() - wrong - tied.sum()) / len(rows))
    assert ties[2] > 1000  # TER ties often: what ties are worth matters
    intervals = tau_intervals(human, found)
    assert (intervals.taus > 0.25).all()
    for tau, interval in zip(intervals.taus, intervals.intervals, strict=True):
        assert interval.low is not None
        assert interval.high is not None
        assert interval.low < tau < interval.high
        assert interval.high - interval.low < 0.05
    assert not_outperformed(interval_wins(intervals.intervals))[0]
