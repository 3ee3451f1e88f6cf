"""How well shifted units are found: pages of GIMP's help as documents of a memory, a block of targets moved by one.

    python -m tools.shift_table gimp/usr/share/gimp/2.0/help     # the second table of docs/alignment.md
    python -m tools.shift_table gimp/usr/share/gimp/2.0/help --check    # what `memory check` makes of such units

In each page that is long enough the targets of a block, at a random place, stand one unit too early, the first of them
at its end. The pages are those of the test part of `tools.alignment_table`, which says where they come from; the
threshold was chosen on the others. Pages in which something is found as they are (translators put sentences in another
order) are not used.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tertium.io.memories.unit import Unit
from tertium.vetting.batches import WholeDocuments
from tertium.vetting.judging import CombinedJudge
from tertium.vetting.shifts import Region, Sample, Straightener
from tertium.vetting.suspicion import LOOK
from tools.alignment_table import pages

LENGTHS = (1, 2, 3, 5, 10, 30)


def shifted(
    documents: list[list[Unit]], clean: list[list[Region]], length: int, rng: random.Random
) -> Iterator[tuple[list[Unit], int, int, list[int]]]:
    """Documents with a block of targets one unit too early: the units, the block, and whose target each has."""
    for document, before in zip(documents, clean, strict=True):
        if len(document) < length + 6 or before:
            continue
        begin = rng.randrange(1, len(document) - length - 2)
        end = begin + length + 1
        moved = [*range(begin + 1, end), begin]
        wrong = list(document)
        for place, other in zip(range(begin, end), moved, strict=True):
            wrong[place] = document[place]._replace(target=document[other].target)
        yield wrong, begin, end, moved


def checked(documents: list[list[Unit]], clean: list[list[Region]]) -> None:
    """Units of a block with a probability of one half and more, judged in their documents and one by one."""
    judge = CombinedJudge.of()
    judge.learn([unit for document in documents for unit in document])
    rng = random.Random(5)
    print("| block | units in blocks | found in documents | found one by one | others told |")
    print("|---|---:|---:|---:|---:|")
    for length in LENGTHS:
        made = list(shifted(documents, clean, length, rng))
        moved = [begin <= n < end for wrong, begin, end, _ in made for n in range(len(wrong))]
        units = [unit for wrong, *_ in made for unit in wrong]
        told, alone = (
            [own.probability >= LOOK for own in judge.judge(batch)]
            for batch in (WholeDocuments(units), units)
        )
        found, apart = (sum(a and b for a, b in zip(moved, own, strict=True)) for own in (told, alone))
        others = f"{sum(told) - found} of {len(units) - sum(moved)}"
        print(f"| {length + 1} units | {sum(moved)} | {found} | {apart} | {others} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=("dev", "test"), default="test")
    parser.add_argument("--check", action="store_true", help="what memory check says of such units")
    options = parser.parse_args()
    documents = [
        [Unit(*texts, "en", "fr", document=str(n)) for texts in zip(*page, strict=True)]
        for n, page in enumerate(pages(options.folder, options.part))
    ]
    sample = Sample()
    for document in documents:
        sample.add(document)
    straightener = Straightener(sample)
    clean = [straightener.regions(document) for document in documents]
    units = sum(region.end - region.begin for own in clean for region in own)
    print(
        f"{len(documents)} pages ({options.part}), {sum(map(len, documents)):,} units; as they are:", end=" "
    )
    print(f"{sum(map(len, clean))} regions of {units} units, in {sum(map(bool, clean))} pages\n")
    if options.check:
        checked(documents, clean)
        return
    print(
        "| block | pages | found | exactly | every text where it belongs | told as |\n|---|---|---|---|---|---|"
    )
    rng = random.Random(5)
    for length in LENGTHS:
        tried = found = exact = right = 0
        causes = Counter[str]()
        for wrong, begin, end, moved in shifted(documents, clean, length, rng):
            tried += 1
            own = [one for one in straightener.regions(wrong) if one.begin < end and one.end > begin]
            found += bool(own)
            exact += [(one.begin, one.end) for one in own] == [(begin, end)]
            causes.update(one.cause for one in own)
            beads = {(bead.source, bead.target) for one in own for bead in one.beads}
            place_of = {other: place for place, other in zip(range(begin, end), moved, strict=True)}
            right += beads == {((n, n + 1), (place_of[n], place_of[n] + 1)) for n in range(begin, end)}
        told = ", ".join(f"{cause} {count}" for cause, count in causes.most_common())
        print(f"| {length + 1} units | {tried} | {found} | {exact} | {right} | {told} |", flush=True)


if __name__ == "__main__":
    main()
