"""Sets of synonyms: METEOR's own files, WordNet's dictionary files, and Open Multilingual WordNet tables.

All of them become METEOR's form: words with the numbers of their sets, and base forms with their irregular forms.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path

from tertium import _native
from tertium._native import SynonymTable
from tertium.errors import InputError
from tertium.io.streams import read_bytes

DEBIAN = "/usr/share/wordnet"  # where Debian's package wordnet-base puts WordNet
_PARTS = ("noun", "verb", "adj", "adv")
_LETTERS = {"n": 0, "v": 1, "a": 2, "s": 2, "r": 3}  # of parts of speech, in sets' names


def from_meteor(sets: bytes, exceptions: bytes, name: str) -> SynonymTable:
    """The table from METEOR's `english.synsets` and `english.exceptions`; `name` is for messages.

    >>> table = from_meteor(b"dog\\n7 12\\nhound\\n12\\n", b"dog\\ndawgs\\n", "example")
    >>> table.sets_of("hounds"), table.sets_of("dawgs")
    ([12], [7, 12])
    """
    try:
        return _native.SynonymTable(sets, exceptions, english=True)
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None


def read(path: str | os.PathLike[str]) -> tuple[SynonymTable, str]:
    """A table from METEOR's directory, WordNet's directory, or a file of Open Multilingual WordNet; and its hash."""
    place = Path(path)
    if place.is_dir():
        for name in ("english.synsets", "english.synsets.gz"):
            if (place / name).is_file():
                ending = name.removeprefix("english.synsets")
                sets = read_bytes(place / name)
                exceptions = place / f"english.exceptions{ending}"
                forms = read_bytes(exceptions) if exceptions.is_file() else b""
                return from_meteor(sets, forms, os.fspath(place / name)), digest(sets + forms)
        if (place / "index.noun").is_file():
            return _wordnet(place)
        raise InputError(f"{place}: holds neither english.synsets (METEOR) nor index.noun (WordNet)")
    return _multilingual(place)


def digest(data: bytes) -> str:
    """The beginning of a hash, as in signatures.

    >>> digest(b"abc")
    'ba7816bf'
    """
    return hashlib.sha256(data).hexdigest()[:8]


def _wordnet(folder: Path) -> tuple[SynonymTable, str]:
    """WordNet 3's index.* and *.exc files; sets are numbered by their place in data.* and their part of speech."""
    sets: dict[str, dict[str, None]] = {}
    forms: dict[str, dict[str, None]] = {}
    for part, letter in zip(_PARTS, "nvar", strict=True):
        index = folder / f"index.{part}"
        for number, line in enumerate(_text(index).split("\n"), 1):
            if line.startswith("  ") or not line:  # the licence
                continue
            fields = line.split()
            places = fields[-int(fields[2]) :] if len(fields) > 2 and fields[2].isdigit() else []
            if not places or not all(re.fullmatch(r"\d{8}", place) for place in places):
                raise InputError(f"{index}: line {number} is not a line of a WordNet index")
            numbers = (_number(place, letter) for place in places)
            sets.setdefault(fields[0], {}).update(dict.fromkeys(numbers))
        exceptions = folder / f"{part}.exc"
        for line in _text(exceptions).split("\n") if exceptions.is_file() else []:
            form, *bases = line.split() or [""]
            for base in bases:
                forms.setdefault(base, {})[form] = None
    return _table(sets, forms, os.fspath(folder), english=True)


def _multilingual(path: Path) -> tuple[SynonymTable, str]:
    """A tab-separated table: set (`00001740-n`), relation (`lemma` or `fra:lemma`), word."""
    sets: dict[str, dict[str, None]] = {}
    english = False
    for number, line in enumerate(_text(path).split("\n"), 1):
        if line.startswith("#") or not line.strip():
            english = english or (number == 1 and "\teng\t" in line)
            continue
        fields = line.rstrip("\r").split("\t")
        found = re.fullmatch(r"(\d{8})-([nvars])", fields[0])
        if not found or len(fields) < 3:
            raise InputError(f"{path}: line {number} is not set, lemma and word of Open Multilingual WordNet")
        if fields[1].rpartition(":")[2] == "lemma":
            word = fields[2].strip().replace(" ", "_").lower()
            sets.setdefault(word, {})[_number(found[1], found[2])] = None
    if not sets:
        raise InputError(f"{path}: this file contains no lemmas")
    return _table(sets, {}, os.fspath(path), english=english)


def _number(place: str, part: str) -> str:
    """One number for a set: places are unique within a part of speech only."""
    return str(int(place) * 4 + _LETTERS[part])


def _table(
    sets: Mapping[str, Mapping[str, None]],
    forms: Mapping[str, Mapping[str, None]],
    name: str,
    *,
    english: bool,
) -> tuple[SynonymTable, str]:
    data = [
        "".join(f"{word}\n{' '.join(values)}\n" for word, values in sorted(table.items())).encode()
        for table in (sets, forms)
    ]
    try:
        return _native.SynonymTable(data[0], data[1], english=english), digest(b"".join(data))
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None


def _text(path: Path) -> str:
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not valid UTF-8") from None
