"""A dataset scored on a cluster, for `tertium score --engine spark --input DATASET`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.families.base import Metric
    from tertium.scores import Scores


def asks_for_a_cluster(references: Sequence[str], inputs: Sequence[str], engine: str) -> bool:
    """Whether texts are columns of one dataset that the cluster reads by itself."""
    return engine.partition(":")[0] == "spark" and not references and len(inputs) == 1


def scored_on_cluster(
    path: str, engine: str, metrics: Sequence[Metric], level: str, columns: str | None
) -> Scores:
    """The scores of a dataset in Parquet or JSON Lines."""
    from tertium.engines.spark import session
    from tertium.io.bundles import found_columns
    from tertium.spark import read_frame, score

    if level == "segment":
        raise InputError(
            "scores of single segments stay on the cluster: in Python, tt.spark.score(...).segments "
            "is a DataFrame that can be written (docs/scale.md)"
        )
    frame = read_frame(session(engine.partition(":")[2]), path)
    named: dict[str, Any] = found_columns(path, frame.columns, columns)
    for role in ("hypothesis", "reference"):
        if not named[role]:
            raise InputError(f"{path}: no column is named as the {role}: --columns {role}=COLUMN")
    document = next(iter(named["document"]), None)
    if level == "document" and document is None:
        raise InputError(f"{path}: no column has document ids: --columns document=COLUMN")
    return score(
        frame,
        named["hypothesis"],
        named["reference"],
        list(metrics),
        source=next(iter(named["source"]), None),
        document=document if level == "document" else None,
    ).scores
