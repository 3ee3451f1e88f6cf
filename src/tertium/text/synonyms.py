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


def neighbours(path: str | os.PathLike[str]) -> tuple[dict[int, list[int]], str]:
    """The sets next to each set in WordNet's graph, broader and narrower, from METEOR's `english.relations` or
    WordNet's `data.noun` and `data.verb`; and the hash of the files."""
    place = Path(path)
    for name in ("english.relations", "english.relations.gz"):
        if (place / name).is_file():
            data = read_bytes(place / name)
            return relations(data, os.fspath(place / name)), digest(data)
    found: dict[int, list[int]] = {}
    whole = b""
    for part in _PARTS[:2] if (place / "index.noun").is_file() else ():
        data = read_bytes(place / f"data.{part}")
        whole += data
        for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
            if line and not line.startswith("  "):  # the licence
                _broader(line, found, f"{place / f'data.{part}'}: line {number}")
    if not whole:
        raise InputError(
            f"{place}: has no graph of sets: neither english.relations (METEOR) nor data.noun (WordNet)"
        )
    return found, digest(whole)


def relations(data: bytes, name: str) -> dict[int, list[int]]:
    """METEOR's `english.relations`: a set, and on the next line its neighbours.

    >>> relations(b"7\\n12 13\\n12\\n7\\n", "example")
    {7: [12, 13], 12: [7]}
    """
    lines = data.decode("ascii", "replace").splitlines()
    try:
        return {
            int(lines[i]): [int(field) for field in lines[i + 1].split()] for i in range(0, len(lines), 2)
        }
    except (IndexError, ValueError):
        raise InputError(f"{name}: a set and, on the next line, its neighbours were expected") from None


def _broader(line: str, found: dict[int, list[int]], where: str) -> None:
    """Adds the steps from a set to those above it, both ways: fields behind the words are pointers."""
    fields = line.partition(" | ")[0].split()
    try:
        own = int(_number(fields[0], fields[2]))
        begin = 4 + 2 * int(fields[3], 16)
        pointers = fields[begin + 1 : begin + 1 + 4 * int(fields[begin])]
        above = [
            int(_number(place, part))
            for kind, place, part in zip(pointers[::4], pointers[1::4], pointers[2::4], strict=True)
            if kind in ("@", "@i")
        ]
    except (IndexError, KeyError, ValueError):
        raise InputError(f"{where} is not a line of WordNet's data") from None
    for one in above:
        found.setdefault(own, []).append(one)
        found.setdefault(one, []).append(own)


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
