"""A document that was analysed, as XLIFF: what a translator starts from, with match rates and statuses.

A status is where the standard has a place for it: the target's `state` (with `state-qualifier` in 1.2, `subState` in
2), and in a note of the unit in words. What is blocked or new has no target.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from tertium.analysis.analysed import DONE, NEW, AnalysedDocument, AnalysedSegment
from tertium.errors import InputError
from tertium.io.files import write_atomically
from tertium.matching.documents import DocumentSegment
from tertium.matching.proposals import EXACT, MACHINE, SOURCE
from tertium.matching.xliff import write_xliff
from tertium.triage.verdicts import BLOCK, EDIT, PASS

ENDINGS = (".xlf", ".xliff")
STATES: Mapping[str, Mapping[str, str]] = {
    "1": {
        PASS: "translated",
        EDIT: "needs-review-translation",
        BLOCK: "needs-translation",
        NEW: "needs-translation",
    },
    "2": {PASS: "translated", EDIT: "initial", BLOCK: "initial", NEW: "initial"},
}
_QUALIFIERS = {MACHINE: "leveraged-mt", SOURCE: "leveraged-inherited"}


def pretranslated(found: AnalysedDocument, *, version: str = "1") -> str:
    """The document as XLIFF, 1.2 (`1`) or 2."""
    segments = [
        (_segment(given, own, version), own.proposals)
        for given, own in zip(found.given, found.segments, strict=True)
    ]
    return write_xliff(found.document, segments, found.languages, version=version)


def check_output(path: str | None) -> None:
    """Refuse a file of another kind before anything is done."""
    if path is not None and os.path.splitext(path)[1].lower() not in ENDINGS:
        raise InputError(f"{path}: a pre-translated document is written as {' or '.join(ENDINGS)}")


def write_pretranslated(path: str, found: AnalysedDocument, *, version: str = "1") -> None:
    """The document as an XLIFF file, which appears when all of it is written."""
    check_output(path)
    with write_atomically(path) as file:
        file.write(pretranslated(found, version=version))


def _segment(given: DocumentSegment, own: AnalysedSegment, version: str) -> DocumentSegment:
    if own.status == DONE:
        return given
    note = ": ".join(filter(None, (own.status, "; ".join(own.reasons))))
    return given._replace(
        target=own.target,
        target_markup="",
        state=(version, STATES[version][own.status]),
        qualifier=_qualifier(own, version),
        note=note,
    )


def _qualifier(own: AnalysedSegment, version: str) -> str:
    """How it came about, in the words of 1.2; our own status in 2."""
    if version == "2":
        return f"tertium:{own.status}"
    if not own.target:
        return ""
    stored = "exact-match" if (own.rate or 0) >= EXACT else "fuzzy-match"
    return _QUALIFIERS.get(own.origin, stored)
