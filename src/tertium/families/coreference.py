"""Coreference preservation: whether a translation speaks of the same things again where its reference does."""

from __future__ import annotations

import dataclasses
import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from tertium._native import Lines
from tertium.errors import SpecError, did_you_mean
from tertium.families.base import Level, Metric, option
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.stats import coreference as measures
from tertium.stats.coreference import Agreement, Blanc, Fraction
from tertium.text.alignment import Aligner
from tertium.text.coreference import CHAINS_HELP, RESOLVERS, OpenResolver, Resolved, projected, resolver
from tertium.text.parsers import PARSER_HELP, OpenParser, parser
from tertium.text.segments import References

# Recall and precision of each, as fractions whose parts add: part and whole, twice.
FRACTIONS = ("b-cubed", "muc", "ceaf-m", "ceaf-e", "lea", "mentions", "links", "non-links")
_REAL = ("b-cubed", "ceaf-e", "lea")
_SIDES = ("recall", "key", "precision", "response")  # part, whole, part, whole
_MEANS = {"conll": ("muc", "b-cubed", "ceaf-e")}
MEASURES = (*FRACTIONS, "blanc", *_MEANS)
COLUMNS: tuple[StatisticColumn, ...] = columns(
    *(f"{name} {side}" for name in FRACTIONS for side in _SIDES),
    *("documents", "same"),
    real=[f"{name} {side}" for name in _REAL for side in ("recall", "precision")],
)


@dataclass(frozen=True)
class Coreference(Metric):
    """Chains of the hypothesis, projected to the reference, against the chains of the reference.

    >>> import tertium as tt
    >>> m = tt.metric("doc:coref:blanc")
    >>> m.score(["We met Ann Lee. Then Ann Lee left."], ["Here is Ann Lee. Then Ann Lee went."])
    100.0
    """

    name: ClassVar[str] = "doc:coref"
    title: ClassVar[str] = (
        "chains of mentions kept, by B-cubed, BLANC, MUC, CEAF or LEA (doc:coref:blanc; chains=...)"
    )
    formula: ClassVar[str] = (
        "Mentions of the hypothesis are projected to the reference through links between words; the chains of the\n"
        "reference are the key, the projected ones the response. Score: F1 of recall and precision, fractions whose\n"
        "parts add over documents; blanc: the mean of the F1 of links and of non-links; conll: of muc, b-cubed, ceaf-e."
    )
    paper: ClassVar[str] = (
        "Libovický, Brovelli and Cartoni 2018, section 3.2, https://aclanthology.org/2018.eamt-main.19; "
        "Luo et al. 2014, https://aclanthology.org/P14-2005"
    )
    quirks: ClassVar[str] = (
        "A projected mention stands for the one of the reference with which it shares most words, one to one; one\n"
        "without such a counterpart counts as a mention that the reference lacks. Several references: the one with\n"
        "the best B-cubed F1. Single mentions count, as far as the source of chains has them."
    )
    perfect: ClassVar[float | None] = None  # 100 where there are chains
    undefined: ClassVar[str] = "neither text has mentions (of muc and links: chains of two) to compare"
    scope: ClassVar[Any] = "document"

    measure: str = option(
        "b-cubed", f"{', '.join(MEASURES)} (also as doc:coref:blanc)", choices=MEASURES, key="measure"
    )
    chains: str = option("rules", CHAINS_HELP, key="chains")
    parser: str = option("", PARSER_HELP, key="parser")
    lang: str = option("en", "language of the aligner: its stems", key="lang")
    match: str = option(
        "overlap",
        "the mention of the reference that a projected one stands for: overlap (most shared words), exact",
        choices=("overlap", "exact"),
        key="match?",
    )
    singletons: bool = option(True, "whether things that are mentioned once count", key="singletons?")

    def __post_init__(self) -> None:
        super().__post_init__()
        RESOLVERS[self.chains.partition(":")[0]]

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Self:
        if value not in MEASURES:
            raise SpecError(f"{cls.name} has no measure {value!r}{did_you_mean(value, MEASURES)}")
        if "measure" in options:
            raise SpecError(f"{cls.name}:{value}: the measure is given twice")
        return cls.from_options({"measure": value, **options})

    @property
    def label(self) -> str:
        return f"{self.name}[{self.measure}]"

    @property
    def runs_programs(self) -> bool:  # type: ignore[override]
        return RESOLVERS[self.chains.partition(":")[0]].runs_programs

    def analysis(self, n_references: int | None = None) -> Coreference:
        return dataclasses.replace(self, measure=FRACTIONS[0])  # rows hold all measures

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return super().signature_items(level) | self._parser.items() | self._resolver.items()

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        spec = items.get("parser", "none")
        return super().from_signature_items(items | {"parser": "" if spec == "none" else spec})

    @property
    def _parser(self) -> OpenParser:
        return parser(self.parser)

    @property
    def _resolver(self) -> OpenResolver:
        return resolver(self.chains)

    def resolved(self, texts: Sequence[str | None]) -> list[Resolved]:
        """Texts with their chains; what is missing is an empty text."""
        found = self._resolver.resolve(self._parser.parse([text or "" for text in texts]))
        return found if self.singletons else [one.without_singletons() for one in found]

    def _prepare(self, references: References, threads: int) -> list[list[Resolved | None]]:
        streams = []
        for stream in references.streams:
            texts = list(stream)
            found = self.resolved(texts)
            streams.append([None if text is None else one for text, one in zip(texts, found, strict=True)])
        return streams

    def _rows(
        self, hypotheses: Lines, prepared: list[list[Resolved | None]], sources: Lines | None, threads: int
    ) -> DenseStatistics:
        own = self.resolved(list(hypotheses))
        best: list[tuple[float, list[float]]] = [(-1.0, [0] * len(COLUMNS))] * len(own)
        for stream in prepared:
            there = [(i, one) for i, one in enumerate(stream) if one is not None]
            linking = [
                (i, one) for i, one in there if own[i].chains and one.chains
            ]  # else there is nothing to link
            found = Aligner(lang=self.lang).align_many(
                [own[i].parsed for i, _ in linking], [one.parsed for _, one in linking], threads
            )
            links = dict(zip([i for i, _ in linking], found, strict=True))
            for i, reference in there:
                row = _row(reference, projected(own[i], reference, links.get(i, ()), self.match))
                value = Agreement(Fraction(*row[0:2]), Fraction(*row[2:4])).f1
                if value > best[i][0]:
                    best[i] = value, row
        return DenseStatistics.of_lists(COLUMNS, [row for _, row in best])

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        if self.measure == "blanc":
            return array("d", [100 * value for value in _blanc(statistics)])
        names = _MEANS.get(self.measure, (self.measure,))
        found = zip(*(_f1(statistics, name) for name in names), strict=True)
        return array("d", [100 * sum(values) / len(names) for values in found])

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Recall and precision, in percent; of several measures those of each."""
        names = {"blanc": ("links", "non-links"), **_MEANS}.get(self.measure, (self.measure,))
        found: dict[str, Any] = {}
        for name in names:
            before = f"{name} " if len(names) > 1 else ""
            parts = [total.only(f"{name} {side}") for side in _SIDES]
            found[f"{before}recall"] = 100 * parts[0] / parts[1] if parts[1] else None
            found[f"{before}precision"] = 100 * parts[2] / parts[3] if parts[3] else None
        return found

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        parts = self.components(total, level)
        return " ".join(f"{name} = {value:.1f}" for name, value in parts.items() if value is not None)


def _row(reference: Resolved, response: Sequence[Sequence[object]]) -> list[float]:
    key: Any = reference.chains
    found = measures.every(key, response)
    blanc = found["blanc"]
    assert isinstance(blanc, Blanc)
    found |= {"links": blanc.links, "non-links": blanc.others}
    row: list[float] = []
    for name in FRACTIONS:
        own = found[name]
        assert isinstance(own, Agreement)
        row += [*own.recall, *own.precision]
    return [*row, bool(key or response), blanc.same]


def _f1(statistics: DenseStatistics, name: str) -> list[float]:
    """Nothing of nothing is 0, as the CoNLL scorer has it; undefined where both sides have nothing."""
    parts = zip(*(statistics.listed(f"{name} {side}") for side in _SIDES), strict=True)
    return [
        Agreement(Fraction(part, key), Fraction(other, response)).f1 if key or response else math.nan
        for part, key, other, response in parts
    ]


def _blanc(statistics: DenseStatistics) -> Iterator[float]:
    """The mean over both kinds of links, or the one that the reference has; a single mention is there or not."""
    kinds = ("links", "non-links")
    f1s = zip(*(_f1(statistics, name) for name in kinds), strict=True)
    keys = zip(*(statistics.listed(f"{name} key") for name in kinds), strict=True)
    singles = zip(statistics.listed("documents"), statistics.listed("same"), strict=True)
    for values, there, (documents, same) in zip(f1s, keys, singles, strict=True):
        known = [value for value, key in zip(values, there, strict=True) if key]
        if known:
            yield sum(known) / len(known)
        else:
            yield float(same == documents) if documents else math.nan
