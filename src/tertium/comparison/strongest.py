"""The segments with the strongest favouritism, with their texts and a person's tags, for metrics side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from tertium.comparison.favouritism import Favouritism, measure_favouritism
from tertium.comparison.tags import Tagged, Tags
from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.io.escaping import one_line
from tertium.io.tables import Column, Table, Value, number_column
from tertium.measured import Measured
from tertium.results import Result, metric_labels
from tertium.testset import TestSet


@dataclass(frozen=True)
class Piece:
    """A run of words: as in the text it was compared with, or not."""

    text: str
    same: bool


def pieces(text: str, other: str) -> tuple[Piece, ...]:
    """A text in runs of words that also occur in another text, in the same order, and runs that do not.

    >>> [(p.text, p.same) for p in pieces("the cat sat on a mat", "the cat sat on the mat")]
    [('the cat sat on', True), ('a', False), ('mat', True)]
    """
    words, others = text.split(), other.split()
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    found: list[Piece] = []
    at = 0
    for block in matcher.get_matching_blocks():
        if block.a > at:
            found.append(Piece(" ".join(words[at : block.a]), False))
        if block.size:
            found.append(Piece(" ".join(words[block.a : block.a + block.size]), True))
        at = block.a + block.size
    return tuple(found)


def marked(parts: Iterable[Piece]) -> str:
    """Runs that differ in brackets, which need no colour to be seen.

    >>> marked(pieces("the cat sat on a mat", "the cat sat on the mat"))
    'the cat sat on [a] mat'
    """
    return " ".join(piece.text if piece.same else f"[{piece.text}]" for piece in parts)


@dataclass(frozen=True)
class StrongSegment:
    """A segment that strongly favours one system, by one metric."""

    segment: int  # from 1
    favouritism: float
    favoured: str
    others: tuple[float | None, ...]  # the favouritism by every metric, in their order
    source: str | None
    reference: str
    outputs: tuple[tuple[Piece, ...], tuple[Piece, ...]]  # words in the reference, in order, and others
    tags: tuple[Tagged, Tagged]


@dataclass(frozen=True, eq=False)
class StrongestSegments(Result):
    """The k strongest segments of each metric, side by side, as in table 7 of Gowda et al. 2021."""

    kind = "strongest segments"
    testset: TestSet
    systems: tuple[str, str]
    favouritisms: tuple[Favouritism, ...]  # one for each metric
    segments: tuple[tuple[StrongSegment, ...], ...]
    tags: Tags

    @property
    def metrics(self) -> tuple[Metric, ...]:
        return tuple(found.metric for found in self.favouritisms)

    @property
    def labels(self) -> list[str]:
        return metric_labels(self.metrics)

    def contents(self) -> Mapping[str, Any]:
        return {
            "systems": self.systems,
            "metrics": [
                {
                    "metric": found.metric,
                    "label": label,
                    "segments": [self._record(found, one) for one in own],
                    "judgement": self._judgement(own),
                }
                for found, label, own in zip(self.favouritisms, self.labels, self.segments, strict=True)
            ],
            "tags": self.tags,
        }

    def _record(self, by: Favouritism, found: StrongSegment) -> dict[str, Any]:
        return {
            "segment": found.segment,
            "favouritism": found.favouritism,
            "favoured": found.favoured,
            "benefits": {
                name: own[found.segment - 1] for name, own in zip(self.systems, by.benefits, strict=True)
            },
            "by_metric": dict(zip(self.metrics, found.others, strict=True)),
            "source": found.source,
            "reference": found.reference,
            "outputs": {
                name: [{"text": piece.text, "in_reference": piece.same} for piece in own]
                for name, own in zip(self.systems, found.outputs, strict=True)
            },
            "tags": {
                name: {"tags": own.tags, "meaning_altering": own.meaning_altering, "text": own.text()}
                for name, own in zip(self.systems, found.tags, strict=True)
            },
        }

    def _judgement(self, segments: Sequence[StrongSegment]) -> dict[str, int]:
        """Where a person has looked at both outputs: how often the favoured and the disfavoured alter meaning."""
        both = [found for found in segments if all(own.looked_at for own in found.tags)]
        favoured = [found.tags[self.systems.index(found.favoured)] for found in both]
        disfavoured = [found.tags[1 - self.systems.index(found.favoured)] for found in both]
        return {
            "tagged": len(both),
            "favoured_alters_meaning": sum(bool(own.meaning_altering) for own in favoured),
            "disfavoured_alters_meaning": sum(bool(own.meaning_altering) for own in disfavoured),
        }

    def table(self) -> Table:
        """Rank by rank: favouritism, favoured system and tags by each metric."""
        columns: list[Column] = [number_column("rank", digits=None)]
        for label in self.labels:
            columns += [
                number_column(f"δ {label}", f"{label} favouritism", 3),
                number_column("segment", f"{label} segment", None),
                Column("favours", f"{label} favours"),
                Column("tags", f"{label} tags"),
            ]
        rows: list[tuple[Value, ...]] = []
        for rank in range(max(map(len, self.segments), default=0)):
            row: list[Value] = [rank + 1]
            for own in self.segments:
                for one in own[rank : rank + 1]:
                    row += [one.favouritism, one.segment, one.favoured, self._tags(one)]
                row += [""] * (4 if rank >= len(own) else 0)
            rows.append(tuple(row))
        return Table(self._title, tuple(columns), tuple(rows), tuple(self._notes()))

    def texts(self, metric: str | Metric | None = None) -> Table:
        """The strongest segments of one metric (the first) with their texts.

        Words that the reference lacks, or has elsewhere, are in brackets.
        """
        which = 0 if metric is None else [str(m) for m in self.metrics].index(str(metric))
        sourced = self.testset.sources is not None
        columns = (
            number_column("segment", digits=None),
            *(number_column(f"δ {label}", f"{label} favouritism", 3) for label in self.labels),
            Column("favours"),
            *((Column("source"),) if sourced else ()),
            Column("reference"),
            *(Column(name) for name in self.systems),
            Column("tags"),
        )
        rows = tuple(
            (
                found.segment,
                *found.others,
                found.favoured,
                *((found.source,) if sourced else ()),
                found.reference,
                *(marked(own) for own in found.outputs),
                self._tags(found),
            )
            for found in self.segments[which]
        )
        title = f"{self._title}, by |δ {self.labels[which]}|"
        return Table(title, columns, rows, ("[...]: not in the reference, or in another place",))

    @property
    def _title(self) -> str:
        return f"Strongest favouritism: {self.systems[0]} against {self.systems[1]}"

    def _tags(self, found: StrongSegment) -> str:
        pairs = zip(self.systems, found.tags, strict=True)
        return "; ".join(f"{name}: {own.text()}" for name, own in pairs if own.looked_at)

    def _notes(self) -> list[str]:
        notes = [f"δ in points of {' and '.join(self.labels)}; positive favours {self.systems[0]}"]
        for label, own in zip(self.labels, self.segments, strict=True):
            if not own:
                notes.append(f"{label}: no segment favours either system")
            judged = self._judgement(own)
            if judged["tagged"]:
                notes.append(
                    f"{label}: of {judged['tagged']} tagged segments the disfavoured output alters the meaning in "
                    f"{judged['disfavoured_alters_meaning']}, the favoured one in {judged['favoured_alters_meaning']}"
                )
        if any(own.looked_at for found in self.segments for one in found for own in one.tags):
            notes.append("* alters the meaning")
        return notes

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        return f"{super().text(terminal=terminal, width=width)}\n\n{self.excerpts()}"

    def excerpts(self, metrics: int = 2, k: int = 3) -> str:
        """The texts of the k strongest segments of the first metrics, one below the other, for a terminal.

        Words that the reference lacks, or has elsewhere, are in brackets.
        """
        names = ["source", "reference", *self.systems, "tags"]
        width = max(map(len, names))
        blocks = []
        for label, own in list(zip(self.labels, self.segments, strict=True))[:metrics]:
            blocks.append(f"{self._title}, the first texts by {label}")
            for rank, found in enumerate(own[:k], 1):
                values = [
                    f"δ {other} {value:+.3f}"
                    for other, value in zip(self.labels, found.others, strict=True)
                    if value is not None
                ]
                lines = [f"{rank}. segment {found.segment} favours {found.favoured}: {', '.join(values)}"]
                texts = [found.source, found.reference, *map(marked, found.outputs), self._tags(found)]
                lines += [
                    f"   {name:<{width}}  {one_line(text)}"
                    for name, text in zip(names, texts, strict=True)
                    if text
                ]
                blocks.append("\n".join(lines))
        return "\n\n".join(blocks)

    def sheet(self) -> Tags:
        """Tags with an empty row for every output shown here that has none yet: `sheet().write(path, testset)`."""
        shown = dict.fromkeys(found.segment for own in self.segments for found in own)
        return self.tags.with_rows(shown, self.systems)


def strongest_segments(
    measured: Measured,
    metrics: Sequence[str | Metric] | None = None,
    systems: Sequence[str] | None = None,
    *,
    k: int = 10,
    tags: Tags | None = None,
) -> StrongestSegments:
    """The k segments that each metric (by default all that were measured) has the strongest opinion on.

    >>> from tertium import TestSet, measure
    >>> measured = measure(TestSet.sample(), ["macrof1", "bleu"], systems=["smooth", "literal"])
    >>> found = strongest_segments(measured, k=2)
    >>> [(one.segment, one.favoured) for one in found.segments[0]]
    [(54, 'smooth'), (47, 'literal')]
    """
    if k < 1:
        raise InputError(f"at least one segment must be shown, not {k}")
    chosen = [measured.metric(spec) for spec in (measured.metrics if metrics is None else metrics)]
    pair = measured.pair(systems)
    found = tuple(measure_favouritism(measured, metric, pair) for metric in chosen)
    known = Tags() if tags is None else tags
    testset = measured.testset
    references = testset.references.first
    values = [one.values for one in found]

    def segment(i: int, by: Favouritism) -> StrongSegment:
        reference = references[i] or ""
        outputs = [testset.systems[name][i] or "" for name in pair]
        others = [float(own[i]) for own in values]
        return StrongSegment(
            segment=i + 1,
            favouritism=float(by.values[i]),
            favoured=by.favoured(i) or "",
            others=tuple(None if value != value else value for value in others),
            source=None if testset.sources is None else testset.sources[i],
            reference=reference,
            outputs=(pieces(outputs[0], reference), pieces(outputs[1], reference)),
            tags=(known.get(i + 1, pair[0]), known.get(i + 1, pair[1])),
        )

    return StrongestSegments(
        testset=testset,
        systems=pair,
        favouritisms=found,
        segments=tuple(tuple(segment(i, by) for i in by.strongest(k)) for by in found),
        tags=known,
    )
