"""Metrics over two parsed texts, of documents or sentences: a hypothesis, a reference, links between their words."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar

from tertium._native import Lines
from tertium.families.base import Level, Metric, option
from tertium.statistics import DenseStatistics, StatisticColumn
from tertium.text.alignment import Aligner, Links
from tertium.text.parsers import PARSER_HELP, OpenParser, needed
from tertium.text.parses import Parsed
from tertium.text.segments import References

Row = Sequence[float]


@dataclass(frozen=True)
class SignsParser(Metric):
    """A metric whose signature says which parser it has, "none" where there is none."""

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        spec = items.get("parser", "none")
        return super().from_signature_items(items | {"parser": "" if spec == "none" else spec})


@dataclass(frozen=True)
class ParsedMetric(SignsParser):
    """What such metrics share: the parser, the aligner, and the best of several references.

    Subclasses say which layers they cannot do without, and write `_columns`, `_row` (or `_pair_rows`) and `_scores`.
    """

    scope: ClassVar[Any] = "document"
    layers: ClassVar[tuple[str, ...]] = ()
    aligned: ClassVar[bool] = True  # whether rows need links between words

    parser: str = option("", PARSER_HELP, key="parser", file=True)
    lang: str = option("en", "language of the texts: stems of the aligner, lists of words", key="lang")

    @property
    @abstractmethod
    def _columns(self) -> tuple[StatisticColumn, ...]:
        """The columns of a row."""

    def _row(self, hypothesis: Any, reference: Any, links: Links) -> Row:
        """The row of a pair of texts."""
        raise NotImplementedError

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = super().signature_items(level) | self._parser.items()
        return items | (Aligner(lang=self.lang).items() if self.aligned else {})

    @property
    def _parser(self) -> OpenParser:
        return needed(self.name, self.parser, self.layers)

    def _seen(self, texts: Sequence[str]) -> Sequence[Any]:
        """What rows are made of: parses, or what a metric without links needs of them."""
        return self._parser.parse(texts)

    def _prepare(self, references: References, threads: int) -> list[list[Any]]:
        streams = []
        for stream in references.streams:
            texts = list(stream)
            found = self._seen([text or "" for text in texts])
            streams.append([None if text is None else one for text, one in zip(texts, found, strict=True)])
        return streams

    def _rows(
        self, hypotheses: Lines, prepared: list[list[Any]], sources: Lines | None, threads: int
    ) -> DenseStatistics:
        own = self._seen([text or "" for text in hypotheses])
        rows: list[list[Row]] = [[] for _ in own]
        for stream in prepared:
            there = [(own[i], one) for i, one in enumerate(stream) if one is not None]
            found = iter(self._pair_rows(there, self._linked(there, threads), threads))
            for i, reference in enumerate(stream):
                if reference is not None:
                    rows[i].append(next(found))
        return DenseStatistics.of_lists(self._columns, self._best(rows))

    def _pair_rows(
        self, pairs: Sequence[tuple[Any, Any]], links: Iterator[Links], threads: int
    ) -> Iterable[Row]:
        """The row of each pair of texts, for metrics that had rather see them all."""
        return [self._row(*pair, next(links)) for pair in pairs]

    def _linked(self, pairs: Sequence[tuple[Parsed, Parsed]], threads: int) -> Any:
        if not self.aligned:
            return iter([()] * len(pairs))
        sides = [one for one, _ in pairs], [other for _, other in pairs]
        return iter(Aligner(lang=self.lang).link_many(*sides, threads))

    def _best(self, rows: Sequence[Sequence[Row]]) -> list[Row]:
        """For each text the row of the reference with which its analysis scores best; the first of several."""
        if all(len(own) == 1 for own in rows):
            return [own[0] for own in rows]
        flat = [row for own in rows for row in own]
        scored = iter(self.analysis()._scores(DenseStatistics.of_lists(self._columns, flat), "document"))
        best: list[Row] = []
        for own in rows:
            scores = [-1.0 if score != score else score for score in islice(scored, len(own))]
            best.append(own[scores.index(max(scores))] if own else [0] * len(self._columns))
        return best
