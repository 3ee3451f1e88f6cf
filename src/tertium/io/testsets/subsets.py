"""Parts of test sets by name: segments by the language that their document was written in, and by what it is about.

They are sacrebleu's: original languages are those that WMT's SGML and XML say, what documents are about is the domain
in XML, and the tags of the table (`US-politics`) for the English documents of WMT18 and WMT19.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tertium.errors import InputError
from tertium.io.door import Files
from tertium.io.testsets.table import NamedSet, named_set
from tertium.io.testsets.texts import fields_of, opened_text, see_archives, texts_of

_ORIGIN = re.compile(r'.* origlang="([^"]+)"')
_DOCUMENT = re.compile(r'.* docid="([^"]+)"')


class NothingSaid(InputError):
    """A test set whose files say nothing of its documents."""


class About(NamedTuple):
    """What a test set says of the document of a segment."""

    language: str
    subject: str | None  # US-politics, news; None: nothing is known


class SetPart(NamedTuple):
    """What segments are asked for."""

    origlang: str | None = None  # de; non-de: all others
    subset: str | None = None  # an expression to be found in the subject

    def __bool__(self) -> bool:
        return self.origlang is not None or self.subset is not None

    @property
    def expression(self) -> re.Pattern[str] | None:
        if self.subset is None:
            return None
        try:
            return re.compile(self.subset.removeprefix("country:"))
        except re.error as error:
            raise InputError(f"--subset {self.subset}: is not a regular expression: {error}") from None

    def keeps(self, about: About, expression: re.Pattern[str] | None) -> bool:
        """Whether it is one of them.

        >>> SetPart("non-de").keeps(About("en", None), None), SetPart("de").keeps(About("en", None), None)
        (True, False)
        """
        if self.origlang is not None:
            other = self.origlang.startswith("non-")
            if (about.language == self.origlang.removeprefix("non-")) == other:
                return False
        return expression is None or bool(about.subject is not None and expression.search(about.subject))

    def said(self) -> tuple[str, ...]:
        """As signatures say it; a value with bars or colons in it is quoted.

        >>> SetPart("en", "country:US").said()
        ('origlang:en', 'subset:"country:US"')
        """
        given = (("origlang", self.origlang), ("subset", self.subset))
        return tuple(
            f'{key}:"{value}"' if re.search("[|:]", value) else f"{key}:{value}"
            for key, value in given
            if value is not None
        )


def only(files: Files, names: str, wanted: SetPart) -> Files:
    """The files of a test set, of which only the segments that are wanted are read."""
    keep = kept(names, files.pair, wanted)
    return files._replace(keep=keep, origin=(*files.origin, *wanted.said()))


def kept(names: str, pair: str | None, wanted: SetPart) -> list[bool]:
    """Whether each segment of a test set is wanted; `wmt16,wmt17` are one behind the other."""
    if pair is None:
        texts_of(names, pair)  # says what is missing
    expression = wanted.expression
    about: list[About] = []
    for name in names.split(","):
        named = named_set(name.strip())
        own = abouts(named, str(pair))
        if wanted.origlang is not None and not languages(own):
            raise InputError(
                f"--origlang: {named.name} does not say what languages its documents were written in"
            )
        if wanted.subset is not None and all(one.subject is None for one in own):
            raise InputError(
                f"--subset: {named.name} {pair} does not say what its documents are about: wmt18 and wmt19 do, and XML "
                "with domains (wmt23, wmt24)"
            )
        about += own
    found = [wanted.keeps(own, expression) for own in about]
    if not any(found):
        options = ("--origlang", wanted.origlang), ("--subset", wanted.subset)
        asked = " ".join(f"{name} {value}" for name, value in options if value is not None)
        raise InputError(
            f"{names} {pair} has no segment with {asked} (original languages: {', '.join(languages(about))}; "
            f"subjects: {', '.join(subjects(about)) or 'none'})"
        )
    return found


def abouts_of(names: str, pair: str | None) -> list[About]:
    """What is known of each segment, test set behind test set; nothing where the files say nothing."""
    found: list[About] = []
    for name in names.split(","):
        try:
            found += abouts(named_set(name.strip()), str(pair))
        except NothingSaid:
            return []
    return found


def abouts(named: NamedSet, pair: str) -> list[About]:
    """What is known of each segment."""
    if named.kind == "xml":
        fields = fields_of(named, pair)
        spoken = _column(fields["origlang"])
        domains: Sequence[str | None] = (
            _column(fields["domain"]) if "domain" in fields else [None] * len(spoken)
        )
        return [About(*own) for own in zip(spoken, domains, strict=True)]
    first = named.pair(pair).files[0]
    if not first.endswith(".sgm"):
        raise NothingSaid(
            f"{named.name} does not say what languages its documents were written in, nor what they are about: WMT's "
            "SGML and XML do (wmt17, wmt22)"
        )
    see_archives(named, pair)
    with opened_text(os.path.join(named.raw, first)) as lines:
        return list(_marked(lines, named))


def _column(path: str) -> list[str]:
    with opened_text(path) as lines:
        return [line.rstrip("\n") for line in lines]


def _marked(lines: Iterator[str], named: NamedSet) -> Iterator[About]:
    """What SGML says of the document around each of its segments."""
    about = About("", None)
    for line in lines:
        if line.startswith("<doc "):
            origin, document = _ORIGIN.match(line), _DOCUMENT.match(line)
            tag = named.tags.get(document[1] if document else "", "") if named.tags else None
            about = About(origin[1] if origin else "", tag)
        elif line.startswith("<seg "):
            yield about


def languages(about: Sequence[About]) -> list[str]:
    """The original languages there are.

    >>> languages([About("en", None), About("de", None), About("en", None)])
    ['de', 'en']
    """
    return sorted({own.language for own in about} - {""})


def subjects(about: Sequence[About]) -> list[str]:
    """The values that --subset can ask for.

    >>> subjects([About("en", "US-politics"), About("en", "OTHER-world-ID"), About("en", "")])
    ['country:OTHER', 'country:US', 'politics', 'world']
    """
    tags = [own.subject.split("-") for own in about if own.subject]
    countries = {f"country:{tag[0]}" for tag in tags if len(tag) > 1}
    return sorted(countries | {tag[min(1, len(tag) - 1)] for tag in tags})
