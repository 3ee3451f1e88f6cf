"""A small word aligner: IBM model 1 (Brown and others 1993) in both directions, kept where both agree.

Model 1 knows no order: t(f | e), the probability that word e becomes word f, is learnt by expectation maximisation
from sentence pairs alone, with an empty word for what has no counterpart. Words spelt alike start ahead. Only when
the best link of a word is chosen, places near the diagonal count a little more and the empty word less (after Dyer,
Chahuneau and Smith 2013), so that of two equal words the nearer one is taken. It serves to see that word order differs,
on some thousand sentences; for more, use an aligner of its own and read its links in Pharaoh's format. The work is
native (native/ibm1.hpp); here words get their numbers.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tertium import _native

if TYPE_CHECKING:
    from tertium.text.alignment import Links

ITERATIONS = 5
TENSION = 2.0  # how much the diagonal counts
EMPTY = 0.08  # how much the empty word counts when the best link is chosen
ALIKE = 20.0  # how far ahead a word starts that is spelt as the other: names, numbers
LEARNT_FROM = 10_000  # sentence pairs, evenly spread over the corpus
LONGEST = 60  # words of a sentence that is learnt from
FLOOR = 1e-9  # what is less likely is no link
SETTINGS: dict[str, Any] = {
    "iterations": ITERATIONS,
    "longest": LONGEST,
    "most": LEARNT_FROM,
    "alike": ALIKE,
    "floor": FLOOR,
    "empty": EMPTY,
    "tension": TENSION,
}


def align(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    *,
    iterations: int = ITERATIONS,
    longest: int = LONGEST,
) -> list[Links]:
    """Links between the words of each sentence pair, case ignored.

    >>> align([["the", "house"], ["the", "book"], ["a", "book"]],
    ...     [["das", "Haus"], ["das", "Buch"], ["ein", "Buch"]])
    [((0, 0), (1, 1)), ((0, 0), (1, 1)), ((0, 0), (1, 1))]
    """
    if len(sources) != len(targets):
        raise ValueError(f"{len(sources)} sources and {len(targets)} targets")
    words = _Numbers()
    ours, starts = words.lines(sources)
    theirs = words.lines(targets)
    best = _native.ibm1_links(
        *(ours, starts),
        *theirs,
        len(words.folded),
        **(SETTINGS | {"iterations": iterations, "longest": longest}),
    ).tolist()
    return [
        tuple([(i, j) for i, j in enumerate(best[begin:end]) if j >= 0]) for begin, end in pairwise(starts)
    ]


class _Numbers(dict[str, int]):
    """Words by number, the same for both sides; those that differ only in case have one."""

    def __init__(self) -> None:
        self.folded: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        number = self.folded.setdefault(word.lower(), len(self.folded))
        self[word] = number
        return number

    def lines(self, sentences: Sequence[Sequence[str]]) -> tuple[array[int], array[int]]:
        """The words of all sentences, and where each sentence begins; at last where the words end."""
        words, starts = array("I"), array("q", [0])
        for sentence in sentences:
            words.extend(map(self.__getitem__, sentence))
            starts.append(len(words))
        return words, starts
