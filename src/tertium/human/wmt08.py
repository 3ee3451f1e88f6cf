"""WMT08's three tasks: ranking sentences, ranking constituents, and yes or no (Song et al. 2013, section 3.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.human.judgement import Gold, Judgements
from tertium.human.ranking import Ties, win_rate
from tertium.io.comparisons import Comparisons
from tertium.io.coverage import Coverage
from tertium.io.scorematrix import ScoreMatrix, aligned
from tertium.io.tables import Column, Table, Value, number_column
from tertium.results import Result
from tertium.stats.correlation import spearman

TASKS = ("ranking", "constituent", "yes/no")


def wmt08_gold(
    ranking: Comparisons, constituent: Comparisons, yes_no: Judgements, *, ties: Ties = "lose"
) -> dict[str, Gold]:
    """The score of each system in each task: how often it outperformed the others (ranking, constituent), and the
    share of yes among its answers, which orders systems as the ratio of yes to no does.

    `ties="win"` counts "better than or equal", as WMT08's own tables do.

    >>> pairs = Comparisons.of([("ann", "1", "A", "B", 1)])
    >>> answers = Judgements.of(system=["A", "A", "B"], segment=["1", "2", "1"], score=[1, 0, 1])
    >>> {task: gold.scores.system("A") for task, gold in wmt08_gold(pairs, pairs, answers).items()}
    {'ranking': 1.0, 'constituent': 1.0, 'yes/no': 0.5}
    """
    return {
        "ranking": win_rate(ranking, ties=ties),
        "constituent": win_rate(constituent, ties=ties),
        "yes/no": yes_share(yes_no),
    }


def yes_share(yes_no: Judgements) -> Gold:
    """The share of yes (1) among the answers that each system got.

    >>> yes_share(Judgements.of(system=["A", "A"], segment=["1", "2"], score=[1, 0])).scores.system("A")
    0.5
    """
    if not all(score in (0.0, 1.0) for score in yes_no.score.tolist()):
        raise InputError(f"{yes_no.origin}: a yes/no judgement must be 1 or 0")
    codes, n = yes_no.system.codes, len(yes_no.system.names)
    asked = np.bincount(codes, minlength=n)
    yes = np.bincount(codes, weights=yes_no.score, minlength=n)
    shares = dict(zip(yes_no.system.names, (yes / asked).tolist(), strict=True))
    share = ScoreMatrix.of_systems("yes/no", shares, origin=yes_no.origin)
    return Gold(share, asked[:, None], Coverage(yes_no.origin, "judgements", len(yes_no)))


@dataclass(frozen=True)
class MeanRho(Result):
    """Spearman's rho of a metric with each task, and their mean."""

    kind = "mean rho"
    metric: str
    by_task: Mapping[str, float | None]
    coverages: tuple[Coverage, ...]

    @property
    def mean(self) -> float | None:
        """The mean over the tasks; None where one of them is undefined."""
        values = [rho for rho in self.by_task.values() if rho is not None]
        return sum(values) / len(values) if len(values) == len(self.by_task) and values else None

    def contents(self) -> Mapping[str, Any]:
        return {
            "metric": self.metric,
            "rho": self.by_task,
            "mean": self.mean,
            "coverages": self.coverages,
        }

    def table(self) -> Table:
        """A column for each task."""
        columns = (
            Column("metric"),
            *(number_column(task, digits=3) for task in self.by_task),
            number_column("mean", digits=3),
        )
        row: tuple[Value, ...] = (self.metric, *self.by_task.values(), self.mean)
        return Table("Spearman's rho", columns, (row,), tuple(str(own) for own in self.coverages))


def mean_rho(golds: Mapping[str, Gold], scores: ScoreMatrix, *, lower_is_better: bool = False) -> MeanRho:
    """Spearman's rho of a metric's system scores with each task, averaged over the tasks.

    Systems that a task or the metric lacks are left out of that task, and its coverage names them.

    >>> pairs = Comparisons.of([("ann", "1", "A", "B", 1), ("ann", "1", "B", "C", 1)])
    >>> answers = Judgements.of(system=["A", "B", "B", "C"], segment=["1", "1", "2", "1"], score=[1, 1, 0, 0])
    >>> mean_rho(wmt08_gold(pairs, pairs, answers), ScoreMatrix.of_systems("BLEU", {"A": 3, "B": 2, "C": 1})).mean
    1.0
    """
    by_task: dict[str, float | None] = {}
    coverages = []
    for task, gold in golds.items():
        (human, metric), coverage = aligned(gold.scores, scores, missing="leave out")
        sign = -1.0 if lower_is_better else 1.0
        by_task[task] = spearman(human.values[:, 0], sign * metric.values[:, 0]).value
        coverages.append(coverage)
    return MeanRho(scores.name, by_task, tuple(coverages))
