"""Programs that score translations: JSON Lines in, JSON Lines out (docs/outside-metrics.md), or a Python function.

The program reads a first line about the run, then one line an item; it writes a first line about itself, then one line
an item, in any order, before or after its input has ended.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import import_module
from typing import Any, TypedDict

from tertium.errors import InputError, SpecError

PROTOCOL = 1
Function = Callable[[list[Any]], Iterable[float]]


class Item(TypedDict, total=False):
    """A segment to be scored."""

    id: int
    hypothesis: str
    references: list[str]
    source: str


@dataclass(frozen=True)
class Identity:
    """What a program says of itself: it belongs in a signature."""

    name: str = ""
    model: str = ""
    hash: str = ""
    versions: dict[str, str] = field(default_factory=dict)

    def items(self) -> dict[str, str]:
        """What a signature says of it."""
        found = {"program": self.name, "model": self.model, "hash": self.hash}
        found |= {f"v-{_plain(name)}": version for name, version in sorted(self.versions.items())}
        return {key: '"' + value.replace('"', "'") + '"' for key, value in found.items() if value}


def run_process(command: str, items: Sequence[Item]) -> list[float]:
    """The score of each item, by a program."""
    return _run(command, items)[1]


@lru_cache(maxsize=16)
def process_identity(command: str) -> Identity:
    """What a program says of itself; it is started and gets no items."""
    return _run(command, [])[0]


def _run(command: str, items: Sequence[Item]) -> tuple[Identity, list[float]]:
    words = shlex.split(command)
    if not words:
        raise SpecError("the command is empty")
    with tempfile.TemporaryFile("w+", encoding="utf-8") as given, tempfile.TemporaryFile("w+b") as said:
        first: dict[str, Any] = {"tertium": PROTOCOL, "items": len(items)}
        for line in (first, *items):
            given.write(json.dumps(line, ensure_ascii=True) + "\n")
        given.seek(0)
        try:
            process = subprocess.Popen(words, stdin=given, stdout=subprocess.PIPE, stderr=said)
        except OSError as error:
            raise InputError(f"{words[0]}: cannot be started: {error.strerror}") from None
        with process:
            try:
                assert process.stdout is not None
                output = process.stdout.read().decode("utf-8", "replace")
            except BaseException:
                process.kill()
                raise
        status, lines = process.returncode, [line for line in output.split("\n") if line.strip()]
        if status:
            said.seek(0)
            complaints = said.read().decode("utf-8", "replace").strip().splitlines()
            last = f": {complaints[-1].strip()}" if complaints else ""
            raise InputError(f"{words[0]}: ended with status {status}{last}")
    return _read(command, lines, len(items))


def _read(command: str, lines: Sequence[str], number: int) -> tuple[Identity, list[float]]:
    records = []
    for i, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise InputError(f"{command}: line {i} of its output is no JSON object: {line[:80]!r}")
        records.append(record)
    if not records or "tertium" not in records[0]:
        raise InputError(
            f'{command}: its output must begin with a line like {{"tertium": {PROTOCOL}, "name": "..."}}'
        )
    if records[0]["tertium"] != PROTOCOL:
        raise InputError(f"{command}: speaks protocol {records[0]['tertium']!r}, not {PROTOCOL}")
    scores: dict[int, float] = {}
    for i, record in enumerate(records[1:], 2):
        where = f"{command}: line {i} of its output"
        if "error" in record:
            raise InputError(
                f"{where}: {str(record['error']).splitlines()[0] if record['error'] else 'an error'}"
            )
        place, score = record.get("id"), record.get("score")
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < number:
            raise InputError(f"{where}: id {place!r} is none of the items")
        if place in scores:
            raise InputError(f"{where}: item {place} is scored twice")
        scores[place] = _checked(score, f"{where}, item {place}")
    missing = next((i for i in range(number) if i not in scores), None)
    if missing is not None:
        raise InputError(f"{command}: gave no score for item {missing} (of {number}, from 0)")
    return _identity(command, records[0]), [scores[i] for i in range(number)]


def _identity(command: str, record: dict[str, Any]) -> Identity:
    versions = record.get("versions", {})
    texts = [record.get(key, "") for key in ("name", "model", "hash")]
    if not isinstance(versions, dict) or not all(
        isinstance(text, str) for text in (*texts, *versions.values())
    ):
        raise InputError(f"{command}: name, model, hash and versions must be texts")
    name, model, digest = texts
    return Identity(name, model, digest, {str(key): value for key, value in versions.items()})


def _checked(score: Any, where: str) -> float:
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        raise InputError(f"{where}: the score must be a number, not {score!r}")
    return float(score)


# Functions.

_given: dict[str, Function] = {}


def give_function(name: str, function: Function) -> str:
    """Make a function known under a name, for one that cannot be imported; returns how to name it in a spec."""
    _given[name] = function
    return f":{name}"


def find_function(name: str) -> Function:
    """The function behind `module:name`, or `:name` for one that `give_function` got."""
    module, colon, attribute = name.partition(":")
    if not colon or not attribute:
        raise SpecError(f"a function is named module:name, not {name!r}")
    if not module:
        if attribute not in _given:
            raise SpecError(f"no function was given under the name {attribute!r} in this process")
        return _given[attribute]
    try:
        found: Any = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise InputError(f"no function {name!r}: {error}") from None
    if not callable(found):
        raise InputError(f"{name} is no function")
    function: Function = found
    return function


def run_function(name: str, items: Sequence[Item]) -> list[float]:
    """The score of each item, by a function; it gets a list of dictionaries and gives a number for each."""
    function = find_function(name)
    scores = [_plain_number(score) for score in function([dict(item) for item in items])] if items else []
    if len(scores) != len(items):
        raise InputError(f"{name}: gave {len(scores)} scores for {len(items)} items")
    return [_checked(score, f"{name}, item {i}") for i, score in enumerate(scores)]


def _plain_number(score: Any) -> Any:
    return score.item() if hasattr(score, "item") else score  # NumPy's and torch's numbers


def function_identity(name: str) -> Identity:
    """What a function says of itself by attributes `model`, `hash` and `versions`; else the hash of its file."""
    function = find_function(name)
    code = getattr(function, "__code__", None)
    digest = str(getattr(function, "hash", "") or "")
    if not digest and code is not None and os.path.isfile(code.co_filename):
        with open(code.co_filename, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]
    versions = {str(key): str(value) for key, value in dict(getattr(function, "versions", {})).items()}
    return Identity("", str(getattr(function, "model", "") or ""), digest, versions)


def _plain(name: str) -> str:
    return "".join(character if character.isalnum() or character in "-_" else "-" for character in name)
