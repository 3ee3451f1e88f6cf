"""Writes src/tertium/data/testsets.json, the table of test sets by name: `python -m tools.testsets`.

The facts (names, descriptions, citations, language pairs, addresses, checksums, where texts lie in archives, which
references count, what documents are about) are those that the installed sacrebleu knows; `--check` says whether the
file still has them.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent / "src" / "tertium" / "data" / "testsets.json"
KINDS = {
    "FakeSGMLDataset": "sgml",
    "IWSLTXMLDataset": "sgml",
    "WMTAdditionDataset": "sgml-or-text",
    "PlainTextDataset": "text",
    "TSVDataset": "columns",
    "WMTXMLDataset": "xml",
}


def table() -> dict[str, Any]:
    """The table as sacrebleu has it."""
    import sacrebleu
    from sacrebleu.dataset import DATASETS, SUBSETS

    sets: dict[str, Any] = {}
    for name, known in DATASETS.items():
        pairs = {}
        for pair, files in known.langpairs.items():
            own = files if isinstance(files, dict) else {"path": files}
            paths = [own["path"]] if isinstance(own["path"], str) else list(own["path"])
            pairs[pair] = {"files": paths} | ({"references": own["refs"]} if "refs" in own else {})
        sets[name] = {
            "description": (known.description or "").strip(),
            **({"citation": known.citation} if known.citation else {}),
            "kind": KINDS[type(known).__name__],
            "archives": [list(pair) for pair in zip(known.data or [], known.md5 or [], strict=True)],
            **({"references": known.kwargs["refs"]} if "refs" in known.kwargs else {}),
            "pairs": pairs,
            **({"tags": SUBSETS[name]} if name in SUBSETS else {}),
        }
    return {"facts of": f"sacrebleu {sacrebleu.__version__}", "sets": sets}


def text() -> str:
    """The file: a line a pair."""
    whole = json.dumps(table(), indent=1, ensure_ascii=False)
    inner = re.compile(r"(\[|\{)\n\s+([^\[\]{}]*?)\n\s+(\]|\})")
    while (shorter := inner.sub(lambda m: m[1] + re.sub(r"\n\s+", " ", m[2]) + m[3], whole)) != whole:
        whole = shorter
    return whole + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(TARGET.read_text(encoding="utf-8") != text())
    TARGET.write_text(text(), encoding="utf-8")
    print(f"{TARGET}: {len(table()['sets'])} test sets")
