"""Signs of damage that are seen in a line: a table of patterns, what each means, and what to do.

Most of them also occur in good text. They are a finding where the same line of the reference (or the source) does not
have them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.damage import mojibake, not_composed
from tertium.comparison.doctor.diagnosis import Finding
from tertium.comparison.doctor.languages import language_names
from tertium.comparison.doctor.odd_lines import Examined, Oddity, unexcused
from tertium.comparison.doctor.survey import Has
from tertium.comparison.doctor.words import CHARACTER, LETTERS

Where = Callable[[TextColumn], list[int]]


@dataclass(frozen=True)
class Sign(Oddity):
    """An oddity that can be seen in the line itself, and which texts beside excuse it."""

    where: Where = lambda column: []
    excused: bool = True  # by the reference, or for the reference by most systems
    by_source: bool = True  # what the source has, too, is no damage


def _has(kind: Has) -> Where:
    """Lines with a character of this kind."""
    return lambda column: column.survey.having(kind).tolist()


def _pattern(expression: str, *needs: Has) -> Where:
    """Lines with this pattern; only those that have what it needs are searched."""
    pattern = re.compile(expression, re.MULTILINE)
    return lambda column: column.matching(pattern, *needs)


def _suspects(has: Callable[[str], object], *needs: Has) -> Where:
    """Lines with a property that only lines of these kinds can have."""
    return lambda column: column.where(has, column.survey.having(*needs))


def _opening(expression: str) -> Where:
    """Lines that begin so; they have a colon or an apology."""
    begins = re.compile(expression, re.IGNORECASE).match

    def where(column: TextColumn) -> list[int]:
        own = column.survey
        chosen = own.filled & (~own.lacking(Has.COLON | Has.AI) | (own.first == ord("I")))
        return column.where(
            lambda line: (":" in line or "：" in line or " AI" in line or "I" in line[:2]) and begins(line),
            np.flatnonzero(chosen),
        )

    return where


def capitals(line: str) -> bool:
    """Whether a line of several words is all in capitals."""
    return line.isupper() and sum(map(str.isupper, line)) >= max(8, len(line) // 2) and len(line.split()) >= 2


def in_capitals(column: TextColumn) -> list[int]:
    upper = column.survey.lacking(Has.NOT_UPPER) & ~column.survey.lacking(Has.UPPER)
    return column.where(capitals, np.flatnonzero(upper))


_OPENING, _CLOSING = "\"'“”„«‹‘’「『`", "\"'”“»›’‘」』`"
_AROUND = re.compile(f"^\\s*[{_OPENING}][^\n]*[{_CLOSING}][.。]?\\s*$", re.MULTILINE)
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


def in_quotes(column: TextColumn) -> list[int]:
    """Lines within quotation marks."""
    first, last = (np.array(list(map(ord, marks)), np.uint32) for marks in (_OPENING, _CLOSING + ".。"))
    between = np.isin(column.survey.first, first) & np.isin(column.survey.last, last)
    return column.where(lambda line: _AROUND.search(line) and quoted(line), np.flatnonzero(between))


def loops(column: TextColumn) -> list[int]:
    """Lines in which words or phrases are said three times in a row, or more often, or a letter six times.

    >>> from tertium._native import Lines
    >>> loops(TextColumn("A", "system", Lines(["go on, go on, go on,", "the the", "2 2 2", "noooooo"])))
    [0, 3]
    """
    found = column.words.repeated(12, 3)
    return sorted({*found, *column.survey.having(Has.RUN).tolist()})


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
_LABEL = "|".join((*language_names(), "output", "assistant", "target"))
_QUALIFIED = f"(?:absolutely|great|okay|my|a|final|possible|suggested|literal|die|meine|la|ma|mi|{_LABEL})\\b"
_PREAMBLE = (
    rf"\W{{0,4}}(?:(?:{_HERE}|{_QUALIFIED})[^:：\n]{{0,60}}?)?(?:{_TRANSLATION})[^:：\n.]{{0,40}}[:：]|"
    r"(?:sure|certainly|of course|okay|absolutely|great)[,!.:] (?:here|i)\b|(?:as|i am|i['’]m) an ai\b|"
    r"i['’]m sorry,? but i (?:can|am)|i apologi[sz]e,? but i (?:can|am)|"
    r"i (?:cannot|can['’]t|am unable to) (?:translate|assist|provide)|\(?note: .*translat|"
    r"here (?:is|are)\b[^:：\n]{0,30} (?:version|text|sentence|output|result)s?[:：]|here you go:|"
    rf"(?:in )?\W{{0,3}}(?:{_LABEL})(?: (?:version|text|sentence|output))?\W{{0,3}}[:：]|"
    r"(?:let me translate|(?:th(?:is|e|at)\b[^:：\n]{0,40}? )?translates (?:in)?to)\b[^:：\n.]{0,40}[:：]"
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

SIGNS = (
    Sign(
        "encoding",
        "doctor.byte-order-mark",
        where=_has(Has.BYTE_ORDER_MARK),
        excused=False,
    ),
    Sign(
        "encoding",
        "doctor.lost-characters",
        where=_has(Has.LOST),
        excused=False,
    ),
    Sign(
        "encoding",
        "doctor.mojibake",
        where=_suspects(mojibake, Has.LATIN_LEAD, Has.LATIN_TAIL),
        excused=False,
    ),
    Sign(
        "encoding",
        "doctor.control-characters",
        where=_has(Has.CONTROL),
        excused=False,
    ),
    Sign(
        "encoding",
        "doctor.escapes",
        where=_pattern(r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|<0x[0-9A-F]{2}>", Has.ESCAPE),
        excused=False,
    ),
    Sign(
        "encoding",
        "doctor.surrogates",
        where=_has(Has.SURROGATE),
        excused=False,
    ),
    Sign(
        "encoding",
        "doctor.question-marks",
        where=_pattern(rf"\?(?<=[{_LETTER}]\?)[{_LETTER}]", Has.QUESTION_MARK),
        least=3,
        serious=2,
    ),
    Sign(
        "encoding",
        "doctor.not-composed",
        where=_suspects(not_composed, Has.COMBINING),
        by_source=False,
    ),
    Sign(
        "markup",
        "doctor.entities",
        where=_pattern(r"&(?:amp|quot|apos|lt|gt|nbsp|#\d{2,5}|#x[0-9a-fA-F]{2,4}|#91|#93);", Has.AMPERSAND),
        excused=False,
        serious=0.05,
    ),
    Sign(
        "tokenised",
        "doctor.subword-marks",
        where=_pattern("@@(?: |$)|\u2581", Has.SUBWORD_MARK),
        excused=False,
    ),
    Sign(
        "markers",
        "doctor.markers",
        where=_pattern(_MARKER, Has.MARKER),
    ),
    Sign(
        "separators",
        "doctor.separators",
        where=_pattern(r"\t|\|\|\|", Has.SEPARATOR),
    ),
    Sign(
        "preambles",
        "doctor.preambles",
        where=_opening(_PREAMBLE),
    ),
    Sign(
        "fences",
        "doctor.fences",
        where=_pattern("```|^~~~", Has.FENCE),
    ),
    Sign(
        "quotes",
        "doctor.quotes",
        where=in_quotes,
    ),
    Sign(
        "invisible",
        "doctor.invisible",
        where=_has(Has.INVISIBLE),
        by_source=False,
    ),
    Sign(
        "no-break spaces",
        "doctor.no-break-spaces",
        # Good writers put them after digits and inside French quotation marks, and before French marks.
        where=_pattern(rf"{_SPACE}(?<![\d«]{_SPACE})(?![:;!?»%€])", Has.UNUSUAL_SPACE),
        by_source=False,
    ),
    Sign(
        "homoglyphs",
        "doctor.homoglyphs",
        where=_pattern(
            f"[a-zA-Z][{_CYRILLIC_OR_GREEK}]|[{_CYRILLIC_OR_GREEK}][a-zA-Z]", Has.LATIN, Has.CYRILLIC_OR_GREEK
        ),
    ),
    Sign(
        "full-width",
        "doctor.full-width",
        where=_has(Has.FULL_WIDTH),
        by_source=False,
    ),
    Sign(
        "capitals",
        "doctor.capitals",
        where=in_capitals,
    ),
    Sign(
        "loops",
        "doctor.loops",
        where=loops,
    ),
    Sign(
        "repeated words",
        "doctor.repeated-words",
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
