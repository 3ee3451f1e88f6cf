"""The page of a comparison: its sections, and what they are filled with."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from tertium.io.files import write_atomically
from tertium.report import words
from tertium.report.assembly import Page, page_parts
from tertium.report.contract import checked
from tertium.report.embedding import json_block, segment_blocks

# In the order in which they need each other; together they are one script.
SCRIPTS = (
    "packed.js",
    "numbers.js",
    "data.js",
    "draw.js",
    "differences.js",
    "tables.js",
    "plots.js",
    "favouritism.js",
    "list.js",
    "segments.js",
    "page.js",
    "shell.js",
)

# Parts of the comparison, what they are called on the page, and a line on how to read them.
SECTIONS = (
    ("scores", "Scores", "The score of each system on the whole test set, with its confidence interval."),
    ("pairs", "Pairs", "The row's score minus the column's, and whether the difference is more than chance."),
    (
        "buckets",
        "Parts of the test set",
        "The same scores by length, document or whatever else the segments were grouped by.",
    ),
    ("types", "Word types", "How well words are translated, from the most frequent on the left to the rare."),
    (
        "preferences",
        "Preferences",
        "The share of segments on which a metric prefers one system to the other.",
    ),
    (
        "favouritism",
        "Favouritism",
        "The segments that help one system most against the other: "
        "what each adds to the score, one system's gain minus the other's.",
    ),
    ("components", "Components", "What the scores are made of."),
    ("doctor", "Input check", "What looks odd in the texts themselves. Look here before you trust a number."),
    ("segments", "Segments", "Every segment, with its scores and with word differences marked."),
)


def render(comparison: Mapping[str, Any]) -> str:
    """The report as one HTML page; `tertium.report.contract` says what a comparison is made of.

    >>> score = {"BLEU": {"value": 30.2}}
    >>> page = render({"systems": ["A"], "metrics": [{"label": "BLEU"}], "scores": {"A": score},
    ...     "segments": {"hypotheses": {"A": ["one cat"]}}})
    >>> page.splitlines()[0]
    '<!doctype html>'
    """
    return "".join(_parts(checked(comparison)))


def write_report(path: str | os.PathLike[str], comparison: Mapping[str, Any]) -> None:
    """Write the report to a file, which appears when all of it is written."""
    parts = _parts(checked(comparison))
    with write_atomically(path) as file:
        file.writelines(parts)


def _parts(comparison: dict[str, Any]) -> Iterator[str]:
    about, blocks = segment_blocks(comparison)
    small = {key: value for key, value in comparison.items() if key not in ("segments", "summary")}
    small["buckets"] = [{**part, "membership": None} for part in comparison["buckets"] or ()] or None
    small["metrics"] = [
        {**metric, "digits": words.digits(comparison, metric["label"])} for metric in comparison["metrics"]
    ]
    return page_parts(
        Page(
            title=comparison["title"] or "Comparison of systems",
            facts=tuple(_facts(comparison, about["count"])),
            summary=tuple(words.summary(comparison)),
            sections=tuple(section for section in SECTIONS if comparison[section[0]]),
            version=comparison["version"] or "",
            scripts=SCRIPTS,
            styles=("page.css",),
        ),
        (json_block("comparison", {**small, "segments": about}), *blocks),
    )


def _facts(comparison: Mapping[str, Any], count: int) -> Iterator[str]:
    yield f"{count:,} segment{'s' if count != 1 else ''}"
    systems, metrics = len(comparison["systems"]), len(comparison["metrics"])
    yield f"{systems} system{'s' if systems != 1 else ''}"
    yield f"{metrics} metric{'s' if metrics != 1 else ''}"
    if comparison["baseline"] is not None:
        yield f"baseline: {comparison['baseline']}"
    if comparison["seed"] is not None:
        yield f"seed {comparison['seed']}"
    if comparison["created"]:
        yield comparison["created"]
