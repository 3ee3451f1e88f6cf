"""Which words of a translation are BAD: made of its post-edit as WMT's tags are, or given.

Translation and post-edit are aligned by tercom's edit distance without shifts, without case; words are what stands
between blanks. A word is BAD that the post-edit does not have in its place, spelt the same; a gap is BAD where words
were put in. A word of the source is BAD that is linked to a BAD word of the translation, or to a word of the post-edit
that the translation does not have there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, many
from tertium.estimation.words import Places
from tertium.io.records import numbered_lines
from tertium.io.streams import FilePath, display_name
from tertium.io.translations import Translations
from tertium.stats.edits import ALONE, edit_marks

Flags = npt.NDArray[np.bool_]
Links = Sequence[Sequence[tuple[int, int]]]


@dataclass(frozen=True, eq=False)
class BlankWords:
    """What stands between the blanks of texts, one behind the other.

    >>> BlankWords.of(["a cat", "", "dogs"]).starts.tolist()
    [0, 2, 2, 3]
    """

    forms: list[str]
    starts: Places  # where the words of each text begin, and where the last end

    @classmethod
    def of(cls, lines: Sequence[str]) -> BlankWords:
        cut = [line.split() for line in lines]
        starts = np.concatenate([[0], np.cumsum([len(own) for own in cut], dtype=np.int64)])
        return cls([word for own in cut for word in own], starts.astype(np.int64))

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> Places:
        return np.diff(self.starts)

    @property
    def segments(self) -> Places:
        return np.repeat(np.arange(len(self)), self.sizes)

    def split(self, values: npt.NDArray[np.generic], more: int = 0) -> list[list[object]]:
        """Values of words (with `more` = 1: of gaps) for each text."""
        starts = (self.starts + more * np.arange(len(self.starts))).tolist()
        own = values.tolist()
        return [own[begin:end] for begin, end in pairwise(starts)]


@dataclass(frozen=True, eq=False)
class WordTags:
    """True for what is BAD: words of translations, gaps around them (one more a text), words of sources."""

    words: Flags
    gaps: Flags | None = None
    source: Flags | None = None


def tags_of(texts: Translations) -> WordTags | None:
    """Tags as given, or made of post-edits; None where there are neither."""
    if texts.tags is None and texts.post_edits is None:
        return None
    edited = texts.post_edits if texts.post_edits is not None else texts.translations
    made, inserted = edit_tags(texts.translations, edited)
    if texts.tags is not None:
        gaps = None if texts.tags.gaps is None else _flat(texts.tags.gaps)
        made = WordTags(_flat(texts.tags.words), gaps)
    if texts.source_tags is not None:
        source = _flat(texts.source_tags.words)
    else:
        links = texts.links if texts.links is not None else learnt_links(texts.sources, texts.translations)
        source = linked_tags(texts.sources, texts.translations, links, made.words)
        if texts.post_edits is not None:
            links = learnt_links(texts.sources, texts.post_edits)
            source |= linked_tags(texts.sources, texts.post_edits, links, inserted)
    return WordTags(made.words, made.gaps, source)


def _flat(lines: Sequence[Sequence[bool]]) -> Flags:
    return np.array([tag for own in lines for tag in own], bool)


def edit_tags(translations: Sequence[str], post_edits: Sequence[str]) -> tuple[WordTags, Flags]:
    """Tags of words and gaps, and the words of the post-edits that the translations do not have there.

    >>> tags, inserted = edit_tags(["he see Dog"], ["he sees a dog"])
    >>> tags.words.tolist(), tags.gaps.tolist(), inserted.tolist()
    ([False, True, True], [False, True, False, False], [False, True, True, True])
    """
    sides = BlankWords.of(translations), BlankWords.of(post_edits)
    small: dict[str, int] = {}
    cut = []
    for side in sides:
        numbers = np.array([small.setdefault(word.lower(), len(small)) for word in side.forms], np.int64)
        cut.append(np.split(numbers, side.starts[1:-1]) if len(side) else [])
    marks = edit_marks(cut[0], cut[1], tercom=True)
    ours, theirs = sides
    paired = [np.flatnonzero(own != ALONE) for own in marks]
    changed = np.array(
        [ours.forms[i] != theirs.forms[j] for i, j in zip(*(own.tolist() for own in paired), strict=True)],
        bool,
    )
    flags = [np.ones(len(own), bool) for own in marks]
    for own, places in zip(flags, paired, strict=True):
        own[places] = changed
    # A word that was put in stands behind the last pair before it.
    alone = np.flatnonzero(marks[1] == ALONE)
    before = np.cumsum(marks[1] != ALONE)[alone]
    behind = np.concatenate([[0], paired[0] + 1])[before]
    text = theirs.segments[alone]
    gaps = np.zeros(len(ours.forms) + len(ours), bool)
    gaps[np.maximum(behind, ours.starts[text]) + text] = True
    return WordTags(flags[0], gaps), flags[1]


def linked_tags(sources: Sequence[str], targets: Sequence[str], links: Links, bad: Flags) -> Flags:
    """Words of the sources that are linked to a BAD word."""
    ours, theirs = BlankWords.of(sources), BlankWords.of(targets)
    number = [len(own) for own in links]
    pairs = np.array([pair for own in links for pair in own], np.int64).reshape(-1, 2)
    text = np.repeat(np.arange(len(links)), number)
    found = np.zeros(len(ours.forms), bool)
    found[(ours.starts[text] + pairs[:, 0])[bad[theirs.starts[text] + pairs[:, 1]]]] = True
    return found


def learnt_links(sources: Sequence[str], targets: Sequence[str]) -> Links:
    from tertium.text.ibm1 import align

    return align([text.split() for text in sources], [text.split() for text in targets])


def read_links(path: FilePath, sources: Sequence[str], targets: Sequence[str]) -> Links:
    """Links between words, a line for each pair of texts, in Pharaoh's format (`0-0 1-2`)."""
    from tertium.text.alignment import parse_pharaoh

    lines = list(numbered_lines(path))
    if len(lines) != len(sources):
        raise InputError(
            f"{display_name(path)}: has {many(len(lines), 'line')} of links for {many(len(sources), 'text')}"
        )
    return [
        parse_pharaoh(line, len(source.split()), len(target.split()), where)
        for (where, line), source, target in zip(lines, sources, targets, strict=True)
    ]
