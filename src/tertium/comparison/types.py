"""Performance per word type against frequency: who is better at frequent words, and who at rare ones.

Types are ranked by their frequency in the references. The curve at rank k is MacroF over the k most frequent types
(figure 1 of Gowda et al. 2021 shows the first 500): on the left it covers words that BLEU weights heavily, on the
right the whole vocabulary. Two points show where systems change places:

- the *cross-over*: the rank after which the curve of one system stays above the other's;
- the *turning point*: the rank that best divides the types into frequent ones where one system is better and rare ones
  where the other is (where the sum of differences of F up to that rank is furthest on the other side).

Both are searched for between types of different frequency only, so that the order of equally frequent types, which is
arbitrary, does not matter. No smoothing is needed for either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.comparison.typecounts import TypeTable, type_table
from tertium.families.base import Metric
from tertium.families.words import with_tok
from tertium.io.tables import Column, Table, Value, number_column
from tertium.measured import Measured
from tertium.results import Result
from tertium.statistics import TypeCounts, TypeStatistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BINS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)  # last ranks
_POINTS = 400  # of a curve, for drawing


@dataclass(frozen=True)
class Turn:
    """Where two systems change places: up to a rank one is better, after it the other."""

    rank: int
    frequency: int  # of the type at that rank, in the references
    frequent: str  # who is better up to here
    rare: str  # who is better after it


@dataclass(frozen=True, eq=False)
class TypeCurve(Result):
    """F of word types against their rank by frequency, for two systems or more."""

    kind = "type curve"
    metric: str
    types: TypeTable

    @property
    def systems(self) -> tuple[str, ...]:
        return self.types.systems

    @property
    def n_ranked(self) -> int:
        """Types in the references. Types that only a system has are not ranked; they have F = 0."""
        return int((self.types.reference > 0).sum())

    def f(self, system: str) -> NDArray[np.float64]:
        """F (in percent) of every ranked type."""
        return 100 * self.types.f[self.systems.index(system), : self.n_ranked]

    def cumulative(self, system: str) -> NDArray[np.float64]:
        """MacroF over the types of rank 1 to k, for every k: the curve."""
        import numpy as np

        f = self.f(system)
        return np.cumsum(f) / np.arange(1, len(f) + 1)

    def _leads(self, a: str, b: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Last ranks of each frequency (from 0), and the sum of differences of F up to there."""
        import numpy as np

        frequency = self.types.reference[: self.n_ranked]
        ends = np.flatnonzero(np.append(frequency[1:] != frequency[:-1], [True] * (len(frequency) > 0)))
        return ends, np.cumsum(self.f(a) - self.f(b))[ends]

    def crossover(self, a: str, b: str) -> Turn | None:
        """The rank after which one system's curve stays above the other's; None where they do not cross."""
        ends, lead = self._leads(a, b)
        if not len(lead) or abs(lead[-1]) < 1e-9:
            return None
        winner, loser = (a, b) if lead[-1] > 0 else (b, a)
        behind = [i for i, value in enumerate(lead.tolist()) if value * lead[-1] < 0]
        return self._turn(int(ends[behind[-1]]), frequent=loser, rare=winner) if behind else None

    def turning_point(self, a: str, b: str) -> Turn | None:
        """The rank that best divides frequent types, where one is better, from rare ones; None where none does."""
        import numpy as np

        ends, lead = self._leads(a, b)
        if not len(lead):
            return None
        best: tuple[float, int, str, str] = (1e-9, -1, a, b)
        for sign, frequent, rare in ((1.0, a, b), (-1.0, b, a)):
            i = int(np.argmax(sign * lead))
            gain = min(sign * float(lead[i]), sign * float(lead[i] - lead[-1]))  # both sides must hold
            if gain > best[0]:
                best = gain, int(ends[i]), frequent, rare
        return None if best[1] < 0 else self._turn(best[1], frequent=best[2], rare=best[3])

    def _turn(self, place: int, frequent: str, rare: str) -> Turn:
        return Turn(place + 1, int(self.types.reference[place]), frequent, rare)

    def turns(self) -> list[tuple[str, Turn]]:
        """Cross-over and turning point of every pair of systems that has them."""
        found: list[tuple[str, Turn | None]] = []
        for j, b in enumerate(self.systems):
            for a in self.systems[:j]:
                found += [("cross-over", self.crossover(a, b)), ("turning point", self.turning_point(a, b))]
        return [(what, turn) for what, turn in found if turn is not None]

    def only_predicted(self, system: str) -> int:
        """How many types a system has that are not in the references."""
        return int((self.types.predicted[self.systems.index(system), self.n_ranked :] > 0).sum())

    def contents(self) -> Mapping[str, Any]:
        import numpy as np

        n = self.n_ranked
        ranks = np.unique(np.geomspace(1, n, _POINTS).round().astype(int)) if n else np.zeros(0, int)
        return {
            "metric": self.metric,
            "label": registry.metric(self.metric).label,
            "systems": self.systems,
            "types": n,
            "ranks": ranks,
            "frequencies": self.types.reference[ranks - 1],
            "curves": {name: self.cumulative(name)[ranks - 1] for name in self.systems},
            "only_predicted": {name: self.only_predicted(name) for name in self.systems},
            "turns": [{"what": what, **vars(turn)} for what, turn in self.turns()],
        }

    def table(self, bins: Sequence[int] = BINS) -> Table:
        """Mean F of the types in ranges of ranks, and the curve at the end of each range."""
        n = self.n_ranked
        bounds = [end for end in sorted(set(bins)) if end < n] + ([n] if n else [])
        rows: list[tuple[Value, ...]] = []
        begin = 0
        for end in bounds:
            frequency = self.types.reference[begin:end]
            many = int(frequency[0]), int(frequency[-1])
            rows.append(
                (
                    f"{begin + 1}-{end}",
                    str(many[0]) if many[0] == many[1] else f"{many[0]}-{many[1]}",
                    *(float(self.f(name)[begin:end].mean()) for name in self.systems),
                    *(float(self.cumulative(name)[end - 1]) for name in self.systems),
                )
            )
            begin = end
        columns = (
            Column("rank", align="right"),
            Column("frequency", align="right"),
            *(number_column(f"F {name}") for name in self.systems),
            *(number_column(f"1 to here {name}") for name in self.systems),
        )
        notes = [
            f"{what}: {turn.frequent} is better on types of rank 1 to {turn.rank} (frequency {turn.frequency} "
            f"or more), {turn.rare} {'on rarer ones' if what == 'turning point' else 'once rarer ones are included'}"
            for what, turn in self.turns()
        ]
        notes += [
            f"{name}: {self.only_predicted(name)} types are not in the references" for name in self.systems
        ]
        return Table("F of word types by frequency", columns, tuple(rows), tuple(notes))


def counting_metric(measured: Measured, tok: str = "13a") -> str | Metric:
    """The first metric that counts types, else MacroF1 with this tokeniser."""
    for metric in measured.metrics:
        if isinstance(measured.statistics(measured.systems[0], metric), TypeStatistics):
            return metric
    return "macrof1" if tok == "13a" else with_tok(registry.metric("macrof1"), tok)


def type_curve(
    measured: Measured, metric: str | Metric = "macrof", systems: Sequence[str] | None = None
) -> TypeCurve:
    """F of word types against their frequency.

    >>> from tertium import TestSet, measure
    >>> curve = type_curve(measure(TestSet.sample(), "macrof", systems=["literal", "smooth"]))
    >>> curve.crossover("literal", "smooth")
    Turn(rank=94, frequency=3, frequent='smooth', rare='literal')
    """
    return TypeCurve(str(metric), type_table(measured, metric, systems))


@dataclass(frozen=True, eq=False)
class TypeDifferences(Result):
    """Types that one of two systems gets right somewhere and the other never does."""

    kind = "type differences"
    systems: tuple[str, str]
    found: tuple[tuple[tuple[TypeCounts, TypeCounts], ...], ...]  # for each system: its types, counts of both

    def contents(self) -> Mapping[str, Any]:
        return {
            "systems": self.systems,
            "types": {
                name: [
                    {
                        "type": one.type,
                        "reference": one.reference,
                        "matched": one.matched,
                        "predicted": {who: c.predicted for who, c in zip(self.systems, pair, strict=True)},
                    }
                    for pair in own
                    for one in [pair[which]]
                ]
                for which, (name, own) in enumerate(zip(self.systems, self.found, strict=True))
            },
        }

    def table(self, k: int = 20) -> Table:
        """The k most frequent types that only one system gets, for both."""
        rows: list[tuple[Value, ...]] = []
        for which, (name, own) in enumerate(zip(self.systems, self.found, strict=True)):
            for pair in own[:k]:
                one, other = pair[which], pair[1 - which]
                rows.append((name, one.type, one.reference, one.matched, other.predicted))
        columns = (
            Column("only"),
            Column("type"),
            number_column("in references", digits=None),
            number_column("matched", digits=None),
            number_column("other predicts", digits=None),
        )
        notes = tuple(
            f"{name} alone matches {len(own)} types"
            for name, own in zip(self.systems, self.found, strict=True)
        )
        return Table("Types that one system gets and the other misses", columns, tuple(rows), notes)


def type_differences(
    measured: Measured, metric: str | Metric = "macrof", systems: Sequence[str] | None = None
) -> TypeDifferences:
    """Types that one of two systems matches and the other never does, most frequent first.

    >>> from tertium import TestSet, measure
    >>> found = type_differences(measure(TestSet.sample(), "macrof", systems=["literal", "smooth"]))
    >>> [pair[0].type for pair in found.found[0][:3]]
    ['harbour', 'points', '(']
    """
    import numpy as np

    a, b = measured.pair(systems)
    types = type_table(measured, metric, (a, b))
    found = []
    for mine, other in ((0, 1), (1, 0)):
        places = np.flatnonzero((types.matched[mine] > 0) & (types.matched[other] == 0))
        matched = types.matched[mine]
        order = sorted(places.tolist(), key=lambda i: (-matched[i], -types.reference[i], types.names[i]))
        found.append(tuple(zip(types.counts(0, order), types.counts(1, order), strict=True)))
    return TypeDifferences((a, b), tuple(found))
