"""Sure mistakes: rules that turn a right sentence into a wrong one, each with a name, a kind and an example.

The kinds are those of Sennrich's contrastive pairs (2016, LingEval97): agreement, negation, verb particles,
transliteration; and wrong numbers and names. Rules of a language are patterns in `data/challenge/edits.toml`; numbers
and names need none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import NamedTuple

from tertium.errors import SpecError, did_you_mean
from tertium.io.settings import read_record

KINDS = ("agreement", "negation", "particle", "number", "name", "transliteration")
NOUNS_IN_CAPITALS = ("de", "lb")  # here only what the source has, too, is surely a name


class Edit(NamedTuple):
    """Characters from `start` to `end` become `put`."""

    start: int
    end: int
    put: str

    def made(self, text: str) -> str:
        return text[: self.start] + self.put + text[self.end :]


@dataclass(frozen=True)
class Case:
    """Where `find` matches, its group `word`, or all of it, becomes `put`, or what `put` says of it (`is=are`)."""

    find: str
    put: str

    def edits(self, text: str) -> Iterator[Edit]:
        for match in re.finditer(self.find, text):
            which = "word" if "word" in match.re.groupindex else 0
            old = match[which]
            put = self._words[old.lower()] if self._words else match.expand(self.put)
            if "’" not in text:
                put = put.replace("’", "'")
            start, end = match.span(which)
            if old[:1].isupper():
                if not put:  # a prefix is gone: its word leads now
                    put, end = text[end], end + 1
                put = put[:1].upper() + put[1:]
            yield Edit(start, end, put)

    @property
    def _words(self) -> dict[str, str]:
        return dict(pair.split("=") for pair in self.put.split()) if "=" in self.put else {}


@dataclass(frozen=True)
class Rule:
    """A way to make a mistake: its name, what kind it is, in which language (empty: any), and an example."""

    name: str
    kind: str
    language: str
    right: str
    wrong: str
    cases: tuple[Case, ...] = ()
    unless: str = "(?!)"

    @property
    def title(self) -> str:
        return f"{self.language}: {self.name}" if self.language else self.name

    def edits(self, text: str, known: Corpus) -> list[Edit]:
        """Every place where the rule surely makes a mistake."""
        if not self.cases:
            return _EVERYWHERE[self.name](text, known)
        if re.search(self.unless, text):
            return []
        found = (edit for case in self.cases for edit in case.edits(text))
        return [edit for edit in found if edit.made(text) != text]


class Corpus(NamedTuple):
    """What rules know beside the sentence: the words of the whole text, its names, the source sentence, the draw."""

    words: frozenset[str]
    names: tuple[str, ...]
    source: str | None
    language: str
    draw: Random


_NUMBER = re.compile(r"(?<![\w.,:/+#%$-])\d+(?:[.,]\d+)*(?![\w:/]|[.,]\d)")
_TRIES = 20  # draws until a name is found that the sentence does not have
_CAPITAL = re.compile(r"[^\W\d_]{3,}")


def _digit_changed(text: str, known: Corpus) -> list[Edit]:
    """One digit of a number becomes another; a first digit never 0."""
    found = []
    for match in _NUMBER.finditer(text):
        places = [place for place in range(*match.span()) if text[place].isdigit()]
        place = places[int(known.draw.random() * len(places))]
        digits = [d for d in "0123456789" if d != text[place] and (d != "0" or place != match.start())]
        found.append(Edit(place, place + 1, digits[int(known.draw.random() * len(digits))]))
    return found


def names_in(text: str, words: frozenset[str], source: str | None, language: str) -> list[re.Match[str]]:
    """Words that are surely names: written with a capital inside the sentence, and never without one in the whole
    text; in German, where all nouns have one, and wherever there is a source, the source must have them, too."""
    theirs = None if source is None else set(_CAPITAL.findall(source))
    if theirs is None and language in NOUNS_IN_CAPITALS:
        return []
    return [
        match
        for match in _CAPITAL.finditer(text)
        if match[0][0].isupper()
        and match[0][1:].islower()
        and match[0].lower() not in words
        and re.search(r"[\w,;)] $", text[: match.start()])
        and not text[match.end() :].startswith(("-", "'", "’"))
        and (theirs is None or match[0] in theirs)
    ]


def _name_replaced(text: str, known: Corpus) -> list[Edit]:
    """A name becomes another of the text, which the sentence does not have."""
    found = []
    for match in names_in(text, known.words, known.source, known.language) if known.names else ():
        drawn = (known.names[int(known.draw.random() * len(known.names))] for _ in range(_TRIES))
        if other := next((name for name in drawn if name not in text), None):
            found.append(Edit(*match.span(), other))
    return found


def _letters_swapped(text: str, known: Corpus) -> list[Edit]:
    """Two neighbouring letters of a name trade places, but not the first."""
    found = []
    for match in names_in(text, known.words, known.source, known.language):
        word = match[0]
        swaps = [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(1, len(word) - 1)]
        fit = [
            new for new in swaps if new != word and new not in known.names and new.lower() not in known.words
        ]
        if len(word) >= 5 and fit:
            found.append(Edit(*match.span(), fit[int(known.draw.random() * len(fit))]))
    return found


_EVERYWHERE: Mapping[str, Callable[[str, Corpus], list[Edit]]] = {
    "digit changed": _digit_changed,
    "name replaced": _name_replaced,
    "letters of a name swapped": _letters_swapped,
}
_ANY = (
    Rule("digit changed", "number", "", "It cost 1,250 dollars.", "It cost 1,280 dollars."),
    Rule("name replaced", "name", "", "We saw Anna there.", "We saw Peter there."),
    Rule("letters of a name swapped", "transliteration", "", "We saw Obama there.", "We saw Obmaa there."),
)


@cache
def all_rules() -> tuple[Rule, ...]:
    """Those of every language, then those of any."""
    import tomllib
    from importlib.resources import files

    where = files("tertium") / "data" / "challenge" / "edits.toml"
    listed = tomllib.loads(where.read_text("utf-8"))["rules"]
    return (*(read_record(Rule, own, f"edits.toml: rule {n}") for n, own in enumerate(listed, 1)), *_ANY)


def rules_for(language: str, kinds: Sequence[str] = KINDS) -> list[Rule]:
    """The rules of a language, and those of any.

    >>> [rule.title for rule in rules_for("cs", ["negation", "number"])]
    ['cs: negative verb made positive', 'cs: positive verb made negative', 'digit changed']
    """
    for kind in kinds:
        if kind not in KINDS:
            raise SpecError(f"unknown kind of mistake {kind!r}{did_you_mean(kind, KINDS)}")
    short = {"cz": "cs"}.get(language, language)
    return [rule for rule in all_rules() if rule.kind in kinds and rule.language in ("", short)]
