"""The statistics that say how well a metric agrees with people, by name; packages add theirs (`tertium.statistics`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tertium.io.scorematrix import ScoreMatrix, aligned
from tertium.registry import Registry
from tertium.stats.accuracy import pairwise_accuracy, soft_pairwise_accuracies
from tertium.stats.correlation import Correlation, pearson, spearman
from tertium.stats.kendall import tau_b
from tertium.stats.paired_statistics import (
    MeanAccuracy,
    MeanCalibratedAccuracy,
    MeanPearson,
    MeanSpearman,
    MeanTau,
    PairedStatistic,
)

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ScoredSystems:
    """Scores of systems by people and by a metric, higher for better; of their segments where these are known."""

    human: Vector
    metric: Vector
    human_segments: ScoreMatrix | None
    metric_segments: ScoreMatrix | None
    sign: int  # -1: the metric's segment scores are lower for better
    seed: int


@dataclass(frozen=True)
class AgreementStatistic:
    """A statistic: its sentence, its symbol in tables, and what it is at each level (None: nothing).

    `shuffled` is what permutation tests take, and its mean over groups too; `shuffled_systems` is what they take where
    only systems have the statistic.
    """

    sentence: str
    symbol: str
    systems: Callable[[ScoredSystems], Correlation] | None = None
    segments: Callable[[Vector, Vector], Correlation] | None = None  # all segments in one
    together: Callable[[Sequence[ScoredSystems]], list[Correlation]] | None = (
        None  # all metrics, where they share work
    )
    shuffled: PairedStatistic | None = None
    shuffled_systems: PairedStatistic | None = None
    soft_accuracy: bool = False  # tested as SPA is, from scores of segments
    williams: bool = False  # Williams' test is about this one
    absolute: bool = False  # tables show its absolute value, as WMT's do
    averaging: str = "none"  # how segments are grouped unless the task says otherwise


def _of_systems(function: Callable[[Vector, Vector], Correlation]) -> Callable[[ScoredSystems], Correlation]:
    return lambda scores: function(scores.human, scores.metric)


def _accuracy(scores: ScoredSystems) -> Correlation:
    return Correlation(pairwise_accuracy(scores.human, scores.metric).accuracy, None, len(scores.human))


def _soft_accuracies(metrics: Sequence[ScoredSystems]) -> list[Correlation]:
    """People's p-values are made once for all metrics that have the same segments."""
    found: dict[int, Correlation] = {}
    alike: dict[bytes, list[int]] = {}
    sides: dict[int, tuple[Vector, Vector]] = {}
    for place, scores in enumerate(metrics):
        if scores.human_segments is None or scores.metric_segments is None:
            found[place] = Correlation(
                None, None, len(scores.human), "soft accuracy needs scores of segments"
            )
            continue
        (human, own), _ = aligned(scores.human_segments, scores.metric_segments, missing="leave out")
        sides[place] = human.values, scores.sign * own.values
        alike.setdefault(human.values.tobytes(), []).append(place)
    for places in alike.values():
        values = [sides[place][1] for place in places]
        soft = soft_pairwise_accuracies(sides[places[0]][0], values, seed=metrics[places[0]].seed)
        for place, one in zip(places, soft, strict=True):
            found[place] = Correlation(one.value, None, len(metrics[place].human))
    return [found[place] for place in range(len(metrics))]


PEARSON = AgreementStatistic(
    "Pearson's correlation.",
    "|r|",
    _of_systems(pearson),
    pearson,
    shuffled=MeanPearson(),
    williams=True,
    absolute=True,
)
SPEARMAN = AgreementStatistic(
    "Spearman's rank correlation.",
    "|ρ|",
    _of_systems(spearman),
    spearman,
    shuffled=MeanSpearman(),
    absolute=True,
)
KENDALL = AgreementStatistic("Kendall's τ-b.", "τ-b", _of_systems(tau_b), tau_b, shuffled=MeanTau())
ACCURACY = AgreementStatistic(
    "Share of pairs of systems that are ordered as people order them (Kocmi et al. 2021).",
    "accuracy",
    _accuracy,
    shuffled_systems=MeanAccuracy(),
)
SOFT_ACCURACY = AgreementStatistic(
    "Soft pairwise accuracy: p-values of pairs compared (Thompson et al. 2024).",
    "SPA",
    together=_soft_accuracies,
    soft_accuracy=True,
)
CALIBRATED_ACCURACY = AgreementStatistic(
    "Pairwise accuracy with ties calibrated (Deutsch et al. 2023).",
    "acc*eq",
    shuffled=MeanCalibratedAccuracy(),
    averaging="item",  # as in WMT's metrics tasks since 2023: over all segments at once it is another statistic
)
DARR = AgreementStatistic("Kendall's τ as WMT computes it from better-worse pairs.", "τ")

STATISTICS: Registry[AgreementStatistic] = Registry(
    "statistic",
    "tertium.statistics",
    {
        "pearson": "tertium.meta.agreement_statistics:PEARSON",
        "spearman": "tertium.meta.agreement_statistics:SPEARMAN",
        "kendall": "tertium.meta.agreement_statistics:KENDALL",
        "accuracy": "tertium.meta.agreement_statistics:ACCURACY",
        "soft accuracy": "tertium.meta.agreement_statistics:SOFT_ACCURACY",
        "calibrated accuracy": "tertium.meta.agreement_statistics:CALIBRATED_ACCURACY",
        "darr": "tertium.meta.agreement_statistics:DARR",
    },
    aliases={
        "r": "pearson",
        "rho": "spearman",
        "tau": "kendall",
        "tau-b": "kendall",
        "tau_b": "kendall",
        "pairwise accuracy": "accuracy",
        "spa": "soft accuracy",
        "pce": "soft accuracy",
        "soft_accuracy": "soft accuracy",
        "soft pairwise accuracy": "soft accuracy",
        "acc*eq": "calibrated accuracy",
        "acc_eq": "calibrated accuracy",
        "acc-eq": "calibrated accuracy",
        "acceq": "calibrated accuracy",
        "acc-t": "calibrated accuracy",
        "acc_t": "calibrated accuracy",
        "acc23": "calibrated accuracy",
        "kendallwithtiesopt": "calibrated accuracy",
        "calibrated_accuracy": "calibrated accuracy",
    },
)


def system_statistics() -> list[str]:
    """The statistics that can be asked for at system level."""
    return [name for name in STATISTICS if STATISTICS[name].systems or STATISTICS[name].together]


def segment_statistics() -> list[str]:
    """The statistics that can be asked for at segment level."""
    return [name for name in STATISTICS if STATISTICS[name].segments or STATISTICS[name].shuffled]
