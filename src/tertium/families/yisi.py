"""YiSi: similarity of meaning, by characters (YiSi-0), word vectors (YiSi-1), or vectors of two languages (YiSi-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.families.base import Level, option
from tertium.families.phrases import PhraseMetric, ReadyPhrases, VectorMetric, weight_items
from tertium.statistics import DenseStatistics, WholeCounts
from tertium.text.segments import References
from tertium.text.srl import Aligned, Compare, Parse, aligned_frames, covered, frame_value
from tertium.text.vectors import checked_path

_FORMULA = (
    "s(e, f) = {words}\n"
    "P = sum over hypothesis n-grams of max over reference n-grams of sum w(e) s(e, f), over sum w(e); R likewise\n"
    "w(e) = log2(1 + (N + 1) / (c(e) + 1)), c(e) of N reference sentences hold e\n"
    "YiSi = P R / (alpha P + (1 - alpha) R)\n"
    "With parses, P and R are beta x that of frames + (1 - beta) x that of the sentence. The corpus score is the mean."
)
_PAPER = "Lo 2019, https://aclanthology.org/W19-5358"
_QUIRKS = (
    "As the author's program: n-grams are no longer than the shorter text; words not seen weigh as their lower-cased\n"
    "form (ASCII letters; case=unicode: all), else as if they were nowhere; precision and recall are each the best\n"
    "over several references. weight=length is w-YiSi, where every word of the references counts the same."
)


class _YiSi(PhraseMetric):
    """What the three have in common: how frames count."""

    def _structure(
        self, own: Parse, others: list[Parse], compare: Sequence[Compare], roles: Mapping[str, float]
    ) -> tuple[float, float]:
        """Frames of a reference are looked for by recall, whatever the roles; ours by precision, in the same roles."""
        recall = 0.0
        precise: dict[int, list[Aligned]] = {}
        for other, how in zip(others, compare, strict=True):
            theirs, ours = aligned_frames(other, own, how)
            values = [(one.frame, frame_value([one], roles, same_kind=False)) for one in theirs]
            recall = max(recall, covered(values))
            for i, one in enumerate(ours):
                precise.setdefault(i, []).append(one)
        values = [(found[0].frame, frame_value(found, roles, same_kind=True)) for found in precise.values()]
        return covered(values), recall


@dataclass(frozen=True)
class YiSi0(_YiSi):
    """YiSi-0: words are as similar as their longest common string of characters is long.

    >>> import tertium as tt
    >>> m = tt.metric("yisi0")
    >>> round(m.score_total(m.statistics(["the house was sold"], ["the houses were sold"])), 2)
    72.37
    """

    name: ClassVar[str] = "yisi0"
    label: ClassVar[str] = "YiSi0"
    title: ClassVar[str] = "similarity of meaning by characters that words have in common (YiSi-0)"
    formula: ClassVar[str] = _FORMULA.format(words="2 x longest common substring / (|e| + |f|), in bytes")
    paper: ClassVar[str] = _PAPER
    quirks: ClassVar[str] = _QUIRKS

    @property
    def needs_whole_set(self) -> bool:  # type: ignore[override]
        return self.idf == "references" or bool(self.parses)

    def _similarity(self) -> _native.WordSimilarity:
        return _native.WordSimilarity("substring", None, None, self.case)


@dataclass(frozen=True)
class YiSi1(VectorMetric, _YiSi):
    """YiSi-1: words are as similar as their vectors.

    >>> import tertium as tt
    >>> m = tt.metric("yisi1:vectors=wiki.en.vec,weight=length")
    >>> m.vectors, m.alpha
    ('wiki.en.vec', 0.8)
    """

    name: ClassVar[str] = "yisi1"
    label: ClassVar[str] = "YiSi1"
    title: ClassVar[str] = "similarity of meaning by word vectors (YiSi-1; vectors=FILE)"
    formula: ClassVar[str] = _FORMULA.format(
        words="1 if e and f differ at most in capitalisation, else max(0, cosine of their vectors), 0 without vectors"
    )
    paper: ClassVar[str] = _PAPER
    quirks: ClassVar[str] = (
        _QUIRKS + "\nA vector file may have a vector <unk> for words that it does not know."
    )


@dataclass(frozen=True)
class YiSi2(VectorMetric, _YiSi):
    """YiSi-2: the hypothesis is compared with the source, by vectors of both languages in one space.

    >>> import tertium as tt
    >>> m = tt.metric("yisi2:vectors=en.vec,source_vectors=de.vec")
    >>> m.needs_source, m.needs_references
    (True, False)
    """

    name: ClassVar[str] = "yisi2"
    label: ClassVar[str] = "YiSi2"
    title: ClassVar[str] = "similarity to the source by vectors of two languages, no references (YiSi-2)"
    formula: ClassVar[str] = _FORMULA.format(
        words="max(0, cosine of their vectors); 1 for the same word in both languages if one has no vector"
    ).replace("reference", "source")
    paper: ClassVar[str] = _PAPER
    quirks: ClassVar[str] = (
        _QUIRKS
        + "\nReferences are ignored: sources take their place. Weights of hypothesis words come from the\n"
        "hypotheses of the system itself."
    )
    perfect: ClassVar[float | None] = None
    needs_source: ClassVar[bool] = True
    needs_references: ClassVar[bool] = False
    required: ClassVar[tuple[str, ...]] = ("vectors", "source_vectors")
    vector_options: ClassVar[tuple[str, ...]] = ("vectors", "source_vectors")

    idf: str = option(
        "hypotheses",
        "weights of hypothesis words: hypotheses (learnt from them), none, or a file",
        key="idf",
        file=True,
    )
    source_vectors: str = option(
        "",
        "a file of word vectors of the source language, in the same space",
        key="source_vectors",
        file=True,
    )
    source_idf: str = option(
        "sources",
        "weights of source words: sources (learnt from them), none, or a file",
        key="source-idf",
        file=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_path(self.name, "source_idf", self.source_idf)

    @property
    def needs_whole_set(self) -> bool:  # type: ignore[override]
        return self.idf == "hypotheses" or self.source_idf == "sources" or bool(self.parses)

    def _similarity(self) -> _native.WordSimilarity:
        own, other = self._tables()
        return _native.WordSimilarity("bilingual", own.table, other.table, self.case)

    def _prepare(self, references: References, threads: int) -> Any:
        if not self.model:
            self._tables()
        return None

    def _prepare_learnt(self, references: References, learnt: WholeCounts, threads: int) -> Any:
        self._prepare(references, threads)
        return learnt

    def _learn(self, references: References, sources: Lines | None, threads: int) -> WholeCounts:
        assert sources is not None  # `needs_source`
        found = WholeCounts()
        if self.source_idf == "sources":
            self._count_words(found, "sources", (sources,), threads)
        if self.parses:
            self._count_roles(found, (sources,))
        return found

    def _learn_outputs(self, hypotheses: Lines, threads: int) -> WholeCounts | None:
        if self.idf != "hypotheses":
            return None
        found = WholeCounts()
        self._count_words(found, "hypotheses", (hypotheses,), threads)
        return found

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> DenseStatistics:
        assert sources is not None  # `needs_source`
        tokenizer = self._tokenizer()[0]
        words = _native.WordReferences([self._texts(sources)], tokenizer, threads)
        own_words = _native.WordReferences([self._texts(hypotheses)], tokenizer, threads)
        own = self._weights(own_words, self.idf, "hypotheses", prepared, threads)
        theirs = self._weights(words, self.source_idf, "sources", prepared, threads)
        if self.parses:
            ready = self._framed(words, theirs, (sources,), prepared)
        else:
            ready = ReadyPhrases(words, theirs)
        return self._agreement(hypotheses, self._with_contexts(ready, (sources,)), own, threads)

    def _weights(
        self, words: _native.WordReferences, given: str, own: str, learnt: WholeCounts | None, threads: int
    ) -> _native.WordWeights:
        if given != own:
            return self._corpus_weights(words, given, threads)
        return (
            self._corpus_weights(words, "references", threads)
            if learnt is None
            else self._learnt_weights(learnt, own)
        )

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return super().signature_items(level) | weight_items("source-idf", self.source_idf)
