"""What is said of an estimator: how it was trained, how good it is, and its estimates."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.errors import InputError
from tertium.estimation.estimator import Estimator, targets_of
from tertium.io.tables import Column, Table, number_column
from tertium.io.translations import Translations
from tertium.results import Result
from tertium.stats.correlation import pearson, spearman

_WORTH = {"da": "people's scores", "hter": "the share of words that were edited"}


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


@dataclass(frozen=True)
class Estimates(Result):
    """A number for each translation."""

    kind = "estimates"
    target: str
    values: tuple[float, ...]

    def table(self) -> Table:
        columns = (number_column("segment", digits=0), number_column("estimate", digits=4))
        return Table("", columns, tuple((i, value) for i, value in enumerate(self.values, 1)))

    def words(self) -> Iterator[str]:
        better = "higher is better" if self.target == "da" else "lower is better"
        mean = float(np.mean(self.values))
        yield f"{_WORTH[self.target].capitalize()} of {len(self.values)} translations ({better}): mean {mean:.3f}."


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

    def words(self) -> Iterator[str]:
        if self.pearson is None:
            yield "Estimates or values do not vary: there is no correlation."
            return
        yield (
            f"r = {self.pearson:.3f} with {_WORTH[self.target]} of {self.segments} translations (95% interval "
            f"{self.low:.3f} to {self.high:.3f})."
        )


def estimate(
    model: str | os.PathLike[str] | Estimator,
    sources: Sequence[str],
    translations: Sequence[str],
    *,
    pieces: Sequence[Sequence[str]] | None = None,
    token_scores: Sequence[Sequence[float]] | None = None,
    pair: str = "",
    force: bool = False,
) -> Estimates:
    """What people would say of translations, by an estimator or its file; one that was trained with log-probabilities
    of tokens needs them (`pieces` and `token_scores`).

    >>> estimate("no-such.model", ["ein Haus"], ["a house"])
    Traceback (most recent call last):
    tertium.errors.InputError: no-such.model: no such file
    """
    if len(sources) != len(translations):
        raise InputError(f"there are {len(sources)} sources, but {len(translations)} translations")
    estimator = model if isinstance(model, Estimator) else Estimator.read(os.fspath(model))
    texts = Translations("translations", sources, translations, pieces=pieces, token_scores=token_scores)
    found = estimator.estimates(texts, pair=pair, force=force)
    return Estimates(estimator.target, tuple(found.tolist()))


def evaluate(
    estimator: Estimator, texts: Translations, *, pair: str = "", force: bool = False
) -> EvaluatedEstimator:
    """Estimates against what people said, with Fisher's interval."""
    values = targets_of(texts, estimator.target)
    if len(values) < 3:
        raise InputError(f"{texts.name}: has {len(values)} translations: too few for a correlation")
    found = estimator.estimates(texts, pair=pair, force=force)
    r, rho = pearson(values, found).value, spearman(values, found).value
    low = high = None
    if r is not None and len(values) > 3 and abs(r) < 1:
        margin = 1.959964 / math.sqrt(len(values) - 3)
        low, high = math.tanh(math.atanh(r) - margin), math.tanh(math.atanh(r) + margin)
    apart = found - values
    errors = float(np.abs(apart).mean()), float(np.sqrt((apart**2).mean()))
    return EvaluatedEstimator(estimator.target, len(values), r, low, high, rho, *errors)


def described(estimator: Estimator, size: int) -> TrainedEstimator:
    """What was trained, and how large its file is."""
    from tertium.estimation.features import FEATURES

    features = {name: len(FEATURES[name].names) for name in estimator.sets}
    return TrainedEstimator(
        estimator.target, estimator.pair, estimator.segments, features, estimator.correlation, size
    )
