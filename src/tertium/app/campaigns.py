"""Campaigns in the database: made whole or not at all, given to more annotators, extended by more items."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from tertium.app import schema
from tertium.errors import InputError, did_you_mean
from tertium.human.campaigns.assigning import Assignment, assigned, more_tasks
from tertium.human.campaigns.building import pool
from tertium.human.campaigns.items import AnnotationTask, CampaignItem
from tertium.human.campaigns.plan import Plan, planned
from tertium.human.campaigns.segments import Segment, text_checked
from tertium.human.campaigns.settings import Settings, annotator_name
from tertium.web.database import Database, inserted

STATES = ("active", "paused", "removed")
LONGEST_REASON = 500
_PEOPLE = select(schema.annotators).where(schema.annotators.c.campaign == bindparam("campaign"))
_MOVE = update(schema.tasks).where(schema.tasks.c.id == bindparam("task"))


def create(database: Database, settings: Settings, segments: Sequence[Segment]) -> int:
    """Make a campaign with its annotators and their tasks; gives its number. All of it is worked out first.

    >>> import tempfile
    >>> from tertium import TestSet
    >>> from tertium.app.database import CampaignDatabase
    >>> from tertium.human.campaigns.segments import segments_of
    >>> settings = Settings.of({"name": "demo", "design": "ranking", "annotators": {"number": 2, "items": 10}})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     database = CampaignDatabase(f"{folder}/campaigns.db")
    ...     number = create(database, settings, segments_of(TestSet.sample()))
    ...     print([row.name for row in annotators_of(database, number)])
    ...     database.close()
    ['annotator-1', 'annotator-2']
    """
    return create_planned(database, planned(settings, segments))


def create_planned(database: Database, plan: Plan) -> int:
    """Store a campaign that is worked out already; gives its number."""
    settings = plan.settings
    try:
        with database.writing() as connection:
            number = inserted(
                connection,
                schema.campaigns,
                name=settings.name,
                design=settings.design.name,
                given=json.dumps(settings.stored(), ensure_ascii=False),
                size=plan.segments,
                created=time.time(),
            )
            _insert_items(connection, number, plan.items, 0)
            controls = [item for one in plan.assignments for item in one.controls]
            _insert_items(connection, number, controls, None)
            codes = _codes(connection, number)
            for one in plan.assignments:
                _insert_tasks(connection, _insert_annotator(connection, number, one), one.tasks, codes)
    except IntegrityError:
        raise InputError(f"there is a campaign called {settings.name!r} already") from None
    return number


def _insert_items(
    connection: Connection, campaign: int, items: Iterable[CampaignItem], first: int | None
) -> None:
    placed = [(item, None if first is None else first + i) for i, item in enumerate(items)]
    placed += [(part, None) for item, _ in placed for part in item.inside]
    rows = [
        {
            "campaign": campaign,
            "code": item.id,
            "kind": item.kind,
            "place": place,
            "content": json.dumps(item.data(), ensure_ascii=False),
        }
        for item, place in placed
    ]
    if rows:
        connection.execute(insert(schema.items), rows)


def _insert_annotator(connection: Connection, campaign: int, one: Assignment) -> int:
    new = {"name": one.annotator, "state": "active", "link_version": 1, "created": time.time()}
    return inserted(connection, schema.annotators, campaign=campaign, **new)


def _codes(connection: Connection, campaign: int) -> dict[str, int]:
    """The numbers of all items of a campaign, by their codes."""
    items = schema.items.c
    rows = connection.execute(select(items.id, items.code).where(items.campaign == campaign))
    return {row.code: row.id for row in rows}


def _insert_tasks(
    connection: Connection, annotator: int, tasks: Sequence[AnnotationTask], codes: Mapping[str, int]
) -> None:
    rows = [
        {
            "annotator": annotator,
            "item": codes[task.item],
            "position": task.position,
            "batch": task.batch,
            "shown": json.dumps(task.order),
            "state": "open",
        }
        for task in tasks
    ]
    if rows:
        connection.execute(insert(schema.tasks), rows)


def campaign_named(database: Database, name: str | None = None) -> int:
    """The number of a campaign; without a name, that of the only one."""
    known = {row.name: int(row.id) for row in database.rows(select(schema.campaigns))}
    if name is None:
        if len(known) != 1:
            shown = ", ".join(known) or "none"
            raise InputError(f"specify the campaign: there are {len(known)} in the database ({shown})")
        return next(iter(known.values()))
    if name not in known:
        raise InputError(f"there is no campaign {name!r}{did_you_mean(name, known)}")
    return known[name]


@lru_cache(maxsize=256)
def settings_of(database: Database, campaign: int) -> Settings:
    """The settings of a campaign. They never change, so they are read once."""
    [row] = database.rows(select(schema.campaigns).where(schema.campaigns.c.id == campaign))
    return Settings.of(json.loads(row.given))


def annotators_of(database: Database, campaign: int) -> list[Any]:
    """The annotators of a campaign: id, name, state, link_version."""
    people = schema.annotators.c
    return database.rows(select(schema.annotators).where(people.campaign == campaign).order_by(people.id))


def item_of(row: Any) -> CampaignItem:
    """The item in a row with code, kind and content."""
    return CampaignItem.of(row.code, row.kind, json.loads(row.content))


def _pool(connection: Connection, campaign: int) -> list[CampaignItem]:
    """The genuine items of a campaign, in their order."""
    items = schema.items.c
    query = select(schema.items).where(items.campaign == campaign, items.place.is_not(None))
    return [item_of(row) for row in connection.execute(query.order_by(items.place))]


def add_annotator(database: Database, campaign: int, name: str) -> int:
    """One more annotator, with tasks as the settings say; gives their number."""
    settings = settings_of(database, campaign)
    annotator_name(name, "annotator")
    with database.writing() as connection:
        _lock(connection, campaign)
        people = schema.annotators.c
        if connection.scalar(select(people.id).where(people.campaign == campaign, people.name == name)):
            raise InputError(f"there is an annotator called {name!r} already")
        one = assigned(settings, _pool(connection, campaign), name, _taken(connection, campaign))
        _insert_items(connection, campaign, one.controls, None)
        number = _insert_annotator(connection, campaign, one)
        _insert_tasks(connection, number, one.tasks, _codes(connection, campaign))
        return number


def _lock(connection: Connection, campaign: int) -> None:
    own = schema.campaigns.c
    connection.execute(select(own.id).where(own.id == campaign).with_for_update())


def _taken(connection: Connection, campaign: int) -> set[str]:
    rows = connection.execute(
        select(schema.items.c.code)
        .join(schema.tasks, schema.tasks.c.item == schema.items.c.id)
        .where(schema.items.c.campaign == campaign)
        .distinct()
    )
    return set(rows.scalars())


def add_items(database: Database, campaign: int, segments: Sequence[Segment], *, assign: bool = True) -> int:
    """More segments for a running campaign: their items join the pool and, with `assign`, the end of everybody's work.

    The sampling of the campaign is not applied again: these segments were chosen by hand. Gives the number of items.
    """
    from dataclasses import replace

    from tertium.human.campaigns.settings import Sampling

    settings = settings_of(database, campaign)
    with database.writing() as connection:
        _lock(connection, campaign)
        own = schema.campaigns.c
        size = connection.scalar(select(own.size).where(own.id == campaign)) or 0
        new = pool(replace(settings, sampling=Sampling()), segments, size)
        connection.execute(
            update(schema.campaigns).where(own.id == campaign).values(size=size + len(segments))
        )
        items = schema.items.c
        last = connection.scalar(select(func.max(items.place)).where(items.campaign == campaign))
        known = _codes(connection, campaign)
        if twice := next((item.segment for item in new if item.id in known), None):
            raise InputError(f"segment {twice} is in the campaign already")
        _insert_items(connection, campaign, new, 0 if last is None else last + 1)
        codes = _codes(connection, campaign)
        people = schema.annotators.c
        active = connection.execute(
            select(people.id, people.name).where(people.campaign == campaign, people.state != "removed")
        ).all()
        for row in active if assign else ():
            end = connection.execute(
                select(func.max(schema.tasks.c.position), func.max(schema.tasks.c.batch)).where(
                    schema.tasks.c.annotator == row.id
                )
            ).one()
            tasks = more_tasks(settings, new, row.name, end[0] or 0, end[1] or 0)
            _insert_tasks(connection, row.id, tasks, codes)
    return len(new)


def set_state(database: Database, campaign: int, annotator: int, state: str, reason: str = "") -> None:
    """Pause an annotator, let them go on, or set them aside ("removed": their judgements stay, but no longer count, and
    results say why)."""
    if state not in STATES:
        raise InputError(f"an annotator cannot be {state!r}{did_you_mean(state, STATES)}")
    if len(reason) > LONGEST_REASON:
        raise InputError(f"a reason has at most {LONGEST_REASON} characters")
    why = text_checked(reason.strip(), "the reason") if state == "removed" else ""
    people = schema.annotators.c
    with database.writing() as connection:
        own = update(schema.annotators).where(people.id == annotator, people.campaign == campaign)
        if not connection.execute(own.values(state=state, reason=why or None)).rowcount:
            raise InputError(f"there is no annotator {annotator} in this campaign")


def reassign(
    database: Database, campaign: int, giver: int, taker: int, most: int | None = None
) -> tuple[int, int]:
    """Move open tasks (at `most` so many, the last ones) to the end of another annotator's work; gives how many went
    and how many stay open.

    What the giver may be looking at stays, and so do items that the taker has already, and control items whose original
    does not come along.
    """
    settings = settings_of(database, campaign)
    tasks, items = schema.tasks.c, schema.items.c
    with database.writing() as connection:
        _lock(connection, campaign)
        state = {row.id: row.state for row in connection.execute(_PEOPLE, {"campaign": campaign})}
        if giver not in state or state.get(taker, "removed") == "removed" or giver == taker:
            raise InputError("choose another annotator of this campaign who is active")
        every = select(tasks.id, tasks.position, tasks.state, items.code, items.kind, items.content)
        every = every.join(schema.items, items.id == tasks.item).order_by(tasks.position)
        own = connection.execute(every.where(tasks.annotator == giver)).all()
        has = set(
            connection.scalars(
                select(items.code).join(schema.tasks, items.id == tasks.item).where(tasks.annotator == taker)
            )
        )
        going = _going(settings, own, has, looking=state[giver] != "removed", most=most)
        last = connection.execute(
            select(func.max(tasks.position), func.max(tasks.batch)).where(tasks.annotator == taker)
        ).one()
        moves = [
            {"task": row.id, "annotator": taker, "position": (last[0] or 0) + i, "batch": (last[1] or 0) + 1}
            for i, row in enumerate(going, 1)
        ]
        if moves:
            connection.execute(_MOVE, moves)
            # Close the gaps, but only where nobody has been yet: a page that is open keeps its address.
            gone = {row.id for row in going}
            left = [row for row in own if row.id not in gone]
            here = next((row.position for row in left if row.state != "done"), 0)
            end = max(here, *(row.position for row in left if row.state != "open"), 0)
            late = [row for row in left if row.position > end]
            for position, row in enumerate(late, end + 1):
                connection.execute(update(schema.tasks).where(tasks.id == row.id).values(position=position))
    return len(going), sum(row.state != "done" for row in own) - len(going)


def _going(
    settings: Settings, own: Sequence[Any], has: set[str], *, looking: bool, most: int | None
) -> list[Any]:
    """Those of an annotator's tasks that can go to somebody who has some items already: the last ones, as many as fit.
    A document goes whole or not at all, and control items go with their original.
    """
    in_order = settings.options.get("order") == "document"
    groups: dict[object, list[tuple[Any, CampaignItem]]] = {}
    for row in own:
        item = item_of(row)
        run = (item.document, item.outputs[0].systems, item.kind)
        groups.setdefault(run if in_order else item.whole or item.id, []).append((row, item))
    here = next((row.id for row in own if row.state != "done"), None) if looking else None
    controls: dict[str | None, list[Any]] = {}
    genuine = []
    for group in groups.values():
        if all(row.state == "open" and row.code not in has and row.id != here for row, _ in group):
            original = group[0][1].original
            genuine += [group] if original is None else []
            controls.setdefault(original, []).extend(row for row, _ in group)
    going: list[Any] = []
    for group in reversed(genuine):
        along = [row for row, _ in group]
        along += [row for _, item in group for row in controls.get(item.id, ())]
        if most is None or len(going) + len(along) <= most:
            going += along
    return sorted(going, key=lambda row: int(row.position))
