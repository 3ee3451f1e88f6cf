"""Accessors of pandas and polars: `frame.tertium.score("output", "reference")` after `import tertium.adapters.frames`.

Importing this file registers the accessor with whichever of the two is installed.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from tertium.adapters.columns import Specs, corpus_scores, segment_scores
from tertium.scores import Scores


class FrameAccessor:
    """Metrics over columns of a data frame, by their names; `references` may be several columns."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def score(
        self, hypotheses: str, references: str | list[str], metrics: Specs = ("bleu", "chrf"), **how: Any
    ) -> Scores:
        """The corpus scores of a column of translations."""
        given = {
            key: self._frame[value] if key in ("sources", "documents") else value
            for key, value in how.items()
        }
        for key in ("sources", "documents"):
            if key in given:
                given[key] = list(given[key])
        return corpus_scores(self._frame[hypotheses], self._columns(references), metrics, **given)

    def segments(self, hypotheses: str, references: str | list[str], metric: str = "chrf", **how: Any) -> Any:
        """A score for each row, as a column of the frame's own library."""
        if "sources" in how:
            how["sources"] = self._frame[how["sources"]]
        values = segment_scores(self._frame[hypotheses], self._columns(references), metric, **how)
        return self._series(metric, values)

    def _columns(self, names: str | list[str]) -> Any:
        return self._frame[names] if isinstance(names, str) else [self._frame[name] for name in names]

    def _series(self, name: str, values: Any) -> Any:
        raise NotImplementedError


class _OfPandas(FrameAccessor):
    def _series(self, name: str, values: Any) -> Any:
        import pandas as pd

        return pd.Series(values, index=self._frame.index, name=name)


class _OfPolars(FrameAccessor):
    def _series(self, name: str, values: Any) -> Any:
        import polars as pl

        return pl.Series(name, values)


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
        done.append("polars")
    return done


register()
