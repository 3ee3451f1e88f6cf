"""Blocking by what people blocked: an estimator that was trained on marks, and the estimate below which to block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tertium.errors import InputError
from tertium.estimation.estimator import Estimator, trained
from tertium.estimation.explaining import related, unrelated
from tertium.estimation.parts import TrainingRecord
from tertium.estimation.words import KeyedWords, Numbers
from tertium.io.markedtranslations import MarkedTranslations
from tertium.io.tables import Column, Table, number_column
from tertium.io.translations import Translations
from tertium.results import Result
from tertium.stats.detection import area_under_curve, best_cut, matthews

TOLD = 0.5  # scores from here on are blocked
MARKED = "people marked translations like this one"
UNRELATED = "by the estimator's tables its words have no more to do with the source than those of other texts"
LEAST = 20  # marked translations, and as many that are not


@dataclass(frozen=True, eq=False)
class Blocking:
    """The estimate below which translations are blocked: it tells marked ones best, of those that were left out."""

    threshold: float
    steepness: float
    agreement: float  # Matthews' coefficient at the threshold, of what was left out

    @classmethod
    def learnt(cls, training: TrainingRecord) -> Blocking | None:
        low, high = float(training.values.min()), float(training.values.max())
        wrong = training.values == low
        if (
            training.target != "da"
            or not np.isin(training.values, (low, high)).all()
            or not LEAST <= wrong.sum() <= len(wrong) - LEAST
        ):
            return None
        threshold, agreement = best_cut(wrong, -training.left_out)
        return cls(-threshold, 4.0 / max(float(np.std(training.left_out)), 1e-9), agreement)

    def scores(self, estimates: Numbers) -> Numbers:
        """From 0 to 1; one half is at the threshold."""
        odds = np.clip(self.steepness * (self.threshold - estimates), -30.0, 30.0)
        return np.asarray(1.0 / (1.0 + np.exp(-odds)))

    def arrays(self) -> dict[str, np.ndarray]:
        return {"numbers": np.array([self.threshold, self.steepness, self.agreement])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Blocking:
        threshold, steepness, agreement = map(float, np.asarray(arrays["numbers"], float))
        return cls(threshold, steepness, agreement)


class _Row(NamedTuple):
    texts: str
    segments: int
    marked: int
    agreement: float  # Matthews' coefficient
    area: float | None  # under the curve


@dataclass(frozen=True)
class BlockingModel(Result):
    """How well a model tells what people marked: on parts that were left out, and on translations that it never saw."""

    kind = "blocking model"
    mark: str
    rows: tuple[_Row, ...]

    def table(self) -> Table:
        columns = (
            Column("texts"),
            number_column("segments", digits=0),
            number_column("marked", digits=0),
            number_column("MCC", digits=3),
            number_column("area", digits=3),
        )
        return Table("", columns, self.rows)

    def words(self) -> Iterator[str]:
        name, segments, marked, agreement, _ = self.rows[-1]
        yield (
            f"Matthews' coefficient with the mark {self.mark} is {agreement:.3f} on {name} ({segments} translations, "
            f"{marked} marked); never blocking has 0."
        )


def marked_as_scores(texts: MarkedTranslations, mark: str = "") -> tuple[Translations, str]:
    """Marked translations with scores: 0 where one is marked, 1 where it is not."""
    if mark and mark not in texts.marks:
        raise InputError(f"{texts.name}: has no marks {mark!r} (there are {', '.join(texts.marks)})")
    if not mark and len(texts.marks) > 1:
        raise InputError(f"{texts.name}: has several marks: choose one (--mark {' or '.join(texts.marks)})")
    chosen = mark or next(iter(texts.marks))
    scores = [0.0 if own else 1.0 for own in texts.marks[chosen]]
    return Translations(texts.name, texts.sources, texts.translations, scores, chosen), chosen


def trained_to_block(texts: MarkedTranslations, *, mark: str = "", pair: str = "") -> Estimator:
    """An estimator of whether people mark a translation."""
    scored, chosen = marked_as_scores(texts, mark)
    wrong = sum(texts.marks[chosen])
    if not LEAST <= wrong <= len(texts) - LEAST:
        raise InputError(
            f"{texts.name}: {wrong} of {len(texts)} translations are marked {chosen}; at least {LEAST} that are, and "
            f"{LEAST} that are not, are needed to learn from"
        )
    return trained(scored, target="da", pair=pair)


def blocking_of(estimator: Estimator) -> Blocking:
    """The part of an estimator that blocks."""
    found = estimator.parts.get("blocking")
    if not isinstance(found, Blocking):
        raise InputError(f"{estimator.called}: was not trained on marks, and blocks nothing (estimate block)")
    return found


def said_by(
    estimator: Estimator, sources: Sequence[str], translations: Sequence[str], *, pair: str = ""
) -> dict[str, tuple[Numbers, str]]:
    """What an estimator says beside detectors, by name, each with a sentence: whether the words of both sides have to
    do with each other by its tables; and what people would block, if it learnt that from marks."""
    estimator.check_pair(pair)
    found = tables_say(estimator, sources, translations)
    if isinstance(own := estimator.parts.get("blocking"), Blocking):
        estimates = estimator.estimates(Translations("", sources, translations), pair=pair)
        found["model"] = own.scores(estimates), MARKED
    return found


def tables_say(
    estimator: Estimator, sources: Sequence[str], translations: Sequence[str]
) -> dict[str, tuple[Numbers, str]]:
    """Whether the words of both sides have to do with each other, by an estimator's tables."""
    words = (KeyedWords.of(own) for own in (sources, translations))
    return {"tables": (unrelated(related(estimator.learnt, *words)), UNRELATED)}


def described_blocking(
    estimator: Estimator, texts: MarkedTranslations, test: MarkedTranslations | None = None, *, mark: str = ""
) -> BlockingModel:
    """How well an estimator tells what was marked: of parts that were left out of its training, and of other texts."""
    chosen = marked_as_scores(texts, mark)[1]
    rows = [
        _Row("parts left out", len(texts), sum(texts.marks[chosen]), blocking_of(estimator).agreement, None)
    ]
    if test is not None:
        rows.append(agreement_on(estimator, test, mark=chosen))
    return BlockingModel(chosen, tuple(rows))


def agreement_on(estimator: Estimator, texts: MarkedTranslations, *, mark: str = "") -> _Row:
    """How well an estimator tells marked translations, by its own threshold."""
    scored, chosen = marked_as_scores(texts, mark)
    wrong = np.asarray(texts.marks[chosen])
    scores = blocking_of(estimator).scores(estimator.estimates(scored))
    area = area_under_curve(wrong, scores)
    agreement = matthews(wrong, scores >= TOLD)
    return _Row(texts.name, len(texts), int(wrong.sum()), agreement, None if np.isnan(area) else area)
