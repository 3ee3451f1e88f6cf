"""Datasets that a cluster reads by itself: `--engine spark --input DATASET` of several commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.parsing import option
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.clusters.estimating import EstimatedDataset
    from tertium.clusters.scoring import PlannedFrame
    from tertium.comparison.wordless import RowsComparison
    from tertium.families.base import Level
    from tertium.measuring import Specs
    from tertium.memory.checked import CheckedMemory
    from tertium.rowfiles.writing import WrittenRows
    from tertium.scores import Scores

_WORDS = {  # options of compare that ask for texts
    "training": "counts words",
    "labels": "is about texts",
    "tags": "is about texts",
    "by": "divides texts",
    "noisy": "compares texts",
    "like": "draws as another program",
}


def dataset_options() -> list[click.Parameter]:
    """For commands that otherwise take files by their place."""
    return [
        option(
            "--input",
            metavar="DATASET",
            help="With --engine spark: Parquet or JSON Lines that the cluster reads (docs/scale.md).",
        ),
        option("--columns", metavar="NAMES", help="Its columns: source=src,target=mt,order=number."),
    ]


def to_option(what: str) -> click.Option:
    return option("--to", metavar="DATASET", help=f"With --engine spark: write {what} there (Parquet).")


def asks_for_a_cluster(references: Sequence[str], inputs: Sequence[str], engine: str) -> bool:
    """Whether texts are columns of one dataset that the cluster reads by itself."""
    return engine.partition(":")[0] == "spark" and not references and len(inputs) == 1


def dataset_named(files: Sequence[str | None], given: Mapping[str, Any]) -> str | None:
    """The dataset, where files are not named; None where they are."""
    if given["input"] is None:
        if None in files:
            raise InputError(
                "there is no file to read: name it, or a dataset (--engine spark --input DATASET)"
            )
        return None
    if any(own is not None for own in files):
        raise InputError("--input is a dataset that a cluster reads: name no files beside it")
    if given["engine"].partition(":")[0] != "spark":
        raise InputError("--input is a dataset that a cluster reads: say --engine spark or spark:MASTER")
    return str(given["input"])


def scored_on_cluster(
    path: str,
    engine: str,
    metrics: Specs,
    level: Level,
    columns: str | None,
    output: str | None = None,
) -> Scores:
    """The scores of a dataset in Parquet or JSON Lines; those of segments are written as Parquet."""
    from tertium.clusters.scoring import level_scores
    from tertium.engines.spark import plain_errors

    if level == "segment" and output is None:
        raise InputError("scores of single segments stay on the cluster: say where (--to scores.parquet)")
    if level != "segment" and output is not None:
        raise InputError("--to is where scores of segments go: --level segment --to scores.parquet")
    planned = _planned(path, engine, metrics, columns, by_document=level == "document")
    if output is not None:
        with plain_errors():
            planned.segments().write.parquet(output)
    return level_scores(planned, "document" if level == "document" else "corpus")


def rows_of_cluster(
    path: str, engine: str, metrics: Specs, columns: str | None, output: str, names: Sequence[str]
) -> WrittenRows:
    """The rows of a dataset in a file at home."""
    from tertium.clusters.rows import write_rows

    return write_rows(_planned(path, engine, metrics, columns), output, names=names)


def compared_on_cluster(
    path: str, engine: str, metrics: Specs, columns: str | None, given: Mapping[str, Any]
) -> RowsComparison:
    """Rows come home; whatever needs no words is compared here."""
    from tertium.clusters.comparing import compare_frame
    from tertium.comparison.wordless import DETAILS

    for name, why in _WORDS.items():
        if given.get(name):
            raise InputError(
                f"--{name} {why}, and a cluster sends rows, not texts: leave it out, or compare files"
            )
    for name in given["details"] or ():
        if name not in DETAILS:
            raise InputError(
                f"--details {name} needs texts, and a cluster sends rows: {' or '.join(DETAILS)}"
            )
    wanted = {name: given[name] for name in ("baseline", "method", "resamples", "threads")}
    seed = {} if given["seed"] is None else {"seed": given["seed"]}
    return compare_frame(_planned(path, engine, metrics, columns), **wanted, **seed)


def estimated_on_cluster(
    path: str, model: str, pair: str, given: Mapping[str, Any], **how: Any
) -> EstimatedDataset:
    """Estimates of a dataset's translations."""
    from tertium.clusters.estimating import estimate_frame
    from tertium.engines.spark import read_frame, session
    from tertium.online.corrections import opened

    for name in ("words", "documents", "memory", "scores", "pieces"):
        if given[name]:
            raise InputError(f"--{name} cannot be used with a dataset of a cluster (--engine local can)")
    if not given["no_detectors"]:
        raise InputError(
            "detectors learn from all translations together, which a cluster has in parts: --no-detectors"
        )
    frame = read_frame(session(given["engine"].partition(":")[2]), path)
    named = _one_each(path, frame.columns, given["columns"], {"source": _SOURCE, "target": _TARGET})
    output = given["to"] or ""
    return estimate_frame(
        frame,
        opened(model, base=given["base"]),
        named["source"],
        named["target"],
        output=output,
        pair=pair,
        **how,
    )


def checked_on_cluster(path: str, given: Mapping[str, Any], **how: Any) -> CheckedMemory:
    """The units of a memory that lies in a dataset."""
    from tertium.clusters.memories import ROLES, FrameSource
    from tertium.engines.spark import Spark, read_frame
    from tertium.memory.checking import check_memory

    if how.pop("resume", False):
        raise InputError("--resume goes on with files; a dataset is looked through anew")
    engine = Spark.of(given["engine"].partition(":")[2])
    frame = read_frame(engine.session, path)
    named = _one_each(path, frame.columns, given["columns"], ROLES, ("source", "target"))
    pair, _, _ = how.pop("pair", None), how.pop("form", None), how.pop("encoding", None)
    return check_memory(path, source=FrameSource(path, frame, named, pair), engine=engine, **how)


_SOURCE, _TARGET = ("source", "src"), ("target", "hypothesis", "mt")


def _one_each(
    path: str,
    columns: Sequence[str],
    asked: str | None,
    roles: Mapping[str, Sequence[str]],
    required: Sequence[str] = ("source", "target"),
) -> dict[str, str]:
    """The column of each role."""
    from tertium.io.bundles import found_columns

    found = found_columns(path, columns, asked, roles)
    for role in required:
        if not found[role]:
            raise InputError(f"{path}: no column is named as the {role}: --columns {role}=COLUMN")
    return {role: own[0] for role, own in found.items() if own}


def _planned(
    path: str, engine: str, metrics: Specs, columns: str | None, *, by_document: bool = False
) -> PlannedFrame:
    from tertium.clusters.scoring import planned
    from tertium.engines.spark import read_frame, session
    from tertium.io.bundles import found_columns
    from tertium.measuring import metrics_named

    frame = read_frame(session(engine.partition(":")[2]), path)
    named = found_columns(path, frame.columns, columns)
    if not named["hypothesis"]:
        raise InputError(f"{path}: no column is named as the hypothesis: --columns hypothesis=COLUMN")
    if not named["reference"] and any(metric.needs_references for metric in metrics_named(metrics)):
        raise InputError(f"{path}: no column is named as the reference: --columns reference=COLUMN")
    source, document, order = (next(iter(named[role]), None) for role in ("source", "document", "order"))
    if by_document and document is None:
        raise InputError(f"{path}: no column has document ids: --columns document=COLUMN")
    return planned(
        frame,
        named["hypothesis"],
        named["reference"],
        metrics,
        source=source,
        document=document,
        order=order,
        by_document=by_document,
    )
