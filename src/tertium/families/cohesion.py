"""Lexical cohesion: how much of what a text says takes up what it said before."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.families.base import Level, Metric, option
from tertium.families.contextual import AT_ONCE, EncoderMetric, unit_table
from tertium.families.values import written
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text import meteor, synonyms
from tertium.text.cohesion import Links, Relatedness, Repetition, StaticVectors, Synonyms
from tertium.text.content import REPEATS, WAYS, Choice, ContentWords
from tertium.text.parsers import PARSER_HELP
from tertium.text.segments import References
from tertium.text.vectors import STORAGES, Vectors, checked_path, vector_items

AGAINST = ("none", "reference", "source")
HOW = ("difference", "ratio", "closeness")
COLUMNS: tuple[StatisticColumn, ...] = columns(
    *("related", "words", "other related", "other words", "apart", "documents"),
    real=["related", "other related", "apart"],
)
_FILES = ("function_words", "idf", "synonyms", "vectors")
_SOURCE = ("lang", "parser", "tok", *_FILES)  # what the source has of its own: source_lang and so on
_KEYS = {"function_words": "funcfile", "synonyms": "syn"}  # of these in signatures, where they differ


@dataclass(frozen=True)
class Cohesion(EncoderMetric):
    """The mean similarity of content words to the most similar earlier one.

    >>> import tertium as tt
    >>> m = tt.metric("doc:cohesion")
    >>> m.score(["The dog slept. Then the dogs barked loudly."], [""])  # one of four: dogs
    25.0
    """

    name: ClassVar[str] = "doc:cohesion"
    title: ClassVar[str] = (
        "lexical cohesion: content words that take up earlier ones (vectors=FILE; against=reference)"
    )
    formula: ClassVar[str] = (
        "1/(|C| - 1) sum over i = 2..|C| of max over j < i of sim(c_i, c_j), in percent; C the content words of a\n"
        "document in order. sim is 1 for a repeated lemma or stem (or synonyms) and 0 else, or the cosine of vectors.\n"
        "difference: minus the reference's (or source's) value; ratio: over it, in percent;\n"
        "closeness: 100 - |difference|."
    )
    fewest_for_interval: ClassVar[int] = 100
    paper: ClassVar[str] = (
        "Libovický, Brovelli and Cartoni 2018, equations 1 and 2, https://aclanthology.org/2018.eamt-main.18; "
        "Wong and Kit 2012, https://aclanthology.org/D12-1097"
    )
    quirks: ClassVar[str] = (
        "Sums of documents add: the score of several is over all their words; closeness is the mean over documents.\n"
        "With vectors a repeated word counts 1 even if it has no vector, and negative cosines count 0. Words of all\n"
        "references count together. A text that repeats itself is cohesive: do not use it alone."
    )
    perfect: ClassVar[float | None] = None
    undefined: ClassVar[str] = (
        "a text has fewer than two content words (for a ratio: or the other has no related ones)"
    )
    scope: ClassVar[Any] = "document"
    vector_options: ClassVar[tuple[str, ...]] = ("vectors", "synonyms")

    against: str = option(
        "none", "compared with nothing, the reference or the source", choices=AGAINST, key="against"
    )
    how: str = option(
        HOW[0],
        "how it is compared: difference, ratio or closeness (also as doc:cohesion:ratio)",
        choices=HOW,
        key="how?",
    )
    lang: str = option("en", "language: its function words and stems", key="lang")
    parser: str = option("", PARSER_HELP, key="parser", file=True)
    tok: str = option("", "a tokeniser instead of our rule for words, without a parser", key="tok?")
    content: str = option(
        "auto",
        "content words by tags, list, frequency, or all words; auto: tags, else list",
        choices=WAYS,
        key="content",
    )
    function_words: str = option(
        "", "a file of function words instead of the language's list", key="funcfile?", file=True
    )
    idf: str = option(
        "", "for content=frequency: a corpus, or what `vectors idf` wrote", key="idf?", file=True
    )
    share: float = option(
        0.025,
        "for content=frequency: content words stand in at most this share of lines",
        between=(0, 1),
        key="share?",
    )
    repeat: str = option(
        "auto",
        "what repeats a word: lemma, stem or word; auto: the first that there is",
        choices=REPEATS,
        key="repeat",
    )
    synonyms: str = option(
        "",
        "words with a common meaning are related: wordnet (Debian's), meteor, a folder or file of these",
        key="syn?",
        file=True,
    )
    distance: int = option(
        0,
        "with synonyms: so many steps to broader and narrower meanings are related, too",
        between=(0, 20),
        key="distance?",
    )
    vectors: str = option("", "a file of word vectors: similarity is their cosine", key="vectors?", file=True)
    storage: str = option(
        "float32", "how vectors are kept: float32, float16 or int8", choices=STORAGES, key="storage?"
    )
    source_lang: str = option("", "the source's language (against=source)", key="source_lang?")
    source_parser: str = option(
        "", "the source's parser, if it is another one", key="source_parser?", file=True
    )
    source_tok: str = option("", "the source's tokeniser", key="source_tok?")
    source_function_words: str = option("", "the source's function words", key="source_funcfile?", file=True)
    source_idf: str = option("", "the source's corpus for content=frequency", key="source_idf?", file=True)
    source_synonyms: str = option("", "the source's synonyms", key="source_syn?", file=True)
    source_vectors: str = option("", "the source's vectors", key="source_vectors?", file=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in (*_FILES, *(f"source_{name}" for name in _FILES)):
            checked_path(self.name, name, getattr(self, name))
        if self.vectors and self.synonyms:
            raise SpecError(f"{self.name}: give vectors or synonyms, not both")
        if self.tok and self.parser:
            raise SpecError(f"{self.name}: give tok or parser, not both")
        if self.distance and not self.synonyms:
            raise SpecError(f"{self.name}: distance counts steps between synonyms: give synonyms as well")
        if self.against != "source":
            given = [name for name in _SOURCE if getattr(self, f"source_{name}")]
            if given:
                raise SpecError(f"{self.name}: source_{given[0]} is for against=source")

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Self:
        if value not in HOW:
            raise SpecError(f"{cls.name} has no comparison {value!r}{did_you_mean(value, HOW)}")
        if "how" in options:
            raise SpecError(f"{cls.name}:{value}: the comparison is given twice")
        return cls.from_options({"against": "reference", **options, "how": value})

    @property
    def label(self) -> str:
        return self.name if self.against == "none" else f"{self.name}[{self.how}]"

    @property
    def needs_source(self) -> bool:  # type: ignore[override]
        return self.against == "source"

    @property
    def needs_references(self) -> bool:  # type: ignore[override]
        return self.against == "reference"

    @property
    def least_reward(self) -> float:
        return -100.0 if self.against != "none" and self.how == HOW[0] else 0.0

    def analysis(self, n_references: int | None = None) -> Metric:
        return replace(self, how=HOW[0])  # rows hold what all comparisons need

    def _side(self, source: bool = False) -> Cohesion:
        """The metric of the hypothesis and the reference, or that of the source."""
        if not source:
            nothing: dict[str, Any] = {f"source_{name}": "" for name in _SOURCE}
            return replace(self, against="none", how=HOW[0], **nothing)
        if not self.source_lang:
            raise SpecError(f"{self.name} needs source_lang, the source's language: write source_lang=...")
        own: dict[str, Any] = {name: getattr(self, f"source_{name}") for name in _SOURCE}
        if not own["parser"] and self.parser.startswith("conllu:"):
            own["parser"] = self.parser  # found by text, whatever the language
        if self.vectors and not own["vectors"]:
            raise SpecError(
                f"{self.name} needs source_vectors: the hypothesis has vectors, and the source needs some"
            )
        if self.synonyms and not own["synonyms"]:
            raise SpecError(
                f"{self.name} needs source_synonyms: the hypothesis has synonyms, and the source needs some"
            )
        return replace(self._side(), **own)

    @property
    def _choice(self) -> Choice:
        how = (self.content, self.function_words, self.idf, self.share, self.repeat)
        return Choice(self.lang, self.parser, self.tok, *how)

    @property
    def _relatedness(self) -> Relatedness:
        if self.vectors:
            return StaticVectors(Vectors.open(self.vectors, self.storage))
        return _synonyms(self.synonyms, self.distance)[0] if self.synonyms else Repetition()

    def links(self, texts: Sequence[str | None], threads: int = 1) -> list[tuple[ContentWords, Links]]:
        """The content words of texts and what each takes up."""
        words = self._choice.read(texts)
        found = self._in_texts(words, threads) if self.model else self._relatedness.links(words, threads)
        return list(zip(words, found, strict=True))

    def _in_texts(self, texts: Sequence[ContentWords], threads: int) -> list[Links]:
        """Words in context."""
        found: list[Links] = []
        for begin in range(0, len(texts), AT_ONCE):
            some = texts[begin : begin + AT_ONCE]
            encoded = [
                replace(one, units=tuple(text.forms), vectors=one.vectors[text.places])
                for text, one in zip(some, self._in_context([list(text.words) for text in some]), strict=True)
                if one is not None
            ]
            table = unit_table(encoded)
            most, earlier = _native.earlier_units(table.vectors, table.starts, threads)
            ends = table.starts.tolist()
            values: Any = most.tolist()
            places = earlier.tolist()
            found += [Links(values[i:j], places[i:j]) for i, j in pairwise(ends)]
        return found

    def _sums(self, texts: Lines, threads: int) -> list[tuple[float, int]]:
        """What is added up, and how many words could have taken up something."""
        found = self.links(list(texts), threads)
        return [(math.fsum(links.similarities), max(0, len(links.earlier) - 1)) for _, links in found]

    def _prepare(self, references: References, threads: int) -> list[tuple[float, int]] | None:
        if self.against != "reference":
            return None
        side = self._side()
        streams = [side._sums(stream, threads) for stream in references.streams]
        return [(math.fsum(s for s, _ in own), sum(n for _, n in own)) for own in zip(*streams, strict=True)]

    def _rows(
        self, hypotheses: Lines, prepared: list[tuple[float, int]] | None, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        own = self._side()._sums(hypotheses, threads)
        other = prepared or [(0.0, 0)] * len(own)
        if self.against == "source":
            assert sources is not None  # `needs_source`
            other = self._side(source=True)._sums(sources, threads)
        rows: list[list[float]] = []
        for (related, words), (theirs, their_words) in zip(own, other, strict=True):
            both = bool(words and their_words)
            apart = abs(related / words - theirs / their_words) if both else 0.0
            rows.append([related, words, theirs, their_words, apart, both])
        return DenseStatistics.of_lists(COLUMNS, rows)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        values = zip(*(statistics.listed(column.name) for column in COLUMNS), strict=True)
        if self.against == "none":
            return array("d", [_mean(related, words) for related, words, *_ in values])
        return array("d", [_COMPARED[self.how](*row) for row in values])

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Cohesion of the hypothesis and of what it is compared with, in percent, and how many words count."""
        sides = {"": "cohesion"} if self.against == "none" else {"": "cohesion", "other ": self.against}
        found: dict[str, Any] = {}
        for before, name in sides.items():
            words = total.only(f"{before}words")
            found[name] = 100 * total.only(f"{before}related") / words if words else None
            found[f"{before}words"] = words
        return found

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        parts = self.components(total, level)
        return " ".join(
            f"{name} = {value:.1f}" if isinstance(value, float) else f"{name} = {value}"
            for name, value in parts.items()
        )

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = {"against": self.against}
        if self.how != HOW[0] or self.against != "none":
            items["how"] = self.how
        items |= self._said()
        if self.against == "source":
            given = {_KEYS.get(name, name) for name in _SOURCE if getattr(self, f"source_{name}")}
            theirs = self._side(source=True)._said()
            items |= {
                f"source_{key}": value
                for key, value in theirs.items()
                if key in given or items.get(key) != value
            }
        return items

    def _said(self) -> dict[str, str]:
        """What decides the cohesion of one text."""
        items = self._choice.items()
        if self.function_words:
            items["funcfile"] = f'"{self.function_words}"'
        if self.content != "frequency" and self.idf:
            items["idf"] = f'"{self.idf}"'
        if self.content == "frequency" or self.share != 0.025:
            items["share"] = written(self.share)
        if self.model:
            return items | self.encoder_items(pool=self.pool)
        if self.vectors:
            return items | vector_items("vectors", self.vectors, self.storage)
        if self.storage != "float32":
            items["storage"] = self.storage
        if self.synonyms:
            items |= {"syn": f'"{self.synonyms}"', **_synonyms(self.synonyms, self.distance)[1]}
            items |= {"distance": str(self.distance)} if self.distance else {}
        return items

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        chosen = ("content", "repeat")  # and, in brackets, what we made of them
        return super().from_signature_items(
            {
                key: value.partition("(")[0] if key in chosen else value
                for key, value in items.items()
                if not (key.endswith("parser") and value == "none")
            }
        )


def _mean(related: float, words: int) -> float:
    return 100 * related / words if words else math.nan


def _difference(related: float, words: int, other: float, other_words: int, *_: float) -> float:
    return _mean(related, words) - _mean(other, other_words)


def _ratio(related: float, words: int, other: float, other_words: int, *_: float) -> float:
    own, theirs = _mean(related, words), _mean(other, other_words)
    return 100 * own / theirs if theirs else math.nan


def _closeness(
    related: float, words: int, other: float, other_words: int, apart: float, documents: int
) -> float:
    return 100 - 100 * apart / documents if documents else math.nan


_COMPARED: dict[str, Callable[..., float]] = {
    "difference": _difference,
    "ratio": _ratio,
    "closeness": _closeness,
}


@lru_cache(maxsize=4)
def _synonyms(named: str, distance: int) -> tuple[Synonyms, dict[str, str]]:
    """The sets and their graph, with their hashes."""
    place = synonyms.DEBIAN if named == "wordnet" else named
    if named == "wordnet" and not Path(place, "index.noun").is_file():
        raise InputError(f"synonyms=wordnet: {place} is missing (apt install wordnet-base)")
    table, digest = meteor.english_synonyms() if named == "meteor" else synonyms.read(place)
    items = {"syn-hash": digest}
    if not distance:
        return Synonyms(table), items
    graph, digest = meteor.english_relations() if named == "meteor" else synonyms.neighbours(place)
    return Synonyms(table, graph, distance), items | {"graph-hash": digest}
