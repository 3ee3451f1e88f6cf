"""Options that commands share: each is defined here, once, and means the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.parsing import Several, WrittenOption, choice, flag, option

if TYPE_CHECKING:
    from tertium.io.door import Files
    from tertium.project import Project

TABLE_FORMATS = (
    "table",
    "json",
    "tsv",
    "markdown",
    "latex",
    "text",
)  # text: plain columns, or sacrebleu's lines
PAGE_FORMATS = (*TABLE_FORMATS, "html")
NO_PSEUDO = ("pseudo_references", "without_references")  # where nothing is scored
LINE_LIMIT = 64  # megabytes, as in tertium.io.files, which need not be imported for --help


def input_options(
    *without: str, inputs: str = "Outputs of one system or more (standard input)."
) -> list[click.Parameter]:
    """What commands share that read translations, `without` the options of these names."""
    options: list[click.Parameter] = [
        click.Argument(["references"], nargs=-1, metavar="REF..."),
        Several("-i", "--input", metavar="HYP", help=inputs),
        *(option(*names, metavar=metavar, help=help) for names, metavar, help in _TEXTS),
        option(
            "-nr", "--num-refs", type=int, default=1, help="Tab-separated references per line of REF (1)."
        ),
        Several(
            "--pseudo-references",
            metavar="LABEL=FILE",
            help="Outputs of other systems as references, too; LABEL alone: one of the outputs, which is not scored.",
        ),
        flag("--without-references", help="Pseudo-references instead of references."),
        *reading_options(),
        threads_option(),
        quiet_option(),
    ]
    return [option for option in options if option.name not in without]


_TEXTS = (
    (
        ("--tsv",),
        "1,2,...",
        "Columns of one file: hypothesis (1+2: two systems), then references, counted from 1.",
    ),
    (
        ("--columns",),
        "ROLE=NAME,...",
        "Columns of JSON Lines and Parquet: hypothesis, reference, source, document.",
    ),
    (
        ("-t", "--test-set"),
        "NAME",
        "A test set by name, with -l: its source, references, documents; see tertium testset list.",
    ),
    (("--source",), "FILE", "Source texts, for metrics that need them."),
    (("--documents",), "FILE", "A document id for each segment."),
    (
        ("--units",),
        "UNIT",
        "What a document is: documents (by their ids), blank (paragraphs between blank lines), words:180.",
    ),
    (("--metadata",), "TSV", "Metadata of the segments: a header, then one row per segment."),
    (
        ("-l", "--language-pair"),
        "SRC-TRG",
        "Languages: chooses BLEU's tokeniser for zh, ja and ko, the languages of doc: metrics, and the pair in a "
        "shared task's folder.",
    ),
    (("--project",), "FILE", "A project file to take the texts from (tertium.toml here, if none are named)."),
)


def reading_options() -> list[click.Parameter]:
    """How bytes become lines."""
    limit = {"type": click.IntRange(1), "default": LINE_LIMIT, "metavar": "MB"}
    return [
        option("-e", "--encoding", default="utf-8", help="Encoding of the files (utf-8)."),
        flag("--strip-bom", help="Remove byte-order marks."),
        option("--line-limit", help=f"Refuse longer lines ({LINE_LIMIT}).", **limit),
    ]


def metrics_option(*usual: str, help: str | None = None) -> Several:
    """-m, with the metrics that are `usual`."""
    shown = help or f"Metrics ({' '.join(usual)})."
    return Several("-m", "--metrics", default=usual or None, metavar="SPEC", help=shown)


def engine_option() -> click.Option:
    """Where the work is done."""
    sentence = "Where to work (local): processes[:4], spark[:MASTER]; scores do not depend on it."
    return option("--engine", default="local", metavar="NAME", help=sentence)


def threads_option(effect: str = "scores do not depend on it") -> click.Option:
    sentence = f"Number of threads (1; 0: all cores); {effect}."
    return option("--threads", type=click.IntRange(0, 4096), default=1, help=sentence)


def consensus_options() -> list[click.Parameter]:
    """Which compared translations make better-worse pairs."""
    return [
        option(
            "--judges",
            type=click.IntRange(1),
            help="Rankings: pairs that so many judges compared (2 with --agreement; else a majority decides).",
        ),
        option(
            "--agreement",
            type=click.FloatRange(0, 1, min_open=True),
            metavar="SHARE",
            help="Share of these judges who must agree (0.6 with --judges).",
        ),
    ]


def quiet_option() -> click.Option:
    return flag("-q", "--quiet", help="No warnings, no progress.")


def width_option(digits: int = 1) -> click.Option:
    return option("-w", "--width", type=click.IntRange(0, 17), default=digits, help=f"Decimals ({digits}).")


def print_options(
    formats: Sequence[str] = TABLE_FORMATS, *, to_file: bool = True, usual: str | None = "table"
) -> list[click.Parameter]:
    """How a result is printed, and where: `to_file`, unless -o names other files of the command.

    A pipe gets what a terminal shows, without colours; only `score` writes JSON there, as sacrebleu does.
    """
    shown = usual or "table on a terminal, json otherwise"
    form = choice("-f", "--format", among=formats, default=usual, help=f"Output ({shown}).")
    file = OutputOption("print_to", metavar="FILE", help="Write what is printed to this file instead.")
    how = {"is_flag": True, "expose_value": False, "callback": _no_color}
    return [form, *([file] if to_file else []), option("-nc", "--no-color", help="No colours.", **how)]


def _no_color(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    ctx.meta["no_color"] = wanted


class OutputOption(WrittenOption):
    """`-o`, `--output`; some commands once called it `--out`, which still works."""

    def __init__(self, name: str = "output", **settings: Any) -> None:
        super().__init__([name, "-o", "--output", "--out"], **settings)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        found = super().get_help_record(ctx)
        return found and (found[0].replace(", --out ", " "), found[1])


def files_named(references: Sequence[str], hypotheses: Sequence[str], given: Mapping[str, Any]) -> Files:
    """The files that these options name."""
    from tertium.io.door import Files

    files = Files(
        references,
        hypotheses,
        tsv=given.get("tsv"),
        n_references=given["num_refs"],
        documents=given.get("documents"),
        source=given["source"],
        metadata=given.get("metadata"),
        columns=given["columns"],
        pair=given["language_pair"],
        units=given.get("units") or "documents",
        pseudo=given.get("pseudo_references") or (),
        without_references=given.get("without_references") or False,
        **how_to_read(given),
    )
    name, origlang, subset = (given.get(key) for key in ("test_set", "origlang", "subset"))
    if name is None:
        if origlang is not None or subset is not None:
            from tertium.errors import InputError

            raise InputError("--origlang and --subset are parts of a test set by name: -t NAME -l SRC-TRG")
        return files
    from tertium.io.testsets.texts import with_test_set

    files = with_test_set(files, name)
    if origlang is None and subset is None:
        return files
    from tertium.io.testsets.subsets import SetPart, only

    return only(files, name, SetPart(origlang, subset))


PARSER_HELP = "Parser of metrics that use one: conllu:FILES, spacy:MODEL, hanta:LANGUAGE, simplemma:LANGUAGE."


def how_to_read(given: Mapping[str, Any]) -> dict[str, Any]:
    """What `reading_options` say, for the readers in `tertium.io`."""
    return {key: given[key] for key in ("encoding", "strip_bom", "line_limit")}


def texts_named(
    references: Sequence[str], hypotheses: Sequence[str], given: Mapping[str, Any]
) -> tuple[Files, Project | None]:
    """The files named; or those of the project file that is named, or of the one in this folder if nothing is."""
    from tertium.errors import InputError

    files = files_named(references, hypotheses, given)
    named = [*references, *hypotheses, *filter(None, (given["tsv"], given.get("test_set")))]
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
        units=files.units,
        pseudo=files.pseudo,
        without_references=files.without_references,
        strip_bom=files.strip_bom,
        line_limit=files.line_limit,
    ), project


def metrics_named(metrics: tuple[str, ...], project: Project | None) -> tuple[str, ...]:
    """-m, or the project's metrics if -m is not given."""
    source = click.get_current_context().get_parameter_source("metrics")
    return project.metrics if project and source is click.core.ParameterSource.DEFAULT else metrics


def languages_named(pair: str | None) -> tuple[str | None, str | None]:
    """Source and target language of -l."""
    from tertium.errors import SpecError

    if pair is None:
        return None, None
    source, dash, target = pair.partition("-")
    if not (source and dash and target):
        raise SpecError(f"-l {pair}: a language pair is source-target, such as en-de")
    return source, target
