"""Signs of damage that are seen in a line: a table of patterns, what each means, and what to do.

Most of them also occur in good text. They are a finding where the same line of the reference (or the source) does not
have them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.damage import mojibake, not_composed
from tertium.comparison.doctor.diagnosis import Finding
from tertium.comparison.doctor.odd_lines import Examined, Oddity, unexcused
from tertium.comparison.doctor.words import CHARACTER, LETTERS

Where = Callable[[TextColumn], list[int]]


@dataclass(frozen=True)
class Sign(Oddity):
    """An oddity that can be seen in the line itself, and which texts beside excuse it."""

    where: Where = lambda column: []
    excused: bool = True  # by the reference, or for the reference by most systems
    by_source: bool = True  # what the source has, too, is no damage


def _pattern(expression: str, flags: int = 0, *, needs: str) -> Where:
    """Lines with this pattern; only texts with one of the characters that it needs are searched."""
    pattern = re.compile(expression, re.MULTILINE | flags)
    return partial(TextColumn.matching, pattern=pattern, needs=re.compile(needs))


def _characters(expression: str) -> Where:
    return _pattern(expression, needs=expression)


def _lines(has: Callable[[str], object]) -> Where:
    return partial(TextColumn.where, has=has)


def _suspects(expression: str, has: Callable[[str], object], *, needs: str) -> Where:
    """Lines with a property that only lines with this pattern can have."""
    found = _pattern(expression, needs=needs)
    return lambda column: [i for i in found(column) if has(column.lines[i] or "")]


def _opening(expression: str) -> Where:
    """Lines that begin so; they have a colon or an apology."""
    begins = re.compile(expression, re.IGNORECASE).match
    return lambda column: [
        i
        for i, line in column.filled
        if (":" in line or "：" in line or " AI" in line or "I" in line[:2]) and begins(line)
    ]


def capitals(line: str) -> bool:
    """Whether a line of several words is all in capitals."""
    return line.isupper() and sum(map(str.isupper, line)) >= max(8, len(line) // 2) and len(line.split()) >= 2


_QUOTE = re.compile('["“”„«»「」『』]')


def quoted(line: str) -> bool:
    """Whether one pair of quotation marks is around the whole line.

    >>> quoted('"I see."'), quoted('"A "so-called" test."'), quoted('"I see," she said, "and hear."')
    (True, True, False)
    """
    inside = line.strip().rstrip(".。")[1:-1]
    inner = _QUOTE.search(inside)
    if inner is None:
        return True
    i = inner.start()
    return (i == 0 or inside[i - 1] in " (") and not inside[i + 1 : i + 2].isspace()


def loops(column: TextColumn) -> list[int]:
    """Lines in which words or phrases are said three times in a row, or more often, or a letter six times.

    >>> loops(TextColumn("A", "system", ("we go on and we go on and we go on and", "the the", "2 2 2", "noooooo")))
    [0, 3]
    """
    found = column.words.repeated(12, 3)
    codes = column.codes
    run = np.ones(max(len(codes) - 5, 0), np.bool_)
    for k in range(1, 6 if len(codes) > 5 else 0):
        run &= codes[: len(run)] == codes[k : k + len(run)]
    letters = [i for i in np.flatnonzero(run).tolist() if chr(codes[i]).isalpha()]
    return sorted({*found, *map(column.line_at, letters)})


# Good writers double these: "die, die die Stadt", "that that", "nous nous".
_DOUBLED = {"die", "der", "das", "den", "dem", "sie", "wir", "ihr", "es", "that", "had", "nous", "vous", "se"}


def twice(column: TextColumn) -> list[int]:
    """Lines with a word twice in a row: no number, no single letter, no character that is a word."""
    words = column.words
    again = 1 + np.flatnonzero(words.number[1:] == words.number[:-1])
    again = again[words.starts[words.line_of(again)] < again]  # and in the same line
    kinds = words.vocabulary.kinds()[words.number[again]]
    again = again[kinds & (LETTERS | CHARACTER) == LETTERS]
    names = map(words.vocabulary.name, words.number[again].tolist())
    chosen = [len(name) > 1 and name not in _DOUBLED for name in names]
    return sorted(set(words.line_of(again[np.array(chosen, np.bool_)]).tolist()))


_TRANSLATION = (
    "translation|translated|übersetzung|übersetzt|traduction|traducción|tradução|traduzione|vertaling|překlad|"
    "tłumaczenie|traducere|fordítás|çeviri|käännös|översättning|перевод|переклад|翻译|翻譯|翻訳|訳文|译文|번역|ترجمة|अनुवाद"
)
_HERE = "here(?:['’]s| is| are)|sure|certainly|of course|the|hier ist|voici|aquí|ecco|aqui|zde je|вот|以下是|这是|以下"
_PREAMBLE = (
    rf"\W{{0,4}}(?:(?:{_HERE})[^:：\n]{{0,60}}?)?(?:{_TRANSLATION})[^:：\n.]{{0,40}}[:：]|"
    r"(?:sure|certainly|of course|okay)[,!.:] (?:here|i)\b|(?:as|i am|i['’]m) an ai\b|"
    r"i['’]m sorry,? but i (?:can|am)|i (?:cannot|can['’]t) (?:translate|assist|provide)|\(?note: .*translat"
)
# Every branch begins with a character, which is what makes the search fast.
_MARKER = (
    r"<\|?/?(?i:unk|s|pad|eos|bos|sep|cls|mask|bt|sos|endoftext|im_start|im_end|2[a-z]{2,3}|eot_id|begin_of_text|end)\|?>|"
    r"\[/?(?i:unk|pad|eos|bos|sep|cls|mask|inst)\]|\u2047|UNK(?<!\wUNK)(?!\w)|_UNK(?<!\w_UNK)(?!\w)|"
    r"__(?<!\w__)[a-z]{2,3}(?:_[A-Za-z]{4})?__(?!\w)"
)
_CYRILLIC_OR_GREEK = "\\u0370-\\u03ff\\u0400-\\u04ff"
_SPACE = "[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f]"
_LETTER = r"a-zA-Z\u00c0-\u024f\u0400-\u04ff"
_AGAIN = "regenerate the file from its source, in UTF-8 at every step"
_REMOVE = "remove it before scoring: metrics take it for words of the translation"
_STUCK = "check whether the system got stuck there"
_NORMALISE = "replace them by ordinary ones in all texts: metrics take them for different characters"

SIGNS = (
    Sign(
        "encoding",
        "there is a byte-order mark in the text",
        "remove it (--strip-bom does), or it is scored as a letter",
        where=_characters("\ufeff"),
        excused=False,
    ),
    Sign(
        "encoding",
        "characters were lost (U+FFFD stands for them)",
        _AGAIN,
        where=_characters("\ufffd"),
        excused=False,
    ),
    Sign(
        "encoding",
        "UTF-8 was read as another encoding (such as Ã© for é)",
        _AGAIN,
        where=_suspects(
            r"[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0178\u02c6\u02dc\u2013-\u2122]",
            mojibake,
            needs="[\u00c2-\u00f4]",
        ),
        excused=False,
    ),
    Sign(
        "encoding",
        "there are control characters in the text",
        "remove them, or find out where they come from",
        where=_characters(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"),
        excused=False,
    ),
    Sign(
        "encoding",
        r"characters are written as escapes (such as \u00e9)",
        "decode them before scoring",
        where=_pattern(r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|<0x[0-9A-F]{2}>", needs=r"[\\<]"),
        excused=False,
    ),
    Sign(
        "encoding",
        "there are halves of characters (lone surrogates)",
        _AGAIN,
        where=_characters("[\ud800-\udfff]"),
        excused=False,
    ),
    Sign(
        "encoding",
        "question marks inside words, as if letters were lost",
        _AGAIN,
        where=_pattern(rf"\?(?<=[{_LETTER}]\?)[{_LETTER}]", needs=r"\?"),
        least=3,
        serious=2,
    ),
    Sign(
        "encoding",
        "{lines}: letters and accents as separate characters (not NFC)",
        "normalise all texts to NFC: é and é are different characters for every metric",
        where=_lines(not_composed),
        by_source=False,
    ),
    Sign(
        "markup",
        "there are HTML entities (such as &quot;) in the text",
        "turn them into characters: tokenisers undo only some of them",
        where=_pattern(r"&(?:amp|quot|apos|lt|gt|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,4}|#91|#93);", needs="&"),
        excused=False,
        serious=0.05,
    ),
    Sign(
        "tokenised",
        "{lines}: subword marks (@@ or \u2581)",
        "join subwords and detokenise before scoring",
        where=_pattern("@@(?: |$)|\u2581", needs="[@\u2581]"),
        excused=False,
    ),
    Sign(
        "markers",
        "{lines}: marks of a vocabulary, such as <unk> or </s>",
        _REMOVE,
        where=_pattern(_MARKER, needs=r"[<[_U\u2047]"),
    ),
    Sign(
        "separators",
        "{lines}: tabs or |||, as if columns of a file were left in one",
        "take the column of the translation",
        where=_pattern(r"\t|\|\|\|", needs=r"[\t|]"),
    ),
    Sign(
        "preambles",
        "{lines}: a language model's own words, such as 'Here is the translation:'",
        _REMOVE,
        where=_opening(_PREAMBLE),
    ),
    Sign("fences", "{lines}: code fences (```)", _REMOVE, where=_pattern("```|^~~~", needs="[`~]")),
    Sign(
        "quotes",
        "{lines}: quotation marks around the whole line",
        _REMOVE,
        where=_suspects(
            "^\\s*[\"'“”„«‹‘’「『`][^\n]*[\"'”“»›’‘」』`][.。]?\\s*$", quoted, needs="[\"'“”„«‹‘’「『`]"
        ),
    ),
    Sign(
        "invisible",
        "{lines}: invisible characters (zero-width, soft hyphens, marks of direction)",
        "remove them from all texts: metrics see other words",
        where=_characters("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069]"),
        by_source=False,
    ),
    Sign(
        "no-break spaces",
        "{lines}: no-break or other unusual spaces",
        _NORMALISE,
        # Good writers put them after digits and inside French quotation marks, and before French marks.
        where=_pattern(rf"{_SPACE}(?<![\d«]{_SPACE})(?![:;!?»%€])", needs=_SPACE),
        by_source=False,
    ),
    Sign(
        "homoglyphs",
        "{lines}: words of mixed scripts, as with a Cyrillic letter for a Latin one",
        "write each word in one script: metrics see other words",
        where=_pattern(
            f"[a-zA-Z][{_CYRILLIC_OR_GREEK}]|[{_CYRILLIC_OR_GREEK}][a-zA-Z]", needs=f"[{_CYRILLIC_OR_GREEK}]"
        ),
    ),
    Sign(
        "full-width",
        "{lines}: full-width punctuation, letters or digits",
        _NORMALISE,
        where=_characters("[\uff01-\uff5e\u3000-\u3002]"),
        by_source=False,
    ),
    Sign(
        "capitals",
        "{lines}: ALL IN CAPITALS",
        "restore the case, or score with lowercase=yes and report it",
        where=_lines(capitals),
    ),
    Sign("loops", "{lines}: words or phrases repeated in a row", _STUCK, where=loops),
    Sign(
        "repeated words",
        "{lines}: a word twice in a row",
        _STUCK,
        least=3,
        serious=0.03,
        where=twice,
    ),
)


def check_signs(column: TextColumn, texts: Examined) -> Iterator[Finding]:
    """What the table's signs say about a text."""
    for sign in SIGNS:
        if not sign.excused:
            yield from sign.found(column, column.once(sign.where))
        elif column.role != "source":
            yield from sign.found(column, unexcused(column, texts, sign.where, source=sign.by_source))
