"""From sentences to paragraphs and documents.

Without marks of documents the level of a text is derived: the mean of its sentences' levels, by their words. With them
the step is learnt: a ridge regression from length-weighted quantiles of the levels, the number of sentences, cohesion
and variety to what people marked, which starts from the mean and departs from it only as far as the marks ask for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tertium.errors import InputError
from tertium.io.marks import LEVELS, MarkedTexts
from tertium.readability.features import Numbers
from tertium.readability.frequencies import Frequencies
from tertium.readability.scale import EIGHTY, DocumentStep, Scale
from tertium.readability.sentences import ReadSentence, mean_level, read_sentences, withheld
from tertium.stats.correlation import pearson
from tertium.text.cohesion import Repetition
from tertium.text.content import Choice

_QUANTILES = (0.25, 0.5, 0.75, 0.9)
STEP = {
    "mean": "the mean of sentences' levels, by words",
    **{
        f"quantile {round(100 * share)}": f"the level that {share:.0%} of words are below"
        for share in _QUANTILES
    },
    "sentences": "the number of sentences (logarithm)",
    "cohesion": "the share of content words that repeat an earlier one",
    "variety": "different content words over the root of all",
}
STRENGTH = 10.0
FOLDS = 5
FEWEST_DOCUMENTS = 20


@dataclass(frozen=True)
class UnitLevel:
    """A paragraph or a document on the scale, with its interval."""

    level: float
    low: float
    high: float
    sentences: int


def weighted_quantile(values: Numbers, weights: Numbers, share: float) -> float:
    """The value that this share of the weight lies below, between values by a line.

    >>> weighted_quantile(np.array([1.0, 3.0]), np.array([1.0, 1.0]), 0.5)
    2.0
    """
    order = np.argsort(values, kind="stable")
    middle = (np.cumsum(weights[order]) - weights[order] / 2) / weights.sum()
    return float(np.interp(share, middle, values[order]))


def step_row(read: Sequence[ReadSentence], lang: str) -> Numbers:
    """The numbers of `STEP` of a text; quantiles as they differ from the mean."""
    kept = [one for one in read if one.level is not None]
    levels = np.array([one.level for one in kept], float)
    words = np.array([max(1, one.words) for one in kept], float)
    mean = mean_level(read)
    (content,) = Choice(lang).read([" ".join(one.text for one in read)])
    (links,) = Repetition().links([content])
    number = max(1, len(content.keys))
    return np.array(
        [
            mean,
            *(weighted_quantile(levels, words, share) - mean for share in _QUANTILES),
            math.log(len(kept)),
            sum(links.similarities) / number,
            len(set(content.keys)) / math.sqrt(number),
        ]
    )


def unit_level(read: Sequence[ReadSentence], scale: Scale) -> UnitLevel | None:
    """The derived level of some sentences, such as a paragraph's; None where none of them has one."""
    kept = sum(one.level is not None for one in read)
    if not kept:
        return None
    level = mean_level(read)
    return UnitLevel(level, *scale.interval(level, kept), kept)


def document_level(read: Sequence[ReadSentence], lang: str, scale: Scale) -> UnitLevel | None:
    """The level of a document: by the learnt step, if the scale has one, or else derived."""
    derived = unit_level(read, scale)
    if derived is None or scale.document is None:
        return derived
    step = scale.document
    if step.features != tuple(STEP):
        raise InputError("the scale's step to documents has other features than this Tertium: train it again")
    level = float(np.clip(_applied(step, step_row(read, lang)), 1.0, float(len(LEVELS))))
    low, high = level - EIGHTY * step.error, level + EIGHTY * step.error
    return UnitLevel(level, max(1.0, low), min(float(len(LEVELS)), high), derived.sentences)


def _applied(step: DocumentStep, rows: Numbers) -> Numbers:
    return np.asarray(rows[..., 0] + (rows - np.array(step.usual)) @ np.array(step.weights) + step.base)


def learn_step(
    scale: Scale, documents: Sequence[MarkedTexts], own: Frequencies | None = None
) -> DocumentStep:
    """The step to documents from marks of documents; its error is cross-validated."""
    rows, marks = [], []
    for marked in documents:
        for text, mark in zip(marked.texts, marked.marks, strict=True):
            read = read_sentences([text], marked.lang, scale, own)
            if not withheld(read):
                rows.append(step_row(read, marked.lang))
                marks.append(mark)
    if len(rows) < FEWEST_DOCUMENTS:
        raise InputError(
            f"{len(rows)} documents with a level are too few to learn from: take {FEWEST_DOCUMENTS} or more"
        )
    x, y = np.array(rows), np.array(marks)
    folds = np.arange(len(y)) % FOLDS
    said = np.zeros(len(y))
    for fold in range(FOLDS):
        held = folds == fold
        said[held] = _applied(_fitted(x[~held], y[~held]), x[held])
    found = _fitted(x, y)
    error = math.sqrt(float(np.mean((said - y) ** 2)))
    mean = math.sqrt(float(np.mean((x[:, 0] - y) ** 2)))
    r = float(pearson(y, said).value or 0.0)
    return DocumentStep(tuple(STEP), found.usual, found.weights, found.base, error, len(y), r, mean)


def _fitted(x: Numbers, y: Numbers) -> DocumentStep:
    usual = x.mean(axis=0)
    spread = np.maximum(x.std(axis=0), 1e-9)
    z = (x - usual) / spread
    rest = y - x[:, 0]
    weights = np.linalg.solve(z.T @ z + STRENGTH * np.eye(z.shape[1]), z.T @ (rest - rest.mean())) / spread
    return DocumentStep(tuple(STEP), tuple(usual.tolist()), tuple(weights.tolist()), float(rest.mean()), 0.0)
