"""Gold and agreement from the raw judgements of WMT's shared tasks (2008 to 2012), task by task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.human.judgement import Gold
from tertium.human.ranking import THREE_ANSWERS, expected_wins, pairwise
from tertium.human.wmt08 import MeanRho, mean_rho, wmt08_gold, yes_share
from tertium.io.coverage import Coverage
from tertium.io.scorematrix import ScoreMatrix
from tertium.io.tables import Column, Table, Value, number_column
from tertium.io.wmtjudgements import TaskJudgements, WMTJudgements
from tertium.results import Result
from tertium.stats.agreement import kappa

TYPES = {
    "RANK": "ranking of sentences",
    "CONSTITUENT": "ranking of constituents",
    "CONSTITUENT_ACCEPT": "constituents, yes or no",
    "EDIT_ACCEPT": "edits, yes or no",
}
YES_OR_NO = 1 / 2  # the agreement of people who guess


@dataclass(frozen=True)
class PairedAgreement:
    """How often two answers to the same question are the same: of two annotators, or of one who was asked again."""

    type: str
    within: bool
    pairs: int  # of answers
    agreement: float | None  # P(A)
    kappa: float | None


@dataclass(frozen=True)
class WMTAgreement(Result):
    """Agreement between and within annotators, all tasks of a type together, as WMT's findings print it."""

    kind = "agreement in a shared task"
    rows: tuple[PairedAgreement, ...]

    def table(self) -> Table:
        columns = (
            Column("judgements"),
            Column("annotators"),
            number_column("pairs"),
            number_column("P(A)", "agreement", 3),
            number_column("K", "kappa", 3),
        )
        rows = tuple(
            (
                TYPES.get(own.type, own.type),
                "the same" if own.within else "two",
                own.pairs,
                own.agreement,
                own.kappa,
            )
            for own in self.rows
        )
        notes = ("P(E) is 1/3 for rankings (better, worse, equal) and 1/2 for yes or no",)
        return Table("Agreement", columns, rows, notes)


@dataclass(frozen=True, eq=False)
class WMTGold(Result):
    """Gold of every task of a file, by type, and the agreement of the annotators."""

    kind = "gold of shared tasks"
    golds: Mapping[tuple[str, str], Gold]  # by task and type
    agreement: WMTAgreement
    coverage: Coverage

    def contents(self) -> Mapping[str, Any]:
        return {
            "agreement": self.agreement,
            "tasks": [
                {
                    "task": task,
                    "type": kind,
                    "systems": {name: gold.scores.system(name) for name in gold.scores.systems},
                }
                for (task, kind), gold in self.golds.items()
            ],
            "coverage": self.coverage,
        }

    def tables(self) -> Iterator[Table]:
        yield self.agreement.table()
        for (task, kind), gold in self.golds.items():
            own = gold.table()
            yield Table(f"{task}, {TYPES.get(kind, kind)}", own.columns, own.rows)

    def words(self) -> Iterator[str]:
        yield str(self.coverage)


def wmt_gold(found: WMTJudgements) -> WMTGold:
    """Expected wins of ranked systems and shares of yes, for each task; agreement over all of them."""
    golds = {
        (one.task, one.type): expected_wins(pairwise(one.rankings, origin=found.coverage.origin))
        if one.answers is None
        else yes_share(one.answers)
        for one in found.tasks
    }
    return WMTGold(golds, wmt_agreement(found.tasks), found.coverage)


def wmt_agreement(tasks: Sequence[TaskJudgements]) -> WMTAgreement:
    """P(A) and kappa over all pairs of answers to the same question: two systems on one sentence (better, worse or
    equal), or one system (yes or no)."""
    same: dict[tuple[str, bool], list[int]] = {}
    for one in tasks:
        for answers in _questions(one).values():
            for (who, first), (other, second) in combinations(answers, 2):
                own = same.setdefault((one.type, who == other), [0, 0])
                own[0] += first == second
                own[1] += 1
    rows = []
    for kind, within in sorted(
        same, key=lambda key: (list(TYPES).index(key[0]) if key[0] in TYPES else 9, key[1])
    ):
        agreed, pairs = same[kind, within]
        chance = YES_OR_NO if kind.endswith("ACCEPT") else THREE_ANSWERS
        rows.append(PairedAgreement(kind, within, pairs, agreed / pairs, kappa(agreed / pairs, chance)))
    return WMTAgreement(tuple(rows))


def _questions(one: TaskJudgements) -> dict[tuple[str, ...], list[tuple[str, float]]]:
    found: dict[tuple[str, ...], list[tuple[str, float]]] = {}
    if one.answers is not None:
        own = one.answers
        for who, system, segment, score in zip(
            own.annotator, own.system, own.segment, own.score, strict=True
        ):
            found.setdefault((segment, system), []).append((who, float(score)))
    for ranking in one.rankings:
        placed = sorted(zip(ranking.systems, ranking.ranks, strict=True))
        for (a, rank_a), (b, rank_b) in combinations(placed, 2):
            sign = (rank_a > rank_b) - (rank_a < rank_b)
            found.setdefault((ranking.segment, a, b), []).append((ranking.annotator, sign))
    return found


def chosen_tasks(found: WMTJudgements, task: str | None) -> WMTJudgements:
    """The judgements of one task, or of all."""
    if task is None:
        return found
    if task not in found.names:
        raise InputError(
            f"{found.coverage.origin}: there is no task {task!r}{did_you_mean(task, found.names)}"
        )
    return WMTJudgements(tuple(one for one in found.tasks if one.task == task), found.coverage)


@dataclass(frozen=True)
class TaskRhos(Result):
    """Spearman's rho of a metric with WMT08's three kinds of judgements, task by task, and the means."""

    kind = "mean rho"
    metric: str
    by_task: Mapping[str, MeanRho]

    @property
    def mean(self) -> float | None:
        """Over all tasks and kinds of judgements; None where one of them is undefined."""
        means = [own.mean for own in self.by_task.values()]
        known = [mean for mean in means if mean is not None]
        return sum(known) / len(known) if known and len(known) == len(means) else None

    def contents(self) -> Mapping[str, Any]:
        tasks = {task: {"rho": dict(own.by_task), "mean": own.mean} for task, own in self.by_task.items()}
        return {"metric": self.metric, "tasks": tasks, "mean": self.mean}

    def table(self) -> Table:
        kinds = next(iter(self.by_task.values())).by_task
        columns = (Column("task"), *(number_column(kind, digits=3) for kind in (*kinds, "mean")))
        rows: list[tuple[Value, ...]] = [
            (task, *own.by_task.values(), own.mean) for task, own in self.by_task.items()
        ]
        if len(rows) > 1:
            rows.append(("all", *(None for _ in kinds), self.mean))
        notes = [
            str(coverage) for own in self.by_task.values() for coverage in own.coverages if coverage.left_out
        ]
        return Table(f"{self.metric}: Spearman's rho with people", columns, tuple(rows), tuple(notes))


def task_rhos(
    found: WMTJudgements, scores: Mapping[str, ScoreMatrix], *, lower_is_better: bool = False
) -> TaskRhos:
    """A metric's system scores of each task against its rankings, constituents and yes/no judgements (Song et al.
    2013, section 3.2: how often a system outperformed the others, the share of yes)."""
    by_task = {}
    for task, matrix in scores.items():
        own = {one.type: one for one in chosen_tasks(found, task).tasks}
        if missing := [kind for kind in ("RANK", "CONSTITUENT", "CONSTITUENT_ACCEPT") if kind not in own]:
            raise InputError(f"{found.coverage.origin}: {task} has no {TYPES[missing[0]]}")
        answers = own["CONSTITUENT_ACCEPT"].answers
        assert answers is not None
        ranking, constituent = (pairwise(own[kind].rankings) for kind in ("RANK", "CONSTITUENT"))
        by_task[task] = mean_rho(
            wmt08_gold(ranking, constituent, answers), matrix, lower_is_better=lower_is_better
        )
    return TaskRhos(next(iter(scores.values())).name, by_task)
