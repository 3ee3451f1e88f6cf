"""The family of metrics around BLEU that "BLEU Deconstructed" took apart: `bleu:PGBC4`, `bleu:RAC1`, `bleu:PABC4`..."""

from __future__ import annotations

import dataclasses
import itertools
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, option
from tertium.families.words import DIACRITICS_HELP, LOWERCASE_HELP, TokenMetric
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text import tokenizers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# as native/bleu_family.hpp has them
KINDS = ("clipped", "present", "recalled", "covered", "count", "reference_count")
_NAME = re.compile(r"([PRF])([GA])(B?)(C?)([1-9])(u?b?|bu)", re.IGNORECASE)
_SEGMENT_ALPHA = 1.0


@dataclass(frozen=True)
class Variant:
    """What the letters of a name say.

    >>> Variant.parse("PGBC4").clipped, Variant.parse("RAC1").brevity
    (True, False)
    """

    measure: str  # P, R or F
    geometric: bool
    brevity: bool
    clipped: bool
    order: int
    unsmoothed: bool  # u
    smooth_brevity: bool  # b

    @classmethod
    def parse(cls, name: str) -> Variant:
        found = _NAME.fullmatch(name)
        if not found:
            raise SpecError(
                f"bleu has no variant {name!r}: a name is P, R or F, then G or A, B (brevity penalty) and C (clipping) "
                "where wanted, the order 1 to 9, then u (unsmoothed) and b (smoothed brevity penalty), as in PGBC4"
            )
        measure, mean, brevity, clipping, order, suffix = found.groups()
        suffix = suffix.lower()
        if "b" in suffix and not brevity:
            raise SpecError(f"bleu:{name}: the final b smooths the brevity penalty, but there is no B")
        flags = mean.upper() == "G", bool(brevity), bool(clipping)
        return cls(measure.upper(), *flags, int(order), "u" in suffix, "b" in suffix)

    def __str__(self) -> str:
        letters = self.measure, "G" if self.geometric else "A", "B" * self.brevity, "C" * self.clipped
        return "".join(letters) + str(self.order) + "u" * self.unsmoothed + "b" * self.smooth_brevity


def variant_names(orders: Iterable[int] = (1, 2, 3, 4)) -> Iterator[str]:
    """All names without suffixes: 24 for each order.

    >>> len(list(variant_names())), next(variant_names())
    (96, 'PGBC1')
    """
    for order in orders:
        for letters in itertools.product("PRF", "GA", ("B", ""), ("C", "")):
            yield "".join(letters) + str(order)


@dataclass(frozen=True)
class DeconstructedBLEU(TokenMetric):
    """A variant of BLEU by its name: which ratio, which mean, with or without brevity penalty and clipping.

    >>> import tertium as tt
    >>> m = tt.metric("bleu:RAC1")
    >>> str(m), round(m.score_total(m.statistics(["the cat sat"], ["the cat sat down"])), 2)
    ('bleu:RAC1', 75.0)
    """

    name: ClassVar[str] = "bleu"
    title: ClassVar[str] = "a variant of BLEU Deconstructed by its name: bleu:PGBC4, bleu:RAC1, bleu:PABC4"
    formula: ClassVar[str] = (
        "score = [B] mean_n x_n,  n = 1..N (the digit);  mean: G geometric, A arithmetic;  x_n is\n"
        "P: P_n = (matches_n + a) / (hypothesis n-grams + a)\n"
        "R: R_n = (matches_n + a) / (reference n-grams + a),  against the reference of closest length\n"
        "F: F_n = 10 P_n R_n / (R_n + 9 P_n)\n"
        "C: an n-gram matches at most as often as the other side has it; without C as often as its own side has it\n"
        "B = min(1, exp(1 - r/c)),  with b: min(1, exp(1 - (r + a)/(c + a)))\n"
        "a = 1 for segments, 0 for documents and corpora, unless alpha is given;  u: a = 0 in x_n"
    )
    paper: ClassVar[str] = "Song, Cohn and Specia 2013, BLEU Deconstructed, IJCLA 4(2), 29-44"
    quirks: ClassVar[str] = (
        "Smoothing adds to all orders, unigrams too (smooth=lin-och: from bigrams on), and unless alpha is given only\n"
        "at segment level: PGBC4 of a corpus is bleu:smooth=none, of a segment add-one BLEU. An order for which a\n"
        "segment is too short has 0/0 n-grams: with smoothing that is 1, without 0. An empty hypothesis scores 0.\n"
        "One row serves all variants of the same tokeniser and case, up to order 9."
    )

    variant: str = option("PGBC4", "name of the variant: [PRF][GA]B?C?[1-9]u?b?")
    tok: str = option("13a", tokenizers.HELP, aliases=("tokenize",))
    lowercase: bool = option(False, LOWERCASE_HELP, aliases=("lc",))
    diacritics: bool = option(True, DIACRITICS_HELP)
    alpha: float | None = option(
        None, "added to matches and counts (default 1 for segments, nothing for documents and corpora)"
    )
    smooth: str = option("all", "the orders that alpha is added to", choices=("all", "lin-och"))

    def __post_init__(self) -> None:
        super().__post_init__()
        parsed = self._parsed
        object.__setattr__(self, "variant", str(parsed))
        if parsed.unsmoothed and self.smooth != "all":
            raise SpecError(f"bleu:{self.variant} is unsmoothed (u): smooth={self.smooth} has no effect")
        if self.alpha is not None:
            if not 0 < self.alpha <= 1e6:
                raise SpecError(
                    f"bleu: alpha must be above 0 and at most 1e+06, not {self.alpha} (unsmoothed is the suffix u)"
                )
            if parsed.unsmoothed and not parsed.smooth_brevity:
                raise SpecError(f"bleu:{self.variant} is unsmoothed (u): alpha has no effect")

    @property
    def _parsed(self) -> Variant:
        return Variant.parse(self.variant)

    @property
    def label(self) -> str:
        return f"BLEU[{self.variant}]"

    def analysis(self, n_references: int | None = None) -> DeconstructedBLEU:
        """Rows depend on the preparation of the text only."""
        return DeconstructedBLEU(tok=self.tok, lowercase=self.lowercase, diacritics=self.diacritics)

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        orders = range(1, _native.FAMILY_ORDER + 1)
        return columns("length", "reference_length", *(f"{kind}_{n}" for kind in KINDS for n in orders))

    def __str__(self) -> str:
        options = (pair for name, pair in self._given() if name != "variant")
        return ",".join([f"{self.name}:{self.variant}", *options])

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Self:
        given = cls.named(options)
        if "variant" in given:
            raise SpecError(f"bleu:{value} already names its variant")
        return cls.from_options({"variant": value, **given})

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return _native.bleu_family_rows(lines, references, tokenizer, threads)

    def _alpha(self, level: Level) -> float:
        """What smoothing adds at a level."""
        if self.alpha is not None:
            return self.alpha
        return _SEGMENT_ALPHA if level == "segment" else 0.0

    def _smoothing(self, level: Level) -> tuple[float, int]:
        """What is added to matches and counts, and from which order on."""
        added = 0.0 if self._parsed.unsmoothed else self._alpha(level)
        return added, 2 if self.smooth == "lin-och" else 1

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        parsed = self._parsed
        return _native.bleu_family_scores(
            statistics.data,
            parsed.measure,
            parsed.geometric,
            parsed.brevity,
            parsed.clipped,
            parsed.order,
            *self._smoothing(level),
            self._alpha(level) if parsed.smooth_brevity else 0.0,
        )

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """P, R or F of each order in percent, the penalty (1 without B), lengths, matches and counts."""
        parsed = self._parsed
        length, reference = int(total.only("length")), int(total.only("reference_length"))
        plus = self._alpha(level) if parsed.smooth_brevity else 0.0
        if length >= reference or not parsed.brevity:
            penalty = 1.0
        else:
            penalty = math.exp(1 - (reference + plus) / (length + plus)) if length + plus else 0.0

        def row(kind: str) -> list[int]:
            return [int(total.only(f"{kind}_{n}")) for n in range(1, parsed.order + 1)]

        how = parsed.measure, parsed.clipped, parsed.order, *self._smoothing(level)
        return {
            "terms": _native.bleu_family_terms(total.data, *how),
            "brevity_penalty": penalty,
            "hypothesis_length": length,
            "reference_length": reference,
            "precision_matches": row("clipped" if parsed.clipped else "present"),
            "recall_matches": row("recalled" if parsed.clipped else "covered"),
            "counts": row("count"),
            "reference_counts": row("reference_count"),
        }

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        parts = self.components(total, level)
        terms = "/".join(f"{term:.1f}" for term in parts["terms"])
        penalty = f"BP = {parts['brevity_penalty']:.3f} " if self._parsed.brevity else ""
        return (
            f"{terms} ({penalty}hyp_len = {parts['hypothesis_length']} ref_len = {parts['reference_length']})"
        )

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        alpha = self._alpha(level)
        items = {"variant": self.variant} | self.word_items() | {"alpha": repr(alpha) if alpha else "no"}
        return items if self.smooth == "all" else items | {"smooth": self.smooth}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Self:
        alpha = items.get("alpha", "no")
        return cls(
            variant=items["variant"],
            alpha=None if alpha == "no" else float(alpha),
            smooth=items.get("smooth", "all"),
            **cls.words_from(items),
        )


def family_scores(
    statistics: DenseStatistics, level: Level = "corpus", names: Iterable[str] | None = None
) -> dict[str, NDArray[np.float64]]:
    """The scores of many variants from the same rows, made by any member of the family; all 96 unless named.

    >>> import tertium as tt
    >>> rows = tt.metric("bleu:PGBC4").statistics(["the cat sat"], ["the cat sat down"])
    >>> scores = family_scores(rows)
    >>> len(scores), round(float(scores["RAC1"][0]), 1)
    (96, 75.0)
    """
    member = DeconstructedBLEU()
    if not isinstance(statistics, DenseStatistics) or statistics.columns != member.columns:
        raise SpecError("these rows were not made by a member of BLEU's family (bleu:PGBC4, bleu:RAC1...)")
    chosen = variant_names() if names is None else names
    return {name: dataclasses.replace(member, variant=name).score_rows(statistics, level) for name in chosen}
