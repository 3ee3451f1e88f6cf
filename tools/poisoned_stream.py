"""How soon learners notice corrections of other segments, and how often they doubt good ones (docs/adapt.md).

python -m tools.poisoned_stream
"""

from __future__ import annotations

import random
from dataclasses import replace

from tertium.adaptation.base import Materials, system
from tertium.adaptation.bulletins import bulletins
from tertium.adaptation.simulating import run_stream, with_machine
from tertium.adaptation.streams import Stream
from tertium.io.memories.pairs import Pair

LEARNERS = ("memory", "memory+static", "lexical", "balanced")
BEGIN, END = 600, 900


def poisoned(stream: Stream, seed: int) -> Stream:
    """Corrections of a part go to other segments of it."""
    items = list(stream.items)
    texts = [item.correction for item in items[BEGIN:END]]
    random.Random(seed).shuffle(texts)
    pairs = zip(items[BEGIN:END], texts, strict=True)
    items[BEGIN:END] = [replace(item, correction=text) for item, text in pairs]
    return replace(stream, items=tuple(items))


def main() -> None:
    good = bulletins(1200)
    for spec in LEARNERS:
        doubted = 0
        for stream in (good, poisoned(good, 3)):
            own = system(spec, with_machine(Materials(pair=Pair("en", "fr")), stream))
            lessons = run_stream(own, stream.items).lessons
            if stream is good:
                doubted = sum(not lesson.learnt for lesson in lessons)
        refused = [place for place, lesson in enumerate(lessons) if not lesson.learnt]
        print(
            f"{spec}: {doubted} of {len(good):,} good corrections are doubted; poison is noticed with correction "
            f"{refused[0] - BEGIN + 1} of it, and learning goes on {max(refused) + 1 - END} corrections after it"
        )


if __name__ == "__main__":
    main()
