"""Units of a translation memory that lies in a dataset: read by a cluster, in their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tertium.engines.frames import FILE, PART, PLACES, ROW
from tertium.engines.frametasks import Whole
from tertium.engines.spark import plain_errors
from tertium.errors import InputError
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit

ROLES: dict[str, tuple[str, ...]] = {  # columns by their usual names
    "source": ("source", "src"),
    "target": ("target", "tgt", "hypothesis", "mt"),
    "source_language": ("source_language",),
    "target_language": ("target_language",),
    "client": ("client",),
    "translator": ("translator",),
    "document": ("document", "doc"),
    "date": ("date",),
    "order": (),
}


@dataclass(frozen=True)
class FrameSource:
    """Where units come from, as `tertium.memory.reading.Source` says it."""

    path: str
    frame: Any
    columns: Mapping[str, str]  # by role
    pair: Pair | None = None
    form: str | None = None
    encoding: str | None = None

    def check(self) -> None:
        for role in ("source", "target"):
            if role not in self.columns:
                raise InputError(f"{self.path}: no column is named as the {role}: --columns {role}=COLUMN")

    def check_file(self) -> None:
        """A dataset can be read as often as need be."""

    def languages(self) -> tuple[str, str]:
        first = next(iter(self.open()))
        return first.source_language, first.target_language

    def open(self) -> FrameUnits:
        return FrameUnits(self)


class FrameUnits:
    """The units, once."""

    n_bytes = 0

    def __init__(self, source: FrameSource) -> None:
        self.name, self._source = source.path, source

    def __iter__(self) -> Iterator[Unit]:
        own = self._source
        texts = {role: name for role, name in own.columns.items() if role != "order"}
        with plain_errors():
            rows = self._sorted().toLocalIterator(prefetchPartitions=True)
            for row in rows:
                given = {role: row[name] for role, name in texts.items()}
                said: dict[str, Any] = {
                    role: "" if value is None else str(value) for role, value in given.items()
                }
                if own.pair is not None:
                    said = {"source_language": own.pair.source, "target_language": own.pair.target, **said}
                yield Unit(**said)

    def _sorted(self) -> Any:
        from pyspark.sql.functions import monotonically_increasing_id

        own = self._source
        columns = dict.fromkeys(own.columns.values())
        places = [name for name in PLACES if name in own.frame.columns]
        needed = own.frame.select(*dict.fromkeys((*columns, *places)))
        whole = needed.mapInArrow(Whole((own.columns["source"], own.columns["target"])), needed.schema)
        if "order" in own.columns:
            frame = whole.orderBy(own.columns["order"])
        else:
            known = [name for name in (FILE, PART, ROW) if name in places]
            frame = whole.orderBy(*known, monotonically_increasing_id())
        return frame.select(*columns)
