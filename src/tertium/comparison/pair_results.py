"""What significance tests say: of each system, of each pair, and of all together; for reading and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import Any

from tertium.families.base import Metric
from tertium.families.for_texts import asked_for
from tertium.io.tables import Column, Table, Value, chance_column, number_column, p_text
from tertium.results import Result, sentence
from tertium.stats.distributions import student_tail
from tertium.stats.pvalues import MANY_UNITS, RUN_SPLITS

SACREBLEU_RATE = "sacrebleu's bootstrap rejects more than 10% of true nulls at p < .05 (docs/significance.md)"


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
    p_holm: float | None = None  # of p, as p_bh is
    p_bh: float | None = None
    p_units: float | None = (
        None  # of systems with several runs, over segments or documents; p is the larger of both
    )
    p_runs: float | None = None  # and over runs
    spread: float | None = None  # the standard error of the difference, from resamples
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
    exact: bool = False  # every swap was looked at, of which there are `resamples`

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
        tests = {"bootstrap": "paired bootstrap", "randomisation": "paired approximate randomisation"}
        test = "exact paired randomisation" if self.exact else tests[self.method]
        like = f", as {self.like} computes it" if self.like else ""
        like += " (of what segments add to a difference)" if self.linear else ""
        like += ", and permutation of runs" if self.has_runs and not self.like else ""
        seed = "" if self.exact and not self.intervals else f", seed {self.seed}"
        return f"{self.label}: {test}, {self.times} of {self.n_units:,} {self.units}{seed}{like}"

    @property
    def has_intervals(self) -> bool:
        """Whether there are confidence intervals: they were asked for, and there are enough units."""
        return any(system.low is not None for system in self.systems)

    @property
    def has_runs(self) -> bool:
        """Whether some system has several runs."""
        return any(system.runs > 1 for system in self.systems)

    @property
    def times(self) -> str:
        """How many resamples, trials or swaps, in words."""
        if self.exact:
            return f"all {self.resamples:,} swaps"
        return f"{self.resamples:,} {'resamples' if self.method == 'bootstrap' else 'trials'}"

    @property
    def least(self) -> float:
        """The least p-value after Holm that this test can give."""
        return min(1.0, self.least_alone * sum(pair.p is not None for pair in self.pairs))

    @property
    def least_alone(self) -> float:
        """The least of a single pair, of that whose least is smallest."""
        return min((self.least_of(pair) for pair in self.pairs), default=1.0)

    def least_of(self, pair: PairResult) -> float:
        """The least p-value of a pair: no resample is as extreme, or of few units only the swaps of none and all; of
        runs, only their own division between the systems and, of as many runs on both sides, its mirror image."""
        least = 1 / self.resamples if self.exact else 1 / (self.resamples + 1)
        if self.method == "randomisation":
            least = max(least, 2.0 ** (1 - min(self.n_units, 1000)))
        return least if pair.p_runs is None else max(least, self.least_of_runs(pair))

    def least_of_runs(self, pair: PairResult) -> float:
        """The least p-value of the permutation of runs."""
        first, second = (self.system(name).runs for name in (pair.first, pair.second))
        ways = comb(first + second, first)
        return (2 if first == second else 1) / ways if ways <= RUN_SPLITS else 1 / (RUN_SPLITS + 1)

    def p_words(self, pair: PairResult) -> str:
        """The p-value that decides: corrected for all pairs tested (Holm). Where it cannot be smaller, that is said."""
        several = ", Holm" if len(self.pairs) > 1 else ""
        least = f"; the least possible with {self._limit(pair)}" if self.at_floor(pair) else ""
        p = p_text(pair.p_holm, alpha=self.alpha)
        return f"p {p if p.startswith('<') else f'= {p}'}{several}{least}"

    def _limit(self, pair: PairResult) -> str:
        """What p cannot be smaller for: runs, units or resamples."""
        if pair.p_runs is not None and self.least_of_runs(pair) >= self.least_of(pair):
            first, second = (self.system(name).runs for name in (pair.first, pair.second))
            return f"{first} against {second} runs"
        return f"{self.n_units} {self.units}" if self.exact else self.times

    def at_floor(self, pair: PairResult) -> bool:
        """Whether p could not be smaller with these units, runs and resamples."""
        return pair.p is not None and abs(pair.p / self.least_of(pair) - 1) < 1e-9

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
            return sentence("pair.undefined", first=pair.first, second=pair.second, why=self._why_undefined())
        if pair.better is None:
            name = "pair.identical" if pair.identical else "pair.equal"
            p = self.p_words(pair)
            return sentence(name, first=pair.first, second=pair.second, metric=self.label, p=p)
        other = pair.first if pair.better == pair.second else pair.second
        size = f"{abs(pair.difference):.{digits + self.metric.finer}f} {self.label}"
        name = "pair.significant" if pair.significant(self.alpha) else "pair.not-significant"
        return sentence(name, winner=pair.better, loser=other, amount=size, p=self.p_words(pair))

    def _why_undefined(self) -> str:
        return f"{self.label} has no value here: {self.undefined_because}"

    @property
    def undefined_because(self) -> str:
        """Why there may be no score."""
        return self.metric.undefined or "nothing to compare"

    @property
    def warning(self) -> str:
        """Where the test rejects too many true nulls: why, and what to take instead."""
        if self.method != "bootstrap":
            return ""
        if self.interval_method != "bootstrap":
            return (
                f"by {self.label} the bootstrap finds too many differences, since resamples have too few types: "
                "prefer randomisation"
            )
        if self.like == "sacrebleu":
            return SACREBLEU_RATE
        if self.n_units < MANY_UNITS:
            return (
                f"with {self.n_units} {self.units} the bootstrap rejects more true nulls than it should "
                "(docs/significance.md): prefer randomisation"
            )
        return ""

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
        if self.intervals and not self.like and self.n_units < self.metric.fewest_for_interval:
            yield (
                f"no 95% intervals: with fewer than {self.metric.fewest_for_interval} {self.units} they would hold "
                "less often than they say"
            )
        if self.interval_method == "subsets" and self.has_intervals:
            yield f"intervals: from {self.intervals:,} subsets of the {self.units}, since resamples have too few types"
        if self.warning:
            yield self.warning
        if self.least >= self.alpha:
            yield self.nothing_possible()
        elif floors := [pair for pair in self.pairs if self.at_floor(pair)]:
            holm = f", {p_text(self.least)} after Holm" if len(self.pairs) > 1 else ""
            yield f"with {self._limit(floors[0])}, p is at least {p_text(self.least_of(floors[0]))}{holm}"
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

    @property
    def advice(self) -> str:
        """What to do where p-values are too coarse to be significant: more resamples, if it is they."""
        return "; ask for more (-n)" if self.limit() == self.times else ""

    def without_detectable(self) -> PairTests:
        """The same without smallest detectable differences: there are none where nothing can be significant."""
        return replace(self, pairs=tuple(replace(pair, smallest_detectable=None) for pair in self.pairs))

    def nothing_possible(self) -> str:
        """Where no difference could be significant: with what, and how small p can be."""
        holm = " after Holm" if len(self.pairs) > 1 else ""
        least = p_text(self.least)
        return f"nothing can be significant with {self.limit()}: p is at least {least}{holm}{self.advice}"

    def limit(self) -> str:
        """What no p-value of these tests can be smaller for: the units, the resamples or the runs."""
        return self._limit(min(self.pairs, key=self.least_of))

    def system_table(self, digits: int = 2) -> Table:
        """Scores with their confidence intervals."""
        arrow, digits = "↑" if self.metric.higher_is_better else "↓", digits + self.metric.finer
        columns = [Column("system"), number_column(f"{self.label} {arrow}", self.label, digits)]
        rows: list[list[Value]] = [[found.name, found.value] for found in self.systems]
        if self.has_intervals:
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
        columns += [chance_column("BH", "p_bh"), Column("better")]
        rows: list[tuple[Value, ...]] = [
            (pair.first, pair.second, pair.difference, pair.p, pair.p_holm, pair.p_bh, self._verdict(pair))
            for pair in self.pairs
        ]
        if any(pair.smallest_detectable is not None for pair in self.pairs):
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
