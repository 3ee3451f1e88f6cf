"""What tuning found: weights, scores with and without them, how it went on; and each metric tuned to, judged by all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tertium.comparison.components import Components
from tertium.comparison.pair_results import PairTests
from tertium.errors import many
from tertium.families.base import Metric
from tertium.io.tables import Column, Table, Value, number_column
from tertium.results import Result, metric_facts, metric_labels
from tertium.tuning.tuners import TUNERS

SHOWN = 12  # points of a curve that are printed

Scores = Mapping[Metric, float | None]


@dataclass(frozen=True)
class TuningSetup:
    """What was tuned on, and how."""

    metrics: tuple[Metric, ...]
    n_references: int | None
    method: str
    seed: int
    sentences: int  # tuned on
    heldout: int  # sentences that were held out
    candidates: int  # of all sentences
    begin: str  # where the weights at the beginning came from
    idle: tuple[str, ...]  # features that are the same for all candidates of every sentence
    digits: int = 2

    def contents(self) -> dict[str, Any]:
        return {
            "metrics": metric_facts(self.metrics, self.n_references),
            "method": self.method,
            "seed": self.seed,
            "sentences": self.sentences,
            "heldout_sentences": self.heldout,
            "candidates": self.candidates,
            "begin": self.begin,
            "idle_features": self.idle,
        }

    def label(self, metric: Metric) -> str:
        return metric_labels(self.metrics)[self.metrics.index(metric)]

    def notes(self) -> Iterator[str]:
        for one in metric_facts(self.metrics, self.n_references):
            yield f"{one['label']}: {one['signature']}"
        yield f"weights at the beginning: {self.begin}; seed {self.seed}"
        if self.idle:
            yield f"the same for all candidates of every sentence, so without effect: {', '.join(self.idle)}"

    def columns(self, suffix: str = "") -> list[Column]:
        facts = metric_facts(self.metrics, self.n_references)
        return [
            number_column(
                f"{one['label']}{suffix} {'↑' if one['higher_is_better'] else '↓'}",
                f"{one['metric']}{suffix}",
                self.digits,
            )
            for one in facts
        ]


@dataclass(frozen=True)
class Point:
    """The scores after a step, by the metric tuned to."""

    step: int
    tuning: float | None
    heldout: float | None


@dataclass(frozen=True)
class TuningRun:
    """Where one beginning led to: the best point on the tuning part, of so many."""

    beginning: str
    best: Point
    steps: int


@dataclass(frozen=True)
class Selected:
    """The scores of one choice of candidates, on both parts."""

    tuning: Scores
    heldout: Scores


@dataclass(frozen=True, eq=False)
class TunedWeights(Result):
    """Weights that were tuned to a metric."""

    kind = "tuned weights"
    setup: TuningSetup
    metric: Metric
    weights: Mapping[str, tuple[float, ...]]
    before: Mapping[str, tuple[float, ...]]
    selected: Mapping[str, Selected]  # first, before, tuned, oracle
    curve: tuple[Point, ...]  # of the best run
    runs: tuple[TuningRun, ...]
    best: int  # the run that was best
    test: PairTests | None  # tuned against before, where it was not tuned

    def contents(self) -> Mapping[str, Any]:
        return {
            **self.setup.contents(),
            "metric": self.metric,
            "weights": self.weights,
            "before": self.before,
            "selected": self.selected,
            "curve": self.curve,
            "runs": self.runs,
            "best_run": self.best,
            "test": None if self.test is None else self.test.contents(),
        }

    def words(self) -> Iterator[str]:
        label, digits = self.setup.label(self.metric), self.setup.digits
        tuned, before = (self.selected[name] for name in ("tuned", "before"))

        def shown(scores: Scores) -> str:
            value = scores[self.metric]
            return "undefined" if value is None else f"{value:.{digits}f}"

        held = ""
        if self.setup.heldout:
            held = f"; {shown(tuned.heldout)} on the {self.setup.heldout:,} held out ({shown(before.heldout)} before)"
        yield (
            f"Tuned to {label} by {TUNERS[self.setup.method].title}: {shown(tuned.tuning)} on the "
            f"{self.setup.sentences:,} sentences it was tuned on ({shown(before.tuning)} before){held}."
        )
        if self.test is not None:
            yield f"On the part held out, {self.test.sentence(self.test.pair('before', 'tuned'), digits)}."
        values = [run.best.tuning for run in self.runs if run.best.tuning is not None]
        if len(values) > 1:
            best = self.runs[self.best].beginning
            yield (
                f"{many(len(self.runs), 'beginning')} led to {min(values):.{digits}f} to {max(values):.{digits}f} "
                f"on the part tuned on; the best was {best}."
            )

    def tables(self) -> Iterator[Table]:
        yield self.table()
        yield self.weight_table()
        yield self.curve_table()

    def table(self) -> Table:
        """A row for each choice of candidates."""
        columns = [Column("chosen by"), *self.setup.columns()]
        rows = [(name, *own.tuning.values()) for name, own in self.selected.items()]
        if self.setup.heldout:
            columns += self.setup.columns(", held out")
            rows = [
                (*row, *own.heldout.values()) for row, own in zip(rows, self.selected.values(), strict=True)
            ]
        title = (
            f"{self.setup.sentences:,} sentences tuned on, {self.setup.heldout:,} held out, "
            f"{self.setup.candidates:,} candidates"
        )
        return Table(title, tuple(columns), tuple(rows), tuple(self.setup.notes()))

    def weight_table(self) -> Table:
        """A row for each weight."""
        rows: list[tuple[Value, ...]] = []
        for name, own in self.weights.items():
            for i, (weight, before) in enumerate(zip(own, self.before[name], strict=True)):
                rows.append((name if len(own) == 1 else f"{name}[{i + 1}]", before, weight))
        columns = Column("feature"), number_column("before", digits=4), number_column("tuned", digits=4)
        return Table("Weights", columns, tuple(rows))

    def curve_table(self) -> Table:
        """The scores step by step."""
        last = len(self.curve) - 1
        places = sorted({round(i * last / (SHOWN - 1)) for i in range(SHOWN)})
        points = [self.curve[i] for i in places]
        step = TUNERS[self.setup.method].step
        columns = [Column(step, align="right"), number_column("tuned on", "tuning", self.setup.digits)]
        rows: list[tuple[Value, ...]] = [(point.step, point.tuning) for point in points]
        if self.setup.heldout:
            columns.append(number_column("held out", "heldout", self.setup.digits))
            rows = [(*row, point.heldout) for row, point in zip(rows, points, strict=True)]
        chosen = self.runs[self.best].best.step
        notes = [
            f"{self.setup.label(self.metric)} of {self.runs[self.best].beginning}; {step} {chosen} is taken"
        ]
        if len(places) <= last:
            notes.append(f"{len(places)} of {last + 1} points; all are in -f json")
        return Table("Curve", tuple(columns), tuple(rows), tuple(notes))


@dataclass(frozen=True, eq=False)
class CrossTuning(Result):
    """Each of several metrics tuned to, and the outcome judged by all of them."""

    kind = "cross tuning"
    setup: TuningSetup
    tuned: tuple[TunedWeights, ...]  # of several replicas the best where it was tuned
    replicas: int
    scores: Mapping[str, Scores]  # of each choice, on what was held out
    tests: tuple[PairTests, ...]  # by each metric: the weights tuned to it against the others
    components: Components

    def contents(self) -> Mapping[str, Any]:
        return {
            **self.setup.contents(),
            "replicas": self.replicas,
            "tuned": [
                {
                    "metric": own.metric,
                    "weights": own.weights,
                    "curve": own.curve,
                    "runs": own.runs,
                    "best_run": own.best,
                }
                for own in self.tuned
            ],
            "scores": self.scores,
            "tests": [test.contents() for test in self.tests],
            "components": self.components.contents(),
        }

    def words(self) -> Iterator[str]:
        worse: dict[str, list[str]] = {}
        beaten: dict[str, list[str]] = {}
        best = []
        for test in self.tests:
            label = self.setup.label(test.metric)
            for pair in test.pairs:
                if pair.significant(test.alpha):
                    (worse if pair.better == pair.first else beaten).setdefault(pair.second, []).append(label)
            if all(pair.better != pair.second for pair in test.pairs):
                best.append(label)
        if worse:
            told = "; ".join(f"to {name} (by {', '.join(by)})" for name, by in worse.items())
            yield f"Significantly worse than tuning to the metric that judges: tuning {told}."
        else:
            yield "Nothing is significantly worse than tuning to the metric that judges."
        if beaten:
            told = "; ".join(f"to {name} (by {', '.join(by)})" for name, by in beaten.items())
            yield f"Significantly better than that: tuning {told}."
        of = f"{len(best)} of {len(self.tests)} metrics"
        yield f"By {of} those tuned to it score highest{': ' if best else ''}{', '.join(best)}."

    def _replica_notes(self) -> Iterator[str]:
        if self.replicas > 1:
            spreads = [
                max((own.run_spread or 0.0 for own in test.systems), default=0.0) for test in self.tests
            ]
            shown = ", ".join(f"{spread:.{self.setup.digits}f}" for spread in spreads)
            yield f"means of {self.replicas} replicas of tuning; their largest standard deviation by column: {shown}"

    def tables(self) -> Iterator[Table]:
        yield self.table()
        yield self.components.table()

    def table(self) -> Table:
        """A row for each metric tuned to, a column for each metric that judges."""
        names = list(self.scores)
        rows = tuple((name, *own.values()) for name, own in self.scores.items())
        signs, best = {}, set()
        for c, (metric, test) in enumerate(zip(self.setup.metrics, self.tests, strict=True), 1):
            for pair in test.pairs:
                if pair.significant(test.alpha):
                    signs[names.index(pair.second), c] = "▼ " if pair.better == pair.first else "▲ "
            known = {r: own[metric] for r, own in enumerate(self.scores.values()) if own[metric] is not None}
            if known:
                pick: Any = max if metric.higher_is_better else min
                best.add((pick(known, key=known.__getitem__), c))
        title = (
            f"Tuned by {TUNERS[self.setup.method].title} on {self.setup.sentences:,} sentences, scores of the "
            f"{self.setup.heldout:,} held out"
        )
        notes = (
            "▼ significantly worse than the weights tuned to that column's metric, ▲ better (p < 0.05 after Holm; "
            f"{' and '.join(dict.fromkeys(_how(test) for test in self.tests))})",
            *self._replica_notes(),
            *self.setup.notes(),
        )
        columns = (Column("tuned to"), *self.setup.columns())
        return Table(title, columns, rows, notes, frozenset(best), signs)


def _how(test: PairTests) -> str:
    """How a metric was tested, without its name."""
    return test.settings().partition(": ")[2]
