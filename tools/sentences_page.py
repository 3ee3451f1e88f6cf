"""The page of sentences (docs/evidence/sentences.md) from their table (data/sentences.toml).

python -m tools.sentences_page
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tertium.results import sentence_table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "evidence" / "sentences.md"
FAMILIES = {
    "compare": "`compare` and `report`: the answer",
    "pair": "`compare --details significance` and the gate: a pair by one metric",
    "meta": "`meta run`",
    "doctor": "`doctor`",
}


def tables() -> Iterator[str]:
    """A heading and a table for each command."""
    for family, sentences in sentence_table().items():
        yield from ("", f"## {FAMILIES[family]}", "", "| sentence | may be said when |", "|---|---|")
        for entry in sentences.values():
            text = entry["text"].strip().replace("|", r"\|")
            yield f"| {text} | {entry['when']} |"


def main() -> None:
    before, rest = PAGE.read_text(encoding="utf-8").split("<!-- sentences: begin -->")
    after = rest.split("<!-- sentences: end -->")[1]
    lines = "\n".join(tables())
    PAGE.write_text(
        f"{before}<!-- sentences: begin -->{lines}\n\n<!-- sentences: end -->{after}", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
