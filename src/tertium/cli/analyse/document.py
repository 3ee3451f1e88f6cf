"""`tertium analyse document`: everything that is known of a new document."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import OutputOption, print_options, quiet_option, threads_option
from tertium.cli.parsing import command_of, flag, option, written

_STAFF = ("type", "people", "marks", "due", "types", "vectors", "key")


@command_of(
    "document",
    click.Argument(["document"], metavar="SOURCE"),
    option("--memory", required=True, metavar="FILE", help="A memory on disk (`tertium memory import`)."),
    option("--policy", metavar="JSON", help="Order matches by a learned policy (`memory policy train`)."),
    option("--mt", metavar="FILE", help="Machine translations: a line for each segment."),
    option(
        "--translate", metavar="COMMAND", help="A program that reads lines and writes their translations."
    ),
    option("--model", metavar="FILE", help="An estimator of quality (`tertium estimate train`), for those."),
    option("--glossary", metavar="FILE", help="Flag matches that use other terms (TSV, TBX)."),
    flag("--terms", help="Flag matches that translate a term otherwise than the document does."),
    option("--client", default="", metavar="NAME", help="Who wants it translated."),
    option("--domain", default="", metavar="NAME", help="What it is about, as units' properties name it."),
    option("--translator", default="", metavar="ID", help="Who translates it, if that is settled."),
    option("--pair", metavar="SRC-TRG", help="Languages: which two of several."),
    option("--words-per-hour", type=float, metavar="N", help="New words that somebody translates (300)."),
    option("--reading", type=float, default=0.1, help="What reading costs, of translating (0.1)."),
    option("--pass", "passes", type=float, default=90.0, metavar="MARK", help="Pass from this mark on (90)."),
    option(
        "--edit", type=float, default=70.0, metavar="MARK", help="Edit from this mark on (70); block below."
    ),
    option("--history", metavar="FILE", help="Who translated what, if not the memory says it."),
    option("--type", default="", metavar="NAME", help="What sort of document it is, as the history says."),
    option("--people", metavar="TSV", help="Who is available: translator, available, words_per_day."),
    option("--marks", metavar="TSV", help="Marks people were given: translator, mark."),
    option("--due", metavar="DATE", help="When it is due."),
    option("--types", metavar="TSV", help="Types of the history's documents."),
    option("--vectors", metavar="FILE", help="Word vectors of the source language, for documents alike."),
    option("--key", metavar="FILE", help="Key that makes ids of names (MEMORY.key)."),
    option("--on", metavar="DATE", help="Rank translators as of this day (today)."),
    option("--top", type=click.IntRange(1), default=5, help="How many translators to list (5)."),
    option("--scale", metavar="FILE", help="A scale of readability of one's own."),
    OutputOption(metavar="FILE.xlf", help="Write the pre-translated document as XLIFF."),
    option(
        "--xliff", type=click.Choice(("1", "2")), default="1", help="Version of the XLIFF: 1.2 (1), or 2."
    ),
    written("--html", metavar="FILE", help="Write a page that shows everything."),
    threads_option("what is found does not depend on it"),
    *print_options(to_file=False),
    quiet_option(),
    reads=(
        "SOURCE --memory DATED.db -o OUTPUT.xlf --html OUTPUT.html",
        "SOURCE --memory DATED.db --mt SYSTEM --model edits.qe",
        "SOURCE --memory DATED.db --policy POLICY --glossary GLOSSARY --client acme",
        "SOURCE --memory MEMORY.db --history JOBS.jsonl --people PEOPLE --marks MARKS --on 2024-06-01",
    ),
)
def command(document: str, memory: str, pair: str | None, on: str | None, **given: Any) -> Any:
    """Analyse a new document (text, HTML, XLIFF) before anybody translates it.

    It goes through the memory, machine translation where there is one, estimation, checks, readability and assignment.
    Out come a pre-translated XLIFF with match rates and statuses (pass, edit, block, new), the work in words and hours
    with an interval, the translators best suited, and a page that shows it all.

    \b
    tertium analyse document manual.txt --memory memory.db --client acme -o manual.xlf --html manual.html
    tertium analyse document manual.html --memory memory.db --translate "./mt.sh en fr" --model qe.model
    """
    from dataclasses import replace

    from tertium.analysis.analysing import Analyst, Staffing
    from tertium.analysis.pretranslated import check_output, write_pretranslated
    from tertium.io.door import read_strings
    from tertium.io.linefilters import filtered
    from tertium.io.memories.dates import parsed_date
    from tertium.io.memories.pairs import Pair
    from tertium.readability.scale import read_scale

    output, page, translate = given["output"], given["html"], given["translate"]
    check_output(output)
    analyst = Analyst(
        memory,
        pair=None if pair is None else Pair.parse(pair),
        scale=read_scale(given["scale"]) if given["scale"] else None,
        edits=given["edit"],
        **{
            name: given[name]
            for name in (
                *("policy", "glossary", "terms", "model", "words_per_hour", "reading", "passes", "threads"),
            )
        },
    )
    staffing = Staffing(
        given["history"],
        on=None if on is None else parsed_date(on, "--on"),
        top=given["top"],
        **{name: given[name] for name in _STAFF},
    )
    found = analyst.analyse(
        document,
        mt=read_strings(given["mt"]) if given["mt"] else None,
        translate=(lambda lines: filtered(translate, lines)) if translate else None,
        client=given["client"],
        domain=given["domain"],
        translator=given["translator"],
        staffing=staffing,
    )
    if output is not None:
        write_pretranslated(output, found, version=given["xliff"])
        found = replace(found, output=output)
    if page is not None:
        from tertium.report.analysis import write_analysis_page

        write_analysis_page(page, found)
    return found
