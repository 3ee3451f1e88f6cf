"""Glossaries: on each line a term of the source, a tab, and its translation; several translations between bars."""

from __future__ import annotations

from tertium.errors import InputError
from tertium.io.records import text_lines
from tertium.io.streams import FilePath, display_name

HEADER = ("source", "target")


def read_glossary(path: FilePath) -> dict[str, tuple[str, ...]]:
    """Translations by term. A first line `source`, `target` is a header; empty lines and those with # are skipped."""
    name = display_name(path)
    found: dict[str, tuple[str, ...]] = {}
    lines: dict[str, int] = {}
    first = True
    for number, line in text_lines(path):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("\t")]
        header, first = first and tuple(field.lower() for field in fields[:2]) == HEADER, False
        if header:
            continue
        where = f"{name}: line {number}"
        if len(fields) < 2:
            raise InputError(f"{where}: a term and its translation are separated by a tab")
        term, listed = fields[0], tuple(text for part in fields[1].split("|") if (text := part.strip()))
        if not term or not listed:
            raise InputError(f"{where}: the {'term' if not term else 'translation'} is empty")
        if term.lower() in lines:
            raise InputError(f"{where}: {term!r} is there twice, first on line {lines[term.lower()]}")
        lines[term.lower()] = number
        found[term] = listed
    if not found:
        raise InputError(f"{name}: there are no terms in this file")
    return found
