"""ROUGE: n-grams, common subsequences and skip-bigrams, as rouge-score and (where asked) ROUGE 1.5.5 compute them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError, did_you_mean
from tertium.families.base import Level, Metric, option
from tertium.families.values import written
from tertium.families.words import NO_SEGMENTS, PART_HELP, PARTS, WordMetric, case_items, words_from
from tertium.statistics import DenseStatistics, StatisticColumn
from tertium.statistics import columns as named

KINDS = {"L": "subsequence", "Lsum": "summary", "W": "weighted", "S": "skip", "SU": "skip"}
VARIANTS = (*(str(n) for n in range(1, 10)), *KINDS)
_SKIP = re.compile(r"(S|SU)(\*|\d*)", re.IGNORECASE)
_MEANS = ("precision", "recall", "f")
_PAIRS = tuple(f"pairs_{name}" for name in _MEANS)  # of skip-bigrams without words, in the same rows
_SCORE = len(PARTS) * _native.DIGITS  # columns
_PLACES = {"P": 0, "R": _native.DIGITS, "F": 2 * _native.DIGITS}  # of the columns, in a row
_COLUMNS = named(*_MEANS, "segments", real=_MEANS)
_SKIP_COLUMNS = named(*_MEANS, *_PAIRS, "segments", real=(*_MEANS, *_PAIRS))


@dataclass(frozen=True)
class Rouge(WordMetric):
    """ROUGE: what hypothesis and reference have in common, as F, precision or recall.

    >>> import tertium as tt
    >>> m = tt.metric("rouge:L")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat lay on the mat"])), 2)
    83.33
    >>> str(tt.metric("rouge:su4"))
    'rouge:SU4'
    """

    name: ClassVar[str] = "rouge"
    title: ClassVar[str] = (
        "overlap of n-grams (1 to 9), common subsequences (L, Lsum, W) or skip-bigrams (S, SU)"
    )
    formula: ClassVar[str] = (
        "P = common units / units of the hypothesis, R = common units / units of the reference,\n"
        "F = (1 + b^2) P R / (b^2 P + R); units are n-grams (1 to 9), words of the longest common subsequence (L),\n"
        "skip-bigrams (S), skip-bigrams and words (SU). W: P = (WLCS / n^w)^(1/w), R = (WLCS / m^w)^(1/w), where k\n"
        "words in a row add k^w to WLCS. The corpus score is the mean of segment scores."
    )
    fewest_for_interval: ClassVar[int] = 5
    paper: ClassVar[str] = "Lin 2004, https://aclanthology.org/W04-1013"
    quirks: ClassVar[str] = (
        "Compares in lower case and drops everything but a-z and 0-9 (tok=rouge), so other scripts have no words.\n"
        "With several references a segment takes P, R and F of the one with the best F. Lsum reads line ends within\n"
        "a segment as ends of sentences; without any it is L. like=rouge-1.5.5 changes W (root before dividing,\n"
        "weighted length of the reference only, runs of the reference only) and SU (the last word is not counted)."
    )
    undefined: ClassVar[str] = NO_SEGMENTS
    variant: str = option(
        "1", "what is counted: 1 to 9, L, Lsum, W, S or SU (also as rouge:L)", choices=VARIANTS
    )
    tok: str = option(
        "rouge",
        "tokeniser: rouge (lower case, a-z and 0-9 only), or one of BLEU's: none, 13a, intl, char, zh...",
        aliases=("tokenize",),
    )
    stem: str = option(
        "none",
        "stemmer for words over three letters, with tok=rouge: none, nltk (as rouge-score), porter",
        choices=("none", "nltk", "porter"),
    )
    part: str = option("F", PART_HELP, choices=PARTS, key="part")
    beta: float = option(1.0, "weight of recall against precision in F")
    weight: float = option(1.2, "exponent of W for words in a row", aliases=("w",), between=(1, 10))
    skip: int | None = option(
        None,
        "maximum number of words between the two of a skip-bigram (none: no limit)",
        between=(0, 1_000_000),
    )
    like: str = option("paper", "how W and SU are computed", choices=("paper", "rouge-1.5.5"))

    def __post_init__(self) -> None:
        if self.tok == "rouge":
            Metric.__post_init__(self)
            object.__setattr__(self, "lowercase", False)  # it lower-cases anyway: one name for one metric
        else:
            super().__post_init__()
            if self.stem != "none":
                raise SpecError(f"rouge: stem={self.stem} works with tok=rouge only")
        if self.variant == "Lsum" and self.tok not in ("rouge", "none"):
            raise SpecError("rouge: Lsum needs line ends, which only tok=rouge and tok=none keep")
        self._check_beta(self.beta)
        self._only("weight", ("W",))
        self._only("skip", ("S", "SU"))
        self._only("like", ("W", "SU"))
        if self.variant == "W" and self.like == "rouge-1.5.5":
            object.__setattr__(self, "perfect", None)  # equal texts score less, the longer the less

    def _only(self, field_name: str, variants: tuple[str, ...]) -> None:
        field = next(f for f in dataclasses.fields(self) if f.name == field_name)
        if getattr(self, field_name) != field.default and self.variant not in variants:
            raise SpecError(
                f"rouge: {field_name} is for {' and '.join(variants)} only, not for {self.variant}"
            )

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Self:
        options = cls.named(options)
        known = {variant.lower(): variant for variant in VARIANTS}
        skip = _SKIP.fullmatch(value)
        if "variant" in options or (skip and skip[2] and "skip" in options):
            raise SpecError(f"rouge:{value}: the variant is given twice")
        if skip:
            options["variant"] = skip[1].upper()
            if skip[2].isdigit():
                options["skip"] = skip[2]
        elif value.lower() in known:
            options["variant"] = known[value.lower()]
        else:
            raise SpecError(f"rouge has no variant {value!r}{did_you_mean(value, VARIANTS)}")
        return cls.from_options(options)

    def __str__(self) -> str:
        options = super().__str__().partition(":")[2].split(",")
        kept = [pair for pair in options if pair and not pair.startswith(("variant=", "skip="))]
        return ",".join([f"rouge:{self._short}", *kept])

    @property
    def _short(self) -> str:
        return self.variant if self.skip is None else f"{self.variant}{self.skip}"

    @property
    def label(self) -> str:
        return f"ROUGE-{self._short}" + ("*" if self.variant in ("S", "SU") and self.skip is None else "")

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        return _SKIP_COLUMNS if self.variant in ("S", "SU") else _COLUMNS

    def analysis(self, n_references: int | None = None) -> Rouge:
        variant = "SU" if self.variant == "S" else self.variant
        return dataclasses.replace(
            self, part="F", variant=variant
        )  # rows hold all three parts, and S beside SU

    def finds_words_in(self, language: str) -> bool:
        return self.tok != "rouge" and super().finds_words_in(language)

    def _tokenizer(self) -> tuple[str, Callable[[Lines], Lines] | None]:
        if self.tok != "rouge":
            return super()._tokenizer()
        return ("rouge" if self.stem == "none" else f"rouge-{self.stem}"), None

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return _native.rouge_rows(
            lines,
            references,
            tokenizer,
            kind=KINDS.get(self.variant, "ngrams"),
            order=1 if self.variant in KINDS else int(self.variant),
            beta=self.beta,
            weight=self.weight,
            gap=-1 if self.skip is None else self.skip,
            original=self.like == "rouge-1.5.5",
            threads=threads,
        )

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.mean_scores(statistics.data, _PLACES[self.part] + _SCORE * (self.variant == "S"))

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Mean precision, recall and F, in percent."""
        n = total.only("segments")
        shown = _PAIRS if self.variant == "S" else _MEANS
        return {
            name: 100 * total.only(own) / n if n else None for name, own in zip(_MEANS, shown, strict=True)
        }

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        parts = self.components(total, level)
        return " ".join(f"{k} = {v:.1f}" for k, v in zip("PRF", parts.values(), strict=True) if v is not None)

    def word_items(self) -> dict[str, str]:
        if self.tok != "rouge":
            return super().word_items()
        items = case_items(self) | {"case": "lc", "tok": "rouge"}
        return items if self.stem == "none" else items | {"stem": self.stem}

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = {"type": self._short} | self.word_items() | {"part": self.part}
        if self.beta != 1.0:
            items["beta"] = written(self.beta)
        if self.variant == "W":
            items["w"] = written(self.weight)
        return items if self.like == "paper" else items | {"like": self.like}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Self:
        given = {"stem": "stem", "part": "part", "beta": "beta", "w": "weight", "like": "like"}
        options = {name: items[key] for key, name in given.items() if key in items}
        variant = items.get("type") or items.get("label", "rouge-1").removeprefix("rouge-")
        return cls.from_value(variant, words_from(items, "rouge") | options)
