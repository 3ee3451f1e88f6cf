"""Metrics as modules of Hugging Face's `evaluate`, local and offline: `load("chrf++").compute(predictions=...)`."""

from __future__ import annotations

from typing import Any

from tertium.adapters.columns import Specs, chosen, imported
from tertium.scoring import score


def load(metrics: Specs = "bleu") -> Any:
    """An `evaluate.Metric` of one metric or several. References are a text for each prediction, or a list of them."""
    evaluate, datasets = imported("evaluate", "evaluate"), imported("datasets", "evaluate")
    own = chosen(metrics)
    text = datasets.Value("string")
    several = datasets.Sequence(datasets.Value("string"))
    base: Any = evaluate.Metric

    class TertiumModule(base):  # type: ignore[misc]
        """Tertium's metrics as `evaluate` calls them."""

        def _info(self) -> Any:
            return evaluate.MetricInfo(
                description="; ".join(metric.title for metric in own),
                citation="\n".join(metric.paper for metric in own),
                features=[
                    datasets.Features({"predictions": text, "references": several}),
                    datasets.Features({"predictions": text, "references": text}),
                ],
            )

        def _compute(self, predictions: Any, references: Any, **how: Any) -> dict[str, Any]:
            rows = [[one] if isinstance(one, str) else list(one) for one in references]
            found = score(list(predictions), references_per_segment=rows, metrics=own, **how)
            values: dict[str, Any] = {one.metric.label: one.value for one in found}
            return values | {"signatures": {one.metric.label: one.signature for one in found}}

    return TertiumModule(experiment_id="tertium", keep_in_memory=True)
