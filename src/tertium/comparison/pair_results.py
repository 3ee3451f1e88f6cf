"""What significance tests say: of each system, of each pair, and of all together; for reading and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.families.base import Metric
from tertium.families.for_texts import asked_for
from tertium.io.tables import Column, Table, Value, chance_column, number_column
from tertium.results import Result
from tertium.stats.distributions import student_tail


@dataclass(frozen=True)
class SystemResult:
    """One system: its score, and how far it varies over resamples. None: undefined, or not asked for.

    Of several runs `value` is the mean, `spread` the mean of their standard deviations over resamples (MultEval's
    s_sel), `run_spread` the standard deviation of the runs' scores (its s_opt).
    """

    name: str
    value: float | None
    mean: float | None = None  # of the resamples
    low: float | None = None
    high: float | None = None
    half_width: float | None = None
    spread: float | None = None
    run_spread: float | None = None
    runs: int = 1
    undefined: int = 0  # resamples in which there is no score


@dataclass(frozen=True)
class PairResult:
    """Two systems: `difference` is `second`'s score minus `first`'s. None: undefined.

    `better` names the better one, whether or not that is significant; it is None where they are equal.
    """

    first: str
    second: str
    difference: float | None
    better: str | None
    p: float | None
    p_holm: float | None = None
    p_bh: float | None = None
    spread: float | None = None  # how far the difference varies over resamples: their standard deviation
    smallest_detectable: float | None = None  # by this test set, with the power asked for
    undefined: int = 0  # resamples in which one of the two has no score
    identical: bool = False  # the same rows of statistics throughout

    def significant(self, alpha: float = 0.05) -> bool:
        """Whether the difference is significant among all pairs (Holm)."""
        return self.p_holm is not None and self.better is not None and self.p_holm < alpha


@dataclass(frozen=True)
class PairTests(Result):
    """Systems compared in pairs by one metric. Prints itself as two tables.

    `clusters` are groups of systems from the best down, where all pairs were tested: every system of a cluster but
    the first starts no cluster of its own, because some system above it is not significantly better.
    """

    kind = "pair tests"
    metric: Metric
    method: str  # bootstrap or randomisation
    resamples: int
    seed: int
    units: str  # what is resampled: segments or documents
    n_units: int
    n_segments: int
    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]
    baseline: str | None = None
    clusters: tuple[tuple[str, ...], ...] | None = None
    alpha: float = 0.05
    power: float = 0.8
    like: str | None = None
    intervals: int = 0  # resamples behind the confidence intervals
    interval_method: str = "bootstrap"  # or subsets, where the bootstrap is wrong
    label: str = ""  # what the metric is called; empty: its usual name
    linear: bool = False  # what is swapped is what segments add to a difference, not whole scores

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.metric.label)

    def __iter__(self) -> Iterator[PairResult]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, key: int | tuple[str, str]) -> PairResult:
        """By number, or by the names of the two systems in any order."""
        if isinstance(key, int):
            return self.pairs[key]
        found = [pair for pair in self.pairs if {pair.first, pair.second} == set(key)]
        if not found:
            raise KeyError(key)
        return found[0]

    def system(self, name: str) -> SystemResult:
        """The system of this name."""
        return next(found for found in self.systems if found.name == name)

    def pair(self, first: str, second: str) -> PairResult:
        """The test of these two, in the order in which it was made."""
        return next(found for found in self.pairs if {found.first, found.second} == {first, second})

    def contents(self) -> Mapping[str, Any]:
        facts = {
            "higher_is_better": self.metric.higher_is_better,
            "settings": self.settings(),
            "notes": tuple(self.notes()),
            "undefined_because": self.undefined_because,
        }
        pairs = [vars(pair) | {"significant": pair.significant(self.alpha)} for pair in self.pairs]
        return {**super().contents(), **facts, "pairs": pairs}

    def settings(self) -> str:
        """How the tests were made, in a line: enough to make them again."""
        test = {"bootstrap": "paired bootstrap", "randomisation": "paired approximate randomisation"}
        like = f", as {self.like} computes it" if self.like else ""
        like += " (of what segments add to a difference)" if self.linear else ""
        return (
            f"{self.label}: {test[self.method]}, {self.times} of {self.n_units:,} "
            f"{self.units}, seed {self.seed}{like}"
        )

    @property
    def times(self) -> str:
        """How many resamples or trials, in words."""
        return f"{self.resamples:,} {'resamples' if self.method == 'bootstrap' else 'trials'}"

    @property
    def least(self) -> float:
        """The least p-value after Holm that this test can give."""
        return min(1.0, self.least_alone * sum(pair.p is not None for pair in self.pairs))

    @property
    def least_alone(self) -> float:
        """The least of a single pair: no resample is as extreme, or of few units only the swaps of none and all."""
        swaps = self.n_units * self.systems[0].runs if self.method == "randomisation" else 1000
        return max(1 / (self.resamples + 1), 2.0 ** (1 - min(swaps, 1000)))

    def p_words(self, pair: PairResult) -> str:
        """The p-value that decides: corrected for all pairs tested (Holm). Where it cannot be smaller, that is said."""
        several = " after Holm" if len(self.pairs) > 1 else ""
        least = f", the least possible with {self.times}" if self.at_floor(pair) else ""
        return f"p = {p_text(pair.p_holm)}{several}{least}"

    def at_floor(self, pair: PairResult) -> bool:
        """Whether no resample was as extreme: with more of them, p might be smaller."""
        return pair.p is not None and abs(pair.p * (self.resamples + 1) - 1) < 1e-9

    def p_of_drop(self, pair: PairResult, drop: float, margin: float) -> float | None:
        """How likely a drop as small as this one would be, were the true one `margin`: the one-sided p-value of
        non-inferiority, from Student's t of (margin - drop) / spread. None: the difference has no known spread."""
        if pair.spread is None:
            return None
        if pair.spread == 0:
            return 0.0 if drop < margin else 1.0
        p = float(student_tail((margin - drop) / pair.spread, self.n_units - 1))
        return min(1.0, p + pair.undefined / (self.intervals or 1))  # resamples without a score count against

    def words(self) -> Iterator[str]:
        """A sentence for each pair."""
        return map(self.sentence, self.pairs)

    def sentence(self, pair: PairResult, digits: int = 2) -> str:
        """One pair in a sentence."""
        if pair.difference is None or pair.p is None:
            return f"{pair.first} and {pair.second}: undefined, because {self._why_undefined()}"
        if pair.identical:
            return f"{pair.first} and {pair.second} are the same to {self.label} in every segment (p = 1)"
        if pair.better is None:
            return f"{pair.first} and {pair.second} have the same {self.label} ({self.p_words(pair)})"
        other = pair.first if pair.better == pair.second else pair.second
        size = f"{abs(pair.difference):.{digits + self.metric.finer}f} {self.label}"
        if pair.significant(self.alpha):
            return f"{pair.better} is better than {other} by {size} ({self.p_words(pair)})"
        return f"{pair.better} scores {size} better than {other}, which may be due to chance ({self.p_words(pair)})"

    def _why_undefined(self) -> str:
        return f"{self.label} has no value here: {self.undefined_because}"

    @property
    def undefined_because(self) -> str:
        """Why there may be no score."""
        return self.metric.undefined or "nothing to compare"

    @property
    def warning(self) -> str:
        """Where the test is one that should not be trusted: why, and what to take instead."""
        if self.method != "bootstrap" or self.interval_method == "bootstrap":
            return ""
        return (
            f"by {self.label} the bootstrap finds too many differences, since resamples have too few types: "
            "prefer randomisation"
        )

    def notes(self) -> Iterator[str]:
        """What readers should know beside the numbers."""
        yield self.settings()
        yield from self.cautions()
        if any(pair.smallest_detectable is not None for pair in self.pairs):
            yield (
                f"detectable: the smallest true difference that this test set shows with probability "
                f"{self.power:g} at p < {self.alpha:g}"
            )
        if self.clusters is not None and len(self.clusters) > 1:
            yield "clusters, best first: " + " | ".join(", ".join(cluster) for cluster in self.clusters)
        elif self.clusters is not None:
            yield "no clusters: no system is significantly worse than all above it"

    def cautions(self) -> Iterator[str]:
        """What readers must know before they trust the numbers."""
        if self.units == "documents" and self.n_units < 20:
            yield f"only {self.n_units} documents: p-values and intervals are rough"
        if self.interval_method == "subsets" and self.intervals:
            yield f"intervals: from {self.intervals:,} subsets of the {self.units}, since resamples have too few types"
        if self.warning:
            yield self.warning
        if self.least >= self.alpha:
            yield (
                f"nothing can be significant: with {self.times} of {self.n_units:,} {self.units}, p is at least "
                f"{p_text(self.least)} after Holm"
            )
        elif any(map(self.at_floor, self.pairs)):
            holm = f", {p_text(self.least)} after Holm" if len(self.pairs) > 1 else ""
            yield f"with {self.times}, p is at least {p_text(self.least_alone)}{holm}"
        for pair in self.pairs:
            if pair.identical:
                yield self.sentence(pair)
        undefined = max(
            [found.undefined for found in self.systems] + [found.undefined for found in self.pairs]
        )
        if undefined:
            yield (
                f"{self.label} is undefined in up to {undefined} of the resamples; they count against "
                "significance and are left out of intervals"
            )
        if any(found.value is None for found in self.systems):
            yield self._why_undefined()

    def system_table(self, digits: int = 2) -> Table:
        """Scores with their confidence intervals."""
        arrow, digits = "↑" if self.metric.higher_is_better else "↓", digits + self.metric.finer
        columns = [Column("system"), number_column(f"{self.label} {arrow}", self.label, digits)]
        rows: list[list[Value]] = [[found.name, found.value] for found in self.systems]
        if self.intervals:
            columns += [number_column("95% from", "low", digits), number_column("to", "high", digits)]
            rows = [[*row, found.low, found.high] for row, found in zip(rows, self.systems, strict=True)]
        if any(found.runs > 1 for found in self.systems):
            columns.append(Column("runs", align="right"))
            columns += [number_column("s_sel", digits=digits), number_column("s_opt", digits=digits)]
            for row, found in zip(rows, self.systems, strict=True):
                row += [found.runs, found.spread, found.run_spread]
        return Table("", tuple(columns), tuple(map(tuple, rows)))

    def tables(self) -> Iterator[Table]:
        yield self.system_table()
        if self.pairs:
            yield self.table()

    def table(self, digits: int = 2) -> Table:
        """The pairs, a line each."""
        digits += self.metric.finer
        columns = [Column("first"), Column("second"), number_column("diff", "difference", digits)]
        columns += [chance_column(), chance_column("Holm", "p_holm")]
        columns += [number_column("BH", "p_bh", 4), Column("better")]
        rows: list[tuple[Value, ...]] = [
            (pair.first, pair.second, pair.difference, pair.p, pair.p_holm, pair.p_bh, self._verdict(pair))
            for pair in self.pairs
        ]
        if self.intervals:
            columns.append(number_column("detectable", "smallest_detectable", digits))
            rows = [(*row, pair.smallest_detectable) for row, pair in zip(rows, self.pairs, strict=True)]
        return Table("", tuple(columns), tuple(rows), tuple(self.notes()))

    def _verdict(self, pair: PairResult) -> str:
        if pair.better is None:
            return "undefined" if pair.difference is None else "equal"
        return pair.better if pair.significant(self.alpha) else f"({pair.better}?)"


def tests_by(tests: Sequence[PairTests], key: int | str) -> PairTests:
    """The tests by one metric: by its number, or by its name as it was given."""
    if isinstance(key, int):
        return tests[key]
    wanted = asked_for(key, [one.metric for one in tests])
    found = [one for one in tests if one.metric == wanted]
    if not found:
        raise KeyError(key)
    return found[0]


def p_text(p: float | None) -> str:
    """A p-value as people print it.

    >>> p_text(0.00099900)
    '0.001'
    """
    return "undefined" if p is None else f"{p:.4f}" if p < 0.00095 else f"{p:.3f}"
