"""Appraise's batch files: the items that each annotator was given, with their texts and their places in the test set.

A JSON list of tasks, each with `items`: itemID (its number within the batch), documentID, targetID (the system),
sourceText, maybe `_item` ("system | line | document", lines from 0), `mqm.tutorial` for what only teaches the tool.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError
from tertium.io.records import text_lines
from tertium.io.streams import FilePath, display_name

Shown = tuple[str, str, str]  # item, document as Appraise writes it, system


@dataclass(frozen=True)
class Batches:
    """For each batch what its items are: the segment that was shown, or None for a tutorial."""

    origin: str
    tasks: tuple[Mapping[Shown, str | None], ...]
    lines: bool  # segments are lines of the test set; else documents and places in them

    def segments(self, shown: Sequence[Shown]) -> list[str | None]:
        """The segments of all that one annotator saw. An item that stands in several batches is of the one that this
        annotator has most of.

        >>> one = Batches("b.json", ({("1", "d#A", "A"): "7"}, {("1", "d#A", "A"): "9", ("2", "d#A", "A"): "10"}), True)
        >>> one.segments([("1", "d#A", "A"), ("2", "d#A", "A")])
        ['9', '10']
        """
        common = {number: sum(own in task for own in shown) for number, task in enumerate(self.tasks)}
        order = sorted(common, key=lambda number: -common[number])
        found = []
        for own in shown:
            task = next((self.tasks[number] for number in order if own in self.tasks[number]), None)
            if task is None:
                raise KeyError(own)
            found.append(task[own])
        return found


def read_batches(path: FilePath) -> Batches:
    """Read a batch file. Segments are lines of the test set (from 1) where every item says so in `_item`; otherwise
    the document and the place of the source text among those of the document, which all systems share.

    >>> item = {"itemID": 7, "documentID": "bbc.1#A#bad1", "targetID": "wmt.A", "_item": "A | 41 | bbc.1"}
    >>> read_batches(written("batches.json", json.dumps([{"items": [item]}]))).tasks
    ({('7', 'bbc.1#A#bad1', 'wmt.A'): '42'},)
    """
    name = display_name(path)
    try:
        given = json.loads("\n".join(line for _, line in text_lines(path)))
    except ValueError as error:
        raise InputError(f"{name}: not valid JSON ({error})") from None
    batches = given if isinstance(given, list) else [given]
    items = [_items(batch, f"{name}: batch {number}") for number, batch in enumerate(batches, 1)]
    real = [item for batch in items for item in batch if not is_tutorial(item)]
    if not real:
        raise InputError(f"{name}: there are no items in this batch file")
    lines = all(_line(item) is not None for item in real)
    places: dict[str, dict[tuple[str, int], int]] = {}  # by document: source text, which of its kind
    tasks = []
    for batch in items:
        task: dict[Shown, str | None] = {}
        count: dict[tuple[str, str], int] = {}
        for item in batch:
            shown = (str(item["itemID"]), item["documentID"], item["targetID"])
            if is_tutorial(item):
                task[shown] = None
            elif lines:
                task[shown] = str((_line(item) or 0) + 1)
            else:
                document, source = item["documentID"].partition("#")[0], str(item.get("sourceText", ""))
                nth = count[item["documentID"], source] = count.get((item["documentID"], source), 0) + 1
                known = places.setdefault(document, {})
                task[shown] = f"{document}:{known.setdefault((source, nth), len(known) + 1)}"
        tasks.append(task)
    return Batches(name, tuple(tasks), lines)


def _items(batch: Any, where: str) -> list[dict[str, Any]]:
    found = batch.get("items") if isinstance(batch, dict) else None
    if not isinstance(found, list):
        raise InputError(f"{where} has no list of items: is this an Appraise batch file?")
    for item in found:
        if not isinstance(item, dict) or "itemID" not in item:
            raise InputError(f"{where} has an item without itemID")
        for key in ("documentID", "targetID"):
            if not isinstance(item.get(key), str):
                raise InputError(f"{where}: item {item['itemID']} has no {key}")
    return found


def is_tutorial(item: Mapping[str, Any]) -> bool:
    """Whether an item only teaches the tool: it says so, or its document has no system and is called a tutorial."""
    mqm = item.get("mqm")
    told = isinstance(mqm, dict) and "tutorial" in mqm
    return told or tutorial_named(item["targetID"], item["documentID"])


def tutorial_named(system: str, document: str) -> bool:
    """A tutorial by its names: the "system" is one, or a document without a system is.

    >>> tutorial_named("ende-tutorial1", "ende-tutorial1"), tutorial_named("A", "tutorial.3#A")
    (True, False)
    """
    return "tutorial" in system.lower() or ("tutorial" in document.lower() and "#" not in document)


def _line(item: Mapping[str, Any]) -> int | None:
    """The line, from 0, in `_item`: what is neither the document nor the system. None where it is not said."""
    parts = [part.strip() for part in str(item.get("_item", "")).split("|")]
    numbers = [part for part in parts if part.isascii() and part.isdigit()]
    if len(parts) == 3 and parts[1] in numbers:
        return int(parts[1])
    return int(numbers[0]) if len(numbers) == 1 else None
