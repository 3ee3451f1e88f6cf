"""Quality of a dataset's translations, estimated by a cluster."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from tertium.engines.frametasks import Extended
from tertium.engines.luggage import Luggage
from tertium.engines.spark import check_workers, plain_errors
from tertium.errors import InputError, many
from tertium.estimation.estimator import HIGHER, Estimator
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result
from tertium.statistics import DenseStatistics, Statistics, weighted_scores
from tertium.triage.results import estimate
from tertium.triage.verdicts import VERDICTS

SURE = 9  # decimals that do not depend on how many translations are looked at together
ESTIMATE, MARK, VERDICT = "estimate", "mark", "verdict"
_SUMS = "verdicts map<string,long>, estimates binary, marks binary"


@dataclass(frozen=True)
class EstimatedDataset(Result):
    """What is to be done with the translations of a dataset, and how good they are on average."""

    kind = "estimated dataset"
    target: str
    segments: int
    estimate: float  # the mean
    mark: float | None = None  # the mean; None: the estimator is not calibrated
    verdicts: Mapping[str, int] = field(default_factory=dict)
    output: str = ""  # where estimates of all segments are

    def words(self) -> Iterator[str]:
        better = "higher is better" if HIGHER[self.target] else "lower is better"
        yield f"{many(self.segments, 'translation')}: the mean estimate is {self.estimate:.3f} ({better})."
        if self.mark is not None:
            yield f"The mean mark is {self.mark:.0f} of 100."
        else:
            yield "The estimator is not calibrated: tertium estimate calibrate learns marks from 0 to 100."
        if self.output:
            yield f"Estimates of all segments are in {self.output}."

    def table(self) -> Table:
        columns = (Column(VERDICT), number_column("segments", digits=0))
        rows = [(name, self.verdicts.get(name, 0)) for name in VERDICTS] if self.mark is not None else []
        return Table("", columns, (*rows, ("all", self.segments)))


def estimate_frame(
    frame: Any,
    estimator: Estimator,
    source: str,
    translation: str,
    *,
    output: str = "",
    **how: Any,
) -> EstimatedDataset:
    """Estimate a column of translations by that of their sources, and write estimates, marks and verdicts as Parquet
    (`output`), if they are wanted. `how` are settings of `tertium.triage.results.estimate`."""
    for needs, what in (
        (estimator.needs_scores, "with log-probabilities of tokens"),
        (estimator.needs_memory, "with a memory"),
        (estimator.needs_documents, "with context"),
    ):
        if needs:
            raise InputError(
                f"{estimator.called} was trained {what}: a cluster cannot use it (--engine local can)"
            )
    estimate(estimator, ["a"], ["a"], detectors=False, **how)  # what is wrong with the settings is said here
    session = frame.sparkSession
    check_workers(session)
    with plain_errors(), tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "estimator.model")
        estimator.write(path)
        luggage = Luggage.sent([path], session.sparkContext)
        work = _Estimating(luggage, path, tuple(how.items()))
        schema = _extended(
            frame.schema, calibrated=bool(estimate(estimator, ["a"], ["a"], detectors=False).marks)
        )
        found = frame.mapInArrow(Extended((source, translation), work), schema)
        if output:
            found.write.parquet(output)
            found = session.read.parquet(output)
        own = found.select(*(name for name in (ESTIMATE, MARK, VERDICT) if name in found.columns))
        rows = own.mapInArrow(_Added(), _SUMS).collect()
    return _told(estimator.target, rows, output)


def _extended(schema: Any, *, calibrated: bool) -> Any:
    from pyspark.sql.types import DoubleType, StringType, StructField, StructType

    more = [StructField(ESTIMATE, DoubleType())]
    if calibrated:
        more += [StructField(MARK, DoubleType()), StructField(VERDICT, StringType())]
    return StructType([*schema.fields, *more])


@lru_cache(maxsize=2)
def _opened(path: str) -> Estimator:
    return Estimator.read(path)


@dataclass(frozen=True)
class _Estimating:
    """Texts to estimates, on an executor."""

    luggage: Luggage
    path: str
    how: tuple[tuple[str, Any], ...]

    def __call__(self, sources: Sequence[str], translations: Sequence[str]) -> dict[str, Any]:
        import numpy as np

        model = _opened(self.luggage.place(self.path))
        found = estimate(model, sources, translations, detectors=False, **dict(self.how))
        made: dict[str, Any] = {ESTIMATE: np.round(found.values, SURE)}
        if found.marks:
            made |= {MARK: np.round(found.marks, SURE), VERDICT: list(found.verdicts)}
        return made


@dataclass(frozen=True)
class _Added:
    """Estimates to exact sums, and how many verdicts there are of each."""

    def __call__(self, batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow as pa

        verdicts: Counter[str] = Counter()
        sums: dict[str, Statistics] = {}
        for batch in batches:
            if not batch.num_rows:
                continue
            for name in (ESTIMATE, MARK):
                if name in batch.schema.names:
                    own = weighted_scores(batch.column(name).to_numpy(zero_copy_only=False)).total()
                    sums[name] = sums[name].accumulate(own) if name in sums else own
            verdicts.update(batch.column(VERDICT).to_pylist() if VERDICT in batch.schema.names else ())
        data = [sums[name].to_bytes() if name in sums else None for name in (ESTIMATE, MARK)]
        yield pa.RecordBatch.from_arrays(
            [
                pa.array([list(verdicts.items())], pa.map_(pa.string(), pa.int64())),
                *(pa.array([own], pa.binary()) for own in data),
            ],
            names=["verdicts", "estimates", "marks"],
        )


def _told(target: str, rows: Sequence[Any], output: str) -> EstimatedDataset:
    verdicts: Counter[str] = Counter()
    for row in rows:
        verdicts.update(row["verdicts"] or {})

    def mean(name: str) -> tuple[int, float | None]:
        parts = [Statistics.from_bytes(bytes(row[name])) for row in rows if row[name] is not None]
        if not parts:
            return 0, None
        total = parts[0]
        for own in parts[1:]:
            total = total.accumulate(own)
        assert isinstance(total, DenseStatistics)
        return int(total.only("weight")), float(total.only("weighted")) / float(total.only("weight"))

    segments, found = mean("estimates")
    if found is None:
        raise InputError("there is nothing to estimate: no segments")
    return EstimatedDataset(target, segments, found, mean("marks")[1], dict(verdicts), output)
