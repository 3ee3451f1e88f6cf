"""Sentences of a text on the scale, and those that get no level, with the reason why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tertium._native import Lines
from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.languages import Identifier, in_another_script, language_name
from tertium.readability.features import Numbers, Seen, WordTable, bare_form
from tertium.readability.frequencies import Frequencies
from tertium.readability.reasons import facts_of, shares, why_hard
from tertium.readability.scale import Scale
from tertium.text.cut import cut_words
from tertium.text.splitting import sentences

SHORT = "fewer than three words"
NUMBERS = "a row of a table"
CODE = "code"
CAPITALS = "in capitals"
ENDLESS = "no sentence end"
SCRIPT = "in another script"
_FEWEST = 3  # words: what has fewer is a heading, a cell of a table, a piece of code
_LONGEST = 60  # words without a sentence end
_RARE = 3.2  # the mean of ranks, as powers of ten: sentences of the language are near 2.5
_CODE_SHARE = 0.3  # of the pieces between spaces
_CODE = re.compile(r"[{}=<>\\_$`|~^]|\w\((?!s\))|;$|::|->|^--?\w|^/\w+/")
_ADDRESS = re.compile(r"^(?:https?://|www\.)|@\w+\.", re.IGNORECASE)
_NUMBER = re.compile(r"^[\W\d]+$")
_END = re.compile(r"[.!?\u2026:;\u3002][\"'\u00bb\u201d\u2019)\]\s]*$")


@dataclass(frozen=True)
class ReadSentence:
    """A sentence, and its level; None where a number would mean nothing, and then why."""

    text: str
    paragraph: int  # from 0
    words: int
    level: float | None
    low: float | None = None  # four of five people's marks would lie between
    high: float | None = None
    left_out: str = ""
    reasons: tuple[str, ...] = ()  # why it is harder than most


def read_sentences(
    parts: Sequence[str], lang: str, scale: Scale, own: Frequencies | None = None
) -> list[ReadSentence]:
    """The sentences of paragraphs, on the scale.

    >>> from tertium.readability.scale import usual_scale
    >>> found = read_sentences(["The cat sat on the mat. Stop!", "THE END OF IT."], "en", usual_scale())
    >>> [(one.paragraph, one.words, one.left_out) for one in found]
    [(0, 6, ''), (0, 1, 'fewer than three words'), (1, 4, 'in capitals')]
    """
    texts, begins = sentences(parts, lang, extra="readability")
    return on_scale(texts, (np.cumsum(begins) - 1).tolist() if texts else [], lang, scale, own)


def on_scale(
    texts: Sequence[str],
    paragraphs: Sequence[int],
    lang: str,
    scale: Scale,
    own: Frequencies | None = None,
) -> list[ReadSentence]:
    """Sentences that are cut already; `paragraphs` says for each where it belongs."""
    return with_shares(texts, paragraphs, lang, scale, own)[0]


def with_shares(
    texts: Sequence[str],
    paragraphs: Sequence[int],
    lang: str,
    scale: Scale,
    own: Frequencies | None = None,
) -> tuple[list[ReadSentence], dict[int, Numbers]]:
    """The same, and what each feature adds to the level, for those that have one, by their places."""
    table = scale.table(lang, own)
    words = words_of(texts, table)
    why = [why_left_out(text, n) for text, n in zip(texts, words, strict=True)]
    for place, reason in _foreign(texts, table).items():
        why[place] = why[place] or reason
    kept = [place for place, reason in enumerate(why) if not reason]
    levels, parts = scale.seen([texts[i] for i in kept], lang, own)
    made = [
        ReadSentence(text, paragraphs[i], words[i], None, left_out=why[i]) for i, text in enumerate(texts)
    ]
    for i, level, row in zip(kept, levels.tolist(), parts, strict=True):
        low, high = scale.interval(level, 1)
        reasons = why_hard(facts_of([texts[i]], table), shares(row[None], [words[i]], scale))
        made[i] = ReadSentence(texts[i], paragraphs[i], words[i], level, low, high, "", reasons)
    return made, dict(zip(kept, parts, strict=True))


def words_of(texts: Sequence[str], table: WordTable) -> list[int]:
    """How many words texts have: numbers are none, *don't* is one."""
    return [int(n) for n in Seen(table, texts).sums[:, 0]] if texts else []


def why_left_out(text: str, words: int) -> str:
    """Why a sentence has no level, if it has none; its language is looked at elsewhere."""
    pieces = text.split()
    code = sum(bool(_CODE.search(piece)) and not _ADDRESS.search(piece) for piece in pieces)
    if code > _CODE_SHARE * len(pieces):
        return NUMBERS if "|" in text and not re.search(r"[{}=;_\\]", text) else CODE
    if words < _FEWEST:
        return SHORT
    if sum(map(bool, map(_NUMBER.match, pieces))) > len(pieces) / 2:
        return NUMBERS
    letters = [char for char in text if char.isalpha()]
    if sum(map(str.isupper, letters)) > len(letters) / 2:
        return CAPITALS
    return ENDLESS if words > _LONGEST and not _END.search(text) else ""


def _foreign(texts: Sequence[str], table: WordTable) -> dict[int, str]:
    """Sentences in another language, by their places, with how that is said: their script says so, or their function
    words do, and their words are rare in this one."""
    if not texts:
        return {}
    column = TextColumn("text", "system", Lines(texts))
    found = Identifier(table.lang, identify=False).others(column)
    known = table.frequencies
    for place in list(found):
        words = [bare for word in cut_words([texts[place]])[0] if (bare := bare_form(word))]
        ranks = [known.unknown if (own := known.place(word)) is None else own for word in words]
        if sum(ranks) < _RARE * len(ranks):
            del found[place]
    told = {place: f"in {language_name(other)}" for place, other in found.items()}
    return dict.fromkeys(in_another_script(column, table.lang), SCRIPT) | told


_WITHHELD = {
    SHORT: "mostly single words: a list, a table or code",
    NUMBERS: "mostly numbers: a table",
    CODE: "mostly code",
    CAPITALS: "written in capitals",
    ENDLESS: "no sentence end: where sentences begin, nobody can tell",
}


def withheld(read: Sequence[ReadSentence]) -> str:
    """Why a text has no level, if it has none: less than half of its words are in sentences that have one."""
    return why_withheld([(one.left_out, one.words) for one in read])


def why_withheld(read: Sequence[tuple[str, int]]) -> str:
    """The same of sentences by why each is left out, if it is, and their words.

    >>> why_withheld([("", 9), ("code", 12)]), why_withheld([("", 9), ("code", 8)])
    ('mostly code', '')
    """
    kept = [words for why, words in read if not why]
    if 2 * sum(kept) >= sum(words for _, words in read) and kept:
        return ""
    if all(why == SHORT for why, _ in read):
        return "one word" if sum(words for _, words in read) == 1 else "no sentence of three words or more"
    sizes = Counter[str]()
    for why, words in read:
        if why:
            sizes[why] += max(1, words)
    most = sizes.most_common(1)[0][0]
    return _WITHHELD.get(most, f"mostly {most}")


def left_out(read: Sequence[ReadSentence]) -> Mapping[str, int]:
    """How many sentences have no level, by the reason why, the most frequent first."""
    return dict(Counter(one.left_out for one in read if one.left_out).most_common())


def mean_level(read: Sequence[ReadSentence]) -> float:
    """The level of a text: the mean of its sentences', by their words."""
    kept = [(one.level, one.words) for one in read if one.level is not None]
    return float(np.average([level for level, _ in kept], weights=[words for _, words in kept]))
