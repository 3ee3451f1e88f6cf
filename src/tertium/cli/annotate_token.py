"""`tertium annotate token`: for scripts."""

from __future__ import annotations

from tertium.cli.annotate import database_option
from tertium.cli.parsing import Command


def _run(db: str) -> None:
    from tertium.app.access import Access
    from tertium.app.database import Database

    database = Database(db, create=False)
    print(Access(database).new_script_token())
    database.close()


command = Command(
    "token",
    callback=_run,
    reads=(),
    help="Create a token for scripts (Authorization: Bearer TOKEN) and print it once; the previous one is revoked.",
    params=[database_option()],
)
