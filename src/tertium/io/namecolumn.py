"""A column of names that repeat (systems, annotators, segments): each name once, and a number for each row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class NameColumn:
    """Names in the order of their first row, and the code of each row: `names[codes[i]]` is what row i says.

    >>> column = NameColumn.of(["B", "A", "B"])
    >>> column.names, column.codes.tolist(), column[2], list(column)
    (('B', 'A'), [0, 1, 0], 'B', ['B', 'A', 'B'])
    """

    names: tuple[str, ...]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, values: Iterable[str]) -> NameColumn:
        known: dict[str, int] = {}
        codes = [known.setdefault(value, len(known)) for value in values]
        return cls(tuple(known), np.array(codes, dtype=np.int32))

    @classmethod
    def constant(cls, name: str, n: int) -> NameColumn:
        """The same name in every row."""
        return cls((name,) if n else (), np.zeros(n, dtype=np.int32))

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, row: int) -> str:
        return self.names[int(self.codes[row])]

    def __iter__(self) -> Iterator[str]:
        return (self.names[code] for code in self.codes)

    def take(self, rows: NDArray[Any]) -> NameColumn:
        """These rows (numbers, or a mask), with the names that are still in use."""
        codes = self.codes[rows]
        used, new = np.unique(codes, return_inverse=True)
        return NameColumn(tuple(self.names[code] for code in used), new.astype(np.int32))

    def code(self, name: str) -> int:
        """The number of a name; -1 where no row has it."""
        try:
            return self.names.index(name)
        except ValueError:
            return -1

    def __repr__(self) -> str:
        return f"<NameColumn: {len(self)} rows, {len(self.names)} names>"


def in_natural_order(names: Iterable[str]) -> list[str]:
    """Names sorted as people count: segment 2 before segment 10.

    >>> in_natural_order(["10", "2", "doc10:1", "doc9:3"])
    ['2', '10', 'doc9:3', 'doc10:1']
    """
    return sorted(names, key=_natural)


def _natural(name: str) -> list[tuple[int, int, str, str]]:
    """Runs of digits by their value, of any length: first by how many digits there are, then by the digits."""
    found = []
    for part in filter(None, re.split(r"([0-9]+)", name)):
        digits = part.lstrip("0")
        found.append((0, len(digits), digits, part) if part.isdigit() else (1, 0, "", part))
    return found
