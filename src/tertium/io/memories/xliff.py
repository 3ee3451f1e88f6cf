"""XLIFF 1.2 and 2.x: files of segments with their translations. What is cut out of them is as in `tmx`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tertium.errors import InputError
from tertium.io.memories.facts import Facts, field_of
from tertium.io.memories.inline import attributes_of, visible
from tertium.io.memories.notes import Notes
from tertium.io.memories.pairs import NoMemoryError, Pair, covers, normal, which_pair
from tertium.io.memories.unit import Unit
from tertium.io.memories.xliffinline import from_xliff
from tertium.io.memories.xmlstream import UNIT_LIMIT, XmlStream, escaped_text, text_of
from tertium.io.streams import FilePath

_ATTRIBUTES = r"""((?:[^>"'/]|"[^"]*"|'[^']*'|/(?!>))*)"""
_ASIDE = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_OPEN_ASIDE = re.compile(r"<!--(?:(?!-->).)*\Z|<\?(?:(?!\?>).)*\Z|<!\[(?:(?!\]\]>).)*\Z", re.DOTALL)
_PLACE = re.compile(rf"<(?:[\w.-]+:)?(file|phase|trans-unit|unit)(?=[\s/>]){_ATTRIBUTES}(/?)>")


def _element(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"<(?:[\w.-]+:)?{name}(?=[\s/>]){_ATTRIBUTES}(?:/>|>(.*?)</(?:[\w.-]+:)?{name}\s*>)", re.DOTALL
    )


_SOURCE, _TARGET, _NOTE, _SEGMENT, _DATA = map(_element, ("source", "target", "note", "segment", "data"))
_CONTEXT, _META = _element("context"), _element("meta")
_OTHERS = re.compile(
    r"<(?:[\w.-]+:)?(alt-trans|seg-source|matches)(?=[\s/>]).*?</(?:[\w.-]+:)?\1\s*>", re.DOTALL
)
_ENDS = {name: re.compile(rf"</(?:[\w.-]+:)?{name}\s*>") for name in ("trans-unit", "unit")}
_LANGUAGES = (("source-language", "target-language"), ("srcLang", "trgLang"))
_UNKNOWN = Pair("", "")


class XliffReader:
    """The units of an XLIFF file: each `trans-unit`, or each `segment`, that has a target; `untranslated`: the others,
    too, whatever languages are named."""

    def __init__(
        self,
        path: FilePath,
        pair: Pair | None = None,
        encoding: str | None = None,
        *,
        untranslated: bool = False,
    ) -> None:
        self._untranslated = untranslated
        self._xml = XmlStream(path, encoding, ("xliff",), "a localisation file (XLIFF)")
        self.name, self.n_bytes = self._xml.name, 0
        self._asked, self._kept = pair, pair
        self._found: dict[str, None] = {}  # pairs of languages
        self._notes = Notes(self.name)
        self._root = _UNKNOWN
        self._file: dict[str, str] = {}
        self._phases: dict[str, dict[str, str]] = {}
        self._position = 0

    def _started(self, _name: str, attributes: Mapping[str, str]) -> None:
        self._root = _pair_of(attributes)

    def __iter__(self) -> Iterator[Unit]:
        self._xml.on_root = self._started
        number = 0
        try:
            for unit in self._units():
                number += 1
                yield unit
        finally:
            self._xml.close()
        if not number:
            seen = f" (found: {', '.join(self._found)})" if self._asked and self._found else ""
            which = "units" if self._untranslated else "units with a translation"
            raise NoMemoryError(f"{self.name}: there are no {which} in this file{seen}")
        self._notes.warn()

    def _units(self) -> Iterator[Unit]:
        rest, pending = "", b""
        while (block := self._xml.read()).data or block.error:
            self.n_bytes += len(block.data)
            data = pending + block.data
            whole = len(data) - _unfinished(data)
            pending = b"" if block.error else data[whole:]
            rest += data[: len(data) if block.error else whole].decode("utf-8", "ignore")
            waiting = _OPEN_ASIDE.search(rest)
            until = waiting.start() if waiting and not block.error else len(rest)
            text = _ASIDE.sub(lambda found: escaped_text(found.group(1) or ""), rest[:until])
            used = 0
            for end, units in self._cut(text):
                used = end
                yield from units
            rest = text[used:] + rest[until:]
            if block.error is not None:
                raise block.error
            if len(rest) > UNIT_LIMIT << 20:
                raise InputError(
                    f"{self.name}: more than {UNIT_LIMIT} MB without a unit, too long for a segment"
                )

    def _cut(self, text: str) -> Iterator[tuple[int, list[Unit]]]:
        """Units, and where they end; files and phases are remembered on the way."""
        at = 0
        while (place := _PLACE.search(text, at)) is not None:
            name, attributes, at = place.group(1), attributes_of(place.group(2)), place.end()
            units: list[Unit] = []
            if name in _ENDS and not place.group(3):
                end = _ENDS[name].search(text, at)
                if end is None:
                    return
                inner, at = text[place.end() : end.start()], end.end()
                made = self._of_trans_unit if name == "trans-unit" else self._of_unit
                units = [unit for unit in made(attributes, inner) if self._wanted(unit)]
            elif name == "file":
                self._file, self._phases, self._position = attributes, {}, 0
            else:
                self._phases[attributes.get("phase-name", "")] = attributes
            yield at, units

    def _of_trans_unit(self, attributes: dict[str, str], inner: str) -> Iterator[Unit]:
        """Of 1.2: one unit, without what others propose."""
        inner = _OTHERS.sub("", inner)
        facts = Facts()
        for context in _CONTEXT.finditer(inner):
            name = attributes_of(context.group(1)).get("context-type", "")
            facts.add(field_of(name), name.removeprefix("x-"), text_of(context.group(2) or ""))
        yield from self._unit(attributes, inner, inner, facts, None)

    def _of_unit(self, attributes: dict[str, str], inner: str) -> Iterator[Unit]:
        """Of 2.x: a unit for each segment."""
        inner = _OTHERS.sub("", inner)
        data = {attributes_of(own).get("id", ""): text_of(code) for own, code in _DATA.findall(inner)}
        for segment in _SEGMENT.finditer(inner):
            facts = Facts()
            for meta in _META.finditer(inner):
                name = attributes_of(meta.group(1)).get("type", "")
                facts.add(field_of(name), name, text_of(meta.group(2) or ""))
            own = {f"segment-{key}": value for key, value in attributes_of(segment.group(1)).items()}
            yield from self._unit({**attributes, **own}, segment.group(2) or "", inner, facts, data)

    def _unit(
        self, attributes: dict[str, str], texts: str, about: str, facts: Facts, data: dict[str, str] | None
    ) -> Iterator[Unit]:
        self._position += 1
        source, target = _SOURCE.search(texts), _TARGET.search(texts)
        if source is None or (target is None and not self._untranslated):
            return
        of_target = attributes_of(target.group(1)) if target else {}
        phase = self._phases.get(of_target.get("phase-name") or attributes.get("phase-name", ""), {})
        facts.add("translator", "contact-name", phase.get("contact-name", ""))
        facts.add("date", "date", phase.get("date", ""))
        for key, value in (
            *attributes.items(),
            *(("target-" + key, value) for key, value in of_target.items()),
        ):
            if key not in ("target-xml:lang", "xml:space", "target-xml:space"):
                facts.add("", key, value)
        for note in _NOTE.finditer(about):
            facts.add("", "note", text_of(note.group(2) or ""))
        facts.tell(self._notes, f"unit {attributes.get('id', self._position)}")
        languages = _pair_of(self._file, self._root)
        inner = [found.group(2) or "" if found else "" for found in (source, target)]
        markups = [from_xliff(text, data) if "<" in text else "" for text in inner]
        plain = [
            visible(markup) if "<" in text else text_of(text)
            for text, markup in zip(inner, markups, strict=True)
        ]
        get = facts.fields.get
        yield Unit(
            *plain,
            languages.source,
            languages.target or of_target.get("xml:lang", ""),
            get("client", ""),
            get("translator", ""),
            get("document") or self._file.get("original") or self._file.get("id", ""),
            facts.number("position") or self._position,
            get("date", ""),
            facts.number("used"),
            tuple(facts.properties),
            *markups,
        )

    def _wanted(self, unit: Unit) -> bool:
        """Whether a unit is in the pair of languages that is meant."""
        pair = Pair(unit.source_language, unit.target_language)
        if not all(pair):
            if self._asked is None and not self._untranslated:
                where = f"unit {unit.property('id')}" if unit.property("id") else "a unit"
                raise InputError(f"{self.name}: {where} says no languages: which are they? (--pair en-fr)")
            return True
        self._found[str(pair)] = None
        if self._asked is not None:
            return covers(self._asked.source, pair.source) and covers(self._asked.target, pair.target)
        if self._kept is None or self._untranslated:
            self._kept = pair
        if [*map(normal, pair)] != [*map(normal, self._kept)]:
            raise which_pair(self.name, [*self._kept, *pair])
        return True


def _pair_of(attributes: Mapping[str, str], otherwise: Pair = _UNKNOWN) -> Pair:
    found = [
        next((attributes[keys[side]] for keys in _LANGUAGES if attributes.get(keys[side])), otherwise[side])
        for side in (0, 1)
    ]
    return Pair(found[0], found[1])


def _unfinished(data: bytes) -> int:
    """How many bytes at the end begin a character that is not there as a whole."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return back if back < needed else 0
        if byte < 0x80:
            return 0
    return 0
