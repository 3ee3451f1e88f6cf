"""The monolingual aligner as one would explain it on paper: the slow twin of native/aligner*.hpp.

Sultan, Bethard and Sumner, "Back to basics for monolingual alignment", 2014, as Libovický, Brovelli and Cartoni (2018)
use it; here the evidence of their rules is weighed, in two rounds.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

CONTENT, FUNCTION, SIGN = range(3)
NO_RELATION = 255
EQUAL, STEM, SYNONYM, PARAPHRASE, IN_PHRASE, NONE = range(6)
MANY, NEAREST, AROUND, FAR, KIDS, LETTERS = 64, 4, 8, 256, 8, 24
NEAR = ((1, -1), (-1, 1), (-1, 2), (1, -2), (-2, 1), (2, -1))
Place = tuple[int, int]


@dataclass
class Side:
    """A text: words in lower case, their stems, classes and sets of synonyms; a tree where there is one."""

    words: Sequence[str]
    stems: Sequence[object]
    classes: Sequence[int]
    sets: Sequence[frozenset[int]] = ()
    tags: Sequence[int] = ()
    heads: Sequence[int] = ()
    relations: Sequence[int] = ()
    kids: list[list[int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.kids = [[] for _ in self.words]
        for place, head in enumerate(self.heads):
            if head >= 0:
                self.kids[head].append(place)
        self.kids = [kids[:KIDS] for kids in self.kids]


def letters(one: str, other: str) -> float:
    """Dice's coefficient of pairs of neighbouring letters, of the first 24."""
    a, b = (
        Counter(word[k : k + 2] for k in range(max(1, len(word) - 1)))
        for word in (one[:LETTERS], other[:LETTERS])
    )
    return 2 * (a & b).total() / (a.total() + b.total())


def has_digit(word: str) -> bool:
    return any(character in "0123456789" for character in word)


class Aligning:
    """Two texts while they are aligned."""

    def __init__(self, ours: Side, theirs: Side) -> None:
        self.a, self.b = ours, theirs
        self.n, self.m = len(ours.words), len(theirs.words)
        self.parsed = bool(ours.heads) and bool(theirs.heads)
        self.our_places: defaultdict[object, list[int]] = defaultdict(list)
        self.their_places: defaultdict[object, list[int]] = defaultdict(list)
        for side, places in ((ours, self.our_places), (theirs, self.their_places)):
            for place, stem in enumerate(side.stems):
                places[stem].append(place)

    def diagonal(self, i: int) -> int:
        return (2 * i + 1) * self.m // (2 * self.n)

    def nearest(self, i: int, places: Iterable[int], most: int) -> list[int]:
        return sorted(places, key=lambda j: (abs(j - self.diagonal(i)), j))[:most]

    def same(self, i: int, j: int) -> bool:
        return 0 <= i < self.n and 0 <= j < self.m and self.a.stems[i] == self.b.stems[j]

    def candidates(self) -> dict[Place, int]:
        """Places that may be linked at once, and why."""
        found: dict[Place, int] = {}
        for i, stem in enumerate(self.a.stems):
            places = self.their_places[stem]
            if len(places) * len(self.our_places[stem]) > MANY:
                near = self.nearest(i, places, MANY)
                between = [j for j in near[NEAREST:] if self.same(i - 1, j - 1) or self.same(i + 1, j + 1)]
                places = near[:NEAREST] + between[:AROUND]
            for j in places:
                found[i, j] = EQUAL if self.a.words[i] == self.b.words[j] else STEM
        for i in range(self.n):
            for j in self.nearest(i, self.synonyms(i), AROUND):
                found.setdefault((i, j), SYNONYM)
        for i in range(self.n):
            begin = self.a.words[i][:4]
            alike = [
                j
                for j in range(self.m)
                if min(len(self.a.words[i]), len(self.b.words[j])) >= 5
                and self.b.words[j][:4] == begin
                and self.b.classes[j] != SIGN
                and not self.same(i, j)
            ]
            for j in self.nearest(i, alike, NEAREST):
                found.setdefault((i, j), NONE)
        return found

    def synonyms(self, i: int) -> list[int]:
        return [j for j in range(self.m) if self.synonymous(i, j) and abs(j - self.diagonal(i)) <= FAR]

    def synonymous(self, i: int, j: int) -> bool:
        if not self.a.sets or SIGN in (self.a.classes[i], self.b.classes[j]) or self.same(i, j):
            return False
        return bool(self.a.sets[i] & self.b.sets[j])

    def kind(self, i: int, j: int) -> int:
        if self.a.words[i] == self.b.words[j]:
            return EQUAL
        if self.same(i, j):
            return STEM
        return SYNONYM if self.synonymous(i, j) else NONE

    def link_class(self, i: int, j: int) -> int:
        one, other = self.a.classes[i], self.b.classes[j]
        return SIGN if SIGN in (one, other) else one if one == other else 3

    def relation(self, i: int, j: int) -> bool:
        return self.a.relations[i] == self.b.relations[j] != NO_RELATION

    def first(self, i: int, j: int, kind: int) -> list[float]:
        """What the words and their surroundings say."""
        a, b, n, m = self.a, self.b, self.n, self.m
        found = [float(kind == one) for one in range(NONE)]
        alike = letters(a.words[i], b.words[j]) if kind != EQUAL else 0.0
        ours, theirs = has_digit(a.words[i]), has_digit(b.words[j])
        found += [alike if alike > 0.3 else 0.0, 0.0, 0.0]  # no vectors here
        found += [ours != theirs, kind != EQUAL and ours and theirs]
        left, right = self.same(i - 1, j - 1), self.same(i + 1, j + 1)
        found += [left or i == j == 0, right or (i == n - 1 and j == m - 1)]
        found += [
            self.same(i + 2 * d, j + 2 * d) or self.same(i + d, j + 2 * d) or self.same(i + 2 * d, j + d)
            for d in (-1, 1)
        ]
        run, ambiguous = 0, 0.0
        if kind in (EQUAL, STEM):
            run = 1 + left + (left and self.same(i - 2, j - 2)) + right + (right and self.same(i + 2, j + 2))
            counts = len(self.their_places[a.stems[i]]), len(self.our_places[a.stems[i]])
            ambiguous = sum(math.log(min(8, max(1, count))) for count in counts)
        found += [run == 2, run >= 3, ambiguous, abs((i + 0.5) / n - (j + 0.5) / m)]
        around = sum(
            a.classes[x] == b.classes[y] == CONTENT and self.same(x, y)
            for x in range(max(0, i - 3), min(n, i + 4))
            for y in range(max(0, j - 3), min(m, j + 4))
            if x != i and y != j
        )
        found.append(min(4, around) / 4)
        return [float(value) for value in found + (self.tree(i, j) if self.parsed else [0.0] * 6)]

    def tree(self, i: int, j: int) -> list[float]:
        a, b, same = self.a, self.b, self.relation(i, j)
        x, y = a.heads[i], b.heads[j]
        heads = (
            self.same(x, y)
            if x >= 0 and y >= 0
            else x < 0 and y < 0 and SIGN not in (a.classes[i], b.classes[j])
        )
        pairs = [a.relations[p] == b.relations[q] for p in a.kids[i] for q in b.kids[j] if self.same(p, q)]
        counts = [min(3, pairs.count(equivalent)) / 3 for equivalent in (False, True)]
        return [a.tags[i] == b.tags[j] != NO_RELATION, same, heads and not same, heads and same, *counts]

    def chosen(self, scores: dict[Place, float], least: float) -> dict[int, int]:
        """Best first, one to one."""
        links: dict[int, int] = {}
        taken: set[int] = set()
        for score, i, j in sorted((-score, i, j) for (i, j), score in scores.items()):
            if -score >= least and i not in links and j not in taken:
                links[i] = j
                taken.add(j)
        return links

    def near(self, links: dict[int, int]) -> set[Place]:
        """Places next to links, in the text or in the tree."""
        found: set[Place] = set()
        for i in range(self.n):
            found |= {
                (i, links[i + x] + y) for x, y in NEAR if i + x in links and 0 <= links[i + x] + y < self.m
            }
        found = {(i, j) for i, j in found if (self.a.classes[i] == SIGN) == (self.b.classes[j] == SIGN)}
        for i in range(self.n if self.parsed else 0):
            head = links.get(self.a.heads[i], -1)
            found |= {(i, j) for j in (self.b.kids[head] if head >= 0 else ()) if self.relation(i, j)}
            for kid in self.a.kids[i]:
                y = links.get(kid, -1)
                if y >= 0 and self.b.heads[y] >= 0 and self.relation(kid, y):
                    found.add((i, self.b.heads[y]))
        return found

    def second(
        self, place: Place, score: float, links: dict[int, int], scores: dict[Place, float]
    ) -> list[float]:
        """What links of the first round say."""
        (i, j), n, m = place, self.n, self.m
        back = {y: x for x, y in links.items()}
        rivals = (
            max((s for (x, y), s in scores.items() if x == i and y != j), default=-6.0),
            max((s for (x, y), s in scores.items() if x != i and y == j), default=-6.0),
        )
        found = [
            bounded(score),
            links.get(i) == j,
            links.get(i, j) != j,
            back.get(j, i) != i,
            *map(bounded, rivals),
        ]
        found.append(links.get(i - 1) == j - 1 if i and j else i == j)
        found.append(links.get(i + 1) == j + 1 if i + 1 < n and j + 1 < m else i + 1 == n and j + 1 == m)
        il, ir = max((x for x in links if x < i), default=-1), min((x for x in links if x > i), default=n)
        jl, jr = max((y for y in back if y < j), default=-1), min((y for y in back if y > j), default=m)
        to_left, to_right = links.get(il, -1), links.get(ir, m)
        left, right = min(6, abs((j - to_left) - (i - il))), min(6, abs((to_right - j) - (ir - i)))
        found += [left / 6, right / 6, min(left, right) / 6, to_left < j < to_right]
        sides = back.get(jl, -1) == il, back.get(jr, n) == ir
        ours, theirs, gap = ir - il - 1, jr - jl - 1, all(sides)
        found += [gap, sides[0] != sides[1], gap and ours == theirs == 1, gap and ours == theirs]
        found.append(min(8, ours + theirs - 2) / 8 if gap else 0.0)
        return [
            float(value)
            for value in found + (self.linked_tree(i, j, links, back) if self.parsed else [0.0] * 6)
        ]

    def linked_tree(self, i: int, j: int, links: dict[int, int], back: dict[int, int]) -> list[float]:
        a, b, same = self.a, self.b, self.relation(i, j)
        x, y = a.heads[i], b.heads[j]
        above, their_above = links.get(x, -1), back.get(y, -1)
        heads = y >= 0 and above == y
        pairs = [
            a.relations[kid] == b.relations[links[kid]]
            for kid in a.kids[i]
            if kid in links and b.heads[links[kid]] == j
        ]
        counts = [min(3, pairs.count(equivalent)) / 3 for equivalent in (False, True)]
        turned = (above >= 0 and b.heads[above] == j) or (their_above >= 0 and a.heads[their_above] == i)
        return [heads and not same, heads and same, y >= 0 and above >= 0 and not heads, *counts, turned]


def bounded(score: float) -> float:
    return min(6.0, max(-6.0, score)) / 3


def weighed(weights: Sequence[float], evidence: Sequence[float]) -> float:
    total = weights[-1]
    for weight, value in zip(weights[:-1], evidence, strict=True):
        total += weight * value
    return total


def align(
    ours: Side,
    theirs: Side,
    first: Sequence[Sequence[float]],
    second: Sequence[Sequence[float]],
    least: float,
) -> tuple[Place, ...]:
    """Links, in order."""
    work = Aligning(ours, theirs)
    kinds = work.candidates() if ours.words and theirs.words else {}
    evidence = {(i, j): work.first(i, j, kind) for (i, j), kind in kinds.items()}
    scores = {place: weighed(first[work.link_class(*place)], found) for place, found in evidence.items()}
    links = work.chosen(scores, 0.0)
    every = dict(scores)
    for i, j in work.near(links) - set(scores):
        evidence[i, j] = work.first(i, j, work.kind(i, j))
        every[i, j] = weighed(first[work.link_class(i, j)], evidence[i, j])
    again = {
        place: weighed(
            second[work.link_class(*place)], evidence[place] + work.second(place, score, links, scores)
        )
        for place, score in every.items()
    }
    return tuple(sorted(work.chosen(again, least).items()))
