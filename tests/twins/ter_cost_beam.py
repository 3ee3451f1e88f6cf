"""TER as tercom and the Moses evaluator compute it, slow and readable: what `native/ter_cost_beam.hpp` must agree with.

Moses exchanges the roles: blocks of the *reference* are moved until it resembles the hypothesis.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

MAX_SHIFT_SIZE = 10

Words = list[str]


@dataclass(frozen=True)
class Rules:
    """Where the two differ."""

    beam: int  # cells that cost this much more than the best aligned pair of their column lead nowhere
    max_distance: int
    max_candidates: int | None  # shifts tried in one round
    is_moses: bool


TERCOM = Rules(20, 50, None, is_moses=False)
MOSES = Rules(10, 25, 10, is_moses=True)


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


def ter_kinds(hypothesis: Words, reference: Words, rules: Rules) -> tuple[int, int, int, int]:
    """Insertions (words only the reference has), deletions, substitutions, shifts.

    >>> ter_kinds("c d a b".split(), "a b c d".split(), TERCOM)
    (0, 0, 0, 1)
    """
    if not hypothesis or not reference:
        return len(reference), len(hypothesis), 0, 0
    moved, fixed = (reference, hypothesis) if rules.is_moses else (hypothesis, reference)
    path, shifts = cheapest_path(moved, fixed, rules), 0
    while (found := best_shift(moved, fixed, path, rules)) is not None:
        moved = shifted(moved, found, rules)
        path, shifts = cheapest_path(moved, fixed, rules), shifts + 1
    only_moved, only_fixed = path.steps.count("M"), path.steps.count("F")
    insertions, deletions = (only_moved, only_fixed) if rules.is_moses else (only_fixed, only_moved)
    return insertions, deletions, path.steps.count("S"), shifts


def cheapest_path(moved: Words, fixed: Words, rules: Rules) -> Path:
    """Column j holds the cells in which j moved words are used up; a cell outside the beam is not left again."""
    columns: list[dict[int, tuple[float, str]]] = [{0: (0.0, "")}]
    best_pair = inf
    for j in range(len(moved) + 1):
        here: dict[int, tuple[float, str]] = columns[j]
        after: dict[int, tuple[float, str]] = {}
        bound = inf if j == len(moved) else best_pair + rules.beam
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


def best_shift(moved: Words, fixed: Words, path: Path, rules: Rules) -> Shift | None:
    """The shift that saves most, long blocks first; one that saves no more than it costs is still made."""
    best, best_total = None, path.cost
    candidates = shift_candidates(moved, fixed, path, rules)[: rules.max_candidates]
    for size in range(MAX_SHIFT_SIZE + 1, 0, -1):
        for shift in (s for s in candidates if s.size == size):
            saved, most = path.cost - best_total, 2 * size
            if saved > most or (best is not None and saved == most):
                return best  # no shorter block is tried either
            total = cheapest_path(shifted(moved, shift, rules), fixed, rules).cost + 1
            if total < best_total or (best is None and total == best_total):
                best, best_total = shift, total
    return best


def shift_candidates(moved: Words, fixed: Words, path: Path, rules: Rules) -> list[Shift]:
    wrong_moved, wrong_fixed, partner = [False] * len(moved), [False] * len(fixed), [-1] * (len(fixed) + 1)
    i = j = 0
    for step in path.steps:
        if step == "M":
            wrong_moved[j] = True
        else:
            wrong_fixed[i] = step != "="
            partner[i] = j - 1 if step == "F" and not rules.is_moses else j
            if step == "S":
                wrong_moved[j] = True
        i += step != "M"
        j += step != "F"
    found = []
    for start in range(len(moved)):
        places = [k for k in range(len(fixed)) if fixed[k] == moved[start]]
        if not any(
            partner[k] != start and -rules.max_distance - 1 <= partner[k] - start <= rules.max_distance
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
                if not start <= partner[k] < start + size and abs(partner[k] - start) <= rules.max_distance
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


def shifted(words: Words, shift: Shift, rules: Rules) -> Words:
    """A block goes behind its target (Moses: before an earlier one); a target within it counts from its end."""
    start, end = shift.start, shift.start + shift.size
    target = min(shift.target, len(words) - 1)
    block = words[start:end]
    if target < start:
        target = max(target, 0) if rules.is_moses else target + 1
        return words[:target] + block + words[target:start] + words[end:]
    behind = target + 1 if target >= end else target - start + end
    return words[:start] + words[end:behind] + block + words[behind:]
