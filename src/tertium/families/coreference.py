"""Coreference preservation: whether a translation speaks of the same things again where its reference does."""

from __future__ import annotations

import dataclasses
import math
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from tertium import _native
from tertium._native import Forms, Lines, MentionChains, TextLinks
from tertium.errors import SpecError, did_you_mean
from tertium.families.base import Level, option
from tertium.families.parsed import SignsParser
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.stats.coreference import Agreement, Fraction
from tertium.text.alignment import Aligner, Links, PlainTexts
from tertium.text.coreference import CHAINS_HELP, RESOLVERS, OpenResolver, Resolved, resolver
from tertium.text.cut import Cut
from tertium.text.parsers import PARSER_HELP, OpenParser, parser
from tertium.text.segments import References

# Recall and precision of each, as fractions whose parts add: part and whole, twice.
FRACTIONS = ("b-cubed", "muc", "ceaf-m", "ceaf-e", "lea", "mentions", "links", "non-links")
RULES = "rules"  # the source of chains that needs no parses for names
_REAL = ("b-cubed", "ceaf-e", "lea")
_SIDES = ("recall", "key", "precision", "response")  # part, whole, part, whole
_MEANS = {"conll": ("muc", "b-cubed", "ceaf-e")}
MEASURES = (*FRACTIONS, "blanc", *_MEANS)
COLUMNS: tuple[StatisticColumn, ...] = columns(
    *(f"{name} {side}" for name in FRACTIONS for side in _SIDES),
    *("documents", "same"),
    real=[f"{name} {side}" for name in _REAL for side in ("recall", "precision")],
)


class _Read(NamedTuple):
    """Texts with their chains: cut by rule, or resolved over parses."""

    chains: MentionChains
    missing: list[bool]
    plain: PlainTexts | None
    resolved: Sequence[Resolved] = ()


@dataclass(frozen=True)
class Coreference(SignsParser):
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
        "Libovický, Brovelli and Cartoni 2018, section 3.2, https://aclanthology.org/2018.eamt-main.18; "
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
    chains: str = option(RULES, CHAINS_HELP, key="chains", file=True)
    parser: str = option("", PARSER_HELP, key="parser", file=True)
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
        made = self._parser.items() | self._resolver.items() | self._aligner.items()
        return super().signature_items(level) | made

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

    @property
    def _aligner(self) -> Aligner:
        return Aligner(lang=self.lang)

    def _read(self, texts: Sequence[str | None], forms: Forms) -> _Read:
        """Texts with their chains, as kernels take them. Names need no parses, and are found without them."""
        given = [text or "" for text in texts]
        if self.chains == RULES and not self._parser.layers:
            plain = PlainTexts.of(self._aligner, Cut.of(given, forms))
            chains = _native.repeated_names(plain.cut.numbered, 1 if self.singletons else 2)
            return _Read(chains, [text is None for text in texts], plain)
        found = self.resolved(given)
        chains = MentionChains([one.chains for one in found])
        return _Read(chains, [text is None for text in texts], None, found)

    def _prepare(self, references: References, threads: int) -> tuple[Forms, list[_Read]]:
        forms = Forms()
        return forms, [self._read(list(stream), forms) for stream in references.streams]

    def _rows(
        self, hypotheses: Lines, prepared: tuple[Forms, list[_Read]], sources: Lines | None, threads: int
    ) -> DenseStatistics:
        forms, streams = prepared
        own = self._read(list(hypotheses), forms)
        links = [self._linked(own, stream, threads) for stream in streams]
        rows = _native.coreference_rows(
            own.chains,
            [stream.chains for stream in streams],
            links,
            [stream.missing for stream in streams],
            self.match == "overlap",
        )
        return DenseStatistics(COLUMNS, rows)

    def _linked(self, own: _Read, reference: _Read, threads: int) -> TextLinks:
        if own.plain is not None and reference.plain is not None:
            return own.plain.links(reference.plain, threads)
        found: list[Links] = [()] * len(own.missing)
        linking = [
            i
            for i, (one, other) in enumerate(zip(own.resolved, reference.resolved, strict=True))
            if one.chains and other.chains
        ]  # else there is nothing to link
        sides = [[side.resolved[i].parsed for i in linking] for side in (own, reference)]
        for i, links in zip(linking, self._aligner.link_many(sides[0], sides[1], threads), strict=True):
            found[i] = links
        return TextLinks(found)

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
