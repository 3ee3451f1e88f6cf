"""Data inside an HTML page: texts are data there, never markup, whatever is in them.

Small data is ASCII JSON with every character escaped that HTML could interpret. Segments are many: they go
in as zlib streams in base64, a block for each thousand, so that the page opens one only when somebody looks at it.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

BLOCK = 1000  # segments in a block
MOST_VALUES = 2000  # a column with more different values is searched, not chosen from

_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&'"}


def json_text(value: Any) -> str:
    r"""JSON that is safe inside a script element.

    >>> print(json_text("</script>"))
    "\u003c/script\u003e"
    """
    return json.dumps(value, separators=(",", ":"), allow_nan=False).translate(_ESCAPES)


def json_block(identity: str, value: Any) -> str:
    """A script element that holds JSON."""
    return f'<script type="application/json" id="{identity}">{json_text(value)}</script>\n'


def packed_block(identity: str, data: bytes) -> str:
    """A script element that holds bytes, made small."""
    packed = base64.b64encode(zlib.compress(data, 4)).decode("ascii")
    return f'<script type="application/octet-stream" id="{identity}">{packed}</script>\n'


def packed_json(identity: str, value: Any) -> str:
    """A script element that holds JSON, made small."""
    return packed_block(identity, _utf8(value))


def segment_blocks(data: Mapping[str, Any], texts: Mapping[str, Any]) -> tuple[dict[str, Any], Iterator[str]]:
    """What the page must know of the segments to find them, and the blocks that hold them, made one by one."""
    systems = data["systems"]
    facets = list(_facets(data, texts))
    known = {
        (s, m): scores
        for s, system in enumerate(systems)
        for m, metric in enumerate(data["metrics"])
        if (scores := texts["scores"].get(system, {}).get(metric["metric"])) is not None
    }
    about = {
        "count": data["segments"],
        "block": BLOCK,
        "sources": texts["sources"] is not None,
        "references": len(texts["references"]),
        "metadata": list(texts["metadata"]),
        "scores": list(known),
        "facets": [{"name": what, "values": values} for what, values, _ in facets],
    }
    columns = {
        "documents": texts["documents"],
        "sources": texts["sources"],
        "references": texts["references"],
        "hypotheses": [texts["hypotheses"][system] for system in systems],
        "metadata": list(texts["metadata"].values()),
    }

    def blocks() -> Iterator[str]:
        import numpy as np

        for number, (_, _, codes) in enumerate(facets):
            yield packed_block(f"facet-{number}", np.asarray(codes, dtype="<i4").tobytes())
        for (s, m), scores in known.items():
            values = np.asarray(scores, dtype="<f8")
            yield packed_block(f"score-{s}-{m}", np.where(np.isfinite(values), values, np.nan).tobytes())
        for number, start in enumerate(range(0, data["segments"], BLOCK)):
            part = range(start, min(start + BLOCK, data["segments"]))
            block = {
                name: _lines(own, part) if name in SINGLE else [_lines(column, part) for column in own]
                for name, own in columns.items()
            }
            yield packed_block(f"texts-{number}", _utf8(block))

    return about, blocks()


SINGLE = ("documents", "sources")  # the others are several columns


def _lines(column: Any, part: range) -> list[str] | None:
    return None if column is None else [column[i] for i in part]


def _facets(data: Mapping[str, Any], texts: Mapping[str, Any]) -> Iterator[tuple[str, list[str], list[int]]]:
    """Columns with few values, for filtering: name, values, and the number of its value for each segment."""
    known = set()
    for division, codes in zip(data["buckets"], texts["buckets"], strict=True):
        known.add(division["by"])
        yield division["by"], [bucket["name"] for bucket in division["buckets"]], codes
    columns = {"document": texts["documents"] or (), **texts["metadata"]}
    for what, column in columns.items():
        numbered: dict[str, int] = {}
        codes = [-1 if v is None else numbered.setdefault(str(v), len(numbered)) for v in column]
        if what not in known and 0 < len(numbered) <= MOST_VALUES:
            yield what, list(numbered), codes


def _utf8(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair can be written as an escape only
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")
