"""Whether a regular expression can take the same text in exponentially many ways.

The characters of the expression are the states of an automaton (Glushkov 1961): from one to the next there is an edge
for each way through the expression. Two different ways from a state back to itself over the same text are what makes a
matcher that goes back take exponential time (Weber and Seidl 1991). They show in the automaton that walks two ways at
once: a cycle through a pair (p, p) and a pair (q, r) with q other than r, or one of two edges between the same states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
ATOMS = ("LITERAL", "NOT_LITERAL", "ANY", "IN")
LOOKS = ("ASSERT", "ASSERT_NOT")
# Where classes overlap is seen on these: the alphabets of Europe and their signs, other scripts by example.
_CHARACTERS = frozenset(map(chr, range(1, 0x600))) | frozenset("–—…€अกあ一가，")


def nodes(tree: Any) -> Iterator[tuple[str, Any]]:
    """All nodes of an expression as `re` parses it, from the outside in."""
    for operation, value in tree:
        name = str(operation)
        yield name, value
        for part in parts(name, value):
            yield from nodes(part)


_PARTS: dict[str, Callable[[Any], Iterable[Any]]] = {
    **{name: lambda value: [value[2]] for name in REPEATS},
    **{name: lambda value: [value[1]] for name in LOOKS},
    "SUBPATTERN": lambda value: [value[3]],
    "ATOMIC_GROUP": lambda value: [value],
    "BRANCH": lambda value: value[1],
}


def parts(name: str, value: Any) -> list[Any]:
    """The expressions inside a node."""
    found = _PARTS.get(name)
    return [] if found is None else list(found(value))


def atoms(tree: Any) -> Iterator[tuple[str, Any]]:
    """The single characters and classes that take text."""
    for operation, value in tree:
        name = str(operation)
        if name in ATOMS:
            yield name, value
        elif name not in LOOKS:
            for part in parts(name, value):
                yield from atoms(part)


def ambiguous(tree: Any) -> bool:
    """Whether some repeat can take the same text in two ways. Looks around are expressions of their own; edges of
    words are not seen, so that a harmless expression may be called ambiguous, but no other one harmless."""
    looks = [value[1] for name, value in nodes(tree) if name in LOOKS]
    return any(map(_ambiguous, [tree, *looks]))


@dataclass
class _Ways:
    """How an expression begins and ends, by the number of ways: states that come first and last; taking nothing."""

    nothing: int
    first: Counter[int] = field(default_factory=Counter)
    last: Counter[int] = field(default_factory=Counter)


class _Automaton:
    def __init__(self, universe: frozenset[str]) -> None:
        self.universe = universe
        self.states: list[frozenset[str]] = []
        self.edges: list[Counter[int]] = []
        self.ambiguous = False

    def sequence(self, tree: Any) -> _Ways:
        whole = _Ways(1)
        for operation, value in tree:
            part = self._part(str(operation), value)
            self._join(whole.last, part.first)
            whole = _Ways(
                whole.nothing * part.nothing,
                whole.first + _times(part.first, whole.nothing),
                part.last + _times(whole.last, part.nothing),
            )
        return whole

    def _part(self, name: str, value: Any) -> _Ways:
        if name in ATOMS:
            self.states.append(characters([(name, value)], self.universe))
            self.edges.append(Counter())
            state = len(self.states) - 1
            return _Ways(0, Counter([state]), Counter([state]))
        if name == "BRANCH":
            ways = [self.sequence(way) for way in parts(name, value)]
            return _Ways(
                sum(way.nothing for way in ways),
                sum((way.first for way in ways), Counter()),
                sum((way.last for way in ways), Counter()),
            )
        if name in REPEATS:
            return self._repeat(*value)
        inner = [] if name in LOOKS else parts(name, value)
        return self.sequence(inner[0]) if inner else _Ways(1)

    def _repeat(self, least: int, most: int, body: Any) -> _Ways:
        found = self.sequence(body)
        if most > 1:
            self.ambiguous |= (
                found.nothing > 0
            )  # a turn may take nothing, or the next one what it could have taken
            self._join(found.last, found.first)
        return _Ways(max(found.nothing, int(least == 0)), found.first, found.last)

    def _join(self, last: Counter[int], first: Counter[int]) -> None:
        for p, ways in last.items():
            for q, more in first.items():
                self.edges[p][q] += ways * more


def _times(ways: Counter[int], factor: int) -> Counter[int]:
    return Counter({state: n * factor for state, n in ways.items()} if factor else {})


def _ambiguous(tree: Any) -> bool:
    machine = _Automaton(_universe(tree))
    machine.sequence(tree)
    if machine.ambiguous:
        return True
    overlap = [[not left.isdisjoint(right) for right in machine.states] for left in machine.states]
    after: dict[tuple[int, int], list[tuple[int, int]]] = {}

    def following(pair: tuple[int, int]) -> list[tuple[int, int]]:
        if pair not in after:
            p, q = pair
            after[pair] = [(a, b) for a in machine.edges[p] for b in machine.edges[q] if overlap[a][b]]
        return after[pair]

    for state, edges in enumerate(machine.edges):
        start = (state, state)
        reached = _reachable([start], following)
        if start not in reached:
            continue  # on no cycle
        if any(
            ways > 1 and start in _reachable([(to, to)], following, itself=True) for to, ways in edges.items()
        ):
            return True
        apart = [pair for pair in reached if pair[0] != pair[1]]
        if apart and start in _reachable(apart, following):
            return True
    return False


def _reachable(
    starts: Iterable[tuple[int, int]],
    following: Callable[[tuple[int, int]], list[tuple[int, int]]],
    *,
    itself: bool = False,
) -> set[tuple[int, int]]:
    """Where one can get in one step or more; with `itself` also in none."""
    waiting = list(starts)
    seen = set(waiting) if itself else set()
    while waiting:
        for pair in following(waiting.pop()):
            if pair not in seen:
                seen.add(pair)
                waiting.append(pair)
    return seen


def characters(found: Iterable[tuple[str, Any]], universe: frozenset[str] = _CHARACTERS) -> frozenset[str]:
    """The characters of the universe that any of these atoms can take, in either case."""
    taken: set[str] = set()
    for name, value in found:
        if name == "IN":
            negated = str(value[0][0]) == "NEGATE"
            inside = set().union(*(_class(str(kind), of, universe) for kind, of in value[negated:]))
            taken |= universe - inside if negated else inside
        elif name == "ANY":
            taken |= universe - {"\n"}
        else:
            one = _class("LITERAL", value, universe)
            taken |= universe - one if name == "NOT_LITERAL" else one
    return frozenset(taken)


def _universe(tree: Any) -> frozenset[str]:
    """The characters on which classes are compared: ours, and those that the expression names."""
    named: set[str] = set()
    for name, value in nodes(tree):
        for kind, of in value if name == "IN" else [(name, value)]:
            if str(kind) in ("LITERAL", "NOT_LITERAL"):
                named |= _any_case(chr(of))
            elif str(kind) == "RANGE":
                named |= {chr(of[0]), chr(of[1])}
    return _CHARACTERS | named


@lru_cache(maxsize=1024)
def _class(kind: str, of: Any, universe: frozenset[str]) -> frozenset[str]:
    if kind == "LITERAL":
        return _any_case(chr(of))
    if kind == "RANGE":
        low, high = of
        return frozenset().union(*(_any_case(c) for c in universe if low <= ord(c) <= high))
    category = str(of)
    found = frozenset(c for c in universe if _CATEGORIES[category.rpartition("_")[2]](c))
    return universe - found if "_NOT_" in category else found


def _any_case(c: str) -> frozenset[str]:
    return frozenset({c, *(other for other in (c.lower(), c.upper()) if len(other) == 1)})


_CATEGORIES: dict[str, Callable[[str], bool]] = {
    "WORD": lambda c: c.isalnum() or c == "_",
    "DIGIT": str.isdecimal,
    "SPACE": str.isspace,
}
