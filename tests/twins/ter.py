"""Translation edit rate, slow and readable: what `native/ter.hpp` must agree with."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, inf

BEAM_WIDTH = 25
MAX_SHIFT_SIZE = 10
MAX_SHIFT_DISTANCE = 50
MAX_CANDIDATES = 1000

Words = list[str]


@dataclass(frozen=True)
class Path:
    """A cheapest way to rewrite the hypothesis as the reference without shifts.

    ``landing[k]``: a block that is to follow the first k words of the reference goes before this word of the
    hypothesis.
    """

    cost: int
    matched_hypothesis: frozenset[int]
    matched_reference: frozenset[int]
    landing: list[int]


def ter_edits(hypothesis: list[str], reference: list[str]) -> int:
    """Edits that turn the hypothesis into the reference: insertions, deletions, substitutions, block shifts.

    Every round makes the one shift that lowers the edit distance most, until none lowers it:
    edits = shifts + edit distance of the shifted hypothesis. The limits are those of tercom and sacrebleu.

    Snover, Dorr, Schwartz, Micciulla, Makhoul (2006): A study of translation edit rate with targeted human
    annotation. AMTA.

    >>> ter_edits("c d a b".split(), "a b c d".split())
    1
    """
    if not reference:
        return len(hypothesis)
    shifts = 0
    candidates_left = MAX_CANDIDATES
    while True:
        path = cheapest_path(hypothesis, reference)
        candidates = shift_candidates(hypothesis, reference, path)
        candidates_left -= len(candidates)
        if candidates_left <= 0 or not candidates:
            return shifts + path.cost
        ranked = []
        for start, size, target in candidates:
            gain = path.cost - cheapest_path(shifted(hypothesis, start, size, target), reference).cost
            ranked.append((gain, size, -start, -target))
        gain, size, start, target = max(ranked)
        if gain <= 0:
            return shifts + path.cost
        hypothesis = shifted(hypothesis, -start, size, -target)
        shifts += 1


def beam(row: int, n_hypothesis: int, n_reference: int) -> range:
    """Columns of the table that are filled in this row: a stripe around the line between the corners."""
    if row == 0:
        return range(n_reference + 1)
    slope = n_reference / n_hypothesis
    width = ceil(slope / 2 + BEAM_WIDTH) if slope / 2 > BEAM_WIDTH else BEAM_WIDTH
    centre = floor(row * slope)
    end = n_reference + 1 if row == n_hypothesis else min(n_reference + 1, centre + width)
    return range(max(0, centre - width), end)


def cheapest_path(hypothesis: Words, reference: Words) -> Path:
    """Edit distance under the beam; its path prefers to align two words, then to delete, then to insert."""
    n, m = len(hypothesis), len(reference)
    cost: dict[tuple[int, int], float] = {}
    for i in range(n + 1):
        for j in beam(i, n, m):
            if i == 0:
                cost[i, j] = j
                continue
            cost[i, j] = min(
                cost.get((i - 1, j - 1), inf) + (j > 0 and hypothesis[i - 1] != reference[j - 1]),
                cost.get((i - 1, j), inf) + 1,
                cost.get((i, j - 1), inf) + 1,
            )

    matched_hypothesis, matched_reference = set(), set()
    landing = [0] * (m + 1)
    i, j = n, m
    while i or j:
        if j:
            landing[j] = i  # overwritten until the path leaves the column
        different = bool(i and j) and hypothesis[i - 1] != reference[j - 1]
        if i and j and cost.get((i - 1, j - 1), inf) + different == cost[i, j]:
            i, j = i - 1, j - 1
            if not different:
                matched_hypothesis.add(i)
                matched_reference.add(j)
        elif i and cost.get((i - 1, j), inf) + 1 == cost[i, j]:
            i -= 1
        else:
            j -= 1
    return Path(int(cost[n, m]), frozenset(matched_hypothesis), frozenset(matched_reference), landing)


def shift_candidates(hypothesis: Words, reference: Words, path: Path) -> list[tuple[int, int, int]]:
    """Shifts worth trying, as (start, size, target), each as often as places of the reference suggest it.

    A block qualifies if it stands in the reference too, not too far away; if it is not all right where it is,
    nor the reference's copy already all matched; and if that copy is not aligned with the block itself.
    """
    found = []
    for start in range(len(hypothesis)):
        for ref_start in range(len(reference)):
            if abs(ref_start - start) > MAX_SHIFT_DISTANCE:
                continue
            for size in range(1, MAX_SHIFT_SIZE + 1):
                block = range(start, start + size)
                copy = range(ref_start, ref_start + size)
                if block.stop > len(hypothesis) or copy.stop > len(reference):
                    break
                if hypothesis[block.stop - 1] != reference[copy.stop - 1]:
                    break
                if path.matched_hypothesis.issuperset(block) or path.matched_reference.issuperset(copy):
                    continue
                if path.landing[ref_start + 1] - 1 in block:
                    continue
                targets = {path.landing[k] for k in range(copy.start, copy.stop + 1)}
                found += [(start, size, target) for target in sorted(targets)]
    return found


def shifted(words: Words, start: int, size: int, target: int) -> Words:
    """The words with a block moved before the word at `target`.

    A target within the block, or at its end, moves it right by as many words as the target is past its start.
    """
    block, rest = words[start : start + size], words[:start] + words[start + size :]
    if target > start + size:
        target -= size
    return rest[:target] + block + rest[target:]
