"""The tutorial of one annotator: practice items in rounds, until enough of one round are right."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.exc import IntegrityError

from tertium.app import schema
from tertium.app.working import Progress, Screen, Work, checked_key
from tertium.human.campaigns.answers import checked_answer
from tertium.human.campaigns.collected import PracticeAnswer
from tertium.human.campaigns.practice import PracticeItem, described, is_right, needed, practice_items
from tertium.human.campaigns.settings import Settings
from tertium.web.database import Database, inserted

_own = schema.practice.c


@dataclass(frozen=True)
class Practised:
    """How far somebody has come: `right` of the `answered` items of the round, or of the one that has just ended."""

    total: int
    needed: int
    answered: int
    right: int
    passed: bool
    rounds: int

    @property
    def place(self) -> int:
        """The item that comes next, from 1."""
        return self.answered % self.total + 1


def standing(settings: Settings, marks: Sequence[bool | int]) -> Practised:
    """Where somebody stands after these right and wrong answers.

    >>> record = {"id": "p", "source": "Ja.", "outputs": {"A": "Yes."}, "expected": {"score": [80, 100]}}
    >>> given = {"name": "x", "design": "direct-assessment", "tutorial": {"items": [record, record], "pass": 1}}
    >>> standing(Settings.of(given), [1, 0, 1])
    Practised(total=2, needed=2, answered=1, right=1, passed=False, rounds=2)
    """
    total, least = len(settings.tutorial.items) if settings.tutorial else 0, needed(settings)
    rounds = [marks[start : start + total] for start in range(0, len(marks), total or 1)]
    passed = any(len(one) == total and sum(one) >= least for one in rounds) or not total
    last = rounds[-1] if rounds else []
    return Practised(total, least, len(last), sum(last), passed, len(rounds))


def practice_answers(database: Database, campaign: int, total: int) -> tuple[PracticeAnswer, ...]:
    """All answers to the `total` practice items of a campaign, in the order of annotators and of time."""
    people = schema.annotators.c
    query = (
        select(people.name, _own.place, _own.answer, _own.correct, _own.time)
        .join(schema.annotators, people.id == _own.annotator)
        .where(people.campaign == campaign)
        .order_by(people.id, _own.id)
    )
    given: dict[str, int] = {}
    found = []
    for row in database.rows(query):
        before = given.get(row.name, 0)
        given[row.name] = before + 1
        answer = json.loads(row.answer)
        found.append(
            PracticeAnswer(row.name, before // total + 1, row.place, answer, bool(row.correct), row.time)
        )
    return tuple(found)


class Practice:
    """What one annotator practises; there is nothing to practise where a campaign has no tutorial."""

    def __init__(self, work: Work) -> None:
        self.work, self.settings = work, work.settings
        self.items: list[PracticeItem] = practice_items(work.settings)

    def state(self) -> Practised:
        """Where the annotator stands."""
        query = select(_own.correct).where(_own.annotator == self.work.annotator).order_by(_own.id)
        marks = [row.correct for row in self.work.database.rows(query)] if self.items else []
        return standing(self.settings, marks)

    def screen(self, place: int) -> Screen:
        """A practice item as it is shown."""
        item = self.items[place - 1].item
        return Screen(place, 1, "open", item, tuple(range(len(item.outputs))), None, 0.0)

    def progress(self, place: int) -> Progress:
        """How much of the round is done."""
        return Progress(place - 1, len(self.items), place)

    def save(self, place: int, key: str, answer: Any) -> dict[str, Any]:
        """Keep an answer; gives whether it was right, and what is to be said about it. Sent twice, it counts once."""
        key = checked_key(key)
        practice = self.items[place - 1]
        checked = checked_answer(self.settings, practice.item, answer)
        right = is_right(self.settings, practice, checked)

        def keep(connection: Connection) -> None:
            known = select(_own.id).where(_own.annotator == self.work.annotator, _own.key == key)
            if connection.execute(known).first() is None:
                inserted(
                    connection,
                    schema.practice,
                    annotator=self.work.annotator,
                    key=key,
                    place=place,
                    answer=json.dumps(checked, ensure_ascii=False),
                    correct=int(right),
                    time=time.time(),
                )

        with suppress(IntegrityError):  # the same key at the same moment, over another connection
            self.work.database.write(keep)
        return {"right": right, "expected": described(self.settings, practice), "feedback": practice.feedback}
