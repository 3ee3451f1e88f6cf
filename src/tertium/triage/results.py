"""What is said of an estimator: how it was trained, how good it is, and its estimates."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.errors import InputError, many
from tertium.estimation.estimator import HIGHER, Estimator, targets_of
from tertium.io.tables import Column, Table, number_column
from tertium.io.translations import Translations
from tertium.results import Result
from tertium.stats.correlation import pearson, spearman
from tertium.stats.reliability import Reliability, reliability
from tertium.triage.calibration import NEEDS, calibration_of, truth_of, upwards
from tertium.triage.drift import Drift, drift_of_corrections
from tertium.triage.promises import (
    BAD_BELOW,
    Promise,
    PromiseKept,
    bad_words,
    bound_of,
    checked_promise,
    promised,
)
from tertium.triage.verdicts import BLOCK, EDIT_FROM, PASS_FROM, VERDICTS, Thresholds, verdict_words

_SCALE = {"edits": "100 less the edits that 100 words need", "marks": "what people would give, from 0 to 100"}
_WORTH = {
    "da": "people's scores",
    "hter": "the share of words that were edited",
    "saved": "the share of words that need no edit",
}


@dataclass(frozen=True)
class TrainedEstimator(Result):
    """An estimator that was trained: on what, and how well it does on parts that were left out."""

    kind = "trained estimator"
    target: str
    pair: str
    segments: int
    features: Mapping[str, int]
    correlation: float
    bytes: int
    edits_share: float = 0.0  # of edits in what was learnt, where they are known beside scores
    corpora: str = ""  # texts beside that models of words learnt from: how many

    def table(self) -> Table:
        """A row for each set of features."""
        from tertium.estimation.features import FEATURES

        rows = tuple((name, number, FEATURES[name].about) for name, number in self.features.items())
        return Table("", (Column("features"), number_column("number", digits=0), Column("of")), rows)

    def words(self) -> Iterator[str]:
        pair = f" ({self.pair})" if self.pair else ""
        yield (
            f"Trained on {self.segments} translations{pair} for {_WORTH[self.target]}: r = {self.correlation:.3f} on "
            "parts that were left out."
        )
        if self.edits_share:
            yield f"Edits beside the scores were {self.edits_share:.0%} of what was learnt."
        if self.corpora:
            yield f"Models of words learnt from corpora, too: {self.corpora}."


@dataclass(frozen=True)
class Estimates(Result):
    """A number for each translation; and a mark from 0 to 100 with what is to be done with it, where the estimator is
    calibrated."""

    kind = "estimates"
    target: str
    values: tuple[float, ...]
    scale: str = ""  # what 100 means: nothing is edited, or people's best mark; empty: not calibrated
    marks: tuple[float, ...] = ()
    verdicts: tuple[str, ...] = ()
    pass_from: float | None = None  # marks
    edit_from: float | None = None
    most_bad: float | None = None  # of what passes, by its mark: the upper bound of its share below 80
    promise: Promise | None = None
    detected: tuple[int, ...] = ()  # segments that only detectors block, from 1
    corrections: int = 0  # that the estimator learnt from since its training
    drift: Drift | None = None  # what marks said of the last corrections, and what those were worth

    def table(self) -> Table:
        """Marks first."""
        estimates = number_column("estimate", digits=4)
        segment = number_column("segment", digits=0)
        if not self.marks:
            return Table("", (segment, estimates), tuple(enumerate(self.values, 1)))
        columns = (segment, number_column("mark", digits=1), Column("verdict"), estimates)
        rows = zip(range(1, len(self.values) + 1), self.marks, self.verdicts, self.values, strict=True)
        return Table("", columns, tuple(rows))

    def words(self) -> Iterator[str]:
        if self.corrections:
            yield f"With what was learnt from {many(self.corrections, 'correction')} (--base: without)."
        if self.drift is not None and self.drift.changed:
            yield f"Of late, {self.drift.sentence}. These marks may be off as much (tertium estimate calibrate)."
        mean = float(np.mean(self.values))
        if not self.marks:
            better = "higher is better" if HIGHER[self.target] else "lower is better"
            yield f"{_WORTH[self.target].capitalize()} of {len(self.values)} translations ({better}): mean {mean:.3f}."
            yield "It is not calibrated: tertium estimate calibrate learns marks from 0 to 100."
            return
        by = f" Detectors alone block {len(self.detected):,} of them." if self.detected else ""
        yield verdict_words(self.verdicts) + by
        yield f"Marks are {_SCALE[self.scale]}: mean {float(np.mean(self.marks)):.0f}."
        if self.promise is not None:
            yield from self.promise.words()
        elif self.most_bad is not None:
            yield (
                f"Of what passes ({self.pass_from:g} or more) at most {self.most_bad:.1%} "
                f"{bad_words(self.scale, BAD_BELOW, plural=False)} (95% confidence)."
            )


@dataclass(frozen=True)
class EvaluatedEstimator(Result):
    """How estimates agree with what people said of the same translations."""

    kind = "evaluated estimator"
    target: str
    segments: int
    pearson: float | None
    low: float | None
    high: float | None
    spearman: float | None
    mean_error: float  # absolute
    root_error: float  # of the mean of squares
    scale: str = ""
    calibration: Reliability | None = None  # of marks from 0 to 100
    kept: PromiseKept | None = None
    drift: Drift | None = None

    def table(self) -> Table:
        names = {
            "pearson": "Pearson",
            "low": "from",
            "high": "to",
            "spearman": "Spearman",
            "mean_error": "MAE",
            "root_error": "RMSE",
        }
        columns = (
            number_column("segments", digits=0),
            *(number_column(name, digits=3) for name in names.values()),
        )
        return Table("", columns, ((self.segments, *(getattr(self, key) for key in names)),))

    def tables(self) -> Iterator[Table]:
        """The second has marks, in bins of equal sizes, and what was true of them."""
        yield self.table()
        if self.calibration is not None:
            labels = ("said", "true", "\N{PLUS-MINUS SIGN}")
            columns = (
                number_column("segments", digits=0),
                *(number_column(label, digits=1) for label in labels),
            )
            rows = tuple((own.number, own.said, own.true, own.margin) for own in self.calibration.bins)
            yield Table("Marks", columns, rows)

    def words(self) -> Iterator[str]:
        if self.pearson is None:
            yield "Estimates or values do not vary: there is no correlation."
        else:
            yield (
                f"r = {self.pearson:.3f} with {_WORTH[self.target]} of {self.segments} translations (95% interval "
                f"{self.low:.3f} to {self.high:.3f})."
            )
        if self.calibration is not None:
            yield (
                f"Marks are off by {self.calibration.error:.1f} points, on average over {len(self.calibration.bins)} "
                f"bins; chance alone makes that {self.calibration.chance:.1f}."
            )
        if self.drift is not None and self.drift.changed:
            yield f"Drift: {self.drift.sentence}. tertium estimate calibrate moves marks there."
        if self.kept is not None:
            yield from self.kept.promise.words()
            yield from self.kept.words()


def estimate(
    model: str | os.PathLike[str] | Estimator,
    sources: Sequence[str],
    translations: Sequence[str],
    *,
    pieces: Sequence[Sequence[str]] | None = None,
    token_scores: Sequence[Sequence[float]] | None = None,
    pair: str = "",
    force: bool = False,
    passes: float = PASS_FROM,
    edits: float = EDIT_FROM,
    promise: float | None = None,
    below: float = BAD_BELOW,
    confidence: float = 0.95,
    detectors: bool = True,
    memory: str | os.PathLike[str] | None = None,
    documents: Sequence[str] | None = None,
) -> Estimates:
    """What people would say of translations, by an estimator or its file; one that was trained with log-probabilities
    of tokens needs them (`pieces` and `token_scores`). Marks from `passes` on pass, those from `edits` on are edited,
    others blocked; a `promise` passes as much as lets at most this share be worth less than `below`. What `detectors`
    find to be badly wrong is blocked, whatever its mark. An estimator that was trained with a memory needs one;
    one that was trained with context needs whole documents, and the name of the document of each segment.

    >>> estimate("no-such.model", ["ein Haus"], ["a house"])
    Traceback (most recent call last):
    tertium.errors.InputError: no-such.model: no such file
    """
    if len(sources) != len(translations):
        raise InputError(f"there are {len(sources)} sources, but {len(translations)} translations")
    estimator = model if isinstance(model, Estimator) else Estimator.read(os.fspath(model))
    texts = Translations(
        "translations",
        sources,
        translations,
        pieces=pieces,
        token_scores=token_scores,
        documents=documents,
    )
    if memory is not None and estimator.needs_memory:
        from tertium.triage.proposals import with_matches

        texts = with_matches(texts, os.fspath(memory), pair)
    found = estimator.estimates(texts, pair=pair, force=force)
    raw = (estimator.target, tuple(found.tolist()))
    calibration = calibration_of(estimator, required=promise is not None)
    if calibration is None:
        return Estimates(*raw, corrections=estimator.regression.corrections)
    made = None if promise is None else promised(calibration, promise, below=below, confidence=confidence)
    thresholds = Thresholds(passes, edits, made)
    better = upwards(found, estimator.target)
    marks = calibration.marks(better)
    blocked = np.zeros(len(marks), bool)
    if detectors and len(marks):
        from tertium.detection.detecting import detect
        from tertium.triage.blocking import tables_say

        tables = {} if force else tables_say(estimator, sources, translations)
        blocked = detect(sources, translations, pair=pair or estimator.pair, more=tables).blocked
    own = thresholds.verdicts(marks, better)
    alone = np.flatnonzero(blocked & (np.array(own) != BLOCK)) + 1
    return Estimates(
        *raw,
        calibration.scale,
        tuple(marks.tolist()),
        thresholds.verdicts(marks, better, blocked),
        passes if made is None else None,
        edits,
        bound_of(calibration, passes) if made is None else None,
        made,
        tuple(alone.tolist()),
        estimator.regression.corrections,
        drift_of_corrections(estimator, calibration),
    )


def evaluate(
    estimator: Estimator,
    texts: Translations,
    *,
    pair: str = "",
    force: bool = False,
    promise: float | None = None,
    below: float = BAD_BELOW,
    confidence: float = 0.95,
) -> EvaluatedEstimator:
    """Estimates against what people said, with Fisher's interval; marks and a promise against what was true."""
    values = targets_of(texts, estimator.target)
    if len(values) < 3:
        raise InputError(f"{texts.name}: has {len(values)} translations: too few for a correlation")
    estimator.warn_of_sources(texts)
    found = estimator.estimates(texts, pair=pair, force=force)
    r, rho = pearson(values, found).value, spearman(values, found).value
    low = high = None
    if r is not None and len(values) > 3 and abs(r) < 1:
        margin = 1.959964 / math.sqrt(len(values) - 3)
        low, high = math.tanh(math.atanh(r) - margin), math.tanh(math.atanh(r) + margin)
    apart = found - values
    errors = float(np.abs(apart).mean()), float(np.sqrt((apart**2).mean()))
    facts = (estimator.target, len(values), r, low, high, rho, *errors)
    calibration = calibration_of(estimator, required=promise is not None)
    truth = truth_of(texts, "" if calibration is None else calibration.scale)
    if calibration is None or truth is None or truth[1] != calibration.scale:
        if promise is not None and calibration is not None:
            raise InputError(
                f"{texts.name}: cannot say whether a promise is kept: it has no {NEEDS[calibration.scale]}"
            )
        return EvaluatedEstimator(*facts)
    better = upwards(found, estimator.target)
    kept = None
    if promise is not None:
        made = promised(calibration, promise, below=below, confidence=confidence)
        kept = checked_promise(made, better, truth[0])
    marks = calibration.marks(better)
    drift = Drift.of(marks, truth[0])
    return EvaluatedEstimator(*facts, calibration.scale, reliability(marks, truth[0]), kept, drift)


def described(estimator: Estimator, size: int) -> TrainedEstimator:
    """What was trained, and how large its file is."""
    from tertium.estimation.features import FEATURES

    features = {name: len(FEATURES[name].names) for name in estimator.sets}
    return TrainedEstimator(
        estimator.target,
        estimator.pair,
        estimator.segments,
        features,
        estimator.correlation,
        size,
        estimator.share,
        "" if estimator.corpora is None else estimator.corpora.words(),
    )


@dataclass(frozen=True)
class CalibratedEstimator(Result):
    """What an estimator's numbers mean on the scale from 0 to 100, as learnt from fresh data."""

    kind = "calibrated estimator"
    scale: str
    segments: int
    mean: float  # true
    low: float  # marks
    high: float
    passed: int
    edited: int
    blocked: int
    drift: Drift | None = None  # what the curve before said of these segments, and what is true

    def table(self) -> Table:
        """How many segments of the calibration have which verdict."""
        verdicts = (self.passed, self.edited, self.blocked)
        rows = tuple((name, number) for name, number in zip(VERDICTS, verdicts, strict=True))
        return Table("", (Column("verdict"), number_column("segments", digits=0)), rows)

    def words(self) -> Iterator[str]:
        yield (
            f"Calibrated on {self.segments:,} segments: marks from {self.low:.0f} to {self.high:.0f} are "
            f"{_SCALE[self.scale]}; {self.mean:.1f} is their mean."
        )
        if self.drift is not None and self.drift.changed:
            yield f"Before, {self.drift.sentence}; the curve was moved."
        if self.high - self.low < 1:
            yield "They hardly differ: these estimates do not tell good segments from bad ones."


def described_calibration(estimator: Estimator) -> CalibratedEstimator:
    """What was learnt from fresh data."""
    own = calibration_of(estimator, required=True)
    assert own is not None
    marks = own.marks(own.estimates)
    verdicts = Counter(Thresholds().verdicts(marks, own.estimates))
    low, high = float(own.curve[1][0]), float(own.curve[1][-1])
    drift = None if own.earlier is None else Drift.of(np.interp(own.estimates, *own.earlier), own.truth)
    passed, edited, blocked = (verdicts[name] for name in VERDICTS)
    return CalibratedEstimator(
        own.scale, len(marks), float(own.truth.mean()), low, high, passed, edited, blocked, drift
    )
