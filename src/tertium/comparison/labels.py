"""Human preferences: labels "1" and "2" for two translations shown in random order."""

from __future__ import annotations

import os
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.io.records import HeadedTable, Row
from tertium.testset import TestSet

_HEADER = ("segment", "first", "second", "label")


@dataclass(frozen=True)
class Label:
    """One judgement: which of two translations of a segment a person prefers, the first shown or the second."""

    segment: int  # from 1
    first: str  # the system shown as 1
    second: str
    label: int  # 1 or 2

    def __post_init__(self) -> None:
        if self.label not in (1, 2):
            raise InputError(f"segment {self.segment}: a label is 1 or 2, not {self.label!r}")
        if self.first == self.second:
            raise InputError(f"segment {self.segment}: {self.first!r} was compared with itself")

    @property
    def preferred(self) -> str:
        return self.first if self.label == 1 else self.second


@dataclass(frozen=True)
class Labels:
    """Judgements, and how many of them were forced choices.

    Annotators who find two translations equally good must write "1". The order is random, so that "1" and "2" would
    otherwise be equally frequent: the surplus of "1" estimates the equivalent pairs (Simard 2019):

        e = (n1 - n2) / n1 of the labels "1",    (n1 - n2) / n of all.

    >>> labels = Labels(tuple(Label(i, "A", "B", 1 if i <= 417 else 2) for i in range(1, 701)))
    >>> round(labels.equivalence_of_first, 3), round(labels.equivalence, 3)
    (0.321, 0.191)
    """

    labels: tuple[Label, ...]

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def counts(self) -> tuple[int, int]:
        """Labels "1" and labels "2"."""
        ones = sum(label.label == 1 for label in self.labels)
        return ones, len(self.labels) - ones

    @property
    def equivalence_of_first(self) -> float | None:
        """The share of labels "1" that mean "equally good". 0 where "2" is as frequent; None without a "1"."""
        ones, twos = self.counts
        return max(0.0, (ones - twos) / ones) if ones else None

    @property
    def equivalence(self) -> float | None:
        """The share of all labels that mean "equally good"; None without labels."""
        ones, twos = self.counts
        return max(0.0, (ones - twos) / len(self)) if self.labels else None

    def between(self, a: str, b: str) -> Labels:
        """Those that compare these two systems, in either order."""
        return Labels(tuple(label for label in self.labels if {label.first, label.second} == {a, b}))

    @classmethod
    def read(cls, path: str | os.PathLike[str], testset: TestSet) -> Labels:
        """From a TSV with the columns segment (from 1), first and second (systems as shown), label (1 or 2)."""
        found = []
        for row in HeadedTable(path, _HEADER):
            segment, label = known_segment(row, testset), row.get("label")
            if label not in ("1", "2"):
                raise InputError(f"{row.where}: a label is 1 or 2, not {label!r}")
            first, second = (known_system(row, testset, column) for column in ("first", "second"))
            found.append(Label(segment, first, second, int(label)))
        return cls(tuple(found))


def known_segment(row: Row, testset: TestSet | None) -> int:
    """The segment that a row is about; it must be in the test set, if one is given."""
    segment = row.whole("segment", "segment number")
    if testset is not None and segment > len(testset):
        raise InputError(f"{row.where}: there is no segment {segment}: the test set has {len(testset)}")
    return segment


def known_system(row: Row, testset: TestSet | None, column: str) -> str:
    """The system in this column; it must be in the test set, if one is given."""
    name = row.get(column)
    if testset is None:
        return name
    try:
        return testset.name_of(name)
    except InputError as error:
        raise InputError(f"{row.where}: {error}") from None
