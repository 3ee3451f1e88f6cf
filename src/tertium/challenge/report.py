"""All there is to say of a challenge set: rates, metrics, pairs, versions, every item with its outputs and marks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tertium.challenge import tables
from tertium.challenge.comparison import Contests
from tertium.challenge.items import OBJECTS, Item
from tertium.challenge.judgements import Place
from tertium.challenge.outputs import Outputs
from tertium.challenge.results import Results
from tertium.challenge.tables import MetricScores
from tertium.io.tables import Table
from tertium.results import Result


@dataclass(frozen=True)
class ChallengeReport(Result):
    """Results beside scores of metrics, in chosen tables; `data()` is what the page shows, texts included."""

    kind = "challenge report"
    results: Results
    metrics: tuple[MetricScores, ...] = ()
    wanted: Sequence[str] | None = None  # of `tables.TABLES`; None: the usual ones
    digits: int = 1
    outputs: Outputs | None = None

    @cached_property
    def contests(self) -> Contests:
        """Pairs and versions; none of a single system."""
        return Contests.of(self.results) if len(self.results.systems) > 1 else Contests((), ())

    def tables(self) -> Iterator[Table]:
        made: dict[str, Callable[[], Table]] = {
            "summary": lambda: tables.summary_table(self.results, self.metrics, digits=self.digits),
            "subcategories": lambda: tables.fine_table(self.results, digits=self.digits),
            "rates": lambda: tables.rates_table(self.results, digits=self.digits),
            "agreement": lambda: tables.agreement_table(self.results),
            "differences": lambda: tables.differences_table(self.results),
        }
        usual = ("summary", "subcategories", *(["agreement"] if len(self.results.annotators) > 1 else []))
        return (made[name]() for name in made if name in (self.wanted or usual))

    def words(self) -> Iterator[str]:
        """The most important sentence first."""
        first, *others = self.results.words()
        yield first
        yield from self.contests.words()
        yield from others

    def contents(self) -> Mapping[str, Any]:
        return {
            **tables.results_data(self.results, self.metrics),
            **self.contests.contents(),
            "each_item": [self._item(item) for item in self.results.items],
        }

    def _item(self, item: Item) -> dict[str, Any]:
        told = {key: value for key, value in item.data().items() if key not in OBJECTS}
        return {**told, "outputs": [self._output(Place(item.id, system)) for system in self.results.systems]}

    def _output(self, place: Place) -> dict[str, Any]:
        """The text, whether it is right (None: no verdict), who answered what."""
        decision = self.results.decisions.get(place)
        return {
            "system": place.system.label,
            "text": None if self.outputs is None else self.outputs.text(place.system, place.item),
            "judged": decision is not None,
            "right": None if decision is None else decision.right,
            "answers": [
                {key: getattr(judgement, key) for key in ("annotator", "role", "answer", "note")}
                for judgement in self.results.judgements_of.get(place, ())
            ],
        }
