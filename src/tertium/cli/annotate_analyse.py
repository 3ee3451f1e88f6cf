"""`tertium annotate analyse`: quality control, scores, wins, agreement."""

from __future__ import annotations

import click

from tertium.cli.annotate import campaign_option, database_option
from tertium.cli.options import print_options
from tertium.cli.parsing import Command


def _run(db: str, campaign: str | None, format: str, seed: int, self_agreement: float) -> None:
    from tertium.app.campaigns import campaign_named
    from tertium.app.database import Database
    from tertium.app.overview import collected
    from tertium.human.campaigns.analysis import analyse
    from tertium.results import render

    database = Database(db, create=False)
    found = analyse(
        collected(database, campaign_named(database, campaign)),
        seed=seed,
        least_self_agreement=self_agreement,
    )
    database.close()
    print(render(found, format))


command = Command(
    "analyse",
    callback=_run,
    reads=(),
    help="""Analyse the judgements so far.

    \b
    tertium annotate analyse
    tertium annotate analyse -c harbour -f markdown
    """,
    params=[
        database_option(),
        campaign_option(),
        *print_options(),
        click.Option(["--seed"], default=12345, show_default=True, type=click.IntRange(0)),
        click.Option(
            ["--self-agreement"],
            default=1 / 3,
            type=click.FloatRange(0, 1),
            help="Exclude annotators who repeat a comparison no more often than this (one third: chance).",
        ),
    ],
)
