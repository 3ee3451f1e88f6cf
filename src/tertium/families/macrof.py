"""MacroF and MicroF: translation as classification over word types, where every type counts."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import MAX_BETA, Level, Metric, case_from, case_items, normalized, option
from tertium.families.words import word_preparation
from tertium.statistics import Statistics, TypeStatistics, as_weights
from tertium.text import tokenizers
from tertium.text.segments import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class _TypeF(Metric):
    """What MacroF and MicroF share: counts per type, and the F of a type."""

    paper: ClassVar[str] = "Gowda, You, Lignos and May 2021, https://aclanthology.org/2021.naacl-main.90"
    undefined: ClassVar[str] = "no type at all: hypotheses and references are empty"
    _average: ClassVar[str]

    beta: float = option(1.0, "weight of recall against precision in F")
    tok: str = option("13a", tokenizers.HELP, aliases=("tokenize",))
    lowercase: bool = option(False, "compare in lower case", aliases=("lc",))
    diacritics: bool = option(True, "keep diacritics (no: compare letters without them)")
    order: int = option(1, "types are n-grams of orders 1 to this")
    unit: str = option("word", "types are n-grams of words or of characters", choices=("word", "char"))

    def __post_init__(self) -> None:
        tokenizers.check(self.tok)
        self._check_choice("unit")
        self._check_range("order", 1, 99)
        if self.unit == "char" and self.tok != "13a":
            raise SpecError(
                f"{self.name}: unit=char takes no tokeniser, so tok={self.tok} would change nothing"
            )
        if not 0 < self.beta <= MAX_BETA:
            raise SpecError(f"{self.name}: beta must be above 0 and at most {MAX_BETA:g}, not {self.beta}")

    @property
    def label(self) -> str:
        return f"{self._average.capitalize()}F{self.beta:g}"

    def analysis(self, n_references: int | None = None) -> MacroF:
        """Counts of types are the same whatever is made of them."""
        how = (self.tok, self.lowercase, self.diacritics, self.order, self.unit)
        return MacroF(1.0, *how)

    @property
    def preparation(self) -> Hashable:
        return self if self.unit == "char" else word_preparation(self)

    def _plan(self) -> tuple[str, Any]:
        return ("char", None) if self.unit == "char" else tokenizers.plan(self.tok)

    def _prepare(self, references: References, threads: int) -> _native.WordReferences:
        native, before = self._plan()
        streams = [normalized(stream, self) for stream in references.streams]
        if before is not None:
            streams = [before(stream) for stream in streams]
        return _native.WordReferences(streams, native, threads)

    def _rows(
        self, hypotheses: Lines, prepared: _native.WordReferences, sources: Lines | None, threads: int
    ) -> TypeStatistics:
        return self._counted(_native.type_rows, hypotheses, prepared, threads)

    def _total(
        self, hypotheses: Lines, prepared: _native.WordReferences, sources: Lines | None, threads: int
    ) -> TypeStatistics:
        return self._counted(_native.type_total, hypotheses, prepared, threads)

    def _counted(
        self,
        count: Callable[..., _native.TypeRows],
        hypotheses: Lines,
        prepared: _native.WordReferences,
        threads: int,
    ) -> TypeStatistics:
        native, before = self._plan()
        lines = normalized(hypotheses, self)
        if before is not None:
            lines = before(lines)
        return TypeStatistics(count(lines, prepared, native, self.order, self.unit == "char", threads))

    @property
    def _options(self) -> tuple[float, bool, float]:
        """Beta, whether types are weighted by their frequency, and what is added to it."""
        return self.beta, False, 0.0

    def _scores(self, statistics: TypeStatistics, level: Level) -> Any:
        return statistics.rows.scores(*self._options)

    def score_weighted(
        self, statistics: Statistics, weights: Any, level: Level = "corpus", *, threads: int = 1
    ) -> NDArray[np.float64]:
        """As every metric's, but the sums are never held: a thousand of them have a row for every type each."""
        import numpy as np

        assert isinstance(statistics, TypeStatistics)
        counts = as_weights(weights, len(statistics))
        return np.asarray(statistics.rows.weighted_scores(counts, *self._options, threads), dtype=np.float64)

    def score_swapped(
        self, first: Any, second: Any, masks: Any, level: Level = "corpus", *, threads: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return (
            self.score_mixed(first, second, masks, level, threads=threads),
            self.score_mixed(second, first, masks, level, threads=threads),
        )

    def score_mixed(
        self, first: Any, second: Any, masks: Any, level: Level = "corpus", *, threads: int = 1
    ) -> NDArray[np.float64]:
        """As every metric's, from what differs between the two systems; sums are never held."""
        import numpy as np

        if len(first) != len(second):
            raise ValueError(f"cannot mix {len(first)} rows with {len(second)}")
        both = first.concat(second).rows
        return np.asarray(both.mixed_scores(masks, *self._options, threads), dtype=np.float64)

    def components(self, total: TypeStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Number of types, and how many of them are predicted, in the references, and matched somewhere."""
        _, _, counts = total.entries
        return {
            "types": len(counts),
            "types_predicted": int((counts[:, 0] > 0).sum()),
            "types_in_references": int((counts[:, 1] > 0).sum()),
            "types_matched": int((counts[:, 2] > 0).sum()),
        }

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = {"avg": self._average, "beta": f"{self.beta:.17g}"} | case_items(self)
        items |= {"unit": "char"} if self.unit == "char" else tokenizers.signature_items(self.tok)
        return items | {"ngram": str(self.order)}

    @classmethod
    def _options_from(cls, items: dict[str, str]) -> dict[str, Any]:
        beta = items.get("beta") or items.get("label", "")[6:] or "1"
        options = case_from(items) | {"beta": float(beta), "order": int(items.get("ngram", "1"))}
        if items.get("unit") == "char":
            return options | {"unit": "char"}
        return options | {"tok": tokenizers.from_signature(items.get("tok", "13a"))}


@dataclass(frozen=True)
class MacroF(_TypeF):
    """MacroF: the plain mean of F over all word types, so that rare words count as much as frequent ones.

    >>> import tertium as tt
    >>> m = tt.metric("macrof1")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat sat on a mat"])), 2)
    77.78
    """

    name: ClassVar[str] = "macrof"
    title: ClassVar[str] = "mean F over word types: every type counts equally, including rare ones"
    formula: ClassVar[str] = (
        "MacroF_b = 1/|V| sum_{c in V} F_b(c),  F_b = (1 + b^2) P R / (b^2 P + R),\n"
        "P(c) = matched/predicted, R(c) = matched/reference, V = all types in hypotheses or references"
    )
    quirks: ClassVar[str] = (
        "A type that is only predicted, or only in the references, has F = 0. With several references a segment's\n"
        "count of a type is its largest count in any of them. A segment's score is the corpus score of one line.\n"
        "order > 1 and unit=char go beyond the paper: types are then all n-grams of orders 1 to n."
    )
    _average: ClassVar[str] = "macro"

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Self:
        return cls(**cls._options_from(items))


@dataclass(frozen=True)
class MicroF(_TypeF):
    """MicroF: the mean of F over word types weighted by reference count + k, so that every token counts.

    >>> import tertium as tt
    >>> m = tt.metric("microf1")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat sat on a mat"])), 2)
    77.78
    """

    name: ClassVar[str] = "microf"
    title: ClassVar[str] = "mean F over word types weighted by their frequency in the references"
    formula: ClassVar[str] = (
        "MicroF_b = sum_c f(c) F_b(c) / sum_c f(c),  f(c) = references(c) + k,\n"
        "F_b(c) as in MacroF, over all types c in hypotheses or references"
    )
    quirks: ClassVar[str] = (
        "k (1 by default) gives types that are only predicted a weight; it smooths nothing else. Several references,\n"
        "segments, order and unit as in MacroF."
    )
    _average: ClassVar[str] = "micro"

    k: float = option(1.0, "added to the reference count of every type in its weight")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_range("k", 0, 1e6)

    @property
    def _options(self) -> tuple[float, bool, float]:
        return self.beta, True, self.k

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return super().signature_items(level) | {"k": f"{self.k:.17g}"}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Self:
        return cls(**cls._options_from(items), k=float(items.get("k", "1")))
