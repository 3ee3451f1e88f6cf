"""GTM as one would explain it on paper: the slow twin of native/gtm.hpp.

Turian, Shen and Melamed, "Evaluation of machine translation and its evaluation", 2003. Always takes the longest
run of words that are still free in both texts; of equally long ones the last in the hypothesis, then the last in
the references, which stand one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence


def matching(hypothesis: Sequence[str], references: Sequence[Sequence[str]], exponent: float) -> float:
    """The sum of run^e, to the power of 1/e."""
    theirs: list[str | None] = []
    for reference in references:
        theirs += [*reference, None]
    own_free, their_free = set(range(len(hypothesis))), set(range(len(theirs)))

    def run(x: int, y: int) -> int:
        k = 0
        while x + k in own_free and y + k in their_free and hypothesis[x + k] == theirs[y + k]:
            k += 1
        return k

    left = sum(map(len, references)) / len(references)
    total = 0.0
    while left > 0:
        length, x, y = max(((run(x, y), x, y) for x in own_free for y in their_free), default=(0, 0, 0))
        if length == 0:
            break
        own_free -= set(range(x, x + length))
        their_free -= set(range(y, y + length))
        total += min(length, left) ** exponent
        left -= length
    return float(total ** (1 / exponent))
