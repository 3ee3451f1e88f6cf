"""The Moses tokeniser once more, slowly and readably: what native/tokenize_moses.hpp must give.

The original is a chain of substitutions; here the chain is written down as such, one line a rule.
"""

from __future__ import annotations

import importlib

from tertium.text.moses import parse, read_prefixes

regex = importlib.import_module("regex")  # imported so because it comes without types

LETTER, NUMBER = r"\p{Alphabetic}", r"\p{N}"
# What is taken for a symbol unless the switch p says otherwise: ideographs, Hangul, all beyond the basic plane.
IDEOGRAPH = (
    r"\u3005\u3007\u3021-\u3029\u3038-\u303B\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uF900-\uFAFF"
    r"\U00010000-\U0010FFFF"
)
DOTS = "\U000f0001"  # stands for a full stop of a run; private, and not in the texts we test with

APOSTROPHES = {
    "en": [
        (rf"([^{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        (rf"([^{LETTER}{NUMBER}])'([{LETTER}])", r"\1 ' \2"),
        (rf"([{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        (rf"([{LETTER}])'([{LETTER}])", r"\1 '\2"),
        (rf"([{NUMBER}])'s", r"\1 's"),
    ],
    "fr": [
        (rf"([^{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        (rf"([^{LETTER}])'([{LETTER}])", r"\1 ' \2"),
        (rf"([{LETTER}])'([^{LETTER}])", r"\1 ' \2"),
        (rf"([{LETTER}])'([{LETTER}])", r"\1' \2"),
    ],
}
ESCAPES = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}


def symbols_apart(text: str, perl: bool, finnish: bool) -> str:
    """Spaces around whatever is no letter, digit, or one of . ' ` , -"""
    word = rf"[[{LETTER}\p{{Nd}}]--[{'' if perl else IDEOGRAPH}\n]]"
    kept = rf"(?V1)(?:{word}|[\s.'`,\-{':' if perl and finnish else ''}])"
    text = "".join(c if regex.match(kept, c) else f" {c} " for c in text)
    if perl and finnish:
        text = regex.sub(r":(?!\p{Lowercase})", " : ", text)
    return text


def keeps_stop(word: str, following: str, always: set[str], before_numbers: set[str]) -> bool:
    """Whether `word.` stays whole in front of `following`."""
    if regex.match(r"\p{Lowercase}", following):
        return True
    if "." in word and regex.search(LETTER, word):
        return True
    if word in before_numbers:
        return following[:1] in set("0123456789")
    return word in always


def tokenize(name: str, text: str) -> list[str]:
    """The tokens of one segment."""
    parsed = parse(name)
    assert parsed is not None
    always, before_numbers = map(set, read_prefixes(parsed.language or "generic"))
    text = "".join(c for c in " ".join(text.split()) if c >= " ").strip()
    text = symbols_apart(text, "p" in parsed.switches, parsed.language == "fi")
    if "a" in parsed.switches:
        text = regex.sub(rf"(?<=[{LETTER}\p{{Nd}}])-(?=[{LETTER}\p{{Nd}}])", " @-@ ", text)
    text = regex.sub(r"\.{2,}", lambda found: f" {DOTS * len(found.group())} ", text)
    text = regex.sub(rf"([^{NUMBER}]),", r"\1 , ", text)
    text = regex.sub(rf",([^{NUMBER}])", r" , \1", text)
    text = regex.sub(rf"([{NUMBER}]),$", r"\1 , ", text)
    for pattern, replacement in APOSTROPHES.get(parsed.language, [("'", " ' ")]):
        text = regex.sub(pattern, replacement, text)
    words = text.split()
    for i, (word, following) in enumerate(zip(words, [*words[1:], ""], strict=False)):
        if (
            len(word) > 1
            and word.endswith(".")
            and not keeps_stop(word[:-1], following, always, before_numbers)
        ):
            words[i] = f"{word[:-1]} ."
    text = regex.sub(r"\.'$", " . '", " ".join(words)).replace(DOTS, ".")
    if "e" in parsed.switches:
        text = "".join(ESCAPES.get(c, c) for c in text)
    return text.split()
