"""Units as XLIFF 1.2 or 2.0: a file for each run of units of one document, metadata beside the texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TextIO

from tertium.io.memories.notes import Notes
from tertium.io.memories.tmxwriting import CONTROL_CHARACTERS
from tertium.io.memories.unit import METADATA, Unit
from tertium.io.memories.xliffinline import to_xliff1, to_xliff2
from tertium.io.memories.xmlstream import escaped_text, escaped_value, writable


class _Version(NamedTuple):
    root: str
    file: str
    end_of_file: str
    unit: str
    fact: str
    facts: str
    inline: Callable[[str], str]


_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
ONE = _Version(
    _HEAD + '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n',
    '<file original="{document}" source-language="{source}" target-language="{target}" datatype="plaintext"><body>\n',
    "</body></file>\n",
    '<trans-unit id="{id}"><source>{source}</source><target>{target}</target>{facts}{notes}</trans-unit>\n',
    '<context context-type="x-{name}">{value}</context>',
    '<context-group name="tertium">{}</context-group>',
    to_xliff1,
)
TWO: _Version = _Version(
    _HEAD + '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" '
    'xmlns:mda="urn:oasis:names:tc:xliff:metadata:2.0" srcLang="{source}" trgLang="{target}">\n',
    '<file id="f{number}" original="{document}">\n',
    "</file>\n",
    '<unit id="{id}">{facts}{notes}<segment><source>{source}</source><target>{target}</target></segment></unit>\n',
    '<mda:meta type="{name}">{value}</mda:meta>',
    "<mda:metadata><mda:metaGroup>{}</mda:metaGroup></mda:metadata>",
    to_xliff2,
)


class XliffWriter:
    """Writes units. XLIFF 2 has one pair of languages in a file: the first unit's, as a rule."""

    def __init__(self, file: TextIO, notes: Notes, version: _Version = ONE) -> None:
        self._write, self._notes, self._version = file.write, notes, version
        self._file: tuple[str, str, str] | None = None
        self._languages: tuple[str, str] | None = None
        self._units = self._files = 0

    def write(self, unit: Unit) -> None:
        languages = unit.source_language, unit.target_language
        if self._languages is None:
            self._languages = languages
            self._write(self._filled(self._version.root, source=languages[0], target=languages[1]))
        elif self._version is TWO and languages != self._languages:
            pair = "-".join(languages)
            self._notes.add(
                "units in other languages than the first, which XLIFF 2 cannot say, left out: {}", pair
            )
            return
        if self._file != (unit.document, *languages):
            self._end()
            self._files += 1
            self._file = unit.document, *languages
            self._write(
                self._filled(
                    self._version.file,
                    document=unit.document or "memory",
                    source=languages[0],
                    target=languages[1],
                    number=str(self._files),
                )
            )
        self._units += 1
        facts = "".join(
            self._filled(self._version.fact, name=name, value=value) for name, value in _facts(unit)
        )
        notes = "".join(
            f"<note>{self._clean(text)}</note>" for name, text in unit.properties if name == "note"
        )
        if notes and self._version is TWO:
            notes = f"<notes>{notes}</notes>"
        inline = self._version.inline
        self._write(
            self._version.unit.format(
                id=self._units,
                source=inline(unit.source_markup) if unit.source_markup else self._clean(unit.source),
                target=inline(unit.target_markup) if unit.target_markup else self._clean(unit.target),
                facts=self._version.facts.format(facts) if facts else "",
                notes=notes,
            )
        )

    def finish(self) -> None:
        self._end()
        if self._languages is None:
            self._write(self._filled(self._version.root, source="und", target="und"))
        self._write("</xliff>\n")

    def _end(self) -> None:
        if self._file is not None:
            self._write(self._version.end_of_file)

    def _filled(self, pattern: str, **values: str) -> str:
        return pattern.format(**{key: escaped_value(writable(value)) for key, value in values.items()})

    def _clean(self, text: str) -> str:
        found = writable(text)
        if found != text:
            self._notes.add(CONTROL_CHARACTERS, repr(text[:40]))
        return escaped_text(found)


def _facts(unit: Unit) -> Iterator[tuple[str, str]]:
    for name in METADATA:
        value = getattr(unit, name)
        if value not in ("", None) and name != "document":
            yield name, str(value)
    yield from ((name, value) for name, value in unit.properties if name not in ("note", "id"))
