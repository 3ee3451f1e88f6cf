"""`tertium score`: sacrebleu's command, its flags and meanings, for all metrics."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from tertium.cli import significance
from tertium.cli.cluster import asks_for_a_cluster, scored_on_cluster, to_option
from tertium.cli.flags import FLAGS
from tertium.cli.group import version_option
from tertium.cli.options import (
    engine_option,
    input_options,
    metrics_named,
    metrics_option,
    print_options,
    texts_named,
    width_option,
)
from tertium.cli.parsing import Names, Several, choice, command_of, flag, option
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.families.base import Level
    from tertium.families.for_texts import ChosenMetrics
    from tertium.io.door import Files, Inputs
    from tertium.measuring import Specs
    from tertium.results import Result
    from tertium.scores import SacrebleuScores, Style

FORMS_WITH_NOTES = ("table", "text")  # the others are for programs: notes go to standard error
_IN_MEMORY = 16 << 20  # bytes of output kept in memory before they go to a temporary file


def _named_sets() -> list[click.Parameter]:
    """sacrebleu's options for test sets by name."""
    return [
        Several("--echo", metavar="FIELD", help="With -t and -l: print src, ref, docid, origlang... or all."),
        flag(
            "--list",
            "listed",
            help="List test sets by name (-l: of a pair; -t: the pairs of one, their fields).",
        ),
        flag("--citation", "--cite", help="With -t: where the test set was published, as BibTeX."),
        option("--download", metavar="NAME", help="Get a test set; the same as tertium testset get."),
        option(
            "-ol",
            "--origlang",
            metavar="LANG",
            help="With -t: only segments originally written in this language (non-de: in any other).",
        ),
        option(
            "--subset",
            metavar="REGEX",
            help="With -t: only segments of documents about this (politics, country:US, news).",
        ),
    ]


@command_of(
    "score",
    *input_options(),
    metrics_option("bleu", help="Metrics (bleu): bleu, chrf++, bleu:tok=intl; see tertium metrics."),
    *FLAGS,
    engine_option(),
    choice(
        "--level",
        among=("corpus", "document", "segment"),
        default="corpus",
        help="Which scores to print (corpus).",
    ),
    to_option("scores of segments"),
    flag("-sl", "--sentence-level", help="A line for each segment, as sacrebleu prints it."),
    *print_options(usual=None),
    width_option(),
    flag("-b", "--score-only", help="Numbers only."),
    flag("-sh", "--short", help="Short signatures (not in JSON)."),
    flag(
        "-d", "--detail", help="With -t: scores by original language too; with --documents: of each document."
    ),
    *significance.options(),
    flag("--force", help="Do not warn about tokenised-looking text."),
    version_option(),
    *_named_sets(),
    reads=("REFERENCE -i SYSTEM --source SOURCE --documents DOCUMENTS", "COLUMNS --tsv 1,2"),
)
def command(references: Names, input: Names, metrics: Names, **given: Any) -> None:
    """Score translations against references.

    Takes sacrebleu's flags with their meanings. Files may be compressed (gzip, xz, zstd), or be WMT's SGML and XML,
    JSON Lines, Parquet, or the folder of a shared task (docs/inputs.md).

    \b
    tertium score ref.txt -i output.txt -m bleu chrf ter
    tertium score ref.a ref.b -i one.txt two.txt -m bleu:tok=intl chrf++ macrof1 --format markdown
    tertium score -t wmt17 -l de-en -i output.txt
    """
    if _about_sets(given):
        return
    from tertium.cli.flags import chosen_specs
    from tertium.families.base import checked_level
    from tertium.families.for_texts import ChosenMetrics, warn_of
    from tertium.measuring import chosen_for_inputs, read_whole
    from tertium.measuring import metrics_named as metrics_of
    from tertium.scores import Style
    from tertium.scoring import check_sources, reference_free

    shown: list[Any]
    if given["test_set"] is None and asks_for_a_cluster(references, input, given["engine"]):
        of_cluster = chosen_specs(metrics_named(metrics, None), given, given["language_pair"])
        level = checked_level("segment" if given["sentence_level"] else given["level"])
        if significance.asked(given, level) is not None:
            raise InputError(
                "tests need rows of segments: tertium compare does them, or tertium rows write and tertium rows score"
            )
        scores = scored_on_cluster(
            input[0], given["engine"], of_cluster, level, given["columns"], given["to"]
        )
        shown = [scores.sacrebleu(given["width"], short=given["short"])]
        _print(shown, _format(given), bare=given["score_only"])
        return
    if given["to"] is not None:
        raise InputError("--to is where a cluster writes: --engine spark --input DATASET")
    files, project = texts_named(references, input, given)
    specs = chosen_specs(metrics_named(metrics, project), given, given["language_pair"])
    chosen: Any = metrics_of(specs)
    if not files.references and files.source is not None and files.tsv is None and reference_free(chosen):
        files = files._replace(references=(files.source,))  # nobody looks at it
    level = checked_level("segment" if given["sentence_level"] else given["level"])
    if given["sentence_level"] and len(chosen) > 1:
        raise InputError("-sl takes one metric: use --level segment for several")
    test = significance.asked(given, level)
    if test in ("bootstrap", "randomisation"):
        files = files._replace(hypotheses=significance.without_repeated_baseline(files.hypotheses))
    style, form = Style(given["width"], given["short"]), _format(given)
    if given["detail"] and given["test_set"] is not None and level == "corpus" and test is None:
        _print(_with_parts(files, specs, style, given), form, bare=given["score_only"])
        return
    inputs = files.open(whole=read_whole(chosen))
    check_sources(chosen, inputs.has_sources)
    own, notes, inputs = chosen_for_inputs(specs, inputs)
    chosen = ChosenMetrics(tuple(dict.fromkeys(own)), notes)
    if level == "segment" or given["score_only"] or form not in FORMS_WITH_NOTES:
        warn_of(notes)
    how = {name: given[name] for name in ("threads", "force", "engine")}
    if level == "segment":
        from tertium.segmentlines import segment_lines

        wanted = "bare" if given["score_only"] else form
        _print_when_complete(segment_lines(inputs, chosen, style, wanted, **how))
        return
    if test is not None:
        shown = [significance.tested(test, inputs, chosen, style, given, **how)]
    else:
        shown = _scores(inputs, chosen, level, style, given, how)
    _print(shown, form, bare=given["score_only"])


def _about_sets(given: dict[str, Any]) -> bool:
    """Whether test sets by name were asked for, and nothing to be scored; then they are printed."""
    from tertium.results import render

    name, pair = given["test_set"], given["language_pair"]
    if given["echo"]:
        from tertium.io.testsets.texts import echoed

        if name is None:
            raise InputError("--echo prints a test set by name: -t NAME -l SRC-TRG")
        _print_when_complete(echoed(name, pair, given["echo"], _kept(given)))
    elif given["citation"]:
        from tertium.namedsets import citations

        if name is None:
            raise InputError("--citation is about a test set by name: -t NAME")
        print("\n".join(citations(name)))
    elif given["listed"] or given["download"]:
        from tertium.namedsets import describe_test_sets, get_test_sets, list_test_sets

        if given["download"]:
            asked: Result = get_test_sets([given["download"]])
        else:
            asked = list_test_sets(pair) if name is None else describe_test_sets(name, pair)
        print(render(asked, given["format"] or "table"))
    else:
        return False
    return True


def _kept(given: dict[str, Any]) -> list[bool] | None:
    """Which segments of a test set --origlang and --subset ask for; None: they were not given."""
    from tertium.io.testsets.subsets import SetPart, kept

    wanted = SetPart(given["origlang"], given["subset"])
    return kept(given["test_set"], given["language_pair"], wanted) if wanted else None


def _scores(
    inputs: Inputs,
    metrics: ChosenMetrics,
    level: Level,
    style: Style,
    given: dict[str, Any],
    how: dict[str, Any],
) -> list[SacrebleuScores]:
    """The scores of this level, followed by those of each document if --detail asks for them."""
    from tertium.measuring import measure
    from tertium.scoring import scores_of

    if level == "document" and not inputs.has_documents:
        raise InputError("document scores need document ids: --documents FILE, one id per line")
    detail = given["detail"] and level == "corpus" and inputs.has_documents
    if given["detail"] and not detail and level == "corpus" and not given["quiet"]:
        click.echo("tertium: note: --detail needs -t or --documents", err=True)
    measured = measure(inputs, metrics, "document" if detail else level, **how)
    results = [
        scores_of(measured, metrics.metrics, wanted) for wanted in dict.fromkeys((level, measured.level))
    ]
    return [scores.sacrebleu(style.width, short=style.short) for scores in results]


def _with_parts(files: Files, specs: Specs, style: Style, given: dict[str, Any]) -> list[Any]:
    """The scores of a test set by name, followed by those of its parts."""
    from itertools import compress

    from tertium.io.testsets.subsets import abouts_of
    from tertium.measuring import chosen_for
    from tertium.partscores import part_scores
    from tertium.scoring import check_sources
    from tertium.testset import TestSet

    texts = TestSet.read(files)
    chosen = chosen_for(specs, texts.references, texts.origin)
    check_sources(chosen.metrics, texts.sources is not None)
    about = abouts_of(given["test_set"], given["language_pair"])
    about = list(compress(about, files.keep)) if files.keep else about
    parts = part_scores(texts, about, chosen.metrics, threads=given["threads"], digits=style.width)
    whole = texts.score(chosen, threads=given["threads"])
    return [whole.sacrebleu(style.width, short=style.short), parts]


def _print(shown: list[Any], form: str, *, bare: bool) -> None:
    from tertium.results import render
    from tertium.scores import SacrebleuScores

    said = (
        own.bare(form) if bare and isinstance(own, SacrebleuScores) else render(own, form) for own in shown
    )
    print("\n\n".join(said))


def _print_when_complete(lines: Iterable[str]) -> None:
    """Print lines after the last line of input was read: bad input never gives a number."""
    import tempfile

    how: dict[str, Any] = {"encoding": "utf-8", "errors": "surrogateescape", "newline": "\n"}
    with tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+", **how) as held:
        held.writelines(line + "\n" for line in lines)
        held.seek(0)
        while block := held.read(1 << 20):
            sys.stdout.write(block)


def _format(given: dict[str, Any]) -> str:
    if given["sentence_level"]:
        return "text"
    known = ("json", "text", "latex")
    of_sacrebleu = os.environ.get("SACREBLEU_FORMAT", "").lower()  # overrides formats that sacrebleu knows
    overridden = of_sacrebleu in known and given["format"] in (None, *known)
    found = of_sacrebleu if overridden else given["format"] or ("table" if sys.stdout.isatty() else "json")
    if given["detail"] and found == "json":  # two results in a row are not JSON; sacrebleu does the same
        return "text"
    return found
