"""Signs of damage that are seen in a line: a table of patterns, what each means, and what to do.

Most of them also occur in good text. They are a finding where the same line of the reference (or the source) does not
have them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.damage import mojibake, not_composed
from tertium.comparison.doctor.diagnosis import Finding
from tertium.comparison.doctor.odd_lines import Examined, Oddity, unexcused

Where = Callable[[TextColumn], list[int]]


@dataclass(frozen=True)
class Sign(Oddity):
    """An oddity that can be seen in the line itself, and which texts beside excuse it."""

    where: Where = lambda column: []
    excused: bool = True  # by the reference, or for the reference by most systems
    by_source: bool = True  # what the source has, too, is no damage


def _pattern(expression: str, flags: int = 0) -> Where:
    return partial(TextColumn.matching, pattern=re.compile(expression, re.MULTILINE | flags))


def _lines(has: Callable[[str], object]) -> Where:
    return partial(TextColumn.where, has=has)


def _suspects(expression: str, has: Callable[[str], object]) -> Where:
    """Lines with a property that only lines with this pattern can have."""
    pattern = re.compile(expression)
    return lambda column: [i for i in column.matching(pattern) if has(column.lines[i] or "")]


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


def loops(line: str) -> bool:
    """Whether words or phrases are said three times in a row, or more often.

    >>> loops("so we go on and we go on and we go on and stop"), loops("The the cat sat."), loops("2 2 2")
    (True, False, False)
    """
    words = line.lower().split()
    spare = len(words) - len(set(words))
    for period in range(1, min(spare // 2, 12) + 1):
        run = 0
        for here, there in zip(words, words[period:], strict=False):
            run = run + 1 if here == there and (run or period > 1 or here.isalpha()) else 0
            if run >= 2 * period:
                return True
    return False


_LOOP = r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,12}?)\1{3,}|([^\W\d_])\2{5,}"
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
_MARKER = (
    r"<\|?/?(?:unk|s|pad|eos|bos|sep|cls|mask|bt|sos|endoftext|im_start|im_end|2[a-z]{2,3}|eot_id|begin_of_text|end)\|?>|"
    r"\[/?(?:unk|pad|eos|bos|sep|cls|mask|inst)\]|\u2047|(?<!\w)(?:UNK|__[a-z]{2,3}(?:_[A-Za-z]{4})?__|_UNK)(?!\w)"
)
_CYRILLIC_OR_GREEK = "\\u0370-\\u03ff\\u0400-\\u04ff"
_AGAIN = "regenerate the file from its source, in UTF-8 at every step"
_REMOVE = "remove it before scoring: metrics take it for words of the translation"
_STUCK = "check whether the system got stuck there"
_NORMALISE = "replace them by ordinary ones in all texts: metrics take them for different characters"

SIGNS = (
    Sign(
        "encoding",
        "there is a byte-order mark in the text",
        "remove it (--strip-bom does), or it is scored as a letter",
        where=_pattern("\ufeff"),
        excused=False,
    ),
    Sign(
        "encoding",
        "characters were lost (U+FFFD stands for them)",
        _AGAIN,
        where=_pattern("\ufffd"),
        excused=False,
    ),
    Sign(
        "encoding",
        "UTF-8 was read as another encoding (such as Ã© for é)",
        _AGAIN,
        where=_suspects(r"[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0178\u02c6\u02dc\u2013-\u2122]", mojibake),
        excused=False,
    ),
    Sign(
        "encoding",
        "there are control characters in the text",
        "remove them, or find out where they come from",
        where=_pattern(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"),
        excused=False,
    ),
    Sign(
        "encoding",
        r"characters are written as escapes (such as \u00e9)",
        "decode them before scoring",
        where=_pattern(r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|<0x[0-9A-F]{2}>"),
        excused=False,
    ),
    Sign(
        "encoding",
        "there are halves of characters (lone surrogates)",
        _AGAIN,
        where=_pattern("[\ud800-\udfff]"),
        excused=False,
    ),
    Sign(
        "encoding",
        "question marks inside words, as if letters were lost",
        _AGAIN,
        where=_pattern(r"[a-zA-Z\u00c0-\u024f\u0400-\u04ff]\?[a-zA-Z\u00c0-\u024f\u0400-\u04ff]"),
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
        where=_pattern(r"&(?:amp|quot|apos|lt|gt|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,4}|#91|#93);"),
        excused=False,
        serious=2,
    ),
    Sign(
        "tokenised",
        "{lines}: subword marks (@@ or \u2581)",
        "join subwords and detokenise before scoring",
        where=_pattern("@@(?: |$)|\u2581"),
        excused=False,
    ),
    Sign(
        "markers",
        "{lines}: marks of a vocabulary, such as <unk> or </s>",
        _REMOVE,
        where=_pattern(_MARKER, re.I),
    ),
    Sign(
        "separators",
        "{lines}: tabs or |||, as if columns of a file were left in one",
        "take the column of the translation",
        where=_pattern(r"\t|\|\|\|"),
    ),
    Sign(
        "preambles",
        "{lines}: a language model's own words, such as 'Here is the translation:'",
        _REMOVE,
        where=_opening(_PREAMBLE),
    ),
    Sign("fences", "{lines}: code fences (```)", _REMOVE, where=_pattern("```|^~~~")),
    Sign(
        "quotes",
        "{lines}: quotation marks around the line that the reference does not have",
        _REMOVE,
        where=_pattern("^\\s*[\"'“”„«‹‘’「『`][^\n]*[\"'”“»›’‘」』`][.。]?\\s*$"),
    ),
    Sign(
        "invisible",
        "{lines}: invisible characters (zero-width, soft hyphens, marks of direction)",
        "remove them from all texts: metrics see other words",
        where=_pattern("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069]"),
        by_source=False,
    ),
    Sign(
        "no-break spaces",
        "{lines}: no-break or other unusual spaces",
        _NORMALISE,
        where=_pattern("[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f]"),
        by_source=False,
    ),
    Sign(
        "homoglyphs",
        "{lines}: words of mixed scripts, as with a Cyrillic letter for a Latin one",
        "write each word in one script: metrics see other words",
        where=_pattern(f"[a-zA-Z][{_CYRILLIC_OR_GREEK}]|[{_CYRILLIC_OR_GREEK}][a-zA-Z]"),
    ),
    Sign(
        "full-width",
        "{lines}: full-width punctuation, letters or digits that the reference does not have",
        _NORMALISE,
        where=_pattern("[\uff01-\uff5e\u3000-\u3002]"),
        by_source=False,
    ),
    Sign(
        "capitals",
        "{lines}: ALL IN CAPITALS",
        "restore the case, or score with lowercase=yes and report it",
        where=_lines(capitals),
    ),
    Sign("loops", "{lines}: words or phrases repeated in a row", _STUCK, where=_lines(loops)),
    Sign(
        "repeated words",
        "{lines}: a word twice in a row",
        _STUCK,
        least=3,
        serious=0.03,
        where=_pattern(r"\b([^\W\d_]{2,}) \1\b", re.I),
    ),
    Sign("loops", "{lines}: letters or characters repeated in a row", _STUCK, where=_pattern(_LOOP)),
)


def check_signs(column: TextColumn, texts: Examined) -> Iterator[Finding]:
    """What the table's signs say about a text."""
    for sign in SIGNS:
        if not sign.excused:
            yield from sign.found(column, column.once(sign.where))
        elif column.role != "source":
            yield from sign.found(column, unexcused(column, texts, sign.where, source=sign.by_source))
