"""What a check of units is, and all of them by name. Packages add theirs (`tertium.memory_checks`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast, runtime_checkable

from tertium.io.memories.unit import Unit
from tertium.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.vetting.batches import UnitBatch

Span = tuple[int, int]  # characters of a text, from and to


class Doubt(NamedTuple):
    """Why a unit deserves a look: the check, a sentence, the places in both texts, and a score above 0, at most 1."""

    check: str
    sentence: str
    score: float
    source: tuple[Span, ...] = ()
    target: tuple[Span, ...] = ()


class UnitCheck(Protocol):
    """A check that needs nothing but the unit."""

    name: str
    sentence: str

    def look(self, unit: Unit) -> Doubt | None:
        """What is wrong with a unit; None: nothing that this check sees."""


@runtime_checkable
class SievedCheck(UnitCheck, Protocol):
    """A check that knows from the signs of units (`vetting/signs.py`) which of them it need not look at."""

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        """Which units may be doubted: `look` would say None of all others."""


@runtime_checkable
class BatchCheck(UnitCheck, Protocol):
    """A check that looks at many units at once."""

    def look_through(self, batch: UnitBatch) -> Iterable[tuple[int, Doubt]]:
        """Places of units that are doubted, and what `look` would say of them."""


@runtime_checkable
class LearningCheck(UnitCheck, Protocol):
    """A check that reads the whole memory once before it looks at any unit."""

    def learn(self, units: Sequence[Unit]) -> None:
        """Some units of the memory; all of them come before the first look."""


@runtime_checkable
class GlossaryCheck(UnitCheck, Protocol):
    """A check that needs a glossary, and sees nothing without one."""

    def use(self, glossary: Mapping[str, Sequence[str]]) -> None:
        """Terms with their translations."""


class MemoryLearner(Protocol):
    """What looks through a memory once, and then has numbers for each unit: `names` says which.

    Names of numbers have a space in them, names of checks have none: a number that a model does not know counts
    nothing, the score of a check does.
    """

    names: tuple[str, ...]

    def learn(self, units: Sequence[Unit]) -> None:
        """The first pass: units as they come, in batches."""

    def ready(self) -> None:
        """The first pass has ended."""

    def measure(self, units: Sequence[Unit]) -> NDArray[np.float64]:
        """The second pass: a row of numbers for each unit."""


@runtime_checkable
class EncodingLearner(MemoryLearner, Protocol):
    """A learner that needs an encoder of texts, and sees nothing without one."""

    def use(self, encoder: str) -> None:
        """The encoder's name."""


@runtime_checkable
class SecondLearner(Protocol):
    """A learner whose numbers are made of those of others, which it `stands_on`: it is asked when they are ready."""

    names: tuple[str, ...]
    stands_on: tuple[type[Any], ...]

    def learn(self, units: Sequence[Unit]) -> None:
        """The first pass, over units of the memory itself."""

    def found(self, names: Sequence[str], rows: Callable[[Sequence[Unit]], NDArray[np.float64]]) -> None:
        """The first pass has ended: `rows` gives the numbers of any units, `names` says which these are."""

    def weigh(
        self, units: Sequence[Unit], names: Sequence[str], rows: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The second pass: a row of numbers for each unit, from those of others."""


class LearntCheck(Protocol):
    """A check that asks a learner. Checks of one learner share it."""

    name: str
    sentence: str
    learner: type[Any]

    def doubt(self, learner: Any, unit: Unit, row: Sequence[float]) -> Doubt | None:
        """What is wrong with a unit that has these numbers."""


@runtime_checkable
class SievedLearntCheck(LearntCheck, Protocol):
    """One that knows from the numbers of units which of them it need not look at."""

    def sieve(self, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which units may be doubted: `doubt` would say None of all others."""


CHECKS: Registry[type[UnitCheck]] = Registry(
    "check of memories",
    "tertium.memory_checks",
    {
        "numbers": "tertium.vetting.checks.numbers:Numbers",
        "dates": "tertium.vetting.checks.measures:Dates",
        "times": "tertium.vetting.checks.measures:Times",
        "amounts": "tertium.vetting.checks.measures:Amounts",
        "units": "tertium.vetting.checks.measures:SameUnits",
        "placeholders": "tertium.vetting.checks.placeholders:Placeholders",
        "addresses": "tertium.vetting.checks.placeholders:Addresses",
        "tags": "tertium.vetting.checks.marks:InlineTags",
        "accelerators": "tertium.vetting.checks.marks:Accelerators",
        "icu": "tertium.vetting.checks.marks:Icu",
        "names": "tertium.vetting.checks.names:Names",
        "acronyms": "tertium.vetting.checks.names:Acronyms",
        "codes": "tertium.vetting.checks.names:Codes",
        "empty": "tertium.vetting.checks.form:Empty",
        "copied": "tertium.vetting.checks.form:Copied",
        "terms": "tertium.vetting.checks.terms:GlossaryTerms",
        "language": "tertium.vetting.checks.language:OtherLanguage",
        "mojibake": "tertium.vetting.checks.form:Mojibake",
        "spaces": "tertium.vetting.checks.form:Spaces",
        "ending": "tertium.vetting.checks.form:Ending",
        "quotes": "tertium.vetting.checks.marks:Quotes",
        "truncated": "tertium.vetting.checks.marks:Truncated",
        "inconsistency": "tertium.vetting.checks.repetition:Inconsistency",
        "conflicts": "tertium.vetting.checks.repetition:Conflicts",
        "duplicates": "tertium.vetting.checks.repetition:Duplicates",
        "repeated": "tertium.vetting.checks.form:Repeated",
        "negation": "tertium.vetting.checks.negation:Negation",
    },
)

LEARNT_CHECKS: Registry[type[LearntCheck]] = Registry(
    "learnt check of memories",
    "tertium.learnt_memory_checks",
    {
        "meaning": "tertium.vetting.checks.learnt:Meaning",
        "omission": "tertium.vetting.checks.learnt:Omission",
        "insertion": "tertium.vetting.checks.learnt:Insertion",
        "length": "tertium.vetting.checks.learnt:Length",
        "wording": "tertium.vetting.checks.learnt:Wording",
        "fit": "tertium.vetting.checks.fit:Fit",
        "vectors": "tertium.vetting.checks.vectors:NearVectors",
        "misalignment": "tertium.vetting.checks.misalignment:Misalignment",
    },
)


def sentence_of(name: str) -> str:
    """What should hold, in the words of the check."""
    return (LEARNT_CHECKS if name in LEARNT_CHECKS else CHECKS)[name].sentence


def reasons(unit: Unit, checks: Iterable[UnitCheck]) -> list[Doubt]:
    """All that these checks see in a unit, what weighs most first.

    >>> unit = Unit("Delete %d files?", "Supprimer fichiers ?", "en", "fr")
    >>> [reason.sentence for reason in reasons(unit, [CHECKS[name]() for name in CHECKS])]
    ['%d is missing']
    """
    found = [reason for check in checks if (reason := check.look(unit)) is not None]
    return sorted(found, key=lambda reason: -reason.score)


@cache  # asking what an object can do takes as long as a look at a unit
def _ways(kind: type[UnitCheck]) -> tuple[bool, bool]:
    """Whether checks of a kind look through batches, and whether they sieve them."""
    return hasattr(kind, "look_through"), hasattr(kind, "sieve")


def looked_through(check: UnitCheck, batch: UnitBatch) -> Iterable[tuple[int, Doubt]]:
    """What a check sees in a batch, by the quickest way that it knows."""
    through, sieves = _ways(type(check))
    if through:
        yield from cast(BatchCheck, check).look_through(batch)
        return
    look = check.look
    for i in cast(SievedCheck, check).sieve(batch).nonzero()[0].tolist() if sieves else range(len(batch)):
        found = look(batch[i])
        if found is not None:
            yield i, found


def difference(name: str, missing: Sequence[str], extra: Sequence[str]) -> str:
    """A sentence about what only one side has.

    >>> difference("numbers", ["3"], ["4", "5"])
    '3 is missing; 4 and 5 are extra'
    """
    parts = []
    for texts, what in ((missing, "missing"), (extra, "extra")):
        if texts:
            shown = list(dict.fromkeys(texts))
            listed = " and ".join(filter(None, [", ".join(shown[:-1][:4]), shown[-1]]))
            parts.append(f"{listed} {'is' if len(shown) == 1 else 'are'} {what}")
    return "; ".join(parts)
