"""The page of a challenge set: rates and marks, down to every item, in one HTML file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tertium.report.assembly import Page, many, page_parts, write_page
from tertium.report.embedding import json_block, packed_json

if TYPE_CHECKING:
    from tertium.challenge.report import ChallengeReport

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


def render_challenge(report: ChallengeReport) -> str:
    """The page as HTML.

    >>> from tertium.challenge.items import ChallengeSet, Item
    >>> from tertium.challenge.judgements import Judgement, ChallengeJudgements
    >>> from tertium.challenge.outputs import System
    >>> from tertium.challenge.report import ChallengeReport
    >>> from tertium.challenge.results import evaluate
    >>> items = ChallengeSet((Item("1", "Lexical", "Idioms", "Well?", "It rains cats and dogs."),))
    >>> found = evaluate(items, ChallengeJudgements((Judgement("1", System("A"), "ann", "yes"),)))
    >>> render_challenge(ChallengeReport(found)).splitlines()[0]
    '<!doctype html>'
    """
    return "".join(_parts(report))


def write_challenge_report(path: str | os.PathLike[str], report: ChallengeReport) -> None:
    """Write the page to a file, which appears when all of it is written."""
    write_page(path, _parts(report))


def _parts(report: ChallengeReport) -> Iterator[str]:
    data = report.data()
    items = data.pop("each_item")
    shown = {"groups", "items", *(key for key in ("agreement", "pairs", "versions") if data[key])}
    page = Page(
        title=f"Challenge set {data['set'].rpartition('/')[2]}",
        facts=tuple(_facts(data, items)),
        summary=tuple(report.words()),
        sections=tuple(section for section in SECTIONS if section[0] in shown),
        version=data["tertium"],
        scripts=SCRIPTS,
        styles=STYLES,
    )
    return page_parts(page, (json_block("challenge", data), packed_json("items-data", items)))


def _facts(data: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    answers = [answer for item in items for output in item["outputs"] for answer in output["answers"]]
    yield many(len(items), "item")
    yield many(len({item["category"] for item in items}), "category", "categories")
    yield many(len(data["systems"]), "system")
    yield many(len(answers), "judgement")
    for role, said in (("judge", "judged by "), ("check", "checked by ")):
        if names := dict.fromkeys(answer["annotator"] for answer in answers if answer["role"] == role):
            yield said + ", ".join(names)
    if languages := sorted({item["languages"] for item in items} - {""}):
        yield ", ".join(languages)
