"""A metric as a scorer of scikit-learn: for `cross_val_score` and searches over estimators that give texts."""

from __future__ import annotations

from typing import Any

from tertium.adapters.columns import chosen, corpus_scores, imported


def scorer(metric: str = "chrf", **how: Any) -> Any:
    """`make_scorer` of a metric: `predict` gives translations, `y` holds references. Error metrics are negated, as
    scikit-learn has it."""
    metrics = imported("sklearn.metrics", "train")
    (own,) = chosen(metric)

    def value(references: Any, hypotheses: Any) -> float:
        found = corpus_scores(list(hypotheses), list(references), own, **how).scores[0].value
        return float("nan") if found is None else found

    value.__name__ = own.name
    return metrics.make_scorer(value, greater_is_better=own.higher_is_better)
