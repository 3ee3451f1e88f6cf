"""The probe's table in docs/memory.md: test clients of ../shared/data/memory, which no tree has seen.

    python -m tools.memory_page [--part dev] [--fit] [--without]

Words are learnt from the whole memory, cross-fitted and without labels. With `--fit`, the combination is fitted first,
as `tools.memory_model` does it. With `--without`, each kind is ranked once more by trees that were fitted without this
kind of damage, on a quarter of the units: what is promised for errors that nobody has thought of.
"""

from __future__ import annotations

import argparse

import numpy as np

from tertium.memory.damages import DAMAGES
from tertium.memory.probing import LEAST_WORDS, RUNS, SHARE, Probe, ProbedMemory, ProbedUnits
from tertium.vetting.combining import Combination
from tertium.vetting.judging import CombinedJudge, forgetful_names
from tools.memory_model import MODEL, batches, fit, memory, part, training, write
from tools.memory_top import known_by, verdicts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="test", choices=["dev", "test"])
    parser.add_argument("--without", action="store_true", help="each kind with that kind left out, too")
    parser.add_argument("--fit", action="store_true", help="fit the combination first, and write it")
    options = parser.parse_args()
    units = memory()
    judge = CombinedJudge.of(forgetful_names(), share=SHARE)
    for batch in batches(units):
        judge.learn(batch)
    if options.fit or options.without:
        rows, kinds = training(judge, units)
    if options.fit:
        made = fit(judge.names, rows, kinds)
        write(made, MODEL)
        judge.combination = Combination.parse(made, MODEL.name)
        print("fitted", flush=True)
    places = [
        i
        for i, unit in enumerate(units)
        if part(unit.client) == options.part and len(unit.source.split()) >= LEAST_WORDS
    ]
    kept = ProbedUnits([units[i] for i in places], [units[i - 1] if i else None for i in places])
    probe = Probe(judge, kept, SHARE, RUNS, 1)
    found = tuple(probe.of(kind) for kind in (*DAMAGES, "mixed"))
    print(
        ProbedMemory(f"{options.part} clients", len(places), SHARE, LEAST_WORDS, RUNS, found)
        .table()
        .markdown(),
        flush=True,
    )
    for kind in DAMAGES:
        own = probe.of_all(kind)
        print(
            f"{kind}: {own.average_precision:.3f} where {own.damaged} of all {own.units} units are damaged",
            flush=True,
        )
    read = verdicts()
    right = [i for i, unit in enumerate(kept.units) if not read.get(known_by(unit))]
    others = ProbedUnits([kept.units[i] for i in right], [kept.befores[i] for i in right])
    again = Probe(judge, others, SHARE, RUNS, 1)
    for kind in (*DAMAGES, "mixed"):
        left = len(kept.units) - len(right)
        print(
            f"{kind}: {again.of(kind).average_precision:.3f} without {left} units that were read and are wrong"
        )
    if not options.without:
        return
    quarter = np.arange(len(kinds)) % 4 == 0
    for kind in DAMAGES:
        own = np.flatnonzero(quarter & np.array([other != kind for other in kinds]))
        made = fit(judge.names, rows[own], [kinds[i] for i in own])
        probe.use(Combination.parse(made, kind))
        print(f"{kind}: {probe.of(kind).average_precision:.3f} without it in training", flush=True)


if __name__ == "__main__":
    main()
