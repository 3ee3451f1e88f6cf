"""The page of a comparison: its sections, and what they are filled with."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from tertium.io.terminal import short_names
from tertium.report.assembly import Page, many, page_parts, write_page
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
    "rates.js",
    "types.js",
    "favouritism.js",
    "list.js",
    "jumps.js",
    "segments.js",
    "page.js",
    "shell.js",
)

# Parts of the comparison, what they are called on the page, and a line on how to read them.
SECTIONS = (
    ("scores", "Scores", "The score of each system on the whole test set, with its confidence interval."),
    ("pairs", "Pairs", "The row's score minus the column's, and whether the difference is significant."),
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
    (
        "errors",
        "Kinds of errors",
        "Words misplaced, wrongly inflected, missing, too many or simply wrong, per 100 words, against the reference.",
    ),
    (
        "unseen",
        "Words unseen in training",
        "What becomes of source words that the training corpus lacks, per 100 of them, and how many are invented.",
    ),
    (
        "noise",
        "Noise",
        "How much worse systems get when their source has errors, and how much of their output stays.",
    ),
    ("doctor", "Input check", "What looks odd in the texts themselves. Look here before you trust a number."),
    ("segments", "Segments", "Every segment, with its scores and with word differences marked."),
)
LISTED = 10  # types of each list

Data = Mapping[str, Any]


def render(data: Data, texts: Data, created: str = "") -> str:
    """The report as one HTML page, of the `.data()` and the `.texts()` of a comparison.

    >>> from tertium import TestSet, compare
    >>> found = compare(TestSet.sample(), ["chrf"], resamples=100)
    >>> render(found.data(), found.texts()).splitlines()[0]
    '<!doctype html>'
    """
    return "".join(_parts(data, texts, created))


def write_report(path: str | os.PathLike[str], data: Data, texts: Data, created: str = "") -> None:
    """Write the report to a file, which appears when all of it is written."""
    write_page(path, _parts(data, texts, created))


def _parts(data: Data, texts: Data, created: str) -> Iterator[str]:
    about, blocks = segment_blocks(data, texts)
    shown = {
        "pairs": any(tests["pairs"] for tests in data["significance"].values()),
        "types": data["types"]["ranks"],
        "components": data["components"]["metrics"],
        "doctor": data["findings"],
        "preferences": any(
            own["plain"] for found in data["preferences"] for own in found["metrics"].values()
        ),
        "buckets": data["buckets"],
        "favouritism": data["favouritism"],
        "errors": data.get("error_classes"),
        "unseen": data.get("unseen"),
        "noise": data.get("robustness"),
    }
    names = _short(data["systems"])
    small = {
        **data,
        **_noise(data, names),
        "short": names,
        "segments": about,
        "favouritism": [
            {**own, "metrics": [*map(_without_texts, own["metrics"])]} for own in data["favouritism"]
        ],
        "type_differences": [{**own, "types": _first(own["types"])} for own in data["type_differences"]],
    }
    return page_parts(
        Page(
            title=_title(data["name"], [names[name] for name in data["systems"]]),
            facts=(*_facts(data, names), *([created] if created else [])),
            summary=tuple(_with_short(line, names) for line in data["words"]),
            sections=tuple(section for section in SECTIONS if shown.get(section[0], True)),
            version=data["tertium"],
            scripts=SCRIPTS,
            styles=("page.css",),
        ),
        chain([json_block("comparison", small)], blocks),
    )


def _without_texts(own: Data) -> Data:
    """Segments without the texts that are in their blocks already."""
    kept = ("segment", "favouritism", "benefits", "tags")
    return {**own, "segments": [{key: one[key] for key in kept} for one in own["segments"]]}


def _noise(data: Data, names: Mapping[str, str]) -> Data:
    """What noise does, said with short names."""
    found = data.get("robustness")
    return {"robustness": found and {**found, "words": [_with_short(line, names) for line in found["words"]]}}


def _first(lists: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """The beginnings: of types there may be thousands."""
    return {name: own[:LISTED] for name, own in lists.items()}


def _short(systems: Sequence[str]) -> dict[str, str]:
    """Names without what all of them share; whole where that would leave two alike."""
    short = short_names(list(systems))
    return {name: short.get(name, name) for name in systems}


def _with_short(line: str, names: Mapping[str, str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        line = line if names[name] == name else line.replace(name, names[name])
    return line


def _title(name: str, systems: Sequence[str]) -> str:
    """What the test set is called; behind the systems, where that is only a word, such as a file's name."""
    if any(map(str.isspace, name)):
        return name
    what = " and ".join(systems) if len(systems) <= 2 else f"{len(systems)} systems"
    return f"{what} on {name}" if name else what


def _facts(data: Data, names: Mapping[str, str]) -> Iterator[str]:
    yield many(data["segments"], "segment")
    yield many(len(data["systems"]), "system")
    yield many(len(data["metrics"]), "metric")
    if data["baseline"] is not None:
        yield f"baseline: {names[data['baseline']]}"
    yield f"seed {data['seed']}"
