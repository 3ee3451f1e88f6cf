"""Documents of a memory whose units are shifted: what belongs together, seen over the whole document."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tertium import _native
from tertium.errors import TertiumError
from tertium.io.memories.unit import Unit
from tertium.text.beads import KINDS, Bead, Document, Odds, beads_of, learn

CAUSES = ("shift", "merge", "split", "omission", "order")
GAIN = 12.0  # log odds that another alignment must be better by, over the units it changes
LONGEST = 5000  # units that are looked at together
TAUGHT = 200_000  # units that teach, at most
MOST_CROSSED = 12  # units of a region that is looked at in every order
ACROSS = 5.0  # log odds of texts that belong together although others stand between them
CROSSED = 0.8  # share of a region's gain that another order must have
STRAIGHT = (
    0.97,
    0.004,
    0.004,
    0.006,
    0.006,
    0.0005,
    0.0008,
    0.0008,
    0.0002,
    0.0002,
    0.0003,
    0.0003,
)  # of KINDS
PAIRS = (1.0, *[1e-300] * (len(KINDS) - 1))  # nothing but one and one


@dataclass(frozen=True)
class Region:
    """Units of a document that fit better otherwise: from and to, the beads, their gain, and what happened."""

    begin: int
    end: int
    beads: tuple[Bead, ...]
    gain: float
    cause: str

    @property
    def certainty(self) -> float:
        """One half where the gain is what it must be."""
        return 1.0 / (1.0 + math.exp((GAIN - self.gain) / 2.0))


class Sample:
    """Units that teach: all of them, or evenly spread ones where there are too many."""

    def __init__(self, most: int = TAUGHT) -> None:
        self.most, self.every, self._seen = most, 1, 0
        self.units: list[tuple[str, str]] = []

    def add(self, units: Iterable[Unit]) -> None:
        for unit in units:
            if self._seen % self.every == 0:
                self.units.append((unit.source, unit.target))
                if len(self.units) > self.most:
                    del self.units[1::2]
                    self.every *= 2
            self._seen += 1


class Straightener:
    """Finds regions; knows words and lengths from the memory itself, in which most units are right."""

    def __init__(self, sample: Sample) -> None:
        self._sample = sample
        sources, targets = [list(side) for side in zip(*sample.units, strict=True)] or [[], []]
        self.table = _native.WordPairs()
        straight = [Bead((n, n + 1), (n, n + 1), math.inf) for n in range(len(sources))]
        given = learn([Document(sources, targets)], [straight], self.table, Odds())
        self.odds = replace(given, kinds=STRAIGHT)

    def __reduce__(self) -> tuple[type[Straightener], tuple[Sample]]:
        """Another process learns the same from the same sample: native tables are not pickled."""
        return type(self), (self._sample,)

    def regions(self, units: Sequence[Unit]) -> list[Region]:
        """Where the units of a document fit better otherwise."""
        document = Document([unit.source for unit in units], [unit.target for unit in units])
        straight = [Bead((n, n + 1), (n, n + 1), 0.0) for n in range(len(units))]
        best = beads_of(document, self.table, self.odds, straight)
        if all(_is_straight(bead) for bead in best):
            return []
        as_they_are = [score + math.log(STRAIGHT[0]) for score in self._pairs(document)]
        return [own for own in self._regions(document, best, as_they_are) if own.gain >= GAIN]

    def _regions(
        self, document: Document, best: Sequence[Bead], as_they_are: Sequence[float]
    ) -> Iterator[Region]:
        own: list[Bead] = []
        for bead in best:
            if not own and _is_straight(bead):
                continue
            own.append(bead)
            if bead.source[1] == bead.target[1]:
                begin, end = own[0].source[0], bead.source[1]
                gain = sum(one.score for one in own) - sum(as_they_are[begin:end])
                region = Region(begin, end, tuple(own), gain, _cause(own))
                yield self._met_again(document, self._in_order(document, region))
                own = []

    def _in_order(self, document: Document, region: Region) -> Region:
        """The same region with targets in another order, where that explains it as well."""
        if not 2 <= region.end - region.begin <= MOST_CROSSED or all(
            _kind(bead) == (1, 1) for bead in region.beads
        ):
            return region
        sources, targets = (
            document.sources[region.begin : region.end],
            document.targets[region.begin : region.end],
        )
        crossed: dict[int, Bead] = {}
        gain = 0.0
        for i, text in enumerate(sources):
            scored = [self._score(text, other) for other in targets]
            j = max(range(len(targets)), key=scored.__getitem__)
            gain += scored[j] - scored[i]
            own, other = region.begin + i, region.begin + j
            crossed[j] = Bead((own, own + 1), (other, other + 1), scored[j])
        if len(crossed) < len(targets) or gain < max(GAIN, CROSSED * region.gain):
            return region
        beads = tuple(sorted(crossed.values()))
        moved = [bead for bead in region.beads if _kind(bead) == (1, 1) and bead.source != bead.target]
        return Region(region.begin, region.end, beads, gain, "order" if len(moved) < 2 else region.cause)

    def _met_again(self, document: Document, region: Region) -> Region:
        """Sources and targets that were left alone, put together where they belong together across the others."""
        ours = [bead for bead in region.beads if _kind(bead) == (1, 0)]
        theirs = [bead for bead in region.beads if _kind(bead) == (0, 1)]
        if len(ours) * len(theirs) > MOST_CROSSED**2:
            return region
        scored = [
            (self._score(document.sources[one.source[0]], document.targets[other.target[0]]), one, other)
            for one in ours
            for other in theirs
        ]
        beads, gain = set(region.beads), region.gain
        for score, one, other in sorted(scored, reverse=True):
            if score >= ACROSS and {one, other} <= beads:
                beads -= {one, other}
                beads.add(Bead(one.source, other.target, score))
                gain += score - one.score - other.score
        return replace(region, beads=tuple(sorted(beads)), gain=gain)

    def _score(self, source: str, target: str) -> float:
        return self._pairs(Document([source], [target]))[0]

    def _pairs(self, document: Document) -> list[float]:
        """The scores of units as they are."""
        settings = {
            name: getattr(self.odds, name) for name in self.odds.__dataclass_fields__ if name != "kinds"
        }
        points = [(n, n) for n in range(len(document.sources))]
        kinds = array("d", map(math.log, PAIRS))
        _, scores, _ = document.finder(self.table).find(points, 1, kinds=kinds, **settings)
        return list(map(float, scores))


def _is_straight(bead: Bead) -> bool:
    return bead.source == bead.target and bead.source[1] - bead.source[0] == 1


def _kind(bead: Bead) -> tuple[int, int]:
    return bead.source[1] - bead.source[0], bead.target[1] - bead.target[0]


def _cause(beads: Sequence[Bead]) -> str:
    """What happened to a region, by its beads."""
    if any(_kind(bead) == (1, 1) and bead.source != bead.target for bead in beads):
        return "shift"
    if any(sources > 1 for sources, _ in map(_kind, beads)):
        return "merge"
    return "split" if any(targets > 1 for _, targets in map(_kind, beads)) else "omission"


def documents(units: Iterable[Unit]) -> Iterator[list[Unit]]:
    """Units that follow each other in one document; without a name all that follow each other, so many at a time."""
    found: list[Unit] = []
    client = document = ""
    try:
        for unit in units:
            if unit.document != document or unit.client != client or len(found) == LONGEST:
                if found:
                    yield found
                found, client, document = [], unit.client, unit.document
            found.append(unit)
    except TertiumError:  # what is read before an error comes out, too
        if found:
            yield found
        raise
    if found:
        yield found
