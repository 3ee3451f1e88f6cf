"""Paragraphs of about so many words, cut at sentence ends (180 words show what crosses sentences)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tertium.human.campaigns.segments import Segment

_SENTENCE_END = re.compile(r"[.!?…。！？؟।]['\"”’»)\]]*$")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def paragraphs(segments: Sequence[Segment], words: int = 180) -> list[Segment]:
    """Neighbouring segments of a document joined to paragraphs of about `words` words of the reference.

    A paragraph ends where a sentence ends, as close to the desired length as possible; what remains of a document, if
    it is less than half a paragraph, belongs to the one before it.

    >>> one = [Segment(str(i), {"A": f"word {i}."}, reference=f"some word {i}.", document="d") for i in range(1, 5)]
    >>> [(found.id, found.reference) for found in paragraphs(one, 6)]
    [('1-2', 'some word 1. some word 2.'), ('3-4', 'some word 3. some word 4.')]
    """
    found = []
    for run in _documents(segments):
        groups: list[list[Segment]] = []
        current: list[Segment] = []
        length = 0
        for segment in run:
            own = word_count(segment.reference or segment.source)
            ended = bool(current) and bool(_SENTENCE_END.search(_text(current[-1])))
            if ended and abs(length - words) <= abs(length + own - words):
                groups.append(current)
                current, length = [], 0
            current.append(segment)
            length += own
        if groups and length < words / 2:
            groups[-1] += current
        else:
            groups.append(current)
        found += [_joined(group) for group in groups]
    return found


def word_count(text: str) -> int:
    """Words between spaces; of writing without spaces, characters.

    >>> word_count("two words"), word_count("三个字")
    (2, 3)
    """
    return sum(max(1, len(_CJK.findall(word))) for word in text.split())


def _documents(segments: Sequence[Segment]) -> Iterator[list[Segment]]:
    run: list[Segment] = []
    for segment in segments:
        if run and segment.document != run[-1].document:
            yield run
            run = []
        run.append(segment)
    if run:
        yield run


def _text(segment: Segment) -> str:
    return (segment.reference or segment.source).rstrip()


def _joined(group: Sequence[Segment]) -> Segment:
    first, last = group[0], group[-1]
    if len(group) == 1:
        return first
    return Segment(
        id=f"{first.id}-{last.id}",
        outputs={system: " ".join(one.outputs[system] for one in group) for system in first.outputs},
        source=" ".join(one.source for one in group).strip(),
        reference=" ".join(one.reference for one in group).strip(),
        document=first.document,
        tokens=sum(one.tokens for one in group),
    )
