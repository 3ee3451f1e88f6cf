"""Metrics that were trained on people's judgements: `file:my.metric`."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from tertium._native import Lines
from tertium.errors import InputError, SpecError, TertiumError, TertiumWarning
from tertium.families.base import Level, Metric, option
from tertium.families.features import Component, feature_blocks
from tertium.families.values import written
from tertium.families.words import NO_SEGMENTS
from tertium.io.metricfiles import MetricModel, read_model, segment_hash
from tertium.statistics import DenseStatistics, Statistics, weighted_scores
from tertium.text.segments import References
from tertium.text.vectors import file_items

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SURE = 9  # decimals of a regression that do not depend on how many rows are multiplied at once
_BLOCK = 1 << 22  # numbers of a block of the kernel's table


def apply_to_blocks(model: MetricModel, blocks: Iterator[NDArray[np.float64]]) -> NDArray[np.float64]:
    """`apply_model` to features side by side; of a weighted sum one block is kept at a time."""
    import numpy as np

    if model.kind != "linear" or model.low:
        return apply_model(model, np.hstack(list(blocks)))
    found, weights = None, iter(model.weights)
    for block in blocks:
        found = np.full(len(block), model.intercept) if found is None else found
        for column in block.T:
            found += next(weights) * column
    assert found is not None, "a model has components"
    return found


def apply_model(model: MetricModel, rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """One number for each row of features; numpy is all it needs."""
    import numpy as np

    if model.low:
        low, high = np.asarray(model.low), np.asarray(model.high)
        scaled = 2 * (rows - low) / np.where(high > low, high - low, 1) - 1
        rows = np.where(high > low, scaled, -1)  # what never varied has no say
    weights = np.asarray(model.weights)
    if model.kind == "linear":
        found = np.full(len(rows), model.intercept)
        for weight, column in zip(weights, rows.T, strict=True):  # the same bits whatever the number of rows
            found += weight * column
        return found
    support = np.asarray(model.support)
    found, squares = np.empty(len(rows)), (support**2).sum(axis=1)
    step = max(1, _BLOCK // len(support))
    for begin in range(0, len(rows), step):
        part = rows[begin : begin + step]
        distances = (part**2).sum(axis=1)[:, None] + squares - 2 * (part @ support.T)
        found[begin : begin + step] = (
            np.exp(-model.gamma * np.maximum(distances, 0)) @ weights + model.intercept
        )
    return np.round(found, _SURE)


def checked_components(
    model: MetricModel, where: str, change: Callable[[Component], Component] = lambda one: one
) -> tuple[Component, ...]:
    """The components of a model, if they still are what it was trained with."""
    try:
        components = tuple(change(Component.of(spec)) for spec in model.components)
    except TertiumError as error:
        raise InputError(f"{where}: {error}") from None
    names = tuple(name for spec in model.components for name in Component.of(spec).names)
    if any(one.of_documents for one in components) and any(
        one.scored is not None and not one.of_documents for one in components
    ):
        raise InputError(f"{where}: has metrics of segments beside metrics of documents")
    if names != model.features:
        raise InputError(f"{where}: its components do not give the features that it was trained on")
    for one, signature in zip(components, model.signatures, strict=False):
        if not same_signature(one.signature, signature):
            raise InputError(f"{where}: was trained with {signature}, but {one.spec} is now {one.signature}")
    return components


_VERSIONS = ("tertium", "torch", "transformers", "use", "dtype")


def same_signature(one: str, other: str) -> bool:
    """Whether two signatures name one metric, whatever versions computed it and wherever its encoder or vectors lie.

    >>> same_signature("bleu|nrefs:1|tok:13a|tertium:1.0", "bleu|nrefs:1|tok:13a|tertium:1.1")
    True
    """

    def told(signature: str) -> list[str]:
        where = [key for key in ("model", "vectors") if f"|{key}-hash:" in signature]
        return [item for item in signature.split("|") if item.partition(":")[0] not in (*_VERSIONS, *where)]

    return told(one) == told(other)


@lru_cache(maxsize=8)
def _loaded(path: str, changed: int, size: int, given: str) -> tuple[MetricModel, tuple[Component, ...]]:
    model = read_model(path)
    components = checked_components(model, path, lambda one: one.with_table(given) if given else one)
    if given and not any(one.features and one.features.from_table for one in components):
        raise InputError(f"{path}: has no columns that are given by file: leave out given={given}")
    return model, components


class PreparedFeatures(NamedTuple):
    """References, and for each stream of them which segments have one, and what each component made of it."""

    references: References
    streams: list[tuple[list[bool], list[Any]]]


@dataclass(frozen=True)
class ModelMetric(Metric):
    """A metric that applies a model to features: subclasses say which."""

    finer: ClassVar[int] = 2  # as the judgements are: often standardised
    perfect: ClassVar[float | None] = None
    undefined: ClassVar[str] = NO_SEGMENTS

    @abstractmethod
    def _model(self) -> tuple[MetricModel, tuple[Component, ...]]:
        """The model and what it is made of."""

    def _metrics(self) -> list[Metric]:
        """Those it is made of."""
        return [one.scored for one in self._model()[1] if one.scored is not None]

    @property
    def scope(self) -> Literal["segment", "document"]:  # type: ignore[override]
        """One metric of documents among them, and all are."""
        return "document" if any(own.scope == "document" for own in self._metrics()) else "segment"

    @property
    def needs_source(self) -> bool:  # type: ignore[override]
        return any(own.needs_source for own in self._metrics())

    @property
    def needs_whole_set(self) -> bool:  # type: ignore[override]
        return any(own.needs_whole_set for own in self._metrics())

    def _prepare(self, references: References, threads: int) -> PreparedFeatures:
        components, streams = self._model()[1], []
        for stream in references.streams:
            there = [stream[i] is not None for i in range(len(stream))]
            texts = References((stream if all(there) else Lines([text or "" for text in stream]),))
            made: list[Any] = []
            for one in components:
                made.append(one.prepare(texts, threads, made))
            streams.append((there, made))
        return PreparedFeatures(references, streams)

    def _rows(
        self, hypotheses: Lines, prepared: PreparedFeatures, sources: Lines | None, threads: int
    ) -> Statistics:
        import numpy as np

        model, components = self._model()
        self._warn_of_leaks(model, hypotheses, prepared.references)
        best = np.full(len(hypotheses), -np.inf)
        for there, references in prepared.streams:
            blocks = feature_blocks(
                components, hypotheses, references, sources, absent=model.absent, threads=threads
            )
            best = np.maximum(best, np.where(there, apply_to_blocks(model, blocks), -np.inf))
        return weighted_scores(best)

    def _warn_of_leaks(self, model: MetricModel, hypotheses: Lines, references: References) -> None:
        """Names segments that the model was trained on: their scores say nothing about other segments."""
        known = model.training.known if model.training else frozenset()
        if not known:
            return
        hashed = [list(map(segment_hash, hypotheses, stream)) for stream in references.streams]
        if not all(map(known.isdisjoint, hashed)):
            leaked = [
                str(i) for i, own in enumerate(zip(*hashed, strict=True), 1) if not known.isdisjoint(own)
            ]
            shown = ", ".join(leaked[:5]) + (", ..." if len(leaked) > 5 else "")
            warnings.warn(
                f"{self.label}: {len(leaked)} of {len(hypotheses)} {self.scope}s were in its training data ({shown}): "
                "its scores of them are too good to be true",
                TertiumWarning,
                stacklevel=2,
            )

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        import numpy as np

        with np.errstate(invalid="ignore", divide="ignore"):
            return statistics["weighted"] / statistics["weight"]


@dataclass(frozen=True)
class Trained(ModelMetric):
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
        "support vector regression, as the file says. The corpus score is the mean of segment scores. Where\n"
        "components score documents, a text is a document."
    )
    paper: ClassVar[str] = (
        "Ma, Graham, Wang and Liu 2017, https://aclanthology.org/W17-4768, for SVR over metrics"
    )
    quirks: ClassVar[str] = (
        "The scale is that of the judgements it was trained on (0 is average for standardised ones). With several\n"
        "references a segment takes the best."
    )
    required: ClassVar[tuple[str, ...]] = ("path",)

    path: str = option("", "the file of the metric", file=True)
    given: str = option(
        "", "a table with the scores that were given by file when it was trained (given.*)", file=True
    )

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Metric:
        if set(options) - {"given"}:
            raise SpecError(f"file:{value} takes no options but given=FILE: they are in the file")
        return cls(value, **options)

    def __str__(self) -> str:
        if not self.path:
            return super().__str__()
        return f'file:path="{self.path}"' + (f',given="{self.given}"' if self.given else "")

    @property
    def label(self) -> str:
        return f"file[{Path(self.path).name.removesuffix('.metric')}]"

    def _model(self) -> tuple[MetricModel, tuple[Component, ...]]:
        try:
            found = Path(self.path).stat()
        except OSError:
            raise InputError(f"{self.path}: no such file") from None
        return _loaded(self.path, found.st_mtime_ns, found.st_size, self.given)

    def _metrics(self) -> list[Metric]:
        """As far as is known without an error."""
        return super()._metrics() if self.path and Path(self.path).exists() else []

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = {"path": written(self.path), "model": self._model()[0].hash}
        if self.given:
            items |= file_items("given", self.given)
        return items | ({"scope": "document"} if self.scope == "document" else {})

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        found = cls(items["path"], items.get("given", "").strip('"'))
        if found._model()[0].hash != items.get("model"):
            raise SpecError(f"{items['path']}: is not the model {items.get('model')} of this signature")
        return found
