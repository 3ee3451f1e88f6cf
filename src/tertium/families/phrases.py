"""What metrics share that compare phrases by the similarity of their words: vectors, weights of words, frames."""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from tertium import _native
from tertium._native import Lines
from tertium.errors import TertiumWarning
from tertium.families.base import Level, option
from tertium.families.contextual import (
    AT_ONCE,
    EncoderMetric,
    UnitTable,
    context_agreements,
    unit_table,
    word_weights,
)
from tertium.families.values import written
from tertium.families.words import WordMetric
from tertium.statistics import DenseStatistics, StatisticColumn, WholeCounts, columns
from tertium.text import idf as inverse_frequencies
from tertium.text.encoded import Encoded
from tertium.text.segments import References
from tertium.text.srl import Compare, Parse, role_counts, weights_of_roles
from tertium.text.vectors import (
    CASE_HELP,
    CASES,
    STORAGES,
    Vectors,
    checked_path,
    file_items,
    same_dimension,
    vector_items,
)

ORDER_HELP = "longest n-grams that are compared"
ALPHA_HELP = "how much recall counts in F, 0 to 1"
STORAGE_HELP = "how vectors are kept: float32, float16 or int8"
IDF_HELP = (
    "weights of words: references (learnt from them), none, or a file: a corpus, or what `vectors idf` wrote"
)
PARSES_HELP = "CoNLL-2009 or ASSERT files with semantic roles of the texts, separated by ;"
PHRASE_COLUMNS: tuple[StatisticColumn, ...] = columns(
    "score", "precision", "recall", "weight", real=["score", "precision", "recall", "weight"]
)
LENGTHLESS = "there are no segments, or none with a word in its reference where weight=length"


class ReadyPhrases(NamedTuple):
    """References, analysed."""

    words: _native.WordReferences
    weights: _native.WordWeights
    streams: tuple[Lines, ...] = ()  # where frames are wanted: the texts, and their words joined by blanks
    texts: tuple[list[str | None], ...] = ()
    roles: Mapping[str, float] = MappingProxyType({})
    contexts: tuple[list[ContextWords | None], ...] = ()  # where words have vectors in context


class ContextWords(NamedTuple):
    """A text: its words, and their vectors."""

    words: list[str]
    encoded: Encoded


@dataclass(frozen=True)
class PhraseMetric(WordMetric):
    """A metric that takes a segment for a phrase (`native/phrases.hpp`)."""

    undefined: ClassVar[str] = LENGTHLESS
    needs_whole_set: ClassVar[bool] = True
    learns: ClassVar[bool] = True
    vector_options: ClassVar[tuple[str, ...]] = ()
    framed: ClassVar[bool] = True  # whether frames are looked at, given parses

    order: int = option(3, ORDER_HELP, aliases=("ngram", "n"), between=(1, 100), key="n")
    alpha: float = option(0.8, ALPHA_HELP, between=(0, 1), key="alpha")
    idf: str = option("references", IDF_HELP, key="idf", file=True)
    weight: str = option(
        "segment",
        "what is weighted equally: every segment, or every word of the references",
        choices=("segment", "length"),
        key="weight",
    )
    case: str = option("ascii", CASE_HELP, choices=CASES, key="fold")
    parses: str = option("", PARSES_HELP, key="parses", file=True)
    beta: float = option(
        0.2, "how much frames count against the flat sentence, given parses", between=(0, 1), key="beta"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("idf", "parses", *self.vector_options):
            checked_path(self.name, name, getattr(self, name))

    @property
    def preparation(self) -> Hashable:
        return self

    # What a metric says of itself.

    def _similarity(self) -> _native.WordSimilarity:
        """How words are compared."""
        raise NotImplementedError

    def _structure(
        self, own: Parse, others: list[Parse], compare: Sequence[Compare], roles: Mapping[str, float]
    ) -> tuple[float, float]:
        """Precision and recall of a hypothesis' frames against those of references."""
        raise NotImplementedError

    # What all share.

    def _corpus_weights(self, words: _native.WordReferences, path: str, threads: int) -> _native.WordWeights:
        if path == "none":
            return inverse_frequencies.alike()
        if path == "references":
            return _native.count_words([words])
        return inverse_frequencies.cached(path, self.tok, lowercase=self.lowercase, threads=threads)

    def _prepare(self, references: References, threads: int) -> Any:
        return self._ready(references, None, threads)

    def _prepare_learnt(self, references: References, learnt: WholeCounts, threads: int) -> Any:
        return self._ready(references, learnt, threads)

    def _ready(self, references: References, learnt: WholeCounts | None, threads: int) -> ReadyPhrases:
        words: _native.WordReferences = super()._prepare(references, threads)
        if learnt is not None and self.idf == "references":
            weights = self._learnt_weights(learnt, "references")
        else:
            weights = self._corpus_weights(words, self.idf, threads)
        if not self.parses:
            return ReadyPhrases(words, weights)
        return self._framed(words, weights, references.streams, learnt)

    def _learn(self, references: References, sources: Lines | None, threads: int) -> WholeCounts:
        found = WholeCounts()
        if self.idf == "references":
            self._count_words(found, "references", references.streams, threads)
        if self.parses:
            self._count_roles(found, references.streams)
        return found

    def _count_words(self, found: WholeCounts, kind: str, streams: Sequence[Lines], threads: int) -> None:
        """Lines that hold each word, and how many lines there are."""
        texts = [self._texts(stream) for stream in streams]
        counted = _native.count_words([_native.WordReferences(texts, self._tokenizer()[0], threads)])
        found.count(f"words of {kind}", counted.counts())
        found.count(f"lines of {kind}", {b"": counted.lines})

    def _count_roles(self, found: WholeCounts, streams: Sequence[Lines]) -> None:
        known = parse_table(self.parses)
        texts = (text for stream in streams for text in self._joined(stream))
        counts = role_counts(known.get(text or "") for text in texts)
        found.count("roles", {name.encode(): number for name, number in counts.items()})

    def _learnt_weights(self, learnt: WholeCounts, kind: str) -> _native.WordWeights:
        return inverse_frequencies.of_counts(
            learnt.number(f"lines of {kind}"), learnt.counts(f"words of {kind}")
        )

    def _framed(
        self,
        words: _native.WordReferences,
        weights: _native.WordWeights,
        streams: tuple[Lines, ...],
        learnt: WholeCounts | None = None,
    ) -> ReadyPhrases:
        texts = tuple(map(self._joined, streams))
        known = parse_table(self.parses)
        if learnt is None:
            counts: Mapping[str, int] = role_counts(
                known.get(text or "") for stream in texts for text in stream
            )
        else:
            counts = {name.decode(): number for name, number in learnt.counts("roles").items()}
        return ReadyPhrases(words, weights, tuple(map(self._texts, streams)), texts, weights_of_roles(counts))

    def _joined(self, lines: Lines) -> list[str | None]:
        """Words as a parse has them: case and marks stay."""
        native, before = self._tokenizer()
        tokens = _native.tokenize(lines if before is None else before(lines), native)
        return [None if lines[i] is None else " ".join(row) for i, row in enumerate(tokens)]

    def _rows(
        self, hypotheses: Lines, prepared: ReadyPhrases, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        return self._agreement(hypotheses, prepared, prepared.weights, threads)

    def _agreement(
        self, hypotheses: Lines, ready: ReadyPhrases, own: _native.WordWeights, threads: int
    ) -> DenseStatistics:
        lines, tokenizer = self._texts(hypotheses), self._tokenizer()[0]
        how = self._similarity(), own, ready.weights, self.order

        def compare(stream: int, segment: int, pairs: Any) -> list[tuple[float, float]]:
            return _compare(tokenizer, how, ready.streams[stream], lines, segment, pairs)

        structure = self._structures(hypotheses, ready, compare) if self.parses and self.framed else None
        beta = 0.0 if structure is None else self.beta
        by_length = self.weight == "length"
        rows = _native.yisi_rows(
            lines, ready.words, tokenizer, *how, self.alpha, by_length, beta, structure, threads
        )
        return DenseStatistics(PHRASE_COLUMNS, rows)

    def _structures(self, hypotheses: Lines, ready: ReadyPhrases, compare: Any) -> Any:
        """Two numbers a segment, precision and recall of its frames: `compare(stream, segment, pairs)` of phrases."""
        known = parse_table(self.parses)
        own_texts = self._joined(hypotheses)
        values = array("d")
        missing = 0
        for i, text in enumerate(own_texts):
            places = [k for k, stream in enumerate(ready.texts) if stream[i] is not None]
            given = [ready.texts[k][i] for k in places]
            missing += sum(bool(one) and one not in known for one in (text, *given))
            own, *others = (
                known.get(one or "") or Parse(tuple((one or "").split())) for one in (text, *given)
            )
            pairs = [partial(compare, k, i) for k in places]
            values.extend(self._structure(own, others, pairs, ready.roles))
        if missing:
            warnings.warn(
                f"{self.name}: {missing} texts have no parse in {self.parses}: they count as texts without frames",
                TertiumWarning,
                stacklevel=6,
            )
        return memoryview(values).cast("B").cast("d", (len(own_texts), 2))

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.yisi_scores(statistics.data, 0)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """The means of precision and recall, in percent."""
        parts = (("precision", 1), ("recall", 2))
        return {name: float(_native.yisi_scores(total.data, part)[0]) for name, part in parts}

    def _tables(self) -> list[Vectors]:
        found = [Vectors.open(getattr(self, name), getattr(self, "storage")) for name in self.vector_options]  # noqa: B009
        for one in found[1:]:
            same_dimension(found[0], one)
        return found

    def _vector_items(self) -> dict[str, str]:
        """What a signature says of vectors."""
        storage = getattr(self, "storage", "")
        given = [vector_items(name, getattr(self, name), storage) for name in self.vector_options]
        return {key: value for items in given for key, value in items.items()}

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = self.word_items() | {"n": str(self.order), "alpha": written(self.alpha)}
        items |= self._vector_items() | weight_items("idf", self.idf)
        if self.parses:
            items |= file_items_of(self.parses) | {"beta": written(self.beta)}
        return items | {"fold": self.case, "weight": self.weight}


def weight_items(key: str, value: str) -> dict[str, str]:
    """What a signature says of weights of words: where they come from."""
    learnt = ("references", "sources", "hypotheses", "none")
    return {key: value} if value in learnt else file_items(key, value)


def file_items_of(paths: str) -> dict[str, str]:
    """What a signature says of several files: their names and hashes."""
    found = [file_items("parses", path) for path in paths.split(";")]
    return {"parses": f'"{paths}"', "parses-hash": "+".join(one["parses-hash"] for one in found)}


_parses: dict[str, tuple[Any, dict[str, Parse]]] = {}


def parse_table(paths: str) -> dict[str, Parse]:
    """All parses of these files by their words. Read once, as long as the files do not change."""
    import os

    from tertium.io.conll09 import read_parses

    def stamp(path: str) -> Any:
        try:
            return os.stat(path).st_mtime_ns, os.stat(path).st_size
        except OSError:
            return None  # the reader says what is wrong

    names = paths.split(";")
    stamps = tuple(map(stamp, names))
    known = _parses.get(paths)
    if known is None or known[0] != stamps:
        known = stamps, {" ".join(parse.tokens): parse for name in names for parse in read_parses(name)}
        _parses[paths] = known
    return known[1]


def _compare(
    tokenizer: str, how: tuple[Any, ...], other: Lines, lines: Lines, i: int, pairs: Any
) -> list[tuple[float, float]]:
    similarity, own, others, order = how
    texts = Lines([lines[i], other[i]])
    return _native.phrase_agreements(texts, tokenizer, similarity, own, others, order, pairs)


@dataclass(frozen=True)
class VectorMetric(EncoderMetric, PhraseMetric):
    """A phrase metric with word vectors: of a file, or in context, of an encoder."""

    required: ClassVar[tuple[str, ...]] = ("vectors",)
    vector_options: ClassVar[tuple[str, ...]] = ("vectors",)

    vectors: str = option(
        "",
        "a file of word vectors (word2vec, GloVe, fastText); or model=, an encoder",
        aliases=("v",),
        key="vectors",
        file=True,
    )
    storage: str = option("float32", STORAGE_HELP, choices=STORAGES, key="storage")

    def _needed(self) -> tuple[str, ...]:
        """With an encoder there need not be vectors."""
        return tuple(name for name in self.required if not (self.model and name in self.vector_options))

    def _similarity(self) -> _native.WordSimilarity:
        (vectors,) = self._tables()
        return _native.WordSimilarity("vectors", vectors.table, vectors.table, self.case)

    def _ready(self, references: References, learnt: WholeCounts | None, threads: int) -> ReadyPhrases:
        return self._with_contexts(super()._ready(references, learnt, threads), references.streams)

    def _with_contexts(self, ready: ReadyPhrases, streams: Sequence[Lines]) -> ReadyPhrases:
        return ready._replace(contexts=tuple(map(self._contexts, streams))) if self.model else ready

    def _contexts(self, lines: Lines, *, wanted: bool = True) -> list[ContextWords | None]:
        """Words as the metric cuts them, encoded in their context."""
        texts = _native.tokenize(self._texts(lines), self._tokenizer()[0])
        words = [None if lines[i] is None else row for i, row in enumerate(texts)]
        encoded = self._in_context(words, wanted=wanted)
        return [
            None if row is None or one is None else ContextWords(row, one)
            for row, one in zip(words, encoded, strict=True)
        ]

    def _agreement(
        self, hypotheses: Lines, ready: ReadyPhrases, own: _native.WordWeights, threads: int
    ) -> DenseStatistics:
        if not self.model:
            return super()._agreement(hypotheses, ready, own, threads)
        import numpy as np

        ours = self._contexts(hypotheses, wanted=False)
        n = len(ours)
        best, words, texts = np.zeros((n, 2)), np.zeros(n), np.zeros(n)

        def compare(stream: int, segment: int, pairs: Any) -> list[tuple[float, float]]:
            tables = self._unit_tables(ours, ready, stream, [segment], own)
            found = context_agreements(*tables, [(0, 0, *pair) for pair in pairs], self.order, 1)
            return [(precision, recall) for precision, recall in found.tolist()]

        for number, stream in enumerate(ready.contexts):
            for begin in range(0, n, AT_ONCE):
                places = [i for i in range(begin, min(begin + AT_ONCE, n)) if stream[i] is not None]
                if not places:
                    continue
                mine, theirs = self._unit_tables(ours, ready, number, places, own)
                lengths = np.diff(theirs.starts)
                spans = np.zeros((len(places), 6), np.int64)
                spans[:, 0] = spans[:, 1] = np.arange(len(places))
                spans[:, 3], spans[:, 5] = lengths, np.diff(mine.starts)
                found = context_agreements(mine, theirs, spans, self.order, threads)
                best[places] = np.maximum(best[places], found)
                words[places] += lengths
                texts[places] += 1
        if self.parses and self.framed:
            structure = np.asarray(self._structures(hypotheses, ready, compare))
            best = self.beta * structure + (1 - self.beta) * best
        precision, recall = best.T
        below = self.alpha * precision + (1 - self.alpha) * recall
        score = np.divide(precision * recall, below, out=np.zeros(n), where=(precision > 0) & (recall > 0))
        weight = np.divide(words, texts, out=np.zeros(n), where=texts > 0) if self.weight == "length" else 1.0
        rows = np.column_stack([score, precision, recall, np.ones(n)]) * np.reshape(weight, (-1, 1))
        return DenseStatistics.build(PHRASE_COLUMNS, rows)

    def _unit_tables(
        self,
        ours: Sequence[ContextWords | None],
        ready: ReadyPhrases,
        stream: int,
        places: Sequence[int],
        own: _native.WordWeights,
    ) -> tuple[UnitTable, UnitTable]:
        """Our texts at these places, and those of a stream."""
        sides = ((ours, own), (ready.contexts[stream], ready.weights))
        chosen = [([one for i in places if (one := side[i]) is not None], weights) for side, weights in sides]
        mine, theirs = (
            unit_table(
                [one.encoded for one in texts],
                word_weights([one.words for one in texts], weights, self.case),
            )
            for texts, weights in chosen
        )
        return mine, theirs

    def _vector_items(self) -> dict[str, str]:
        return self.encoder_items(pool=self.pool) if self.model else super()._vector_items()
