"""Systems compared by their rows alone: no text is there, and so nothing that counts or shows words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.comparison.answer import FULL, fitted, outcome
from tertium.comparison.components import Components, compare_components
from tertium.comparison.gate import Gate
from tertium.comparison.pair_results import PairTests, tests_by
from tertium.comparison.ranking import ranking_table
from tertium.comparison.significance import ResamplingPlan, pair_tests_by_metric
from tertium.errors import InputError, many
from tertium.io.tables import Table, room, sentences
from tertium.measured import Measured
from tertium.results import Result, metric_facts, metric_labels
from tertium.stats.resampling import SEED

DETAILS = ("significance", "components")  # analyses that need no words


@dataclass(frozen=True, eq=False)
class RowsComparison(Result):
    """Systems compared by rows of segments that were made elsewhere: scores, tests of every pair, components."""

    kind = "comparison of rows"
    measured: Measured
    baseline: str | None
    seed: int
    tests: tuple[PairTests, ...]  # one a metric
    components: Components
    gate: Gate | None = None
    details: tuple[str, ...] = ()

    def __getitem__(self, key: int | str) -> PairTests:
        """The tests by one metric: by its number, or by its name."""
        return tests_by(self.tests, key)

    def words(self) -> Iterator[str]:
        """Who is best, who is behind or tied."""
        return outcome(self.tests, self.baseline, brief=FULL)

    def answer(self, width: int) -> list[str]:
        """The same with fewer names where it would need more than five lines."""
        return fitted(lambda brief: outcome(self.tests, self.baseline, brief=brief), width)

    def tables(self) -> Iterator[Table]:
        """The systems from the best down, then the details asked for."""
        yield ranking_table(self.tests, self.baseline)
        if "significance" in self.details:
            for tests in self.tests:
                yield from tests.tables()
        if "components" in self.details:
            yield self.components.table()

    def table(self) -> Table:
        return next(self.tables())

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        how: dict[str, Any] = {"terminal": terminal, "width": width}
        verdict = [] if self.gate is None else self.gate.words()
        answer = self.words() if terminal is False else self.answer(width or room())
        shown = [sentences([*verdict, *answer], **how), *(table.text(**how) for table in self.tables())]
        return "\n\n".join(shown)

    def contents(self) -> Mapping[str, Any]:
        measured = self.measured
        return {
            "segments": len(measured),
            "systems": measured.systems,
            "metrics": metric_facts(measured.metrics, measured.n_references, measured.pseudo),
            "baseline": self.baseline,
            "seed": self.seed,
            "significance": {found.metric: found for found in self.tests},
            "components": self.components,
            "words": tuple(self.words()),
            "gate": self.gate,
        }


def compare_rows(
    measured: Measured,
    *,
    documents: Sequence[str] | None = None,
    baseline: str | None = None,
    method: str | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    threads: int = 1,
) -> RowsComparison:
    """Compare systems by rows of segments; `documents` has the document of each, where documents are drawn.

    >>> from tertium import TestSet
    >>> from tertium.measuring import measure
    >>> found = compare_rows(measure(TestSet.sample(), ["chrf"]), resamples=200)
    >>> next(found.words())
    'strong has the best score (chrF2).'
    """
    if len(measured.systems) < 2:
        raise InputError(f"{many(len(measured.systems), 'system')} given: a comparison needs two or more")
    if len(measured) < 2:
        raise InputError("there is only one segment: with nothing to resample, no difference can be tested")
    plan = ResamplingPlan(baseline, method, resamples, None, seed, documents, None, threads=threads)
    if baseline is not None:
        measured.pair((baseline, next(name for name in measured.systems if name != baseline)))
    shared = [
        (alike, {name: [measured.rows[name, alike[0]]] for name in measured.systems})
        for alike in measured.sharing()
    ]
    tests = pair_tests_by_metric(shared, plan)
    labels = metric_labels(measured.metrics)
    return RowsComparison(
        measured,
        baseline,
        seed,
        tuple(replace(tests[own], label=label) for own, label in zip(measured.metrics, labels, strict=True)),
        compare_components(measured),
    )
