"""How often the parts that `memory match --parts` shows stand in what was really written later (docs/matching.md).

    python -m tools.parts_table memory.db --since 2023-01-01 [--until DATE] [--most N] [--agreed SHARE]

The memory is cut at a day; segments of four words and more that are new since are asked for, if no stored source is
70% alike. Precision: of the parts, the share whose translation stands, word for word, in the target written.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict

import numpy as np

from tertium.matching.matching import Matcher
from tertium.matching.parts import AGREED, HELPFUL, PartFinder
from tertium.matching.pasts import Past
from tertium.matching.phrases import phrases_of
from tertium.text.keyed import KeyedWords


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("memory")
    asked.add_argument("--since", required=True)
    asked.add_argument("--until", default="")
    asked.add_argument("--most", type=int)
    asked.add_argument("--agreed", type=float, default=AGREED)
    given = asked.parse_args()
    past = Past(given.memory, given.since)
    tables = phrases_of(past.index, keep=False)
    finder = PartFinder(past.index, past.words, tables, agreed=given.agreed)
    matcher = Matcher(past.index, least=HELPFUL, most=1)
    rows: dict[str, list[bool]] = defaultdict(list)
    lengths: dict[str, int] = defaultdict(int)
    words = segments = helped = helpless = 0
    spent = 0.0
    for document in past.later(given.until, most=given.most):
        units = [unit for unit in document.units if not matcher.propose(unit.source)]
        segments += len(document.units)
        helpless += len(units)
        begin = time.process_time()
        found = finder.document([unit.source for unit in units])
        spent += time.process_time() - begin
        sources = KeyedWords.of([unit.source for unit in units])
        words += len(sources.keys)
        helped += sum(map(bool, found))
        for unit, parts in zip(units, found, strict=True):
            for part, right in zip(parts, _right([own.target for own in parts], unit.target), strict=True):
                size = len(KeyedWords.of([part.source]).keys)
                for name in ("all", _size(size), _seen(part.looked_at, part.agreed)):
                    rows[name].append(right)
                    lengths[name] += size
    print(f"{segments:,} segments since {given.since}, {helpless:,} without a match of {HELPFUL}%; of these")
    print(
        f"{helped / max(1, helpless):.1%} get parts. CPU {1000 * spent / max(1, helpless):.1f} ms a segment."
    )
    print("| parts | number | words covered | in what was written |\n|---|--:|--:|--:|")
    for name in sorted(rows, key=lambda name: (name != "all", name)):
        share = lengths[name] / max(1, words)
        print(f"| {name} | {len(rows[name]):,} | {share:.1%} | {np.mean(rows[name]):.1%} |")


def _right(parts: list[str], written: str) -> list[bool]:
    """Whether the words of each stand in a text, in their order and together."""
    whole, *own = (KeyedWords.of([text]).keys.tolist() for text in (written, *parts))
    return [any(whole[n : n + len(one)] == one for n in range(len(whole))) for one in own]


def _size(size: int) -> str:
    return f"of {size} words" if size < 5 else "of 5 words and more"


def _seen(looked_at: int, agreed: int) -> str:
    if looked_at == 1:
        return "seen once"
    return (
        "seen more often, always the same" if agreed == looked_at else "seen more often, not always the same"
    )


if __name__ == "__main__":
    main()
