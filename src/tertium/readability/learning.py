"""A scale learnt from sentences with marks, in several languages together.

Features are standardised in each language with sentences weighted so that all languages have the same share of every
mark: what is usual at a mark is what is equal. Weights of features, of letters and of words' vectors are one ridge
regression, in its dual form; of the vectors there remains a number for each word. Sums are then put on the scale of
each language, so that the line of predictions over marks is the same in all.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError
from tertium.io.marks import LEVELS, MarkedTexts
from tertium.readability.features import Numbers, Seen, WordTable
from tertium.readability.frequencies import Frequencies, frequencies
from tertium.readability.further import NOTHING, SETS, Helpers, names
from tertium.readability.markers import markers
from tertium.readability.scale import Scale, ScaleOrigin, Standard, standardised
from tertium.readability.wordscores import MOST, WordScores, form_vectors, packed, word_vectors
from tertium.stats.correlation import pearson

FOLDS = 5
STRENGTH = 60.0  # of the ridge over features
LETTERS_STRENGTH = 30.0  # of that over letters
WORDS_STRENGTH = 6.0  # of that over vectors of words
FEWEST = 60  # sentences of a language
_RARE = 5  # texts: letters in fewer count nothing
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class KnownWords:
    """The words of a language by frequency, and the mean of the vectors of those in its texts."""

    frequencies: Frequencies
    centre: Numbers


@dataclass(frozen=True, eq=False)
class Material:
    """Marked sentences of all languages, one behind the other, as numbers."""

    langs: npt.NDArray[np.str_]
    rows: Numbers
    buckets: Numbers
    marks: Numbers
    folds: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.str_]
    names: Mapping[str, str]  # of the frequencies, by language
    words: Numbers  # vectors of content words, of no width without an encoder
    vocabularies: Mapping[str, KnownWords]  # by language, with an encoder
    helpers: Mapping[str, Helpers]  # by language
    sets: tuple[str, ...] = ()  # of further features that any language has

    @classmethod
    def of(
        cls,
        marked: Sequence[MarkedTexts],
        own: Mapping[str, Frequencies] | None = None,
        encoder: str = "",
        helpers: Mapping[str, Helpers] | None = None,
    ) -> Material:
        given, helped = own or {}, helpers or {}
        if strange := sorted({*helped} - {one.lang for one in marked}):
            raise InputError(f"there are no texts of {', '.join(strange)} to learn from (--data)")
        sets = tuple(name for name in SETS if any(name in one.sets for one in helped.values()))
        parts: list[tuple[Numbers, Numbers, Numbers]] = []
        lists, vocabularies = {}, {}
        for one in marked:
            if len(one) < FEWEST:
                raise InputError(
                    f"{len(one)} sentences of {one.lang} are too few to learn from: take {FEWEST} or more"
                )
            found = given.get(one.lang) or frequencies(one.lang)
            lists[one.lang] = found.name
            table = WordTable(one.lang, found)
            seen = Seen(table, one.texts)
            vectors = np.zeros((len(table.forms), 0))
            if encoder:
                vectors, centre = form_vectors(encoder, table)
                vocabularies[one.lang] = KnownWords(found, centre)
            help = helped.get(one.lang, NOTHING)
            rows = np.hstack([seen.features(), help.rows(one.texts, sets, help.sets)])
            parts.append((rows, seen.buckets(table).astype(np.float32), seen.content_vectors(vectors)))
        return cls(
            np.array([one.lang for one in marked for _ in one.texts]),
            np.vstack([rows for rows, _, _ in parts]),
            np.vstack([buckets for _, buckets, _ in parts]),
            np.array([mark for one in marked for mark in one.marks]),
            np.array([zlib.crc32(group.encode()) % FOLDS for one in marked for group in one.groups]),
            np.array([f"{one.lang} {kind}" for one in marked for kind in one.kinds]),
            lists,
            np.vstack([words for _, _, words in parts]),
            vocabularies,
            helped,
            sets,
        )


@dataclass(frozen=True, eq=False)
class FittedScale:
    """Weights, and what is usual in each language: means and spreads of features, means of letters and words."""

    weights: Numbers
    letters: Numbers
    words: Numbers
    usual: Mapping[str, tuple[Numbers, Numbers, float, float]]
    base: float

    def of(self, material: Material, chosen: Mask) -> Numbers:
        found = np.zeros(int(chosen.sum()))
        langs = material.langs[chosen]
        for lang, (mean, spread, letters, words) in self.usual.items():
            own = langs == lang
            z = standardised(material.rows[chosen][own], mean, spread)
            found[own] = z @ self.weights + self.base - letters - words
            found[own] += material.buckets[chosen][own] @ self.letters
            found[own] += material.words[chosen][own] @ self.words
        return found


def mark_weights(marks: Numbers, langs: npt.NDArray[np.str_]) -> Numbers:
    """Weights that give every language the same share of each mark: that of all together."""
    weights = np.ones(len(marks))
    rounded = np.round(marks)
    for mark in np.unique(rounded):
        share = np.mean(rounded == mark)
        for lang in np.unique(langs):
            own = (rounded == mark) & (langs == lang)
            if own.any():
                weights[own] = share / (own.sum() / np.sum(langs == lang))
    return weights


def fitted(material: Material, chosen: Mask) -> FittedScale:
    """Learn from the chosen sentences."""
    langs, marks = material.langs[chosen], material.marks[chosen]
    weights = mark_weights(marks, langs)
    usual, z = {}, np.zeros((len(marks), material.rows.shape[1]))
    seen = (material.buckets[chosen] > 0).sum(axis=0)
    idf = np.where(seen >= _RARE, np.log(len(marks) / np.maximum(seen, 1)), 0.0).astype(np.float32)
    means = {}
    for lang in np.unique(langs):
        own = langs == lang
        rows, w = material.rows[chosen][own], weights[own] / weights[own].sum()
        mean = w @ rows
        spread = np.sqrt(w @ (rows - mean) ** 2)
        spread = np.where(spread > 1e-9, spread, 1.0)
        z[own] = standardised(rows, mean, spread)
        means[lang] = (mean, spread, w @ material.buckets[chosen][own], w @ material.words[chosen][own])
    letters = (material.buckets[chosen] - np.stack([means[lang][2] for lang in langs])) * idf
    letters = letters.astype(np.float32)
    words = material.words[chosen] - np.stack([means[lang][3] for lang in langs])
    grams = (letters @ letters.T).astype(float) / LETTERS_STRENGTH + z @ z.T / STRENGTH
    grams += words @ words.T / WORDS_STRENGTH
    base = float(np.average(marks, weights=weights))
    dual = np.linalg.solve(grams + np.eye(len(marks)), marks - base)
    of_letters = idf * (letters.T @ dual.astype(np.float32)) / LETTERS_STRENGTH
    of_words = words.T @ dual / WORDS_STRENGTH
    for lang, (mean, spread, centre, middle) in means.items():
        usual[str(lang)] = (mean, spread, float(centre @ of_letters), float(middle @ of_words))
    return FittedScale(z.T @ dual / STRENGTH, of_letters, of_words, usual, base)


def cross_validated(material: Material) -> Numbers:
    """What is said of each sentence by weights that never saw its fold."""
    found = np.zeros(len(material.marks))
    for fold in range(FOLDS):
        held = material.folds == fold
        if held.any():
            found[held] = fitted(material, ~held).of(material, held)
    return found


def equalised(said: Numbers, marks: Numbers, langs: npt.NDArray[np.str_]) -> dict[str, tuple[float, float]]:
    """Offset and slope of each language, so that the line of what is said over marks is the same in all.

    The common line is that of all languages with the same share of each mark, stretched so that what is said is, on
    average, what people marked.
    """
    weights = mark_weights(marks, langs)
    lines = {
        str(lang): _line(marks[langs == lang], said[langs == lang], weights[langs == lang])
        for lang in np.unique(langs)
    }
    a, b = (float(np.mean([line[i] for line in lines.values()])) for i in (0, 1))
    put = np.zeros(len(said))
    for lang, (first, slope) in lines.items():
        put[langs == lang] = a + (said[langs == lang] - first) / slope * b
    start, stretch = _line(put, marks, weights)
    return {
        lang: (start + stretch * (a - first / slope * b), stretch * b / slope)
        for lang, (first, slope) in lines.items()
    }


def _line(x: Numbers, y: Numbers, w: Numbers) -> tuple[float, float]:
    """Weighted least squares: where the line begins, and its slope."""
    mx, my = np.average(x, weights=w), np.average(y, weights=w)
    slope = float(
        np.average((x - mx) * (y - my), weights=w) / max(np.average((x - mx) ** 2, weights=w), 1e-12)
    )
    slope = slope if abs(slope) > 1e-6 else 1e-6
    return float(my - slope * mx), slope


def put_on_scale(
    said: Numbers, langs: npt.NDArray[np.str_], lines: Mapping[str, tuple[float, float]]
) -> Numbers:
    """Levels from 1 to 6."""
    found = np.zeros(len(said))
    for lang, (offset, slope) in lines.items():
        found[langs == lang] = offset + slope * said[langs == lang]
    return np.clip(found, 1.0, float(len(LEVELS)))


def errors(levels: Numbers, marks: Numbers, kinds: npt.NDArray[np.str_]) -> tuple[float, float]:
    """Standard deviations of errors inside kinds of texts and between them, by analysis of variance."""
    rest = marks - levels
    names, place = np.unique(kinds, return_inverse=True)
    total = float(np.mean((rest - rest.mean()) ** 2))
    if len(names) < 3:
        return total**0.5, 0.0
    counts = np.bincount(place)
    means = np.bincount(place, rest) / counts
    inside = float(np.sum((rest - means[place]) ** 2) / max(1, len(rest) - len(names)))
    usual = (len(rest) - np.sum(counts**2) / len(rest)) / (len(names) - 1)
    between = (float(np.sum(counts * (means - rest.mean()) ** 2)) / (len(names) - 1) - inside) / usual
    return inside**0.5, max(0.0, between) ** 0.5


def thresholds(levels: Numbers, marks: Numbers, sigma: float) -> tuple[float, ...]:
    """Edges between marks, so that each is foreseen as often as it is given."""
    from math import erfc, sqrt

    found = []
    for mark in range(1, len(LEVELS)):
        share = float(np.mean(marks < mark + 0.5))
        low, high = -20.0, 30.0
        for _ in range(60):
            edge = (low + high) / 2
            foreseen = np.mean([0.5 * erfc((level - edge) / (sigma * sqrt(2))) for level in levels[::3]])
            low, high = (edge, high) if foreseen < share else (low, edge)
        found.append((low + high) / 2)
    return tuple(found)


def learn(
    marked: Sequence[MarkedTexts],
    own: Mapping[str, Frequencies] | None = None,
    by: str = "",
    encoder: str = "",
    helpers: Mapping[str, Helpers] | None = None,
) -> Scale:
    """A scale from marked sentences; how well it does is cross-validated.

    With a sentence encoder (`use`), words have scores of their own; it is not needed afterwards. What `helpers` have of
    a language is needed wherever the scale reads it.
    """
    material = Material.of(marked, own, encoder, helpers)
    said = cross_validated(material)
    lines = equalised(said, material.marks, material.langs)
    levels = put_on_scale(said, material.langs, lines)
    within, between = errors(levels, material.marks, material.kinds)
    whole = fitted(material, np.ones(len(said), bool))
    unit = float(np.abs(whole.letters).max()) / 1000 or 1.0
    buckets = np.round(whole.letters / unit)
    languages = {}
    for lang, (mean, spread, _, _) in whole.usual.items():
        own_rows = material.langs == lang
        centre = float(mark_mean(material, own_rows) @ (buckets * unit))
        offset, slope = lines[lang]
        help = material.helpers.get(lang, NOTHING)
        languages[lang] = Standard(
            _short(mean),
            _short(spread),
            centre,
            offset + slope * whole.base,
            slope,
            material.names[lang],
            help.sets,
            help.model.hash if help.model else "",
        )
    correlation = {
        lang: _r(levels[material.langs == lang], material.marks[material.langs == lang]) for lang in languages
    }
    told = ScaleOrigin(
        {lang: int(np.sum(material.langs == lang)) for lang in languages},
        correlation | {"pooled": _r(levels, material.marks)},
        by,
    )
    return Scale(
        names(material.sets),
        _short(whole.weights),
        tuple(int(value) for value in buckets),
        unit,
        languages,
        thresholds(levels, material.marks, float(np.hypot(within, between))),
        word_scores(material, whole, encoder),
        within,
        between,
        told,
    )


def word_scores(material: Material, whole: FittedScale, encoder: str) -> dict[str, WordScores]:
    """The scores of words that follow from weights of vectors: of a language's content words by rank."""
    found = {}
    for lang, known in material.vocabularies.items():
        listed = sorted(known.frequencies.ranks, key=known.frequencies.ranks.__getitem__)[:MOST]
        closed = markers(lang).closed
        words = [word for word in listed if word not in closed]
        scores = (word_vectors(encoder, words) - known.centre) @ whole.words
        found[lang] = packed(words, dict(zip(words, scores.tolist(), strict=True)), whole.usual[lang][3])
    return found


def mark_mean(material: Material, chosen: Mask) -> Numbers:
    """The mean of letters, with the weights of marks."""
    weights = mark_weights(material.marks, material.langs)[chosen]
    return np.asarray(weights @ material.buckets[chosen] / weights.sum())


def _short(values: Numbers) -> tuple[float, ...]:
    return tuple(float(f"{value:.7g}") for value in values)


def _r(levels: Numbers, marks: Numbers) -> float:
    return float(pearson(marks, levels).value or 0.0)
