"""Which two languages of a memory are meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple, Self

from tertium.errors import InputError, SpecError

_LANGUAGE = re.compile(
    r"[A-Za-z]{2,3}(?:[-_][A-Z][a-z]{3})?(?:[-_](?:[A-Z]{2}|\d{3}))?|x-[A-Za-z0-9]+"
)  # en, pt-BR, zh_Hant


class Pair(NamedTuple):
    """Source and target language.

    >>> Pair.parse("en-fr"), Pair.parse("en-US-zh-Hant-TW")
    (Pair(source='en', target='fr'), Pair(source='en-US', target='zh-Hant-TW'))
    """

    source: str
    target: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """`en-fr`, `en-US-fr-CA`: a region or script in capitals belongs to the language before it."""
        first = _LANGUAGE.match(text)
        second = _LANGUAGE.fullmatch(text, first.end() + 1) if first else None
        if first is None or second is None or text[first.end()] not in "-:,>":
            raise SpecError(f"--pair {text}: a language pair is source-target, such as en-fr or en-US-fr-FR")
        return cls(first.group(), second.group())

    def __str__(self) -> str:
        return f"{self.source}-{self.target}"


def normal(language: str) -> str:
    """A language as it is compared: `en_US` and `EN-us` are one."""
    return language.replace("_", "-").lower()


def covers(wanted: str, language: str) -> bool:
    """Whether a language is what somebody wants: `fr` is also any `fr-CA`, not the other way round.

    >>> covers("fr", "FR_ca"), covers("fr-CA", "fr")
    (True, False)
    """
    asked, given = normal(wanted), normal(language)
    return given == asked or given.startswith(asked + "-")


class NoMemoryError(InputError):
    """A file without units in two languages: there is nothing to keep of it."""


def which_pair(name: str, languages: Iterable[str], place: str = "") -> InputError:
    """The one line for a memory of more than two languages."""
    found = list(dict.fromkeys(languages))
    where = f"{name}: {place}: " if place else f"{name}: "
    others = " or ".join(f"--pair {found[0]}-{other}" for other in found[1:4])
    return InputError(f"{where}holds {len(found)} languages ({', '.join(found[:9])}): which pair? ({others})")
