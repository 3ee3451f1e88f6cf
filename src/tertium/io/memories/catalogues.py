"""Catalogues of gettext, PO and MO, read and written by polib (MIT, extra `memory`).

A catalogue is read as a whole; they are small. Each message that has a translation is a unit: of one with plural
forms, the first form is a unit with the singular, each further form one with the plural. Who translated it, when, and
for which project stands in the header, once for all.
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator
from typing import Any, TextIO

from tertium.errors import InputError, MissingExtraError
from tertium.io.memories.dates import iso_date
from tertium.io.memories.facts import NO_DATE
from tertium.io.memories.notes import Notes
from tertium.io.memories.pairs import NoMemoryError, Pair, covers
from tertium.io.memories.unit import Unit
from tertium.io.streams import FilePath, checked_encoding, display_name, read_bytes

_CHARSET = re.compile(rb"""Content-Type:.{0,60}?charset=([\w.:-]+)""")
_SYNTAX = re.compile(r"\(line (\d+)\)(?:: (.*))?", re.DOTALL)
_PROJECT = re.compile(r"(.+?)[\s-]+v?\d[\w.+~:-]*")  # apt 1.8.0, and apt-1.8
SOURCE = "en"  # what gettext takes messages to be in
_COMMENTS = (("comment", "tcomment"), ("extracted-comment", "comment"), ("previous-source", "previous_msgid"))


def polib() -> Any:
    try:
        import polib
    except ImportError:
        raise MissingExtraError("reading or writing PO and MO files", "memory") from None
    return polib


class _Text(str):
    """Lines end at line feeds: for Python's own `splitlines`, a line separator inside a message ends one, too."""

    def splitlines(self, keepends: bool = False) -> list[str]:
        return self.split("\n")


class CatalogueReader:
    """The units of a PO or MO file; `untranslated`: messages without a translation, too."""

    def __init__(
        self,
        path: FilePath,
        pair: Pair | None,
        encoding: str | None,
        *,
        compiled: bool,
        untranslated: bool = False,
    ) -> None:
        self._polib, self._untranslated = polib(), untranslated
        self.name, self.n_bytes = display_name(path), 0
        self._path, self._pair, self._encoding, self._compiled = path, pair, encoding, compiled

    def __iter__(self) -> Iterator[Unit]:
        data = read_bytes(self._path)
        if not data.strip():
            raise InputError(f"{self.name}: the file is empty")
        found = self._parsed(data)
        self.n_bytes = len(data)
        notes = Notes(self.name)
        common = self._common(found.metadata, notes)
        number = 0
        for position, entry in enumerate(found, 1):
            for unit in _units(entry, common._replace(position=position), untranslated=self._untranslated):
                number += 1
                yield unit
        if not number:
            which = "messages" if self._untranslated else "translated messages"
            raise NoMemoryError(f"{self.name}: there are no {which} in this catalogue")
        notes.warn()

    def _parsed(self, data: bytes) -> Any:
        charset = _CHARSET.search(data)
        declared = charset.group(1).decode() if charset else ""
        asked = self._encoding or ("utf-8" if declared in ("", "CHARSET") else declared)
        try:
            codec = checked_encoding(asked)
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from None
        try:
            if self._compiled:
                if not _is_whole(data):
                    raise InputError(f"{self.name}: is no MO file, or damaged")
                return self._polib.mofile(data, encoding=codec)
            text = data.decode(codec).removeprefix("\ufeff")
            if (bad := text.find("\0")) >= 0:
                raise InputError(f"{self.name}: line {text.count(chr(10), 0, bad) + 1}: a NUL character")
            return self._polib.pofile(_Text(text.replace("\r\n", "\n")), encoding=codec)
        except UnicodeDecodeError as error:
            where = f"line {data.count(10, 0, error.start) + 1}: " if not self._compiled else ""
            raise InputError(
                f"{self.name}: {where}is not valid {asked}: name the encoding (such as -e latin-1)"
            ) from None
        except OSError as error:
            raise self._syntax(str(error)) from None
        except InputError:
            raise
        except Exception as error:  # of a damaged MO file: struct.error, IndexError, OverflowError...
            raise InputError(f"{self.name}: is damaged, or no catalogue ({error})") from None

    def _syntax(self, message: str) -> InputError:
        if self._compiled:
            return InputError(f"{self.name}: is no MO file, or damaged")
        found = _SYNTAX.search(message)
        place, problem = (f"line {found.group(1)}: ", found.group(2) or "") if found else ("", "")
        return InputError(
            f"{self.name}: {place}not valid PO" + (f" ({problem.strip()[:80]})" if problem else "")
        )

    def _common(self, header: dict[str, str], notes: Notes) -> Unit:
        """What the header says of all units."""
        language = header.get("Language", "").strip()
        asked = self._pair or Pair(header.get("X-Source-Language", "").strip() or SOURCE, language)
        if not asked.target and not self._untranslated:
            raise InputError(f"{self.name}: its header names no language: which is it? (--pair en-fr)")
        if language and not covers(asked.target, language) and not covers(language, asked.target):
            raise NoMemoryError(f"{self.name}: is in {language}, not in {asked.target}")
        revised = header.get("PO-Revision-Date", "").strip()
        date = iso_date(revised)
        if date is None and revised and not revised.startswith("YEAR"):
            notes.add(NO_DATE, f"PO-Revision-Date {revised[:40]!r}")
        project = header.get("Project-Id-Version", "").strip()
        named = _PROJECT.fullmatch(project)
        return Unit(
            "",
            "",
            asked.source,
            language or asked.target,
            client=named.group(1) if named else project,
            translator=header.get("Last-Translator", "").strip(),
            document=os.path.basename(self.name),
            date=date or "",
        )


def _is_whole(data: bytes) -> bool:
    """Whether all that an MO file points to is there, with the NUL behind each text; polib takes what it finds."""
    order = {b"\xde\x12\x04\x95": "<", b"\x95\x04\x12\xde": ">"}.get(data[:4])
    if order is None or len(data) < 28:
        return False
    number, *tables = struct.unpack_from(f"{order}3I", data, 8)
    if any(begin + 8 * number > len(data) for begin in tables):
        return False
    for begin in tables:
        ends = struct.iter_unpack(f"{order}2I", data[begin : begin + 8 * number])
        if any(length + offset >= len(data) for length, offset in ends):
            return False
    return True


def _units(entry: Any, common: Unit, *, untranslated: bool) -> Iterator[Unit]:
    about = [("context", entry.msgctxt)] if entry.msgctxt is not None else []
    if getattr(entry, "flags", None):
        about.append(("flags", ", ".join(entry.flags)))
    if getattr(entry, "occurrences", None):
        places = (f"{file}:{line}" if line else file for file, line in entry.occurrences)
        about.append(("references", " ".join(places)))
    about += [(name, text) for name, key in _COMMENTS if (text := getattr(entry, key, None))]
    if getattr(entry, "obsolete", False):
        about.append(("obsolete", "yes"))
    if not entry.msgid_plural:
        if entry.msgid and (entry.msgstr or untranslated):
            yield common._replace(source=entry.msgid, target=entry.msgstr, properties=tuple(about))
        return
    forms = entry.msgstr_plural
    if untranslated and not any(forms.values()):
        forms = {0: "", 1: ""}  # however many there will be: the two sources
    for form, target in sorted(forms.items()):
        if target or untranslated:
            first = form == 0 and len(forms) > 1
            other = ("plural-source", entry.msgid_plural) if first else ("singular-source", entry.msgid)
            yield common._replace(
                source=entry.msgid if first else entry.msgid_plural,
                target=target,
                properties=(*about, ("plural-form", str(form)), other),
            )


class CatalogueWriter:
    """Messages with their translations; forms of one message that follow each other are put together again."""

    def __init__(self, file: TextIO, notes: Notes, *, compiled: bool) -> None:
        self._polib = polib()
        self._file, self._notes = file, notes
        self._compiled = self._polib.POFile() if compiled else None
        self._open: Any = None  # a message whose further forms may follow
        self._context: str | None = None  # its context
        self._begun = False
        self._seen: dict[int, int] = {}  # messages by their hashes: gettext allows each once

    def write(self, unit: Unit) -> None:
        if not self._begun:
            self._begin(unit)
        form = unit.property("plural-form")
        if form and not form.isdigit():
            form = ""
        singular = unit.property("singular-source") or unit.source
        plural = unit.property("plural-source") or unit.source
        context = dict(unit.properties).get("context")
        if self._open is not None:
            key = self._open.msgid, self._open.msgid_plural, self._context
            if form and key == (singular, plural, context) and int(form) not in self._open.msgstr_plural:
                self._open.msgstr_plural[int(form)] = unit.target
                return
            self._put()
        self._context = context
        entry = self._polib.POEntry(
            msgid=singular if form else unit.source,
            msgstr="" if form else unit.target,
            msgctxt=context,
            tcomment=unit.property("comment"),
            comment=unit.property("extracted-comment"),
            flags=[flag for flag in unit.property("flags").split(", ") if flag],
            occurrences=[_place(place) for place in unit.property("references").split()],
            obsolete=bool(unit.property("obsolete")),
        )
        if form:
            entry.msgid_plural, entry.msgstr_plural = plural, {int(form): unit.target}
        self._open = entry

    def finish(self) -> None:
        self._put()
        if self._compiled is not None:
            self._file.buffer.write(self._compiled.to_binary())

    def _begin(self, unit: Unit) -> None:
        self._begun = True
        header = self._polib.POFile() if self._compiled is None else self._compiled
        header.metadata = {
            "Project-Id-Version": unit.client,
            "PO-Revision-Date": unit.date.replace("T", " "),
            "Last-Translator": unit.translator,
            "Language": unit.target_language,
            "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=UTF-8",
            "Content-Transfer-Encoding": "8bit",
            "X-Source-Language": unit.source_language,
        }
        if self._compiled is None:
            self._file.write(f"{header.metadata_as_entry()}\n")

    def _put(self) -> None:
        entry, self._open = self._open, None
        if entry is None:
            return
        forms = entry.msgstr_plural
        for missing in range(max(forms, default=-1)):
            forms.setdefault(missing, "")
        if not entry.msgid:
            self._notes.add(
                "units without a source, which gettext cannot hold, left out: {}", repr(entry.msgstr[:40])
            )
            return
        key = hash((entry.msgctxt, entry.msgid))
        times = self._seen[key] = self._seen.get(key, 0) + 1
        if times > 1:
            self._notes.add(
                "messages that are there already, and get a context of their own: {}", repr(entry.msgid[:40])
            )
            entry.msgctxt = f"{entry.msgctxt or ''}#{times}"
        if self._compiled is None:
            self._file.write(f"{entry}\n")
        else:
            self._compiled.append(entry)


def _place(text: str) -> tuple[str, str]:
    file, _, line = text.rpartition(":")
    return (file, line) if file and line.isdigit() else (text, "")
