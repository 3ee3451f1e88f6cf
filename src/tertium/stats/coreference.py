"""How well chains of mentions agree with others: MUC, B-cubed, CEAF, LEA and BLANC, as the CoNLL scorer defines them.

A chain is a set of mentions; what a mention is does not matter as long as equal ones are equal. Mentions may be in one
side only (Pradhan et al. 2014). Every measure is a recall and a precision, each a fraction whose parts add over
documents, so that a corpus has the sums of its documents' parts.
"""

from __future__ import annotations

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


class _Compared(NamedTuple):
    """Two sides, and what their chains have in common."""

    key: Chains
    response: Chains
    ours: dict[Hashable, int]  # the chain of every mention of the key
    theirs: dict[Hashable, int]
    shared: list[
        dict[int, int]
    ]  # for each chain of the key, how many mentions it shares with which of the response
    back: list[dict[int, int]]  # for each chain of the response

    @classmethod
    def of(cls, key: Chains, response: Chains) -> _Compared:
        ours, theirs = _places(key), _places(response)
        return cls(key, response, ours, theirs, _shared(key, theirs), _shared(response, ours))

    @property
    def sides(self) -> tuple[tuple[Chains, list[dict[int, int]], Chains], ...]:
        """Chains, what they share with the others, and the others: for recall, and for precision."""
        return (self.key, self.shared, self.response), (self.response, self.back, self.key)


def every(key: Chains, response: Chains) -> dict[str, Agreement | Blanc]:
    """All measures by name, `mentions` among them, over one comparison of the chains.

    >>> found = every([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> found["muc"].f1, found["mentions"].f1
    (0.6666666666666666, 1.0)
    """
    compared = _Compared.of(key, response)
    by_mentions, by_entities = _ceaf(compared)
    return {
        "muc": _muc(compared),
        "b-cubed": _b_cubed(compared),
        "ceaf-m": by_mentions,
        "ceaf-e": by_entities,
        "lea": _lea(compared),
        "blanc": _blanc(compared),
        "mentions": _mentions(compared),
    }


def mentions(key: Chains, response: Chains) -> Agreement:
    """Mentions that both sides have.

    >>> found = mentions([["a", "b"]], [["a", "c"]])
    >>> found.recall, found.f1
    (Fraction(part=1, whole=2), 0.5)
    """
    return _mentions(_Compared.of(key, response))


def _mentions(given: _Compared) -> Agreement:
    both = len(given.ours.keys() & given.theirs.keys())
    return Agreement(Fraction(both, len(given.ours)), Fraction(both, len(given.theirs)))


def muc(key: Chains, response: Chains) -> Agreement:
    """Links that have to be added (Vilain et al. 1995): of a chain of n mentions in m pieces, n - m of n - 1 are there.

    >>> round(muc([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]]).f1, 4)
    0.6667
    """
    return _muc(_Compared.of(key, response))


def _muc(given: _Compared) -> Agreement:
    sides = []
    for chains, shared, _ in given.sides:  # mentions that the other side lacks are pieces of their own
        part = sum([sum(own.values()) - len(own) for own in shared])
        sides.append(Fraction(part, sum(map(len, chains)) - len(chains)))
    return Agreement(*sides)


def b_cubed(key: Chains, response: Chains) -> Agreement:
    """For each mention the share of its chain that the other side has with it (Bagga and Baldwin 1998).

    >>> round(b_cubed([["a", "b", "c"], ["d", "e"], ["f"]], [["a", "b"], ["c", "d", "e"], ["f"]]).f1, 4)
    0.7778
    """
    return _b_cubed(_Compared.of(key, response))


def _b_cubed(given: _Compared) -> Agreement:
    sides = []
    for chains, shared, _ in given.sides:
        part = 0.0
        for chain, own in zip(chains, shared, strict=True):
            part += sum([n * n for n in own.values()]) / len(chain)
        sides.append(Fraction(part, sum(map(len, chains))))
    return Agreement(*sides)


def lea(key: Chains, response: Chains) -> Agreement:
    """Links of a chain that the other side has, chains by their size (Moosavi and Strube 2016); a single mention links
    to itself.

    >>> round(lea([["a", "b", "c"], ["d", "e", "f", "g"]], [["a", "b"], ["c", "d"], ["f", "g", "h", "i"]]).f1, 4)
    0.2778
    """
    return _lea(_Compared.of(key, response))


def _lea(given: _Compared) -> Agreement:
    sides = []
    for chains, shared, others in given.sides:
        part = 0.0
        for chain, own in zip(chains, shared, strict=True):
            if len(chain) == 1:
                part += any(len(others[place]) == 1 for place in own)
            else:
                part += len(chain) * sum(map(_links, own.values())) / _links(len(chain))
        sides.append(Fraction(part, sum(map(len, chains))))
    return Agreement(*sides)


def ceaf_mentions(key: Chains, response: Chains) -> Agreement:
    """CEAF with the mentions that two chains share (Luo 2005), chains paired one to one as is best.

    >>> ceaf_mentions([["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]]).recall
    Fraction(part=3.0, whole=4)
    """
    return _ceaf(_Compared.of(key, response))[0]


def ceaf_entities(key: Chains, response: Chains) -> Agreement:
    """CEAF with the Dice coefficient of two chains (Luo 2005), chains paired one to one as is best.

    >>> round(ceaf_entities([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "e"]]).f1, 4)
    0.8
    """
    return _ceaf(_Compared.of(key, response))[1]


def _ceaf(given: _Compared) -> tuple[Agreement, Agreement]:
    """By mentions and by entities. Chains are linked where they share a mention; each connected group of chains is a
    problem of its own, and most are small."""
    key, response = given.key, given.response
    by_mentions = by_entities = 0.0
    for rows in _connected({place: own for place, own in enumerate(given.shared) if own}):
        columns = sorted({column for row in rows for column in given.shared[row]})
        counts = [[given.shared[row].get(column, 0) for column in columns] for row in rows]
        dice = [
            [2 * n / (len(key[row]) + len(response[column])) for n, column in zip(own, columns, strict=True)]
            for row, own in zip(rows, counts, strict=True)
        ]
        if len(rows) == len(columns) == 1:
            by_mentions += counts[0][0]
            by_entities += dice[0][0]
        else:
            by_mentions += best_assignment([list(map(float, own)) for own in counts])
            by_entities += best_assignment(dice)
    sizes = sum(map(len, key)), sum(map(len, response))
    return (
        Agreement(Fraction(by_mentions, sizes[0]), Fraction(by_mentions, sizes[1])),
        Agreement(Fraction(by_entities, len(key)), Fraction(by_entities, len(response))),
    )


def blanc(key: Chains, response: Chains) -> Blanc:
    """Links between mentions that corefer, and links between those that do not.

    >>> found = blanc([["a", "b"], ["c"]], [["a", "b", "c"]])
    >>> found.links.precision, found.others.recall
    (Fraction(part=1, whole=3), Fraction(part=0, whole=2))
    """
    return _blanc(_Compared.of(key, response))


def _blanc(given: _Compared) -> Blanc:
    ours, theirs = given.ours, given.theirs
    common = ours.keys() & theirs.keys()
    linked_ours = _linked([ours[mention] for mention in common])
    linked_theirs = _linked([theirs[mention] for mention in common])
    linked = _linked([(ours[mention], theirs[mention]) for mention in common])
    unlinked = _links(len(common)) - linked_ours - linked_theirs + linked
    sides = []
    for chains, places in ((given.key, ours), (given.response, theirs)):
        corefer = sum([_links(len(set(chain))) for chain in chains])
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


def _shared(chains: Chains, places: Mapping[Hashable, int]) -> list[dict[int, int]]:
    """For each chain how many of its mentions are in which chain of the other side."""
    found = []
    for chain in chains:
        own: dict[int, int] = {}
        for mention in chain:
            place = places.get(mention)
            if place is not None:
                own[place] = own.get(place, 0) + 1
        found.append(own)
    return found


def _linked(groups: Sequence[Hashable]) -> int:
    """Pairs of mentions in one group."""
    counts: dict[Hashable, int] = {}
    for group in groups:
        counts[group] = counts.get(group, 0) + 1
    return sum(map(_links, counts.values()))


def _connected(shared: Mapping[int, Mapping[int, int]]) -> list[list[int]]:
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
