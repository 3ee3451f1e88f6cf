"""`tertium annotate create`: everything is checked before anything is made."""

from __future__ import annotations

import click

from tertium.cli.annotate import database_option
from tertium.cli.parsing import Command


def _run(file: str, db: str, dry_run: bool) -> None:
    from tertium.app.loading import load_campaign
    from tertium.human.campaigns.plan import planned

    settings, segments = load_campaign(file)
    plan = planned(settings, segments)
    print(plan.table().text())
    if dry_run:
        return
    from tertium.app.access import Access
    from tertium.app.campaigns import create_planned
    from tertium.app.database import Database
    from tertium.app.passwords import new_token

    database = Database(db)
    create_planned(database, plan)
    access = Access(database)
    print(f"created {settings.name} in {db}")
    if not access.has_password:
        password = new_token()[:20]
        access.set_password(password)
        print(f"administrator's password (shown only once): {password}")
    print(f"next: tertium annotate serve --db {db}")
    database.close()


command = Command(
    "create",
    callback=_run,
    reads=("CAMPAIGN (TESTSET.toml REFERENCE SYSTEM) --db OUTPUT",),
    help="""Create a campaign from a campaign file.

    \b
    tertium annotate create campaign.toml
    tertium annotate create campaign.toml --db postgresql://me@localhost/judgements
    """,
    params=[
        click.Argument(["file"], metavar="CAMPAIGN.toml"),
        database_option(),
        click.Option(["--dry-run"], is_flag=True, help="Check and count only."),
    ],
)
