"""The table of strategies in docs/adapt.md: systems in streams, with paired differences.

    python -m tools.adapt_table STREAM.jsonl... --recorded FOLDER --model MODEL --memory MEMORY --before DAY -s nmt

Outputs that were recorded elsewhere (tools/adapt_streams.py) are scored beside those of systems that run here (`-s`),
which are recorded, too, and not run again.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time

from tertium.adaptation.base import Materials, system
from tertium.adaptation.measures import MeasuredStream, paired_tests, repeated_errors
from tertium.adaptation.programs import ProgramSystem
from tertium.adaptation.streams import StreamItem, read_stream
from tertium.io.memories.pairs import Pair

BASES = ("nmt", "memory")  # what the others are compared with


def record(spec: str, materials: Materials, items: tuple[StreamItem, ...], place: str) -> None:
    """Runs a system here, a line a segment."""
    own = system(spec, materials)
    with open(place + ".part", "w", encoding="utf-8") as file:
        for item in items:
            begin = time.perf_counter()
            made = own.translate(item.segment)
            middle = time.perf_counter()
            own.learn(item.segment, item.correction)
            end = time.perf_counter()
            row = {
                "mt": made.text,
                "balance": made.balance,
                "translate": middle - begin,
                "learn": end - middle,
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    own.close()
    os.replace(place + ".part", place)


def main() -> None:
    """Prints a table for each stream."""
    parser = argparse.ArgumentParser()
    parser.add_argument("streams", nargs="+")
    parser.add_argument("--recorded", required=True)
    parser.add_argument("--model")
    parser.add_argument("--memory")
    parser.add_argument("--before", default="")
    parser.add_argument("--mt", help="a program that speaks the protocol: the machine translation of -s")
    parser.add_argument("--pair", default="en-fr")
    parser.add_argument("-s", "--systems", nargs="*", default=[])
    given = parser.parse_args()
    pair = Pair.parse(given.pair)
    machine = (lambda: ProgramSystem(given.mt)) if given.mt else None
    materials = Materials(machine, given.memory, given.model, pair, given.before)
    for path in given.streams:
        stream = read_stream(path)
        stem = os.path.basename(path).removesuffix(".jsonl")
        for spec in given.systems:
            place = os.path.join(
                given.recorded, f"{stem}.{spec.translate(str.maketrans(':,=', '---'))}.jsonl"
            )
            if not os.path.exists(place):
                record(spec, materials, stream.items, place)
        found: dict[str, list[dict[str, float]]] = {}
        for name in sorted(os.listdir(given.recorded)):
            if name.startswith(stem + ".") and name.endswith(".jsonl"):
                with open(os.path.join(given.recorded, name), encoding="utf-8") as file:
                    rows = [json.loads(line) for line in file]
                if len(rows) == len(stream):
                    found[name.removeprefix(stem + ".").removesuffix(".jsonl")] = rows
                else:
                    print(f"{name}: {len(rows)} of {len(stream)} segments; left out")
        corrections = [item.correction for item in stream.items]
        measured = {
            name: MeasuredStream([str(row["mt"]).strip() for row in rows], corrections)
            for name, rows in found.items()
        }
        tests = {
            (own.first, own.second): own
            for own in paired_tests(measured, stream.items)
            if own.measure == "chrF"
        }
        print(f"\n{stem}, {len(stream):,} segments\n")
        heads = [f"against {base} (95%)" for base in BASES if base in measured]
        columns = ["system", "chrF", *heads, "TER", "edits saved", "repeated errors", "balance at last"]
        print("| " + " | ".join([*columns, "translate, learn (ms, median)"]) + " |")
        print("|---|" + "--:|" * len(columns))
        for name, own in measured.items():
            again = repeated_errors(own.translations, corrections, pair.target)
            cells = [name, f"{own.of('chrF'):.1f}"]
            for base in (base for base in BASES if base in measured):
                sign, test = (
                    (1, tests.get((base, name))) if (base, name) in tests else (-1, tests.get((name, base)))
                )
                if test is None:
                    cells.append("")
                    continue
                low, high = sorted((sign * test.low, sign * test.high))
                cells.append(f"{sign * test.difference:+.1f} ({low:+.1f} to {high:+.1f}; p {test.p:.3f})")
            times = [
                [row[key] for row in found[name] if row[key] is not None] for key in ("translate", "learn")
            ]
            balance = found[name][-1]["balance"]
            cells += [f"{own.of('TER'):.1f}", f"{own.of('saved'):.3f}"]
            cells += [f"{again.rate or 0:.3f} ({again.repeated} of {again.needed})"]
            cells += [
                "" if balance is None else f"{balance:.2f}",
                ", ".join(f"{1000 * statistics.median(own_times):.0f}" for own_times in times if own_times),
            ]
            print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
