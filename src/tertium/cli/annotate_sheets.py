"""`tertium annotate sheets`: the offline twin of a campaign."""

from __future__ import annotations

import click

from tertium.cli.annotate import campaign_option, database_option
from tertium.cli.options import OutputOption
from tertium.cli.parsing import Command


def _run(db: str, campaign: str | None, output: str | None, back: tuple[str, ...]) -> None:
    from tertium.app.campaigns import campaign_named
    from tertium.app.database import Database
    from tertium.app.overview import annotator_lines
    from tertium.app.sheetfiles import read_sheets, write_sheets

    if (output is None) == (not back):
        raise click.UsageError("say --output FOLDER or give filled-in sheets, one of the two")
    database = Database(db, create=False)
    number = campaign_named(database, campaign)
    if output is not None:
        for path in write_sheets(database, number, output):
            print(path)
    else:
        totals = {line.name: line.total for line in annotator_lines(database, number)}
        for name, count in read_sheets(database, number, back).items():
            print(f"{name}: {count} of {totals[name]} items answered")
    database.close()


command = Command(
    "sheets",
    callback=_run,
    reads=(),
    help="""Write an XLSX sheet for each annotator, or read filled-in ones back.

    \b
    tertium annotate sheets -o sheets/
    tertium annotate sheets sheets/*.xlsx
    """,
    params=[
        click.Argument(["back"], nargs=-1, metavar="[SHEET.xlsx...]"),
        OutputOption(metavar="FOLDER", help="Write the sheets into this folder."),
        database_option(),
        campaign_option(),
    ],
)
