"""Pseudo-references beside references and instead of them: WMT23's English to German, MQM.

    python -m tools.pseudo_table        # the table of docs/inputs.md

Prints Markdown: |r| with people on segments and systems. The outputs that serve as pseudo-references are ONLINE-A and
ONLINE-B, the first by name; nobody is judged who is one, in any row.
"""

from __future__ import annotations

import tarfile
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tertium as tt
from tertium.meta.evaluation import evaluate
from tertium.meta.task import Task
from tools.da_segments import SHARED

PSEUDO = ("ONLINE-A", "ONLINE-B")
WAYS: dict[str, dict[str, Any]] = {
    "refA": {"without": ("refA", "synthetic_ref", *PSEUDO)},
    "refA, ONLINE-A": {"pseudo_references": PSEUDO[:1], "without": ("refA", "synthetic_ref", *PSEUDO[1:])},
    "refA, ONLINE-A, ONLINE-B": {"pseudo_references": PSEUDO},
    "ONLINE-A": {
        "pseudo_references": PSEUDO[:1],
        "without_references": True,
        "without": ("refA", "synthetic_ref", *PSEUDO[1:]),
    },
    "ONLINE-A, ONLINE-B": {"pseudo_references": PSEUDO, "without_references": True},
}
SPECS = ("bleu", "chrf", "ter")


def rows(folder: Path) -> Iterator[str]:
    yield (
        "| references | "
        + " | ".join(f"{spec}, {level}s" for level in ("segment", "system") for spec in SPECS)
        + " |"
    )
    yield "|---" * (2 * len(SPECS) + 1) + "|"
    for name, how in WAYS.items():
        task = Task(
            "wmt23",
            SPECS,
            folder,
            human={"name": "mqm"},
            levels=("segment", "system"),
            significance="none",
            **how,
        )
        found = {}
        for judged in evaluate(task).judged:
            found |= {(judged.level, cell.name): cell.value for cell in judged.cells}
        labels = [tt.metric(spec).label for spec in SPECS]
        cells = [found[level, label] for level in ("segment", "system") for label in labels]
        yield f"| {name} | " + " | ".join(f"{abs(value or 0):.3f}" for value in cells) + " |"


def main() -> None:
    warnings.simplefilter("ignore", tt.TertiumWarning)
    with tempfile.TemporaryDirectory() as made:
        with tarfile.open(SHARED / "data" / "mtme" / "wmt23-en-de.tar.xz") as archive:
            archive.extractall(made, filter="data")
        for row in rows(Path(made, "wmt23")):
            print(row, flush=True)


if __name__ == "__main__":
    main()
