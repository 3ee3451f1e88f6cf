"""How well documents are aligned: pages of GIMP's help with sentences dropped, merged and split at known places.

    apt-get download gimp-help-fr gimp-help-en && for p in gimp-help-*.deb; do dpkg -x $p gimp; done
    python -m tools.alignment_table gimp/usr/share/gimp/2.0/help          # the table of docs/memory.md
    python -m tools.alignment_table gimp/usr/share/gimp/2.0/help --part dev

Pages with as many paragraphs in both languages, but for the licence, the bibliography, and the glossary and the index,
which each language sorts by itself; paragraphs left in English are dropped. Where a paragraph has as many sentences in
both, its sentences are pairs; otherwise the whole paragraph is. Every pair is then damaged with a chance of 5% or 20%:
dropped from one side, merged with the next on one side, or split on one side (after a comma, or in the middle).
Sentences are given to the aligner as a plain list, without paragraphs. A bead is right if it has exactly the sentences
it should have; beads with one side only are not counted. Pages are taken in turn for development (where choices were
made) and test.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tertium.io.pages import paragraphs
from tertium.text.beads import Bead, Document, Odds, align
from tertium.text.splitting import sentences

SHARES = (0.05, 0.2)
LEFT_OUT = ("gfdl", "bibliography", "glossary")
INDEX = "gimp-help-index.html"  # in the test part
FEWEST = 10  # pairs of a page
WAYS: dict[str, tuple[Odds, int]] = {
    "lengths alone (Gale and Church)": (Odds(words=0.0), 1),
    "lengths and spelling, one round": (Odds(), 1),
    "ours": (Odds(), 3),
}
Truth = list[tuple[tuple[int, int], tuple[int, int]]]

Noisy = Sequence[tuple[Document, Truth]]


def pages(folder: Path, part: str) -> list[tuple[list[str], list[str]]]:
    """Pairs of sentences of each page of a part."""
    found = []
    for path in sorted((folder / "fr").glob("*.html")):
        english = folder / "en" / path.name
        if not english.exists() or path.name.startswith(LEFT_OUT):
            continue
        ours, theirs = paragraphs(str(english)), paragraphs(str(path))
        if len(ours) != len(theirs):
            continue
        page: tuple[list[str], list[str]] = ([], [])
        for one, other in zip(ours, theirs, strict=True):
            if one == other:
                continue
            both = sentences([one], "en")[0], sentences([other], "fr")[0]
            if len(both[0]) != len(both[1]):
                both = [one], [other]
            page[0].extend(both[0])
            page[1].extend(both[1])
        if len(page[0]) >= FEWEST:
            found.append((path.name, page))
    chosen = found[0 if part == "dev" else 1 :: 2]
    return [page for name, page in chosen if name != INDEX]


def split(text: str, rng: random.Random) -> list[str]:
    places = [at.end() for at in re.finditer(r"[,;:] ", text) if 10 < at.end() < len(text) - 10]
    if not places:
        blanks = [at.end() for at in re.finditer(" ", text) if 10 < at.end() < len(text) - 10]
        places = sorted(blanks, key=lambda at: abs(at - len(text) / 2))[:1]
    if not places:
        return [text]
    at = rng.choice(places)
    return [text[:at].strip(), text[at:].strip()]


def damaged(page: tuple[list[str], list[str]], share: float, rng: random.Random) -> tuple[Document, Truth]:
    """A page with noise, and its true beads."""
    made: tuple[list[str], list[str]] = ([], [])
    truth: Truth = []
    k, n = 0, len(page[0])
    while k < n:
        step, parts = 1, [[page[0][k]], [page[1][k]]]
        if rng.random() < share:
            kind, side = rng.choice(("drop", "merge", "split")), rng.randrange(2)
            if kind == "drop":
                parts[side] = []
            elif kind == "split":
                parts[side] = split(page[side][k], rng)
            elif k + 1 < n:
                step, parts = 2, [[*own[k : k + 2]] for own in page]
                parts[side] = [" ".join(parts[side])]
        ends = [len(own) for own in made]
        for own, more in zip(made, parts, strict=True):
            own.extend(more)
        truth.append(((ends[0], len(made[0])), (ends[1], len(made[1]))))
        k += step
    return Document(*made), truth


def full(beads: Sequence[Bead] | Truth) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    return {(one[0], one[1]) for one in beads if one[0][0] < one[0][1] and one[1][0] < one[1][1]}


def row(
    name: str,
    share: float,
    found: Sequence[Sequence[Bead]],
    noisy: Sequence[tuple[Document, Truth]],
    seconds: float,
) -> str:
    right = sum(len(full(own) & full(truth)) for own, (_, truth) in zip(found, noisy, strict=True))
    precision = right / sum(len(full(own)) for own in found)
    recall = right / sum(len(full(truth)) for _, truth in noisy)
    f1 = 2 * precision * recall / (precision + recall)
    speed = sum(len(document.sources) for document, _ in noisy) / seconds
    return f"| {name} | {share:.0%} | {precision:.4f} | {recall:.4f} | {f1:.4f} | {speed:,.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=("dev", "test"), default="test")
    parser.add_argument("--encoder", action="store_true", help="with the Universal Sentence Encoder, too")
    options = parser.parse_args()
    chosen = pages(options.folder, options.part)
    print(
        f"{len(chosen)} pages ({options.part}), {sum(len(page[0]) for page in chosen):,} pairs of sentences\n"
    )
    print("| aligned by | noise | precision | recall | F1 | sentences a second |\n|---|---|---|---|---|---|")
    for share in SHARES:
        rng = random.Random(7)
        noisy = [damaged(page, share, rng) for page in chosen]
        documents = [document for document, _ in noisy]
        ways = {name: (documents, *how) for name, how in WAYS.items()}
        if options.encoder:
            ways["ours with vectors (use)"] = (*encoded(documents), 3)
        for name, (given, odds, rounds) in ways.items():
            begin = time.process_time()
            found = align(given, odds=odds, rounds=rounds)
            print(row(name, share, found, noisy, time.process_time() - begin), flush=True)


def encoded(documents: Sequence[Document]) -> tuple[list[Document], Odds]:
    from tertium.bitext.aligning import VECTORS, usual_similarity, vectors_of

    made = [replace(own, vectors=vectors_of("use", own.sources, own.targets)) for own in documents]
    return made, Odds(vectors=VECTORS, usual=usual_similarity(made))


if __name__ == "__main__":
    main()
