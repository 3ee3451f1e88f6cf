"""Resampling as one would explain it on paper: the slow twin of native/pcg64.hpp and native/weighted_sums.hpp.

PCG64 (Melissa O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
Generation", 2014): a 128-bit number is multiplied and increased; its two halves, xored and rotated, are the output.
Numbers below n are the upper halves of products with 32 random bits (Daniel Lemire, 2019).
"""

from __future__ import annotations

from collections.abc import Sequence

MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645


class Stream:
    """Random numbers from a state and an increment."""

    def __init__(self, state: int, increment: int) -> None:
        self.state, self.increment = state, increment
        self.halves: list[int] = []
        self.bits: list[int] = []

    def word(self) -> int:
        self.state = (self.state * MULTIPLIER + self.increment) % 2**128
        high, low = divmod(self.state, 2**64)
        turn = self.state >> 122
        mixed = high ^ low
        return (mixed >> turn | mixed << (64 - turn)) % 2**64

    def half(self) -> int:
        if not self.halves:
            word = self.word()
            self.halves = [word >> 32, word % 2**32]
        return self.halves.pop()

    def below(self, n: int) -> int:
        self.bits = []
        if n == 1:
            return 0
        while True:
            number, rest = divmod(self.half() * n, 2**32)
            if rest >= 2**32 % n:
                return number

    def subset(self, n: int, size: int) -> list[int]:
        """1 for each thing that is taken: of what is left, as many as are still wanted."""
        taken: list[int] = []
        for i in range(n):
            taken.append(int(self.below(n - i) < size - sum(taken)))
        return taken

    def coin(self) -> int:
        if not self.bits:
            half = self.half()
            self.bits = [half >> place & 1 for place in reversed(range(32))]
        return self.bits.pop()


def weighted(rows: Sequence[Sequence[int]], weights: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each row of weights the sum of the rows, each times its weight."""
    columns = list(zip(*rows, strict=True))
    return [
        [sum(w * value for w, value in zip(row, column, strict=True)) for column in columns]
        for row in weights
    ]


def swapped(
    ours: Sequence[Sequence[int]], theirs: Sequence[Sequence[int]], masks: Sequence[Sequence[int]]
) -> tuple[list[list[int]], list[list[int]]]:
    """Both totals after the rows whose mask is 1 have changed sides."""
    first, second = [], []
    for mask in masks:
        left = [b if bit else a for a, b, bit in zip(ours, theirs, mask, strict=True)]
        right = [a if bit else b for a, b, bit in zip(ours, theirs, mask, strict=True)]
        first.append([sum(column) for column in zip(*left, strict=True)])
        second.append([sum(column) for column in zip(*right, strict=True)])
    return first, second
