"""A source and its translation, as units that are compared: segments, or whole documents."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tertium.errors import InputError, many
from tertium.io.door import read_strings
from tertium.io.memories.formats import format_named, open_units
from tertium.io.memories.pairs import Pair
from tertium.io.pages import is_page, pages_of, paragraphs
from tertium.io.streams import display_name
from tertium.text.beads import Document, align
from tertium.text.splitting import sentences

USUAL = Pair("en", "fr")


@dataclass(frozen=True)
class PairedTexts:
    """Units of a source and of its translation, each as paragraphs, in their order."""

    pair: Pair
    unit: str  # segment or document
    sources: Sequence[Sequence[str]]
    targets: Sequence[Sequence[str]]
    documents: Sequence[str] | None = None  # of each unit, where they are known
    notes: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.sources)


def paired_lines(sources: Sequence[str], targets: Sequence[str], pair: Pair) -> PairedTexts:
    """Segments, one beside the other."""
    if len(sources) != len(targets):
        raise InputError(f"{many(len(sources), 'source')} for {many(len(targets), 'target')}")
    return PairedTexts(pair, "segment", [[own] for own in sources], [[own] for own in targets])


def read_paired(
    source: str,
    target: str | None = None,
    *,
    pair: Pair | None = None,
    documents: str | None = None,
    whole: bool = False,
    aligned: bool = False,
    encoding: str | None = None,
) -> PairedTexts:
    """Files or folders: a file of units (TMX, XLIFF, TSV...); two files with as many lines; documents, as wholes or
    `aligned` sentence by sentence.
    """
    if target is None:
        if whole or aligned or documents:
            raise InputError(
                f"{source}: --whole, --align and --documents are for two texts, SOURCE and TARGET"
            )
        return _units(source, pair, encoding)
    languages = pair or USUAL
    pages = _are_pages(source) or _are_pages(target)
    if not pages and not whole:
        ours, theirs = (_lines(path, encoding) for path in (source, target))
        if len(ours) == len(theirs) and not aligned:
            names = _documents(documents, len(ours))
            return replace(paired_lines(ours, theirs, languages), documents=names)
    if documents:
        raise InputError(f"{source} and {target}: --documents belongs to two texts of as many lines")
    found = _whole(source, target, languages, encoding)
    if aligned:
        return _aligned(found)
    said = "" if whole or pages else "their numbers of lines differ, so they are compared as wholes (--align)"
    return replace(found, notes=[*found.notes, said] if said else found.notes)


def _are_pages(path: str) -> bool:
    return os.path.isdir(path) or is_page(path)


def _lines(path: str, encoding: str | None) -> list[str]:
    if encoding is None:
        return read_strings(path)
    from tertium.io.files import read_lines

    return [line or "" for line in read_lines(path, encoding=encoding, strip_bom=True)]


def _documents(path: str | None, lines: int) -> list[str] | None:
    if path is None:
        return None
    found = read_strings(path)
    if len(found) != lines:
        raise InputError(f"{display_name(path)}: {many(len(found), 'line')} for {many(lines, 'segment')}")
    return found


def _units(path: str, pair: Pair | None, encoding: str | None) -> PairedTexts:
    format_named(path)
    units = list(open_units(path, pair=pair, encoding=encoding))
    if not units:
        raise InputError(f"{display_name(path)}: has no units")
    own = Pair(units[0].source_language, units[0].target_language)
    found = pair or (own if all(own) else USUAL)
    made = paired_lines([unit.source for unit in units], [unit.target for unit in units], found)
    names = [unit.document for unit in units]
    return replace(made, documents=names if all(names) else None)


def _whole(source: str, target: str, pair: Pair, encoding: str | None) -> PairedTexts:
    if os.path.isdir(source) != os.path.isdir(target):
        raise InputError(f"{source} and {target}: two files, or two folders")
    ours, theirs = pages_of(source), pages_of(target)
    names = [name for name in ours if name in theirs]
    if not names:
        raise InputError(
            f"{source} and {target}: no documents (.html, .txt, .md) that have the same name in both folders"
        )
    alone = len({*ours, *theirs}) - len(names)
    sides = [[paragraphs(own[name], encoding=encoding) for name in names] for own in (ours, theirs)]
    for path, own in ((source, sides[0]), (target, sides[1])):
        if not any(own):
            raise InputError(f"{display_name(path)}: has no text")
    notes = [f"{many(alone, 'document')} on one side only, left out"] if alone else []
    known = [name or os.path.basename(source) for name in names]
    return PairedTexts(pair, "document", sides[0], sides[1], known, notes)


def _aligned(texts: PairedTexts) -> PairedTexts:
    """Sentences of each document in beads; what has no counterpart is left out, and counted."""
    cut = [
        (
            sentences(ours, texts.pair.source, extra="readability"),
            sentences(theirs, texts.pair.target, extra="readability"),
        )
        for ours, theirs in zip(texts.sources, texts.targets, strict=True)
    ]
    made = [Document(ours[0], theirs[0], ours[1], theirs[1]) for ours, theirs in cut]
    sources: list[list[str]] = []
    targets: list[list[str]] = []
    names: list[str] = []
    alone = 0
    for name, document, beads in zip(texts.documents or (), made, align(made), strict=True):
        for (i, past_i), (j, past_j), _ in beads:
            if i < past_i and j < past_j:
                sources.append(list(document.sources[i:past_i]))
                targets.append(list(document.targets[j:past_j]))
                names.append(name)
            else:
                alone += past_i - i + past_j - j
    if not sources:
        raise InputError("no sentence of the source has a counterpart in the target")
    notes = [*texts.notes, *([f"{many(alone, 'sentence')} without counterpart, left out"] if alone else [])]
    several = len(set(names)) > 1
    return PairedTexts(texts.pair, "segment", sources, targets, names if several else None, notes)
