"""`tertium annotate`: campaigns of human judgement, from design to analysed result."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.group import Commands
from tertium.cli.options import OutputOption, metrics_option, print_options
from tertium.cli.parsing import choice, command_of, flag, number, option
from tertium.errors import InputError, MissingExtraError, many

if TYPE_CHECKING:
    from tertium.app.database import CampaignDatabase
    from tertium.human.campaigns.analysis import Analysis

_NEEDED = ("sqlalchemy", "alembic", "fastapi", "uvicorn", "jinja2", "python_multipart", "markdown_it")
_SHAPES = ("csv", "jsonl", "judgements", "wmt", "appraise", "mqm", "mtme", "practice")
_DATABASE = option(
    "--db",
    default="campaigns.db",
    metavar="DATABASE",
    envvar="TERTIUM_ANNOTATE_DATABASE",
    show_default=True,
    help="A SQLite file, or postgresql://user:password@host/name.",
)
_CAMPAIGN = option("-c", "--campaign", metavar="NAME", help="Which campaign (if there are several).")


def _check_extra() -> None:
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in _NEEDED):
        raise MissingExtraError("annotation", "app")


@contextmanager
def _opened(db: str, *, create: bool = False) -> Iterator[CampaignDatabase]:
    """The database of --db, which must exist if it is not to be created."""
    from tertium.app.database import CampaignDatabase

    database = CampaignDatabase(db, create=create)
    try:
        yield database
    finally:
        database.close()


@command_of(
    "create",
    click.Argument(["file"], metavar="CAMPAIGN.toml"),
    _DATABASE,
    flag("--dry-run", help="Check and count only."),
    reads=("CAMPAIGN (TESTSET.toml REFERENCE SYSTEM) --db OUTPUT",),
    short="Check a campaign file and create the campaign.",
)
def _create(file: str, db: str, dry_run: bool) -> None:
    """Create a campaign from a campaign file.

    \b
    tertium annotate create campaign.toml
    tertium annotate create campaign.toml --db postgresql://me@localhost/judgements
    """
    from tertium.app.loading import load_campaign
    from tertium.human.campaigns.plan import planned

    settings, segments = load_campaign(file)
    plan = planned(settings, segments)
    print(plan.table().text())
    if dry_run:
        return
    from tertium.app.access import Access
    from tertium.app.campaigns import create_planned
    from tertium.web.database import shown_url
    from tertium.web.passwords import new_token

    with _opened(db, create=True) as database:
        create_planned(database, plan)
        access = Access(database)
        print(f"created {settings.name} in {shown_url(db)}")
        if not access.has_password:
            password = new_token()[:20]
            access.set_password(password)
            print(f"administrator's password (shown only once): {password}")
    print(f"next: tertium annotate serve --db {shown_url(db)}")


@command_of(
    "spans",
    click.Argument(["file"], metavar="CAMPAIGN.toml"),
    metrics_option("chrf", help="Metrics that mark errors, of any kind (chrf)."),
    OutputOption(metavar="FILE", help="File to write (JSON Lines; standard output)."),
    reads=("SPANNED (TESTSET.toml REFERENCE SYSTEM) -m chrf -o OUTPUT",),
    short="Let a metric mark errors beforehand, into a file for the campaign.",
)
def _spans(file: str, metrics: tuple[str, ...], output: str | None) -> None:
    """Write the words of a campaign's outputs that a metric would not miss, for its key spans.

    \b
    tertium annotate spans campaign.toml -m 'outside:command="python comet.py"' -o spans.jsonl
    (campaign.toml: spans = "spans.jsonl")
    """
    from tertium.app.loading import load_campaign
    from tertium.human.campaigns.givenspans import span_lines
    from tertium.io.files import write_bytes

    settings, segments = load_campaign(file, spans=False)
    lines = [line for metric in metrics for line in span_lines(metric, settings, segments)]
    if not lines:
        raise InputError(f"{', '.join(metrics)}: no word is marked; leave the key spans out")
    if output is None:
        print(*lines, sep="\n")
        return
    write_bytes(output, "".join(f"{line}\n" for line in lines).encode())
    print(f"{output}: {many(len(lines), 'span')}", file=sys.stderr)


@command_of(
    "serve",
    _DATABASE,
    option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535)),
    option("--workers", default=1, show_default=True, type=click.IntRange(1, 64)),
    option("--url", metavar="URL", help="Public address of the app, for links and cookies."),
    option("--proxies", default="", metavar="IPS", help="Proxies whose X-Forwarded-For is trusted."),
    reads=(),
    short="Run the web app in which people judge.",
)
def _serve(db: str, host: str, port: int, workers: int, url: str | None, proxies: str) -> None:
    """Run the web app.

    \b
    tertium annotate serve
    tertium annotate serve --db postgresql://me@localhost/judgements --workers 4 --url https://judge.example.org
    """
    from tertium.app.access import Access
    from tertium.app.server import serve
    from tertium.web.running import listening

    with _opened(db) as database:  # one complaint before anything is said, not one from every worker
        Access(database).prepare()
    at = listening(host, port)
    name = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    shown = url or f"http://{name}:{at.getsockname()[1]}"
    print(f"annotators: {shown}/a/...  (tertium annotate links prints them)")
    print(f"administrators: {shown}/admin   stop: Ctrl-C", flush=True)
    serve(db, at, workers=workers, public_url=url, proxies=proxies)


@command_of(
    "links",
    _DATABASE,
    _CAMPAIGN,
    option("--url", default="http://localhost:8765", show_default=True, help="The server's address."),
    reads=(),
    short="Print the personal links of the annotators.",
)
def _links(db: str, campaign: str | None, url: str) -> None:
    """Print the personal links of all annotators, tab-separated.

    \b
    tertium annotate links --url https://judge.example.org > links.tsv
    """
    from tertium.app.access import Access
    from tertium.app.campaigns import annotators_of, campaign_named
    from tertium.io.tables import Column, Table

    with _opened(db) as database:
        access = Access(database)
        rows = tuple(
            (row.name, f"{url.rstrip('/')}/a/{access.link(row.id, row.link_version)}")
            for row in annotators_of(database, campaign_named(database, campaign))
            if row.state != "removed"
        )
    print(Table("", (Column("annotator"), Column("link")), rows).tsv(), end="")


@command_of(
    "export",
    _DATABASE,
    _CAMPAIGN,
    choice("-f", "--format", "shape", among=_SHAPES, default="jsonl", show_default=True),
    OutputOption(metavar="FILE", help="Output file (standard output; a ZIP needs a file)."),
    flag("--removed", help="Include the judgements of removed annotators."),
    reads=(),
    short="Export the judgements in one of the usual formats.",
)
def _export(db: str, campaign: str | None, shape: str, output: str | None, removed: bool) -> None:
    """Write all completed judgements.

    \b
    tertium annotate export -f csv -o judgements.csv
    tertium annotate export -f mtme -o human.zip
    """
    from tertium.app.campaigns import campaign_named
    from tertium.app.overview import collected
    from tertium.human.campaigns.exports import exported
    from tertium.io.files import write_bytes

    with _opened(db) as database:
        made = exported(collected(database, campaign_named(database, campaign), removed=removed), shape)
    if output is None and shape == "mtme":
        output = made.name
    if output is None:
        sys.stdout.buffer.write(made.data)
        sys.stdout.buffer.flush()
        return
    write_bytes(output, made.data)
    print(f"{output}: {len(made.data)} bytes", file=sys.stderr)


@command_of(
    "sheets",
    click.Argument(["back"], nargs=-1, metavar="[SHEET.xlsx...]"),
    OutputOption(metavar="FOLDER", help="Write the sheets into this folder."),
    _DATABASE,
    _CAMPAIGN,
    reads=(),
    short="Work offline: write an XLSX sheet for each annotator, and read it back.",
)
def _sheets(db: str, campaign: str | None, output: str | None, back: tuple[str, ...]) -> None:
    """Write an XLSX sheet for each annotator, or read filled-in ones back.

    \b
    tertium annotate sheets -o sheets/
    tertium annotate sheets sheets/*.xlsx
    """
    from tertium.app.campaigns import campaign_named
    from tertium.app.overview import annotator_lines
    from tertium.app.sheetfiles import read_sheets, write_sheets

    if (output is None) == (not back):
        raise click.UsageError("give either --output FOLDER or filled-in sheets")
    with _opened(db) as database:
        number = campaign_named(database, campaign)
        if output is not None:
            for path in write_sheets(database, number, output):
                print(path)
            return
        totals = {line.name: line.total for line in annotator_lines(database, number)}
        for name, count in read_sheets(database, number, back).items():
            print(f"{name}: {count} of {totals[name]} items answered")


@command_of(
    "analyse",
    _DATABASE,
    _CAMPAIGN,
    *print_options(),
    number("--seed", default=12345, help="Seed", least=0),
    option(
        "--self-agreement",
        default=1 / 3,
        type=click.FloatRange(0, 1),
        help="Exclude annotators who repeat a comparison no more often than this (one third: chance).",
    ),
    reads=(),
    short="Analyse the judgements.",
)
def _analyse(db: str, campaign: str | None, seed: int, self_agreement: float, **_given: Any) -> Analysis:
    """Analyse the judgements so far: quality control, scores, wins, agreement.

    \b
    tertium annotate analyse
    tertium annotate analyse -c harbour -f markdown
    """
    from tertium.app.campaigns import campaign_named
    from tertium.app.overview import collected
    from tertium.human.campaigns.analysis import analyse

    with _opened(db) as database:
        answers = collected(database, campaign_named(database, campaign))
    return analyse(answers, seed=seed, least_self_agreement=self_agreement)


@command_of(
    "password",
    _DATABASE,
    option(
        "--password",
        prompt=True,
        hide_input=True,
        confirmation_prompt=True,
        envvar="TERTIUM_ANNOTATE_PASSWORD",
        hidden=True,
    ),
    reads=(),
    short="Set the administrator's password.",
)
def _password(db: str, password: str) -> None:
    """Set the administrator's password (prompted for, or taken from TERTIUM_ANNOTATE_PASSWORD).

    \b
    tertium annotate password --db campaigns.db
    """
    from tertium.app.access import Access

    with _opened(db) as database:
        Access(database).set_password(password)
    print("password set; everyone who was logged in must log in again")


@command_of("token", _DATABASE, reads=(), short="Create a token for scripts.")
def _token(db: str) -> None:
    """Create a token for scripts (Authorization: Bearer TOKEN) and print it once; the old one is revoked.

    \b
    tertium annotate token --db campaigns.db
    """
    from tertium.app.access import Access

    with _opened(db) as database:
        print(Access(database).new_script_token())


@command_of(
    "language",
    click.Argument(["code"], metavar="LANGUAGE"),
    reads=(),
    short="Print the file of an interface language, to be translated into another.",
)
def _language(code: str) -> None:
    """Print a language file: every text of the annotators' pages in English, and its translation.

    \b
    tertium annotate language fr > de.toml
    """
    from tertium.human.campaigns.language import written

    print(written(code), end="")


command = Commands(
    "annotate",
    help="Collect human judgements: direct assessment, pairs, rankings, questions, error spans, semantic units.",
    epilog="Start with: tertium annotate create campaign.toml; tertium annotate serve",
    check=_check_extra,
    commands=[_create, _spans, _serve, _links, _export, _sheets, _analyse, _password, _token, _language],
)
