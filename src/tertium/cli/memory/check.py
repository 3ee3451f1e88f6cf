"""`tertium memory check`: units that deserve a look, and why."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.cluster import checked_on_cluster, dataset_named, dataset_options
from tertium.cli.memory.options import how_to_read, reading_options
from tertium.cli.options import engine_option, print_options, quiet_option
from tertium.cli.parsing import Names, Several, command_of, flag, option, written


@command_of(
    "check",
    click.Argument(["memory"], metavar="FILE", required=False),
    engine_option(),
    *dataset_options(),
    written(
        "--html", metavar="FILE", help="Also write a page to browse, and to mark units as right or wrong."
    ),
    option("--top", type=click.IntRange(0), help="Units listed (1000, of which 20 are printed)."),
    Several("--client", metavar="NAME", help="Only units of these clients."),
    option(
        "--glossary", metavar="FILE", help="Terms and their translations (TSV or TBX), for the check terms."
    ),
    option(
        "--labels", metavar="FILE", help="Units marked right or wrong, saved from the page: they refine it."
    ),
    option(
        "--encoder",
        metavar="NAME",
        help="Compare vectors of both texts, too: use (extra sentences), or a model.",
    ),
    option(
        "--mismatched",
        type=float,
        metavar="SHARE",
        help="Share of units whose sides do not belong together (0.003; crawled texts: 0.2).",
    ),
    Several("--check", metavar="CHECK", help="Only these checks (all; docs/memory.md lists them)."),
    flag("--resume", help="Go on where the same command was stopped before."),
    *reading_options(),
    *print_options(),
    quiet_option(),
    reads=(
        "UNITS.tmx",
        "UNITS.tmx --glossary GLOSSARY",
        "UNITS.tmx --labels MARKED.jsonl",
        "UNITS.jsonl",
        "UNITS.tsv --pair en-fr",
    ),
)
def command(memory: str | None, top: int | None, client: Names, check: Names, **given: Any) -> Any:
    """Look through a translation memory: how many units deserve a look, by check, client, translator and year, and
    the worst of them with the reasons.

    \b
    tertium memory check in.tmx
    tertium memory check in.tmx --top 50 --client acme --check numbers placeholders
    tertium memory check in.tmx --glossary terms.tbx --check terms
    tertium memory check in.tmx --encoder use
    tertium memory check in.tmx --html page.html
    tertium memory check in.tmx --labels in.tmx.labels.jsonl
    tertium memory check in.tmx -f json -o found.json
    tertium memory check --engine spark --input memory.parquet --columns source=en,target=fr,order=number --pair en-fr
    """
    from tertium.memory.checking import check_memory

    how = {
        name: given[name] for name in ("glossary", "labels", "encoder", "mismatched", "resume")
    } | how_to_read(given)
    how |= {"top": top, "clients": client, "checks": check}
    dataset = dataset_named((memory,), given)
    if dataset is not None:
        found = checked_on_cluster(dataset, given, **how)
    else:
        found = check_memory(str(memory), engine=given["engine"], **how)
    if given["html"] is not None:
        from tertium.report.memory import write_memory_page

        write_memory_page(given["html"], found)
    return found
