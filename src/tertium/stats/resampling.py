"""Seeded draws: bootstrap resamples as counts, shuffles of two systems as packed bits.

The stream is numpy's: `counts` counts the indices of `default_rng(seed).choice(n, (resamples, n))`, `swaps` packs
the bits of `default_rng(seed).integers(2, size=(trials, n), dtype=bool)`. So a seed means the same draws here as in
programs built on numpy, on every machine and with any number of threads.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from tertium import _native

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEED = 12345
BLOCK = 2**22  # draws held at a time
_WORD = 2**64


class Draws:
    """A stream of draws. Asking for more goes on where the last block ended.

    >>> [block.tolist() for block in Draws(7).counts(3, 2)]
    [[[0, 1, 2], [0, 1, 2]]]
    """

    def __init__(self, seed: int = SEED) -> None:
        self.seed = seed
        start = np.random.PCG64(seed).state["state"]
        state, increment = int(start["state"]), int(start["inc"])
        self._stream = _native.Pcg64(*divmod(state, _WORD), *divmod(increment, _WORD))

    def counts(self, n: int, resamples: int) -> Iterator[NDArray[np.int16]]:
        """Blocks of rows: how often each of `n` things is drawn in `n` draws with replacement (Efron 1979)."""
        for size in _blocks(n, resamples):
            yield np.asarray(self._stream.counts(n, size))

    def indices(self, n: int, resamples: int) -> Iterator[NDArray[np.uint32]]:
        """The same resamples, as the things drawn in their order."""
        for size in _blocks(n, resamples):
            yield np.asarray(self._stream.draws(n, size))

    def subsets(self, n: int, size: int, resamples: int) -> Iterator[NDArray[np.int16]]:
        """Blocks of rows: 1 for `size` of `n` things, drawn without replacement, and 0 for the others.

        >>> [block.sum(axis=1).tolist() for block in Draws(7).subsets(5, 3, 2)]
        [[3, 3]]
        """
        for rows in _blocks(n, resamples):
            yield np.asarray(self._stream.subsets(n, size, rows))

    def swaps(self, n: int, trials: int) -> Iterator[NDArray[np.uint8]]:
        """Blocks of rows with a fair coin for each of `n` things, packed from the lowest bit of each byte."""
        for size in _blocks(n // 8 + 1, trials):
            yield self.coins(n, size)

    @staticmethod
    def every_swap(n: int) -> NDArray[np.uint8]:
        """All ways in which `n` things change sides, those that only exchange the two sides once: 2^(n - 1) rows in the
        form of `coins`, the first of which changes nothing. For up to 16 things.

        >>> Draws.every_swap(3).tolist()
        [[0], [1], [2], [3]]
        """
        return np.arange(2 ** (n - 1), dtype="<u2")[:, None].view(np.uint8)[:, : (n + 7) // 8].copy()

    def coins(self, n: int, trials: int) -> NDArray[np.uint8]:
        """The same in one block."""
        return np.asarray(self._stream.coins(n, trials))


def _blocks(width: int, rows: int) -> Iterator[int]:
    step = max(1, BLOCK // max(1, width))
    step -= step % 32 if step > 32 else 0  # which is what kernels look at side by side
    for start in range(0, rows, step):
        yield min(step, rows - start)


def fresh_seed() -> int:
    """A seed nobody chose, small enough to be printed and typed again."""
    return secrets.randbits(32)
