"""Rates of `finetune` and `adapters`, on made bulletins with a tiny model of another style than the corrections.

    python -m tools.adapt_rates WORK [--segments 120] [--seed 8] SPEC...

A tiny model is trained in WORK from what the bulletins' machine says (as tests/adaptation/test_neural.py does), if none
is there; then each system runs through bulletins of a seed. Printed: chrF of all segments and of the second half, and
repeated errors. The table of docs/adapt-results.md is of seed 8.
"""

from __future__ import annotations

import argparse
import json
import os

from tertium.adaptation.base import Materials, system
from tertium.adaptation.bulletins import bulletins
from tertium.adaptation.measures import MeasuredStream, repeated_errors
from tertium.adaptation.nmt.learning import train_translator
from tertium.adaptation.simulating import run_stream
from tertium.io.memories.pairs import Pair


def trained(work: str) -> str:
    """The model."""
    place = os.path.join(work, "model")
    if not os.path.exists(place):
        os.makedirs(work, exist_ok=True)
        memory = os.path.join(work, "memory.jsonl")
        with open(memory, "w", encoding="utf-8") as file:
            for item in bulletins(1500, random_order=True).items:
                row = {"source": item.segment.source, "target": item.mt, "client": item.segment.client}
                file.write(json.dumps({**row, "domain": item.segment.type}, ensure_ascii=False) + "\n")
        changes = {"pieces": 500, "matches": 0.3}
        print(train_translator(memory, place, setting="tiny", changes=changes, pair=Pair("en", "fr")).text())
    return place


def main() -> None:
    """Prints a row for each system."""
    parser = argparse.ArgumentParser()
    parser.add_argument("work")
    parser.add_argument("specs", nargs="+")
    parser.add_argument("--segments", type=int, default=120)
    parser.add_argument("--seed", type=int, default=8)
    given = parser.parse_args()
    materials = Materials(model=trained(given.work), pair=Pair("en", "fr"))
    items = bulletins(given.segments, seed=given.seed, random_order=True).items
    corrections = [item.correction for item in items]
    half = len(items) // 2
    print("| system | chrF | second half | repeated errors | balance |")
    print("|---|--:|--:|--:|--:|")
    for spec in given.specs:
        own = system(spec, materials)
        texts = [made.text for made in run_stream(own, items).translations]
        found = MeasuredStream(texts, corrections)
        again = repeated_errors(texts, corrections, "fr").rate or 0.0
        balance = "" if own.balance is None else f"{own.balance:.2f}"
        cells = [spec, f"{found.of('chrF'):.1f}", f"{found.of('chrF', half):.1f}", f"{again:.3f}", balance]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
