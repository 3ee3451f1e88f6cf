"""The source as it stands, as a proposal beside the stored ones: for names, commands, file names and signs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.text.keyed import KeyedWords, mixed

if TYPE_CHECKING:
    from tertium.matching.candidates import StoredCandidates
    from tertium.matching.words import MemoryWords
    from tertium.text.keyed import Numbers

NAMES = (
    "source",
    "words kept",
    "new words",
    "source explained",
    "signs",
    "names and code",
    "words of the source",
    "most alike",
    "found in targets",
)
REASONS = {  # what a number says, where it is high
    "words kept": "of its words stay as they are in stored translations",
    "new words": "are words that the memory does not know",
    "signs": "are signs and figures",
    "names and code": "look like names or code",
}
_SIGN = re.compile(r"[^\w\s]|\d|_")
_CODE = re.compile(r"\S*[^\W\d_][A-Z]\S*|\S*[\w.]+[_/\\.@=:-]\w\S*|\S*\d\S*|[%$&<{\[-]\S+|(?<=\w )[A-Z]\S*")


def source_numbers(candidates: StoredCandidates, words: MemoryWords) -> Sequence[Numbers]:
    """For the rows of sources as they stand; stored rows have 0 in the first column, and nothing else is known."""
    rows = np.flatnonzero(candidates.copied)
    texts = [candidates.segments[segment] for segment in candidates.owner[rows]]
    columns = [np.full(len(candidates.rows), np.nan) for _ in NAMES]
    columns[0] = candidates.copied.astype(float)
    if len(rows):
        for column, values in zip(columns[1:], _looked_at(candidates, texts, words), strict=True):
            column[rows] = values
    return columns


def why(numbers: Numbers) -> str:
    """What speaks for a source as it stands, from its row of numbers: the largest share, in words."""
    shares = {name: float(numbers[NAMES.index(name)]) for name in REASONS}
    best = max(shares, key=shares.__getitem__)
    return f"the source as it stands: {shares[best]:.0%} {REASONS[best]}"


def _looked_at(candidates: StoredCandidates, texts: Sequence[str], words: MemoryWords) -> Sequence[Numbers]:
    cut = KeyedWords.of(texts)
    sizes = cut.characters.astype(float)
    total = np.maximum(cut.sums(sizes), 1.0)
    kept = words.forward.of(cut.keys, cut.keys)
    new = 1.0 - words.known(cut.keys)
    explained = cut.mean(np.log(words.forward.best(cut, cut)[0]))
    letters = np.maximum([len("".join(text.split())) for text in texts], 1)
    signs = np.array([len(_SIGN.findall(text)) for text in texts]) / letters
    code = np.array([sum(map(len, _CODE.findall(text))) for text in texts]) / letters
    alike, found = _beside(candidates, cut)
    return (
        cut.sums(sizes * kept) / total,
        cut.sums(sizes * new) / total,
        explained,
        signs,
        code,
        np.log(np.maximum(cut.sizes, 1)),
        alike,
        found,
    )


def _beside(candidates: StoredCandidates, cut: KeyedWords) -> tuple[Numbers, Numbers]:
    """How alike the most alike stored source is, and how much of the segment stands in stored targets."""
    number = len(candidates.segments)
    stored = np.flatnonzero(~candidates.copied)
    alike = np.zeros(number)
    np.maximum.at(alike, candidates.owner[stored], candidates.characters[stored])
    targets = KeyedWords.of([candidates.rows[row].target for row in stored.tolist()])
    there = mixed(candidates.owner[stored][targets.segments].astype(np.uint64), targets.keys)
    segments = candidates.owner[candidates.copied]
    has = np.isin(mixed(segments[cut.segments].astype(np.uint64), cut.keys), there)
    sizes = cut.characters.astype(float)
    return alike[segments], cut.sums(sizes * has) / np.maximum(cut.sums(sizes), 1.0)
