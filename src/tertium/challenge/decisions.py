"""From answers to one verdict for each output.

Independent annotators: an output is right if more than half of the answers that count are yes (two of three), and wrong
otherwise; a tie is wrong. Checked judging: the first judge's answer, or the joint decision where the second differed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from tertium.challenge.judgements import Answer, ChallengeJudgements, Place
from tertium.errors import InputError, SpecError, did_you_mean

NotApplicable = Literal["negative", "excluded"]
POLICIES: tuple[NotApplicable, ...] = get_args(NotApplicable)
POLICY_WORDS = {
    "negative": "not applicable counts as not positive (as in the paper's table 3)",
    "excluded": "not applicable answers are left out; an output with no other answer does not count",
}


@dataclass(frozen=True)
class Decision:
    """What was found of one output: the answers behind it and the verdict, None where no answer counts."""

    place: Place
    answers: tuple[Answer, ...]
    right: bool | None
    positive: int  # answers that are yes
    counted: int  # answers that count
    tied: bool = False

    @property
    def not_applicable(self) -> int:
        return self.answers.count("na")


@dataclass(frozen=True)
class Difference:
    """Where the second judge differed from the first, and what they settled on; None: not settled yet."""

    place: Place
    first: Answer
    second: Answer
    settled: Answer | None
    note: str = ""


def decide(place: Place, answers: tuple[Answer, ...], policy: NotApplicable = "negative") -> Decision:
    """The verdict on an output.

    >>> from tertium.challenge.outputs import System
    >>> place = Place("1", System("A"))
    >>> decide(place, ("yes", "na", "yes")).right, decide(place, ("yes", "na", "na")).right
    (True, False)
    >>> decide(place, ("yes", "na", "na"), "excluded").right, decide(place, ("na",), "excluded").right
    (True, None)
    """
    if policy not in POLICIES:
        raise SpecError(f"not applicable: unknown policy {policy!r}{did_you_mean(policy, POLICIES)}")
    counted = len(answers) - (answers.count("na") if policy == "excluded" else 0)
    positive = answers.count("yes")
    return Decision(
        place,
        answers,
        right=None if counted == 0 else 2 * positive > counted,
        positive=positive,
        counted=counted,
        tied=counted > 0 and 2 * positive == counted,
    )


def is_checked(judgements: ChallengeJudgements) -> bool:
    """Whether these are judgements of the second kind: somebody checked or settled."""
    return any(judgement.role != "judge" for judgement in judgements)


def decisions(judgements: ChallengeJudgements, policy: NotApplicable = "negative") -> dict[Place, Decision]:
    """A verdict for every output judged, in either way.

    Differences that were not settled are refused: there is no verdict on them yet.
    """
    if not is_checked(judgements):
        answers = judgements.answers()
        return {place: decide(place, tuple(given.values()), policy) for place, given in answers.items()}
    found = differences(judgements)
    if waiting := [difference for difference in found if difference.settled is None]:
        raise InputError(
            f"{len(waiting)} of {len(found)} differences between judge and checker are not settled, the first at "
            f"{waiting[0].place} (tertium challenge sheet --role settle)"
        )
    final = {place: _only(given, place) for place, given in judgements.answers().items()}
    final |= {place: _only(given, place) for place, given in judgements.answers("settle").items()}
    return {place: decide(place, (answer,), policy) for place, answer in final.items()}


def differences(judgements: ChallengeJudgements) -> tuple[Difference, ...]:
    """All places where the checker's answer is not the judge's."""
    first, second, settled = (judgements.answers(role) for role in ("judge", "check", "settle"))
    notes = {judgement.place: judgement.note for judgement in judgements if judgement.role == "settle"}
    for name, given in (("checked", second), ("settled", settled)):
        for place in given:
            if place not in first:
                raise InputError(f"{place}: was {name}, but nobody judged it first")
    found = []
    for place, checks in second.items():
        judge, checker = next(iter(first[place])), next(iter(checks))
        if judge == checker:
            raise InputError(f"{place}: {judge} checks their own judgement")
        before, after = _only(first[place], place), _only(checks, place)
        joint = _only(settled[place], place) if place in settled else None
        if before != after:
            found.append(Difference(place, before, after, joint, notes.get(place, "")))
        elif joint is not None and joint != before:
            raise InputError(f"{place}: judge and checker agree on {before}, but {joint} was settled")
    return tuple(found)


def _only(given: Mapping[str, Answer], place: Place) -> Answer:
    if len(given) > 1:
        raise InputError(
            f"{place}: has answers of {', '.join(given)}; where judgements are checked, each is made by one person"
        )
    return next(iter(given.values()))
