"""`tertium memory match`: proposals from a memory for the segments of a document."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import OutputOption, print_options, quiet_option, threads_option
from tertium.cli.parsing import command_of, flag, option


@command_of(
    "match",
    click.Argument(["document"], metavar="SOURCE"),
    option("--memory", required=True, metavar="FILE", help="A memory on disk (`tertium memory import`)."),
    option(
        "--client",
        default="",
        metavar="NAME",
        help="Who wants it: this client's come first among equals.",
    ),
    option("--domain", default="", metavar="NAME", help="What it is about, as units' properties name it."),
    option("--translator", default="", metavar="ID", help="Who translates it (for a policy)."),
    option("--policy", metavar="JSON", help="Order by a learned policy (`memory policy train`)."),
    option("--pair", metavar="SRC-TRG", help="Languages: which two of several."),
    option("--least", type=click.IntRange(0, 100), help="Least rate of a proposal (50; with a policy none)."),
    option("--most", type=click.IntRange(1, 40), default=5, help="Proposals for a segment (5)."),
    flag("--parts", help="Stored phrases of segments without a proposal of 70%."),
    flag("--terms", help="Flag proposals that translate a term otherwise than the document does."),
    option("--glossary", metavar="FILE", help="The same, with the terms of a glossary (TSV, TBX)."),
    flag("--no-source", help="A policy may not propose the source as it stands."),
    OutputOption(metavar="FILE", help="Write the proposals: .jsonl, or .xlf for CAT tools."),
    option("--xliff", type=click.Choice(("1", "2")), default="1", help="Version of an .xlf: 1.2 (1), or 2."),
    threads_option("proposals do not depend on it"),
    *print_options(to_file=False),
    quiet_option(),
    reads=(
        "SOURCE --memory MEMORY.db",
        "SOURCE --memory MEMORY.db --client acme --pair en-fr -o OUTPUT.xlf",
        "SOURCE --memory DATED.db --policy POLICY",
        "SOURCE --memory DATED.db --parts",
        "SOURCE --memory DATED.db --terms --glossary GLOSSARY",
    ),
)
def command(document: str, memory: str, pair: str | None, no_source: bool, **given: Any) -> Any:
    """Find stored translations for the segments of a document: lines of text, sentences of HTML, units of XLIFF or PO.

    \b
    tertium memory match manual.txt --memory memory.db --client acme -o manual.xlf
    """
    from tertium.io.memories.pairs import Pair
    from tertium.matching.matching import match_document

    names = (
        "client",
        "domain",
        "translator",
        "policy",
        "least",
        "most",
        "parts",
        "terms",
        "glossary",
        "output",
        "xliff",
        "threads",
    )
    languages = None if pair is None else Pair.parse(pair)
    chosen = {name: given[name] for name in names}
    return match_document(document, memory, pair=languages, source=not no_source, **chosen)
