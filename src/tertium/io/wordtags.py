"""Files of word tags, a line for each text: OK or BAD for each word between blanks, or for each gap and word in turn.

WMT's files of target words have 2n + 1 tags for n words (gap, word, gap, word, ..., gap); those of source words have n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.errors import InputError, did_you_mean, many
from tertium.io.records import numbered_lines
from tertium.io.streams import FilePath, display_name

TAGS = {"OK": False, "BAD": True}


@dataclass(frozen=True)
class TagLines:
    """Which words are BAD, line by line, and which gaps, where the file has them."""

    words: list[list[bool]]
    gaps: list[list[bool]] | None = None


def read_word_tags(path: FilePath, texts: Sequence[str], *, gaps: bool = True) -> TagLines:
    """Tags of the words of these texts, and of the gaps between them if `gaps` are allowed.

    >>> read_word_tags(written("mt.tags", "OK OK BAD BAD OK\\n"), ["ein Haus"])
    TagLines(words=[[False, True]], gaps=[[False, True, False]])
    """
    lines: list[tuple[str, list[bool]]] = []
    for where, line in numbered_lines(path):
        lines.append((where, [_is_bad(tag, where) for tag in line.split()]))
    if len(lines) != len(texts):
        name = display_name(path)
        raise InputError(f"{name}: has {many(len(lines), 'line')} of tags for {many(len(texts), 'text')}")
    with_gaps = gaps and any(
        len(own) > len(text.split()) for (_, own), text in zip(lines, texts, strict=True)
    )
    for (where, own), text in zip(lines, texts, strict=True):
        number = len(text.split())
        expected = 2 * number + 1 if with_gaps else number
        if len(own) == expected:
            continue
        if with_gaps and len(own) == number:
            raise InputError(
                f"{where}: has tags for words but none for gaps ({len(own)}; other lines have both: {expected})"
            )
        either = f" ({2 * number + 1} with gaps)" if gaps and not with_gaps else ""
        shown = f"{many(number, 'word')} and the gaps around them" if with_gaps else many(number, "word")
        raise InputError(f"{where}: has {many(len(own), 'tag')}, but {shown} need {expected}{either}")
    found = [own for _, own in lines]
    if not with_gaps:
        return TagLines(found)
    return TagLines([own[1::2] for own in found], [own[0::2] for own in found])


def _is_bad(tag: str, where: str) -> bool:
    found = TAGS.get(tag)
    if found is None:
        raise InputError(f"{where}: {tag!r} is no tag{did_you_mean(tag, TAGS)}")
    return found
