"""The page of sentences (docs/evidence/sentences.md) from their table (data/sentences.toml).

python -m tools.sentences_page
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from tertium.results import sentence_table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "evidence" / "sentences.md"
FAMILIES = {
    "compare": "`compare` and `report`: the answer",
    "pair": "`compare --details significance` and the gate: a pair by one metric",
    "meta": "`meta run`",
    "doctor": "`doctor`",
}


def cell(text: str) -> str:
    """A template as a cell of a Markdown table.

    >>> cell("tabs or |||, <unk>")
    'tabs or \\\\|\\\\|\\\\|, &lt;unk&gt;'
    """
    return escape(text.strip(), quote=False).replace("|", r"\|").replace("`", r"\`")


def tables() -> Iterator[str]:
    """A heading and a table for each command; with a column of advice where sentences have one."""
    for family, sentences in sentence_table().items():
        parts = {"text": "sentence", "advice": "advice", "when": "may be said when"}
        if not any("advice" in entry for entry in sentences.values()):
            del parts["advice"]
        yield from (
            "",
            f"## {FAMILIES[family]}",
            "",
            f"| {' | '.join(parts.values())} |",
            "|---" * len(parts) + "|",
        )
        for entry in sentences.values():
            yield f"| {' | '.join(cell(entry.get(part, '')) for part in parts)} |"


def main() -> None:
    before, rest = PAGE.read_text(encoding="utf-8").split("<!-- sentences: begin -->")
    after = rest.split("<!-- sentences: end -->")[1]
    lines = "\n".join(tables())
    PAGE.write_text(
        f"{before}<!-- sentences: begin -->{lines}\n\n<!-- sentences: end -->{after}", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
