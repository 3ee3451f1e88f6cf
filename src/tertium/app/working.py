"""The work of one annotator: the screen at a position, answers saved once and for all, undo."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, update
from sqlalchemy.exc import IntegrityError

from tertium.app import schema
from tertium.app.campaigns import item_of, settings_of
from tertium.errors import InputError
from tertium.human.campaigns.answers import checked_answer
from tertium.human.campaigns.items import CampaignItem
from tertium.web.database import Database, inserted

_KEY = re.compile(r"[A-Za-z0-9_-]{8,64}")
LONGEST_LOOK = 24 * 3600.0  # seconds on one screen: more means that a clock is wrong

# What every page and every answer asks is put together once: that takes longer than the database's own work.
_tasks, _items, _given = schema.tasks.c, schema.items.c, schema.judgements.c
_PROGRESS = (
    select(_tasks.state, func.count(), func.min(_tasks.position))
    .where(_tasks.annotator == bindparam("annotator"))
    .group_by(_tasks.state)
)
_TASK = (
    select(schema.tasks, _items.code, _items.kind, _items.content, _given.answer, _given.seconds)
    .join(schema.items, _items.id == _tasks.item)
    .outerjoin(schema.judgements, _given.id == _tasks.current)
    .where(_tasks.annotator == bindparam("annotator"), _tasks.position == bindparam("position"))
)
_STATE = select(_tasks.state).where(_tasks.id == bindparam("task")).with_for_update()
_KNOWN = select(_given.id).where(_given.task == bindparam("task"), _given.key == bindparam("key"))
_POINT = update(schema.tasks).where(_tasks.id == bindparam("task"))


@dataclass(frozen=True)
class Part:
    """A segment of the document that is on the screen; somebody else may have it to judge."""

    item: CampaignItem
    position: int | None = None
    state: str = "open"
    answer: dict[str, Any] | None = None

    @property
    def spans(self) -> list[dict[str, Any]]:
        """The errors marked in the translation."""
        return [span for span in (self.answer or {}).get("spans", ()) if not span.get("in_source")]


@dataclass(frozen=True)
class Screen:
    """A task as it is shown, with the answer given so far."""

    position: int
    batch: int
    state: str
    item: CampaignItem
    order: tuple[int, ...]
    answer: dict[str, Any] | None
    seconds: float
    context: tuple[str, ...] = ()  # in document order: what came before
    document: tuple[Part, ...] = ()  # the whole document, where it is judged as such

    @property
    def place(self) -> int | None:
        """Where in its document this segment stands."""
        return next((i for i, part in enumerate(self.document) if part.item.id == self.item.id), None)


@dataclass(frozen=True)
class Progress:
    """How far an annotator has come."""

    done: int
    total: int
    next: int | None  # the first position that is not done
    begun: bool = True  # whether there is any answer, or a draft of one

    @property
    def percent(self) -> int:
        return 100 if not self.total else 100 * self.done // self.total


@dataclass(frozen=True)
class Saved:
    """The acknowledgement: this answer is on disk."""

    position: int
    state: str
    again: bool  # it was there already: the browser sent it twice
    progress: Progress


class Work:
    """What one annotator can see and do; tasks of others do not exist here."""

    def __init__(self, database: Database, campaign: int, annotator: int) -> None:
        self.database, self.campaign, self.annotator = database, campaign, annotator
        self.settings = settings_of(database, campaign)

    def progress(self) -> Progress:
        """Done, all, and where to go on."""
        with self.database.reading() as connection:
            return self._progress(connection)

    def _progress(self, connection: Connection) -> Progress:
        rows = connection.execute(_PROGRESS, {"annotator": self.annotator}).all()
        waiting = [first for state, _, first in rows if state != "done"]
        done = sum(count for state, count, _ in rows if state == "done")
        begun = any(state != "open" for state, _, _ in rows)
        return Progress(done, sum(count for _, count, _ in rows), min(waiting, default=None), begun)

    def screen(self, position: int) -> Screen | None:
        """The screen at a position; None if there is none."""
        with self.database.reading() as connection:
            row = self._task(connection, position)
            if row is None:
                return None
            item = item_of(row)
            before = self._before(connection, item, position)
            document = self._document(connection, item)
        return Screen(
            row.position,
            row.batch,
            row.state,
            item,
            tuple(json.loads(row.shown)),
            None if row.answer is None else json.loads(row.answer),
            row.seconds or 0.0,
            before,
            document,
        )

    def _document(self, connection: Connection, item: CampaignItem) -> tuple[Part, ...]:
        """All segments of the document that an item is, or is a part of, with what this annotator has said of them."""
        if not item.whole and not item.inside:
            return ()
        if item.whole:
            known = select(schema.items).where(_items.campaign == self.campaign, _items.code == item.whole)
            item = item_of(connection.execute(known).one())
        codes = [part.id for part in item.inside]
        query = (
            select(_items.code, _tasks.position, _tasks.state, _given.answer)
            .join(schema.tasks, _tasks.item == _items.id)
            .outerjoin(schema.judgements, _given.id == _tasks.current)
            .where(
                _tasks.annotator == self.annotator, _items.campaign == self.campaign, _items.code.in_(codes)
            )
        )
        own = {row.code: row for row in connection.execute(query)}
        return tuple(
            Part(part, row.position, row.state, json.loads(row.answer) if row.answer else None)
            if (row := own.get(part.id))
            else Part(part)
            for part in item.inside
        )

    def _before(self, connection: Connection, item: CampaignItem, position: int) -> tuple[str, ...]:
        """In document order, the sentences of the same run just before."""
        if self.settings.options.get("order") != "document" or position < 2:
            return ()
        tasks, items = schema.tasks.c, schema.items.c
        rows = connection.execute(
            select(items.code, items.kind, items.content)
            .join(schema.tasks, tasks.item == items.id)
            .where(tasks.annotator == self.annotator, tasks.position.between(position - 3, position - 1))
            .order_by(tasks.position.desc())
        )
        found: list[str] = []
        for row in rows:
            other = item_of(row)
            common = set(other.outputs[0].systems) & set(item.outputs[0].systems)
            if other.document != item.document or not common:
                break
            found.insert(0, other.outputs[0].text)
        return tuple(found)

    def _task(self, connection: Connection, position: int) -> Any:
        return connection.execute(_TASK, {"annotator": self.annotator, "position": position}).first()

    def save(self, position: int, key: str, answer: Any, seconds: float, *, complete: bool) -> Saved | None:
        """Keep an answer, or the draft of one; when this returns it is on disk. None: there is no such task.

        `key` makes it safe to send an answer again: the second time changes nothing. A draft never takes the place
        of an answer that is done.
        """
        key = checked_key(key)
        with self.database.reading() as connection:
            seen = self._task(connection, position)
        if seen is None:
            return None
        checked = checked_answer(self.settings, item_of(seen), answer, complete=complete)

        def keep(connection: Connection) -> Saved:
            state = str(connection.scalar(_STATE, {"task": seen.id}))
            again = connection.execute(_KNOWN, {"task": seen.id, "key": key}).first() is not None
            if not again:
                new = "done" if complete else "draft"
                number = _add(connection, seen.id, key, new, checked, seconds)
                if complete or state != "done":
                    state = new
                    _point(connection, seen.id, state, number)
            return Saved(position, state, again, self._progress(connection))

        try:
            return self.database.write(keep)
        except IntegrityError:  # the same key at the same moment, over another connection
            return self.database.write(keep)

    def undo(self, key: str) -> int | None:
        """Open the latest answer again, as a draft; gives its position. The same key twice undoes once."""
        key = checked_key(key)
        tasks, given = schema.tasks.c, schema.judgements.c

        def open_again(connection: Connection) -> int | None:
            again = connection.execute(
                select(tasks.position)
                .join(schema.judgements, given.task == tasks.id)
                .where(tasks.annotator == self.annotator, given.key == key)
            ).first()
            if again is not None:
                return int(again.position)
            last = connection.execute(
                select(tasks.id, tasks.position, given.answer, given.seconds)
                .join(schema.judgements, given.id == tasks.current)
                .where(tasks.annotator == self.annotator, tasks.state == "done")
                .order_by(given.id.desc())
                .limit(1)
            ).first()
            if last is None:
                return None
            number = _add(connection, last.id, key, "undone", json.loads(last.answer), last.seconds)
            _point(connection, last.id, "draft", number)
            return int(last.position)

        return self.database.write(open_again)


def checked_key(key: Any) -> str:
    """The browser's name for one answer."""
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise InputError("a key must have 8 to 64 letters, digits, - and _")
    return key


def _add(
    connection: Connection, task: int, key: str, state: str, answer: dict[str, Any], seconds: float
) -> int:
    return inserted(
        connection,
        schema.judgements,
        task=task,
        key=key,
        state=state,
        answer=json.dumps(answer, ensure_ascii=False),
        seconds=min(max(0.0, seconds), LONGEST_LOOK),
        time=time.time(),
    )


def _point(connection: Connection, task: int, state: str, number: int) -> None:
    connection.execute(_POINT, {"task": task, "state": state, "current": number})
