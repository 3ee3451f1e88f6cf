"""Writes src/tertium/data/schema.json from one example of every kind of result: `python -m tools.schema`.

Objects whose keys are names of the data (systems, metrics, annotators) become maps; other keys are fields, required
where all examples have them. A number, a word or a flag may always be null: undefined.
"""

from __future__ import annotations

import dataclasses
import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.every_result import every_result

TARGET = Path(__file__).parent.parent / "src" / "tertium" / "data" / "schema.json"
HEAD = ("tertium", "kind", "schema")
FIELD = re.compile(r"[a-z][a-z0-9_]*")
SYSTEMS = {"literal", "smooth", "strong", "bm25"}  # of the examples
NAMES = {*SYSTEMS, "ann", "a", "b", "c", "x", "y", "chrf", "bleu", "ter"}
MAPS = {"components", "features", "queries", "left_out", "undefined", "values"}  # keys are of the data


def maps_in(value: Any, name: str = "") -> set[str]:
    """The fields of a result, and of all in it, that hold a map: the keys of one example are not those of another."""
    if isinstance(value, Mapping):
        return {name}.union(*(maps_in(own) for own in value.values()))
    if isinstance(value, tuple | list):
        return set().union(*(maps_in(own, name) for own in value))
    if not dataclasses.is_dataclass(value):
        return set()
    return set().union(*(maps_in(getattr(value, own.name), own.name) for own in dataclasses.fields(value)))


def merged(values: list[Any], maps: set[str], key: str = "") -> dict[str, Any]:
    """The schema of a place where these values were seen."""
    seen = [value for value in values if value is not None]
    kinds = {type(value) for value in seen}
    if not seen:
        return {}
    if kinds == {dict}:
        return _object(seen, maps, fields=False if key in maps and "metrics" not in seen[0] else None)
    if kinds == {list}:
        items = merged([item for value in seen for item in value], maps, key)
        return {"type": ["array", "null"], **({"items": items} if items else {})}
    if kinds <= {dict, list} or len(kinds & {dict, list}) == 1:
        return {}  # of several shapes
    names = {bool: "boolean", int: "integer", float: "number", str: "string"}
    types = {names[kind] for kind in kinds}
    types -= {"integer"} if "number" in types else set()
    return {"type": [*sorted(types), "null"]}


def _object(values: list[dict[str, Any]], maps: set[str], *, fields: bool | None = None) -> dict[str, Any]:
    """Fields or a map, told or found out."""
    keys = dict.fromkeys(key for value in values for key in value)
    if not keys:
        return {"type": ["object", "null"]}
    if fields is None:
        fields = all(map(FIELD.fullmatch, keys)) and not set(keys) <= NAMES and not set(keys) & SYSTEMS
    if not fields:
        return {
            "type": ["object", "null"],
            "additionalProperties": merged([item for value in values for item in value.values()], maps),
        }
    return {
        "type": ["object", "null"],
        "properties": {
            key: merged([value[key] for value in values if key in value], maps, key) for key in keys
        },
        "required": [key for key in keys if all(key in value for value in values)],
        "additionalProperties": False,
    }


def schema() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        results = list(every_result(Path(folder)))
    made = [json.loads(json.dumps(result.data())) for result in results]
    definitions = {}
    for kind in sorted({data["kind"] for data in made}):
        maps = MAPS.union(*(maps_in(result) for result in results if result.kind == kind))
        own = _object([data for data in made if data["kind"] == kind], maps, fields=True)
        version = next(data["schema"] for data in made if data["kind"] == kind)
        own["type"] = "object"
        own["properties"] |= {"kind": {"const": kind}, "schema": {"const": version}}
        own["required"] = list(dict.fromkeys([*HEAD, *own["required"]]))
        definitions[kind] = own
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What .data() of each kind of result holds",
        "type": "object",
        "properties": {"kind": {"enum": sorted(definitions)}},
        "required": list(HEAD),
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": kind}}},
                "then": {"$ref": f"#/$defs/{kind}".replace(" ", "%20")},
            }
            for kind in definitions
        ],
        "$defs": definitions,
    }


def lines(found: dict[str, Any]) -> str:
    """One line a kind, so that a change is seen."""
    head = {key: value for key, value in found.items() if key != "$defs"}
    text = json.dumps(head, ensure_ascii=False)[:-1]
    kinds = [
        f"  {json.dumps(kind)}: {json.dumps(own, ensure_ascii=False)}" for kind, own in found["$defs"].items()
    ]
    return text + ', "$defs": {\n' + ",\n".join(kinds) + "\n}}\n"


if __name__ == "__main__":
    TARGET.write_text(lines(schema()), encoding="utf-8")
    print(f"{TARGET}: {len(json.loads(TARGET.read_text(encoding='utf-8'))['$defs'])} kinds")
