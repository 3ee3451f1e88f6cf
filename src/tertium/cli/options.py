"""Options that all commands share that read translations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.parsing import Several

if TYPE_CHECKING:
    from tertium.io.inputs import Files
    from tertium.project import Project

TABLE_FORMATS = ("table", "json", "tsv", "markdown", "latex")
FORMATS = (*TABLE_FORMATS, "text")  # sacrebleu's lines


def input_options() -> list[click.Parameter]:
    """What commands that read translations share."""
    return [
        click.Argument(["references"], nargs=-1, metavar="REF..."),
        Several(
            ["-i", "--input"], metavar="HYP", help="Outputs of one system or more (default: standard input)."
        ),
        click.Option(
            ["-nr", "--num-refs"],
            type=int,
            default=1,
            help="References on each line of REF, with tabs between.",
        ),
        click.Option(["-e", "--encoding"], default="utf-8", help="Encoding of the files (utf-8)."),
        click.Option(
            ["--tsv"], metavar="1,2,...", help="Columns of one file: hypothesis, then references, from 1 on."
        ),
        click.Option(["--source"], metavar="FILE", help="Source texts, for metrics that need them."),
        click.Option(["--strip-bom"], is_flag=True, help="Remove byte-order marks."),
        click.Option(
            ["--threads"], type=click.IntRange(1), default=1, help="Threads (1); the scores are the same."
        ),
        click.Option(
            ["--project"],
            metavar="FILE",
            help="A project file to take the texts from (tertium.toml here, if none are named).",
        ),
        click.Option(["-q", "--quiet"], is_flag=True, help="No warnings, no progress."),
    ]


def files_named(references: Sequence[str], hypotheses: Sequence[str], given: Mapping[str, Any]) -> Files:
    """The files that these options name."""
    from tertium.io.inputs import Files

    return Files(
        references,
        hypotheses,
        tsv=given["tsv"],
        n_references=given["num_refs"],
        documents=given.get("documents"),
        source=given["source"],
        encoding=given["encoding"],
        strip_bom=given["strip_bom"],
        names=given.get("names", {}),
    )


def project_named(
    references: Sequence[str], hypotheses: Sequence[str], given: dict[str, Any]
) -> Project | None:
    """The project file that is named, or the one of this folder where no texts are named; it fills `given`."""
    from tertium.errors import InputError

    named = [*references, *hypotheses, *filter(None, (given["tsv"],))]
    if given["project"] is None and named:
        return None
    from tertium.project import Project

    project = Project.here() if given["project"] is None else Project.load(given["project"])
    if project is None:
        return None
    if named:
        raise InputError(f"texts are named twice: by {project.path} and on the command line")
    given["names"] = {path: name for name, path in project.systems.items()}
    given["documents"] = given.get("documents") or project.documents
    given["source"] = given["source"] or project.source
    given["encoding"] = project.encoding
    return project
