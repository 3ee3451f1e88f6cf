"""The segments of a document that is to be translated, whatever file it is in."""

from __future__ import annotations

import os

from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.pages import HTML_ENDINGS, TEXT_ENDINGS, paragraphs
from tertium.io.records import text_lines
from tertium.text.splitting import sentences

PLAIN = (*TEXT_ENDINGS, "")


def segments_of(path: str, pair: Pair | None) -> list[str]:
    """The segments of a document: lines of plain text, sentences of HTML, sources of a localisation file."""
    ending = os.path.splitext(path)[1].lower()
    if ending in HTML_ENDINGS:
        return sentences(paragraphs(path), pair.source if pair else "en")[0]
    if ending in PLAIN or not os.path.exists(path):
        return [line for _, line in text_lines(path) if line.strip()]
    return [unit.source for unit in open_units(path, pair=pair) if unit.source.strip()]
