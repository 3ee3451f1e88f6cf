"""Judgements as they were given, together with the key: the start of all exports and analyses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from tertium.human.campaigns.designs import WEIGHTS
from tertium.human.campaigns.items import GENUINE, REFERENCE, CampaignItem
from tertium.human.campaigns.settings import Settings
from tertium.human.hume import WORTH
from tertium.io.judgementtable import Span


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

    @property
    def spans(self) -> tuple[Span, ...]:
        """The errors that were marked."""
        return tuple(
            Span(**{key: value for key, value in span.items() if key != "given"})
            for span in self.answer["spans"]
        )

    @property
    def given(self) -> list[dict[str, Any]]:
        """The spans that the screen began with, and what became of each: accepted, changed or removed."""
        kept = {span["given"]: span for span in self.answer.get("spans", ()) if "given" in span}
        found = []
        for number, span in enumerate(self.item.outputs[0].spans):
            same = {**span.data(), "given": number} == kept.get(number)
            fate = "removed" if number not in kept else "accepted" if same else "changed"
            found.append({**span.data(), "fate": fate, **({"origin": span.origin} if span.origin else {})})
        return found

    @property
    def score(self) -> float:
        """The number that the translation was given. Semantic units give their share of good ones in percent, error
        spans without a score what MQM's weights cost.
        """
        if "marks" in self.answer:
            marks = self.answer["marks"].values()
            return 100 * sum(WORTH[mark] for mark in marks) / len(marks)
        if self.answer["score"] is not None:
            return float(self.answer["score"])
        return -sum(WEIGHTS.weight(span.severity, span.category, "MQM") for span in self.spans) + 0.0

    def value(self, place: int) -> str | float | int:
        """What was said of the output at a place, in one word or number."""
        if "choice" in self.answer:
            choice = self.answer["choice"]
            return "equal" if choice == "undecided" else "better" if choice == "AB"[place] else "worse"
        for key in ("ranks", "answers"):
            if key in self.answer:
                return self.answer[key][place]  # type: ignore[no-any-return]
        return self.score

    def outcomes(self) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], int]]:
        """What a screen that compares says of every two places, in their order: (systems, systems, sign); 1: the first
        is better, -1: the second. A challenge question compares yes with any other answer.
        """
        for (first, x), (second, y) in combinations(zip(self.shown, self._goodness, strict=True), 2):
            yield first, second, (x > y) - (x < y)

    @property
    def _goodness(self) -> list[int]:
        if "choice" in self.answer:
            return {"A": [1, 0], "B": [0, 1], "undecided": [0, 0]}[self.answer["choice"]]
        if "ranks" in self.answer:
            return [-rank for rank in self.answer["ranks"]]
        return [int(answer == "yes") for answer in self.answer["answers"]]

    def data(self) -> dict[str, Any]:
        """Everything, for JSON Lines."""
        of_item = ("kind", "original", "segment", "document", "tokens")
        return {
            "annotator": self.annotator,
            "item": self.item.id,
            **{name: getattr(self.item, name) for name in of_item},
            "shown": [list(systems) for systems in self.shown],
            **{name: getattr(self, name) for name in ("batch", "position", "answer", "seconds", "time")},
            **({"given": self.given} if self.given else {}),
            **({"unit": "document"} if self.item.inside else {}),
        }


@dataclass(frozen=True)
class PracticeAnswer:
    """An answer to a practice item, and whether it was right."""

    annotator: str
    round: int
    place: int  # of the item, both from 1
    answer: dict[str, Any]
    right: bool
    time: float


@dataclass(frozen=True)
class SetAside:
    """An annotator whose judgements do not count, and why."""

    annotator: str
    reason: str
    judgements: int

    def __str__(self) -> str:
        why = f" ({self.reason})" if self.reason else ""
        return f"{self.annotator}{why}, {self.judgements} judgement{'s' * (self.judgements != 1)}"


@dataclass(frozen=True)
class Collected:
    """All judgements of a campaign so far, with its settings."""

    settings: Settings
    judged: tuple[Judged, ...]
    size: int = 0  # segments of the test set, where they are numbered
    documents: tuple[Judged, ...] = ()  # the scores of whole documents
    aside: tuple[SetAside, ...] = ()
    practice: tuple[PracticeAnswer, ...] = ()  # never part of a result

    def __len__(self) -> int:
        return len(self.judged)

    def __iter__(self) -> Iterator[Judged]:
        return iter(self.judged)

    @property
    def genuine(self) -> tuple[Judged, ...]:
        """Without control items."""
        return tuple(one for one in self.judged if one.item.kind == GENUINE)

    @property
    def design(self) -> str:
        return self.settings.design.name

    @property
    def annotators(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.annotator for one in self.judged))

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems that were shown, except references shown as control items."""
        shown = [systems for one in self.judged if one.item.kind != REFERENCE for systems in one.shown]
        return tuple(sorted({system for systems in shown for system in systems}))

    def only(self, annotators: tuple[str, ...]) -> Collected:
        """The judgements of these annotators."""

        def own(every: tuple[Judged, ...]) -> tuple[Judged, ...]:
            return tuple(one for one in every if one.annotator in annotators)

        return replace(self, judged=own(self.judged), documents=own(self.documents))
