"""A campaign worked out in full: its items, and who judges what. Nothing is stored yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.human.campaigns.assigning import Assignment, assigned
from tertium.human.campaigns.building import pool
from tertium.human.campaigns.items import CampaignItem
from tertium.human.campaigns.practice import practice_items
from tertium.human.campaigns.segments import Segment
from tertium.human.campaigns.settings import Settings
from tertium.io.tables import Column, Table
from tertium.results import Result


@dataclass(frozen=True)
class Plan(Result):
    """Settings, the pool of items with some in reserve, and the work of each annotator."""

    kind = "campaign plan"
    settings: Settings
    items: tuple[CampaignItem, ...]
    assignments: tuple[Assignment, ...]
    segments: int  # of the test set

    def contents(self) -> Mapping[str, Any]:
        tasks = [task for one in self.assignments for task in one.tasks]
        controls = [item.kind for one in self.assignments for item in one.controls]
        return {
            "name": self.settings.name,
            "design": self.settings.design.name,
            "seed": self.settings.seed,
            "segments": self.segments,
            "annotators": len(self.assignments),
            "screens": len(tasks),
            "different_items": len({task.item for task in tasks}),
            "control_items": {kind: controls.count(kind) for kind in dict.fromkeys(controls)},
        }

    def table(self) -> Table:
        """The numbers, for a last look."""
        data = dict(self.contents())
        data["control_items"] = (
            ", ".join(f"{n} {kind}" for kind, n in data["control_items"].items()) or "none"
        )
        rows = tuple((key.replace("_", " "), str(value)) for key, value in data.items())
        return Table("", (Column("campaign"), Column("")), rows)


def planned(settings: Settings, segments: Sequence[Segment]) -> Plan:
    """Work out a campaign; too few items or missing texts are refused here.

    >>> from tertium import TestSet
    >>> from tertium.human.campaigns.segments import segments_of
    >>> settings = Settings.of({"name": "demo", "design": "ranking", "annotators": {"number": 3, "items": 10}})
    >>> planned(settings, segments_of(TestSet.sample())).data()["different_items"]
    10
    """
    items = pool(settings, segments)
    practice_items(settings)  # what is wrong with them is said before anything is made
    given: list[Assignment] = []
    taken: set[str] = set()
    for name in settings.annotators:
        given.append(assigned(settings, items, name, taken))
        taken |= {task.item for task in given[-1].tasks}
    used = max((i for i, item in enumerate(items) if item.id in taken), default=-1) + 1
    return Plan(settings, tuple(items[: used + (settings.people.reserve or 0)]), tuple(given), len(segments))
