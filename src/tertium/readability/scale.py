"""One scale for English and French: from features of a sentence to a level, 1 to 6, A1 to C2.

A level is a weighted sum of features, each standardised in its own language, and of what the letters of its words say;
then put on the scale of its language, so that sentences with the same mark come out equal in both. The file is plain
JSON.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Annotated, Any

import numpy as np

from tertium.errors import InputError, SpecError
from tertium.io.files import write_bytes
from tertium.io.marks import LEVELS
from tertium.io.ownfiles import check_own
from tertium.io.records import read_json
from tertium.io.settings import NonEmpty, read
from tertium.io.streams import FilePath, display_name
from tertium.readability.features import BUCKETS, Numbers, Seen, WordTable, letter_buckets
from tertium.readability.frequencies import Frequencies, frequencies
from tertium.readability.further import NOTHING, Helpers, missing, names, sets_of
from tertium.readability.wordscores import WordScores

FORMAT = "tertium readability scale"
VERSION = 2
EIGHTY = 1.2815515655446004  # 80% of a normal distribution lie within so many standard deviations
FARTHEST = 4.0  # standard deviations: what is beyond counts as if it were there


@dataclass(frozen=True)
class Standard:
    """What is usual in one language, and how its sums are put on the common scale."""

    mean: tuple[float, ...]
    spread: tuple[float, ...]
    letters: float  # the mean of what letters say
    offset: float
    slope: float
    frequencies: str
    reads: tuple[str, ...] = ()  # further features, by their sets
    model: str = ""  # the hash of the language model, where it has one


@dataclass(frozen=True)
class ScaleOrigin:
    """What a scale was learnt from, and how well it does where it was not."""

    sentences: dict[str, int]
    correlation: dict[str, float]  # cross-validated, by language and pooled
    by: str = ""


@dataclass(frozen=True)
class DocumentStep:
    """How levels of documents follow from those of their sentences, where marks of documents were given."""

    features: Annotated[tuple[str, ...], NonEmpty()]
    usual: tuple[float, ...]
    weights: tuple[float, ...]
    base: float  # what is added to the mean
    error: float  # standard deviation, cross-validated
    documents: int = 0  # that were learnt from
    correlation: float = 0.0  # cross-validated
    derived: float = 0.0  # the error of the mean of sentences


@dataclass(frozen=True)
class Scale:
    """Weights, what is usual in each language, and how far off a level may be."""

    features: Annotated[tuple[str, ...], NonEmpty()]
    weights: Annotated[tuple[float, ...], NonEmpty()]
    buckets: Annotated[tuple[int, ...], NonEmpty()]  # weights of letters, in units of `unit`
    unit: float
    languages: dict[str, Standard]
    thresholds: tuple[float, ...]  # between the levels
    words: dict[str, WordScores]  # of each language, if an encoder was at hand
    within: float  # standard deviation of a sentence's error inside texts of one kind
    between: float  # that of the error that all sentences of a kind share
    learnt: ScaleOrigin | None = None
    document: DocumentStep | None = None  # None: a document's level is derived
    format: str = FORMAT
    version: int = VERSION

    @cached_property
    def _tables(self) -> dict[str, WordTable]:
        return {}

    @cached_property
    def _helpers(self) -> dict[str, Helpers]:
        return {}

    def helped(self, given: Mapping[str, Helpers]) -> Scale:
        """The same scale with what it needs in each language beside the texts, if it needs anything."""
        for lang, own in given.items():
            usual = self.languages.get(lang)
            problem = missing(lang, usual.reads, own) if usual else ""
            if usual and usual.model and own.model and own.model.hash != usual.model and not problem:
                problem = f"{own.model.name}: is not the text that the scale's language model was learnt from"
            if problem:
                raise InputError(problem)
        made = replace(self)
        made._helpers.update(given)
        return made

    def table(self, lang: str, own: Frequencies | None = None) -> WordTable:
        """What is known of the words of a language."""
        if lang not in self.languages:
            known = ", ".join(self.languages)
            raise SpecError(
                f"there is no scale for the language {lang or 'without a name'!r} (known: {known}): "
                "train one on texts with marks, or take a formula (docs/metrics/readability.md)"
            )
        key = f"{lang} {own.name if own else ''}"
        if key not in self._tables:
            self._tables[key] = WordTable(lang, own or frequencies(lang))
        return self._tables[key]

    def levels(self, texts: Sequence[str], lang: str, own: Frequencies | None = None) -> Numbers:
        """The level of each sentence: a real number from 1 to 6."""
        return self.seen(texts, lang, own)[0]

    def unbounded(self, texts: Sequence[str], lang: str, own: Frequencies | None = None) -> Numbers:
        """The same, beyond 1 and 6: what changes a sentence at the end of the scale is seen here."""
        return np.asarray(self.seen(texts, lang, own)[1].sum(axis=1) + self.languages[lang].offset)

    def seen(
        self, texts: Sequence[str], lang: str, own: Frequencies | None = None
    ) -> tuple[Numbers, Numbers]:
        """Levels, and what each feature (and, last, single words and their letters) adds to them."""
        table = self.table(lang, own)
        seen = Seen(table, texts)
        usual = self.languages[lang]
        rows = np.hstack([seen.features(), self._further(texts, lang)])
        z = standardised(rows, np.array(usual.mean), np.array(usual.spread))
        letters = seen.means(table.scores("letters", self._letters)) - usual.letters
        if lang in self.words:
            words = self.words[lang]
            letters = letters + seen.content(table.scores("words", words.every)) - words.centre
        parts = np.column_stack([z * np.array(self.weights), letters]) * usual.slope
        return np.clip(parts.sum(axis=1) + usual.offset, 1.0, float(len(LEVELS))), parts

    def _further(self, texts: Sequence[str], lang: str) -> Numbers:
        """Features that need more than the texts."""
        reads, given = self.languages[lang].reads, self._helpers.get(lang, NOTHING)
        if problem := missing(lang, reads, given):
            raise InputError(problem)
        return given.rows(texts, sets_of(self.features), reads)

    def _letters(self, words: Sequence[str]) -> Numbers:
        """What the letters of words say."""
        flat, ends = letter_buckets(words)
        sums = np.concatenate([[0], np.cumsum(np.array(self.buckets)[flat])])
        return np.asarray(self.unit * (sums[ends[1:]] - sums[ends[:-1]]))

    def probabilities(self, level: float) -> list[float]:
        """How likely each of the six marks is, at a level."""
        sigma = math.hypot(self.within, self.between)
        below = [0.5 * math.erfc((level - edge) / (sigma * math.sqrt(2))) for edge in self.thresholds]
        return [high - low for low, high in zip([0.0, *below], [*below, 1.0], strict=True)]

    def error(self, sentences: float) -> float:
        """The standard deviation of the level of a text of so many sentences."""
        return math.sqrt(self.between**2 + self.within**2 / max(1.0, sentences))

    def interval(self, level: float, sentences: float) -> tuple[float, float]:
        """Where four of five people's marks would lie."""
        wide = EIGHTY * self.error(sentences)
        return max(1.0, level - wide), min(float(len(LEVELS)), level + wide)

    def write(self, path: FilePath) -> int:
        """Write the file; how many bytes it has."""
        kept = {key: value for key, value in asdict(self).items() if value is not None}
        data = (json.dumps(kept, ensure_ascii=False) + "\n").encode()
        write_bytes(path, data)
        return len(data)


def standardised(rows: Numbers, mean: Numbers, spread: Numbers) -> Numbers:
    """Features in standard deviations of their language, none of them beyond what is plausible."""
    return np.asarray(np.clip((rows - mean) / spread, -FARTHEST, FARTHEST))


def base_language(lang: str) -> str:
    """A language without its country.

    >>> base_language("fr_CA")
    'fr'
    """
    return lang.replace("_", "-").split("-")[0].lower()


def cefr(level: float) -> str:
    """The name of a level.

    >>> cefr(3.4), cefr(3.6)
    ('B1', 'B2')
    """
    return LEVELS[min(len(LEVELS), max(1, math.floor(level + 0.5))) - 1]


def percent(level: float) -> float:
    """A level from 0, the easiest, to 100.

    >>> percent(3.5)
    50.0
    """
    return 20 * (level - 1)


@lru_cache(maxsize=1)
def usual_scale() -> Scale:
    """The scale that comes with Tertium."""
    text = files("tertium").joinpath("data", "models", "readability.json").read_text("utf-8")
    return _checked(json.loads(text), "readability.json")


def read_scale(path: FilePath) -> Scale:
    """A scale that `tertium readability train` wrote."""
    return _checked(read_json(path), display_name(path))


def _checked(given: Any, name: str) -> Scale:
    check_own(given, name, "readability scale", FORMAT, VERSION)
    made = read(Scale, given, name)
    rows = [made.weights, *(own for one in made.languages.values() for own in (one.mean, one.spread))]
    sets = sets_of(made.features)
    if made.features != names(sets) or any(set(one.reads) - {*sets} for one in made.languages.values()):
        raise InputError(f"{name}: has other features than this Tertium: train it again")
    if any(len(row) != len(made.features) for row in rows) or len(made.buckets) != BUCKETS:
        raise InputError(f"{name}: numbers of features, weights and buckets differ")
    numbers = [
        made.unit,
        made.within,
        made.between,
        *made.thresholds,
        *(value for row in rows for value in row),
    ]
    numbers += [value for one in made.languages.values() for value in (one.letters, one.offset, one.slope)]
    numbers += [value for one in made.words.values() for value in (one.unit, one.centre)]
    wrong = next(filter(None, (one.problem() for one in made.words.values())), "")
    if wrong or set(made.words) - set(made.languages):
        raise InputError(f"{name}: {wrong or 'words of a language that is not there'}")
    if step := made.document:
        if {len(step.usual), len(step.weights)} != {len(step.features)}:
            raise InputError(f"{name}: numbers of the step to documents differ")
        numbers += [*step.usual, *step.weights, step.base, step.error]
    if not all(map(math.isfinite, numbers)) or min(min(one.spread) for one in made.languages.values()) <= 0:
        raise InputError(f"{name}: a number in it is not finite, or a spread is not positive")
    if len(made.thresholds) != len(LEVELS) - 1:
        raise InputError(f"{name}: has {len(made.thresholds)} thresholds for {len(LEVELS)} levels")
    return made
