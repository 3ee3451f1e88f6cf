"""What a memory teaches about its own words: how well each word of a unit is explained by the other side.

The work is native (native/lexicon.hpp): IBM model 1 in both directions, cross-fitted, so that no unit is judged by a
model that learnt from it or from a copy of it. A word's evidence is the logarithm of how much likelier its best link is
in a true pair than in a pair with a random other side of like length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium import _native
from tertium._native import Lines
from tertium.vetting.batches import UnitBatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.io.memories.unit import Unit

FOLDS = 4
CUT = 6  # letters of a word that count: most endings go
MOST_WORDS = 2_000_000  # of one side, that are learnt from
ITERATIONS = 4
OWN = 20.0  # occurrences after which a word's own habits count as much as those of its kind
LONGEST = 10_000  # characters of a text whose words are compared
SIDE = (
    "words",  # how many there are
    "evidence",  # the sum over all words: below 0, the other side is as good as random
    "mean",  # per word
    "run",  # the strongest run of words that nothing explains
    "run words",  # how many words it has
    "tail",  # the strongest run at the end
    "worst",  # the word with the least evidence
    "second",  # the one after it
    "against",  # share of words with evidence against them
    "marks",  # that end a part of a text
    "home",  # whether the words are those of this side's language
)


BOTH = (  # what trees cannot add up by themselves
    "evidence",  # of all words of both sides
    "mean",  # the lesser of both sides' means
    "run",  # the stronger run, less the weaker
    "worst",  # the weaker of both sides' worst words: where one word became another, each side has one
    "second",
    "marks",  # of the source, less those of the target
)


class WordEvidence(NamedTuple):
    """A word: its characters, and how much it speaks for the unit (above 0) or against it."""

    begin: int
    end: int
    evidence: float


class UnusualRendering(NamedTuple):
    """A word of the source, the word of the target that it may have become, and what it becomes elsewhere."""

    begin: int
    end: int
    target_begin: int
    target_end: int
    usual: str  # cut after `CUT` letters
    times: int  # that the word was seen
    alike: int  # that it was translated as usual


class MemoryLexicon:
    """A learner: units once, then numbers for each unit.

    >>> from tertium.io.memories.unit import Unit
    >>> things = ("file", "fichier"), ("book", "livre"), ("door", "porte")
    >>> times = ("now", "maintenant"), ("again", "encore"), ("soon", "bientôt")
    >>> units = [Unit(f"open the {a} {b}", f"ouvrir le {x} {y}") for a, x in things for b, y in times]
    >>> lexicon = MemoryLexicon()
    >>> lexicon.learn(units)
    >>> lexicon.ready()
    >>> source = "open the book now"
    >>> targets = "ouvrir le livre maintenant", "ouvrir le fichier encore"
    >>> rows = lexicon.measure([Unit(source, target) for target in targets])
    >>> bool(rows[0][1] > rows[1][1])
    True
    """

    names = (
        *(f"{side} {name}" for side in ("source", "target") for name in SIDE),
        *(f"both {name}" for name in BOTH),
    )

    def __init__(self, *, folds: int = FOLDS, most_words: int = MOST_WORDS) -> None:
        self._model = _native.Lexicon(
            folds=folds, cut=CUT, most_words=most_words, iterations=ITERATIONS, own=OWN
        )

    def learn(self, units: Sequence[Unit]) -> None:
        self._model.add(*_sides(units))

    def ready(self) -> None:
        self._model.learn()

    def measure(self, units: Sequence[Unit]) -> NDArray[np.float64]:
        rows = np.asarray(self._model.numbers(*_sides(units)))
        source = {name: rows[:, i] for i, name in enumerate(SIDE)}
        target = {name: rows[:, i + len(SIDE)] for i, name in enumerate(SIDE)}
        both = (
            source["evidence"] + target["evidence"],
            np.minimum(source["mean"], target["mean"]),
            np.abs(source["run"] - target["run"]),
            np.minimum(source["worst"], target["worst"]),
            np.minimum(source["second"], target["second"]),
            source["marks"] - target["marks"],
        )
        return np.column_stack([rows, *both])

    def evidence(self, unit: Unit) -> tuple[list[WordEvidence], list[WordEvidence]]:
        """The words of both sides."""
        source, target = self._model.evidence(*_sides([unit]))
        return [WordEvidence(*word) for word in source], [WordEvidence(*word) for word in target]

    def renderings(self, unit: Unit) -> list[UnusualRendering]:
        """Words that are nearly always translated alike, and not here, where a word of the target is not explained."""
        return [UnusualRendering(*own) for own in self._model.renderings(*_sides([unit]))]


def _sides(units: Sequence[Unit]) -> tuple[Lines, Lines]:
    """Both texts; of very long ones the beginning, since every word is compared with every other."""
    if isinstance(units, UnitBatch) and units.longest <= LONGEST:
        return units.sources, units.targets
    return Lines([unit.source[:LONGEST] for unit in units]), Lines([unit.target[:LONGEST] for unit in units])


def strongest_run(words: Sequence[WordEvidence]) -> tuple[int, int]:
    """The words, from and to, whose evidence against the unit is greatest.

    >>> strongest_run([WordEvidence(i, i, value) for i, value in enumerate((2.0, -1.0, -2.0, 1.0))])
    (1, 3)
    """
    best, found, run, begin = 0.0, (0, 0), 0.0, 0
    for i, word in enumerate(words):
        if run <= 0.0:
            run, begin = 0.0, i
        run -= word.evidence
        if run > best:
            best, found = run, (begin, i + 1)
    return found
