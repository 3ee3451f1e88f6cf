"""The units of the test clients of ../shared/data/memory that are most likely wrong, as they are: for reading.

    python -m tools.memory_top [--part dev] [--top 200] > list.txt

Words are learnt from the whole memory; units have three words or more, without every 15th, which had been looked at
when the first checks were written. A reader's verdicts are kept by hashes (`memory_read.json`); the share that is wrong
comes last. `--ask` prints only what nobody has read.
"""

from __future__ import annotations

import argparse
import json
from hashlib import sha256
from pathlib import Path

from tertium.io.memories.unit import Unit
from tertium.memory.examining import Examination, whole_documents
from tertium.vetting.judging import CombinedJudge
from tools.memory_model import batches, memory, part

LEAST_WORDS = 3
LOOKED_AT = 15
VERDICTS = Path(__file__).with_name("memory_read.json")


def known_by(unit: Unit) -> str:
    return sha256(f"{unit.source}\t{unit.target}".encode()).hexdigest()[:16]


def verdicts() -> dict[str, bool]:
    """What was read, and whether it is wrong."""
    data = json.loads(VERDICTS.read_text(encoding="utf-8"))
    return {**dict.fromkeys(data["right"], False), **dict.fromkeys(data["wrong"], True)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="test", choices=["dev", "test"])
    parser.add_argument("--top", type=int, default=200)
    parser.add_argument("--ask", action="store_true")
    options = parser.parse_args()
    units = memory()
    judge = CombinedJudge.of()
    for batch in batches(units):
        judge.learn(batch)
    found = Examination(options.top)
    own = [unit for n, unit in enumerate(units) if part(unit.client) == options.part and n % LOOKED_AT]
    for batch in whole_documents(own):
        suspicions = judge.judge(batch)
        read = [i for i, unit in enumerate(batch) if len(unit.source.split()) >= LEAST_WORDS]
        found.add([batch[i] for i in read], [suspicions[i] for i in read])
    print(f"{found.units:,} units of the clients for {options.part}; {found.look} of one half and more")
    known, read, ranked = verdicts(), [], found.ranked()
    for place, (_, unit, suspicion) in enumerate(ranked, 1):
        read.append(known.get(known_by(unit)))
        if options.ask and read[-1] is not None:
            continue
        print(f"\n{place}. {suspicion.probability:.3f} {unit.client} {known_by(unit)}")
        print(f"   {unit.source!r}\n   {unit.target!r}")
        for reason in suspicion.reasons:
            print(f"   - {reason.check} {reason.score:.2f}: {reason.sentence}")
    print()
    for number in (found.look, 20, 50, 100, 200):
        own = read[:number]
        print(f"of the first {len(own)}: {own.count(True)} wrong, {own.count(None)} not read")


if __name__ == "__main__":
    main()
