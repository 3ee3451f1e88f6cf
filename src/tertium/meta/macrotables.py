"""Correlations of many metrics in many settings, and what they come to: the tables of Gowda et al. (2021).

A row is a setting (a language pair, a year, an aspect that people judged, a measure of retrieval), a column a metric.
What is not significant carries a sign (×) and cannot win.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.scoretable import ScoreTable
from tertium.io.tables import Column, Table, Value, number_column
from tertium.meta.agreement_statistics import STATISTICS
from tertium.meta.correlations import Correlations
from tertium.meta.rounded_scores import Bounds, rounding_bounds, rounding_note
from tertium.results import Result
from tertium.stats.correlation import Correlation, pearson, spearman
from tertium.stats.kendall import tau_b
from tertium.stats.summaries import Summary, summarise

if TYPE_CHECKING:
    from numpy.typing import NDArray

INSIGNIFICANT = "×"
SYMBOLS = {"kendall": "Kendall's τ", "pearson": "Pearson's r", "spearman": "Spearman's ρ"}
_FUNCTIONS: dict[str, Callable[[Sequence[float], Sequence[float]], Correlation]] = {
    "kendall": tau_b,
    "pearson": pearson,
    "spearman": spearman,
}
DIGITS = 3
HIGHEST = "highest of its row; whether metrics differ was not tested"  # what a star means
Key = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CorrelationGrid(Result):
    """Settings x metrics. `labels` name the parts of a setting: ("pair",), or ("language", "domain", "measure")."""

    kind = "correlation grid"
    labels: tuple[str, ...]
    settings: tuple[Key, ...]
    metrics: tuple[str, ...]
    cells: Mapping[tuple[Key, str], Correlation]
    statistic: str = "kendall"
    alpha: float = 0.05
    coverage: Coverage | None = None
    against: str = "people"
    shape: str = "plain"  # of its table: plain, summary or aspects
    rounded: Mapping[tuple[Key, str], Bounds] = field(default_factory=dict)  # tau with a metric's ties broken

    @property
    def values(self) -> NDArray[np.float64]:
        """Settings x metrics; NaN where undefined."""
        return self._numbers(lambda cell: cell.value)

    @property
    def p(self) -> NDArray[np.float64]:
        """Of the same cells; NaN where there is no test."""
        return self._numbers(lambda cell: cell.p)

    def _numbers(self, of: Callable[[Correlation], float | None]) -> NDArray[np.float64]:
        found = [[of(self.cells[setting, metric]) for metric in self.metrics] for setting in self.settings]
        return np.array([[np.nan if x is None else x for x in row] for row in found], dtype=np.float64)

    def summary(self) -> Summary:
        """Mean, median, deviation and wins by metric; what reads the same is a tie."""
        return summarise(self.values, self.p, alpha=self.alpha, digits=DIGITS)

    def contents(self) -> Mapping[str, Any]:
        found = self.summary()

        def by_metric(numbers: NDArray[Any]) -> dict[str, float | int | None]:
            return {
                metric: None if number != number else number
                for metric, number in zip(self.metrics, numbers.tolist(), strict=True)
            }

        return {
            "statistic": self.statistic,
            "alpha": self.alpha,
            "correlations": [
                {
                    **dict(zip(self.labels, setting, strict=True)),
                    "metrics": {metric: self.cells[setting, metric].data() for metric in self.metrics},
                    "rounded": {
                        metric: self.rounded[setting, metric]
                        for metric in self.metrics
                        if (setting, metric) in self.rounded
                    },
                    "in_mean": bool(used),
                }
                for setting, used in zip(self.settings, found.used, strict=True)
            ],
            "mean": by_metric(found.mean),
            "median": by_metric(found.median),
            "deviation": by_metric(found.deviation),
            "wins": by_metric(found.wins),
            "used": self.coverage,
        }

    def table(self) -> Table:
        """In the shape asked for."""
        shapes = {
            "plain": self.plain_table,
            "summary": self.table_with_summary,
            "aspects": self.aspects_table,
        }
        return shapes[self.shape]()

    def plain_table(self) -> Table:
        """A row for each setting, as in tables 4 and 5: the best significant metric of a row is marked."""
        rows, best, signs = self._rows(range(len(self.settings)), 0)
        return Table(self._title(), self._columns(), rows, self._notes(), best, signs, HIGHEST)

    def table_with_summary(self) -> Table:
        """As tables 9 to 11: settings where all metrics are significant, median, mean and deviation over those, then
        the settings that were left out, then wins over all."""
        found = self.summary()
        used = [i for i, own in enumerate(found.used) if own]
        above, best, signs = self._rows(used, 0)
        blank = ("",) * (len(self.labels) - 1)
        numbers = [
            ("Median", *blank, *found.median.tolist()),
            ("Mean", *blank, *found.mean.tolist()),
            ("SD", *blank, *found.deviation.tolist()),
        ]
        left_out = [i for i, own in enumerate(found.used) if not own]
        below, more, other = self._rows(left_out, len(above) + len(numbers))
        wins = ("Wins", *blank, *found.wins.tolist())
        notes = [
            *self._notes(),
            f"median, mean and SD are over {len(used)} of {len(self.settings)} rows, those where all metrics "
            "are significant; wins are over all rows, and every tied metric wins",
        ]
        return Table(
            self._title(),
            self._columns(),
            (*above, *numbers, *below, wins),
            tuple(notes),
            best | more,
            {**signs, **other},
            HIGHEST,
        )

    def aspects_table(self) -> Table:
        """The other way round, as table 2: a row for each metric, a column for each setting; settings that all
        metrics correlate with identically share a column."""
        groups: list[list[Key]] = []
        for setting in self.settings:
            if groups and all(self._same(groups[-1][0], setting, metric) for metric in self.metrics):
                groups[-1].append(setting)
            else:
                groups.append([setting])
        rows: list[tuple[Value, ...]] = []
        signs: dict[tuple[int, int], str] = {}
        for r, metric in enumerate(self.metrics):
            cells = [self.cells[own[0], metric] for own in groups]
            rows.append((metric, *(cell.value for cell in cells)))
            signs |= {
                (r, c): INSIGNIFICANT for c, cell in enumerate(cells, 1) if not cell.significant(self.alpha)
            }
        names = [" & ".join(" ".join(setting) for setting in own) for own in groups]
        columns = (Column("metric"), *(number_column(name, digits=DIGITS) for name in names))
        return Table(self._title(), columns, tuple(rows), self._notes(), frozenset(), signs)

    def _same(self, one: Key, other: Key, metric: str) -> bool:
        first, second = self.cells[one, metric], self.cells[other, metric]
        return first.value == second.value and first.significant(self.alpha) == second.significant(self.alpha)

    def _columns(self) -> tuple[Column, ...]:
        return (*map(Column, self.labels), *(number_column(metric, digits=DIGITS) for metric in self.metrics))

    def _rows(
        self, which: Sequence[int] | range, first: int
    ) -> tuple[tuple[tuple[Value, ...], ...], frozenset[tuple[int, int]], dict[tuple[int, int], str]]:
        rows, best, signs = [], set(), {}
        for r, i in enumerate(which, first):
            setting = self.settings[i]
            cells = [self.cells[setting, metric] for metric in self.metrics]
            rows.append((*setting, *(cell.value for cell in cells)))
            able = [
                round(c.value, DIGITS) for c in cells if c.value is not None and c.significant(self.alpha)
            ]
            for c, cell in enumerate(cells, len(self.labels)):
                if not cell.significant(self.alpha):
                    signs[r, c] = INSIGNIFICANT
                elif cell.value is not None and round(cell.value, DIGITS) == max(able):
                    best.add((r, c))
        return tuple(rows), frozenset(best), signs

    def _title(self) -> str:
        return f"{SYMBOLS[self.statistic]} between metrics and {self.against}"

    def _notes(self) -> tuple[str, ...]:
        notes = []
        if any(not cell.significant(self.alpha) for cell in self.cells.values()):
            notes.append(f"{INSIGNIFICANT} not significant at alpha = {self.alpha:g}")
        for (setting, metric), cell in self.cells.items():
            if cell.reason:
                notes.append(f"{' '.join(setting)}, {metric}: undefined, because {cell.reason}")
            elif cell.by_construction:
                notes.append(
                    f"{' '.join(setting)}, {metric}: only two systems, so it is 1 or -1 by construction"
                )
        for metric in self.metrics:
            bounds = [(" ".join(key), own) for (key, name), own in self.rounded.items() if name == metric]
            if bounds:
                notes.append(rounding_note(metric, bounds))
        if self.coverage is not None:
            notes.append(str(self.coverage))
        return tuple(notes)


def correlate_table(
    scores: ScoreTable,
    human: str | Sequence[str],
    metrics: Sequence[str],
    by: Sequence[str] = (),
    *,
    errors: Sequence[str] = (),
    statistic: str = "kendall",
    system: str | None = None,
    missing: str = "refuse",
    alpha: float = 0.05,
) -> CorrelationGrid:
    """Metrics against people, or against measures of a task, for each group of rows of a table of scores.

    `human` names one column or several; `by` the columns that make groups, such as the language pair. Columns in
    `errors` are lower for better systems and turned round. A row without one of the scores is refused with its line,
    or left out and accounted for (`missing="leave out"`). No two rows of a group may have the same `system`.

    >>> rows = [("de-en", "1", "20"), ("de-en", "2", "30"), ("de-en", "3", "40"), ("de-en", "4", "50")]
    >>> rows = tuple((i, row) for i, row in enumerate(rows, 2))
    >>> grid = correlate_table(ScoreTable("a.tsv", ("pair", "Human", "BLEU"), rows), "Human", ["BLEU"], ["pair"])
    >>> grid.cells[("de-en",), "BLEU"].value
    1.0
    """
    statistic = STATISTICS.canonical(statistic)
    if statistic not in _FUNCTIONS:
        raise SpecError(f"no statistic {statistic!r} here{did_you_mean(statistic, list(_FUNCTIONS))}")
    if missing not in ("refuse", "leave out"):
        raise SpecError(f"missing must be 'refuse' or 'leave out', not {missing!r}")
    measures = (human,) if isinstance(human, str) else tuple(human)
    if not metrics or not measures:
        raise InputError(f"{scores.name}: name the columns of human and of metric scores")
    for metric in errors:
        if metric not in metrics:
            raise InputError(f"{metric!r} is not a metric's column here{did_you_mean(metric, list(metrics))}")
    if system is not None:
        scores.check_once((*by, system))
    numbers = {column: scores.numbers(column) for column in (*measures, *metrics)}
    kept, book = [], OpenCoverage(scores.name, "rows")
    for i, (line, _) in enumerate(scores.rows):
        absent = next((column for column, own in numbers.items() if own[i] is None), None)
        if absent is None:
            kept.append(i)
        elif missing == "refuse":
            raise InputError(f"{scores.name}: line {line} has no {absent} (missing='leave out' skips it)")
        else:
            book.leave_out(f"no {absent}", line)
    groups: dict[Key, list[int]] = {}
    labels = [scores.texts(column) for column in by]
    for i in kept:
        groups.setdefault(tuple(own[i] for own in labels), []).append(i)
    function, found = _FUNCTIONS[statistic], {}
    settings: list[Key] = []
    rounded: dict[tuple[Key, str], Bounds] = {}
    for group in sorted(groups):
        for measure in measures:
            setting = (*group, measure) if len(measures) > 1 or not by else group
            settings.append(setting)
            people = [float(numbers[measure][i] or 0.0) for i in groups[group]]
            for metric in metrics:
                sign = -1 if metric in errors else 1
                own = [sign * float(numbers[metric][i] or 0.0) for i in groups[group]]
                found[setting, metric] = function(people, own)
                bounds = rounding_bounds(people, own) if statistic == "kendall" else None
                if bounds is not None:
                    rounded[setting, metric] = bounds
    if not settings:
        raise InputError(f"{scores.name}: no row has all of the scores {', '.join(numbers)}")
    names = (*by, "of") if len(measures) > 1 or not by else tuple(by)
    against = "people" if measures == ("Human",) else " and ".join(measures)
    coverage = book.closed(len(kept))
    return CorrelationGrid(
        names, tuple(settings), tuple(metrics), found, statistic, alpha, coverage, against, rounded=rounded
    )


def metric_columns(scores: ScoreTable, besides: Sequence[str]) -> list[str]:
    """Columns that hold nothing but numbers, and not the same one everywhere: what looks like metrics.

    >>> table = ScoreTable("a.tsv", ("year", "pair", "BLEU"), ((2, ("2017", "a", "1")), (3, ("2017", "b", "2"))))
    >>> metric_columns(table, ["pair"])
    ['BLEU']
    """
    found = []
    for column in scores.columns:
        if column in besides:
            continue
        try:
            values = {value for value in scores.numbers(column) if value is not None}
        except InputError:
            continue
        if len(values) > 1:
            found.append(column)
    if not found:
        raise InputError(f"{scores.name}: no column looks like a metric: name the columns (--metrics)")
    return found


def judged_grid(judged: Sequence[Correlations], *, alpha: float = 0.05) -> CorrelationGrid:
    """The same of what a task found: language pairs x metrics that were judged on all of them, at one level."""
    first = judged[0]
    if first.statistic not in SYMBOLS:
        raise SpecError(f"{first.statistic} has no p-values to tell which pairs count")
    if any((one.level, one.statistic) != (other.level, other.statistic) for one, other in pairwise(judged)):
        raise InputError("a table over language pairs needs one level and one statistic")
    metrics = [name for name in first.names if all(name in own.names for own in judged)]
    if not metrics:
        raise InputError("no metric was judged on all language pairs")
    cells: dict[tuple[Key, str], Correlation] = {
        ((own.pair,), name): Correlation(own[name].value, own[name].p, own.n, own[name].reason)
        for own in judged
        for name in metrics
    }
    pairs = tuple((own.pair,) for own in judged)
    return CorrelationGrid(("pair",), pairs, tuple(metrics), cells, first.statistic, alpha)


@dataclass(frozen=True)
class GridsOfYears(Result):
    """Correlations of several years, or other groups of settings."""

    kind = "correlation grids"
    grids: Mapping[str, CorrelationGrid]

    def table(self) -> Table:
        return years_table(self.grids)


def years_table(grids: Mapping[str, CorrelationGrid]) -> Table:
    """Mean, median and wins of several years (or other groups of settings) below each other, as table 3.

    >>> cell = {(("de-en",), "BLEU"): Correlation(0.9, 0.01, 8)}
    >>> grid = CorrelationGrid(("pair",), (("de-en",),), ("BLEU",), cell)
    >>> print(years_table({"2017": grid}).tsv(), end="")  # doctest: +NORMALIZE_WHITESPACE
    year  pairs  of      BLEU
    2017  1      Mean    0.9
    2017  1      Median  0.9
    2017  1      Wins    1
    """
    if not grids:
        raise InputError("there are no correlations to summarise")
    metrics = next(iter(grids.values())).metrics
    rows: list[tuple[Value, ...]] = []
    best = set()
    for year, grid in grids.items():
        if grid.metrics != metrics:
            raise InputError(f"{year} has different metrics from the first: {', '.join(grid.metrics)}")
        found = grid.summary()
        for label, values in (("Mean", found.mean), ("Median", found.median), ("Wins", found.wins)):
            top = np.round(values.astype(np.float64), DIGITS)
            best |= {
                (len(rows), 3 + c) for c, value in enumerate(top) if value == np.nanmax(top, initial=-np.inf)
            }
            rows.append((year, len(grid.settings), label, *values.tolist()))
    of_metrics = (number_column(metric, digits=DIGITS) for metric in metrics)
    columns = (Column("year"), number_column("pairs"), Column("of"), *of_metrics)
    symbol = SYMBOLS[next(iter(grids.values())).statistic]
    note = "mean and median exclude pairs where any metric is not significant"
    return Table(
        f"{symbol} between metrics and people", columns, tuple(rows), (note,), frozenset(best), star=HIGHEST
    )
