"""Data inside an HTML page: texts are data there, never markup, whatever is in them.

Small data is ASCII JSON with every character escaped that HTML could interpret. Segments are many: they go
in as zlib streams in base64, a block for each thousand, so that the page opens one only when somebody looks at it.
"""

from __future__ import annotations

import base64
import json
import sys
import zlib
from array import array
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


def segment_blocks(data: Mapping[str, Any], texts: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """What the page must know of the segments to find them, and the blocks that hold them."""
    systems, n = data["systems"], data["segments"]
    facets, blocks, known = [], [], []
    for number, (what, values, codes) in enumerate(_facets(data, texts)):
        facets.append({"name": what, "values": values})
        blocks.append(packed_block(f"facet-{number}", _little(array("i", codes))))
    for s, system in enumerate(systems):
        for m, metric in enumerate(data["metrics"]):
            if (scores := texts["scores"].get(system, {}).get(metric["metric"])) is not None:
                known.append([s, m])
                column = array("d", (float("nan") if v is None else v for v in scores))
                blocks.append(packed_block(f"score-{s}-{m}", _little(column)))
    for number, start in enumerate(range(0, n, BLOCK)):
        part = slice(start, start + BLOCK)
        block = {
            "documents": None if texts["documents"] is None else texts["documents"][part],
            "sources": None if texts["sources"] is None else texts["sources"][part],
            "references": [column[part] for column in texts["references"]],
            "hypotheses": [texts["hypotheses"][system][part] for system in systems],
            "metadata": [column[part] for column in texts["metadata"].values()],
        }
        blocks.append(packed_block(f"texts-{number}", _utf8(block)))
    about = {
        "count": n,
        "block": BLOCK,
        "sources": texts["sources"] is not None,
        "references": len(texts["references"]),
        "metadata": list(texts["metadata"]),
        "scores": known,
        "facets": facets,
    }
    return about, blocks


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


def _little(column: array[Any]) -> bytes:
    """Little-endian, as typed arrays are in every browser."""
    if sys.byteorder == "big":
        column.byteswap()
    return column.tobytes()


def _utf8(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair can be written as an escape only
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")
