"""The part of an estimator that tags words: OK or BAD, with a probability, for words, gaps and source words.

Each kind has weights of hashed words (what was BAD before, by ridge regression) and boosted trees over features of the
word, of those beside it, and of the word that it is linked to (native/boosting.hpp). Gaps and source words see how
likely the words of the translation are BAD. Everything is learnt in parts, so that no word's features come from what
has seen it; a word is BAD from the probability on that gave the best MCC there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium import _native
from tertium.errors import InputError, MissingExtraError
from tertium.estimation.features import FEATURES
from tertium.estimation.models import Trees
from tertium.estimation.parts import TrainingRecord, named
from tertium.estimation.view import TokenScores, View
from tertium.estimation.words import Keys, Numbers, Places
from tertium.wordtags.features import (
    gap_columns,
    gap_keys,
    source_columns,
    target_columns,
    word_keys,
)
from tertium.wordtags.tags import Flags, tags_of
from tertium.wordtags.view import WordView

KINDS = ("words", "gaps", "source")
BITS = 15  # of buckets
STRENGTH = 10.0  # of the ridge
TREES, LEAVES, RATE, LEAST = 100, 16, 0.1, 100
GROUPS = 3  # in which trees are learnt, to see what they are worth
MOST = 20_000  # segments that are learnt from, evenly spread
_COLUMNS: dict[str, Callable[[WordView, Numbers, Numbers], dict[str, Numbers]]] = {
    "words": lambda words, tendency, _: target_columns(words, tendency),
    "gaps": gap_columns,
    "source": source_columns,
}
_KEYS: dict[str, Callable[[WordView], list[Keys]]] = {
    "words": lambda words: word_keys(words, "target"),
    "gaps": gap_keys,
    "source": lambda words: word_keys(words, "source"),
}


def matthews(bad: Flags, said: Flags) -> float | None:
    """Matthews' correlation coefficient; None where one side does not vary.

    >>> round(matthews(np.array([True, False, True, False]), np.array([True, False, False, False])), 6)
    0.57735
    """
    if bad.all() or said.all() or not bad.any() or not said.any():
        return None
    return float(np.corrcoef(bad, said)[0, 1])


def best_threshold(bad: Flags, chances: Numbers) -> float:
    """The chance from which on BAD gives the best MCC."""
    order = np.argsort(-chances, kind="stable")
    number = np.arange(1, len(order) + 1)
    true, all_of = np.cumsum(bad[order]), float(bad.sum())
    false = number - true
    right = len(order) - all_of - false
    under = np.sqrt(np.maximum(number * all_of * (right + false) * (len(order) - number), 1.0))
    worth = (true * right - false * (all_of - true)) / under
    ends = np.append(np.diff(chances[order]) < 0, True)  # of equal ones all or none
    return float(chances[order][int(np.argmax(np.where(ends, worth, -2.0)))])


@dataclass(frozen=True, eq=False)
class TagModel:
    """What is BAD of one kind."""

    weights: npt.NDArray[np.float32]  # of buckets
    base: float
    trees: Trees
    threshold: float
    columns: int
    correlation: float  # MCC on parts that were left out

    def tendency(self, buckets: Places) -> Numbers:
        return np.asarray(self.base + self.weights[buckets].sum(axis=0) / np.sqrt(len(buckets)), float)

    def chances(self, words: WordView, of_words: Numbers, kind: str) -> Numbers:
        """How likely each is BAD; `of_words` are the chances of the words of the translation."""
        rows = _rows(words, self.tendency(_buckets(words, kind)), of_words, kind)
        if rows.shape[1] != self.columns:
            raise ValueError(f"{rows.shape[1]} features, not {self.columns}")
        return _chance(self.trees.of(rows))

    def arrays(self) -> dict[str, np.ndarray]:
        trees = {f"trees.{key}": np.atleast_1d(np.asarray(value)) for key, value in vars(self.trees).items()}
        numbers = [self.base, self.threshold, self.columns, self.correlation]
        return {**trees, "weights": self.weights.astype(np.float16), "numbers": np.array(numbers)}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> TagModel:
        trees = Trees.from_arrays(named("trees", arrays))
        weights = np.asarray(arrays["weights"], np.float32)
        base, threshold, columns, correlation = map(float, arrays["numbers"])
        shapes = {getattr(trees, key).shape for key in ("feature", "threshold", "left", "right", "value")}
        if len(shapes) > 1 or weights.shape != (1 << BITS,):
            raise ValueError("numbers of values differ")
        if trees.feature.size and not 0 <= trees.feature.min() <= trees.feature.max() < columns:
            raise ValueError("a place is outside")
        trees.of(np.zeros((0, int(columns))))  # which says, too, whether they are trees
        return cls(weights, base, trees, threshold, int(columns), correlation)


def _chance(odds: Numbers) -> Numbers:
    return np.asarray(1 / (1 + np.exp(-odds)))


def _buckets(words: WordView, kind: str) -> Places:
    return (np.array(_KEYS[kind](words)) >> np.uint64(64 - BITS)).astype(np.int64)


def _rows(words: WordView, tendency: Numbers, of_words: Numbers, kind: str) -> Numbers:
    return np.column_stack(list(_COLUMNS[kind](words, tendency, of_words).values()))


@dataclass(frozen=True, eq=False)
class WordChances:
    """How likely words are BAD, and which are said to be; kinds that were not learnt are not there."""

    chances: Mapping[str, Numbers]
    bad: Mapping[str, Flags]


@dataclass(frozen=True, eq=False)
class WordTagger:
    """Tags words by what was learnt of post-edits or tags."""

    models: Mapping[str, TagModel]  # by kind, words first

    def of(self, words: WordView) -> WordChances:
        found: dict[str, Numbers] = {}
        for kind, model in self.models.items():
            found[kind] = model.chances(words, found.get("words", np.zeros(0)), kind)
        return WordChances(found, {kind: own >= self.models[kind].threshold for kind, own in found.items()})

    @classmethod
    def learnt(cls, training: TrainingRecord) -> WordTagger | None:
        tags = tags_of(training.texts)
        if tags is None or not len(tags.words):
            return None
        if tags.words.all() or not tags.words.any():
            if training.texts.tags is None:
                return None
            same = "BAD" if tags.words.all() else "OK"
            raise InputError(
                f"{training.texts.name}: all tags of words are {same}: there is nothing to learn"
            )
        parts = _parts(training)
        views = [_view(training, fold, own) for fold, own in enumerate(parts)]
        models: dict[str, TagModel] = {}
        of_words = [np.zeros(0)] * len(views)
        for kind in KINDS:
            flags = getattr(tags, kind)
            if flags is None or flags.all() or not flags.any():
                continue
            bad = _of_segments(flags, training, kind, parts)
            models[kind], chances = _learnt(views, bad, of_words, kind)
            if kind == "words":
                of_words = chances
        return cls(models)

    def arrays(self) -> dict[str, np.ndarray]:
        return {
            f"{kind}.{key}": own for kind, model in self.models.items() for key, own in model.arrays().items()
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> WordTagger:
        kinds = [kind for kind in KINDS if f"{kind}.numbers" in arrays]
        if "words" not in kinds:
            raise ValueError("no words")
        return cls({kind: TagModel.from_arrays(named(kind, arrays)) for kind in kinds})


def _parts(training: TrainingRecord) -> list[Places]:
    step = -(-len(training.texts) // MOST)
    return [np.flatnonzero(training.folds == fold)[::step] for fold in range(len(training.learnt))]


def _view(training: TrainingRecord, fold: int, here: Places) -> WordView:
    scores = None
    if any(FEATURES[name].needs_scores for name in training.sets):
        texts = training.texts
        pieces, values = texts.pieces or (), texts.token_scores or ()
        own = here.tolist()
        scores = TokenScores([pieces[i] for i in own], [np.asarray(values[i], float) for i in own])
    view = View(training.source.take(here), training.translation.take(here), training.learnt[fold], scores)
    return WordView(view, training.left_out[here])


def _of_segments(flags: Flags, training: TrainingRecord, kind: str, parts: Sequence[Places]) -> list[Flags]:
    """Flags of the segments of each part."""
    lines = training.texts.sources if kind == "source" else training.texts.translations
    sizes = np.array([len(line.split()) for line in lines], np.int64) + (kind == "gaps")
    segments = np.repeat(np.arange(len(lines)), sizes)
    return [flags[np.isin(segments, own)] for own in parts]


def _learnt(
    views: Sequence[WordView], bad: Sequence[Flags], of_words: Sequence[Numbers], kind: str
) -> tuple[TagModel, list[Numbers]]:
    """A model, and chances in each part by what has not seen it."""
    buckets = [_buckets(words, kind) for words in views]
    rows = []
    for part, words in enumerate(views):
        others = [i for i in range(len(views)) if i != part]
        weights, base = _ridge([buckets[i] for i in others], [bad[i] for i in others])
        tendency = base + weights[buckets[part]].sum(axis=0) / np.sqrt(len(buckets[part]))
        rows.append(_rows(words, np.asarray(tendency, float), of_words[part], kind))
    chances = [np.zeros(0)] * len(views)
    for group in range(GROUPS):
        others = [i for i in range(len(views)) if i % GROUPS != group]
        trees = _boosted(np.concatenate([rows[i] for i in others]), np.concatenate([bad[i] for i in others]))
        for part in range(group, len(views), GROUPS):
            chances[part] = _chance(trees.of(rows[part]))
    all_bad, all_chances = np.concatenate(bad), np.concatenate(chances)
    threshold = best_threshold(all_bad, all_chances)
    correlation = matthews(all_bad, all_chances >= threshold) or 0.0
    trees = _boosted(np.concatenate(rows), all_bad)
    return TagModel(*_ridge(buckets, bad), trees, threshold, rows[0].shape[1], correlation), chances


def _ridge(buckets: Sequence[Places], bad: Sequence[Flags]) -> tuple[npt.NDArray[np.float32], float]:
    """Weights of buckets, as precise as a file is, and what every word has."""
    try:
        from scipy.sparse import csr_matrix
        from sklearn.linear_model import Ridge
    except ImportError:
        raise MissingExtraError("training an estimator", "estimate") from None
    columns = np.concatenate(buckets, axis=1).T
    number, width = columns.shape
    cells = np.full(columns.size, 1 / np.sqrt(width))
    starts = np.arange(0, columns.size + 1, width)
    table = csr_matrix((cells, columns.ravel(), starts), (number, 1 << BITS))
    fitted = Ridge(alpha=STRENGTH, solver="lsqr", tol=1e-4).fit(table, np.concatenate(bad).astype(float))
    return fitted.coef_.astype(np.float16).astype(np.float32), float(fitted.intercept_)


def _boosted(rows: Numbers, bad: Flags) -> Trees:
    small = np.ascontiguousarray(rows, np.float32).astype(float)  # as they are compared
    least = min(LEAST, max(1, len(rows) // 20))
    base, *tables = _native.boosted_trees(
        small, bad.astype(float), np.ones(len(bad)), trees=TREES, leaves=LEAVES, rate=RATE, least=least
    )
    feature, threshold, left, right, value = map(np.asarray, tables)
    return Trees(feature, threshold, left, right, value, base)
