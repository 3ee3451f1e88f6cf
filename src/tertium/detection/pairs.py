"""What detectors look at: sources and their translations, what was learnt of such texts, and numbers of every pair."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium import _native
from tertium.errors import InputError
from tertium.io.memories.unit import Unit
from tertium.vetting.batches import UnitBatch
from tertium.vetting.checks.base import CHECKS, Doubt, LearningCheck, UnitCheck, looked_through
from tertium.vetting.lengths import Lengths
from tertium.vetting.lexicon import MemoryLexicon, WordEvidence
from tertium.vetting.likeness import Likeness
from tertium.vetting.sentencevectors import SentenceVectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

REPEATS = (  # of each side (native/repeats.hpp)
    "count",  # words
    "most words",  # how often the commonest word occurs
    "most pairs",
    "most triples",
    "most fours",
    "again",  # words of n-grams that stood before
    "loop",  # words of the longest stretch that says again what it has just said
    "character run",
)
ASKED = ("numbers", "negation", "acronyms", "codes")  # checks of memories whose doubts detectors use
_SAMPLE = 2000  # pairs that say how many words have a capital
REPEAT_NAMES = tuple(f"{side} {name}" for side in ("source", "target") for name in REPEATS)


class PairKnowledge:
    """What texts teach: words and what becomes of them, lengths, vectors; and checks that count what survives.

    >>> units = [Unit(f"Open {n} files", f"Ouvrir {n} fichiers", "en", "fr") for n in range(50)]
    >>> pairs = SeenPairs(units, PairKnowledge.learnt(units))
    >>> bool((pairs["source evidence"] > 0).all())
    True
    """

    def __init__(self, encoder: str | None = None) -> None:
        self.lexicon = MemoryLexicon()
        self.vectors = SentenceVectors()
        if encoder is not None:
            self.vectors.use(encoder)
        self._encoder = encoder
        self.likeness = Likeness()
        self.capitals = (0.0, 0.0)  # shares of words of both sides that have one
        # each a MemoryLearner
        self.learners: tuple[Any, ...] = (self.lexicon, Lengths(), self.likeness, self.vectors)
        self.checks: dict[str, UnitCheck] = {name: CHECKS[name]() for name in ASKED}

    @property
    def encoded(self) -> bool:
        """Whether vectors say anything: there is an encoder, and enough pairs to know what it says of others."""
        return self._encoder is not None and self.vectors.knows

    @classmethod
    def learnt(
        cls, units: Sequence[Unit], others: Sequence[Unit] = (), encoder: str | None = None
    ) -> PairKnowledge:
        """From translations as they are, most of which are right, and from other texts that are known to be."""
        found = cls(encoder)
        for batch in (_once(units), UnitBatch(others)):
            for learner in found.learners:
                learner.learn(batch)
            for check in found.checks.values():
                if isinstance(check, LearningCheck):
                    check.learn(batch)
        for learner in found.learners:
            learner.ready()
        found.capitals = _capitals(found.likeness, units[:_SAMPLE])
        return found


def _capitals(likeness: Likeness, units: Sequence[Unit]) -> tuple[float, float]:
    rows = likeness.measure(units)
    source, target = (
        float(rows[:, likeness.names.index(f"{side} capitals")].mean()) if len(rows) else 0.0
        for side in ("source", "target")
    )
    return source, target


def _once(units: Sequence[Unit]) -> UnitBatch:
    """Each translation once: what stands beside many sources translates few of them."""
    return UnitBatch({unit.target: unit for unit in reversed(units)}.values())


class SeenPairs:
    """Pairs of a source and a translation, with numbers by name, each made when it is first asked for."""

    def __init__(self, units: Sequence[Unit], knowledge: PairKnowledge) -> None:
        self.units, self.knowledge = UnitBatch.of(units), knowledge

    def __len__(self) -> int:
        return len(self.units)

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self._columns[name]

    @cached_property
    def _columns(self) -> dict[str, NDArray[np.float64]]:
        found: dict[str, NDArray[np.float64]] = {}
        for learner in self.knowledge.learners:
            found |= zip(learner.names, learner.measure(self.units).T, strict=True)
        repeats = np.asarray(_native.repeats(self.units.sources, self.units.targets))
        return found | dict(zip(REPEAT_NAMES, repeats.T, strict=True))

    @cached_property
    def empty(self) -> NDArray[np.bool_]:
        """Pairs without any text on one side."""
        return np.fromiter(
            (not (unit.source.strip() and unit.target.strip()) for unit in self.units), bool, len(self)
        )

    @cached_property
    def doubts(self) -> dict[str, dict[int, Doubt]]:
        """What checks of memories see, by check and place."""
        return {
            name: dict(looked_through(check, self.units)) for name, check in self.knowledge.checks.items()
        }

    def doubted(self, name: str) -> NDArray[np.float64]:
        """The score of a check; 0 where it sees nothing."""
        found = np.zeros(len(self))
        for place, doubt in self.doubts[name].items():
            found[place] = doubt.score
        return found

    def words(self, place: int) -> tuple[list[WordEvidence], list[WordEvidence]]:
        """The words of both sides, and how much each speaks for the pair."""
        return self.knowledge.lexicon.evidence(self.units[place])


def units_of(sources: Sequence[str], translations: Sequence[str], pair: str = "") -> list[Unit]:
    """Sources and translations in languages such as de-en; unknown ones are empty.

    >>> units_of(["Ein Haus"], [])
    Traceback (most recent call last):
    tertium.errors.InputError: there are 1 sources, but 0 translations
    """
    if len(sources) != len(translations):
        raise InputError(f"there are {len(sources)} sources, but {len(translations)} translations")
    source, _, target = pair.partition("-")
    return [Unit(*own, source, target) for own in zip(sources, translations, strict=True)]
