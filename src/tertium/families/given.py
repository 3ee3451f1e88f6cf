"""Columns given by file: scores of programs that Tertium does not have (DPMF, ENTF...), as features to train on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tertium._native import Lines
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.families.features import FeatureSet
from tertium.io.givencolumns import given_columns
from tertium.text.segments import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_OPTIONS = ("file", "columns")


def given_set(options: dict[str, str]) -> FeatureSet:
    """`given.*:file=scores.tsv`, all its columns; `given.*:file=scores.tsv,columns=dpmf+entf`. A trained metric keeps
    the columns' names alone: whoever uses it names the table of the new texts.
    """
    for key in options:
        if key not in _OPTIONS:
            raise SpecError(f"given.* has no option {key!r}{did_you_mean(key, _OPTIONS)}")
    file = options.get("file", "")
    columns = tuple(name.strip().lower() for name in options.get("columns", "").split("+") if name.strip())
    if not columns and file:
        columns = given_columns(file).columns
    kept = f"given.*:columns={'+'.join(columns)}"
    return FeatureSet(
        tuple(f"given.{name}" for name in columns),
        partial(_values, file, columns),
        given_set,
        lambda: kept,
        kept=kept,
        from_table=lambda path: given_set({"file": path, "columns": "+".join(columns)}),
    )


def _values(
    file: str, columns: tuple[str, ...], hypotheses: Lines, references: References, threads: int
) -> NDArray[np.float64]:
    import numpy as np

    if not columns:
        raise SpecError("given.* needs a table of scores: given.*:file=scores.tsv")
    if not file:
        raise InputError(
            f"the scores {', '.join(columns)} are not computed but given: name the table that has them for these "
            "texts (-m file:my.metric,given=scores.tsv)"
        )
    found = given_columns(file).of(hypotheses, references.streams[0], columns)
    return np.array(found, dtype=np.float64).reshape(-1, len(columns))


GIVEN = given_set({})
