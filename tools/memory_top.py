"""The units of the test clients of ../shared/data/memory that are most likely wrong, as they are: for reading.

    python -m tools.memory_top [--part dev] [--top 200] > list.txt

Words are learnt from the whole memory; units have three words or more, without every 15th, which had been looked at
when the first checks were written. docs/memory.md says what share of them is really wrong.
"""

from __future__ import annotations

import argparse

from tertium.memory.examining import Examination, whole_documents
from tertium.vetting.judging import CombinedJudge
from tools.memory_model import batches, memory, part

LEAST_WORDS = 3
LOOKED_AT = 15


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="test", choices=["dev", "test"])
    parser.add_argument("--top", type=int, default=200)
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
    for place, (_, unit, suspicion) in enumerate(found.ranked(), 1):
        print(f"\n{place}. {suspicion.probability:.3f} {unit.client}")
        print(f"   {unit.source!r}\n   {unit.target!r}")
        for reason in suspicion.reasons:
            print(f"   - {reason.check} {reason.score:.2f}: {reason.sentence}")


if __name__ == "__main__":
    main()
