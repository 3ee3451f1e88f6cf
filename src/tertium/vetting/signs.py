"""Signs that one native scan finds in a unit's texts (`native/unit_signs.hpp`): where one is, a check has to look."""

from __future__ import annotations

# of one side
DIGIT = 1 << 0
SPECIAL = 1 << 1  # % { < $, which begin placeholders
BRACE = 1 << 2
ADDRESS = 1 << 3
NAME = 1 << 4
ACRONYM = 1 << 5
CODE = 1 << 6
SUSPECT = 1 << 7  # characters that may come of a wrong encoding
AGAIN = 1 << 8  # a word twice in a row
BLANK = 1 << 9
SPACE_FIRST = 1 << 10
SPACE_LAST = 1 << 11
LANGUAGE = 1 << 12  # function words that are rather another language's
MONTH = 1 << 13
CLOCK = 1 << 14
CURRENCY = 1 << 15
MEASURE = 1 << 16
BREAKS_OFF = 1 << 17

TARGET = 20  # signs of the target stand so many bits higher

# of both
SAME = 1 << 40
NUMBERS = 1 << 41  # not the same runs of digits
ENDING = 1 << 42
QUOTES = 1 << 43
KEYS = 1 << 44
DENIAL = 1 << 45

# what a word is
OWN = 1  # a function word of its language
OTHERS = 2  # of other languages only
DENIES = 4
MAY_DENY = 8
BEGINS_DENIAL = 16
MONTH_WORD = 32
CURRENCY_WORD = 64


def either(sign: int) -> int:
    """The bits of a sign on both sides."""
    return sign | sign << TARGET
