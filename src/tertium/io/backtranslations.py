"""Back-translations: hypotheses, translated back into the source language; found by the hypothesis."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tertium.errors import InputError
from tertium.io.records import read_records
from tertium.io.streams import FilePath, check_readable, display_name

_COLUMNS = ("hypothesis", "back")


@dataclass(frozen=True)
class BackTranslations:
    """The back-translation of each hypothesis, white space at its ends aside, and a hash of the file."""

    texts: Mapping[str, str]
    name: str
    hash: str

    def of(self, hypothesis: str) -> str:
        """The back-translation; a hypothesis without one is refused, an empty one has an empty one."""
        own = hypothesis.strip()
        if own and own not in self.texts:
            raise InputError(f"{self.name}: there is no back-translation of {own[:60]!r}")
        return self.texts.get(own, "")


def read_back_translations(path: FilePath) -> BackTranslations:
    """A table with the columns `hypothesis` and `back`, or JSON Lines with these keys.

    >>> read_back_translations(written("a.tsv", "hypothesis\\tback\\nthe cat\\tle chat\\n")).of("the cat ")
    'le chat'
    """
    check_readable(path, display_name(path))
    found = Path(path).stat()
    return _read(str(path), found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4)
def _read(path: str, changed: int, size: int) -> BackTranslations:
    texts: dict[str, str] = {}
    for where, values in read_records(path, _COLUMNS, _COLUMNS):
        own, back = (str(values[column]).strip() for column in _COLUMNS)
        if texts.setdefault(own, back) != back:
            raise InputError(f"{where}: {own[:60]!r} has another back-translation above")
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
    return BackTranslations(texts, display_name(path), digest)
