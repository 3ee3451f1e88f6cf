"""The judge that learns: what each check sees in a unit, and one probability from all of them. Two passes, flat memory.

judge = CombinedJudge.of()
for batch in batches: judge.learn(batch)   # the first pass, over the whole memory
for batch in batches: judge.judge(batch)   # the second
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.io.memories.unit import Unit
from tertium.vetting.batches import UnitBatch
from tertium.vetting.checks.base import (
    CHECKS,
    LEARNT_CHECKS,
    Doubt,
    EncodingLearner,
    GlossaryCheck,
    LearningCheck,
    LearntCheck,
    MemoryLearner,
    SecondLearner,
    SievedLearntCheck,
    UnitCheck,
    looked_through,
)
from tertium.vetting.combining import MISMATCHED, UNFITTED, Combination, shipped
from tertium.vetting.suspicion import Suspicion, UnitJudge

if TYPE_CHECKING:
    from numpy.typing import NDArray


def check_names() -> tuple[str, ...]:
    """All checks: those of single units, and those that learn."""
    return (*CHECKS, *LEARNT_CHECKS)


def forgetful_names() -> tuple[str, ...]:
    """Checks that remember no unit. A check that does (`duplicates`) would know a damaged copy by its original."""
    return tuple(name for name in check_names() if name not in UNFITTED)


def usual_judge(
    judge: UnitJudge | None = None,
    glossary: Mapping[str, Sequence[str]] | None = None,
    encoder: str | None = None,
    mismatched: float | None = None,
) -> UnitJudge:
    """The judge that all commands use, with a glossary and an encoder for the checks that need them; or this one.

    `mismatched` is the share of units whose sides do not belong together, where it is known.
    """
    if judge is None:
        judge = CombinedJudge.of()
        judge.mismatched = MISMATCHED if mismatched is None else mismatched
        for learner in judge.learners.values() if encoder is not None else ():
            if isinstance(learner, EncodingLearner):
                learner.use(encoder or "")
        for check in judge.checks if glossary is not None else ():
            if isinstance(check, GlossaryCheck):
                check.use(glossary or {})
    return judge


class CombinedJudge:
    """Checks, what they have learnt, and how they are combined.

    >>> units = [Unit(f"Open {n} files", f"Ouvrir {n} fichiers", "en", "fr") for n in range(50)]
    >>> judge = CombinedJudge.of()
    >>> judge.learn(units)
    >>> right, wrong = judge.judge([units[7], Unit("Open 8 files", "Ouvrir 9 fichiers", "en", "fr")])
    >>> [reason.check for reason in wrong.reasons], wrong.probability > right.probability
    (['numbers', 'meaning'], True)
    """

    learns = True
    calibrated = True

    def __init__(
        self,
        checks: Sequence[UnitCheck],
        learnt: Sequence[LearntCheck],
        combination: Combination,
        share: float | None = None,
    ) -> None:
        self.checks, self.learnt = checks, learnt
        self.combination, self.share, self.mismatched = combination, share, MISMATCHED
        self.checked = (*(own.name for own in checks), *(own.name for own in learnt))
        self._learning = [own for own in checks if isinstance(own, LearningCheck)]
        self._ready = False
        self.learners: dict[type[Any], MemoryLearner] = {}
        self.second: dict[type[Any], SecondLearner] = {}
        for kind in dict.fromkeys(check.learner for check in learnt):
            self._engage(kind)
        self._given = tuple(name for learner in self.learners.values() for name in learner.names)
        self.names = (
            *(check.name for check in checks),
            *self._given,
            *(name for learner in self.second.values() for name in learner.names),
        )

    def _engage(self, kind: type[Any]) -> None:
        made = kind()
        if isinstance(made, SecondLearner):
            self.second[kind] = made
            for other in made.stands_on:
                if other not in self.learners:
                    self._engage(other)
        elif kind not in self.learners:
            self.learners[kind] = made

    @classmethod
    def of(
        cls,
        names: Sequence[str] = (),
        *,
        combination: Combination | None = None,
        share: float | None = None,
    ) -> CombinedJudge:
        """The checks of these names, or all; `share` is that of wrong units, where it is known (the model's: 0.01)."""
        asked = names or check_names()
        learnt = [LEARNT_CHECKS[name]() for name in asked if name in LEARNT_CHECKS]
        checks = [CHECKS[name]() for name in asked if name not in LEARNT_CHECKS]
        return cls(checks, learnt, shipped() if combination is None else combination, share)

    def learn(self, units: Sequence[Unit], *, own: bool = True) -> None:
        """The first pass: units of the memory, and of others (not its `own`) that it may learn words from."""
        units = UnitBatch.of(units)
        for learner in self.learners.values():
            learner.learn(units)
        for second in self.second.values() if own else ():
            second.learn(units)
        for check in self._learning:
            check.learn(units)

    def ready(self) -> None:
        """The first pass has ended; the first unit that is judged says so, too."""
        if not self._ready:
            self._ready = True
            for learner in self.learners.values():
                learner.ready()
            for second in self.second.values():
                second.found(self._given, self._measured)

    def _measured(self, units: Sequence[Unit]) -> NDArray[np.float64]:
        """The numbers of the first learners."""
        batch = UnitBatch.of(units)
        parts = [learner.measure(batch) for learner in self.learners.values()]
        return np.column_stack(parts) if parts else np.zeros((len(batch), 0))

    def judge(self, units: Sequence[Unit]) -> list[Suspicion]:
        """The second pass: a suspicion for each unit."""
        return self.judged_numbers(units)[0]

    def judged_numbers(self, units: Sequence[Unit]) -> tuple[list[Suspicion], NDArray[np.float64]]:
        """Suspicions, and the numbers that they were made of (`names`)."""
        doubts, rows = self.looked(units)
        how = (self.share, self.mismatched)
        chances = self.combination.probabilities(self.names, rows, *how).tolist()
        at = len(self.checks)
        for learner, own in self._asked():
            columns = rows[:, at : at + len(learner.names)]
            at += len(learner.names)
            for check in own:
                places = (
                    check.sieve(columns).nonzero()[0]
                    if isinstance(check, SievedLearntCheck)
                    else np.arange(len(units))
                )
                for i, row in zip(places.tolist(), columns[places].tolist(), strict=True):
                    found = check.doubt(learner, units[i], row)
                    if found is not None:
                        doubts[i].append(found)
        for reasons in doubts:
            if len(reasons) > 1:
                reasons.sort(key=lambda reason: -reason.score)
        return [Suspicion(chance, tuple(own)) for chance, own in zip(chances, doubts, strict=True)], rows

    def looked(self, units: Sequence[Unit]) -> tuple[list[list[Doubt]], NDArray[np.float64]]:
        """What the checks of single units see, and the numbers of all checks, a row for each unit (`names`)."""
        self.ready()
        doubts: list[list[Doubt]] = [[] for _ in units]
        scores = np.zeros((len(units), len(self.checks)))
        batch = UnitBatch.of(units)
        for k, check in enumerate(self.checks):
            for i, found in looked_through(check, batch):
                doubts[i].append(found)
                scores[i, k] = found.score
        given = self._measured(batch)
        more = (second.weigh(batch, self._given, given) for second in self.second.values())
        return doubts, np.column_stack([scores, given, *more])

    def _asked(self) -> Iterator[tuple[MemoryLearner | SecondLearner, list[LearntCheck]]]:
        engaged: dict[type[Any], MemoryLearner | SecondLearner] = {**self.learners, **self.second}
        for kind, learner in engaged.items():
            yield learner, [check for check in self.learnt if check.learner is kind]
