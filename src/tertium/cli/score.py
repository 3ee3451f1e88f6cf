"""`tertium score`: sacrebleu's command, its flags and meanings, for all metrics."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from tertium.cli import significance
from tertium.cli.flags import FLAGS
from tertium.cli.group import version_option
from tertium.cli.options import FORMATS, input_options, print_options, texts_named
from tertium.cli.parsing import Command, Refused, Several
from tertium.errors import InputError

NO_DOWNLOADS = "Tertium does not download test sets: give files (tertium score REF... -i HYP...)"


def _refused() -> list[click.Parameter]:
    without_value: list[list[str]] = [["--list"], ["--citation", "--cite"]]
    with_value = [["-t", "--test-set"], ["--download"], ["-ol", "--origlang"], ["--subset"]]
    return [
        *[Refused(names, NO_DOWNLOADS, is_flag=True) for names in without_value],
        *[Refused(names, NO_DOWNLOADS) for names in with_value],
        Refused(["--echo"], NO_DOWNLOADS, multiple=True),
    ]


def _run(references: tuple[str, ...], input: tuple[str, ...], metrics: tuple[str, ...], **given: Any) -> None:
    from tertium.cli.flags import chosen_metrics
    from tertium.cli.progress import SegmentCount
    from tertium.families.base import checked_level
    from tertium.measuring import measure
    from tertium.results import render
    from tertium.scores import SacrebleuScores, Style
    from tertium.scoring import check_sources, reference_free, scores_of

    files, project = texts_named(references, input, given)
    if project is not None:
        source = click.get_current_context().get_parameter_source("metrics")
        metrics = project.metrics if source is click.core.ParameterSource.DEFAULT else metrics
    chosen = chosen_metrics(metrics, given, given["language_pair"])
    if not files.references and files.source is not None and files.tsv is None and reference_free(chosen):
        files = files._replace(references=(files.source,))  # nobody looks at it
    level = checked_level("segment" if given["sentence_level"] else given["level"])
    if given["sentence_level"] and len(chosen) > 1:
        raise InputError("-sl takes one metric: use --level segment for several")
    test = significance.asked(given, level)
    if test in ("bootstrap", "randomisation"):
        files = files._replace(hypotheses=significance.without_repeated_baseline(files.hypotheses))
    style, form = Style(given["width"], given["short"]), _format(given)
    inputs = files.open(whole=any(metric.needs_whole_set for metric in chosen))
    check_sources(chosen, inputs.has_sources)
    if level == "document" and not inputs.has_documents:
        raise InputError("document scores need document ids: --documents FILE, one id per line")
    if level == "segment":
        from tertium.cli.held import print_when_complete
        from tertium.segmentlines import segment_lines

        with SegmentCount(quiet=given["quiet"]) as progress:
            how = {"threads": given["threads"], "force": given["force"], "progress": progress}
            wanted = "bare" if given["score_only"] else form
            print_when_complete(segment_lines(inputs, chosen, style, wanted, **how))
        return
    if test is not None:
        with SegmentCount(quiet=given["quiet"]) as progress:
            how = {"threads": given["threads"], "force": given["force"], "progress": progress}
            found = significance.tested(test, inputs, chosen, style, given, **how)
        if isinstance(found, SacrebleuScores) and given["score_only"]:
            print(found.bare(form))
        else:
            print(render(found, form))
        return
    detail = given["detail"] and level == "corpus" and inputs.has_documents
    if given["detail"] and not detail and not given["quiet"]:
        click.echo(
            "tertium: note: --detail needs --documents FILE: it prints the scores of each document", err=True
        )
    with SegmentCount(quiet=given["quiet"]) as progress:
        how = {"threads": given["threads"], "force": given["force"], "progress": progress}
        measured = measure(inputs, chosen, "document" if detail else level, **how)
    results = [scores_of(measured, chosen, wanted) for wanted in dict.fromkeys((level, measured.level))]
    shown = [scores.sacrebleu(style.width, short=style.short) for scores in results]
    print("\n\n".join(own.bare(form) if given["score_only"] else render(own, form) for own in shown))


def _format(given: dict[str, Any]) -> str:
    if given["sentence_level"]:
        return "text"
    known = ("json", "text", "latex")
    of_sacrebleu = os.environ.get(
        "SACREBLEU_FORMAT", ""
    ).lower()  # overrides the formats that sacrebleu knows
    overridden = of_sacrebleu in known and given["format"] in (None, *known)
    found = of_sacrebleu if overridden else given["format"] or ("table" if sys.stdout.isatty() else "json")
    if given["detail"] and found == "json":  # two results one after the other are no JSON, says sacrebleu too
        return "text"
    return found


command = Command(
    "score",
    callback=_run,
    reads=("REFERENCE -i SYSTEM --source SOURCE --documents DOCUMENTS", "COLUMNS --tsv 1,2"),
    help="""Score translations against references.

    Takes sacrebleu's flags with their meanings. Files may be compressed (gzip, xz, zstd), or be WMT's SGML and XML,
    JSON Lines, Parquet, or the folder of a shared task (docs/inputs.md).

    \b
    tertium score ref.txt -i output.txt -m bleu chrf ter
    tertium score ref.a ref.b -i one.txt two.txt -m bleu:tok=intl chrf++ macrof1 --format markdown
    """,
    params=[
        *input_options(),
        Several(
            ["-m", "--metrics"],
            default=["bleu"],
            metavar="SPEC",
            help="Metrics (bleu): bleu, chrf++, bleu:tok=intl; see tertium metrics.",
        ),
        *FLAGS,
        click.Option(
            ["--level"],
            type=click.Choice(("corpus", "document", "segment")),
            default="corpus",
            help="Which scores to print (corpus).",
        ),
        click.Option(
            ["-sl", "--sentence-level"], is_flag=True, help="A line for each segment, as sacrebleu prints it."
        ),
        *print_options(FORMATS, usual=None),
        click.Option(["-w", "--width"], type=click.IntRange(0, 17), default=1, help="Decimals (1)."),
        click.Option(["-b", "--score-only"], is_flag=True, help="Numbers only."),
        click.Option(["-sh", "--short"], is_flag=True, help="Short signatures (not in JSON)."),
        click.Option(
            ["-d", "--detail"], is_flag=True, help="Scores of each document too (with --documents)."
        ),
        *significance.options(),
        click.Option(["--force"], is_flag=True, help="Do not warn about tokenised-looking text."),
        version_option(),
        *_refused(),
    ],
)
