"""Features of translations without references: each set a function of a `View`, by name in `FEATURES`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.estimation.tendency import KINDS
from tertium.estimation.view import View
from tertium.estimation.words import KeyedWords, Numbers
from tertium.registry import Registry


@dataclass(frozen=True)
class QualityFeatures:
    """Names, a sentence, and a function that gives a column for each name."""

    about: str
    names: tuple[str, ...]
    of: Callable[[View], Sequence[Numbers]]
    needs_scores: bool = False

    def columns(self, view: View) -> Numbers:
        found = np.column_stack([np.asarray(own, float) for own in self.of(view)])
        if found.shape[1] != len(self.names):
            raise ValueError(f"{found.shape[1]} columns for {len(self.names)} names")
        return found


def _counts(lines: Sequence[str], has: Callable[[str], int]) -> Numbers:
    return np.fromiter((has(line) for line in lines), float, len(lines))


def _lengths(view: View) -> Sequence[Numbers]:
    source, target = (_counts(side.lines, len) + 1 for side in (view.source, view.target))
    ours, theirs = view.source.sizes + 1.0, view.target.sizes + 1.0
    ratio, words = np.log(target / source), np.log(theirs / ours)
    return (
        *(np.log(ours), np.log(theirs), ratio, words),
        *(np.abs(ratio), np.abs(words)),
        *(source / ours, target / theirs),
    )


LENGTHS = QualityFeatures(
    "lengths in characters and words, and their ratios",
    (
        "source words",
        "target words",
        "characters",
        "words",
        "characters apart",
        "words apart",
        "source word",
        "target word",
    ),
    _lengths,
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_MARKS = (",", ".", "?!", ":;", "\"“”„«»'’", "()[]", "-–—")
_DIGITS = re.compile(r"\D")


def _found(ours: Sequence[set[str]], theirs: Sequence[set[str]]) -> Numbers:
    """The share of ours that they have, too; 1 of nothing."""
    return np.array([len(a & b) / len(a) if a else 1.0 for a, b in zip(ours, theirs, strict=True)])


def _marks(view: View) -> Sequence[Numbers]:
    sides = (view.source, view.target)
    numbers = [
        [set(map(_bare, _NUMBER.findall(line))) for line in side.lines] for side in (view.source, view.target)
    ]
    marks = []
    for kind in _MARKS:
        ours, theirs = (
            np.array([sum(map(line.count, kind)) for line in side.lines], float) for side in sides
        )
        marks.append(theirs - ours)
    return (
        *(_found(*numbers), _found(*numbers[::-1]), np.array([float(len(own)) for own in numbers[0]])),
        *marks,
        np.abs(np.array(marks)).sum(axis=0),
        np.array(
            [float(a[-1:] == b[-1:]) for a, b in zip(view.source.lines, view.target.lines, strict=True)]
        ),
    )


def _bare(number: str) -> str:
    return _DIGITS.sub("", number)


MARKS = QualityFeatures(
    "numbers of one side that the other lacks; punctuation, mark by mark",
    (
        *("numbers kept", "numbers given", "numbers"),
        *("commas", "full stops", "questions", "colons", "quotes", "brackets", "dashes"),
        *("marks apart", "same end"),
    ),
    _marks,
)


def _names(own: Sequence[str]) -> set[str]:
    return {word for word in own[1:] if word[:1].isupper()}


def _copies(view: View) -> Sequence[Numbers]:
    ours, theirs = view.source.forms, view.target.forms
    names, others = [_names(own) for own in ours], [_names(own) for own in theirs]
    all_of = [set(own) for own in theirs]
    long = [{word for word in own if len(word) > 3} for own in ours]
    return (
        _found(names, all_of),
        np.array([len(own) / max(1, len(words)) for own, words in zip(names, ours, strict=True)]),
        np.array([len(own) / max(1, len(words)) for own, words in zip(others, theirs, strict=True)]),
        np.array([len(a & b) / max(1, len(a)) for a, b in zip(long, all_of, strict=True)]),
    )


COPIES = QualityFeatures(
    "names kept, and words that are the same on both sides",
    ("names kept", "source names", "target names", "copied"),
    _copies,
)


def _repeats(view: View) -> Sequence[Numbers]:
    found = []
    for side in (view.source, view.target):
        for size in (1, 2, 3):
            found.append(np.array([_most(own, size) for own in side.forms]))
    kinds = [
        np.array([len(set(own)) / max(1, len(own)) for own in side.forms])
        for side in (view.source, view.target)
    ]
    return *(found[k + 3] - found[k] for k in range(3)), *kinds, kinds[1] - kinds[0]


def _most(words: Sequence[str], size: int) -> float:
    """How often the commonest n-gram occurs."""
    if len(words) < size:
        return 0.0
    return float(max(Counter(zip(*(words[k:] for k in range(size)), strict=False)).values()))


REPEATS = QualityFeatures(
    "words and phrases repeated more often than in the source",
    ("words", "pairs", "triples", "source kinds", "target kinds", "kinds"),
    _repeats,
)


def _translated(view: View) -> Sequence[Numbers]:
    found: list[Numbers] = []
    for side, (best, mean), rare in (
        (view.target, view.forward, view.rarity["target"]),
        (view.source, view.backward, view.rarity["source"]),
    ):
        logs, weights = np.log(best), np.maximum(rare, 0.1)
        found += [
            side.mean(logs),
            side.mean(np.log(mean)),
            side.sums(logs * weights) / np.maximum(side.sums(weights), 1e-9),
            side.mean((best < 0.01).astype(float)),
            side.sums(np.where(best < 0.01, weights, 0.0)) / np.maximum(side.sums(weights), 1e-9),
            side.mean(best),
            _deviation(side, logs),
        ]
    return found


def _deviation(side: KeyedWords, values: Numbers) -> Numbers:
    return np.sqrt(np.maximum(side.mean(values**2) - side.mean(values) ** 2, 0.0))


TRANSLATED = QualityFeatures(
    "how likely the words are as translations of each other, in both directions, and how many nothing explains",
    tuple(
        f"{side} {what}"
        for side in ("target", "source")
        for what in (
            "best",
            "mean",
            "best by rarity",
            "uncovered",
            "uncovered by rarity",
            "probability",
            "deviation",
        )
    ),
    _translated,
)


def _surprise(view: View) -> Sequence[Numbers]:
    found: list[Numbers] = []
    for side, name in ((view.source, "source"), (view.target, "target")):
        values, rare = view.surprise[name], view.rarity[name]
        unseen = (getattr(view.learnt, name).counts(side) == 0).astype(float)
        found += [
            side.mean(values),
            -side.least(-values),
            _deviation(side, values),
            side.mean(unseen),
            side.mean(rare),
        ]
    return *found, found[5] - found[0], found[9] - found[4]


SURPRISE = QualityFeatures(
    "how surprising source and target are to n-gram models, and how rare their words",
    (
        *(
            f"{side} {what}"
            for side in ("source", "target")
            for what in ("mean", "most", "deviation", "unseen", "rarity")
        ),
        *("more", "rarer"),
    ),
    _surprise,
)


def _tendency(view: View) -> Sequence[Numbers]:
    return [own.of(view.source, view.target) for own in view.learnt.tendencies]


TENDENCY = QualityFeatures(
    "what translations with such letters and words were worth", tuple(KINDS), _tendency
)
FEATURES: Registry[QualityFeatures] = Registry(
    "feature set",
    "tertium.estimates",
    {
        "lengths": "tertium.estimation.features:LENGTHS",
        "marks": "tertium.estimation.features:MARKS",
        "copies": "tertium.estimation.features:COPIES",
        "repeats": "tertium.estimation.features:REPEATS",
        "translated": "tertium.estimation.features:TRANSLATED",
        "surprise": "tertium.estimation.features:SURPRISE",
        "tendency": "tertium.estimation.features:TENDENCY",
        "tokens": "tertium.estimation.glassbox:TOKENS",
    },
)
