"""Words that a metric would not miss: what it is asked is the score of a segment with each word left out.

A word that helps costs the segment something when it is left out. The loss is taken as a share of the largest loss in
its segment, so that metrics of any scale are treated alike: words whose loss is a smaller share than `LEAST` are
suspects, and so are two or three neighbouring words without which, together, the segment scores no worse than as it is,
and better than without any part of them. Suspects that are neighbours make one span. Any metric that scores segments
can be asked, by the ordinary way of measuring.
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

LEAST = 0.15  # of the largest loss in the segment; chosen by `python -m tools.span_suspects`
LONGEST = 3  # words left out together
_PIECE = 50_000  # texts measured at a time
_WORD = re.compile(r"\S+")
Span = tuple[int, int]
Scores = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Occluded:
    """The words of a text, and what the metric loses without runs of them: `losses[n - 1][i]` without n from i on."""

    words: tuple[Span, ...]
    losses: tuple[Scores, ...]

    def suspects(self, least: float = LEAST) -> npt.NDArray[np.bool_]:
        """Which words the metric would not miss."""
        if not self.words:
            return np.zeros(0, dtype=bool)
        single = self.losses[0]
        largest = float(single.max())
        if not largest > 0:  # nothing here helps: there is nothing to compare with
            return single < 0
        found = single < least * largest
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
    if metric.scope == "document":
        raise InputError(
            f"{metric.name} scores documents, not segments: it cannot say which words are at fault"
        )
    texts = [testset.systems[system][i] or "" for i in range(len(testset))]
    words = [tuple(found.span() for found in _WORD.finditer(text)) for text in texts]
    variants = [[text, *_without(text, own)] for text, own in zip(texts, words, strict=True)]
    for own, scores in zip(words, _scored(testset, metric, variants, threads), strict=True):
        losses, begin = [], 1
        for size in range(1, LONGEST + 1):
            number = max(0, len(own) - size + 1)
            losses.append(scores[0] - scores[begin : begin + number])
            begin += number
        yield Occluded(own, tuple(losses))


def _without(text: str, words: Sequence[Span]) -> Iterator[str]:
    """The text without each word, each two in a row, each three."""
    for size in range(1, LONGEST + 1):
        for i in range(len(words) - size + 1):
            before, behind = text[: words[i][0]].rstrip(), text[words[i + size - 1][1] :].lstrip()
            yield f"{before} {behind}".strip()


def _scored(
    testset: TestSet, metric: Metric, variants: Sequence[Sequence[str]], threads: int
) -> Iterator[Scores]:
    """Scores of all variants of each segment, higher ones better; what is undefined is worth nothing."""
    if metric.needs_whole_set:  # the references must be all of them, and each once: a system for each variant
        most = max(map(len, variants))
        rows = {str(k): as_lines([own[min(k, len(own) - 1)] for own in variants]) for k in range(most)}
        measured = measure(replace(testset, systems=rows, aliases={}), [metric], threads=threads)
        table = [_oriented(metric, measured.segment_scores(name, metric)) for name in rows]
        for i, own in enumerate(variants):
            yield np.array([table[k][i] for k in range(len(own))])
        return
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
