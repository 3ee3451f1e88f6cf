"""Metrics as modules of Hugging Face's `evaluate`, local and offline: `load("chrf++").compute(predictions=...)`.

`evaluate.load(hf_evaluate.PATH, "chrf++")` gives the same from code that knows `evaluate` only.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tertium.adapters.columns import Specs, checked, imported

PATH = str(Path(__file__).with_name("hf_metric.py"))
"""The local module: `evaluate.load` takes it with metrics as the configuration, separated by spaces."""


def load(metrics: Specs = "bleu", **how: Any) -> Any:
    """An `evaluate.Metric` of one metric or several. References are a text for each prediction, or a list of them;
    `sources` are wanted where a metric needs them. `how` is as in `evaluate.load`."""
    imported("evaluate", "evaluate")
    from tertium.adapters.hf_metric import Tertium

    return Tertium(
        metrics=checked(metrics), keep_in_memory=how.pop("keep_in_memory", "num_process" not in how), **how
    )
