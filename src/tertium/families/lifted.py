"""Any metric over whole documents: `doc:bleu`, `doc:chrf++`, `doc:ter`."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, Metric, option
from tertium.families.bleu import BLEU
from tertium.statistics import Statistics, WholeCounts
from tertium.text.segments import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def _of(name: str) -> Any:
    """What the metric itself says."""
    return property(lambda self: getattr(self.of, name))


_METRIC = option(BLEU(), "the metric that scores documents, written behind doc: as in doc:chrf")


@dataclass(frozen=True)
class Lifted(Metric):
    """Another metric, whose texts are documents instead of segments: sentence boundaries do not matter.

    >>> import tertium as tt
    >>> hypothesis, reference = ["the cat sat on", "the mat today"], ["the cat sat", "on the mat today"]
    >>> found = tt.score(hypothesis, reference, ["bleu", "doc:bleu"], documents=["d", "d"])
    >>> [round(score.value, 1) for score in found]
    [69.1, 100.0]
    """

    name: ClassVar[str] = "doc"
    title: ClassVar[str] = "any metric over whole documents: doc:bleu, doc:chrf++, doc:ter"
    formula: ClassVar[str] = (
        "The metric's own, where a text is a document: its segments joined by blanks.\n"
        "Totals add documents as the metric adds segments."
    )
    paper: ClassVar[str] = (
        "Libovický, Brovelli and Cartoni 2018, section 3.1, https://aclanthology.org/2018.eamt-main.18"
    )
    quirks: ClassVar[str] = (
        "A document is scored as `--level document` scores one: what a metric does for single segments only (BLEU's\n"
        "effective order) is not done. A reference that lacks some segments of a document has those of the first."
    )
    scope: ClassVar[Any] = "document"
    separator: ClassVar[str] = " "
    higher_is_better = _of("higher_is_better")
    perfect = _of("perfect")
    undefined = _of("undefined")
    needs_source = _of("needs_source")
    needs_references = _of("needs_references")
    needs_whole_set = _of("needs_whole_set")
    learns = _of("learns")
    often = _of("often")
    extra = _of("extra")
    runs_programs = _of("runs_programs")

    of: Metric = _METRIC

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.of.scope == "document":
            raise SpecError(f"doc:{self.of}: {self.of} is a metric over documents already")

    def __str__(self) -> str:
        return f"doc:{self.of}"

    @property
    def word_options(self) -> tuple[str, ...]:  # type: ignore[override]
        return self.of.word_options

    def finds_words_in(self, language: str) -> bool:
        return self.of.finds_words_in(language)

    def for_language(self, language: str, tok: str) -> Metric:
        return replace(self, of=self.of.for_language(language, tok))

    @property
    def label(self) -> str:
        return f"doc:{self.of.label}"

    def _prepare(self, references: References, threads: int) -> Any:
        return self.of._prepare(references, threads)

    def _learn(self, references: References, sources: Lines | None, threads: int) -> WholeCounts:
        return self.of._learn(references, sources, threads)

    def _learn_outputs(self, hypotheses: Lines, threads: int) -> WholeCounts | None:
        return self.of._learn_outputs(hypotheses, threads)

    def _prepare_learnt(self, references: References, learnt: WholeCounts, threads: int) -> Any:
        return self.of._prepare_learnt(references, learnt, threads)

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> Statistics:
        return self.of._rows(hypotheses, prepared, sources, threads)

    def _total(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> Statistics:
        return self.of._total(hypotheses, prepared, sources, threads)

    def _scores(self, statistics: Any, level: Level) -> Any:
        return self.of._scores(statistics, _raised(level))

    def score_weighted(
        self, statistics: Statistics, weights: Any, level: Level = "corpus", *, threads: int = 1
    ) -> NDArray[np.float64]:
        return self.of.score_weighted(statistics, weights, _raised(level), threads=threads)

    def score_mixed(
        self, first: Any, second: Any, masks: Any, level: Level = "corpus", *, threads: int = 1
    ) -> NDArray[np.float64]:
        return self.of.score_mixed(first, second, masks, _raised(level), threads=threads)

    def score_swapped(
        self, first: Any, second: Any, masks: Any, level: Level = "corpus", *, threads: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return self.of.score_swapped(first, second, masks, _raised(level), threads=threads)

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return self.of.signature_items(_raised(level)) | {"scope": "document"}

    def analysis(self, n_references: int | None = None) -> Metric:
        return Lifted(self.of.analysis(n_references))

    def covers(self, other: Metric, n_references: int | None = None) -> bool:
        return isinstance(other, Lifted) and self.of.covers(other.of, n_references)

    def fitted(self, statistics: Any) -> Any:
        return self.of.fitted(statistics)

    @property
    def preparation(self) -> Hashable:
        return "documents", self.of.preparation

    @property
    def rows_signature(self) -> str:
        return f"doc:{self.of.rows_signature}"

    def components(self, total: Any, level: Level = "corpus") -> dict[str, Any]:
        return self.of.components(total, _raised(level))

    def verbose(self, total: Any, level: Level = "corpus") -> str:
        return self.of.verbose(total, _raised(level))

    def _check_required(self) -> None:
        self.of._check_required()


def _raised(level: Level) -> Level:
    """A row is at least a document's."""
    return "document" if level == "segment" else level
