"""Metrics over columns of texts: what the adapters of data frames, databases and trainers share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.errors import InputError, MissingExtraError
from tertium.families.base import Metric
from tertium.families.for_texts import warn_of
from tertium.measuring import chosen_for
from tertium.scores import Scores
from tertium.scoring import score
from tertium.text.segments import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Specs = str | Metric | Sequence[str | Metric]
Cells = list[Any]  # texts, and None where there is none


def chosen(metrics: Specs) -> list[Metric]:
    """Metrics by spec, one or several."""
    given = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    return [registry.metric(spec) for spec in given]


def checked(metrics: Specs) -> list[str | Metric]:
    """The same as they were given, after what is wrong was told: specs of metrics whose tokeniser nobody chose let the
    script of the references choose."""
    chosen(metrics)
    return [metrics] if isinstance(metrics, str | Metric) else list(metrics)


def one(metric: Specs) -> Metric:
    """The metric where there can be only one."""
    found = chosen(metric)
    if len(found) != 1:
        raise InputError(f"name one metric here, not {len(found)}")
    return found[0]


def cells(column: Any) -> Cells:
    """The values of a column of any library; what is missing (None, NaN, pandas' NA) is None.

    >>> cells(["a", None, float("nan")])
    ['a', None, None]
    """
    convert = next((name for name in ("to_pylist", "to_list", "tolist") if hasattr(column, name)), None)
    return [
        None if _missing(value) else value for value in (getattr(column, convert)() if convert else column)
    ]


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ == "NAType"


def corpus_scores(
    hypotheses: Any,
    references: Any,
    metrics: Specs,
    *,
    sources: Any = None,
    documents: Any = None,
    **how: Any,
) -> Scores:
    """`tertium.score` over columns: of one system, or of several by name. References are a column, a list of columns,
    or a column of lists. A missing translation or source is an empty text; a missing reference does not exist.

    >>> corpus_scores(["a b", "c"], [["a b", "c"], ["a", None]], "chrf")[0].value
    100.0
    """
    several = isinstance(hypotheses, Mapping)
    systems = {
        name: _filled(column) for name, column in (hypotheses if several else {"": hypotheses}).items()
    }
    number = len(next(iter(systems.values()), ()))
    ids: Any = None
    if documents is not None:
        ids = [own if own is None else str(own) for own in cells(documents)]
    return score(
        systems if several else systems[""],
        None if references is None else References.of(_streams(references), number),
        checked(metrics),
        sources=None if sources is None else _filled(sources),
        documents=ids,
        **how,
    )


def by_label(scores: Scores, prefix: str = "") -> dict[str, float]:
    """The scores of one system as numbers by label, as tables have them; undefined is NaN.

    >>> by_label(corpus_scores(["a b"], ["a b"], "chrf"))
    {'chrF2': 100.0}
    """
    values = {f"{prefix}{scores.labels[own.metric]}": own.value for own in scores}
    return {name: float("nan") if value is None else value for name, value in values.items()}


def segment_scores(
    hypotheses: Any, references: Any, metric: Specs, *, sources: Any = None, threads: int = 1
) -> NDArray[np.float64]:
    """A score for each row, NaN where there is none: where it is undefined, or the row has no reference.

    >>> segment_scores(["a b", "c", "e"], ["a b", "d", None], "chrf").tolist()
    [100.0, 0.0, nan]
    """
    import numpy as np

    own = one(metric)
    texts = _filled(hypotheses)
    if references is None and own.needs_references:
        raise InputError(f"{own.name} compares with references, and none were given")
    streams = [[""] * len(texts)] if references is None else _streams(references)
    origin = None if sources is None else _filled(sources)
    for what, column in [*(("reference", stream) for stream in streams), ("source", origin)]:
        if column is not None and len(column) != len(texts):
            raise InputError(f"the {what} has {len(column)} segments, the hypotheses have {len(texts)}")
    there = [i for i, row in enumerate(zip(*streams, strict=True)) if any(text is not None for text in row)]
    values = np.full(len(texts), np.nan)
    if there:
        given = [[stream[i] for i in there] for stream in streams]
        found = chosen_for(checked(metric), References.of(given))
        warn_of(found.notes)
        [own] = found.metrics
        rows = own.statistics(
            [texts[i] for i in there],
            given,
            sources=None if origin is None else [origin[i] for i in there],
            threads=threads,
        )
        values[there] = own.score_rows(rows, "segment")
    return values


def _filled(column: Any) -> list[Any]:
    return ["" if value is None else value for value in cells(column)]


def _streams(references: Any) -> list[Cells]:
    """Columns of references: the given one, the given ones, or those that lists in a single column make."""
    given = isinstance(references, list | tuple) and references and not isinstance(references[0], str | None)
    columns = [cells(column) for column in (references if given else [references])]
    if len(columns) > 1 or not any(_is_list(value) for value in columns[0]):
        return columns
    rows = [cells(row) if _is_list(row) else [row] for row in columns[0]]
    width = max(map(len, rows), default=1) or 1
    return [[row[place] if place < len(row) else None for row in rows] for place in range(width)]


def _is_list(value: Any) -> bool:
    """Several references in one cell. A dictionary is none, though it gives its keys to whoever asks."""
    return not isinstance(value, str | bytes | Mapping) and hasattr(value, "__iter__")


def imported(module: str, extra: str) -> Any:
    """A package, or one line that says how to get it."""
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(f"the adapter for {module.partition('.')[0]}", extra) from None
