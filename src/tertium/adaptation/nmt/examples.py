"""Examples that a network learns from, as files that need no core to be read: a pair, its tags, its match."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass

from tertium.errors import InputError

PARTS = ("train", "dev", "test")


@dataclass(frozen=True)
class TaggedPair:
    """A source and its target; who asked; and the best match of the memory that is no copy of it, if there is one."""

    source: str
    target: str
    client: str = ""
    domain: str = ""
    match: str = ""  # the stored target of the source most alike
    likeness: float = 0.0
    points: float = 0.0  # how far it diverges (`hardness.py`)

    def row(self) -> list[str | float]:
        """As it is written."""
        numbers = (round(self.likeness, 3), round(self.points, 2))
        return [self.source, self.target, self.client, self.domain, self.match, *numbers]


def write(folder: str, part: str, examples: Iterable[TaggedPair]) -> int:
    """Writes a part of the examples into a folder; how many there were."""
    place = _place(folder, part)
    number = 0
    with gzip.GzipFile(place + ".part", "wb", mtime=0) as file:
        for number, example in enumerate(examples, 1):  # noqa: B007
            file.write(json.dumps(example.row(), ensure_ascii=False).encode("utf-8", "replace") + b"\n")
    os.replace(place + ".part", place)
    return number


def read(folder: str, part: str) -> list[TaggedPair]:
    """The examples of a part; none where the folder has no such part."""
    place = _place(folder, part)
    if not os.path.exists(place):
        if part == "train":
            raise InputError(f"{folder}: no prepared examples (train.jsonl.gz is missing)")
        return []
    try:
        with gzip.open(place, "rt", encoding="utf-8") as file:
            return [TaggedPair(*json.loads(line)) for line in file]
    except (OSError, EOFError, ValueError, TypeError) as error:
        raise InputError(f"{place}: not a file of examples ({error})") from None


def _place(folder: str, part: str) -> str:
    return os.path.join(folder, f"{part}.jsonl.gz")
