"""bleu2vec and ngram2vec: BLEU in which what does not match exactly can match by the similarity of vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, option
from tertium.families.phrases import STORAGE_HELP
from tertium.families.values import written
from tertium.families.words import WordMetric
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text.vectors import CASE_HELP, CASES, STORAGES, Vectors, checked_path, vector_items

ORDERS = 3
WEIGHTS = (0.33, 0.34, 0.33)
UNKNOWN = 0.001  # the similarity of n-grams without vectors


@dataclass(frozen=True)
class _FuzzyBLEU(WordMetric):
    """What both have in common."""

    formula: ClassVar[str] = (
        "p_n = (equal n-grams + similarities of pairs of those left) / hypothesis n-grams, n = 1, 2, 3; pairs are\n"
        "taken greedily, the most similar first, each n-gram once; similarity is the cosine of vectors\n"
        "score = BP x p_1^.33 p_2^.34 p_3^.33,  BP = min(1, e^(1 - r/c)); all are summed over segments"
    )
    paper: ClassVar[str] = "Tättar and Fishel 2017, https://aclanthology.org/W17-4771"
    quirks: ClassVar[str] = (
        "As the authors' script: .001 for a pair in which one has no vector, every pair counts, however dissimilar\n"
        "(threshold= asks for more), an order with precision 0 is dropped with all that are higher, only the first\n"
        "reference counts. like=original also lets a pair use up all n-grams that are spelt alike."
    )
    required: ClassVar[tuple[str, ...]] = ("vectors",)
    vector_options: ClassVar[tuple[str, ...]] = ("vectors",)

    vectors: str = option(
        "", "a file of word vectors: word2vec, GloVe or fastText", aliases=("v",), key="vectors", file=True
    )
    storage: str = option("float32", STORAGE_HELP, choices=STORAGES, key="storage")
    threshold: float = option(
        -1.0, "pairs no more similar than this do not match, -1 to 1", between=(-1, 1), key="threshold"
    )
    joiner: str = option("_", "what separates the words of an n-gram in the vector file", key="joiner")
    case: str = option("exact", CASE_HELP, choices=CASES, key="fold")
    like: str = option(
        "paper", "original: pair as the authors' script does", choices=("paper", "original"), key="like"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if any(character in self.joiner for character in '"|') or self.joiner != self.joiner.strip():
            raise SpecError(f"{self.name}: joiner={self.joiner!r} is not valid")
        for name in self.vector_options:
            checked_path(self.name, name, getattr(self, name))

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        real = [f"matches{n}" for n in range(1, ORDERS + 1)]
        counted = [f"ngrams{n}" for n in range(1, ORDERS + 1)]
        return columns(*real, *counted, "length", "reference_length", real=real)

    def _orders(self) -> list[tuple[_native.VectorTable, bool]]:
        """The table of each order, and whether vectors of n-grams are sums of words'."""
        raise NotImplementedError

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        original = self.like == "original"
        how = self._orders(), self.joiner, self.threshold, UNKNOWN, original, self.case
        return _native.fuzzy_bleu_rows(lines, references, tokenizer, *how, threads)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.fuzzy_bleu_scores(statistics.data, WEIGHTS)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Precisions in percent, and both lengths."""
        found: dict[str, Any] = {}
        for n in range(1, ORDERS + 1):
            matches, ngrams = total.only(f"matches{n}"), total.only(f"ngrams{n}")
            found[f"precision{n}"] = 100 * matches / ngrams if ngrams else None
        return found | {name: total.only(name) for name in ("length", "reference_length")}

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = self.word_items()
        for name in self.vector_options:
            if getattr(self, name):
                items |= vector_items(name, getattr(self, name), self.storage)
        items |= {"threshold": written(self.threshold), "fold": self.case}
        if self.joiner != "_":
            items["joiner"] = f'"{self.joiner}"'
        return items if self.like == "paper" else items | {"like": self.like}


@dataclass(frozen=True)
class Bleu2Vec(_FuzzyBLEU):
    """bleu2vec: separate vectors for words, bigrams and trigrams (bleu2vec_sep), or words' vectors added up.

    >>> import tertium as tt
    >>> m = tt.metric("bleu2vec:vectors=1.bin,bigrams=2.bin,trigrams=3.bin")
    >>> m.label, m.bigrams
    ('bleu2vec', '2.bin')
    """

    name: ClassVar[str] = "bleu2vec"
    title: ClassVar[str] = (
        "BLEU with fuzzy matches by vectors of words and n-grams (bleu2vec_sep; vectors=FILE)"
    )
    quirks: ClassVar[str] = (
        _FuzzyBLEU.quirks
        + "\nWithout bigrams= and trigrams= an n-gram's vector is the sum of its words', which the authors did not do."
    )
    vector_options: ClassVar[tuple[str, ...]] = ("vectors", "bigrams", "trigrams")

    bigrams: str = option("", "a file of vectors of bigrams, their words joined", key="bigrams", file=True)
    trigrams: str = option("", "a file of vectors of trigrams, their words joined", key="trigrams", file=True)

    def _orders(self) -> list[tuple[_native.VectorTable, bool]]:
        paths = [self.vectors, self.bigrams, self.trigrams]
        return [(Vectors.open(path or self.vectors, self.storage).table, not path) for path in paths]


@dataclass(frozen=True)
class Ngram2Vec(_FuzzyBLEU):
    """ngram2vec: one file with vectors of words and n-grams, trained together.

    >>> import tertium as tt
    >>> tt.metric("ngram2vec:vectors=all.vec,threshold=0.3").threshold
    0.3
    """

    name: ClassVar[str] = "ngram2vec"
    title: ClassVar[str] = (
        "BLEU with fuzzy matches by vectors of words and n-grams in one file (vectors=FILE)"
    )

    def _orders(self) -> list[tuple[_native.VectorTable, bool]]:
        return [(Vectors.open(self.vectors, self.storage).table, False)] * ORDERS
