"""The tokenisers once more, slowly and readably: what native/tokenize_*.hpp must give.

Every tokeniser but `char` is one description of its characters (`Rules`) and one reading of the text (`cut`).
"""

from __future__ import annotations

import dataclasses
import importlib
import itertools
import re
from collections.abc import Callable

regex = importlib.import_module("regex")  # imported so because it comes without types


def is_digit(character: str) -> bool:
    return character in set("0123456789")


def is_full_stop_or_comma(character: str) -> bool:
    return character in {".", ","}


def is_western_symbol(character: str) -> bool:
    """All ASCII marks but these four: apostrophe, comma, hyphen, full stop."""
    return "!" <= character <= "~" and not character.isalnum() and character not in set("',-.")


def nothing(character: str) -> bool:
    return False


@dataclasses.dataclass(frozen=True)
class Rules:
    """Sorts of characters; what is of none of these sorts makes words."""

    symbol: Callable[[str], bool] = nothing  # always a token of its own
    point: Callable[[str], bool] = nothing  # a token of its own, unless it stays with the number behind it
    number: Callable[[str], bool] = nothing  # what can hold a point
    padded: bool = True  # whether the edges of the text count as spaces
    split_dash: bool = False  # a hyphen behind a digit is a token of its own
    split_possessive: bool = False  # so is 's at the end of a word


def cut(text: str, rules: Rules) -> list[str]:
    """Puts a space on either side of every token, then splits."""
    pieces: list[str] = []
    for i, character in enumerate(text):
        before, after = text[:i], text[i + 1 :]
        if rules.symbol(character):
            alone = True
        elif rules.point(character):
            alone = not point_stays(before, after, rules)
        elif character == "-" and rules.split_dash:
            alone = is_digit(before[-1:] or " ")
        else:
            alone = False
        if rules.split_possessive and character == "'" and opens_possessive(after, rules):
            pieces.append(" ")
        pieces.append(f" {character} " if alone else character)
    return "".join(pieces).split()


def point_stays(before: str, after: str, rules: Rules) -> bool:
    """Whether a point stays with the number behind it.

    The original regular expressions first look for two characters, any but a number and a point, and set the
    point apart; a run of points is so eaten in pairs. The first pair starts with what stands before the run,
    if that is no number, else with the first point. Only a point that no pair has reached can stay, and of
    those only one with a number behind it: the next expression sets all the others apart.
    Behind the last and before the first character of a text without padding there is nothing to match.
    """
    if after:
        if not rules.number(after[0]):
            return False
    elif rules.padded:
        return False
    run = 1
    while before and rules.point(before[-1]):
        before = before[:-1]
        run += 1
    if before:
        starts_pair = not rules.number(before[-1])
    else:
        starts_pair = rules.padded
    return (run + starts_pair) % 2 == 1


def opens_possessive(after: str, rules: Rules) -> bool:
    """Whether an apostrophe before `after` belongs to 's with a space, a symbol or nothing behind it."""
    return after[:1] == "s" and (len(after) == 1 or after[1] in {" ", "\n"} or rules.symbol(after[1]))


def undo_entities(text: str) -> str:
    for entity, meaning in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, meaning)
    return text


WESTERN = Rules(
    symbol=is_western_symbol, point=is_full_stop_or_comma, number=is_digit, padded=True, split_dash=True
)


def tokenize_13a(text: str) -> list[str]:
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "")
    return cut(undo_entities(text), WESTERN)


def between(character: str, ranges: str) -> bool:
    """Whether the character is in one of the ranges, written in hexadecimal as "3000-303F 4E00"."""
    for bounds in ranges.split():
        first, _, last = bounds.partition("-")
        if int(first, 16) <= ord(character) <= int(last or first, 16):
            return True
    return False


# 2001-2A6D and 2F81-2FA1 are what the original's mistyped ranges for the supplementary planes come to.
CHINESE = (
    "2001-2A6D 2E80-2EFF 2F00-2FDF 2F81-2FA1 2FF0-303F 3100-312F 31A0-31EF 3200-4DB5 4E00-9FBB "
    "F900-FA2D FA30-FA6A FA70-FAD9 FE10-FE1F FE30-FE4F FF00-FFEF"
)


def tokenize_zh(text: str) -> list[str]:
    def symbol(character: str) -> bool:
        return is_western_symbol(character) or between(character, CHINESE)

    return cut(text.strip(), dataclasses.replace(WESTERN, symbol=symbol, padded=False))


def has_category(category: str) -> Callable[[str], bool]:
    matches = regex.compile(rf"\p{{{category}}}").match
    return lambda character: matches(character) is not None


INTERNATIONAL = Rules(
    symbol=has_category("S"), point=has_category("P"), number=has_category("N"), padded=False
)


def tokenize_intl(text: str) -> list[str]:
    return cut(text.rstrip(), INTERNATIONAL)


IDEOGRAPHS = "2E80-2EFF 31C0-31EF 3200-4DBF 4E00-9FFF F900-FAFF FE30-FE4F"
ASIAN_PUNCTUATION = (
    "3001-3002 3008-3011 3014-301F 30FB FF01-FF02 FF08-FF09 FF0C FF0E FF1A-FF1B FF1F FF61-FF65"
)


def tokenize_tercom(text: str, flags: str) -> list[str]:
    normalized, no_punct, asian = (flag in flags for flag in "npa")

    def symbol(character: str) -> bool:
        return asian and between(character, IDEOGRAPHS + " " + ASIAN_PUNCTUATION)

    def deleted(character: str) -> bool:
        return character in set('.,?:;!"()') or (asian and between(character, ASIAN_PUNCTUATION))

    text = text.rstrip()
    if normalized:
        text = undo_entities(text.replace("\n-", ""))
        # An East Asian symbol does not end a possessive: it gets its spaces only after these were looked for.
        western = dataclasses.replace(WESTERN, split_possessive=True)
        tokens = [part for token in cut(text, western) for part in cut(token, Rules(symbol=symbol))]
    else:
        tokens = text.split()
    if no_punct:
        tokens = ["".join(character for character in token if not deleted(character)) for token in tokens]
    return [token for token in tokens if token]


KANA = ("3040-309F", "30A0-30FA 30FC-30FF", "31F0-31FF")
JAVA_SPACES = " \t\n\x0b\f\r"


def tokenize_tercom_java(text: str, flags: str) -> list[str]:
    """As tercom itself cuts. Between its tokens stand spaces of ASCII; others are letters."""
    normalized, no_punct, asian = (flag in flags for flag in "npa")
    text = text.strip("".join(map(chr, range(33))))
    if not text:
        return []
    tokens = re.split(f"[{JAVA_SPACES}]+", text)
    if normalized:
        # Other white space must not separate: it goes through `cut` as letters from the private use area.
        others = sorted({c for c in text if c.isspace() and c not in JAVA_SPACES})
        there = {ord(c): chr(0xE000 + i) for i, c in enumerate(others)}
        back = {0xE000 + i: c for i, c in enumerate(others)}
        made = undo_entities(text.replace("<skipped>", "")).translate(there)
        western = dataclasses.replace(WESTERN, split_possessive=True)
        tokens = [token.translate(back) for token in cut(made, western)] or [""]
    if normalized and asian:
        blocks = (IDEOGRAPHS + " " + ASIAN_PUNCTUATION, *KANA)
        tokens = [
            part
            for token in tokens
            for kind, run in itertools.groupby(
                token, lambda c: next((i for i, block in enumerate(blocks) if between(c, block)), None)
            )
            for part in (run if kind == 0 else ["".join(run)])
        ] or [""]
    if not no_punct:
        return tokens
    gone = set('.,?:;!"()')
    kept = [
        "".join(c for c in token if c not in gone and not (asian and between(c, ASIAN_PUNCTUATION)))
        for token in tokens
    ]
    if not any(kept):
        return [""] if len(kept) < 2 else []
    return [token for place, token in enumerate(kept) if token or place == 0]


def tokenize(name: str, text: str) -> list[str]:
    """The tokens of one segment. `tercom` may carry the flags n, p and a: tercom-np."""
    if name.partition("-")[0] == "tercom":
        return tokenize_tercom(text, name.partition("-")[2])
    simple: dict[str, Callable[[str], list[str]]] = {
        "none": str.split,
        "char": lambda line: list("".join(line.split())),
        "13a": tokenize_13a,
        "zh": tokenize_zh,
        "intl": tokenize_intl,
    }
    return simple[name](text)
