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
class ParsedMetric(Metric):
    """What such metrics share: the parser, the aligner, and the best of several references.

    Subclasses say which layers they cannot do without, and write `_columns`, `_row` (or `_pair_rows`) and `_scores`.
    """

    scope: ClassVar[Any] = "document"
    layers: ClassVar[tuple[str, ...]] = ()
    aligned: ClassVar[bool] = True  # whether rows need links between words

    parser: str = option("", PARSER_HELP, key="parser")
    lang: str = option("en", "language of the texts: stems of the aligner, lists of words", key="lang")

    @property
    @abstractmethod
    def _columns(self) -> tuple[StatisticColumn, ...]:
        """The columns of a row."""

    def _row(self, hypothesis: Any, reference: Any, links: Links) -> Row:
        """The row of a pair of texts."""
        raise NotImplementedError

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return super().signature_items(level) | self._parser.items()

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        spec = items.get("parser", "none")
        return super().from_signature_items(items | {"parser": "" if spec == "none" else spec})

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
        return iter(self._found(pairs, threads))

    def _found(self, pairs: Sequence[tuple[Parsed, Parsed]], threads: int) -> list[Links]:
        """Links of each pair; words of equal texts are their own counterparts."""
        others = [(one, other) for one, other in pairs if one.words != other.words]
        links = iter(
            Aligner(lang=self.lang).align_many(
                [one for one, _ in others], [other for _, other in others], threads
            )
        )
        return [
            tuple((i, i) for i in range(len(one))) if one.words == other.words else next(links)
            for one, other in pairs
        ]

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
