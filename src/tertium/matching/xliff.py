"""Proposals as XLIFF 1.2: each is an alt-trans with its match-quality, where CAT tools look for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.io.memories.xmlstream import escaped_text, escaped_value
from tertium.matching.proposals import Proposal


def write_xliff(
    document: str, segments: Sequence[tuple[str, Sequence[Proposal]]], languages: Sequence[str]
) -> str:
    """A file of segments without targets, and with proposals."""
    return "".join(_lines(document, segments, languages))


def _lines(
    document: str, segments: Sequence[tuple[str, Sequence[Proposal]]], languages: Sequence[str]
) -> Iterator[str]:
    source, target = (escaped_value(own) for own in languages)
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
    yield f'<file original="{escaped_value(document)}" datatype="plaintext" source-language="{source}"'
    yield f' target-language="{target}">\n<body>\n'
    for number, (text, proposals) in enumerate(segments, 1):
        yield f'<trans-unit id="{number}">\n<source>{escaped_text(text)}</source>\n'
        for own in proposals:
            origin = ", ".join(filter(None, (own.client, own.document, own.date[:10])))
            yield f'<alt-trans match-quality="{own.rate}%" origin="{escaped_value(origin)}">'
            yield f"<source>{escaped_text(own.source)}</source>"
            yield f"<target>{escaped_text(own.target)}</target></alt-trans>\n"
        yield "</trans-unit>\n"
    yield "</body>\n</file>\n</xliff>\n"
