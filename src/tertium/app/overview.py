"""What an administrator sees: campaigns, annotators with their progress and speed, all judgements so far."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import func, select

from tertium.app import schema
from tertium.app.campaigns import annotators_of, item_of, settings_of
from tertium.app.database import Database
from tertium.human.campaigns.agreements import Monitored, monitored
from tertium.human.campaigns.collected import Collected, Judged
from tertium.human.campaigns.items import CampaignItem


@dataclass(frozen=True)
class AnnotatorLine:
    """An annotator in the table of an administrator."""

    id: int
    name: str
    state: str
    link_version: int
    done: int
    total: int
    seconds: float | None  # median on a screen
    per_hour: float | None
    last: float | None  # when the latest answer came


def campaigns(database: Database) -> list[Any]:
    """All campaigns with their numbers of annotators."""
    own = schema.campaigns.c
    return database.rows(
        select(own.id, own.name, own.design, func.count(schema.annotators.c.id).label("annotators"))
        .outerjoin(schema.annotators, schema.annotators.c.campaign == own.id)
        .group_by(own.id)
        .order_by(own.id)
    )


def annotator_lines(database: Database, campaign: int) -> list[AnnotatorLine]:
    """Progress and speed of each annotator of a campaign."""
    people, tasks, given = schema.annotators.c, schema.tasks.c, schema.judgements.c
    counts = database.rows(
        select(tasks.annotator, func.count().label("tasks"))
        .join(schema.annotators, people.id == tasks.annotator)
        .where(people.campaign == campaign)
        .group_by(tasks.annotator)
    )
    totals: dict[int, int] = {row.annotator: row.tasks for row in counts}
    answers: dict[int, list[tuple[float, float]]] = {}
    for who, seconds, when in database.rows(
        select(tasks.annotator, given.seconds, given.time)
        .join(schema.tasks, given.id == tasks.current)
        .join(schema.annotators, people.id == tasks.annotator)
        .where(people.campaign == campaign, tasks.state == "done")
    ):
        answers.setdefault(who, []).append((seconds, when))
    found = []
    for row in annotators_of(database, campaign):
        own = answers.get(row.id, [])
        spent = sum(seconds for seconds, _ in own)
        found.append(
            AnnotatorLine(
                row.id,
                row.name,
                row.state,
                row.link_version,
                len(own),
                totals.get(row.id, 0),
                median(seconds for seconds, _ in own) if own else None,
                3600 * len(own) / spent if spent > 0 else None,
                max((when for _, when in own), default=None),
            )
        )
    return found


class Watch:
    """Agreement and quality control of running campaigns, worked out again when there is something new, but never so
    often that it takes more than a twentieth of the time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[int, tuple[int, float, Monitored]] = {}  # judgements, not before, what was found

    def look(self, campaign: int, judgements: int) -> Monitored:
        """What was found in a campaign that has this many judgements."""
        count, not_before, found = self._known.get(campaign, (-1, 0.0, Monitored((), {})))
        if count != judgements and time.monotonic() >= not_before:
            start = time.monotonic()
            found = monitored(collected(self._database, campaign))
            end = time.monotonic()
            self._known[campaign] = (judgements, end + 20 * (end - start), found)
        return found


def collected(database: Database, campaign: int, *, removed: bool = False) -> Collected:
    """All judgements that are done, in the order of annotators and positions; those of removed annotators only if
    asked for.
    """
    people, tasks, given = schema.annotators.c, schema.tasks.c, schema.judgements.c
    items = schema.items.c
    shown = (people.name, tasks.position, tasks.batch, tasks.shown, given.answer, given.seconds, given.time)
    query = (
        select(*shown, items.code, items.kind, items.content)
        .select_from(schema.tasks)
        .join(schema.annotators, people.id == tasks.annotator)
        .join(schema.items, items.id == tasks.item)
        .join(schema.judgements, given.id == tasks.current)
        .where(people.campaign == campaign, tasks.state == "done")
        .order_by(people.id, tasks.position)
    )
    if not removed:
        query = query.where(people.state != "removed")
    known: dict[str, CampaignItem] = {}
    found = []
    for row in database.rows(query):
        item = known[row.code] if row.code in known else known.setdefault(row.code, item_of(row))
        order, answer = tuple(json.loads(row.shown)), json.loads(row.answer)
        found.append(Judged(row.name, item, row.position, row.batch, order, answer, row.seconds, row.time))
    [[size]] = database.rows(select(schema.campaigns.c.size).where(schema.campaigns.c.id == campaign))
    segments = tuple(one for one in found if not one.item.inside)
    documents = tuple(one for one in found if one.item.inside)
    return Collected(settings_of(database, campaign), segments, size, documents)
