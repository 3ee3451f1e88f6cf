"""What an annotator has to judge, and in which order: blind, shuffled, the outputs of one source together.

The order follows from the seed and the annotator's name: things are sorted by the SHA-256 of seed, name and thing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from tertium.challenge.decisions import differences
from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judgements import Answer, ChallengeJudgements, Place, Role
from tertium.challenge.outputs import Outputs, System
from tertium.errors import InputError


@dataclass(frozen=True)
class JudgingTask:
    """One question about one text. Several systems may have written the same text: it is judged once."""

    item: Item
    text: str
    systems: tuple[System, ...]
    earlier: tuple[tuple[str, Answer], ...] = ()  # answers that are shown: the judge's, the checker's

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(Place(self.item.id, system) for system in self.systems)


def shuffle_key(seed: int, *things: str) -> bytes:
    """A number without meaning, the same on every machine; sorting by it shuffles."""
    return hashlib.sha256("\0".join([str(seed), *things]).encode("utf-8", "surrogatepass")).digest()


def tasks(
    items: ChallengeSet,
    outputs: Outputs,
    annotator: str,
    *,
    seed: int,
    role: Role = "judge",
    judgements: ChallengeJudgements | None = None,
    merge: bool = True,
) -> tuple[JudgingTask, ...]:
    """What is left for an annotator to do, items shuffled, the outputs of an item together and shuffled.

    `judge`: outputs that the annotator has not judged. `check`: outputs that somebody else judged and nobody checked,
    with that answer. `settle`: outputs on which judge and checker differ, with both answers. `merge` makes one task of
    the same text by several systems.

    >>> items = ChallengeSet((Item("1", "Lexical", "", "Well?", "It rains."),))
    >>> outputs = Outputs({System("A"): {"1": "Il pleut."}, System("B"): {"1": "Il pleut."}})
    >>> [task.systems for task in tasks(items, outputs, "ann", seed=7)]
    [(System(name='A', version=''), System(name='B', version=''))]
    """
    earlier = _waiting(outputs, annotator, role, judgements or ChallengeJudgements(()))
    by_text: dict[tuple[str, ...], list[System]] = {}
    for system, item, text in outputs:
        place = Place(item, system)
        if place in earlier:
            shown = [f"{who}={answer}" for who, answer in earlier[place]]
            one = (item, text, *shown) if merge else (item, text, *shown, system.label)
            by_text.setdefault(one, []).append(system)
    of_item: dict[str, list[JudgingTask]] = {}
    for (item, text, *_), systems in by_text.items():
        task = JudgingTask(
            items.required(item, "outputs"), text, tuple(systems), earlier[Place(item, systems[0])]
        )
        of_item.setdefault(item, []).append(task)
    found: list[JudgingTask] = []
    for item in sorted(of_item, key=lambda item: shuffle_key(seed, annotator, item)):
        found += sorted(
            of_item[item],
            key=lambda task: shuffle_key(seed, annotator, task.item.id, *(s.label for s in task.systems)),
        )
    return tuple(found)


def _waiting(
    outputs: Outputs, annotator: str, role: Role, judgements: ChallengeJudgements
) -> dict[Place, tuple[tuple[str, Answer], ...]]:
    """Places that wait for an answer in this role, with the answers to be shown."""
    if role == "judge":
        done = {place for place, given in judgements.answers().items() if annotator in given}
        return {Place(item, system): () for system, item, _ in outputs if Place(item, system) not in done}
    if role == "check":
        checked = judgements.answers("check")
        found: dict[Place, tuple[tuple[str, Answer], ...]] = {}
        for place, given in judgements.answers().items():
            if annotator in given:
                raise InputError(
                    f"{annotator} judged {place} and cannot check it: someone else must check it"
                )
            if len(given) > 1:
                raise InputError(f"{place}: has {len(given)} judges; only the answers of one are checked")
            if place not in checked:
                found[place] = shown_answers(judgements, place, role)
        return found
    return {
        difference.place: shown_answers(judgements, difference.place, role)
        for difference in differences(judgements)
        if difference.settled is None
    }


def shown_answers(
    judgements: ChallengeJudgements, place: Place, role: Role
) -> tuple[tuple[str, Answer], ...]:
    """The answers that somebody in this role gets to see: a judge none, a checker the judge's, who settles both."""
    seen: dict[Role, tuple[tuple[str, Role], ...]] = {
        "judge": (),
        "check": (("judge", "judge"),),
        "settle": (("judge", "judge"), ("checker", "check")),
    }
    return tuple(
        (who, answer)
        for who, of in seen[role]
        for answer in list(judgements.answers(of).get(place, {}).values())[:1]
    )


def grouped(found: Iterable[JudgingTask]) -> list[int]:
    """The number of the item for each task, counted from 0 in the order of the tasks.

    >>> item = Item("1", "Lexical", "", "Well?", "It rains.")
    >>> grouped([JudgingTask(item, "a", ()), JudgingTask(item, "b", ())])
    [0, 0]
    """
    numbers: dict[str, int] = {}
    return [numbers.setdefault(task.item.id, len(numbers)) for task in found]
