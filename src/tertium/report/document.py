"""The page of documents side by side: links, chains and cohesion over the texts of two systems, in one HTML file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tertium.report.assembly import Page, many, page_parts, write_page
from tertium.report.embedding import json_block, packed_json

if TYPE_CHECKING:
    from tertium.documents.showing import ShownDocuments

SCRIPTS = (
    "packed.js",
    "numbers.js",
    "document-data.js",
    "draw.js",
    "document-words.js",
    "document-links.js",
    "document-tables.js",
    "document.js",
    "shell.js",
)
STYLES = ("page.css", "document.css")

SECTIONS = (
    (
        "reader",
        "Side by side",
        "Point at a word, or go to it with the arrow keys, to see what it belongs to.",
    ),
    ("groups", "In this document", "What is drawn over the document above, as tables."),
    ("documents", "All documents", "Every document with its scores. Click on one to read it."),
)


def render_documents(shown: ShownDocuments) -> str:
    """The page as HTML.

    >>> from tertium import TestSet
    >>> from tertium.documents.showing import show_documents
    >>> render_documents(show_documents(TestSet.sample(), systems=["strong"])).splitlines()[0]
    '<!doctype html>'
    """
    return "".join(_parts(shown))


def write_documents_page(path: str | os.PathLike[str], shown: ShownDocuments) -> None:
    """Write the page to a file, which appears when all of it is written."""
    write_page(path, _parts(shown))


def _parts(shown: ShownDocuments) -> Iterator[str]:
    data = shown.data()
    documents = data.pop("documents")
    data["documents"] = [_about(document, data["texts"]) for document in documents]
    page = Page(
        title=f"{data['name']}: {' and '.join(data['systems'])}",
        facts=tuple(_facts(data)),
        summary=tuple(shown.words()),
        sections=SECTIONS,
        version=data["tertium"],
        scripts=SCRIPTS,
        styles=STYLES,
    )

    def blocks() -> Iterator[str]:
        yield json_block("shown", data)
        for number, document in enumerate(documents):
            yield packed_json(f"document-{number}", document)

    return page_parts(page, blocks())


def _about(document: Mapping[str, Any], texts: list[Mapping[str, Any]]) -> dict[str, Any]:
    """What the page knows of a document before it is opened."""
    first = next(place for place, text in enumerate(texts) if text["role"] == "reference")
    own = document["texts"][first]
    return {"id": document["id"], "segments": own["text"].count("\n") + 1, "words": len(own["words"])}


def _facts(data: Mapping[str, Any]) -> Iterator[str]:
    yield many(len(data["documents"]), "document")
    yield many(sum(document["words"] for document in data["documents"]), "word") + " of the reference"
    yield f"parser: {data['parser']}" if data["parser"] else "no parses: fewer rules"
    if data["chains"] != "rules":
        yield f"chains: {data['chains']}"
