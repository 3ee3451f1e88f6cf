"""Morphology preservation: whether words keep the gender, number and tense that their counterparts have."""

from __future__ import annotations

import dataclasses
import math
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from tertium.errors import SpecError
from tertium.families.base import Level, Metric, option
from tertium.families.parsed import ParsedMetric
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text.alignment import Links
from tertium.text.parses import Parsed

USUAL = "Gender@PRON+Number@PRON+Gender@VERB/AUX+Tense@VERB/AUX+Number@VERB/AUX"
PARTS = ("f1", "precision", "recall", "accuracy")
_COUNTS = ("same", "hypothesis", "reference", "agreeing", "linked")
_CATEGORY = re.compile(r"([A-Za-z][\w\[\]]*)(?:@([A-Za-z]+(?:/[A-Za-z]+)*))?")


class Category(NamedTuple):
    """A feature of Universal Dependencies, and the tags of the words whose feature it is; none: all words."""

    feature: str
    tags: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str) -> Category:
        found = _CATEGORY.fullmatch(text)
        if found is None:
            raise SpecError(
                f"doc:morph: {text!r} is not a feature with tags, such as Tense@VERB or Number@VERB/AUX"
            )
        return cls(found[1], tuple(tag.upper() for tag in (found[2] or "").split("/") if tag))

    def __str__(self) -> str:
        return self.feature + f"@{'/'.join(self.tags)}" * bool(self.tags)

    def values(self, parsed: Parsed) -> list[frozenset[str] | None]:
        """Of each word its values (none of those that have none), or None where its tag is another.

        >>> parsed = Parsed("he was", ("he", "was"), tags=("PRON", "AUX"), features=({}, {"Tense": "Past"}))
        >>> Category.of("Tense@AUX").values(parsed)
        [None, frozenset({'Past'})]
        """
        return [
            frozenset(features[self.feature].split(",") if self.feature in features else ())
            if tag in self.tags or not self.tags
            else None
            for tag, features in zip(parsed.tags, parsed.features, strict=True)
        ]


def counts(
    category: Category, hypothesis: Parsed, reference: Parsed, links: Links, *, original: bool = False
) -> tuple[int, ...]:
    """`_COUNTS` of a pair of texts. What neither of two words has is counted only as the paper does (`original`)."""
    ours, theirs = category.values(hypothesis), category.values(reference)
    counted = [sum(v is not None and bool(v or original) for v in side) for side in (ours, theirs)]
    same = agreeing = linked = 0
    for i, j in links:
        mine, own = ours[i], theirs[j]
        if mine and own:
            equal = bool(mine & own)
            same, agreeing, linked = same + equal, agreeing + equal, linked + 1
        elif mine or own:
            linked += 1
        elif original:
            same += mine is not None and own is not None
            agreeing, linked = agreeing + 1, linked + 1
    return same, counted[0], counted[1], agreeing, linked


@dataclass(frozen=True)
class Morphology(ParsedMetric):
    """Features of aligned words that are the same in hypothesis and reference.

    >>> import tertium as tt
    >>> str(tt.metric("doc:morph:Tense@VERB,part=accuracy"))
    'doc:morph:of=Tense@VERB,part=accuracy'
    """

    name: ClassVar[str] = "doc:morph"
    title: ClassVar[str] = "morphology kept by aligned words: gender, number, tense (doc:morph:Tense@VERB)"
    formula: ClassVar[str] = (
        "A word has a category (Tense@VERB) if it has the tag and the feature; m is the number of linked pairs with a\n"
        "value in common, h and r the words of hypothesis and reference that have the category. F1 = 2 m / (h + r),\n"
        "precision m / h, recall m / r; accuracy: m over the linked pairs of which at least one word has it. Of\n"
        "several categories, counts are added; counts add over documents."
    )
    paper: ClassVar[str] = (
        "Libovický, Brovelli and Cartoni 2018, section 3.2, https://aclanthology.org/2018.eamt-main.18"
    )
    quirks: ClassVar[str] = (
        "Auxiliaries are verbs (VERB/AUX) unless one says otherwise: in Universal Dependencies they carry tense.\n"
        "like=original counts pairs that both lack the feature as equal, as the paper's table 2 does."
    )
    perfect: ClassVar[float | None] = None  # 100 where there are such words
    undefined: ClassVar[str] = "no word has the features that are compared (or, of accuracy, no linked one)"
    required: ClassVar[tuple[str, ...]] = ("parser",)
    layers: ClassVar[tuple[str, ...]] = ("tags", "features")

    of: str = option(USUAL, "features with tags, joined by +: Tense@VERB+Number@VERB/AUX", key="of")
    part: str = option("f1", ", ".join(PARTS), choices=PARTS, key="part")
    like: str = option(
        "", "original: what both words lack counts as the same", choices=("", "original"), key="like?"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        written = [str(category) for category in self.categories]
        for text in written:
            if written.count(text) > 1:
                raise SpecError(f"doc:morph: {text} is given twice")
        object.__setattr__(self, "of", "+".join(written))

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Self:
        if "of" in options:
            raise SpecError(f"{cls.name}:{value}: the features are given twice")
        return cls.from_options({"of": value, **options})

    @property
    def categories(self) -> tuple[Category, ...]:
        return tuple(Category.of(text) for text in self.of.split("+"))

    @property
    def label(self) -> str:
        parts = [self.of] * (self.of != USUAL) + [self.part] * (self.part != "f1")
        return f"{self.name}[{' '.join(parts)}]" if parts else self.name

    def analysis(self, n_references: int | None = None) -> Metric:
        return dataclasses.replace(self, part="f1")  # of several references the one with the best F1 counts

    @property
    def _columns(self) -> tuple[StatisticColumn, ...]:
        return columns(*(f"{category} {count}" for category in self.categories for count in _COUNTS))

    def _row(self, hypothesis: Parsed, reference: Parsed, links: Links) -> Sequence[int]:
        original = self.like == "original"
        return [
            count
            for category in self.categories
            for count in counts(category, hypothesis, reference, links, original=original)
        ]

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        sums = {
            name: [
                sum(own)
                for own in zip(*(statistics.listed(f"{c} {name}") for c in self.categories), strict=True)
            ]
            for name in _COUNTS
        }
        rows = zip(*sums.values(), strict=True)
        return array("d", [_part(self.part, *row) for row in rows])

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """F1 and accuracy of each category, in percent, and how many words of the reference have it."""
        found: dict[str, Any] = {}
        for category in self.categories:
            own = [int(total.only(f"{category} {name}")) for name in _COUNTS]
            for part in ("f1", "accuracy"):
                value = _part(part, *own)
                found[f"{category} {part}"] = None if math.isnan(value) else value
            found[f"{category} words"] = own[_COUNTS.index("reference")]
        return found

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        parts = self.components(total, level)
        kept = {
            str(c): parts[f"{c} {self.part if self.part == 'accuracy' else 'f1'}"] for c in self.categories
        }
        return " ".join(f"{name} = {value:.1f}" for name, value in kept.items() if value is not None)


def _part(part: str, same: int, hypothesis: int, reference: int, agreeing: int, linked: int) -> float:
    above, below = {
        "f1": (2 * same, hypothesis + reference),
        "precision": (same, hypothesis),
        "recall": (same, reference),
        "accuracy": (agreeing, linked),
    }[part]
    return 100 * above / below if below else math.nan
