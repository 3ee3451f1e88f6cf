"""Translations made worse on purpose: a phrase replaced by one of another text, as in WMT's quality control.

Graham, Baldwin, Moffat and Zobel (2017), *Can machine translation systems be evaluated by the crowd alone*: how many
words are replaced grows with the length of the translation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tertium.human.campaigns.draws import number

_ATTEMPTS = 200  # donors that are tried before a text counts as one that cannot be made worse
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0eff]")


def replaced_words(length: int) -> int:
    """How many words of a text of this length are replaced.

    >>> [replaced_words(n) for n in (1, 4, 7, 12, 18, 30)]
    [1, 2, 3, 4, 5, 7]
    """
    for most, replaced in ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5)):
        if length <= most:
            return replaced
    return length // 4


def degraded(text: str, donors: Sequence[str], *labels: object) -> str | None:
    """The text with one phrase replaced by a phrase, equally long, of one of the donors; None where no donor makes
    a difference. In longer texts neither the first nor the last word is touched.

    >>> degraded("the cat sat on the mat", ["a dog has barked at night"], 12345, "item 1")
    'the cat a dog has mat'
    """
    words, glue = _words(text)
    size = min(replaced_words(len(words)), len(words))
    if not words:
        return None
    inner = len(words) - size - 1 >= 1 and len(words) > 3
    low, high = (1, len(words) - size - 1) if inner else (0, len(words) - size)
    for attempt in range(_ATTEMPTS if donors else 0):
        donor = donors[number(len(donors), *labels, "donor", attempt)]
        other, _ = _words(donor)
        if len(other) < size or donor == text:
            continue
        start = low + number(high - low + 1, *labels, "place", attempt)
        first = number(len(other) - size + 1, *labels, "phrase", attempt)
        phrase = other[first : first + size]
        if [word.lower() for word in phrase] != [word.lower() for word in words[start : start + size]]:
            return glue.join([*words[:start], *phrase, *words[start + size :]])
    return None


def _words(text: str) -> tuple[list[str], str]:
    """Words, and what joins them: in writing without spaces every character is one."""
    if len(_SPACELESS.findall(text)) * 2 > len(text):
        return [sign for sign in text if not sign.isspace()], ""
    return text.split(), " "
