"""Better and worse: pairs of translations of one source of which people found one better.

JSON Lines hold them with their texts: id, src, ref, better {sys_name, sys}, worse {...}. `wmtlayout` reads the WMT
metrics tasks' tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium._native import Lines
from tertium.errors import InputError, many
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.namecolumn import NameColumn
from tertium.io.records import json_rows, named
from tertium.io.streams import FilePath, display_name


@dataclass(frozen=True, eq=False, repr=False)
class BetterWorse:
    """Pairs of translations: in which segment (from 1), by which systems; the first is the better one.

    >>> BetterWorse.of([(1, "A", "B"), (1, "C", "B")])
    <BetterWorse: 2 pairs of 3 systems in 1 segment>
    """

    segment: NDArray[np.int64]
    better: NDArray[np.int32]  # numbers of systems
    worse: NDArray[np.int32]
    systems: tuple[str, ...]
    lines: NDArray[np.int64] | None = None
    origin: str = "pairs"

    @classmethod
    def of(
        cls,
        pairs: Iterable[tuple[int, str, str]],
        *,
        systems: Sequence[str] = (),
        lines: Sequence[int] | None = None,
        origin: str = "pairs",
    ) -> BetterWorse:
        """From triples of segment, better and worse system. `systems` fixes the order of the systems it names."""
        rows = list(pairs)
        both = NameColumn.of([*systems, *(name for _, better, worse in rows for name in (better, worse))])
        codes = both.codes[len(systems) :]
        return cls(
            segment=np.array([segment for segment, _, _ in rows], dtype=np.int64),
            better=codes[0::2],
            worse=codes[1::2],
            systems=both.names,
            lines=None if lines is None else np.array(lines, dtype=np.int64),
            origin=origin,
        )

    def __post_init__(self) -> None:
        same = np.flatnonzero(self.better == self.worse)
        if len(same):
            system = self.systems[int(self.better[same[0]])]
            raise InputError(f"{self.where(int(same[0]))}: system {system!r} is compared with itself")

    def __len__(self) -> int:
        return len(self.segment)

    def where(self, row: int) -> str:
        """File and line of a pair, for messages."""
        return f"{self.origin}: " + (f"pair {row + 1}" if self.lines is None else f"line {self.lines[row]}")

    def take(self, rows: NDArray[Any]) -> BetterWorse:
        """Some of the pairs: by their numbers, or by a mask."""
        lines = None if self.lines is None else self.lines[rows]
        return BetterWorse(
            self.segment[rows], self.better[rows], self.worse[rows], self.systems, lines, self.origin
        )

    def __repr__(self) -> str:
        segments = many(len(np.unique(self.segment)), "segment")
        return f"<BetterWorse: {len(self)} pairs of {len(self.systems)} systems in {segments}>"


@dataclass(frozen=True, eq=False)
class PairsWithTexts:
    """Pairs, and the texts of their segments; a system has None where it is in no pair."""

    pairs: BetterWorse
    sources: Lines
    references: Lines
    outputs: dict[str, tuple[str | None, ...]]  # for each system the text of each segment
    coverage: Coverage


def read_pairs_jsonl(path: FilePath) -> PairsWithTexts:
    """Read pairs with their texts from JSON Lines. Pairs of the same source and reference are of one segment, until
    a pair of systems comes again: then the test set has the sentence twice, a new segment begins, and the coverage
    says so. The same id twice is refused, and so is a system with two outputs for a segment.

    >>> import json
    >>> row = {"id": "0", "src": "s", "ref": "r", "better": {"sys_name": "A", "sys": "x"},
    ...        "worse": {"sys_name": "B", "sys": "y"}}
    >>> read_pairs_jsonl(written("cs-en.jsonl", json.dumps(row))).outputs
    {'A': ('x',), 'B': ('y',)}
    """
    name = display_name(path)
    book = OpenCoverage(name, "pairs")
    segments: list[tuple[str, str]] = []
    number_of: dict[tuple[str, str], int] = {}
    texts: dict[tuple[str, int], tuple[str, int]] = {}
    rows: list[tuple[int, str, str]] = []
    lines: list[int] = []
    seen: set[tuple[int, frozenset[str]]] = set()
    ids: dict[str, int] = {}
    for number, item in json_rows(path):
        where = f"{name}: line {number}"
        source, reference = _text(item, "src", where), _text(item, "ref", where)
        systems, outputs_here = [], []
        for side in ("better", "worse"):
            given = item.get(side)
            if not isinstance(given, dict):
                raise InputError(f"{where}: {side!r} is not a JSON object")
            systems.append(named(_text(given, "sys_name", where), "sys_name", where))
            outputs_here.append(_text(given, "sys", where))
        first = ids.setdefault(str(item.get("id", f"line {number}")), number)
        if first != number:
            raise InputError(f"{where} has the id of line {first}: the same pair twice")
        segment = number_of.get((source, reference), 0)
        again = (segment, frozenset(systems)) in seen
        if again:
            if "id" not in item:
                raise InputError(
                    f"{where} judges {systems[0]!r} and {systems[1]!r} again for the same source"
                )
            book.note(f"line {number}: an earlier sentence appears again; taken as a separate segment")
        if again or not segment:
            segments.append((source, reference))
            segment = number_of[source, reference] = len(segments)
        seen.add((segment, frozenset(systems)))
        for system, text in zip(systems, outputs_here, strict=True):
            known, at = texts.setdefault((system, segment), (text, number))
            if known != text:
                raise InputError(f"{where}: {system!r} has another output for this source on line {at}")
        rows.append((segment, systems[0], systems[1]))
        lines.append(number)
    if not rows:
        raise InputError(f"{name}: there are no pairs in this file")
    pairs = BetterWorse.of(rows, lines=lines, origin=name)
    places = range(1, len(segments) + 1)
    outputs = {
        system: tuple(texts[system, place][0] if (system, place) in texts else None for place in places)
        for system in pairs.systems
    }
    return PairsWithTexts(
        pairs,
        Lines([source for source, _ in segments]),
        Lines([reference for _, reference in segments]),
        outputs,
        book.closed(len(rows)),
    )


def _text(item: dict[str, Any], key: str, where: str) -> str:
    value = item.get(key)
    if not isinstance(value, str):
        raise InputError(f"{where}: {key!r} is not a text")
    return value
