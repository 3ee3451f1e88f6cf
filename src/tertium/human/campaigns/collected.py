"""Judgements as they were given, with the key beside them: what exports and analyses start from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tertium.human.campaigns.designs import CHALLENGE, PAIRWISE, RANKING
from tertium.human.campaigns.items import CampaignItem
from tertium.human.campaigns.settings import Settings


@dataclass(frozen=True)
class Judged:
    """One screen as an annotator answered it."""

    annotator: str
    item: CampaignItem
    position: int
    batch: int
    order: tuple[int, ...]
    answer: dict[str, Any]
    seconds: float  # that the screen was looked at
    time: float  # when the answer came, in seconds since 1970

    @property
    def shown(self) -> tuple[tuple[str, ...], ...]:
        """The systems behind each place of the screen."""
        return tuple(self.item.outputs[place].systems for place in self.order)

    def data(self) -> dict[str, Any]:
        """For JSON Lines: everything."""
        return {
            "annotator": self.annotator,
            "item": self.item.id,
            "kind": self.item.kind,
            "original": self.item.original,
            "segment": self.item.segment,
            "document": self.item.document,
            "batch": self.batch,
            "position": self.position,
            "shown": [list(systems) for systems in self.shown],
            "answer": self.answer,
            "seconds": self.seconds,
            "time": self.time,
            "tokens": self.item.tokens,
        }


@dataclass(frozen=True)
class Collected:
    """All judgements of a campaign so far, with its settings."""

    settings: Settings
    judged: tuple[Judged, ...]
    size: int = 0  # segments of the test set, where they are numbered

    def __len__(self) -> int:
        return len(self.judged)

    def __iter__(self) -> Iterator[Judged]:
        return iter(self.judged)

    @property
    def design(self) -> str:
        return self.settings.design.name

    @property
    def annotators(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.annotator for one in self.judged))

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems that were shown, controls' references not among them."""
        found: dict[str, None] = {}
        for one in self.judged:
            if one.item.kind != "reference":
                found |= dict.fromkeys(system for systems in one.shown for system in systems)
        return tuple(sorted(found))

    def only(self, annotators: tuple[str, ...]) -> Collected:
        """The judgements of these annotators."""
        return replace(self, judged=tuple(one for one in self.judged if one.annotator in annotators))


def pair_outcomes(one: Judged, design: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], int]]:
    """What a comparing screen says of each two places: (systems, systems, 1, -1 or 0); 1: the first is better.

    Pairs of places come in the order of the screen. A challenge question compares by yes against anything else.
    """
    shown = one.shown
    if design == PAIRWISE:
        yield shown[0], shown[1], {"A": 1, "B": -1, "undecided": 0}[one.answer["choice"]]
        return
    if design == RANKING:
        goodness = [-rank for rank in one.answer["ranks"]]
    elif design == CHALLENGE:
        goodness = [int(answer == "yes") for answer in one.answer["answers"]]
    else:
        raise ValueError(f"a screen of {design} compares nothing")
    for i in range(len(shown)):
        for j in range(i + 1, len(shown)):
            yield shown[i], shown[j], (goodness[i] > goodness[j]) - (goodness[i] < goodness[j])
