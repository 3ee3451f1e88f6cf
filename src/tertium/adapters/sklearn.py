"""A metric as a scorer of scikit-learn: for `cross_val_score` and searches over estimators that give texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tertium.adapters.columns import Specs, checked, corpus_scores, imported, one
from tertium.errors import InputError
from tertium.families.base import Metric


@dataclass(frozen=True)
class CorpusScore:
    """The score as scikit-learn asks for it: `y` first, then what `predict` gave. Can be pickled, for `n_jobs`."""

    spec: str | Metric
    how: Mapping[str, Any]

    @property
    def __name__(self) -> str:  # in the scorer's representation
        return str(one(self.spec))

    def __call__(self, references: Any, hypotheses: Any) -> float:
        rows = references.to_numpy() if hasattr(references, "to_numpy") else references  # a frame has no rows
        found = corpus_scores(hypotheses, [rows], self.spec, **self.how)[0].value
        return float("nan") if found is None else found


def scorer(metric: Specs = "chrf", **how: Any) -> Any:
    """`make_scorer` of a metric: `predict` gives translations; `y` holds a reference for each sample, or a row of them.
    Error metrics are negated, as scikit-learn has it. `how` is what `tertium.score` takes: `threads`, `units`."""
    metrics = imported("sklearn.metrics", "train")
    own = one(metric)
    if own.needs_source:
        raise InputError(
            f"{own.name} compares with the source text, which scikit-learn does not give to a scorer"
        )
    return metrics.make_scorer(CorpusScore(checked(metric)[0], how), greater_is_better=own.higher_is_better)
