"""What an administrator sees: campaigns, annotators with their progress and speed, all judgements so far."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import and_, func, select

from tertium.app import schema
from tertium.app.campaigns import annotators_of, item_of, settings_of
from tertium.app.practising import Practised, practice_answers
from tertium.app.practising import standing as practised
from tertium.errors import TertiumError
from tertium.human.campaigns.agreements import Monitored, monitored
from tertium.human.campaigns.analysis import Analysis, analyse
from tertium.human.campaigns.collected import Collected, Judged, PracticeAnswer, SetAside
from tertium.human.campaigns.items import CampaignItem
from tertium.human.campaigns.settings import Settings
from tertium.web.database import Database

PAGE = 25  # single answers on a page


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
    reason: str  # why they were set aside

    def idle(self, now: float) -> float | None:
        """Days without an answer, of somebody who should be working (infinite: there was none yet)."""
        if self.state != "active" or self.done >= self.total:
            return None
        return math.inf if self.last is None else (now - self.last) / 86400


@dataclass(frozen=True)
class Standing:
    """How far a campaign is: what a manager wants to know first."""

    done: int
    total: int
    hours: float | None  # of work, for whoever has most left
    stuck: tuple[tuple[str, float], ...]  # name and days without an answer

    @property
    def percent(self) -> int:
        return 100 * self.done // self.total if self.total else 0


def standing(lines: list[AnnotatorLine], now: float) -> Standing:
    """Progress over everybody who counts. Stuck: no answer for a day, or none at all while others have begun."""
    counted = [line for line in lines if line.state != "removed"]
    done, begun = sum(line.done for line in counted), [line for line in counted if line.seconds is not None]
    usual = median([line.seconds or 0.0 for line in begun]) if begun else None
    left = [
        (line.total - line.done) * (line.seconds if line.seconds is not None else usual or 0.0) / 3600
        for line in counted
    ]
    idle = [
        (line.name, days) for line in counted if done and (days := line.idle(now)) is not None and days >= 1
    ]
    total = sum(line.total for line in counted)
    return Standing(done, total, None if usual is None else max(left), tuple(idle))


def campaigns(database: Database) -> list[Any]:
    """All campaigns with their numbers of annotators, and of screens done and in all."""
    own, people, tasks = schema.campaigns.c, schema.annotators.c, schema.tasks.c
    counts = (
        select(
            people.campaign,
            func.count(people.id.distinct()).label("annotators"),
            func.count(tasks.id).filter(people.state != "removed").label("total"),
            func.count(tasks.id).filter(people.state != "removed", tasks.state == "done").label("done"),
        )
        .outerjoin(schema.tasks, tasks.annotator == people.id)
        .group_by(people.campaign)
        .subquery()
    )
    return database.rows(
        select(
            own.id,
            own.name,
            own.design,
            *(func.coalesce(counts.c[key], 0).label(key) for key in ("annotators", "total", "done")),
        )
        .outerjoin(counts, counts.c.campaign == own.id)
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
                row.reason or "",
            )
        )
    return found


class Watch:
    """Agreement, quality control and result of running campaigns, worked out again when there is something new, but
    never so often that it takes more than a twentieth of the time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[int, tuple[object, float, Monitored, Analysis | None]] = {}

    def look(self, campaign: int, state: object) -> tuple[Monitored, Analysis | None]:
        """What was found in a campaign; `state` changes whenever there is something new."""
        known, not_before, found, result = self._known.get(campaign, (None, 0.0, Monitored(), None))
        if known != state and time.monotonic() >= not_before:
            start = time.monotonic()
            own = collected(self._database, campaign)
            found = monitored(own)
            try:
                result = analyse(own)
            except TertiumError:  # there is nothing to analyse yet
                result = None
            end = time.monotonic()
            self._known[campaign] = (state, end + 20 * (end - start), found, result)
        return found, result


def _answered(campaign: int) -> Any:
    """All screens that are done, in the order of annotators and positions."""
    people, tasks, given, items = schema.annotators.c, schema.tasks.c, schema.judgements.c, schema.items.c
    shown = (people.name, tasks.position, tasks.batch, tasks.shown, given.answer, given.seconds, given.time)
    return (
        select(*shown, items.code, items.kind, items.content)
        .select_from(schema.tasks)
        .join(schema.annotators, people.id == tasks.annotator)
        .join(schema.items, items.id == tasks.item)
        .join(schema.judgements, given.id == tasks.current)
        .where(people.campaign == campaign, tasks.state == "done")
        .order_by(people.id, tasks.position)
    )


def _judged(row: Any, item: CampaignItem) -> Judged:
    order, answer = tuple(json.loads(row.shown)), json.loads(row.answer)
    return Judged(row.name, item, row.position, row.batch, order, answer, row.seconds, row.time)


def collected(database: Database, campaign: int, *, removed: bool = False) -> Collected:
    """All judgements that are done, in the order of annotators and positions; those of annotators who were set aside
    only if asked for.
    """
    people = schema.annotators.c
    query = _answered(campaign)
    known: dict[str, CampaignItem] = {}
    found = []
    for row in database.rows(query if removed else query.where(people.state != "removed")):
        item = known[row.code] if row.code in known else known.setdefault(row.code, item_of(row))
        found.append(_judged(row, item))
    [[size]] = database.rows(select(schema.campaigns.c.size).where(schema.campaigns.c.id == campaign))
    segments = tuple(one for one in found if not one.item.inside)
    documents = tuple(one for one in found if one.item.inside)
    aside = () if removed else _aside(database, campaign)
    settings = settings_of(database, campaign)
    practice = _practice(database, campaign, settings)
    return Collected(settings, segments, size, documents, aside, practice)


def _practice(database: Database, campaign: int, settings: Settings) -> tuple[PracticeAnswer, ...]:
    items = settings.tutorial.items if settings.tutorial else ()
    return practice_answers(database, campaign, len(items)) if items else ()


def practice_standings(database: Database, campaign: int, settings: Settings) -> dict[str, Practised]:
    """Where every annotator who has begun to practise stands, by name."""
    marks: dict[str, list[bool]] = {}
    for one in _practice(database, campaign, settings):
        marks.setdefault(one.annotator, []).append(one.right)
    return {name: practised(settings, own) for name, own in marks.items()}


def _aside(database: Database, campaign: int) -> tuple[SetAside, ...]:
    people, tasks = schema.annotators.c, schema.tasks.c
    done = and_(tasks.annotator == people.id, tasks.state == "done")
    query = (
        select(people.name, people.reason, func.count(tasks.id).label("n"))
        .outerjoin(schema.tasks, done)
        .where(people.campaign == campaign, people.state == "removed")
        .group_by(people.id)
        .order_by(people.id)
    )
    return tuple(SetAside(row.name, row.reason or "", row.n) for row in database.rows(query))


def single_answers(
    database: Database, campaign: int, annotator: int | None, segment: str, page: int, size: int = PAGE
) -> tuple[list[Judged], int]:
    """A page (from 1) of single answers, of everybody or of one annotator, on all segments or one; and how many there
    are in all.
    """
    query = _answered(campaign)
    if annotator is not None:
        query = query.where(schema.annotators.c.id == annotator)
    if segment:  # items are kept as JSON; inside its texts this could only stand with escaped quotes
        place = f'"segment": {json.dumps(segment, ensure_ascii=False)}'
        query = query.where(schema.items.c.content.contains(place, autoescape=True))
    [[total]] = database.rows(select(func.count()).select_from(query.order_by(None).subquery()))
    rows = database.rows(query.offset((page - 1) * size).limit(size))
    return [_judged(row, item_of(row)) for row in rows], total
