"""What systems made of the items: one text for each item, system and version (a date, a release).

Files: JSON Lines or tables with the keys `item`, `system`, `version` (may be empty) and `output`; or plain text with a
line for each item of the set, named `SYSTEM=file` or `SYSTEM@VERSION=file`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tertium.challenge.items import ChallengeSet
from tertium.errors import InputError, did_you_mean
from tertium.io.records import Record, read_records, write_records
from tertium.io.settings import keys_of, read_record
from tertium.io.streams import FilePath, display_name


@dataclass(frozen=True, kw_only=True)
class OutputLine:
    """A line of a file of outputs."""

    item: str
    system: str
    version: str = ""
    output: str


KEYS = keys_of(OutputLine)
REQUIRED = keys_of(OutputLine, required=True)


class System(NamedTuple):
    """A system, and which version of it.

    >>> System("GNMT", "2017-10-05").label
    'GNMT@2017-10-05'
    """

    name: str
    version: str = ""

    @property
    def label(self) -> str:
        return f"{self.name}@{self.version}" if self.version else self.name

    @classmethod
    def named(cls, label: str, where: str = "") -> System:
        """`NAME` or `NAME@VERSION`, split at the last `@`.

        >>> System.named("GNMT@2017-10-05")
        System(name='GNMT', version='2017-10-05')
        """
        name, at, version = label.rpartition("@") if "@" in label else (label, "", "")
        if not name.strip() or (at and not version.strip()):
            raise InputError(f"{where or 'a system'}: {label!r} names no system (NAME or NAME@VERSION)")
        return cls(name.strip(), version.strip())


@dataclass(frozen=True)
class Outputs:
    """Texts by system and item; systems in the order given.

    >>> found = Outputs({System("A"): {"1": "Il pleut."}})
    >>> found.systems, found.text(System("A"), "1")
    ((System(name='A', version=''),), 'Il pleut.')
    """

    texts: Mapping[System, Mapping[str, str]]

    @property
    def systems(self) -> tuple[System, ...]:
        return tuple(self.texts)

    def text(self, system: System, item: str) -> str | None:
        """The output for an item, or None where the system has none."""
        return self.texts.get(system, {}).get(item)

    def __len__(self) -> int:
        return sum(map(len, self.texts.values()))

    def __iter__(self) -> Iterator[tuple[System, str, str]]:
        return ((system, item, text) for system, found in self.texts.items() for item, text in found.items())

    def missing(self, items: ChallengeSet) -> dict[System, tuple[str, ...]]:
        """Items without an output, for the systems that lack any."""
        found = {
            system: tuple(item.id for item in items if item.id not in texts)
            for system, texts in self.texts.items()
        }
        return {system: ids for system, ids in found.items() if ids}

    def check(self, items: ChallengeSet) -> None:
        """Refuse outputs for items that the set does not have."""
        for system, item, _ in self:
            items.required(item, f"output of {system.label}")

    def merged(self, other: Outputs) -> Outputs:
        """Both, where no system has two outputs for one item."""
        found = {system: dict(texts) for system, texts in self.texts.items()}
        for system, item, text in other:
            texts = found.setdefault(system, {})
            if item in texts:
                raise InputError(f"{system.label} has two outputs for item {item!r}")
            texts[item] = text
        return Outputs(found)


def find_system(label: str, systems: Sequence[System]) -> System:
    """The one of these systems that a label names: `NAME@VERSION`, or `NAME` where it has one version only.

    >>> find_system("A", [System("A", "2017"), System("B")]).version
    '2017'
    """
    by_label = {system.label: system for system in systems}
    if label in by_label:
        return by_label[label]
    versions = [system for system in systems if system.name == label]
    if len(versions) == 1:
        return versions[0]
    if versions:
        names = ", ".join(system.label for system in versions)
        raise InputError(f"the system {label!r} has several versions: name one of {names}")
    raise InputError(f"unknown system {label!r}{did_you_mean(label, by_label)}")


Refuse = Callable[[InputError], None]


def raised(error: InputError) -> None:
    """What is done with a wrong line unless all of them are to be listed."""
    raise error


@contextmanager
def going_on(refuse: Refuse) -> Iterator[None]:
    """What is wrong in here is refused, and what follows is still looked at."""
    try:
        yield
    except InputError as error:
        refuse(error)


def accepted(records: Iterator[Record], refuse: Refuse) -> Iterator[Record]:
    """Records that can be read; each of the others is refused. (A `starmap` goes on after an error.)"""
    while True:
        try:
            yield next(records)
        except StopIteration:
            return
        except InputError as error:
            refuse(error)


def read_outputs(
    names: Sequence[str | os.PathLike[str]], items: ChallengeSet, refuse: Refuse = raised
) -> Outputs:
    """The outputs in these files: `.jsonl` and `.tsv` by item, anything else as lines in the order of the set."""
    found = Outputs({})
    for name in names:
        found = found.merged(_read(os.fspath(name), items, refuse))
    if not found.texts:
        raise InputError("there are no outputs")
    return found


def _read(name: str, items: ChallengeSet, refuse: Refuse) -> Outputs:
    label, equals, path = name.partition("=")
    if not equals or os.path.exists(name):
        label, path = "", name
    if not path.lower().endswith((".jsonl", ".tsv")):
        system = System.named(label, name) if label else System.named(Path(path).name.partition(".")[0])
        return Outputs({system: _lines(path, items)})
    if label:
        raise InputError(f"{name}: the file itself names its systems: leave out {label}=")
    return _by_item(read_records(path, KEYS, REQUIRED), items, display_name(path), refuse)


def _lines(path: str, items: ChallengeSet) -> dict[str, str]:
    from tertium.io.door import read_strings

    lines = read_strings(path)
    if len(lines) != len(items):
        raise InputError(
            f"{display_name(path)}: has {len(lines)} lines, but the set {items.name} has {len(items)} items"
        )
    return {item.id: line for item, line in zip(items, lines, strict=True)}


def _by_item(records: Iterator[Record], items: ChallengeSet, name: str, refuse: Refuse) -> Outputs:
    found: dict[System, dict[str, str]] = {}
    for where, values in accepted(records, refuse):
        try:
            line = read_record(OutputLine, values, where)
            item = items.required(line.item, where)
            system = checked_system(line.system, line.version, where)
        except InputError as error:
            refuse(error)
            continue
        texts = found.setdefault(system, {})
        if item.id in texts:
            refuse(InputError(f"{where}: {system.label} has two outputs for item {item.id!r}"))
        texts[item.id] = line.output
    if not found:
        raise InputError(f"{name}: has no outputs")
    return Outputs(found)


def checked_system(name: str, version: str, where: str) -> System:
    """A system whose name and version can be printed and typed."""
    for what, text in (("system", name), ("version", version)):
        if text != text.strip() or not text.isprintable() or (what == "system" and not text):
            raise InputError(
                f"{where}: {what} {text!r} is empty, or has leading or trailing white space or control characters"
            )
    if "@" in version:
        raise InputError(f"{where}: the version {version!r} contains an @, which separates name and version")
    return System(name, version)


def write_outputs(path: FilePath, outputs: Outputs) -> None:
    """Write outputs as JSON Lines, or as a table if the file's name ends in `.tsv`."""
    records = ((item, *system, text) for system, item, text in outputs)
    write_records(path, KEYS, (dict(zip(KEYS, record, strict=True)) for record in records))
