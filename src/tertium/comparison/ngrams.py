"""n-grams that a system produces too often or too rarely, compared with the references.

Two rankings: by count (occurrences too many or too few), which shows what matters for the text as a whole, and by log
odds, which shows what is most out of proportion. With y of n n-grams of the same order in the outputs and y' of n' in
the references,

    log odds = log (y + .5)/(n - y + .5) - log (y' + .5)/(n' - y' + .5),

and the ranking is by log odds over its standard error sqrt(1/(y+.5) + 1/(n-y+.5) + 1/(y'+.5) + 1/(n'-y'+.5)), so that a
handful of chance occurrences does not come first (Monroe, Colaresi and Quinn 2008, with a flat prior of a half).
Where there are several references the outputs are compared with the first.

Of two systems, n-grams that match more often in one are ranked by (m + 1)/(m + m' + 2), its share of the matches with
one added on either side: never matched by the other comes first, but not for a single match (as compare-mt does).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tertium.errors import SpecError
from tertium.io.tables import Column, Table, Value, number_column
from tertium.measured import Measured
from tertium.measuring import measure
from tertium.results import Result
from tertium.text.segments import References

BLOCK = 2**16  # n-grams computed at a time

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.families.base import Metric
    from tertium.statistics import TypeStatistics


@dataclass(frozen=True)
class NGram:
    """An n-gram with its occurrences in outputs and references."""

    text: str
    order: int
    produced: int
    reference: int
    log_odds: float
    z: float  # log odds over their standard error

    @property
    def surplus(self) -> int:
        """Occurrences too many (positive) or too few."""
        return self.produced - self.reference


@dataclass(frozen=True)
class NGrams(Result):
    """What one system over- and under-produces, in two rankings each."""

    kind = "n-grams"
    system: str
    over_by_count: tuple[NGram, ...]
    over_by_odds: tuple[NGram, ...]
    under_by_count: tuple[NGram, ...]
    under_by_odds: tuple[NGram, ...]

    def table(self, k: int | None = None) -> Table:
        """All four rankings, or the first k of each."""
        rows: list[tuple[Value, ...]] = [
            (side, by, rank, found.text, found.produced, found.reference, found.surplus, found.log_odds)
            for side, by, ranking in (
                ("over", "count", self.over_by_count),
                ("over", "log odds", self.over_by_odds),
                ("under", "count", self.under_by_count),
                ("under", "log odds", self.under_by_odds),
            )
            for rank, found in enumerate(ranking[:k], 1)
        ]
        columns = (
            Column("produced"),
            Column("ranked by"),
            number_column("rank", digits=None),
            Column("n-gram"),
            number_column("in outputs", digits=None),
            number_column("in references", digits=None),
            number_column("surplus", digits=None),
            number_column("log odds", digits=2),
        )
        return Table(f"n-grams that {self.system} over- and under-produces", columns, tuple(rows))


@dataclass(frozen=True)
class MatchedNGram:
    """An n-gram of the references with how often it matches in each of two systems."""

    text: str
    order: int
    matched: tuple[int, int]
    share: float  # of the matches, with one more on either side: what the ranking goes by


@dataclass(frozen=True)
class MatchedNGrams(Result):
    """n-grams that one of two systems matches more often than the other."""

    kind = "matched n-grams"
    systems: tuple[str, str]
    found: tuple[tuple[MatchedNGram, ...], ...]  # what the first matches more often, and the second

    def contents(self) -> Mapping[str, Any]:
        return {"systems": self.systems, "ngrams": dict(zip(self.systems, self.found, strict=True))}

    def table(self, k: int | None = None) -> Table:
        """Both rankings, or the first k of each."""
        rows: list[tuple[Value, ...]] = [
            (name, one.text, *one.matched)
            for name, own in zip(self.systems, self.found, strict=True)
            for one in own[:k]
        ]
        columns = (
            Column("more often"),
            Column("n-gram"),
            *(number_column(f"matched by {name}", digits=None) for name in self.systems),
        )
        return Table("n-grams that one system matches more often", columns, tuple(rows))


def count_ngrams(
    measured: Measured,
    systems: Sequence[str] | None = None,
    *,
    order: int = 4,
    k: int = 20,
    tok: str = "13a",
    lowercase: bool = False,
) -> dict[str, NGrams]:
    """n-grams of orders 1 to `order` that each system over- and under-produces, the k strongest of each kind.

    >>> from tertium import TestSet
    >>> found = count_ngrams(measure(TestSet.sample(), "bleu"), ["smooth"], k=2)
    >>> [(one.text, one.surplus) for one in found["smooth"].under_by_count]
    [('the', -18), ('of', -14)]
    """
    names = measured.systems if systems is None else tuple(systems)
    return {
        own.system: own.out_of_proportion(order, k)
        for own in _counted(measured, names, order, tok, lowercase)
    }


def compare_ngrams(
    measured: Measured,
    pairs: Sequence[tuple[str, str]],
    *,
    order: int = 4,
    k: int = 20,
    tok: str = "13a",
    lowercase: bool = False,
) -> tuple[dict[str, NGrams], tuple[MatchedNGrams, ...]]:
    """`count_ngrams` of all systems, and for each pair what one matches more often; all n-grams are counted once.

    >>> from tertium import TestSet
    >>> _, (found,) = compare_ngrams(measure(TestSet.sample(), "bleu"), [("literal", "strong")], k=2)
    >>> [(one.text, one.matched) for one in found.found[1]]
    [('be', (0, 5)), ('can', (0, 3))]
    """
    firsts = dict.fromkeys(a for a, _ in pairs)
    kept: dict[str, TypeStatistics] = {}
    found, matched = {}, {}
    for own in _counted(measured, tuple(dict.fromkeys((*firsts, *measured.systems))), order, tok, lowercase):
        found[own.system] = own.out_of_proportion(order, k)
        for a, b in pairs:
            if own.system == b and a in kept:
                matched[a, b] = _Counted.of(a, kept[a]).matched_more_often(own, k)
        if own.system in firsts:
            kept[own.system] = own.total
        del own  # before the next one is counted
    return {name: found[name] for name in measured.systems}, tuple(matched[pair] for pair in pairs)


@dataclass(frozen=True, eq=False)
class _Counted:
    """All n-grams of a system and the references. They may be millions: only those that are shown have names."""

    system: str
    total: TypeStatistics
    counts: NDArray[np.uint32]  # produced, reference, matched
    types: NDArray[np.uint32]
    orders: NDArray[np.uint32]

    @classmethod
    def of(cls, system: str, total: TypeStatistics) -> _Counted:
        import numpy as np

        types, counts = map(np.asarray, total.rows.counted())
        return cls(system, total, counts, types[:, 0], np.asarray(total.rows.orders())[:, 0])

    def strongest(self, key: Any, chosen: Any, k: int, sign: int = 1) -> Iterator[tuple[int, str]]:
        """Places and names of the k chosen ones with the largest key times sign; equal ones by frequency, then name."""
        import numpy as np

        places = np.flatnonzero(chosen)
        own = sign * key[places]
        if len(places) > k > 0:
            strong = own >= np.partition(own, len(own) - k)[len(own) - k]
            places, own = places[strong], own[strong]
        names = self.total.rows.named(self.types[places].tolist())
        ranked = sorted(
            zip(
                (-own).tolist(),
                (-self.counts[places, 1].astype(np.int64)).tolist(),
                names,
                places.tolist(),
                strict=True,
            )
        )
        return ((place, name) for _, _, name, place in ranked[:k])

    def out_of_proportion(self, order: int, k: int) -> NGrams:
        import numpy as np

        produced, reference = self.counts[:, 0], self.counts[:, 1]
        n, m = (np.bincount(self.orders, weights=own, minlength=order + 1) for own in (produced, reference))
        odds, z = np.empty(len(produced)), np.empty(len(produced))
        for begin in range(0, len(produced), BLOCK):  # of millions, not all at a time
            some = slice(begin, begin + BLOCK)
            ours, theirs = n[self.orders[some]], m[self.orders[some]]
            parts = [produced[some] + 0.5, ours - produced[some] + 0.5]
            parts += [reference[some] + 0.5, theirs - reference[some] + 0.5]
            odds[some] = np.log(parts[0] / parts[1]) - np.log(parts[2] / parts[3])
            z[some] = odds[some] / np.sqrt(sum(1 / part for part in parts))
        surplus = produced.astype(np.int64) - reference
        return NGrams(
            self.system,
            *(
                tuple(
                    NGram(name, *(own[i].item() for own in (self.orders, produced, reference, odds, z)))
                    for i, name in self.strongest(key, chosen, k, sign)
                )
                for sign, chosen in ((1, surplus > 0), (-1, surplus < 0))
                for key in (surplus, z)
            ),
        )

    def matched_more_often(self, other: _Counted, k: int) -> MatchedNGrams:
        """What matches is in the references, and our rows have all of these."""
        import numpy as np

        ours = self.counts[:, 2].astype(np.int64)
        theirs = np.asarray(self.total.rows.matched_in(other.total.rows), dtype=np.int64)[:, 0]
        found = []
        for more, less in ((ours, theirs), (theirs, ours)):
            share = (more + 1) / (more + less + 2)
            found.append(
                tuple(
                    MatchedNGram(name, int(self.orders[i]), (int(ours[i]), int(theirs[i])), float(share[i]))
                    for i, name in self.strongest(share, more > less, k)
                )
            )
        return MatchedNGrams((self.system, other.system), tuple(found))


def _counted(
    measured: Measured, names: Sequence[str], order: int, tok: str, lowercase: bool
) -> Iterator[_Counted]:
    """One system after the other: those of all would not fit into memory."""
    from tertium.families.macrof import MacroF

    if not 1 <= order <= 9:
        raise SpecError(f"the order of n-grams must be from 1 to 9, not {order}")
    metric: Metric = MacroF(tok=tok, order=order, lowercase=lowercase)
    # the largest count in several references is nobody's habit
    testset = replace(measured.testset, references=References((measured.testset.references.first,)))

    def counted(name: str) -> _Counted:
        total: Any = measure(testset, metric, "corpus", systems=[name], threads=measured.threads)[
            name, metric
        ]
        return _Counted.of(name, total)

    return map(counted, names)
