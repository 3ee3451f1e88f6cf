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
from tertium.app.working import Work
from tertium.errors import InputError, did_you_mean
from tertium.human.campaigns.settings import Settings
from tertium.human.campaigns.sheets import SheetRow, read_sheet, sheet
from tertium.io.files import write_bytes
from tertium.web.database import Database


def write_sheets(database: Database, campaign: int, folder: str | Path) -> list[Path]:
    """A sheet for each annotator of a campaign; gives the files. Existing files are never overwritten."""
    settings = settings_of(database, campaign)
    place = Path(folder)
    people = [row for row in annotators_of(database, campaign) if row.state != "removed"]
    paths = {place / _file_name(settings, row.name): row for row in people}
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
    people = {_file_name(settings, row.name): row for row in annotators_of(database, campaign)}
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


def _file_name(settings: Settings, annotator: str) -> str:
    """The name of an annotator's sheet; no two annotators have the same."""
    plain = re.sub(r"[^\w-]+", "_", annotator)
    if plain != annotator:
        plain += f"-{hashlib.sha256(annotator.encode()).hexdigest()[:6]}"
    return f"{settings.name}.{plain}.xlsx"
