"""Scores of the parts of a test set by name: by original language, and by what documents are about (`score -t -d`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

from tertium.families.base import Metric
from tertium.families.for_texts import ChosenMetrics
from tertium.io.testsets.subsets import About, SetPart, languages, subjects
from tertium.results import Result, metric_labels
from tertium.scoring import score
from tertium.testset import TestSet

if TYPE_CHECKING:
    from tertium.io.tables import Table


@dataclass(frozen=True)
class PartScore:
    """The scores of a system, a number for each metric, on the segments of a part."""

    system: str
    language: str  # that the documents were written in
    subject: str | None  # what they are about: politics, country:US, news; None: whatever it is
    segments: int
    scores: tuple[float | None, ...]


@dataclass(frozen=True)
class PartScores(Result):
    """Scores by original language and subject. Prints itself as a line for each part."""

    kind = "scores of parts"
    metrics: tuple[Metric, ...]
    parts: tuple[PartScore, ...]
    digits: int = 1

    def contents(self) -> Mapping[str, Any]:
        labels = metric_labels(self.metrics)
        return {
            "metrics": list(map(str, self.metrics)),
            "parts": [
                {
                    "system": own.system,
                    "origlang": own.language,
                    "subset": own.subject,
                    "segments": own.segments,
                    "scores": dict(zip(labels, own.scores, strict=True)),
                }
                for own in self.parts
            ],
        }

    def tables(self) -> tuple[Table, ...]:
        return (self.table(),) if self.parts else ()

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        columns = [
            Column("system"),
            Column("written in", "origlang"),
            Column("about", "subset"),
            number_column("segments", "segments", 0),
        ]
        for metric, label in zip(self.metrics, metric_labels(self.metrics), strict=True):
            columns.append(
                number_column(f"{label} {'↑' if metric.higher_is_better else '↓'}", label, self.digits)
            )
        rows = tuple(
            (own.system, own.language, own.subject or "all", own.segments, *own.scores) for own in self.parts
        )
        return Table("", tuple(columns), rows)

    def words(self) -> Iterator[str]:
        if not self.parts:
            yield "This test set does not say what languages its documents were written in."


def part_scores(
    texts: TestSet, about: Sequence[About], metrics: Sequence[Metric], *, threads: int = 1, digits: int = 1
) -> PartScores:
    """The scores of each original language, and of each subject within it; `about` says them of each segment."""
    found = []
    for language in languages(about):
        for subject in (None, *subjects(about)):
            wanted = SetPart(language, subject)
            keep = [wanted.keeps(own, wanted.expression) for own in about]
            places = list(compress(range(len(about)), keep))
            if not places:
                continue
            part = texts.take(places)
            given: Any = {
                "sources": part.sources,
                "documents": part.documents,
                "threads": threads,
                "force": True,
            }
            scores = score(part.systems, part.references, ChosenMetrics(tuple(metrics)), **given)
            for system in part.systems:
                values = tuple(scores[system, str(metric)].value for metric in metrics)
                found.append(PartScore(system, language, subject, len(places), values))
    return PartScores(tuple(metrics), tuple(found), digits)
