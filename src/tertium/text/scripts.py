"""The scripts of texts and languages, and texts in languages that are written without spaces between words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple, Protocol

# Scripts that a language is written in. Latin is the script of all that are not named.
SCRIPTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("ru", "uk", "bg", "be", "mk", "kk", "ky", "mn", "tg", "tt"), ("CYRILLIC",)),
    **dict.fromkeys(("sr", "uz", "az"), ("CYRILLIC", "LATIN")),
    **dict.fromkeys(("ar", "fa", "ur", "ps", "ckb", "sd", "ug"), ("ARABIC",)),
    **dict.fromkeys(("hi", "mr", "ne", "sa"), ("DEVANAGARI",)),
    **dict.fromkeys(("zh", "yue"), ("CJK",)),
    **dict.fromkeys(("am", "ti"), ("ETHIOPIC",)),
    **dict.fromkeys(("he", "yi"), ("HEBREW",)),
    **dict.fromkeys(("bn", "as"), ("BENGALI",)),
    "ja": ("CJK", "HIRAGANA", "KATAKANA"),
    "ko": ("HANGUL", "CJK"),
    "el": ("GREEK",),
    "hy": ("ARMENIAN",),
    "ka": ("GEORGIAN",),
    "th": ("THAI",),
    "lo": ("LAO",),
    "km": ("KHMER",),
    "my": ("MYANMAR",),
    "ta": ("TAMIL",),
    "te": ("TELUGU",),
    "kn": ("KANNADA",),
    "ml": ("MALAYALAM",),
    "gu": ("GUJARATI",),
    "pa": ("GURMUKHI",),
    "or": ("ORIYA",),
    "si": ("SINHALA",),
    "iu": ("CANADIAN", "LATIN"),
}
DENSE = frozenset(
    ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")
)  # a character is a syllable or a word: three letters
_THREE_LETTERS = {
    **dict.fromkeys(("zho", "chi", "cmn"), "zh"),
    "jpn": "ja",
    "kor": "ko",
    "tha": "th",
    "lao": "lo",
    "khm": "km",
    "mya": "my",
    "bur": "my",
}


@cache
def script_of(character: str) -> str | None:
    """The script of a letter, by the first word of its Unicode name; None for what is no letter.

    >>> script_of("я"), script_of("e"), script_of("5")
    ('CYRILLIC', 'LATIN', None)
    """
    if not character.isalpha():
        return None
    name = unicodedata.name(character, "")
    return name.partition(" ")[0] or None


def base_language(code: str | None) -> str | None:
    """The language of a code, without region or script.

    >>> base_language("en_GB"), base_language("nb"), base_language("zho_Hans")
    ('en', 'no', 'zh')
    """
    if code is None:
        return None
    base = re.split("[-_]", code.lower())[0]
    return {"nb": "no", "nn": "no", "cz": "cs", "iw": "he", **_THREE_LETTERS}.get(base, base)


def scripts_of(language: str) -> tuple[str, ...]:
    """The scripts that a language is written in."""
    return SCRIPTS.get(base_language(language) or "", ("LATIN",))


# Languages without spaces between words: name, and the scripts that only this one of them is written in. Han characters
# are written in Chinese and Japanese: lines with kana are Japanese, lines without any are "han".
SPACELESS = {"zh": "Chinese", "ja": "Japanese", "th": "Thai", "lo": "Lao", "km": "Khmer", "my": "Burmese"}
HAN = "han"
_LANGUAGE_OF = {
    "CJK": HAN,
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "KATAKANA-HIRAGANA": "ja",
    **{scripts[0]: language for language, scripts in SCRIPTS.items() if language in ("th", "lo", "km", "my")},
}
_SAMPLE = 200  # lines looked at, evenly over the text
_MOSTLY = 0.5  # of a line's letters, or of the lines: the text is in this language
_SOME = 0.1  # of the lines: worth saying, though the text as a whole is in no such language
_KANA = 0.1  # of the Han characters and kana of a line: less is a foreign name in Chinese
# Texts that are cut into words already have a space after so many characters or fewer, on average. Words have 2
# characters in Chinese and Japanese, 4 to 7 in the other four; sentences and phrases between spaces have 15 and more.
_CUT = {HAN: 4.0, "zh": 4.0, "ja": 4.0, "th": 9.0, "lo": 9.0, "km": 9.0, "my": 9.0}


class TextSequence(Protocol):
    """A list of texts, or `Lines`."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> str | None: ...


class Spaceless(NamedTuple):
    """What a text has of languages without spaces between words.

    `language` is the code of the one that at least half of the lines are in, "han" where these are Han characters
    without kana, which may be Chinese or Japanese; None where no language has half of the lines. `share` is the share
    of lines in any of these languages, `languages` their names.
    """

    language: str | None
    share: float
    languages: tuple[str, ...]


def spaceless(lines: TextSequence) -> Spaceless | None:
    """The language without spaces between words that a text is in, from a sample of 200 lines.

    A line counts for a language if its script has half of the letters, where a Han character or kana counts as three
    letters; it is Japanese if a tenth of these are kana. Korean has spaces and is not among these languages. None for
    texts with less than a tenth of such lines, and for those that are cut into words already.

    >>> spaceless(["今日は天気がいいです。", "東京"]).language, spaceless(["今天天气很好。"]).language
    ('ja', 'han')
    >>> spaceless(["The company Huawei (华为) has offices here.", "So has Sony."]) is None
    True
    >>> spaceless(["今天 天气 很 好 。"]) is None
    True
    """
    step = max(1, len(lines) // _SAMPLE)
    sample = [text for i in range(0, len(lines), step) if (text := lines[i])]
    if not {script_of(character) for character in set().union(*sample)} & _LANGUAGE_OF.keys():
        return None
    counts: Counter[str | None] = Counter()
    written: dict[str, list[str]] = {}
    for text in sample:
        known, language = _line_language(text)
        if known:
            counts[language] += 1
        if language is not None:
            written.setdefault(language, []).append(text)
    for language, texts in written.items():
        if _is_cut(texts, _CUT[language]):
            counts[None] += counts.pop(language)
    if counts["ja"] >= counts[HAN]:  # headings in Japanese may have no kana
        counts["ja"] += counts.pop(HAN, 0)
    total = sum(counts.values())
    found = Counter({language: n for language, n in counts.items() if language is not None and n})
    if not total or found.total() < _SOME * total:
        return None
    (most, number), *_ = found.most_common(1)
    names = tuple(SPACELESS.get(language, "Chinese or Japanese") for language, _ in found.most_common())
    return Spaceless(most if number >= _MOSTLY * total else None, found.total() / total, names)


def _line_language(text: str) -> tuple[bool, str | None]:
    """Whether a line has letters, and the language without spaces that it is in, if any."""
    letters: Counter[str] = Counter()
    for character, number in Counter(text).items():
        script = script_of(character)
        if script is not None:
            letters[script] += number * (3 if script in DENSE else 1)
    by_language: Counter[str] = Counter()
    for script, number in letters.items():
        if script in _LANGUAGE_OF:
            by_language[_LANGUAGE_OF[script]] += number
    east = by_language["ja"] + by_language[HAN]
    if by_language["ja"] >= _KANA * east:
        by_language["ja"] = east
        del by_language[HAN]
    else:
        by_language[HAN] = east
        del by_language["ja"]
    language, number = max(by_language.items(), key=lambda one: one[1], default=("", 0))
    return bool(letters), language if number and number >= _MOSTLY * letters.total() else None


def _is_cut(texts: Sequence[str], most: float) -> bool:
    """Whether spaces between words stand in texts of a script that has none: what stands between white space and has
    letters of such a script is at most `most` characters long on average, and there are two or more in a text."""
    lengths = [len(part) for text in texts for part in _parts(text)]
    return len(lengths) >= 2 * len(texts) and sum(lengths) <= most * len(lengths)


def _parts(text: str) -> Iterator[str]:
    for part in text.split():
        if any(script_of(character) in _LANGUAGE_OF for character in part):
            yield part
