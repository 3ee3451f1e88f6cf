"""How good the lists are: every document ranked from what came before it, beside plain rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.assignment.evidence import EVIDENCE, Question
from tertium.assignment.history import History
from tertium.assignment.identities import Identities
from tertium.assignment.ranking import Model, equipped
from tertium.errors import InputError, many
from tertium.memory.reading import Source
from tertium.progress import steps
from tertium.results import Result
from tertium.stats.blocks import sign_flip_p
from tertium.stats.groups import group_mean_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.io.tables import Table
    from tertium.stats.pvalues import Interval

DEPTHS = (1, 3, 5)
MEASURES = (*(f"hit@{depth}" for depth in DEPTHS), "MRR")
RESAMPLES = 10_000
OURS = "Tertium"
VOLUMES = (1, 5, 20)  # documents before; more is the last group
SHOWN = 10
Order = Callable[[Question], "NDArray[np.float64]"]


def _latest(asked: Question) -> NDArray[np.float64]:
    """The one who did this client's latest document, or most of those of that day; then those before."""
    least = np.full(len(asked.history.translators), np.inf)
    np.minimum.at(least, asked.who[asked.ours], asked.ages[asked.ours])
    last = asked.ours & (asked.ages == least[asked.who])
    return np.asarray(-least + asked.shares(last.astype(float)) / 2)


def _frequent(asked: Question, jobs: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Who did most; of equals, who did the latest."""
    least = np.full(len(asked.history.translators), np.inf)
    np.minimum.at(least, asked.who[jobs], asked.ages[jobs])
    return np.asarray(asked.sums(jobs.astype(float)) + 1 / (1 + least) / 2)


BASELINES: dict[str, Order] = {
    "client's latest": _latest,
    "client's usual": lambda asked: _frequent(asked, asked.ours),
    "most frequent": lambda asked: _frequent(asked, np.ones(asked.past, bool)),
}


@dataclass(frozen=True)
class Lead:
    """How much more ours has, with its 95% interval and two-sided p-value."""

    difference: float
    low: float | None  # None: no interval, because all clients agree, or there is one
    high: float | None
    p: float


@dataclass(frozen=True)
class Hits:
    """How often the one who did it is among the first, with 95% intervals over clients, and how much better ours is."""

    method: str
    hits: tuple[float, ...]  # at 1, 3, 5
    mrr: float
    intervals: tuple[tuple[float | None, float | None], ...]  # of each hit, and of the mean reciprocal rank
    leads: tuple[Lead, ...] = ()  # of ours: in each hit, and in the mean reciprocal rank


@dataclass(frozen=True)
class TestedPart:
    """Documents of one kind, and what each method makes of them."""

    name: str
    documents: int
    clients: int
    new: int  # done by somebody who had never been seen: nobody can have them right
    methods: tuple[Hits, ...]


@dataclass(frozen=True)
class AssignmentEvaluation(Result):
    """Lists against what really happened."""

    kind = "assignment evaluation"
    memory: str
    since: str
    parts: tuple[TestedPart, ...]
    repeated: int  # documents that had been translated before, left out
    fairness: tuple[
        tuple[str, int, int], ...
    ]  # translator, documents really done, and if the list is followed
    calibration: tuple[tuple[str, int, float, float], ...]  # volume, times, mean share, how often they did it
    ablation: tuple[tuple[str, float, float], ...]  # without what, hits at 1, mean reciprocal rank

    def words(self) -> Iterator[str]:
        for part in self.parts:
            ours, *others = part.methods
            line = f"{part.name}: {ours.hits[0]:.1%} of {many(part.documents, 'document')} right at first"
            best = max(others, key=lambda own: own.hits[0])
            yield f"{line}; {best.method}: {best.hits[0]:.1%} (p {_p(best.leads[0].p)})."
        top, most = self.fairness[0][0], sum(own[2] for own in self.fairness)
        if most:
            yield f"If the list is followed, {top} gets {self.fairness[0][2] / most:.0%} of the documents."

    def tables(self) -> Iterator[Table]:
        from tertium.io.tables import Column, Table, number_column

        columns = (
            Column("measure", whole=True),
            Column("method", whole=True),
            number_column("value", digits=3),
            Column("95%", align="right", whole=True),
            Column("our lead", align="right", whole=True),
            Column("p", align="right", whole=True),
        )
        for part in self.parts:
            new = f"{part.new} of them by somebody never seen before" if part.new else ""
            notes = (
                "95% intervals (our lead: ours less this) by client, Student's below 100, none if all agree",
                "p: sign flips by client, not corrected for the number of methods and measures",
            )
            title = f"{part.name}: {many(part.documents, 'document')} of {many(part.clients, 'client')}"
            yield Table(f"{title}{', ' if new else ''}{new}", columns, tuple(_measures(part)), notes)
        if self.ablation:
            numbers = (number_column("hit@1", digits=3), number_column("MRR", digits=3))
            yield Table("Without one kind of evidence", (Column("without"), *numbers), self.ablation)
        names = (
            Column("translator"),
            *(number_column(name, digits=None) for name in ("really", "by the list")),
        )
        more = len(self.fairness) - SHOWN
        further = (f"and {more} more (-f json shows all)",) if more > 0 else ()
        yield Table("Who gets how much work", names, self.fairness[:SHOWN], further)
        shares = (
            Column("documents before"),
            number_column("times", digits=None),
            number_column("mean share", digits=3),
            number_column("did it", digits=3),
        )
        yield Table("Are the shares right?", shares, self.calibration)

    def records(self) -> list[dict[str, Any]]:
        return [
            {
                "part": part.name,
                "method": own.method,
                **dict(_named(own)),
            }
            for part in self.parts
            for own in part.methods
        ]


def evaluate_assignment(
    memory: str,
    *,
    since: date,
    cut: date | None = None,
    ablation: bool = False,
    types: str | None = None,
    vectors: str | None = None,
    key: str | None = None,
    **how: Any,
) -> AssignmentEvaluation:
    """Rank each document since a day from what came before it; with `cut`, those after it from what came before it.

    No document is on both sides: what was translated before by the same client and name is left out.
    """
    ids = Identities(memory, key)
    history = History.read(Source(memory, **how), ids=ids)
    equipped(history, types, vectors, ids)
    if not history.dated:
        raise InputError(f"{memory}: has no dates, so nothing can be ranked from what came before it")
    first: dict[tuple[str, str], int] = {}
    for job in history.jobs:
        first.setdefault((job.client, job.document), job.day)
    tested = [
        n for n, job in enumerate(history.jobs) if job.day >= since.toordinal() and history.before(job.day)
    ]
    fresh = [
        n for n in tested if first[history.jobs[n].client, history.jobs[n].document] == history.jobs[n].day
    ]
    if not fresh:
        raise InputError(f"{memory}: no new document since {since}")
    model = Model(history)
    asked = {n: Question.of_job(history, n) for n in steps(fresh, "ranking")}
    shares = {n: model.shares(question) for n, question in asked.items()}
    known = [n for n in fresh if asked[n].ours.any()]
    unseen = [n for n in fresh if not asked[n].ours.any()]
    parts = [_part("Known clients", known, asked, shares), _part("New clients", unseen, asked, shares)]
    if cut is not None:
        past = history.before(cut.toordinal())
        after = [n for n in fresh if history.jobs[n].day >= cut.toordinal()]
        frozen = {n: Question.of_job(history, n, past) for n in after}
        own = [n for n in after if frozen[n].ours.any()]
        parts.append(_part(f"After one cut at {cut}", own, frozen, {n: model.shares(frozen[n]) for n in own}))
    return AssignmentEvaluation(
        memory,
        str(since),
        tuple(filter(None, parts)),
        len(tested) - len(fresh),
        _fairness(history, fresh, shares),
        _calibration(history, fresh, asked, shares),
        tuple(_ablation(history, known, asked)) if ablation else (),
    )


def _part(
    name: str, jobs: Sequence[int], asked: dict[int, Question], shares: dict[int, NDArray[np.float64]]
) -> TestedPart | None:
    if not jobs:
        return None
    history = asked[jobs[0]].history
    clients = history.client[list(jobs)]
    ranks = {OURS: [_rank(asked[n], shares[n], history.translator[n]) for n in jobs]}
    for method, order in BASELINES.items():
        ranks[method] = [_rank(asked[n], order(asked[n]), history.translator[n]) for n in jobs]
    groups = [np.flatnonzero(clients == own) for own in np.unique(clients)]
    values = {method: _values(own) for method, own in ranks.items()}
    methods = [
        _hits(method, own, values[OURS], groups, compared=method != OURS) for method, own in values.items()
    ]
    new = sum(not asked[n].candidates[history.translator[n]] for n in jobs)
    return TestedPart(name, len(jobs), len(groups), int(new), tuple(methods))


def _rank(asked: Question, values: NDArray[np.float64], truth: int) -> float:
    """The place of the one who did it; infinite for somebody new. Equal values share the mean of their places."""
    if not asked.candidates[truth]:
        return float("inf")
    own = values[asked.candidates]
    return float((own > values[truth]).sum() + ((own == values[truth]).sum() + 1) / 2)


def _values(ranks: Sequence[float]) -> NDArray[np.float64]:
    """Hits at each depth and reciprocal ranks, documents by rows."""
    given = np.array(ranks)
    return np.stack([*(given <= depth for depth in DEPTHS), 1 / given], axis=1).astype(float)


def _hits(
    method: str,
    own: NDArray[np.float64],
    ours: NDArray[np.float64],
    groups: Sequence[NDArray[np.int64]],
    *,
    compared: bool,
) -> Hits:
    means = own.mean(axis=0)
    intervals = tuple(found.within(0.0, 1.0) for found in _intervals(own, groups))
    leads = tuple(_leads(ours - own, groups)) if compared else ()
    return Hits(method, tuple(map(float, means[:-1])), float(means[-1]), intervals, leads)


def _sums(values: NDArray[np.float64], groups: Sequence[NDArray[np.int64]]) -> NDArray[np.float64]:
    """The sums of the values of each client's documents."""
    return np.array([values[places].sum(axis=0) for places in groups])


def _intervals(values: NDArray[np.float64], groups: Sequence[NDArray[np.int64]]) -> Iterator[Interval]:
    """Of the mean over documents by each measure; clients are drawn with all their documents."""
    sizes = np.array([len(places) for places in groups])
    for column in _sums(values, groups).T:
        yield group_mean_interval(column, sizes, resamples=RESAMPLES)


def _leads(differences: NDArray[np.float64], groups: Sequence[NDArray[np.int64]]) -> Iterator[Lead]:
    means, tests = differences.mean(axis=0), sign_flip_p(_sums(differences, groups), trials=RESAMPLES)
    for mean, interval, p in zip(means, _intervals(differences, groups), tests, strict=True):
        yield Lead(float(mean), interval.low, interval.high, p)


def _fairness(
    history: History, jobs: Sequence[int], shares: dict[int, NDArray[np.float64]]
) -> tuple[tuple[str, int, int], ...]:
    real = Counter(history.jobs[n].translator for n in jobs)
    listed = Counter(history.translators[int(shares[n].argmax())] for n in jobs)
    names = sorted({*real, *listed}, key=lambda name: (-listed[name], -real[name], name))
    return tuple((name, real[name], listed[name]) for name in names)


def _calibration(
    history: History,
    jobs: Sequence[int],
    asked: dict[int, Question],
    shares: dict[int, NDArray[np.float64]],
) -> tuple[tuple[str, int, float, float], ...]:
    """Shares given to translators who had done few or many documents, and how often they were the one."""
    edges = (0, *VOLUMES, 10**9)
    names = [
        *(
            f"{low + 1} to {high}" if high > low + 1 else str(high)
            for low, high in zip(edges, VOLUMES, strict=False)
        ),
        f"over {VOLUMES[-1]}",
    ]
    counts = np.zeros((len(names), 3))
    for n in jobs:
        done = asked[n].sums(np.ones(asked[n].past))
        groups = np.searchsorted(edges, done, side="left") - 1
        there = done > 0
        truth = np.arange(len(done)) == history.translator[n]
        for column, values in enumerate((np.ones(len(done)), shares[n], truth)):
            counts[:, column] += np.bincount(groups[there], values[there], minlength=len(names))
    return tuple(
        (name, int(times), float(given / times), float(did / times))
        for name, (times, given, did) in zip(names, counts, strict=True)
        if times
    )


def _ablation(
    history: History, jobs: Sequence[int], asked: dict[int, Question]
) -> Iterator[tuple[str, float, float]]:
    for name in ("nothing", *EVIDENCE):
        model = Model(history, without=[name])
        ranks = [
            _rank(asked[n], model.shares(asked[n]), history.translator[n])
            for n in steps(jobs, f"without {name}")
        ]
        values = _values(ranks).mean(axis=0)
        yield name, float(values[0]), float(values[-1])


def _measures(part: TestedPart) -> Iterator[tuple[Any, ...]]:
    """Rows of the table of a part: every measure of every method."""
    for at, measure in enumerate(MEASURES):
        for own in part.methods:
            value = (*own.hits, own.mrr)[at]
            row = (measure, own.method, value, _interval(*own.intervals[at]))
            lead = own.leads[at] if own.leads else None
            more = (_interval(lead.low, lead.high), _p(lead.p)) if lead else ("", "")
            yield *row, *more


def _named(own: Hits) -> Iterator[tuple[str, float | None]]:
    """All numbers of a method by name."""
    for at, measure in enumerate(MEASURES):
        lead = own.leads[at] if own.leads else None
        yield measure, (*own.hits, own.mrr)[at]
        yield from zip((f"{measure} low", f"{measure} high"), own.intervals[at], strict=True)
        yield f"{measure} lead", lead.difference if lead else None
        yield f"{measure} p", lead.p if lead else None


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.2f} to {high:.2f}"


def _p(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else "< .001"
