"""MacroF and MicroF: translation as classification over word types, where every type counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, Metric, option
from tertium.families.words import DIACRITICS_HELP, LOWERCASE_HELP, TokenMetric, case_items
from tertium.statistics import Statistics, TypeStatistics, as_int64, as_weights
from tertium.text import tokenizers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class _TypeF(TokenMetric):
    """What MacroF and MicroF share: counts per type, and the F of a type."""

    paper: ClassVar[str] = "Gowda, You, Lignos and May 2021, https://aclanthology.org/2021.naacl-main.90"
    undefined: ClassVar[str] = "no type at all: hypotheses and references are empty"
    _average: ClassVar[str]

    beta: float = option(1.0, "weight of recall against precision in F", key="beta")
    tok: str = option("13a", tokenizers.HELP, aliases=("tokenize",))
    lowercase: bool = option(False, LOWERCASE_HELP, aliases=("lc",))
    diacritics: bool = option(True, DIACRITICS_HELP)
    order: int = option(1, "types are n-grams of orders 1 to this", between=(1, 99), key="ngram")
    unit: str = option(
        "word", "types are n-grams of words or of characters", choices=("word", "char"), key="unit"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.unit == "char" and self.tok != "13a":
            raise SpecError(f"{self.name}: unit=char uses no tokeniser, so tok={self.tok} has no effect")
        self._check_beta(self.beta)

    @property
    def label(self) -> str:
        return f"{self._average.capitalize()}F{self.beta:g}"

    def analysis(self, n_references: int | None = None) -> MacroF:
        """Counts of types are the same whatever is made of them."""
        how = (self.tok, self.lowercase, self.diacritics, self.order, self.unit)
        return MacroF(1.0, *how)

    def finds_words_in(self, language: str) -> bool:
        return self.unit == "char" or super().finds_words_in(language)

    def _tokenizer(self) -> tuple[str, Callable[[Lines], Lines] | None]:
        return ("char", None) if self.unit == "char" else super()._tokenizer()

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> TypeStatistics:
        return self._types(_native.type_rows, hypotheses, prepared, threads)

    def _total(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> TypeStatistics:
        return self._types(_native.type_total, hypotheses, prepared, threads)

    def _types(self, count: Any, hypotheses: Lines, prepared: Any, threads: int) -> TypeStatistics:
        lines, tokenizer = self._texts(hypotheses), self._tokenizer()[0]
        return TypeStatistics(count(lines, prepared, tokenizer, self.order, self.unit == "char", threads))

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
        return self.weighted_scorer(statistics)(weights, threads=threads)

    def weighted_scorer(self, statistics: Statistics) -> Callable[..., NDArray[np.float64]]:
        import numpy as np

        assert isinstance(statistics, TypeStatistics)
        resamples = _native.TypeResamples(statistics.rows, *self._options)

        def scores(weights: Any, *, threads: int = 1) -> NDArray[np.float64]:
            counts = as_weights(weights, len(statistics))
            return np.asarray(resamples.scores(counts, threads), dtype=np.float64)

        return scores

    def score_swapped(
        self, first: Any, second: Any, masks: Any, level: Level = "corpus", *, threads: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """As every metric's, from what differs between the two systems; sums are never held."""
        import numpy as np

        ours, theirs = _beside(first, second).swapped_scores(masks, *self._options, threads)
        return np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)

    def score_mixed(
        self, first: Any, second: Any, masks: Any, level: Level = "corpus", *, threads: int = 1
    ) -> NDArray[np.float64]:
        import numpy as np

        mixed = _beside(first, second).mixed_scores(masks, *self._options, threads)
        return np.asarray(mixed, dtype=np.float64)

    def score_exchanged(self, statistics: Any, *exchanges: Any) -> NDArray[np.float64]:
        """As every metric's; only the types of rows that go and come are looked at again."""
        import numpy as np

        begin, gone, come, marks = map(as_int64, exchanges)
        found = _native.exchanged_type_scores(statistics.rows, begin, gone, come, marks, *self._options)
        return np.asarray(found, dtype=np.float64)

    def swap_weights(self, systems: Sequence[Any], couples: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
        """As every metric's: from halfway between the two, all other segments have the mean of both systems' counts."""
        import numpy as np

        rows = [own.rows for own in systems]
        return np.asarray(_native.swap_weights(rows, couples, *self._options), dtype=np.int64)

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
        items = {"avg": self._average, "beta": f"{self.beta:.17g}"}
        items |= (case_items(self) | {"unit": "char"}) if self.unit == "char" else self.word_items()
        return items | {"ngram": str(self.order)}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        beta = items.get("beta") or items.get("label", "")[6:] or "1"
        return super().from_signature_items(items | {"beta": beta})


def _beside(first: TypeStatistics, second: TypeStatistics) -> _native.TypeRows:
    """The rows of two systems, one behind the other."""
    if len(first) != len(second):
        raise ValueError(f"cannot mix {len(first)} rows with {len(second)}")
    return first.concat(second).rows


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

    k: float = option(
        1.0, "added to the reference count of every type in its weight", between=(0, 1e6), key="k"
    )

    @property
    def _options(self) -> tuple[float, bool, float]:
        return self.beta, True, self.k

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return super().signature_items(level) | {"k": f"{self.k:.17g}"}
