"""Are translated pages harder to read than their originals? The finding of docs/readability.md.

    apt-get download gimp-help-en gimp-help-fr   # and unpack each: dpkg-deb -x FILE FOLDER
    python -m tools.readability_pages EN FR [--page docs/readability.md]

EN and FR are folders that have the same pages (usr/share/gimp/2.0/help/en and fr), which are aligned sentence by
sentence. Left out are pairs that are no translation, where half of the target's words or more are the source's or its
function words are English ones, and texts that stand on more than one page (navigation, captions). The interval is by
drawing pages, the test by turning the signs of pages.
"""

from __future__ import annotations

import argparse
from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tertium.comparison.doctor.languages import function_words
from tertium.readability.comparing import ReadabilityComparison, compare_paired
from tertium.readability.counting import Counter
from tertium.readability.formulas import FORMULAS
from tertium.readability.pairing import PairedTexts, read_paired
from tertium.readability.scale import cefr, usual_scale
from tertium.text.cut import cut_words
from tools.pages import put

SHARE = 0.5  # of the target's words that are the source's
BESIDE = ("flesch-kincaid", "lix")
HEAD = "| | English | French | harder by | 95% | p |\n|---|---|---|---|---|---|"


def translated(texts: PairedTexts) -> tuple[PairedTexts, dict[str, int]]:
    """Pairs that are translations, and how many others there are."""
    ours, theirs = ([" ".join(own) for own in side] for side in (texts.sources, texts.targets))
    names = texts.documents or [""] * len(ours)
    pages = [Tally(text for text, _ in {*zip(side, names, strict=True)}) for side in (ours, theirs)]
    words = [[_words(own) for own in cut_words(side)] for side in (ours, theirs)]
    left: Tally[str] = Tally()
    kept = []
    for i, (source, target) in enumerate(zip(*words, strict=True)):
        if pages[0][ours[i]] > 1 or pages[1][theirs[i]] > 1:
            left["on several pages"] += 1
        elif untranslated(source, target):
            left["not translated"] += 1
        else:
            kept.append(i)
    chosen = [[side[i] for i in kept] for side in (texts.sources, texts.targets)]
    found = replace(texts, sources=chosen[0], targets=chosen[1], documents=[names[i] for i in kept])
    return found, dict(left)


def _words(cut: Sequence[str]) -> list[str]:
    return [word.lower() for word in cut if word[0].isalpha()]


def untranslated(source: Sequence[str], target: Sequence[str]) -> bool:
    """Whether the words of a target are those of its source, or English.

    >>> untranslated(["close", "the", "image"], ["fermer", "l'", "image"])
    False
    """
    known = set(source)
    if target and sum(word in known for word in target) >= SHARE * len(target):
        return True
    english, french = function_words("en"), function_words("fr")
    return sum(word in english - french for word in target) > sum(word in french - english for word in target)


def whole_pages(texts: PairedTexts) -> PairedTexts:
    """The same sentences, a page as one unit."""
    ours: dict[str, list[str]] = {}
    theirs: dict[str, list[str]] = {}
    for name, source, target in zip(texts.documents or (), texts.sources, texts.targets, strict=True):
        ours.setdefault(name, []).extend(source)
        theirs.setdefault(name, []).extend(target)
    return PairedTexts(texts.pair, "document", list(ours.values()), list(theirs.values()), list(ours))


def row(name: str, found: ReadabilityComparison) -> str:
    ours, theirs, gap = found.source_level or 0.0, found.target_level or 0.0, found.difference or 0.0
    p = 1.0 if found.p is None else found.p
    interval = f"[{found.low:+.2f}, {found.high:+.2f}]"
    told = "< .001" if p < 0.001 else f"{p:.3f}"
    levels = " | ".join(f"{level:.2f} ({cefr(level)})" for level in (ours, theirs))
    return f"| {name} | {levels} | {gap:+.2f} | {interval} | {told} |"


def formulas(texts: PairedTexts) -> list[str]:
    """What formulas say of the same sentences, all together."""
    sides = (("en", texts.sources), ("fr", texts.targets))
    sums = [
        np.asarray(Counter(lang).rows(["\n".join(own) for own in side])).sum(axis=0) for lang, side in sides
    ]
    found = []
    for name in BESIDE:
        ours, theirs = (float(FORMULAS[name].every(own)[0]) for own in sums)
        found.append(f"| {name} | {ours:.2f} | {theirs:.2f} | {theirs - ours:+.2f} | | |")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("english")
    parser.add_argument("french")
    parser.add_argument("--page", type=Path)
    options = parser.parse_args(arguments)
    texts, left = translated(read_paired(options.english, options.french, aligned=True))
    scale = usual_scale()
    segments, pages = (compare_paired(own, scale) for own in (texts, whole_pages(texts)))
    counts, others = segments.counts, ", ".join(f"{number:,} {why}" for why, number in left.items())
    told = (
        f"{len(pages.units)} pages, {len(texts):,} pairs of sentences; left out: {others}. Of the pairs "
        f"{counts['harder']:,} became harder by half a level or more, {counts['easier']:,} easier, {counts['same']:,} "
        f"stayed the same; {counts['withheld']:,} have no number."
    )
    rows = [row("sentences", segments), row("whole pages", pages), *formulas(texts)]
    put({"gimp": "\n".join([HEAD, *rows, "", told])}, options.page)


if __name__ == "__main__":
    main()
