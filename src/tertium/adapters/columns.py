"""Metrics over columns of texts: what the adapters of data frames, databases and trainers share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.errors import MissingExtraError
from tertium.families.base import Metric
from tertium.scores import Scores
from tertium.scoring import score
from tertium.text.segments import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Specs = str | Metric | Sequence[str | Metric]


def chosen(metrics: Specs) -> list[Metric]:
    """Metrics by spec, one or several."""
    given = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    return [registry.metric(spec) for spec in given]


def corpus_scores(hypotheses: Any, references: Any, metrics: Specs, **how: Any) -> Scores:
    """`tertium.score` over columns: references are a column, or a list of columns."""
    texts = _texts(hypotheses)
    return score(texts, _references(references, len(texts)), chosen(metrics), **how)


def by_label(scores: Scores, prefix: str = "") -> dict[str, float]:
    """The scores of one system as numbers by label; those that are undefined are left out.

    >>> by_label(corpus_scores(["a b"], ["a b"], "chrf"))
    {'chrF2': 100.0}
    """
    return {f"{prefix}{own.metric.label}": own.value for own in scores if own.value is not None}


def segment_scores(
    hypotheses: Any, references: Any, metric: str | Metric, *, sources: Any = None, threads: int = 1
) -> NDArray[np.float64]:
    """A score for each row, NaN where there is none.

    >>> segment_scores(["a b", "c"], ["a b", "d"], "chrf").tolist()
    [100.0, 0.0]
    """
    own = registry.metric(metric)
    texts = _texts(hypotheses)
    origin = None if sources is None else _texts(sources)
    rows = own.statistics(texts, _references(references, len(texts)), sources=origin, threads=threads)
    return own.score_rows(rows, "segment")


def _references(references: Any, number: int) -> References:
    """One column of references, or several: columns are streams, whatever their lengths look like."""
    several = isinstance(references, list) and references and not isinstance(references[0], str | None)
    return References.of([_texts(stream) for stream in (references if several else [references])], number)


def _texts(column: Any) -> list[str | None]:
    """A column as a list of texts; what is missing is an empty text."""
    values: Iterable[Any] = column.to_list() if hasattr(column, "to_list") else column
    return ["" if value is None or value != value else value for value in values]


def imported(module: str, extra: str) -> Any:
    """A package, or one line that says how to get it."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(f"the adapter for {module.partition('.')[0]}", extra) from None
