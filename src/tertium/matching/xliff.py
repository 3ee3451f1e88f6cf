"""Proposals as XLIFF, with their rates where the standard has a place for them: 1.2 has `alt-trans` with
`match-quality`, 2 has the module of translation candidates, `mtc:match` with `similarity` and `matchQuality`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tertium.io.memories.xliffinline import to_xliff1, to_xliff2
from tertium.io.memories.xmlstream import escaped_text, escaped_value, writable
from tertium.matching.documents import DocumentSegment
from tertium.matching.proposals import EXACT, MACHINE, SOURCE, Proposal

Segments = Sequence[tuple[DocumentSegment, Sequence[Proposal]]]
_ORIGINS = {  # what no memory has: what it is called, and its type in version 2
    SOURCE: ("source as it stands", 'type="other" subType="tertium:source"'),
    MACHINE: ("machine translation", 'type="mt"'),
}
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def write_xliff(document: str, segments: Segments, languages: Sequence[str], *, version: str = "1") -> str:
    """A file of segments with proposals, and with the targets that they have already."""
    return "".join(VERSIONS[version](document, segments, languages))


def _one(document: str, segments: Segments, languages: Sequence[str]) -> Iterator[str]:
    source, target = map(_value, languages)
    yield f'{_HEAD}<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
    yield f'<file original="{_value(document)}" datatype="plaintext" source-language="{source}"'
    yield f' target-language="{target}">\n<body>\n'
    for number, (given, proposals) in enumerate(segments, 1):
        yield f'<trans-unit id="{number}">\n<source>{_marked(given.source, given.source_markup, to_xliff1)}</source>\n'
        if given.target:
            state = f' state="{_value(given.state[1])}"' if given.state[0] == "1" else ""
            state += f' state-qualifier="{_value(given.qualifier)}"' if given.qualifier else ""
            yield f"<target{state}>{_marked(given.target, given.target_markup, to_xliff1)}</target>\n"
        for own in proposals:
            rate = "" if own.origin in _ORIGINS else f' match-quality="{own.rate}%"'
            yield f'<alt-trans{rate} origin="{_origin(own)}">{_texts(own)}</alt-trans>\n'
        if given.note:
            yield f'<note from="tertium">{_text(given.note)}</note>\n'
        yield "</trans-unit>\n"
    yield "</body>\n</file>\n</xliff>\n"


def _two(document: str, segments: Segments, languages: Sequence[str]) -> Iterator[str]:
    """A segment's text is marked, since a candidate has to say which text it is for. No share is above 100 there: a
    neighbour that is the same, too, makes the type `ice` (in-context exact)."""
    source, target = map(_value, languages)
    yield f'{_HEAD}<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0"'
    yield f' xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0" srcLang="{source}" trgLang="{target}">\n'
    yield f'<file id="f1" original="{_value(document)}">\n'
    for number, (given, proposals) in enumerate(segments, 1):
        text = _marked(given.source, given.source_markup, to_xliff2)
        state = f' state="{_value(given.state[1])}"' if given.state[0] == "2" else ""
        done = _marked(given.target, given.target_markup, to_xliff2)
        target = f"<target>{done}</target>" if given.target else ""
        if given.qualifier and state:
            state += f' subState="{_value(given.qualifier)}"'
        yield f'<unit id="{number}">\n'
        if proposals:
            yield "<mtc:matches>\n"
            for place, own in enumerate(proposals, 1):
                yield f'<mtc:match id="p{place}" ref="#m1" {_kind(own)} origin="{_origin(own)}">'
                yield f"{_texts(own)}</mtc:match>\n"
            yield "</mtc:matches>\n"
            text = f'<mrk id="m1" type="mtc:match">{text}</mrk>'
        if given.note:
            yield f'<notes><note category="tertium">{_text(given.note)}</note></notes>\n'
        yield f"<segment{state}><source>{text}</source>{target}</segment>\n"
        yield "</unit>\n"
    yield "</file>\n</xliff>\n"


def _texts(own: Proposal) -> str:
    return f"<source>{_text(own.source)}</source><target>{_text(own.target)}</target>"


def _kind(own: Proposal) -> str:
    """What a candidate is, and how good; the source as it stands is like nothing that is stored."""
    alike = min(own.rate, EXACT)
    worth = None if own.worth is None else round(100 * own.worth, 1)
    if own.origin in _ORIGINS:
        return _ORIGINS[own.origin][1] + (f' matchQuality="{worth}"' if worth else "")
    kind = "ice" if own.rate > EXACT else "tm"
    return f'type="{kind}" similarity="{alike}" matchQuality="{alike if worth is None else worth}"'


def _origin(own: Proposal) -> str:
    if own.origin in _ORIGINS:
        return _ORIGINS[own.origin][0]
    return _value(", ".join(filter(None, (own.client, own.document, own.date[:10]))))


def _marked(text: str, markup: str, inline: Callable[[str], str]) -> str:
    """A text with its inline tags, if it has any."""
    return inline(markup) if markup else _text(text)


def _text(text: str) -> str:
    return escaped_text(writable(text))


def _value(text: str) -> str:
    return escaped_value(writable(text))


VERSIONS: dict[str, Callable[[str, Segments, Sequence[str]], Iterator[str]]] = {"1": _one, "2": _two}
