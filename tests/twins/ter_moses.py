"""The Moses evaluator's TER, slow and readable: what `native/ter_moses.hpp` must agree with.

It is TER with the roles exchanged: blocks of the *reference* are moved until it resembles the hypothesis.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

BEAM = 10  # cells that cost this much more than the best aligned pair of their column lead nowhere
MAX_SHIFT_SIZE = 10
MAX_SHIFT_DISTANCE = 25
MAX_CANDIDATES = 10  # shifts tried in one round

Words = list[str]


@dataclass(frozen=True)
class Path:
    """A cheapest way through the table: one letter an edit, = and S for pairs, M and F for single words."""

    cost: int
    steps: str


@dataclass(frozen=True)
class Shift:
    start: int
    size: int
    target: int  # -1: to the front


def ter_moses_edits(hypothesis: Words, reference: Words) -> int:
    """Edits between hypothesis and reference, as Moses counts them.

    >>> ter_moses_edits("c d a b".split(), "a b c d".split())
    1
    """
    kinds = ter_moses_kinds(hypothesis, reference)
    return sum(kinds)


def ter_moses_kinds(hypothesis: Words, reference: Words) -> tuple[int, int, int, int]:
    """Insertions (words only the reference has), deletions, substitutions, shifts."""
    if not hypothesis or not reference:
        return len(reference), len(hypothesis), 0, 0
    moved, fixed = list(reference), hypothesis
    path, shifts = cheapest_path(moved, fixed), 0
    while True:
        found = best_shift(moved, fixed, path)
        if found is None:
            return path.steps.count("M"), path.steps.count("F"), path.steps.count("S"), shifts
        moved = shifted(moved, found)
        path, shifts = cheapest_path(moved, fixed), shifts + 1


def cheapest_path(moved: Words, fixed: Words) -> Path:
    """Column j holds the cells in which j moved words are used up; a cell outside the beam is not left again."""
    columns: list[dict[int, tuple[float, str]]] = [{0: (0.0, "")}]
    best_pair = inf
    for j in range(len(moved) + 1):
        here: dict[int, tuple[float, str]] = columns[j]
        after: dict[int, tuple[float, str]] = {}
        bound = inf if j == len(moved) else best_pair + BEAM
        best_pair = inf
        for i in range(len(fixed) + 1):
            if i not in here or here[i][0] > bound:
                continue
            cost = here[i][0]
            if i < len(fixed) and j < len(moved):
                equal = fixed[i] == moved[j]
                pair = cost + (not equal)
                after[i + 1] = (pair, "=" if equal else "S")
                best_pair = min(best_pair, pair)
            if j < len(moved) and after.get(i, (inf, ""))[0] > cost + 1:
                after[i] = (cost + 1, "M")
            if i < len(fixed) and here.get(i + 1, (inf, ""))[0] > cost + 1:
                here[i + 1] = (cost + 1, "F")
        columns.append(after)
    i, j, steps = len(fixed), len(moved), ""
    while i or j:
        step = columns[j][i][1]
        steps = step + steps
        i -= step != "M"
        j -= step != "F"
    return Path(int(columns[len(moved)][len(fixed)][0]), steps)


def best_shift(moved: Words, fixed: Words, path: Path) -> Shift | None:
    """The shift that saves most, long blocks first; one that saves no more than it costs is still made."""
    best, best_total = None, path.cost
    candidates = shift_candidates(moved, fixed, path)[:MAX_CANDIDATES]
    for size in range(MAX_SHIFT_SIZE + 1, 0, -1):
        for shift in (s for s in candidates if s.size == size):
            saved, most = path.cost - best_total, 2 * size
            if saved > most or (best is not None and saved == most):
                return best  # no shorter block is tried either
            total = cheapest_path(shifted(moved, shift), fixed).cost + 1
            if total < best_total or (best is None and total == best_total):
                best, best_total = shift, total
    return best


def shift_candidates(moved: Words, fixed: Words, path: Path) -> list[Shift]:
    wrong_moved, wrong_fixed, partner = [False] * len(moved), [False] * len(fixed), [-1] * (len(fixed) + 1)
    i = j = 0
    for step in path.steps:
        if step == "M":
            wrong_moved[j] = True
        else:
            wrong_fixed[i] = step != "="
            partner[i] = j
            if step == "S":
                wrong_moved[j] = True
        i += step != "M"
        j += step != "F"
    found = []
    for start in range(len(moved)):
        places = [k for k in range(len(fixed)) if fixed[k] == moved[start]]
        if not any(
            partner[k] != start and -MAX_SHIFT_DISTANCE - 1 <= partner[k] - start <= MAX_SHIFT_DISTANCE
            for k in places
        ):
            continue
        for size in range(1, min(MAX_SHIFT_SIZE, len(moved) - start) + 1):
            block = moved[start : start + size]
            places = [k for k in range(len(fixed)) if fixed[k : k + size] == block]
            if not places:
                break
            if not any(wrong_moved[start : start + size]):
                continue
            reachable = [
                k
                for k in places
                if not start <= partner[k] < start + size and abs(partner[k] - start) <= MAX_SHIFT_DISTANCE
            ]
            if not reachable:
                break
            for k in reachable:
                if not any(wrong_fixed[k : k + size]):
                    continue
                if k == 0:
                    found.append(Shift(start, size, -1))
                for before in range(max(k - 1, 0), k + size):
                    if partner[before] != start and (before == k or partner[before] != partner[k]):
                        found.append(Shift(start, size, partner[before]))
    return found


def shifted(words: Words, shift: Shift) -> Words:
    """A block goes before an earlier target, behind a later one; a target within it counts from its end."""
    start, end = shift.start, shift.start + shift.size
    target = min(shift.target, len(words) - 1)
    block = words[start:end]
    if target < start:
        target = max(target, 0)
        return words[:target] + block + words[target:start] + words[end:]
    behind = target + 1 if target >= end else target - start + end
    return words[:start] + words[end:behind] + block + words[behind:]
