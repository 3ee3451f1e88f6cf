"""Which items of two sequences an edit distance pairs: Levenshtein's path, for many sequences at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

EQUAL, CHANGED, ALONE = 0, 1, 2  # an item and its partner: the same, another, or none (inserted or deleted)
_CELLS = 4_000_000  # of the tables held at a time


def edit_marks(
    ours: Sequence[Numbers], theirs: Sequence[Numbers], *, tercom: bool = False
) -> tuple[Numbers, Numbers]:
    """EQUAL, CHANGED or ALONE for each item of `ours` and of `theirs`, all sequences behind each other.

    Of several shortest paths one with the most EQUAL items is taken: that which, from the end, pairs items where it
    can, else drops one of `theirs`. With `tercom` that of the program: equal items do not count for more, and where
    it cannot pair it drops one of `ours` first.

    >>> mine, other = np.array([1, 2, 9, 4]), np.array([2, 3, 4])
    >>> [marks.tolist() for marks in edit_marks([mine], [other])]
    [[2, 0, 1, 0], [0, 1, 0]]
    >>> [[marks.tolist() for marks in edit_marks([mine[:2]], [mine[1:3]], tercom=way)] for way in (False, True)]
    [[[2, 0], [0, 2]], [[1, 1], [1, 1]]]
    """
    gain = 0 if tercom else -1
    lengths = [np.array([len(own) for own in side], dtype=np.int64) for side in (ours, theirs)]
    starts = [np.cumsum(sizes) - sizes for sizes in lengths]
    marks = [np.full(int(sizes.sum()), ALONE, dtype=np.int64) for sizes in lengths]
    for batch in _batches(*lengths):
        sizes = [own[batch] for own in lengths]
        padded = [
            _padded([side[i] for i in batch], empty)
            for side, empty in zip((ours, theirs), (-1, -2), strict=True)
        ]
        edit = 1 + sum(own.shape[1] for own in padded)  # costs more than all equal items together give back
        table = _costs(padded[0], padded[1], edit, gain)
        a, b = (own.copy() for own in sizes)
        rows = np.arange(len(batch))
        while True:
            both = (a > 0) & (b > 0)
            if not both.any():
                break
            same = padded[0][rows, a - 1] == padded[1][rows, b - 1]  # where one is used up, not looked at
            here = table[a, rows, b]
            paired = both & (here == table[a - 1, rows, b - 1] + np.where(same, gain, edit))
            first, second = table[a, rows, b - 1], table[a - 1, rows, b]
            dropped = both & ~paired & ((here != second + edit) if tercom else (here == first + edit))
            taken = both & ~paired & ~dropped
            for side, place in ((0, a), (1, b)):
                marks[side][starts[side][batch][paired] + place[paired] - 1] = np.where(
                    same[paired], EQUAL, CHANGED
                )
            a -= paired | taken
            b -= paired | dropped
    return marks[0], marks[1]


def _batches(ours: Numbers, theirs: Numbers) -> Iterator[Numbers]:
    """Sequences of similar length together, so that little of a table is empty."""
    longest = np.maximum(ours, theirs)
    order = np.argsort(longest, kind="stable")
    sizes = (longest[order] + 1) ** 2
    start = 0
    while start < len(order):
        full = np.flatnonzero(np.arange(1, len(order) - start + 1) * sizes[start:] > _CELLS)
        end = start + max(1, int(full[0]) if len(full) else len(order))
        yield order[start:end]
        start = end


def _padded(sequences: Sequence[Numbers], empty: int) -> Numbers:
    made = np.full((len(sequences), max(1, *map(len, sequences))), empty, dtype=np.int64)
    for row, own in zip(made, sequences, strict=True):
        row[: len(own)] = own
    return made


def _costs(ours: Numbers, theirs: Numbers, edit: int, gain: int) -> NDArray[np.int32]:
    """[i, s, j]: edits between the first i items of our sequence s and the first j of theirs; equal ones are `gain`."""
    n, width = theirs.shape
    steps = edit * np.arange(width + 1, dtype=np.int32)
    table = np.empty((ours.shape[1] + 1, n, width + 1), dtype=np.int32)
    table[0] = steps
    for i in range(1, len(table)):
        before, row = table[i - 1], table[i]
        row[:, 0] = edit * i
        paired = before[:, :-1] + np.where(ours[:, i - 1, None] == theirs, gain, edit)
        np.minimum(before[:, 1:] + edit, paired, out=row[:, 1:], casting="same_kind")
        row[:] = np.minimum.accumulate(row - steps, axis=1) + steps  # and items of theirs dropped
    return table
