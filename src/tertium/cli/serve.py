"""`tertium serve`: the service of a folder, or of a PostgreSQL database."""

from __future__ import annotations

import json

import click

from tertium.cli.options import metrics_option
from tertium.cli.parsing import command_of, option


@command_of(
    "serve",
    click.Argument(["place"], metavar="FOLDER|URL"),
    metrics_option(help="Metrics where a call names none; these may use files and programs (chrf, ter)."),
    option("--settings", metavar="TOML", help="What the office has (office.toml in its folder)."),
    option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    option("--port", default=8766, show_default=True, type=click.IntRange(0, 65535)),
    option("--workers", default=1, show_default=True, type=click.IntRange(1, 64)),
    option("--url", default="", metavar="URL", help="Public address, for what is said of it."),
    option("--proxies", default="", metavar="IPS", help="Proxies whose X-Forwarded-For is trusted."),
    reads=(),
    short="The office's service: evaluations over HTTP, and a dashboard.",
)
def command(
    place: str,
    metrics: tuple[str, ...],
    settings: str | None,
    host: str,
    port: int,
    workers: int,
    url: str,
    proxies: str,
) -> None:
    """Run the service until it is stopped.

    \b
    tertium monitor init office
    tertium serve office
    """
    from tertium.monitor.database import ServiceDatabase
    from tertium.monitor.place import service_place
    from tertium.service.application import ready
    from tertium.service.equipment import EquipmentSettings, settings_beside
    from tertium.web.running import listening, run

    for spec in metrics:
        from tertium import registry

        registry.metric(spec)
    named = settings_beside(place, settings)
    if named is not None:
        ready(EquipmentSettings.load(named), workers)
    where = service_place(place)
    ServiceDatabase(where, create=False).close()  # one complaint, not one from every worker
    at = listening(host, port)
    name = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host
    shown = url or f"http://{name}:{at.getsockname()[1]}"
    print(f"dashboard: {shown}/")
    print(f"evaluations: POST {shown}/v1/evaluations   description: {shown}/v1/openapi.json")
    print("stop: Ctrl-C", flush=True)
    given = {
        "database": where,
        "metrics": metrics,
        "https": shown.startswith("https:"),
        "settings": named,
    }
    run(
        "tertium.service.application:from_environment",
        at,
        {"TERTIUM_SERVICE": json.dumps(given)},
        workers=workers,
        proxies=proxies,
    )
