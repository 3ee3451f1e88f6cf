"""A program that speaks the protocol of docs/outside-metrics.md: words in common, as Jaccard counted them."""

from __future__ import annotations

import json
import sys
from typing import Any


def jaccard(items: list[dict[str, Any]]) -> list[float]:
    """Also a function that `function:call=tests.metrics.outside_program:jaccard` names."""
    scores = []
    for item in items:
        own = set(item["hypothesis"].split())
        others = item.get("references") or [item.get("source", "")]
        scores.append(max(len(own & set(o.split())) / max(1, len(own | set(o.split()))) for o in others))
    return scores


jaccard.model = "words"  # type: ignore[attr-defined]
jaccard.versions = {"outside": "1.0"}  # type: ignore[attr-defined]


def main() -> None:
    first, *items = [json.loads(line) for line in sys.stdin]
    print(
        json.dumps(
            {"tertium": first["tertium"], "name": "jaccard", "model": "words", "versions": {"own": "1"}}
        )
    )
    for item, score in reversed(list(zip(items, jaccard(items), strict=True))):  # in any order
        print(json.dumps({"id": item["id"], "score": score}))


if __name__ == "__main__":
    main()
