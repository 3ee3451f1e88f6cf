"""The office's own vectors: ready ones, or trained on what people wrote for it; numbered, and never changed."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, insert, select

from tertium.errors import InputError
from tertium.monitor import schema
from tertium.monitor.settings import keep
from tertium.text.vectors import Vectors
from tertium.web.database import Database

LEAST = 200  # segments to train on
_columns = schema.vectors.c


def train_own(database: Database, folder: str, *, dimension: int = 100, epochs: int = 5) -> dict[str, Any]:
    """Vectors trained on the references and post-edits that the service has, as a new version."""
    from tertium.text.training import Training, library, train

    place = _folder(folder)
    version = _next(database)
    corpus, output = place / f"{version}.part", place / f"{version}.bin"
    try:
        lines = 0
        with open(corpus, "w", encoding="utf-8", errors="replace") as file:
            for text in references(database):
                file.write(" ".join(text.split()) + "\n")
                lines += 1
        if lines < LEAST:
            raise InputError(f"there are {lines} references; vectors are trained on {LEAST} at least")
        made = train([str(corpus)], str(output), Training(dimension=dimension, epochs=epochs))
    finally:
        corpus.unlink(missing_ok=True)
    return _use(database, version, made, f"trained on {lines:,} references of the service by {library()}")


def train_on(database: Database, corpora: list[str], folder: str, *, dimension: int = 100) -> dict[str, Any]:
    """Vectors trained on files of the office, one sentence a line, as a new version."""
    from tertium.text.training import Training, library, train

    version = _next(database)
    output = _folder(folder) / f"{version}.bin"
    made = train(corpora, str(output), Training(dimension=dimension))
    names = ", ".join(Path(name).name for name in corpora)
    return _use(database, version, made, f"trained by {library()} on {names}"[:200])


def ready_made(database: Database, name: str) -> dict[str, Any]:
    """Vectors of a package, as a new version."""
    from tertium.text.readymade import get

    return _use(database, _next(database), get(name).vectors, f"ready-made: {name}")


def given(database: Database, path: str) -> dict[str, Any]:
    """A file of vectors that the office has, as a new version."""
    return _use(database, _next(database), Vectors.open(path), f"given: {Path(path).name}"[:200])


def versions(database: Database) -> list[dict[str, Any]]:
    """All vectors that were ever used, in their order; the last is in use."""
    return [dict(row._mapping) for row in database.rows(select(schema.vectors).order_by(_columns.version))]


def references(database: Database) -> Iterator[str]:
    """What people wrote, each text once."""
    seen: set[int] = set()
    columns = schema.texts.c
    last = 0
    while True:
        query = select(columns.evaluation, columns.segments).where(columns.evaluation > last)
        rows = database.rows(query.order_by(columns.evaluation).limit(200))
        if not rows:
            return
        for row in rows:
            last = row.evaluation
            for text in (text for own in json.loads(row.segments) for text in own["references"]):
                if text.strip() and hash(text) not in seen:
                    seen.add(hash(text))
                    yield text


def _folder(folder: str) -> Path:
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror or error}") from None
    return place


def _next(database: Database) -> int:
    [(last,)] = database.rows(select(func.max(_columns.version)))
    return int(last or 0) + 1


def _use(database: Database, version: int, made: Vectors, origin: str) -> dict[str, Any]:
    path = str(Path(made.path).absolute())
    row = {"version": version, "path": path, "content": made.content, "made": time.time(), "origin": origin}

    def write(connection: Connection) -> None:
        connection.execute(insert(schema.vectors).values(**row))
        keep(connection, "vectors", path)

    database.write(write)
    return row | {"words": len(made)}
