"""`tertium annotate serve`: the web app."""

from __future__ import annotations

import click

from tertium.cli.annotate import database_option
from tertium.cli.parsing import Command


def _run(db: str, host: str, port: int, workers: int, url: str | None, proxies: str) -> None:
    from tertium.app.server import serve

    if workers > 1 and "://" not in db:
        raise click.UsageError(
            "several workers need PostgreSQL (--db postgresql://...); SQLite has one writer"
        )
    shown = url or f"http://{'localhost' if host in ('127.0.0.1', '0.0.0.0') else host}:{port}"
    print(f"annotators: {shown}/a/...  (tertium annotate links prints them)")
    print(f"administrators: {shown}/admin   stop: Ctrl-C", flush=True)
    serve(db, host=host, port=port, workers=workers, public_url=url, proxies=proxies)


command = Command(
    "serve",
    callback=_run,
    reads=(),
    help="""Run the web app.

    \b
    tertium annotate serve
    tertium annotate serve --db postgresql://me@localhost/judgements --workers 4 --url https://judge.example.org
    """,
    params=[
        database_option(),
        click.Option(["--host"], default="127.0.0.1", show_default=True, help="Where to listen."),
        click.Option(["--port"], default=8765, show_default=True, type=click.IntRange(0, 65535)),
        click.Option(["--workers"], default=1, show_default=True, type=click.IntRange(1, 64)),
        click.Option(["--url"], metavar="URL", help="Public address of the app, for links and cookies."),
        click.Option(
            ["--proxies"],
            default="",
            metavar="IPS",
            help="Addresses of proxies whose X-Forwarded-For is trusted.",
        ),
    ],
)
