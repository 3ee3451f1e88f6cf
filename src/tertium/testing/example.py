"""Texts to check a metric with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Example:
    """Texts to check a metric with: two systems, references of which some are missing, sources."""

    hypotheses: tuple[str, ...]
    others: tuple[str, ...]
    streams: tuple[tuple[str | None, ...], ...]
    sources: tuple[str, ...]
    perfect: tuple[str, ...]  # segments of ten tokens and more

    def __len__(self) -> int:
        return len(self.hypotheses)

    def take(self, index: Iterable[int]) -> Example:
        """The segments with these numbers."""
        chosen = list(index)

        def pick(column: tuple[Any, ...]) -> tuple[Any, ...]:
            return tuple(column[i] for i in chosen)

        streams = tuple(pick(stream) for stream in self.streams)
        return Example(pick(self.hypotheses), pick(self.others), streams, pick(self.sources), self.perfect)


_TEXT = "the cat sat on a mat while Ünïcödé birds , 3.5 of them ( at least ) sang 東京 aloud again & again"
_WORDS = _TEXT.split()


def _example() -> Example:
    """Segments of all lengths, made of few words, so that they overlap; with empty and very long ones."""

    def text(seed: int, length: int) -> str:
        return " ".join(_WORDS[(seed * 7 + i * i * (seed % 5 + 1) + i) % len(_WORDS)] for i in range(length))

    lengths = [7, 0, 1, 12, 25, 3, 5, 0, 40, 9, 2, 70, 18, 140, 11, 6, 4, 33, 8, 21]
    n = range(len(lengths))
    hypotheses = [text(i, lengths[i]) for i in n]
    first = [text(i, max(0, lengths[i] + i % 3 - 1)) if i % 4 else hypotheses[i] for i in n]
    second = [None if i % 3 == 2 else text(i + 1, lengths[i] + 2) for i in n]
    third = [text(i * 3, 6) if i % 5 == 1 else None for i in n]
    first[1], first[2], hypotheses[7] = "", "", "\t \u3000"  # an empty reference, and white space
    streams: list[list[str | None]] = [
        [None if i == 4 else line for i, line in enumerate(first)],
        second,
        third,
    ]
    return Example(
        tuple(hypotheses),
        tuple(text(i + 5, 10 + i) for i in n),
        tuple(tuple(stream) for stream in streams),
        tuple(text(i + 2, 9) for i in n),
        tuple(" ".join(f"{word}{seed}" for word in _WORDS[: 10 + seed]) for seed in range(8)),
    )


EXAMPLE = _example()
