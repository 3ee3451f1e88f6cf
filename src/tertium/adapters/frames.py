"""Accessors of pandas and polars: `frame.tertium.score("mt", "ref")` after `import tertium.adapters.frames`.

Importing this file registers the accessor with whichever of the two is installed. polars has it for expressions, too,
which serves lazy frames and groups: `pl.col("mt").tertium.score("ref")`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from tertium.adapters.columns import Specs, cells, corpus_scores, one, segment_scores
from tertium.errors import InputError, did_you_mean
from tertium.scores import Scores

Names = str | list[str] | None


class FrameAccessor:
    """Metrics over columns of a data frame, by their names; `references` may be several columns, or one of lists."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def score(
        self,
        hypotheses: str | list[str],
        references: Names = None,
        metrics: Specs = ("bleu", "chrf"),
        *,
        sources: str | None = None,
        documents: str | None = None,
        pseudo_references: Mapping[str, str] | None = None,
        **how: Any,
    ) -> Scores:
        """The corpus scores of a column of translations; several columns are systems. `how` is `tertium.score`'s."""
        given = self._named(hypotheses)
        if pseudo_references:
            pseudo = {label: cells(self._column(name)) for label, name in pseudo_references.items()}
            how["pseudo_references"] = pseudo
        return corpus_scores(
            {name: self._column(name) for name in given} if isinstance(given, list) else self._column(given),
            self._columns(references),
            metrics,
            sources=None if sources is None else self._column(sources),
            documents=None if documents is None else self._column(documents),
            **how,
        )

    def segments(
        self,
        hypotheses: str,
        references: Names = None,
        metric: Specs = "chrf",
        *,
        sources: str | None = None,
        threads: int = 1,
    ) -> Any:
        """A score for each row, as a column of the frame's own library; missing where there is none."""
        values = segment_scores(
            self._column(hypotheses),
            self._columns(references),
            metric,
            sources=None if sources is None else self._column(sources),
            threads=threads,
        )
        return self._series(_called(metric), values)

    def _columns(self, names: Names) -> Any:
        given = self._named(names)
        if isinstance(given, list):
            return [self._column(name) for name in given]
        return None if given is None else self._column(given)

    def _named(self, names: Any) -> Any:
        """Several names as a list. A tuple may be the name of one column, and pandas has an index of names."""
        if type(names).__name__.endswith(("Index", "ndarray")) or (
            isinstance(names, tuple) and names not in self._frame.columns
        ):
            return list(names)
        return names

    def _column(self, name: Any) -> Any:
        if isinstance(name, list) or hasattr(name, "to_list"):
            raise InputError(f"name one column of the frame here, not a {type(name).__name__}")
        known = list(self._frame.columns)
        if known.count(name) != 1:
            wrong = f"several columns {name!r}" if name in known else f"no column {name!r}"
            hint = "" if name in known else did_you_mean(str(name), map(str, known))
            raise InputError(f"the frame has {wrong}{hint}")
        return self._frame[name]

    def _series(self, name: str, values: Any) -> Any:
        raise NotImplementedError


def _called(metric: Specs) -> str:
    return metric if isinstance(metric, str) else str(one(metric))


class _OfPandas(FrameAccessor):
    def _series(self, name: str, values: Any) -> Any:
        import pandas as pd

        return pd.Series(values, index=self._frame.index, name=name)


class _OfPolars(FrameAccessor):
    def _series(self, name: str, values: Any) -> Any:
        import polars as pl

        return pl.Series(name, values, nan_to_null=True)


class Expressions:
    """Metrics as expressions of polars: the expression has the translations; references and sources are others."""

    def __init__(self, hypotheses: Any) -> None:
        self._hypotheses = hypotheses

    def score(self, references: Any, metric: Specs = "chrf", *, sources: Any = None, threads: int = 1) -> Any:
        """The corpus score of a frame, or of each group."""
        import polars as pl

        def whole(texts: Any, given: Any, origin: Any) -> float | None:
            if not len(texts):
                return None
            return corpus_scores(texts, given, metric, sources=origin, threads=threads)[0].value

        return self._mapped(pl.map_groups, whole, references, metric, sources, returns_scalar=True)

    def segments(
        self, references: Any, metric: Specs = "chrf", *, sources: Any = None, threads: int = 1
    ) -> Any:
        """A score for each row; null where there is none."""
        import polars as pl

        def rows(texts: Any, given: Any, origin: Any) -> Any:
            values = segment_scores(texts, given, metric, sources=origin, threads=threads)
            return pl.Series(values, nan_to_null=True)

        return self._mapped(pl.map_batches, rows, references, metric, sources)

    def _mapped(
        self,
        mapped: Callable[..., Any],
        function: Callable[..., Any],
        references: Any,
        metric: Specs,
        sources: Any,
        **how: Any,
    ) -> Any:
        import polars as pl

        streams = list(references) if isinstance(references, list | tuple) else [references]
        if references is None:
            streams = []
        given = [*streams, *([] if sources is None else [sources])]
        others = [pl.col(own) if isinstance(own, str) else own for own in given]
        if any(isinstance(own, pl.Expr) and own.meta.has_multiple_outputs() for own in others):
            raise InputError("name several columns of references as a list, ['ref', 'ref2']; of sources one")

        def called(columns: Any) -> Any:
            texts, *rest = columns
            return function(texts, rest[: len(streams)] or None, None if sources is None else rest[-1])

        own = one(metric)  # what is wrong is told here, not while the query runs
        if own.needs_references and not streams:
            raise InputError(f"{own.name} compares with references, and none were given")
        made = mapped([self._hypotheses, *others], called, return_dtype=pl.Float64, **how)
        # Of several columns each keeps its name.
        return made if self._hypotheses.meta.has_multiple_outputs() else made.alias(_called(metric))


def register() -> list[str]:
    """Register the accessor with the libraries that are installed; gives their names."""
    done = []
    if find_spec("pandas") is not None:
        import pandas as pd

        if not hasattr(pd.DataFrame, "tertium"):
            pd.api.extensions.register_dataframe_accessor("tertium")(_OfPandas)
        done.append("pandas")
    if find_spec("polars") is not None:
        import polars as pl

        if not hasattr(pl.DataFrame, "tertium"):
            pl.api.register_dataframe_namespace("tertium")(_OfPolars)
            pl.api.register_expr_namespace("tertium")(Expressions)
        done.append("polars")
    return done


register()
