"""How well chains of mentions agree with others: MUC, B-cubed, CEAF, LEA and BLANC, as the CoNLL scorer defines them.

A chain is a set of mentions; what a mention is does not matter as long as equal ones are equal. Mentions may be in one
side only (Pradhan et al. 2014). Every measure is a recall and a precision, each a fraction whose parts add over
documents, so that a corpus has the sums of its documents' parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import NamedTuple

Chains = Sequence[Collection[Hashable]]


class Fraction(NamedTuple):
    """A part of a whole; parts add. A whole of nothing is 0, as the CoNLL scorer has it."""

    part: float = 0.0
    whole: float = 0.0

    @property
    def value(self) -> float:
        return self.part / self.whole if self.whole else 0.0

    def plus(self, other: Fraction) -> Fraction:
        return Fraction(self.part + other.part, self.whole + other.whole)


class Agreement(NamedTuple):
    """Recall and precision of chains, and their F1."""

    recall: Fraction
    precision: Fraction

    @property
    def f1(self) -> float:
        r, p = self.recall.value, self.precision.value
        return 2 * r * p / (r + p) if r + p else 0.0

    def plus(self, other: Agreement) -> Agreement:
        return Agreement(self.recall.plus(other.recall), self.precision.plus(other.precision))


class Blanc(NamedTuple):
    """BLANC (Luo et al. 2014): the mean over links that corefer and links that do not."""

    links: Agreement
    others: Agreement
    same: bool = False  # both sides are one and the same mention: nothing is linked, and nothing is wrong

    @property
    def recall(self) -> float:
        return self._mean(self.links.recall.value, self.others.recall.value)

    @property
    def precision(self) -> float:
        return self._mean(self.links.precision.value, self.others.precision.value)

    @property
    def f1(self) -> float:
        return self._mean(self.links.f1, self.others.f1)

    def _mean(self, linked: float, unlinked: float) -> float:
        """Of both kinds of links, or of the one that the key has."""
        known = [
            value for value, key in ((linked, self.links.recall), (unlinked, self.others.recall)) if key.whole
        ]
        return sum(known) / len(known) if known else float(self.same)

    def plus(self, other: Blanc) -> Blanc:
        return Blanc(self.links.plus(other.links), self.others.plus(other.others), self.same and other.same)


def mentions(key: Chains, response: Chains) -> Agreement:
    """Mentions that both sides have.

    >>> found = mentions([["a", "b"]], [["a", "c"]])
    >>> found.recall, found.f1
    (Fraction(part=1, whole=2), 0.5)
    """
    ours, theirs = _places(key), _places(response)
    both = len(ours.keys() & theirs.keys())
    return Agreement(Fraction(both, len(ours)), Fraction(both, len(theirs)))


def muc(key: Chains, response: Chains) -> Agreement:
    """Links that have to be added (Vilain et al. 1995): of a chain of n mentions in m pieces, n - m of n - 1 are there.

    >>> round(muc([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]]).f1, 4)
    0.6667
    """
    return _both_ways(key, response, _muc)


def _muc(chains: Chains, places: Mapping[Hashable, int]) -> Fraction:
    part = whole = 0
    for chain in chains:
        pieces = Counter(places.get(mention, -1) for mention in chain)
        alone = pieces.pop(-1, 0)  # mentions that the other side lacks are pieces of their own
        part += len(chain) - len(pieces) - alone
        whole += len(chain) - 1
    return Fraction(part, whole)


def b_cubed(key: Chains, response: Chains) -> Agreement:
    """For each mention the share of its chain that the other side has with it (Bagga and Baldwin 1998).

    >>> round(b_cubed([["a", "b", "c"], ["d", "e"], ["f"]], [["a", "b"], ["c", "d", "e"], ["f"]]).f1, 4)
    0.7778
    """
    return _both_ways(key, response, _b_cubed)


def _b_cubed(chains: Chains, places: Mapping[Hashable, int]) -> Fraction:
    part = 0.0
    for chain in chains:
        together = Counter(places[mention] for mention in chain if mention in places)
        part += sum(n * n for n in together.values()) / len(chain)
    return Fraction(part, sum(map(len, chains)))


def lea(key: Chains, response: Chains) -> Agreement:
    """Links of a chain that the other side has, chains by their size (Moosavi and Strube 2016); a single mention links
    to itself.

    >>> round(lea([["a", "b", "c"], ["d", "e", "f", "g"]], [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]).f1, 4)
    0.2778
    """
    return _both_ways(key, response, _lea)


def _lea(chains: Chains, places: Mapping[Hashable, int], sizes: Sequence[int] = ()) -> Fraction:
    part = 0.0
    for chain in chains:
        together = Counter(places[mention] for mention in chain if mention in places)
        if len(chain) == 1:
            part += any(sizes[place] == 1 for place in together)
        else:
            part += len(chain) * sum(map(_links, together.values())) / _links(len(chain))
    return Fraction(part, sum(map(len, chains)))


def ceaf_mentions(key: Chains, response: Chains) -> Agreement:
    """CEAF with the mentions that two chains share (Luo 2005), chains paired one to one as is best.

    >>> ceaf_mentions([["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]]).recall
    Fraction(part=3.0, whole=4)
    """
    best = _paired(key, response, lambda shared, _ours, _theirs: float(shared))
    return Agreement(Fraction(best, sum(map(len, key))), Fraction(best, sum(map(len, response))))


def ceaf_entities(key: Chains, response: Chains) -> Agreement:
    """CEAF with the Dice coefficient of two chains (Luo 2005), chains paired one to one as is best.

    >>> round(ceaf_entities([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]]).f1, 4)
    0.8
    """
    best = _paired(key, response, lambda shared, ours, theirs: 2 * shared / (ours + theirs))
    return Agreement(Fraction(best, len(key)), Fraction(best, len(response)))


def blanc(key: Chains, response: Chains) -> Blanc:
    """Links between mentions that corefer, and links between those that do not.

    >>> found = blanc([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> found.links.precision, found.others.recall
    (Fraction(part=1, whole=3), Fraction(part=0, whole=2))
    """
    ours, theirs = _places(key), _places(response)
    common = ours.keys() & theirs.keys()
    linked_ours, linked_theirs, linked = (
        sum(map(_links, Counter(groups).values()))
        for groups in (
            (ours[mention] for mention in common),
            (theirs[mention] for mention in common),
            ((ours[mention], theirs[mention]) for mention in common),
        )
    )
    unlinked = _links(len(common)) - linked_ours - linked_theirs + linked
    sides = []
    for chains, places in ((key, ours), (response, theirs)):
        corefer = sum(_links(len(set(chain))) for chain in chains)
        sides.append((Fraction(linked, corefer), Fraction(unlinked, _links(len(places)) - corefer)))
    (links_r, others_r), (links_p, others_p) = sides
    same = ours.keys() == theirs.keys() and len(ours) == 1
    return Blanc(Agreement(links_r, links_p), Agreement(others_r, others_p), same)


MEASURES: dict[str, Callable[[Chains, Chains], Agreement | Blanc]] = {
    "muc": muc,
    "b-cubed": b_cubed,
    "ceaf-m": ceaf_mentions,
    "ceaf-e": ceaf_entities,
    "lea": lea,
    "blanc": blanc,
}


def _places(chains: Chains) -> dict[Hashable, int]:
    """The chain of every mention; the last where one is in several."""
    return {mention: place for place, chain in enumerate(chains) for mention in chain}


def _links(n: int) -> int:
    return n * (n - 1) // 2


def _both_ways(key: Chains, response: Chains, measured: Callable[..., Fraction]) -> Agreement:
    sides = []
    for ours, theirs in ((key, response), (response, key)):
        more = ([len(chain) for chain in theirs],) if measured is _lea else ()
        sides.append(measured(ours, _places(theirs), *more))
    return Agreement(*sides)


def _paired(key: Chains, response: Chains, alike: Callable[[int, int, int], float]) -> float:
    """The greatest sum of similarities over pairs of chains, each in one pair at most.

    Chains are linked where they share a mention; each connected group of chains is a problem of its own, and most are
    small.
    """
    places = _places(response)
    shared: dict[int, Counter[int]] = {}
    for place, chain in enumerate(key):
        found = Counter(places[mention] for mention in chain if mention in places)
        if found:
            shared[place] = found
    total = 0.0
    for rows in _connected(shared):
        columns = sorted({column for row in rows for column in shared[row]})
        gains = [
            [alike(shared[row][column], len(key[row]), len(response[column])) for column in columns]
            for row in rows
        ]
        total += best_assignment(gains)
    return total


def _connected(shared: Mapping[int, Counter[int]]) -> list[list[int]]:
    """Rows that share a column, directly or through others."""
    of_column: dict[int, list[int]] = {}
    for row, columns in shared.items():
        for column in columns:
            of_column.setdefault(column, []).append(row)
    groups, seen = [], set()
    for first in shared:
        if first in seen:
            continue
        group, waiting = [], [first]
        seen.add(first)
        while waiting:
            row = waiting.pop()
            group.append(row)
            for column in shared[row]:
                for other in of_column[column]:
                    if other not in seen:
                        seen.add(other)
                        waiting.append(other)
        groups.append(sorted(group))
    return groups


def best_assignment(gains: Sequence[Sequence[float]]) -> float:
    """The greatest sum of gains, each row and each column used at most once (Kuhn 1955, by shortest paths).

    >>> best_assignment([[1.0, 2.0], [2.0, 4.0], [0.0, 3.0]])
    5.0
    """
    if len(gains) > len(gains[0]):
        gains = list(zip(*gains, strict=True))
    n, m = len(gains), len(gains[0])
    rows, columns = [0.0] * (n + 1), [0.0] * (m + 1)  # prices
    owner = [0] * (m + 1)
    for i in range(1, n + 1):
        owner[0], column = i, 0
        least = [float("inf")] * (m + 1)
        before = [0] * (m + 1)
        used = [False] * (m + 1)
        while owner[column]:
            used[column] = True
            row, delta, following = owner[column], float("inf"), 0
            for j in range(1, m + 1):
                if not used[j]:
                    cost = -gains[row - 1][j - 1] - rows[row] - columns[j]
                    if cost < least[j]:
                        least[j], before[j] = cost, column
                    if least[j] < delta:
                        delta, following = least[j], j
            for j in range(m + 1):
                if used[j]:
                    rows[owner[j]] += delta
                    columns[j] -= delta
                else:
                    least[j] -= delta
            column = following
        while column:
            owner[column] = owner[before[column]]
            column = before[column]
    return sum(gains[owner[j] - 1][j - 1] for j in range(1, m + 1) if owner[j])
