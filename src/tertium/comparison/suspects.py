"""Words that a metric would not miss: it is asked for the score of a segment, or a document, with each word left out.

A word that helps costs the segment something when it is left out. The loss is taken as a share of the largest loss in
its segment, so that metrics of any scale are treated alike: words whose loss is a smaller share than `LEAST` are
suspects, and so are two or three neighbouring words without which, together, the segment scores no worse than as it is,
and better than without any part of them. Suspects that are neighbours make one span. Any metric can be asked, by the
ordinary way of measuring. One that scores documents is asked for the score of the document, and its losses are shares
of the largest in the document. Many such metrics look at a few words only: if without most words nothing changes, those
are no suspects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.measuring import measure, metrics_named
from tertium.progress import steps
from tertium.testset import TestSet
from tertium.text.segments import References, as_lines
from tertium.text.units import numbered

LEAST = 0.15  # of the largest loss in the segment; chosen by `python -m tools.span_suspects`
LONGEST = 3  # words left out together
_PIECE = 50_000  # texts measured at a time
_CHARACTERS = 20_000_000  # of whole sets of texts, measured at a time
_WORD = re.compile(r"\S+")
Span = tuple[int, int]
Scores = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Occluded:
    """The words of a text, and what the metric loses without runs of them: `losses[n - 1][i]` without n from i on.

    Where the metric scores documents, `largest` is the largest loss in the document, and with `sparing` it looks at
    few of its words.
    """

    words: tuple[Span, ...]
    losses: tuple[Scores, ...]
    largest: float | None = None
    sparing: bool = False

    def suspects(self, least: float = LEAST) -> npt.NDArray[np.bool_]:
        """Which words the metric would not miss."""
        if not self.words:
            return np.zeros(0, dtype=bool)
        single = self.losses[0]
        largest = float(single.max()) if self.largest is None else self.largest
        if not largest > 0:  # nothing here helps: there is nothing to compare with
            return single < 0
        found = single < least * largest
        if self.sparing:
            found &= single != 0
        parts = single  # the least loss without any part of a run
        for size, together in enumerate(self.losses[1:], 2):
            parts = np.minimum(parts[:-1], parts[1:])
            for start in np.flatnonzero((together <= 0) & (together < parts)).tolist():
                found[start : start + size] = True
            parts = np.minimum(parts, together)
        return np.asarray(found)

    def spans(self, least: float = LEAST) -> tuple[Span, ...]:
        """Suspects, joined with their neighbours: first and last character (behind it)."""
        found: list[Span] = []
        before = False
        for (start, end), suspect in zip(self.words, self.suspects(least).tolist(), strict=True):
            if suspect and before:
                found[-1] = (found[-1][0], end)
            elif suspect:
                found.append((start, end))
            before = suspect
        return tuple(found)


def suspect_spans(
    testset: TestSet, metric: str | Metric, systems: Sequence[str] | None = None, *, threads: int = 1
) -> dict[str, list[tuple[Span, ...]]]:
    """For each system and segment the words that the metric would not miss, as spans of characters.

    >>> texts = TestSet.of(["The ship lay at anchor."], {"A": ["The sheep lay at anchor."]})
    >>> suspect_spans(texts, "ter")
    {'A': [((4, 9),)]}
    """
    names = list(testset.systems) if systems is None else list(systems)
    [chosen] = metrics_named(metric)
    return {name: [one.spans() for one in occluded(testset, chosen, name, threads=threads)] for name in names}


def occluded(testset: TestSet, metric: Metric, system: str, *, threads: int = 1) -> Iterator[Occluded]:
    """What the metric loses in each segment of a system without each word, and without two and three in a row."""
    texts = [testset.systems[system][i] or "" for i in range(len(testset))]
    words = [tuple(found.span() for found in _WORD.finditer(text)) for text in texts]
    if metric.scope == "document":
        yield from _in_documents(testset, metric, texts, words, threads)
        return
    variants = [[text, *_without(text, own)] for text, own in zip(texts, words, strict=True)]
    scored = _by_systems if metric.needs_whole_set else _by_pieces
    for own, scores in zip(words, scored(testset, metric, variants, threads), strict=True):
        yield Occluded(own, _losses(own, scores[0], scores[1:]))


def _losses(words: Sequence[Span], whole: float, scores: Scores) -> tuple[Scores, ...]:
    """Scores without one, two and three words, as losses."""
    sizes = [max(0, len(words) - size + 1) for size in range(1, LONGEST + 1)]
    return tuple(whole - own for own in np.split(scores, np.cumsum(sizes)[:-1]))


def _in_documents(
    testset: TestSet, metric: Metric, texts: Sequence[str], words: Sequence[tuple[Span, ...]], threads: int
) -> Iterator[Occluded]:
    """The same by a metric of documents: the score of the document without words of one of its segments."""
    if testset.documents is None:
        raise InputError(f"{metric.name} scores whole documents: every segment needs the id of its document")
    groups = numbered(testset.documents)
    places: list[list[int]] = [[] for _ in range(max(groups, default=-1) + 1)]
    for i, group in enumerate(groups):
        places[group].append(i)
    changes = [
        [(own[0], texts[own[0]]), *((i, text) for i in own for text in _without(texts[i], words[i]))]
        for own in places
    ]
    found: dict[int, Occluded] = {}
    for own, scores in zip(
        places, _by_documents(testset, metric, texts, places, changes, threads), strict=True
    ):
        ends = np.cumsum([sum(1 for _ in _without(texts[i], words[i])) for i in own])[:-1]
        parts = np.split(scores[1:], ends)
        losses = {i: _losses(words[i], scores[0], part) for i, part in zip(own, parts, strict=True)}
        single = np.concatenate([losses[i][0] for i in own])
        largest, sparing = (
            float(single.max(initial=0.0)),
            bool(np.mean(single == 0) > 0.5) if len(single) else False,
        )
        found |= {i: Occluded(words[i], losses[i], largest, sparing) for i in own}
    yield from (found[i] for i in range(len(texts)))


def _without(text: str, words: Sequence[Span]) -> Iterator[str]:
    """The text without each word, each two in a row, each three."""
    for size in range(1, LONGEST + 1):
        for i in range(len(words) - size + 1):
            before, behind = text[: words[i][0]].rstrip(), text[words[i + size - 1][1] :].lstrip()
            yield f"{before} {behind}".strip()


def _by_pieces(
    testset: TestSet, metric: Metric, variants: Sequence[Sequence[str]], threads: int
) -> Iterator[Scores]:
    """Scores of all variants of each segment, higher ones better; what is undefined is worth nothing."""
    for begin, end in steps(list(_pieces(variants)), "parts"):
        places = [i for i in range(begin, end) for _ in variants[i]]
        part = TestSet(
            testset.name,
            References(
                tuple(
                    as_lines([stream[i] for i in places], missing=True)
                    for stream in testset.references.streams
                )
            ),
            {"": as_lines([text for own in variants[begin:end] for text in own])},
            None if testset.sources is None else as_lines([testset.sources[i] or "" for i in places]),
        )
        measured = measure(part, [metric], threads=threads)
        scores = _oriented(metric, measured.segment_scores("", metric))
        yield from np.split(scores, np.cumsum([len(own) for own in variants[begin : end - 1]]))


def _by_systems(
    testset: TestSet, metric: Metric, variants: Sequence[Sequence[str]], threads: int
) -> Iterator[Scores]:
    """The same where the references must be all of them, and each once: a system for each variant."""
    places = [[i] for i in range(len(variants))]
    changes = [[(i, text) for text in own] for i, own in enumerate(variants)]
    texts = [own[0] for own in variants]
    yield from _by_documents(testset, metric, texts, places, changes, threads)


def _by_documents(
    testset: TestSet,
    metric: Metric,
    texts: Sequence[str],
    places: Sequence[Sequence[int]],
    changes: Sequence[Sequence[tuple[int, str]]],
    threads: int,
) -> Iterator[Scores]:
    """Scores of documents (or of segments) with each change; as many systems at a time as memory should hold."""
    found = [np.zeros(len(own)) for own in changes]
    for chosen, numbers in steps(list(_batches(texts, places, changes, metric.needs_whole_set)), "parts"):
        segments = sorted(i for group in chosen for i in places[group])
        where = {i: place for place, i in enumerate(segments)}
        systems = {}
        for k in numbers:
            lines = [texts[i] for i in segments]
            for group in chosen:
                i, text = changes[group][k] if k < len(changes[group]) else changes[group][0]
                lines[where[i]] = text
            systems[str(k)] = as_lines(lines)
        part = replace(testset.take(segments), systems=systems, aliases={})
        measured = measure(part, [metric], threads=threads)
        for k in numbers:
            scores = _oriented(metric, measured.segment_scores(str(k), metric))
            for group in chosen:
                if k < len(changes[group]):
                    found[group][k] = scores[where[places[group][0]]]
    yield from found


def _batches(
    texts: Sequence[str],
    places: Sequence[Sequence[int]],
    changes: Sequence[Sequence[tuple[int, str]]],
    whole: bool,
) -> Iterator[tuple[list[int], range]]:
    """Documents (all of them, if they must be) and the numbers of changes to look at together."""
    sizes = [sum(len(texts[i]) for i in own) for own in places]
    begin, most = 0, max(map(len, changes), default=0)
    while begin < most:
        chosen = [group for group, own in enumerate(changes) if whole or len(own) > begin]
        end = min(most, begin + max(1, _CHARACTERS // max(1, sum(sizes[group] for group in chosen))))
        if not whole:  # those that have fewer changes would be measured for nothing
            end = min(end, max(begin + 1, min(len(changes[group]) for group in chosen)))
        yield chosen, range(begin, end)
        begin = end


def _oriented(metric: Metric, scores: Scores) -> Scores:
    found = metric.oriented(scores)
    return np.where(np.isnan(found), 0.0, found)


def _pieces(variants: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """First and last segment (behind it) of parts with not too many texts."""
    begin = size = 0
    for i, own in enumerate(variants):
        if size and size + len(own) > _PIECE:
            yield begin, i
            begin, size = i, 0
        size += len(own)
    yield begin, len(variants)
