"""Options that commands share: each is defined here, once, and means the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.parsing import Several

if TYPE_CHECKING:
    from tertium.io.door import Files
    from tertium.project import Project

TABLE_FORMATS = ("table", "json", "tsv", "markdown", "latex")
FORMATS = (*TABLE_FORMATS, "text")  # sacrebleu's lines
PAGE_FORMATS = (*TABLE_FORMATS, "html")
LINE_LIMIT = 64  # megabytes, as in tertium.io.files, which need not be imported for --help


def input_options(
    *without: str, inputs: str = "Outputs of one system or more (standard input)."
) -> list[click.Parameter]:
    """What commands share that read translations, `without` those of these names."""
    options: list[click.Parameter] = [
        click.Argument(["references"], nargs=-1, metavar="REF..."),
        Several(["-i", "--input"], metavar="HYP", help=inputs),
        click.Option(
            ["-nr", "--num-refs"],
            type=int,
            default=1,
            help="Number of references on each line of REF, separated by tabs.",
        ),
        click.Option(
            ["--tsv"],
            metavar="1,2,...",
            help="Columns of one file: hypothesis (1+2: two systems), then references, counted from 1.",
        ),
        click.Option(
            ["--columns"],
            metavar="ROLE=NAME,...",
            help="Columns of JSON Lines and Parquet: hypothesis, reference, source, document.",
        ),
        click.Option(["--source"], metavar="FILE", help="Source texts, for metrics that need them."),
        click.Option(["--documents"], metavar="FILE", help="A document id for each segment."),
        click.Option(
            ["--metadata"],
            metavar="TSV",
            help="Metadata of the segments: a header, then one row per segment.",
        ),
        click.Option(
            ["-l", "--language-pair"],
            metavar="SRC-TRG",
            help="Languages: chooses BLEU's tokeniser for zh, ja and ko, and the pair in a shared task's folder.",
        ),
        *reading_options(),
        click.Option(
            ["--project"],
            metavar="FILE",
            help="A project file to take the texts from (tertium.toml here, if none are named).",
        ),
        threads_option(),
        quiet_option(),
    ]
    return [option for option in options if option.name not in without]


def reading_options() -> list[click.Parameter]:
    """How bytes become lines."""
    return [
        click.Option(["-e", "--encoding"], default="utf-8", help="Encoding of the files (utf-8)."),
        click.Option(["--strip-bom"], is_flag=True, help="Remove byte-order marks."),
        click.Option(
            ["--line-limit"],
            type=click.IntRange(1),
            default=LINE_LIMIT,
            metavar="MB",
            help=f"Refuse longer lines ({LINE_LIMIT}).",
        ),
    ]


def threads_option() -> click.Option:
    return click.Option(
        ["--threads"],
        type=click.IntRange(1),
        default=1,
        help="Number of threads (1); scores do not depend on it.",
    )


def quiet_option() -> click.Option:
    return click.Option(["-q", "--quiet"], is_flag=True, help="No warnings, no progress.")


def print_options(
    formats: Sequence[str] = TABLE_FORMATS, *, to_file: bool = True, usual: str | None = "table"
) -> list[click.Parameter]:
    """How a result is printed, and where: `to_file`, unless -o names other files of the command.

    A pipe gets what a terminal shows, without colours; only `score` writes JSON there, as sacrebleu does.
    """
    shown = usual or "table on a terminal, json otherwise"
    form = click.Option(
        ["-f", "--format"], type=click.Choice(formats), default=usual, help=f"Output ({shown})."
    )
    file = OutputOption(["print_to"], metavar="FILE", help="Write what is printed to this file instead.")
    plain = click.Option(
        ["-nc", "--no-color"], is_flag=True, expose_value=False, callback=_no_color, help="No colours."
    )
    return [form, *([file] if to_file else []), plain]


def _no_color(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    ctx.meta["no_color"] = wanted


class OutputOption(click.Option):
    """`-o`, `--output`; once called `--out` in some places, which still works."""

    def __init__(self, name: Sequence[str] = ("output",), **settings: Any) -> None:
        super().__init__([*name, "-o", "--output", "--out"], **settings)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        found = super().get_help_record(ctx)
        return found and (found[0].replace(", --out ", " "), found[1])


def files_named(references: Sequence[str], hypotheses: Sequence[str], given: Mapping[str, Any]) -> Files:
    """The files that these options name."""
    from tertium.io.door import Files

    return Files(
        references,
        hypotheses,
        tsv=given.get("tsv"),
        n_references=given["num_refs"],
        documents=given.get("documents"),
        source=given["source"],
        metadata=given.get("metadata"),
        columns=given["columns"],
        pair=given["language_pair"],
        **how_to_read(given),
    )


def how_to_read(given: Mapping[str, Any]) -> dict[str, Any]:
    """What `reading_options` say."""
    return {key: given[key] for key in ("encoding", "strip_bom", "line_limit")}


def texts_named(
    references: Sequence[str], hypotheses: Sequence[str], given: Mapping[str, Any]
) -> tuple[Files, Project | None]:
    """The files that are named; or those of the project file that is named, or lies here where nothing is named."""
    from tertium.errors import InputError

    files = files_named(references, hypotheses, given)
    named = [*references, *hypotheses, *filter(None, (given["tsv"],))]
    if given["project"] is None and named:
        return files, None
    from tertium.project import Project

    project = Project.here() if given["project"] is None else Project.load(given["project"])
    if project is None:
        return files, None
    if named:
        raise InputError(f"texts are given twice: by {project.path} and on the command line")
    own = project.files()
    return own._replace(
        documents=files.documents or own.documents,
        source=files.source or own.source,
        metadata=files.metadata or own.metadata,
        n_references=files.n_references,
        columns=files.columns,
        strip_bom=files.strip_bom,
        line_limit=files.line_limit,
    ), project
