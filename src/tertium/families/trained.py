"""Metrics that were trained on people's judgements: `file:my.metric`."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tertium._native import Lines
from tertium.errors import InputError, SpecError, TertiumError, TertiumWarning
from tertium.families.base import Level, Metric, option
from tertium.families.features import Component, feature_rows
from tertium.families.values import written
from tertium.families.words import NO_SEGMENTS
from tertium.io.metricfiles import MetricModel, read_model, segment_hash
from tertium.statistics import DenseStatistics, Statistics, weighted_scores
from tertium.text.segments import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BLOCK = 1 << 22  # numbers of a block of the kernel's table


def apply_model(model: MetricModel, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """One number for each row of features; numpy is all it needs."""
    import numpy as np

    if model.low:
        low, high = np.asarray(model.low), np.asarray(model.high)
        rows = 2 * (rows - low) / np.where(high > low, high - low, 1) - 1
    weights = np.asarray(model.weights)
    if model.kind == "linear":
        return np.asarray(rows @ weights + model.intercept, dtype=np.float64)
    support = np.asarray(model.support)
    squares, found = (support**2).sum(axis=1), np.empty(len(rows))
    step = max(1, _BLOCK // len(support))
    for begin in range(0, len(rows), step):
        part = rows[begin : begin + step]
        distances = (part**2).sum(axis=1)[:, None] + squares - 2 * (part @ support.T)
        found[begin : begin + step] = (
            np.exp(-model.gamma * np.maximum(distances, 0)) @ weights + model.intercept
        )
    return found


@lru_cache(maxsize=8)
def _loaded(path: str, changed: int, size: int) -> tuple[MetricModel, tuple[Component, ...]]:
    model = read_model(path)
    try:
        components = tuple(map(Component.of, model.components))
    except TertiumError as error:
        raise InputError(f"{path}: {error}") from None
    names = tuple(name for one in components for name in one.names)
    if names != model.features:
        raise InputError(f"{path}: its components do not give the features that it was trained on")
    for one, signature in zip(components, model.signatures, strict=False):
        if one.signature != signature:
            raise InputError(f"{path}: was trained with {signature}, but {one.spec} is now {one.signature}")
    return model, components


@dataclass(frozen=True)
class Trained(Metric):
    """A metric from a file that `tertium train` wrote.

    >>> import tertium as tt
    >>> tt.metric("file:no-such.metric").score(["a"], ["a"])
    Traceback (most recent call last):
    tertium.errors.InputError: no-such.metric: no such file
    """

    name: ClassVar[str] = "file"
    title: ClassVar[str] = "a metric trained on people's judgements: file:my.metric"
    formula: ClassVar[str] = (
        "f(x_1, ..., x_n) of the segment's scores by other metrics, and of their features; f is a weighted sum or a\n"
        "support vector regression, as the file says. The corpus score is the mean of segment scores."
    )
    paper: ClassVar[str] = (
        "Ma, Graham, Wang and Liu 2017, https://aclanthology.org/W17-4768, for SVR over metrics"
    )
    quirks: ClassVar[str] = (
        "The scale is that of the judgements it was trained on (0 is average for standardised ones). With several\n"
        "references a segment takes the best."
    )
    perfect: ClassVar[float | None] = None
    undefined: ClassVar[str] = NO_SEGMENTS
    required: ClassVar[tuple[str, ...]] = ("path",)

    path: str = option("", "the file of the metric")

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Metric:
        if options:
            raise SpecError(f"file:{value} takes no options: they are in the file")
        return cls(value)

    def __str__(self) -> str:
        return super().__str__() if not self.path else f'file:path="{self.path}"'

    @property
    def label(self) -> str:
        return f"file[{Path(self.path).name.removesuffix('.metric')}]"

    def _model(self) -> tuple[MetricModel, tuple[Component, ...]]:
        try:
            found = Path(self.path).stat()
        except OSError:
            raise InputError(f"{self.path}: no such file") from None
        return _loaded(self.path, found.st_mtime_ns, found.st_size)

    def _metrics(self) -> list[Metric]:
        """Those it is made of, as far as is known without an error."""
        parts = self._model()[1] if self.path and Path(self.path).exists() else ()
        return [one.scored for one in parts if one.scored is not None]

    @property
    def needs_source(self) -> bool:  # type: ignore[override]
        return any(own.needs_source for own in self._metrics())

    @property
    def needs_whole_set(self) -> bool:  # type: ignore[override]
        return any(own.needs_whole_set for own in self._metrics())

    def _prepare(self, references: References, threads: int) -> References:
        self._model()
        return references

    def _rows(
        self, hypotheses: Lines, prepared: References, sources: Lines | None, threads: int
    ) -> Statistics:
        import numpy as np

        model, components = self._model()
        self._warn_of_leaks(model, hypotheses, prepared)
        best = np.full(len(hypotheses), -np.inf)
        for stream in prepared.streams:
            there = np.array([stream[i] is not None for i in range(len(stream))], dtype=bool)
            texts = stream if there.all() else Lines([text or "" for text in stream])
            rows = feature_rows(components, hypotheses, References((texts,)), sources, threads=threads)
            best = np.maximum(best, np.where(there, apply_model(model, rows), -np.inf))
        return weighted_scores(best)

    def _warn_of_leaks(self, model: MetricModel, hypotheses: Lines, references: References) -> None:
        """Names segments that the model was trained on: their scores say nothing about other segments."""
        known = model.training.has_seen() if model.training else frozenset()
        if not known:
            return
        leaked = [
            str(i + 1)
            for i, hypothesis in enumerate(hypotheses)
            if any(segment_hash(hypothesis or "", stream[i] or "") in known for stream in references.streams)
        ]
        if leaked:
            shown = ", ".join(leaked[:5]) + (", ..." if len(leaked) > 5 else "")
            warnings.warn(
                f"{self.label}: {len(leaked)} of {len(hypotheses)} segments were in its training data ({shown}): "
                "its scores of them are too good to be true",
                TertiumWarning,
                stacklevel=2,
            )

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        import numpy as np

        with np.errstate(invalid="ignore", divide="ignore"):
            return statistics["weighted"] / statistics["weight"]

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return {"path": written(self.path), "model": self._model()[0].hash}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        found = cls(items["path"])
        if found._model()[0].hash != items.get("model"):
            raise SpecError(f"{items['path']}: is not the model {items.get('model')} of this signature")
        return found
