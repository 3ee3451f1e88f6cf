"""Documents by need of work: means of the estimates of their segments, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.errors import many
from tertium.estimation.context import check_documents
from tertium.estimation.estimator import Estimator
from tertium.io.tables import Column, Table, number_column
from tertium.online.learner import LearningScales
from tertium.results import Result


@dataclass(frozen=True)
class EstimatedDocument:
    """A document; `low` to `high` holds its true mean in 95 of 100 cases, if errors of segments are independent."""

    name: str
    segments: int
    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class EstimatedDocuments(Result):
    """Documents, those that need most work first."""

    kind = "estimated documents"
    target: str
    documents: tuple[EstimatedDocument, ...]

    def table(self) -> Table:
        columns = (
            Column("document"),
            number_column("segments", digits=0),
            *(number_column(name, digits=3) for name in ("mean", "from", "to")),
        )
        return Table("", columns, tuple(tuple(vars(own).values()) for own in self.documents))

    def words(self) -> Iterator[str]:
        number = many(len(self.documents), "document")
        yield f"{number}, those that need most work first: {self.documents[0].name} before all."


def rank_documents(
    estimator: Estimator, values: Sequence[float], documents: Sequence[str]
) -> EstimatedDocuments:
    """Documents by the estimates of their segments; intervals are by errors on parts left out of the training."""
    check_documents(documents, len(values))
    scales = estimator.parts.get("online")
    noise = float(scales.errors[1]) if isinstance(scales, LearningScales) else None
    found: dict[str, list[float]] = {}
    for name, value in zip(documents, values, strict=True):
        found.setdefault(name, []).append(value)
    made = []
    for name, own in found.items():
        mean = float(np.mean(own))
        margin = None if noise is None else 1.959964 * (noise / len(own)) ** 0.5
        made.append(
            EstimatedDocument(
                name,
                len(own),
                mean,
                None if margin is None else mean - margin,
                None if margin is None else mean + margin,
            )
        )
    made.sort(key=lambda one: one.mean if estimator.higher else -one.mean)
    return EstimatedDocuments(estimator.target, tuple(made))
