"""What a report is made from: a plain dictionary, the contract between the analyses and the page.

Needed are `systems`, `metrics`, `scores` and `segments`; every other part is optional, and a part that is missing
is left out of the page. Undefined numbers are None, never NaN. `segment` in a favouritism row is a position in the
lists of `segments`, counted from 0. A bucketing may say by `membership` which bucket (counted from 0, None for none)
each segment is in: then segments can be filtered by it. `difference` of a pair is the score of `a` minus that of `b`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tertium.errors import did_you_mean
from tertium.report.shapes import (
    either,
    flag,
    list_of,
    mapping_of,
    name,
    number,
    numbers,
    optional,
    record,
    refuse,
    scalar,
    share,
    strings,
    text,
    whole,
)

WHOLE = "comparison"  # what messages call the dictionary

_metric = record({"label": name}, {"spec": text, "higher_is_better": flag, "signature": text})
_score = record({"value": optional(number)}, {"low": number, "high": number, "reason": text})
_pair = record(
    {"a": name, "b": name, "metric": name},
    {
        **dict.fromkeys(("difference", "smallest_detectable"), number),
        **dict.fromkeys(("p", "p_holm", "p_bh"), share),
        **dict.fromkeys(("better", "method", "reason"), text),
    },
)
_bucket = record(
    {"label": text, "scores": mapping_of(mapping_of(optional(number)))},
    {"segments": whole, "share_of_words": share, "reason": text, "better": mapping_of(optional(name))},
)
_bucketing = record(
    {"by": name, "buckets": list_of(_bucket)}, {"unit": text, "membership": list_of(optional(whole))}
)
_row = mapping_of(either(mapping_of(scalar), scalar, lambda value: isinstance(value, Mapping)))
_types = record(
    {"ranks": list_of(number), "curves": mapping_of(numbers)},
    {
        "metric": text,
        "crossovers": list_of(record({"a": name, "b": name, "rank": number})),
        **dict.fromkeys(("gets", "over", "under"), list_of(_row)),
    },
)
_shares = {"a_share": share, "b_share": share, "tied_share": share}
_preference = record(
    {"a": name, "b": name, "metric": name, **_shares}, {"weighted": record(_shares), "note": text}
)
_favoured = record(
    {"segment": whole, "value": number}, {"benefits": mapping_of(optional(number)), "tags": mapping_of(text)}
)
_favouritism = record({"metric": name, "a": name, "b": name, "rows": list_of(_favoured)})
_component = either(numbers, optional(number), lambda value: isinstance(value, Sequence))
_finding = record({"what": text}, {"severity": text, "where": text, "advice": text})
_segments = record(
    {"hypotheses": mapping_of(strings)},
    {
        "ids": list_of(scalar),
        "documents": strings,
        "sources": strings,
        "references": list_of(strings),
        "scores": mapping_of(mapping_of(numbers)),
        "metadata": mapping_of(list_of(scalar)),
    },
)
_comparison = record(
    {
        "systems": list_of(name),
        "metrics": list_of(_metric),
        "scores": mapping_of(mapping_of(_score)),
        "segments": _segments,
    },
    {
        **dict.fromkeys(("title", "created", "version", "baseline"), text),
        "seed": whole,
        "pairs": list_of(_pair),
        "clusters": mapping_of(list_of(list_of(name))),
        "summary": list_of(text),
        "buckets": list_of(_bucketing),
        "reversals": list_of(text),
        "types": _types,
        "preferences": list_of(_preference),
        "favouritism": list_of(_favouritism),
        "components": mapping_of(mapping_of(mapping_of(_component))),
        "doctor": list_of(_finding),
    },
    closed=True,
)


def checked(comparison: Mapping[str, Any]) -> dict[str, Any]:
    """The comparison in plain JSON types, every optional key there (None where missing), or an InputError.

    >>> checked({"systems": []})
    Traceback (most recent call last):
    tertium.errors.InputError: the report cannot be made: comparison has no 'metrics'
    """
    made: dict[str, Any] = _comparison(comparison, WHOLE)
    for metric in made["metrics"]:
        if metric["higher_is_better"] is None:
            metric["higher_is_better"] = True
    _Names(made).check()
    _check_lengths(made)
    return made


class _Names:
    """Do all parts speak of systems and metrics that there are?"""

    def __init__(self, made: Mapping[str, Any]) -> None:
        self.made = made
        self.systems: list[str] = made["systems"]
        self.labels: list[str] = [metric["label"] for metric in made["metrics"]]

    def check(self) -> None:
        for what, names in (("systems", self.systems), ("metrics", self.labels)):
            where = f'{WHOLE}["{what}"]'
            if not names:
                refuse(where, "is empty")
            for known in names:
                if names.count(known) > 1:
                    refuse(where, f"has {known!r} twice")
        if self.made["baseline"] is not None:
            self._systems([self.made["baseline"]], f'{WHOLE}["baseline"]')
        self._scores()
        self._pairs()
        self._rest()

    def _scores(self) -> None:
        where = f'{WHOLE}["scores"]'
        self._table(self.made["scores"], where)
        for system in self.systems:
            if system not in self.made["scores"]:
                refuse(where, f"has no system {system!r}")
            for label in self.labels:
                if label not in self.made["scores"][system]:
                    refuse(f'{where}["{system}"]', f"has no metric {label!r}")

    def _pairs(self) -> None:
        for part in ("pairs", "preferences", "favouritism"):
            for i, pair in enumerate(self.made[part] or ()):
                where = f'{WHOLE}["{part}"][{i}]'
                self._systems([pair["a"], pair["b"]], where)
                self._metrics([pair["metric"]], where)
                if pair["a"] == pair["b"]:
                    refuse(where, f"compares {pair['a']!r} with itself")
                if pair.get("better") not in (None, pair["a"], pair["b"]):
                    refuse(f'{where}["better"]', f"is {pair['better']!r}, which is not in this pair")
                for row in pair.get("rows", ()):
                    self._systems([*(row["benefits"] or ()), *(row["tags"] or ())], where)
        for i, crossing in enumerate((self.made["types"] or {}).get("crossovers") or ()):
            self._systems([crossing["a"], crossing["b"]], f'{WHOLE}["types"]["crossovers"][{i}]')

    def _rest(self) -> None:
        for label, clusters in (self.made["clusters"] or {}).items():
            where = f'{WHOLE}["clusters"]'
            self._metrics([label], where)
            self._systems([system for cluster in clusters for system in cluster], f'{where}["{label}"]')
        for i, bucketing in enumerate(self.made["buckets"] or ()):
            for j, bucket in enumerate(bucketing["buckets"]):
                where = f'{WHOLE}["buckets"][{i}]["buckets"][{j}]'
                self._table(bucket["scores"], f'{where}["scores"]')
                self._metrics(bucket["better"] or (), f'{where}["better"]')
                winners = [winner for winner in (bucket["better"] or {}).values() if winner is not None]
                self._systems(winners, f'{where}["better"]')
        if self.made["types"] is not None:
            self._systems(self.made["types"]["curves"], f'{WHOLE}["types"]["curves"]')
        for label, parts in (self.made["components"] or {}).items():
            self._metrics([label], f'{WHOLE}["components"]')
            self._systems(parts, f'{WHOLE}["components"]["{label}"]')
        segments = self.made["segments"]
        self._table(segments["scores"] or {}, f'{WHOLE}["segments"]["scores"]')
        where = f'{WHOLE}["segments"]["hypotheses"]'
        self._systems(segments["hypotheses"], where)
        for system in self.systems:
            if system not in segments["hypotheses"]:
                refuse(where, f"has no system {system!r}")

    def _table(self, table: Mapping[str, Mapping[str, Any]], where: str) -> None:
        self._systems(table, where)
        for system, values in table.items():
            self._metrics(values, f'{where}["{system}"]')

    def _systems(self, names: Iterable[str], where: str) -> None:
        for known in names:
            if known not in self.systems:
                refuse(where, f"names an unknown system {known!r}{did_you_mean(known, self.systems)}")

    def _metrics(self, labels: Iterable[str], where: str) -> None:
        for label in labels:
            if label not in self.labels:
                refuse(where, f"names an unknown metric {label!r}{did_you_mean(label, self.labels)}")


def _check_lengths(made: Mapping[str, Any]) -> None:
    """Is every list that goes by segment as long as the others, and every number of a segment inside?"""
    segments, systems = made["segments"], made["systems"]
    where = f'{WHOLE}["segments"]'
    n = len(segments["hypotheses"][systems[0]])
    if n == 0:
        refuse(where, "is empty: there is nothing to show")
    for place, column in _columns(segments):
        if len(column) != n:
            refuse(f"{where}{place}", f"has {len(column)} values, but {systems[0]!r} has {n} segments")
    for i, bucketing in enumerate(made["buckets"] or ()):
        place, members = f'{WHOLE}["buckets"][{i}]["membership"]', bucketing["membership"]
        if members is not None and len(members) != n:
            refuse(place, f"has {len(members)} values, but there are {n} segments")
        if any(m is not None and not 0 <= m < len(bucketing["buckets"]) for m in members or ()):
            refuse(place, f"has a number outside 0 to {len(bucketing['buckets']) - 1}")
    for i, part in enumerate(made["favouritism"] or ()):
        for row in part["rows"]:
            if not 0 <= row["segment"] < n:
                refuse(f'{WHOLE}["favouritism"][{i}]', f"has segment {row['segment']}, outside 0 to {n - 1}")
    types = made["types"]
    if types is not None:
        for system, curve in types["curves"].items():
            if len(curve) != len(types["ranks"]):
                place = f'{WHOLE}["types"]["curves"]["{system}"]'
                refuse(place, f"has {len(curve)} values for {len(types['ranks'])} ranks")
        if any(rank <= 0 for rank in types["ranks"]):
            refuse(f'{WHOLE}["types"]["ranks"]', "must be above 0: the first rank is 1")


def _columns(segments: Mapping[str, Any]) -> Iterable[tuple[str, Sequence[Any]]]:
    yield from (
        (f'["{key}"]', segments[key]) for key in ("ids", "documents", "sources") if segments[key] is not None
    )
    yield from ((f'["references"][{i}]', column) for i, column in enumerate(segments["references"] or ()))
    for key in ("hypotheses", "metadata"):
        yield from ((f'["{key}"]["{what}"]', column) for what, column in (segments[key] or {}).items())
    for system, columns in (segments["scores"] or {}).items():
        yield from ((f'["scores"]["{system}"]["{label}"]', column) for label, column in columns.items())
