"""`tertium annotate links`: who enters by which link."""

from __future__ import annotations

import click

from tertium.cli.annotate import campaign_option, database_option
from tertium.cli.parsing import Command


def _run(db: str, campaign: str | None, url: str) -> None:
    from tertium.app.access import Access
    from tertium.app.campaigns import annotators_of, campaign_named
    from tertium.app.database import Database
    from tertium.io.tables import Column, Table

    database = Database(db, create=False)
    access = Access(database)
    rows = tuple(
        (row.name, f"{url.rstrip('/')}/a/{access.link(row.id, row.link_version)}")
        for row in annotators_of(database, campaign_named(database, campaign))
        if row.state != "removed"
    )
    print(Table("", (Column("annotator"), Column("link")), rows).tsv(), end="")
    database.close()


command = Command(
    "links",
    callback=_run,
    reads=(),
    help="Print the personal links of all annotators, tab-separated.",
    params=[
        database_option(),
        campaign_option(),
        click.Option(
            ["--url"], default="http://localhost:8765", show_default=True, help="The server's address."
        ),
    ],
)
