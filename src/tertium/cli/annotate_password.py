"""`tertium annotate password`: for administrators."""

from __future__ import annotations

import click

from tertium.cli.annotate import database_option
from tertium.cli.parsing import Command


def _run(db: str, password: str) -> None:
    from tertium.app.access import Access
    from tertium.app.database import Database

    database = Database(db, create=False)
    Access(database).set_password(password)
    database.close()
    print("password set; everyone who was logged in must log in again")


command = Command(
    "password",
    callback=_run,
    reads=(),
    help="Set the administrator's password (prompted for, or taken from TERTIUM_ANNOTATE_PASSWORD).",
    params=[
        database_option(),
        click.Option(
            ["--password"],
            prompt=True,
            hide_input=True,
            confirmation_prompt=True,
            envvar="TERTIUM_ANNOTATE_PASSWORD",
            hidden=True,
        ),
    ],
)
