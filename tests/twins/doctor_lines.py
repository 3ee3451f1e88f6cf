"""What the input doctor's native kernels find in lines, in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

Lines = Sequence[str | None]


def first_equal(lines: Lines, *, stripped: bool) -> list[int]:
    """The first line that is equal to each."""
    texts = [line.strip() if stripped and line is not None else line for line in lines]
    return [texts.index(text) for text in texts]


def displaced(own: Sequence[set[str]], other: Sequence[set[str]]) -> tuple[dict[int, int], int]:
    """Lines whose words in three lines at most, in either text, are in another line; and how many could be judged."""
    here, there = (Counter(word for line in text for word in line) for text in (own, other))
    lines, judged = {}, 0
    for i, words in enumerate(own):
        shared: Counter[int] = Counter()
        hits: Counter[int] = Counter()
        for word in words:
            if here[word] <= 3 and 0 < there[word] <= 3:
                for j, theirs in enumerate(other):
                    if word in theirs:
                        shared[j] += round(2**20 * math.log1p(len(other) / there[word]))
                        hits[j] += 1
        if not shared:
            continue
        best = min(shared, key=lambda j: (-shared[j], j != i, j))
        if hits[best] >= 2:
            judged += 1
            if best != i and shared[best] > 2 * shared[i]:
                lines[i] = best
    return lines, judged


def gains(own: Sequence[set[str]], other: Sequence[set[str]], distance: int) -> list[tuple[int, float, bool]]:
    """Lines that fit better or worse so far away: by what share of the weight of their words, whether by more words."""
    there = Counter(word for line in other for word in line)
    weight = {word: math.log1p(len(other) / count) for word, count in there.items()}
    found = []
    for i, words in enumerate(own):
        away = i + distance
        theirs = other[away] if 0 <= away < len(other) else set()
        home = other[i] if i < len(other) else set()
        moved = {word: (word in theirs) - (word in home) for word in words}
        known = sum(weight.get(word, 0.0) for word in words)
        gain = sum(weight.get(word, 0.0) * moved[word] for word in words) / (known or 1)
        if not 0 <= away < len(other):
            found.append((i, -1.0, sum(moved.values()) > 0))
        elif any(moved.values()):
            found.append((i, gain, sum(moved.values()) > 0))
    return found


def language(
    words: Sequence[str], tables: Sequence[set[str]], expected: int, others: Sequence[int]
) -> tuple[int, bool]:
    """The place of the language that a line is in, by function words (-1: none), and whether it surely is in none."""
    best, most, settled = -1, -1, True
    ours_of_all = sum(word in tables[expected] for word in words)
    for k, code in enumerate(others):
        theirs = sum(word in tables[code] - tables[expected] for word in words)
        ours = sum(word in tables[expected] - tables[code] for word in words)
        if theirs >= 2 and theirs > 2 * ours and theirs - ours > most:
            best, most = k, theirs - ours
        settled &= (theirs == 0 and ours_of_all > 2) or ours - theirs >= 2
    return best, settled
