"""`tertium assign rank`: the translators best suited to a document."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.assign.options import key_option, knowing_options
from tertium.cli.memory.options import how_to_read, reading_options
from tertium.cli.options import print_options, quiet_option
from tertium.cli.parsing import Names, command_of, option


@command_of(
    "rank",
    click.Argument(["documents"], nargs=-1, required=True, metavar="SOURCE..."),
    option(
        "--memory", required=True, metavar="FILE", help="What was translated before, by whom, for whom, when."
    ),
    option("--client", default="", metavar="NAME", help="Who wants the documents translated."),
    option(
        "--domain", default="", metavar="NAME", help="What they are about, as the memory's units name it."
    ),
    option("--type", default="", metavar="NAME", help="What sort of documents they are, as the memory says."),
    option(
        "--people", metavar="TSV", help="Who is available: translator, available (a date, no), words_per_day."
    ),
    option("--marks", metavar="TSV", help="Marks people were given: translator, mark (higher is better)."),
    option("--due", metavar="DATE", help="When the documents are due; or a table: document, due."),
    option("--on", metavar="DATE", help="Rank as of this day (today)."),
    option("--top", type=click.IntRange(1), default=10, help="How many translators to list (10)."),
    *knowing_options(),
    key_option(),
    *reading_options(),
    *print_options(),
    quiet_option(),
    reads=(
        "SOURCE --memory JOBS.jsonl --client acme",
        "SOURCE --memory JOBS.jsonl --client acme --people PEOPLE --marks MARKS --due DUE --on 2024-06-01",
        "SOURCE --memory JOBS.jsonl --type guide --types TYPES --vectors VECTORS --on 2024-06-01",
    ),
)
def command(documents: Names, memory: str, on: str | None, **given: Any) -> Any:
    """List the translators best suited to documents (plain text or HTML), best first, with reasons.

    What speaks for whom is learned from the memory's own history: whose documents went to whom.

    \b
    tertium assign rank manual.txt --memory memory.db --client acme
    """
    from tertium.assignment.ranking import rank_translators
    from tertium.io.memories.dates import parsed_date

    names = ("client", "domain", "people", "marks", "due", "top", "key", "type", "types", "vectors")
    return rank_translators(
        documents,
        memory,
        on=None if on is None else parsed_date(on, "--on"),
        **{name: given[name] for name in names},
        **how_to_read(given),
    )
