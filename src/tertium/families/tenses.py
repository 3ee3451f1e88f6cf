"""Tense sequences: whether a text tells its events in the tenses, and the order of tenses, of its reference."""

from __future__ import annotations

import dataclasses
import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium.families.base import Level, Metric, option
from tertium.families.parsed import ParsedMetric
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text.alignment import Links
from tertium.text.parses import Parsed

PARTS = ("f1", "precision", "recall")
COLUMNS: tuple[StatisticColumn, ...] = columns("same", "hypothesis", "reference")
_NOT_FINITE = ("Inf", "Part", "Ger", "Sup", "Conv", "Vnoun", "Gdv")
_VERBS = ("VERB", "AUX")


def tenses(parsed: Parsed) -> dict[int, str]:
    """The tense of each finite verb by its place: mood unless it is the indicative, tense, and `+` in compound tenses.

    A finite auxiliary of tense (relation `aux` or `aux:tense`) whose verb is a participle makes a compound tense.

    >>> features = ({"Tense": "Pres", "VerbForm": "Fin"}, {"Tense": "Past", "VerbForm": "Part"})
    >>> tenses(Parsed("a mangé", ("a", "mangé"), tags=("AUX", "VERB"), features=features, heads=(1, -1),
    ...     relations=("aux:tense", "root")))
    {0: 'Pres+'}
    """
    found: dict[int, str] = {}
    for place, (tag, features) in enumerate(zip(parsed.tags, parsed.features, strict=True)):
        form = features.get("VerbForm", "")
        named = "Tense" in features or "Mood" in features
        if tag not in _VERBS or form in _NOT_FINITE or not (form == "Fin" or named):
            continue
        mood = features.get("Mood", "Ind")
        name = f"{'' if mood == 'Ind' else mood}{features.get('Tense', '')}" or "Fin"
        head = parsed.heads[place]
        helping = parsed.relations[place] in ("aux", "aux:tense") and head >= 0
        found[place] = name + "+" * (helping and parsed.features[head].get("VerbForm") == "Part")
    return found


def common_length(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence, by bits of a number (after Hyyrö 2004).

    >>> common_length("abcbdab", "bdcaba")
    4
    """
    masks: dict[str, int] = {}
    for place, name in enumerate(one):
        masks[name] = masks.get(name, 0) | 1 << place
    whole = (1 << len(one)) - 1
    rows = whole
    for name in other:
        both = rows & masks.get(name, 0)
        rows = ((rows + both) | (rows - both)) & whole
    return len(one) - rows.bit_count()


@dataclass(frozen=True)
class Tenses(ParsedMetric):
    """The sequence of tenses of finite verbs against the reference's.

    >>> import tertium as tt
    >>> str(tt.metric("doc:tenses:by=links"))
    'doc:tenses:by=links'
    """

    name: ClassVar[str] = "doc:tenses"
    title: ClassVar[str] = (
        "the sequence of tenses of finite verbs, by its longest common subsequence (needs parses)"
    )
    formula: ClassVar[str] = (
        "m: the longest common subsequence of the tenses of finite verbs (by=links: linked finite verbs of the same\n"
        "tense), h and r: the finite verbs of hypothesis and reference. F1 = 2 m / (h + r), precision m / h,\n"
        "recall m / r; counts add over documents."
    )
    paper: ClassVar[str] = (
        "after Gojun and Fraser 2012 and Loáiciga, Meyer and Popescu-Belis 2014, which look at single verbs"
    )
    quirks: ClassVar[str] = (
        "A tense is mood, tense, and whether it is compound (with a parser that makes dependencies). Texts with few\n"
        "tenses have long common subsequences by chance."
    )
    perfect: ClassVar[float | None] = None  # 100 where there are finite verbs
    undefined: ClassVar[str] = "neither text has a finite verb"
    required: ClassVar[tuple[str, ...]] = ("parser",)
    layers: ClassVar[tuple[str, ...]] = ("tags", "features")

    by: str = option(
        "lcs", "lcs (longest common subsequence), links (aligned words)", choices=("lcs", "links"), key="by"
    )
    part: str = option("f1", ", ".join(PARTS), choices=PARTS, key="part?")

    @property
    def label(self) -> str:
        parts = [self.by] * (self.by != "lcs") + [self.part] * (self.part != "f1")
        return f"{self.name}[{' '.join(parts)}]" if parts else self.name

    @property
    def aligned(self) -> bool:  # type: ignore[override]
        return self.by == "links"

    def analysis(self, n_references: int | None = None) -> Metric:
        return dataclasses.replace(self, part="f1")  # of several references the one with the best F1 counts

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        rules = "compound" if "heads" in self._parser.layers else "simple"
        return super().signature_items(level) | {"tenses": rules}

    @property
    def _columns(self) -> tuple[StatisticColumn, ...]:
        return COLUMNS

    def _row(self, hypothesis: Parsed, reference: Parsed, links: Links) -> Sequence[int]:
        ours, theirs = tenses(hypothesis), tenses(reference)
        if self.by == "lcs":
            same = common_length(list(ours.values()), list(theirs.values()))
        else:
            same = sum(i in ours and ours[i] == theirs.get(j) for i, j in links)
        return same, len(ours), len(theirs)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        rows = zip(*(statistics.listed(column.name) for column in COLUMNS), strict=True)
        return array("d", [_part(self.part, *row) for row in rows])

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Precision, recall, and how many finite verbs both texts have."""
        row = [int(total.only(column.name)) for column in COLUMNS]
        found: dict[str, Any] = {part: _part(part, *row) for part in ("precision", "recall")}
        found = {name: None if math.isnan(value) else value for name, value in found.items()}
        return found | {"verbs": row[1], "reference verbs": row[2]}

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        parts = self.components(total, level)
        return " ".join(f"{name} = {value:.1f}" for name, value in parts.items() if isinstance(value, float))


def _part(part: str, same: int, ours: int, theirs: int) -> float:
    above, below = {
        "f1": (2 * same, ours + theirs),
        "precision": (same, ours),
        "recall": (same, theirs),
    }[part]
    return 100 * above / below if below else math.nan
