"""Term consistency: whether the same term of the source is the same term in the translation of a document."""

from __future__ import annotations

import hashlib
import math
import os
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, TypeVar

from tertium._native import Lines
from tertium.families.base import Level, Metric, option
from tertium.io.glossaries import read_glossary
from tertium.io.streams import check_readable
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text.alignment import Links
from tertium.text.crosslinks import align, cross_aligner, given_links
from tertium.text.cut import words_only
from tertium.text.parsers import PARSER_HELP, parser
from tertium.text.parses import Parsed
from tertium.text.segments import References
from tertium.text.term_choices import TermRows, TermTranslations, TermUse, Version
from tertium.text.terms import GlossaryFinder, Term, TermFinder

COLUMNS: tuple[StatisticColumn, ...] = columns(
    *("pairs", "same", "terms", "consistent", "occurrences", "translated", "listed")
)
Document = Sequence[Parsed]  # its segments
Made = TypeVar("Made")


@dataclass(frozen=True)
class Terms(Metric):
    """Repeated terms of the source whose translations are the same.

    >>> import tertium as tt
    >>> m = tt.metric("doc:terms:lang=de")
    >>> m.needs_source, m.needs_references
    (True, False)
    """

    name: ClassVar[str] = "doc:terms"
    title: ClassVar[str] = (
        "term consistency: the same source term, the same translation in a document (glossary=FILE)"
    )
    formula: ClassVar[str] = (
        "Of each source term that a document repeats, all pairs of translated occurrences are looked at: the score is\n"
        "the share of pairs with the same translation. Counts add over documents. part=glossary: the share of\n"
        "occurrences whose translation is listed."
    )
    paper: ClassVar[str] = (
        "Lyu et al. 2021, the lexical translation consistency ratio (LTCR), https://aclanthology.org/2021.emnlp-main.262"
    )
    quirks: ClassVar[str] = (
        "Terms, links and common words are found in the test set itself, so scores depend on all of it. Inflected\n"
        "forms and compounds are one translation; one that is linked only once counts as unknown."
    )
    perfect: ClassVar[float | None] = None  # a copy of the reference may vary
    undefined: ClassVar[str] = (
        "no term is repeated, or no translation of one was found twice (glossary: none occurs)"
    )
    scope: ClassVar[Any] = "document"
    needs_source: ClassVar[bool] = True
    needs_references: ClassVar[bool] = False
    needs_whole_set: ClassVar[bool] = True

    part: str = option(
        "consistency",
        "consistency (pairs with the same translation), glossary (occurrences as listed)",
        choices=("consistency", "glossary"),
        key="part",
    )
    lang: str = option("en", "language of the translations", key="lang")
    source_lang: str = option("en", "language of the sources", key="source-lang", aliases=("src",))
    glossary: str = option(
        "", "a table of terms and their translations (several: between |)", key="glossary?", file=True
    )
    alignments: str = option(
        "",
        "links between words: source, translation, 0-0 1-2; files separated by ;",
        key="alignments?",
        file=True,
    )
    source_parser: str = option("", f"of sources, {PARSER_HELP}", key="source-parser?", file=True)
    least: int = option(2, "occurrences in a document that make a term", between=(2, 1000), key="least?")
    words: int = option(4, "the longest term, in words", between=(1, 10), key="words?")

    @property
    def label(self) -> str:
        return self.name if self.part == "consistency" else f"{self.name}[{self.part}]"

    def analysis(self, n_references: int | None = None) -> Metric:
        return replace(self, part="consistency")

    def _needed(self) -> tuple[str, ...]:
        return ("glossary",) if self.part == "glossary" else ()

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = super().signature_items(level)
        if self.glossary:
            items["glossary-hash"] = _glossary(self.glossary)[1]
        if self.alignments:
            items["alignments-hash"] = given_links(self.alignments).hash
        if self.source_parser:
            own = parser(self.source_parser).items()
            items |= {f"source-{key}": value for key, value in own.items()}
        return items

    def _prepare(self, references: References, threads: int) -> _SourceTerms:
        return _SourceTerms()

    def finder(self, sources: Sequence[Document]) -> TermFinder | GlossaryFinder:
        """What finds terms in documents like these."""
        if self.glossary:
            return GlossaryFinder.of(_glossary(self.glossary)[0], self.source_lang)
        return TermFinder.over(sources, self.source_lang, least=self.least, words=self.words)

    def parsed_sources(self, documents: Sequence[Sequence[str]]) -> list[Document]:
        made = parser(self.source_parser)
        return [made.parse(segments) for segments in documents]

    def terms(self, sources: Sequence[Document]) -> list[list[Term]]:
        """The terms of each document."""
        finder = self.finder(sources)
        return [finder.terms(document) for document in sources]

    def uses(
        self,
        terms: Sequence[Sequence[Term]],
        sources: Sequence[Document],
        texts: Sequence[Sequence[Sequence[str]]],
    ) -> list[list[list[TermUse]]]:
        """What these terms become in each of several translations of the documents, segment by segment."""
        versions = []
        for own in texts:
            targets = [[words_only(text) for text in document] for document in own]
            versions.append(Version(sources, targets, self._links(sources, targets)))
        known = TermTranslations.over(versions, self.lang)
        return [
            [one.uses(*own) for own in zip(terms, *version, strict=True)]
            for one, version in zip(known, versions, strict=True)
        ]

    def _links(self, sources: Sequence[Document], targets: Sequence[Document]) -> list[list[Links]]:
        pairs = [pair for own in zip(sources, targets, strict=True) for pair in zip(*own, strict=True)]
        found = iter(align(pairs, cross_aligner(self.alignments)))
        return [[next(found) for _ in document] for document in sources]

    def _rows(
        self, hypotheses: Lines, prepared: _SourceTerms, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        assert sources is not None  # `needs_source`
        cut = [segments(source or "", text or "") for source, text in zip(sources, hypotheses, strict=True)]
        if not (self.glossary or self.source_parser):
            known = prepared.plain(self, [own for own, _ in cut])
            texts = [text for _, own in cut for text in own]
            return DenseStatistics(COLUMNS, known.rows(texts, self.lang, cross_aligner(self.alignments)))
        parsed, terms = prepared.of(self, [own for own, _ in cut])
        (found,) = self.uses(terms, parsed, [[text for _, text in cut]])
        return DenseStatistics.of_lists(COLUMNS, list(map(counts, found)))

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        names = ("same", "pairs") if self.part == "consistency" else ("listed", "occurrences")
        parts = zip(*map(statistics.listed, names), strict=True)
        return array("d", [100 * above / below if below else math.nan for above, below in parts])

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Terms translated twice or more, those with one translation; occurrences, translated and listed ones."""
        found: dict[str, Any] = {column.name: int(total.only(column.name)) for column in COLUMNS[2:]}
        if not self.glossary:
            del found["listed"]
        return found

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        return " ".join(f"{name} = {value}" for name, value in self.components(total, level).items())


class _SourceTerms:
    """Sources and their terms, which are the same for all systems: looked for once."""

    def __init__(self) -> None:
        self._last: tuple[Any, Any] | None = None

    def of(self, metric: Terms, documents: list[list[str]]) -> tuple[list[Document], list[list[Term]]]:
        """With parses, or by a glossary."""

        def read() -> tuple[list[Document], list[list[Term]]]:
            parsed = metric.parsed_sources(documents)
            return parsed, metric.terms(parsed)

        return self._once(metric, documents, read)

    def plain(self, metric: Terms, documents: list[list[str]]) -> TermRows:
        """As kernels take them."""

        def read() -> TermRows:
            texts = [text for document in documents for text in document]
            finder = TermFinder(metric.source_lang, metric.least, metric.words)
            return TermRows(texts, list(map(len, documents)), finder)

        return self._once(metric, documents, read)

    def _once(self, metric: Terms, documents: list[list[str]], read: Callable[[], Made]) -> Made:
        key = metric.signature_items(), documents
        last = self._last
        if last is None or last[0] != key:
            last = self._last = key, read()
        found: Made = last[1]
        return found


def segments(source: str, text: str) -> tuple[list[str], list[str]]:
    """Lines of both, if there are as many: they are the segments of a document; or else one of each."""
    ours, theirs = source.split("\n"), text.split("\n")
    return (ours, theirs) if len(ours) == len(theirs) else ([source], [text])


def counts(uses: Sequence[TermUse]) -> list[int]:
    """The row of a document."""
    row = dict.fromkeys((column.name for column in COLUMNS), 0)
    for use in uses:
        pairs, same = use.pairs
        row["pairs"] += pairs
        row["same"] += same
        row["terms"] += pairs > 0
        row["consistent"] += pairs > 0 and use.consistent
        row["occurrences"] += len(use.term.places)
        row["translated"] += sum(len(choice.occurrences) for choice in use.choices)
        row["listed"] += sum(len(choice.occurrences) for choice in use.choices if choice.listed)
    return list(row.values())


def _glossary(path: str) -> tuple[dict[str, tuple[str, ...]], str]:
    check_readable(path, path)
    return _read(path, os.stat(path).st_mtime_ns, os.stat(path).st_size)


@lru_cache(maxsize=4)
def _read(path: str, _time: int, _size: int) -> tuple[dict[str, tuple[str, ...]], str]:
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]
    return read_glossary(path), digest
