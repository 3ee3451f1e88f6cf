"""Tertium: the workbench for judging translations.

    import tertium as tt
    tt.score(hypotheses, references, metrics=["bleu", "chrf", "macrof1"])

Names are imported when they are first used, so that `import tertium` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_WHERE = {
    "InputError": "tertium.errors",
    "SpecError": "tertium.errors",
    "TertiumError": "tertium.errors",
    "TertiumWarning": "tertium.errors",
    "Metric": "tertium.families.base",
    "Statistics": "tertium.statistics",
    "DenseStatistics": "tertium.statistics",
    "TypeStatistics": "tertium.statistics",
    "TestSet": "tertium.testset",
    "References": "tertium.text.segments",
    "Scores": "tertium.scores",
    "compare": "tertium.comparison.comparison",
    "metric": "tertium.registry",
    "score": "tertium.scoring",
    "score_files": "tertium.passes",
}

__all__ = [
    "DenseStatistics",
    "InputError",
    "Metric",
    "References",
    "Scores",
    "SpecError",
    "Statistics",
    "TertiumError",
    "TertiumWarning",
    "TestSet",
    "TypeStatistics",
    "__version__",
    "compare",
    "human",
    "meta",
    "metric",
    "score",
    "score_files",
]

if TYPE_CHECKING:
    from tertium import human, meta
    from tertium.comparison.comparison import compare
    from tertium.errors import InputError, SpecError, TertiumError, TertiumWarning
    from tertium.families.base import Metric
    from tertium.passes import score_files
    from tertium.registry import metric
    from tertium.scores import Scores
    from tertium.scoring import score
    from tertium.statistics import DenseStatistics, Statistics, TypeStatistics
    from tertium.testset import TestSet
    from tertium.text.segments import References


def __getattr__(name: str) -> Any:
    if name in ("human", "meta"):  # packages
        return import_module(f"tertium.{name}")
    if name in _WHERE:
        value = getattr(import_module(_WHERE[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'tertium' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
