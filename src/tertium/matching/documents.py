"""A document that is to be translated: its segments, and what is translated of it already."""

from __future__ import annotations

import os
from typing import NamedTuple

from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.io.pages import HTML_ENDINGS, TEXT_ENDINGS, paragraphs
from tertium.io.records import text_lines
from tertium.text.splitting import sentences

PLAIN = (*TEXT_ENDINGS, "")
_NOT_YET = (("target-state", "new"), ("target-state", "needs-translation"), ("segment-state", "initial"))


class DocumentSegment(NamedTuple):
    """A source, and its target, if there is one; with inline tags where there are any; and the target's state, as the
    version of XLIFF names it that it comes from (1: 1.2, 2)."""

    source: str
    target: str = ""
    source_markup: str = ""
    target_markup: str = ""
    state: tuple[str, str] = ("", "")
    qualifier: str = ""  # of the state: how the target came about
    note: str = ""  # for whoever translates it


def read_document(path: str, pair: Pair | None) -> list[DocumentSegment]:
    """The segments of a document: lines of plain text, sentences of HTML, units of a localisation file, whether they
    are translated or not."""
    ending = os.path.splitext(path)[1].lower()
    if ending in HTML_ENDINGS:
        return [DocumentSegment(own) for own in sentences(paragraphs(path), pair.source if pair else "en")[0]]
    if ending in PLAIN or not os.path.exists(path):
        return [DocumentSegment(line) for _, line in text_lines(path) if line.strip()]
    units = open_units(path, pair=pair, untranslated=True)
    return [_segment(unit) for unit in units if unit.source.strip() and not unit.property("obsolete")]


def _segment(unit: Unit) -> DocumentSegment:
    """Targets that say of themselves that they are none yet are left out: state `new`, `initial`; PO's fuzzy ones."""
    fuzzy = "fuzzy" in unit.property("flags").split(", ")
    if fuzzy or not unit.target.strip() or any(unit.property(name) == value for name, value in _NOT_YET):
        return DocumentSegment(unit.source, source_markup=unit.source_markup)
    states = (("1", unit.property("target-state")), ("2", unit.property("segment-state")))
    state = next((own for own in states if own[1]), ("", ""))
    return DocumentSegment(unit.source, unit.target, unit.source_markup, unit.target_markup, state)
