"""The module that `evaluate.load` reads from this file (`hf_evaluate.PATH`): the class, where it can be made."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from tertium.adapters.columns import checked, chosen
from tertium.families.base import Metric
from tertium.scoring import score

if find_spec("evaluate") is not None:  # whoever only walks through our modules need not have it
    import datasets  # type: ignore[import-not-found,import-untyped,unused-ignore]
    import evaluate  # type: ignore[import-not-found,import-untyped,unused-ignore]

    class Tertium(evaluate.Metric):  # type: ignore[misc,unused-ignore]
        """Tertium's metrics as `evaluate` calls them: scores by label, and their signatures."""

        def __init__(
            self, config_name: str | None = None, *, metrics: Sequence[str | Metric] = (), **how: Any
        ) -> None:
            self.specs = checked(list(metrics) or (config_name or "bleu").split())
            self.metrics = chosen(self.specs)
            super().__init__(config_name=config_name, **how)

        def _info(self) -> Any:
            text = datasets.Value("string")
            sources = {"sources": text} if any(metric.needs_source for metric in self.metrics) else {}
            return evaluate.MetricInfo(
                description="; ".join(metric.title for metric in self.metrics),
                citation="\n".join(metric.paper for metric in self.metrics),
                features=[
                    datasets.Features({"predictions": text, "references": references, **sources})
                    for references in (datasets.Sequence(text), text)
                ],
            )

        def _compute(self, predictions: Any, references: Any, **how: Any) -> dict[str, Any]:
            rows = [[own] if own is None or isinstance(own, str) else list(own) for own in references]
            found = score(list(predictions), references_per_segment=rows, metrics=self.specs, **how)
            values: dict[str, Any] = {found.labels[own.metric]: own.value for own in found}
            return values | {"signatures": {found.labels[own.metric]: own.signature for own in found}}
