"""Segments in whatever form people have them: lists, tuples, NumPy arrays, Arrow, Polars and pandas columns.

Everything becomes `Lines`, the column of texts that kernels take. References are one list of strings or a list of
streams, each as long as the hypotheses; a wrong shape is refused, never guessed. A list column (Arrow, Polars, pandas)
has a list of references for each segment; the rows of a 2-D array (axis 0) are streams.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any

from tertium._native import Lines
from tertium.errors import InputError, TertiumWarning, many

Texts = Any  # a list of strings, or anything `as_lines` understands


def as_lines(texts: Texts, what: str = "texts", *, missing: bool = False) -> Lines:
    """`texts` as a column of segments. `missing` says whether None is allowed.

    >>> len(as_lines(["one", "two"]))
    2
    """
    if isinstance(texts, Lines):
        lines = texts
    else:
        try:
            lines = Lines(_as_sequence(texts, what))
        except TypeError as error:
            raise InputError(f"{what}: {error}") from None
    if not missing and lines.count_missing():
        where = next(i for i in range(len(lines)) if lines[i] is None)
        raise InputError(f"{what}: segment {where + 1} is missing (None)")
    return lines


def _as_sequence(texts: Texts, what: str) -> Sequence[Any]:
    if isinstance(texts, str):
        raise InputError(f"{what} must be a list of strings, not one string: write [text]")
    if isinstance(texts, list | tuple):
        return texts
    if isinstance(texts, set | frozenset):
        raise InputError(f"{what} must be a list of strings, not a {type(texts).__name__}: it has no order")
    if isinstance(texts, dict) or getattr(texts, "ndim", 1) != 1 or hasattr(texts, "columns"):
        raise InputError(f"{what} must be one column of texts, not a table: give its columns one by one")
    if (values := _values(texts)) is not None:
        return [None if _is_missing(value) else value for value in values]
    if isinstance(texts, Iterable):
        return list(texts)
    raise InputError(f"{what} must be a list of strings, not {type(texts).__name__}")


def _list_column(column: Any) -> list[list[Any]] | None:
    """The lists in a column of lists, one per segment; None for any other column."""
    if getattr(column, "ndim", 1) != 1 or hasattr(column, "columns"):
        return None
    values = _values(column) or []
    first = next((value for value in values if not _is_missing(value)), None)
    if isinstance(first, str) or first is None:
        return None
    return [[] if _is_missing(value) else list(value) for value in values]


def _values(column: Any) -> list[Any] | None:
    """The values of a column of Arrow, of Polars or pandas, or of NumPy; None for anything else."""
    found = (convert for convert in ("to_pylist", "to_list", "tolist") if hasattr(column, convert))
    convert = next(found, None)
    return None if convert is None else list(getattr(column, convert)())


def _is_missing(value: Any) -> bool:
    """None, NaN, and pandas' NA."""
    return value is None or (isinstance(value, float) and value != value) or type(value).__name__ == "NAType"


@dataclass(frozen=True, eq=False)
class References:
    """Reference streams of equal length; None in a stream is a reference that does not exist. The last ones may be
    pseudo-references, outputs of other systems, each with its label.

    >>> References.of([["a b", "c"], ["a", None]], 2).number is None
    True
    """

    streams: tuple[Lines, ...]
    pseudo: tuple[str, ...] = ()

    @classmethod
    def of(cls, references: Any, n_segments: int | None = None) -> References:
        """From one list of strings, a list of streams, a list column or a 2-D array; `n_segments` is the number of
        hypotheses.
        """
        if isinstance(references, References):
            return references
        if not isinstance(references, list | tuple | str | Lines):
            if getattr(references, "ndim", 1) == 2 and not hasattr(references, "columns"):
                references = list(references)
            elif (rows := _list_column(references)) is not None:
                return cls.per_segment(rows)
        one = references if isinstance(references, Lines) else cls._one_stream(references)
        streams: list[Any] = cls._streams(references, n_segments) if one is None else [one]
        lines = tuple(
            as_lines(stream, f"reference stream {i + 1}" if len(streams) > 1 else "references", missing=True)
            for i, stream in enumerate(streams)
        )
        for i, stream in enumerate(lines):
            expected = len(lines[0]) if n_segments is None else n_segments
            if len(stream) != expected:
                raise InputError(cls._wrong_length(i, lines, expected))
        made = cls(lines)
        for i in range(len(made) if lines[0].count_missing() else 0):
            if all(stream[i] is None for stream in lines):
                raise InputError(f"segment {i + 1} has no reference at all (None in every stream)")
        return made

    @classmethod
    def given(cls, references: Any, n_segments: int | None = None) -> References:
        """Like `of`, but a square list, which could be read either way, draws a warning."""
        made = cls.of(references, n_segments)
        lists = isinstance(references, list | tuple) and isinstance(references[0], list | tuple)
        if (lists or getattr(references, "ndim", 1) == 2) and len(made.streams) == len(made) > 1:
            warnings.warn(
                f"references are {len(made)} lists of {len(made)}: read as {len(made)} streams, each with one "
                "reference for every segment; if each list belongs to one segment, pass them as "
                "references_per_segment=",
                TertiumWarning,
                stacklevel=3,
            )
        return made

    @classmethod
    def per_segment(cls, references: Iterable[Sequence[str | None]]) -> References:
        """From a list of references for each segment; their number may vary.

        >>> len(References.per_segment([["a", "b"], ["c"]]).streams)
        2
        """
        rows = []
        for i, row in enumerate(references):
            if isinstance(row, str) or not isinstance(row, Sequence):
                raise InputError(
                    f"references_per_segment: entry {i + 1} must be a list of references, not {type(row).__name__}"
                )
            rows.append(list(row))
        width = max((len(row) for row in rows), default=0)
        if width == 0:
            raise InputError("references_per_segment holds no reference")
        return cls.of([[row[r] if r < len(row) else None for row in rows] for r in range(width)], len(rows))

    @staticmethod
    def _one_stream(references: Any) -> Lines | None:
        """The common case, a list of strings, without looking at each of them twice."""
        if isinstance(references, list | tuple) and references and isinstance(references[0], str):
            try:
                return Lines(references)
            except TypeError:  # a mixture: its error is made where shapes are told apart
                return None
        return None

    @staticmethod
    def _streams(references: Any, n_segments: int | None) -> list[Any]:
        if isinstance(references, str):
            raise InputError("references must be a list of strings or a list of streams, not one string")
        if not isinstance(references, list | tuple):
            return [references]  # an array or a column is one stream
        if not references:
            raise InputError("there are no references")
        if set(map(type, references)) <= {str, NoneType}:  # much faster than a loop over a million strings
            return [references]
        if strings := sum(isinstance(item, str) for item in references):
            if all(isinstance(item, str) or item is None for item in references):
                return [references]  # strings of a subclass
            raise InputError(
                f"references mix strings and lists ({strings} of {len(references)} entries are strings): "
                "give one list of strings, or a list of streams"
            )
        return list(references)

    @staticmethod
    def _wrong_length(which: int, lines: Sequence[Lines], n: int) -> str:
        if len(lines) == n and len({len(stream) for stream in lines}) <= 3 and len(lines[which]) < n:
            return (
                f"references look transposed: {len(lines)} lists for {n} segments, but each list must be a stream "
                f"of {n} references (list {which + 1} has {len(lines[which])}); "
                "pass lists per segment as references_per_segment="
            )
        name = f"reference stream {which + 1}" if len(lines) > 1 else "the reference"
        return f"{name} has {len(lines[which])} segments, the hypotheses have {n}"

    def __len__(self) -> int:
        return len(self.streams[0])

    @property
    def number(self) -> int | None:
        """How many references each segment has; None if that varies."""
        if not any(stream.count_missing() for stream in self.streams):
            return len(self.streams)
        counts = {sum(stream[i] is not None for stream in self.streams) for i in range(len(self))}
        return counts.pop() if len(counts) == 1 else None

    @property
    def first(self) -> Lines:
        """For each segment the first reference it has."""
        if not self.streams[0].count_missing():
            return self.streams[0]
        return Lines([next(s[i] for s in self.streams if s[i] is not None) for i in range(len(self))])

    def map(self, change: Any) -> References:
        """The same references after `change(lines)` on every stream."""
        return References(tuple(change(stream) for stream in self.streams), self.pseudo)

    def with_pseudo(self, labelled: Mapping[str, Lines], *, instead: bool = False) -> References:
        """Pseudo-references beside these, or `instead` of them.

        >>> more = References.of(["a b"]).with_pseudo({"online-A": Lines(["a c"])})
        >>> more.number, more.pseudo
        (2, ('online-A',))
        """
        for label, lines in labelled.items():
            check_label(label)
            if label in self.pseudo:
                raise InputError(f"two pseudo-references are called {label!r}")
            if len(lines) != len(self):
                raise InputError(
                    f"pseudo-reference {label!r} has {many(len(lines), 'segment')}, the texts have {len(self)}"
                )
        if instead and not labelled:
            raise InputError("without references there must be pseudo-references: name some")
        own, labels = ((), ()) if instead else (self.streams, self.pseudo)
        return References((*own, *labelled.values()), (*labels, *labelled))

    def chosen(self, places: Sequence[int]) -> References:
        """Some of the streams, pseudo-references with their labels."""
        true = len(self.streams) - len(self.pseudo)
        labels = tuple(self.pseudo[i - true] for i in places if i >= true)
        return References(tuple(self.streams[i] for i in places), labels)


def check_label(label: str) -> None:
    """Refuses labels of pseudo-references that a signature could not say."""
    if not label.strip() or any(sign in label for sign in '+|"\n\t'):
        raise InputError(f'a label of a pseudo-reference is a name without +, | and ", not {label!r}')
