"""The page of a challenge set: rates and marks, down to every item, in one HTML file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from tertium.errors import InputError
from tertium.io.files import write_atomically
from tertium.report.assembly import Page, page_parts
from tertium.report.embedding import json_block, packed_json

SCRIPTS = (
    "packed.js",
    "numbers.js",
    "challenge-data.js",
    "draw.js",
    "challenge.js",
    "challenge-items.js",
    "shell.js",
)
STYLES = ("page.css", "challenge.css")

SECTIONS = (
    (
        "groups",
        "Success rates",
        "The share of items that each system gets right, by majority vote. Click to see the items.",
    ),
    ("agreement", "Agreement", "How often the annotators agree, as counted and beyond chance."),
    (
        "pairs",
        "Pairs",
        "Systems on the same items: what only one of them gets right, and whether that is due to chance.",
    ),
    (
        "versions",
        "Over time",
        "What a later version of a system gets right that an earlier one did not, and what it lost.",
    ),
    ("items", "Items", "Every item with its question, its translations and their marks."),
)
KEYS = (
    "title",
    "version",
    "facts",
    "summary",
    "systems",
    "annotators",
    "policy",
    "checked",
    "groups",
    "metrics",
    "agreement",
    "pairs",
    "versions",
    "items",
)


def render_challenge(data: Mapping[str, Any]) -> str:
    """The page as HTML; `tertium.challenge.reportable.challenge_data` makes the dictionary that it shows.

    >>> from tertium.challenge.items import ChallengeSet, Item
    >>> from tertium.challenge.judgements import Judgement, ChallengeJudgements
    >>> from tertium.challenge.outputs import System
    >>> from tertium.challenge.reportable import challenge_data
    >>> from tertium.challenge.results import evaluate
    >>> items = ChallengeSet((Item("1", "Lexical", "Idioms", "Well?", "It rains cats and dogs."),))
    >>> found = evaluate(items, ChallengeJudgements((Judgement("1", System("A"), "ann", "yes"),)))
    >>> render_challenge(challenge_data(found)).splitlines()[0]
    '<!doctype html>'
    """
    return "".join(_parts(data))


def write_challenge_report(path: str | os.PathLike[str], data: Mapping[str, Any]) -> None:
    """Write the page to a file, which appears when all of it is written."""
    parts = _parts(data)
    with write_atomically(path) as file:
        file.writelines(parts)


def _parts(data: Mapping[str, Any]) -> Iterator[str]:
    for key in KEYS:
        if key not in data:
            raise InputError(f"the page of a challenge set needs {key!r}")
    for item in data["items"]:
        if len(item["outputs"]) != len(data["systems"]):
            raise InputError(
                f"item {item['id']!r} has {len(item['outputs'])} outputs for {len(data['systems'])} systems"
            )
    small = {key: data[key] for key in KEYS if key not in ("items", "facts", "summary", "title", "version")}
    page = Page(
        title=data["title"],
        facts=tuple(data["facts"]),
        summary=tuple(data["summary"]),
        sections=tuple(section for section in SECTIONS if data[section[0]]),
        version=data["version"],
        scripts=SCRIPTS,
        styles=STYLES,
    )
    return page_parts(page, (json_block("challenge", small), packed_json("items-data", data["items"])))
