"""`train report`: how a metric learns, what its parts earn and cost, and whether its numbers mean what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.io.tables import Column, Table, number_column
from tertium.progress import steps
from tertium.results import Result
from tertium.training.judged import JudgedTexts
from tertium.training.models import learner_for
from tertium.training.training import TrainedMetric, best_of, features_of, fitting_components, train

SHARES = (0.05, 0.1, 0.25, 0.5, 1.0)  # of the training data
PARTS = 10  # of segments, by what was predicted
SEED = 12345


@dataclass(frozen=True)
class LearntFrom:
    """The correlation on parts that were left out, of metrics trained on so many judgements of the others."""

    judgements: int
    correlation: float


@dataclass(frozen=True)
class CalibratedPart:
    """A tenth of the segments that were left out: what was predicted, and what people said, on average."""

    predicted: float
    judged: float


@dataclass(frozen=True)
class TrainingReport(Result):
    """What there is to know about training a metric on these judgements."""

    kind = "training report"
    trained: TrainedMetric
    curve: tuple[LearntFrom, ...]
    calibration: tuple[CalibratedPart, ...]
    slope: float  # of people's judgements on predictions

    def contents(self) -> Mapping[str, Any]:
        return {
            "trained": self.trained,
            "curve": self.curve,
            "calibration": self.calibration,
            "slope": self.slope,
        }

    def tables(self) -> Iterator[Table]:
        yield self.trained.table()
        rows = tuple((one.judgements, one.correlation) for one in self.curve)
        yield Table(
            "learning curve",
            (number_column("judgements", digits=0), number_column(self.trained.measure, digits=3)),
            rows,
        )
        shown = tuple((f"{i + 1}", one.predicted, one.judged) for i, one in enumerate(self.calibration))
        columns = (
            Column("tenth"),
            number_column("predicted", digits=2),
            number_column("people", digits=2),
        )
        yield Table("calibration", columns, shown)

    def words(self) -> Iterator[str]:
        yield from self.trained.words()
        yield from self._trade_off()
        half, whole = self.curve[-2], self.curve[-1]
        gain = whole.correlation - half.correlation
        more = "more judgements would still help" if gain > 0.005 else "more judgements would hardly help"
        measure = self.trained.measure
        yield (
            f"From half of the judgements {measure} = {half.correlation:.3f}, from all {whole.correlation:.3f}: {more}."
        )
        if self.trained.accuracy is None:
            yield f"A prediction that is higher by 1 stands for {self.slope:.2f} in people's judgements."
        else:
            yield f"A chance that it finds higher by 10% is higher by {10 * self.slope:.1f}% in people's choices."

    def _trade_off(self) -> Iterator[str]:
        """What is missed most, and whether what costs most is worth it."""
        measure, parts = self.trained.measure, self.trained.components
        known = [(one.without, one) for one in parts if one.without is not None]
        whole = sum(one.seconds for one in parts)
        if len(known) < 2 or not whole:
            return
        worst, missed = min(known, key=lambda pair: pair[0])
        without, dearest = max(known, key=lambda pair: pair[1].seconds)
        said = f"Without {missed.spec}, which is missed most, {measure} = {worst:.3f}"
        if dearest is not missed:
            share = f"{dearest.seconds / whole:.0%} of the time"
            said += f"; without {dearest.spec}, which takes {share}, {measure} = {without:.3f}"
        yield f"{said}."


def training_report(
    judged: JudgedTexts,
    components: Sequence[str],
    *,
    learner: str | None = None,
    name: str = "my metric",
    seed: int = SEED,
    threads: int = 1,
) -> TrainingReport:
    """Train, and look at it from all sides. Everything is measured on parts that were left out; the seed draws what the
    learning curve leaves out besides.
    """
    trained = train(judged, components, learner=learner, name=name, threads=threads)
    parts = fitting_components([one.spec for one in trained.components], judged)  # those that vary
    rows = np.concatenate(features_of(parts, judged, threads).blocks, axis=2)
    _, how = learner_for(judged, learner)
    folds = judged.folds()
    order = judged.order(np.random.default_rng(seed))
    curve, scores = [], np.zeros(len(judged))
    for share in steps(SHARES, "learning curve"):
        values, used = [], []
        for fold in range(int(folds.max()) + 1):
            inside = folds == fold
            others = order[~inside[order]]
            taken = np.zeros(len(judged), dtype=bool)
            taken[others[: max(2, round(share * len(others)))]] = True
            scores[inside] = best_of(judged.fit(how, rows, taken, trained.setting), rows[:, inside])
            values.append(judged.agreement(scores, inside))
            used.append(judged.number(taken))
        curve.append(LearntFrom(round(float(np.mean(used))), float(np.mean(values))))
    predicted, human = judged.calibration(scores)
    tenths = np.array_split(np.argsort(predicted, kind="stable"), PARTS)
    calibration = tuple(
        CalibratedPart(float(predicted[own].mean()), float(human[own].mean())) for own in tenths
    )
    spread = float(np.var(predicted))
    slope = float(np.cov(predicted, human, bias=True)[0, 1]) / spread if spread else 0.0
    return TrainingReport(trained, tuple(curve), calibration, slope)
