"""Which components a metric needs: the one that is missed least goes, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.io.tables import Column, Table, number_column
from tertium.progress import steps
from tertium.results import Result
from tertium.training.judged import JudgedTexts
from tertium.training.models import learner_for
from tertium.training.training import features_of, fitting_components, left_out

TOLERANCE = 0.0005  # of correlation: what a component must earn to stay


@dataclass(frozen=True)
class ComponentSelection(Result):
    """Components that were left out, in that order, with the correlation without them; and those that stay."""

    kind = "selection of components"
    kept: tuple[str, ...]
    dropped: tuple[tuple[str, float], ...]
    correlation: float  # of all
    selected: float  # of those that stay
    learner: str
    setting: float
    measure: str = "r"

    def contents(self) -> Mapping[str, Any]:
        return {
            "kept": self.kept,
            "dropped": [{"component": spec, "correlation": value} for spec, value in self.dropped],
            "correlation": self.correlation,
            "selected": self.selected,
            "learner": self.learner,
            "setting": self.setting,
            "measure": self.measure,
        }

    def table(self) -> Table:
        """A row for each component that went."""
        columns = (Column("without"), number_column(self.measure, digits=4))
        return Table("", columns, (("(all)", self.correlation), *self.dropped))

    def words(self) -> Iterator[str]:
        yield (
            f"{len(self.kept)} of {len(self.kept) + len(self.dropped)} components stay, "
            f"{self.measure} = {self.selected:.4f} (all: {self.correlation:.4f}): {', '.join(self.kept)}."
        )


def select(
    judged: JudgedTexts,
    components: Sequence[str],
    *,
    learner: str | None = "ridge",
    tolerance: float = TOLERANCE,
    threads: int = 1,
) -> ComponentSelection:
    """Leave out components one at a time, always the one without which the metric does best on parts that were left
    out, as long as that costs no more than `tolerance` of the best correlation seen.
    """
    specs = fitting_components(components, judged)
    blocks = features_of(specs, judged, threads).blocks
    chosen, how = learner_for(judged, learner)
    folds = judged.folds()

    def mean(places: Sequence[int], setting: float) -> float:
        rows = np.concatenate([blocks[i] for i in places], axis=2)
        return float(np.mean(left_out(rows, judged, folds, how, setting)))

    kept, dropped = list(range(len(specs))), []
    tried = {setting: mean(kept, setting) for setting in how.settings}
    setting = max(tried, key=lambda one: tried[one])
    first = best = selected = tried[setting]
    for _ in steps(range(len(specs) - 1), "components"):
        without = {i: mean([k for k in kept if k != i], setting) for i in kept}
        least = max(without, key=lambda i: without[i])
        if without[least] < best - tolerance:
            break
        kept.remove(least)
        selected, best = without[least], max(best, without[least])
        dropped.append((specs[least].spec, selected))
    names = tuple(specs[i].spec for i in kept)
    return ComponentSelection(names, tuple(dropped), first, selected, chosen, setting, judged.measure)
