"""A file of rows: opened, checked, unpacked."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from tertium import _native, registry
from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.io import caches
from tertium.io.ownfiles import check_own, own_version
from tertium.statistics import DenseStatistics, Statistics
from tertium.statistics.dense import StatisticColumn
from tertium.statistics.packing import packed_total, unpack

WHAT, FORM, VERSION = "file of rows", "tertium rows", 1
DIFFER = {  # what shards of one corpus have in common
    "tertium": "versions of this program",
    "systems": "systems",
    "metrics": "metrics",
    "rows": "kinds of rows",
    "units": "documents",
    "pseudo": "pseudo-references",
}


def check_metric(metric: Metric) -> None:
    if metric.scope == "document":
        raise InputError(
            f"{metric.label} scores whole documents, which may lie in several shards: rows of segments cannot hold it"
        )
    if metric.runs_programs:
        raise InputError(f"{metric.label} runs a program, which no file may ask for: its rows are not kept")
    if registry.metric(str(metric)) != metric:
        raise InputError(f"{metric.label} cannot be named by a spec, so nobody could read its rows")


@dataclass(frozen=True)
class RowsFile:
    """A file of rows that was opened and checked."""

    path: str
    facts: dict[str, Any]
    content: memoryview

    @classmethod
    def open(cls, path: str) -> RowsFile:
        """Damaged files, and rows of other versions or options, are refused."""
        try:
            with open(path, "rb") as file:
                found = caches.CacheFile.of(file, path)
                content = memoryview(b"") if found is None else found.content()
        except _native.DamagedFile:
            raise InputError(f"{path}: is no {WHAT}, or is damaged or cut off: write it again") from None
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        opened = cls(path, {} if found is None else found.facts, content)
        check_own(opened.facts, path, WHAT, FORM, VERSION)
        try:
            opened._check()
        except InputError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError):
            opened._damaged()
        return opened

    def _check(self) -> None:
        facts = self.facts
        if facts["tertium"] != own_version():
            raise InputError(
                f"{self.path}: these rows were made by Tertium {facts['tertium']}, and this is {own_version()}: "
                "score again"
            )
        for own in facts["metrics"]:
            metric = registry.metric(own["spec"])
            check_metric(metric)
            signed = metric.rows_signature
            if signed != own["signed"]:
                raise InputError(f"{self.path}: these rows were made by {own['signed']}, not by {signed}")
        if len(self.content) != self.rows_end + sum(facts["documents"] or ()):
            self._damaged()
        if any(len(sizes) != len(self.systems) * len(facts["rows"]) for _, sizes in facts["blocks"]):
            self._damaged()

    def _damaged(self) -> NoReturn:
        raise InputError(f"{self.path}: is damaged: it does not hold the rows that it says")

    def __len__(self) -> int:
        return int(sum(n for n, _ in self.facts["blocks"]))

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(self.facts["systems"])

    @property
    def rows_end(self) -> int:
        """Where rows end and documents begin."""
        return int(sum(sum(sizes) for _, sizes in self.facts["blocks"]))

    def documents(self) -> list[tuple[str, int]] | None:
        """Documents in order, each with its number of segments; None where they are not known."""
        if self.facts["documents"] is None:
            return None
        found: list[tuple[str, int]] = []
        at = self.rows_end
        try:
            for size in self.facts["documents"]:
                listed = json.loads(zlib.decompress(self.content[at : at + size]))
                found.extend((str(name), int(n)) for name, n in listed)
                at += size
        except (ValueError, TypeError, zlib.error):
            self._damaged()
        if sum(n for _, n in found) != len(self):
            self._damaged()
        return found

    def blocks(self, *, summed: bool = False) -> Iterator[tuple[int, list[Statistics]]]:
        """Numbers of segments, and rows of every system by every analysis, or their sums."""
        at = 0
        for n, sizes in self.facts["blocks"]:
            found = []
            for place, size in enumerate(sizes):
                own = self.facts["rows"][place % len(self.facts["rows"])]
                found.append(self._opened(own, self.content[at : at + size], n, summed))
                at += size
            yield n, found

    def _opened(self, own: dict[str, Any], data: memoryview, n: int, summed: bool) -> Statistics:
        try:
            if own["columns"] is None:
                rows = Statistics.from_bytes(zlib.decompress(data))
            else:
                columns = tuple(StatisticColumn(*column) for column in own["columns"])
                width = sum(column.width for column in columns)
                if summed:
                    return DenseStatistics(columns, packed_total(data, n, width))
                rows = DenseStatistics(columns, unpack(data, n, width))
        except (ValueError, zlib.error):
            self._damaged()
        if len(rows) != n:
            self._damaged()
        return rows.total() if summed else rows


def check_alike(first: RowsFile, other: RowsFile, names: Sequence[str]) -> None:
    for name in names:
        if first.facts[name] != other.facts[name]:
            hint = ": name them alike when they are written (--names)" if name == "systems" else ""
            raise InputError(f"{other.path}: has other {DIFFER[name]} than {first.path}{hint}")
