"""`tertium annotate export`: judgements in the shapes people have programs for."""

from __future__ import annotations

import sys

import click

from tertium.cli.annotate import campaign_option, database_option
from tertium.cli.options import OutputOption
from tertium.cli.parsing import Command

_SHAPES = ("csv", "jsonl", "judgements", "wmt", "appraise", "mtme")


def _run(db: str, campaign: str | None, shape: str, output: str | None, removed: bool) -> None:
    from tertium.app.campaigns import campaign_named
    from tertium.app.database import Database
    from tertium.app.overview import collected
    from tertium.human.campaigns.exports import exported

    database = Database(db, create=False)
    made = exported(collected(database, campaign_named(database, campaign), removed=removed), shape)
    database.close()
    if output is None and shape == "mtme":
        output = made.name
    if output is None:
        sys.stdout.buffer.write(made.data)
        sys.stdout.buffer.flush()
        return
    from tertium.io.files import write_bytes

    write_bytes(output, made.data)
    print(f"{output}: {len(made.data)} bytes", file=sys.stderr)


command = Command(
    "export",
    callback=_run,
    reads=(),
    help="""Write all completed judgements.

    \b
    tertium annotate export -f csv -o judgements.csv
    tertium annotate export -f mtme -o human.zip
    """,
    params=[
        database_option(),
        campaign_option(),
        click.Option(
            ["-f", "--format", "shape"], type=click.Choice(_SHAPES), default="jsonl", show_default=True
        ),
        OutputOption(metavar="FILE", help="Output file (standard output; a ZIP needs a file)."),
        click.Option(["--removed"], is_flag=True, help="Include the judgements of removed annotators."),
    ],
)
