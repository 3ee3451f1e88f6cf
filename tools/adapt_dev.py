"""Streams of documents that training had held out, for choosing: never anything of the test's years.

    python -m tools.adapt_dev EXAMPLES -o FOLDER

EXAMPLES is what `tertium.adaptation.nmt.preparing.prepare` writes of `../shared/data/memory` with `since` 2023-01-01.
Streams of three groups of clients (late 2022) are written, shuffled, and memory.jsonl: what may be learnt from, without
them. `tools/adapt_apertium.py` and `tertium adapt simulate --memory FOLDER/memory.jsonl` do the rest.
"""

from __future__ import annotations

import argparse
import json
import os
import random

from tertium.adaptation.nmt import examples

GROUPS = {
    "thunar": ("thunar",),
    "libreoffice": ("libreoffice",),
    "plasma": ("plasma-desktop", "plasma-workspace"),
}


def main() -> None:
    """Writes the files."""
    parser = argparse.ArgumentParser()
    parser.add_argument("examples")
    parser.add_argument("-o", "--output", required=True)
    given = parser.parse_args()
    held = examples.read(given.examples, "dev")
    for name, clients in GROUPS.items():
        with open(os.path.join(given.output, f"{name}.jsonl"), "w", encoding="utf-8") as file:
            for client in clients:
                rows = [own for own in held if own.client == client]
                random.Random(1).shuffle(rows)
                for own in rows:
                    row = {
                        "source": own.source,
                        "reference": own.target,
                        "client": client,
                        "document": client,
                    }
                    row |= {"type": own.domain, "date": "2022-12-01"}
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
    with open(os.path.join(given.output, "memory.jsonl"), "w", encoding="utf-8") as file:
        for own in examples.read(given.examples, "train"):
            row = {"source": own.source, "target": own.target, "client": own.client, "document": own.client}
            file.write(json.dumps({**row, "date": "2020-01-01"}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
