"""XLSX sheets of a campaign's annotators: written from the database, read back into it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import select

from tertium.app import schema
from tertium.app.campaigns import annotators_of, item_of, settings_of
from tertium.app.database import Database
from tertium.app.working import Work
from tertium.errors import InputError, did_you_mean
from tertium.human.campaigns.sheets import SheetRow, read_sheet, sheet
from tertium.io.files import write_bytes


def write_sheets(database: Database, campaign: int, folder: str | Path) -> list[Path]:
    """A sheet for each annotator of a campaign; gives the files. A file that is there already is not written over."""
    settings = settings_of(database, campaign)
    place = Path(folder)
    people = {
        _file_name(row.name): row for row in annotators_of(database, campaign) if row.state != "removed"
    }
    paths = {place / f"{settings.name}.{name}.xlsx": row for name, row in people.items()}
    for path in paths:
        if path.exists():
            raise InputError(f"{path}: already exists, perhaps with answers; choose another folder")
    place.mkdir(parents=True, exist_ok=True)
    for path, row in paths.items():
        write_bytes(path, sheet(settings, row.name, _rows(database, row.id)))
    return list(paths)


def read_sheets(database: Database, campaign: int, files: Sequence[str | Path]) -> dict[str, int]:
    """Take the answers of sheets into the database; gives how many each annotator gave. All files are checked before
    anything is stored; a sheet read twice changes nothing.
    """
    settings = settings_of(database, campaign)
    people = {
        f"{settings.name}.{_file_name(row.name)}.xlsx": row for row in annotators_of(database, campaign)
    }
    read = []
    for file in files:
        name = Path(file).name
        if name not in people:
            raise InputError(f"{file}: no annotator has a sheet of this name{did_you_mean(name, people)}")
        row = people[name]
        read.append((row, read_sheet(file, settings, _rows(database, row.id))))
    counts = {}
    for row, answers in read:
        work = Work(database, campaign, row.id)
        for position, answer in answers.items():
            text = json.dumps([row.id, position, answer], sort_keys=True)
            key = f"sheet-{hashlib.sha256(text.encode()).hexdigest()[:40]}"
            work.save(position, key, answer, 0.0, complete=True)
        counts[str(row.name)] = len(answers)
    return counts


def _rows(database: Database, annotator: int) -> list[SheetRow]:
    tasks, items = schema.tasks.c, schema.items.c
    query = (
        select(tasks.position, tasks.shown, items.code, items.kind, items.content)
        .join(schema.items, items.id == tasks.item)
        .where(tasks.annotator == annotator)
        .order_by(tasks.position)
    )
    return [
        SheetRow(row.position, item_of(row), tuple(json.loads(row.shown))) for row in database.rows(query)
    ]


def _file_name(name: str) -> str:
    """An annotator's name as part of a file's name; two names never give the same."""
    plain = re.sub(r"[^\w-]+", "_", name)
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
