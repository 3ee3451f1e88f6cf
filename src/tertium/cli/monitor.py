"""`tertium monitor`: the data of the service, and the keys to it."""

from __future__ import annotations

import click

from tertium.cli.group import Commands
from tertium.cli.parsing import choice, command_of, flag, number, option
from tertium.errors import MissingExtraError

_NEEDED = ("sqlalchemy", "alembic", "fastapi", "uvicorn")
_PLACE = click.Argument(["place"], metavar="FOLDER|URL")


def _check_extra() -> None:
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in _NEEDED):
        raise MissingExtraError("the service", "app")


@command_of("init", _PLACE, reads=(), short="Prepare a folder or a database, and make the first key.")
def _init(place: str) -> None:
    """Prepare a service and print the administrator's key, once.

    \b
    tertium monitor init office
    tertium monitor init postgresql://me@localhost/office
    """
    from tertium.monitor.database import ServiceDatabase
    from tertium.monitor.keys import ServiceKeys
    from tertium.monitor.place import service_place
    from tertium.web.database import shown_url

    database = ServiceDatabase(service_place(place, create=True))
    token = ServiceKeys(database).create("administrator", ["administer"])
    database.close()
    print(f"key of the administrator (shown only once): {token}")
    print(
        f"next: tertium monitor key {shown_url(place)} NAME --system SYSTEM; tertium serve {shown_url(place)}"
    )


@command_of(
    "key",
    _PLACE,
    click.Argument(["name"], metavar="NAME"),
    choice("--scope", among=("write", "read", "administer"), multiple=True, help="What it opens (write)."),
    option("--system", metavar="SYSTEM", help="The only system that it may write of."),
    number("--per-minute", default=6000, help="Requests it may make in a minute."),
    flag("--revoke", help="From now on this key opens nothing."),
    reads=(),
    short="Make a key for a system or a person, or revoke it.",
)
def _key(
    place: str, name: str, scope: tuple[str, ...], system: str | None, per_minute: int, revoke: bool
) -> None:
    """Make a key and print it, once.

    \b
    tertium monitor key office nmt-7 --system nmt-7
    tertium monitor key office dashboard --scope read
    tertium monitor key office nmt-7 --revoke
    """
    from tertium.monitor.database import ServiceDatabase
    from tertium.monitor.keys import ServiceKeys
    from tertium.monitor.place import service_place

    database = ServiceDatabase(service_place(place), create=False)
    try:
        if revoke:
            ServiceKeys(database).revoke(name)
            print(f"{name}: revoked")
        else:
            print(ServiceKeys(database).create(name, scope or ("write",), system, per_minute))
    finally:
        database.close()


command = Commands(
    "monitor",
    help="The data of the service (tertium serve): prepare it, make and revoke keys.",
    epilog="Start with: tertium monitor init office; tertium serve office",
    check=_check_extra,
    commands=[_init, _key],
)
