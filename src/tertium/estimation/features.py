"""Features of translations without references: each set a function of a `View`, by name in `FEATURES`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tertium.errors import InputError
from tertium.estimation.othermetrics import METRIC, metric_features
from tertium.estimation.tendency import KINDS
from tertium.estimation.view import MARKS as _MARKS
from tertium.estimation.view import QualityFeatures, View
from tertium.estimation.words import KeyedWords, Numbers
from tertium.registry import Registry


def _lengths(view: View) -> Sequence[Numbers]:
    source, target = (view.surface[f"{side} characters"] + 1 for side in ("source", "target"))
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


def _marks(view: View) -> Sequence[Numbers]:
    found = view.surface
    marks = [found[name] for name in _MARKS]
    return (
        *(found[name] for name in ("numbers kept", "numbers given", "numbers")),
        *marks,
        np.abs(np.array(marks)).sum(axis=0),
        found["same end"],
    )


MARKS = QualityFeatures(
    "numbers of one side that the other lacks; punctuation, mark by mark",
    (
        *("numbers kept", "numbers given", "numbers"),
        *_MARKS,
        *("marks apart", "same end"),
    ),
    _marks,
)


def _copies(view: View) -> Sequence[Numbers]:
    return [view.surface[name] for name in COPIES.names]


COPIES = QualityFeatures(
    "names kept, and words that are the same on both sides",
    ("names kept", "source names", "target names", "copied"),
    _copies,
)


def _repeats(view: View) -> Sequence[Numbers]:
    found = view.surface
    more = [found[f"target {size}"] - found[f"source {size}"] for size in ("word", "pair", "triple")]
    kinds = found["source kinds"], found["target kinds"]
    return *more, *kinds, kinds[1] - kinds[0]


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
        unseen = (view.read[name][1] == 0).astype(float)
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
    return view.tendencies


TENDENCY = QualityFeatures(
    "what translations with such letters and words were worth", tuple(KINDS), _tendency
)


def _encoder(view: View) -> Sequence[Numbers]:
    if view.learnt.head is None:
        raise InputError("these features need an encoder (--encoder)")
    return view.learnt.head.of(view.source, view.target)


ENCODER = QualityFeatures(
    "vectors of a sentence encoder: how near they are, and what pairs with such vectors were worth",
    ("cosine", "head", "head, held"),
    _encoder,
    needs_encoder=True,
)


class _Sets(Registry[QualityFeatures]):
    """Sets by name; any metric without references is one, too: `metric:yisi2:vectors=...`."""

    def __getitem__(self, name: str) -> QualityFeatures:
        if not name.startswith(METRIC):
            return super().__getitem__(name)
        return metric_features(name.removeprefix(METRIC))


FEATURES: Registry[QualityFeatures] = _Sets(
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
        "agreement": "tertium.estimation.agreement:AGREEMENT",
        "encoder": "tertium.estimation.features:ENCODER",
        "context": "tertium.estimation.context:CONTEXT",
        "checks": "tertium.estimation.checked:CHECKS_OF_MEMORIES",
    },
)
