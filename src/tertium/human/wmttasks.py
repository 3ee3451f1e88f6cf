"""Gold and agreement from the raw judgements of WMT's shared tasks (2008 to 2012), task by task.

For WMT08 also a metric's mean rho with its three kinds of judgements: rankings of sentences, rankings of constituents,
yes or no (Song et al. 2013, section 3.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from tertium.errors import InputError, did_you_mean
from tertium.human.judgement import Gold, Judgements
from tertium.human.ranking import THREE_ANSWERS, Ties, expected_wins, pairwise, win_rate
from tertium.human.raters import joined_judgements
from tertium.io.comparisons import Comparisons
from tertium.io.coverage import Coverage
from tertium.io.scorematrix import ScoreMatrix, aligned
from tertium.io.tables import Column, Table, Value, number_column
from tertium.io.wmtjudgements import LANGUAGES, TaskJudgements, WMTJudgements
from tertium.results import Result
from tertium.stats.agreement import kappa
from tertium.stats.correlation import spearman

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
    task: str = ""  # empty: all tasks of the type together

    @property
    def annotators(self) -> str:
        return "the same" if self.within else "two"


@dataclass(frozen=True)
class WMTAgreement(Result):
    """Agreement between and within annotators: all tasks of a type together, as WMT's findings print it, and task by
    task where there are several."""

    kind = "agreement in a shared task"
    rows: tuple[PairedAgreement, ...]
    by_task: tuple[PairedAgreement, ...] = ()

    def tables(self) -> Iterator[Table]:
        yield self.table()
        if self.by_task:
            yield self._table("Agreement by task", self.by_task)

    def table(self) -> Table:
        """All tasks of a type together."""
        return self._table("Agreement", self.rows)

    @staticmethod
    def _table(title: str, rows: Sequence[PairedAgreement]) -> Table:
        by_task = any(row.task for row in rows)
        columns = (
            *((Column("task"),) if by_task else ()),
            Column("judgements"),
            Column("annotators"),
            number_column("pairs"),
            number_column("P(A)", "agreement", 3),
            number_column("K", "kappa", 3),
        )
        cells: tuple[tuple[Value, ...], ...] = tuple(
            (
                *((row.task,) if by_task else ()),
                TYPES.get(row.type, row.type),
                row.annotators,
                row.pairs,
                row.agreement,
                row.kappa,
            )
            for row in rows
        )
        notes = ("P(E) is 1/3 for rankings (better, worse, equal) and 1/2 for yes or no",)
        return Table(title, columns, cells, notes)


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
        yield from self.agreement.tables()
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
    by_task: dict[tuple[str, str, bool], list[int]] = {}
    for one in tasks:
        _count_equal(_questions(one).values(), by_task, (one.task, one.type))
    together: dict[tuple[str, str, bool], list[int]] = {}
    for (_, kind, within), (equal, pairs) in by_task.items():
        counts = together.setdefault(("", kind, within), [0, 0])
        counts[0] += equal
        counts[1] += pairs
    several = len({task for task, _, _ in by_task}) > 1
    return WMTAgreement(_paired(together), _paired(by_task) if several else ())


def comparison_agreement(comparisons: Comparisons, kind: str = "RANK") -> WMTAgreement:
    """P(A) and kappa over all pairs of answers about the same two systems in one segment.

    >>> rows = [("ann", "1", "A", "B", 1), ("bob", "1", "B", "A", -1)]
    >>> rows += [("ann", "2", "A", "B", 1), ("bob", "2", "A", "B", 0)]
    >>> [(row.pairs, row.agreement, row.kappa) for row in comparison_agreement(Comparisons.of(rows)).rows]
    [(2, 0.5, 0.25)]
    """
    questions: dict[tuple[str, ...], list[tuple[str, float]]] = {}
    for who, segment, a, b, sign in zip(
        comparisons.annotator,
        comparisons.segment,
        comparisons.first.tolist(),
        comparisons.second.tolist(),
        comparisons.sign.tolist(),
        strict=True,
    ):
        low, high, answer = (a, b, sign) if a < b else (b, a, -sign)
        key = (segment, comparisons.systems[low], comparisons.systems[high])
        questions.setdefault(key, []).append((who, float(answer)))
    counts: dict[tuple[str, str, bool], list[int]] = {}
    _count_equal(questions.values(), counts, ("", kind))
    return WMTAgreement(_paired(counts))


def _count_equal(
    questions: Iterable[Sequence[tuple[str, float]]],
    counts: dict[tuple[str, str, bool], list[int]],
    key: tuple[str, str],
) -> None:
    """Add the pairs of answers to each question, and how many are equal, by whether one annotator gave both."""
    for answers in questions:
        for (who, first), (other, second) in combinations(answers, 2):
            own = counts.setdefault((*key, who == other), [0, 0])
            own[0] += first == second
            own[1] += 1


def _paired(counts: Mapping[tuple[str, str, bool], Sequence[int]]) -> tuple[PairedAgreement, ...]:
    order = list(TYPES)
    rows = []
    for task, kind, within in sorted(
        counts, key=lambda key: (key[0], order.index(key[1]) if key[1] in order else len(order), key[2])
    ):
        equal, pairs = counts[task, kind, within]
        chance = YES_OR_NO if kind.endswith("ACCEPT") else THREE_ANSWERS
        rows.append(PairedAgreement(kind, within, pairs, equal / pairs, kappa(equal / pairs, chance), task))
    return tuple(rows)


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


def joined_tasks(parts: Sequence[WMTJudgements]) -> WMTJudgements:
    """The judgements of several files, task by task."""
    if len(parts) == 1:
        return parts[0]
    by_task: dict[tuple[str, str], list[TaskJudgements]] = {}
    for part in parts:
        for one in part.tasks:
            by_task.setdefault((one.task, one.type), []).append(one)
    tasks = []
    for (task, kind), own in by_task.items():
        rankings = tuple(ranking for one in own for ranking in one.rankings)
        answers = [one.answers for one in own if one.answers is not None]
        tasks.append(TaskJudgements(task, kind, rankings, joined_judgements(answers) if answers else None))
    coverages = [part.coverage for part in parts]
    notes = tuple(map(str, coverages[1:]))
    return WMTJudgements(tuple(tasks), replace(coverages[0], notes=(*coverages[0].notes, *notes)))


def chosen_tasks(found: WMTJudgements, task: str | None) -> WMTJudgements:
    """The judgements of one task, or of all; `cs-en` are those whose names begin with Czech-English."""
    if task is None:
        return found
    languages = "-".join(LANGUAGES.get(code, code) for code in task.split("-"))
    if of_pair := [one for one in found.tasks if one.task.split()[0] == languages != task]:
        return WMTJudgements(tuple(of_pair), found.coverage)
    if task not in found.names:
        raise InputError(
            f"{found.coverage.origin}: there is no task {task!r}{did_you_mean(task, found.names)}"
        )
    return WMTJudgements(tuple(one for one in found.tasks if one.task == task), found.coverage)


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
        return _mean(self.by_task.values())

    def contents(self) -> Mapping[str, Any]:
        facts = {"metric": self.metric, "rho": self.by_task}
        return {**facts, "mean": self.mean, "coverages": self.coverages}

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


@dataclass(frozen=True)
class TaskRhos(Result):
    """Spearman's rho of a metric with WMT08's three kinds of judgements, task by task, and the means."""

    kind = "mean rho"
    metric: str
    by_task: Mapping[str, MeanRho]

    @property
    def mean(self) -> float | None:
        """Over all tasks and kinds of judgements; None where one of them is undefined."""
        return _mean(own.mean for own in self.by_task.values())

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


def _mean(values: Iterable[float | None]) -> float | None:
    known = list(values)
    defined = [value for value in known if value is not None]
    return sum(defined) / len(defined) if defined and len(defined) == len(known) else None
