"""TMX 1.4b, the exchange format of translation memories: units as they stand in the file, letter by letter.

expat looks at every byte, so only well-formed files come through; what is between `<tu` and `</tu>` is then cut out
as text. In well-formed XML a `<` begins a tag unless it stands in a comment, a CDATA section or a processing
instruction: blocks that have any of these are cut with more care. What stands before the texts of a unit is much the
same in many units, and is taken apart once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, NoReturn

from tertium._native import TmxHeads, cut_tmx
from tertium.errors import InputError
from tertium.io.memories.facts import Facts, field_of
from tertium.io.memories.inline import attributes_of, visible
from tertium.io.memories.notes import Notes
from tertium.io.memories.pairs import NoMemoryError, Pair, covers, normal, which_pair
from tertium.io.memories.tmxcutting import last_end, parts_of, without_asides
from tertium.io.memories.unit import Unit
from tertium.io.memories.xmlstream import UNIT_LIMIT, XmlBlock, XmlStream, text_of
from tertium.io.streams import FilePath

OPENING = re.compile(r"""<tuv?\b((?:[^>"']|"[^"]*"|'[^']*')*?)/?>""")
_ABOUT = re.compile(
    r"""<(prop|note)\b((?:[^>"'/]|"[^"]*"|'[^']*'|/(?!>))*)(?:/>|>(.*?)</\1\s*>)""", re.DOTALL
)
SEGMENT = re.compile(r"""<seg\b(?:[^>"']|"[^"]*"|'[^']*')*?>""")
_MOST = 1 << 14  # heads that are remembered
_NEW = tuple.__new__  # a third of the time of Unit(...)

_ATTRIBUTES = {  # that say what a field says
    "creationid": "translator?", "changeid": "translator", "creationdate": "date?", "changedate": "date",
    "usagecount": "used",
}  # fmt: skip


class _About(NamedTuple):
    """What the tags before a text say."""

    language: str
    fields: dict[str, str]
    properties: tuple[tuple[str, str], ...]
    wrong: tuple[tuple[str, str], ...] = ()  # dates that are no dates, for the notes

    @property
    def row(self) -> tuple[Any, ...]:
        """The fields of a unit from its client to its properties, where its texts say nothing about themselves."""
        get = self.fields.get
        position, used = get("position"), get("used")
        return (
            get("client", ""),
            get("translator", ""),
            get("document", ""),
            int(position) if position else None,
            get("date", ""),
            int(used) if used else None,
            self.properties,
        )


class TmxReader:
    """The units of a TMX file in two of its languages. Iterating reads the file, once, in flat memory.

    `untranslated`: the file is a document, whose units may all be without a translation.

    `head` is what stands before the first unit, `gap` what stands between two, `tail` what stands behind the last.
    """

    def __init__(
        self,
        path: FilePath,
        pair: Pair | None = None,
        encoding: str | None = None,
        *,
        untranslated: bool = False,
    ) -> None:
        self._untranslated = untranslated
        self._xml = XmlStream(path, encoding, ("tmx",), "a translation memory (TMX)")
        self.name = self._xml.name
        self.encoding, self.has_mark = self._xml.encoding, self._xml.has_mark
        self.head, self.gap, self.tail, self.n_bytes = "", "\n", "", 0
        self.everything = False  # also units without a text in either language: both sides are empty then
        self._first: int | None = None
        self._asked = pair
        self._srclang = ""
        self._sides: dict[str, int] = {}  # source 0, target 1, neither 2; by language as it is written
        self._heads: dict[str, _About] = {}
        self._rows: dict[str, tuple[Any, ...]] = {}  # of heads of units without anything wrong, for `_usual`
        self._bare: dict[
            str, tuple[int, str]
        ] = {}  # side and language of heads of texts that say nothing else
        self._known = TmxHeads(Unit)  # `_rows` and `_bare` once more, for those that are read natively
        self._notes = Notes(self.name)
        self._lines = 0  # before the block that is being read
        self._paired = self._sourced = False

    def _started(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "header":
            self._srclang = attributes.get("srclang", "")
        elif name == "tu":
            self._first = self._xml.at
            self._xml.listen(None)

    def __iter__(self) -> Iterator[Unit]:
        self._xml.on_root = lambda _name, _attributes: self._xml.listen(self._started)
        try:
            yield from self._units()
        finally:
            self._xml.close()
        self._notes.warn()

    def _units(self) -> Iterator[Unit]:
        rest = b""
        number = 0
        while (block := self._xml.read()).data or block.error:
            self.n_bytes += len(block.data)
            rest += block.data
            if self._first is not None:
                if not self.head:
                    self._take_head(rest[: self._first])
                    rest = rest[self._first :]
                end, plain = last_end(rest)
                if end:
                    for unit in (
                        self._cut_plain(rest, end) if plain else self._cut(rest[:end].decode("utf-8"))
                    ):
                        number += 1
                        yield unit
                    self._lines += rest.count(b"\n", 0, end)
                    rest = rest[end:]
            self._check(block, rest)
        self.tail = rest.decode("utf-8")
        if not number:
            raise InputError(f"{self.name}: there are no units in this memory")
        if self._untranslated and not self._paired and not self._sourced:
            asked = f" in {self._asked.source}" if self._asked else ""
            raise NoMemoryError(
                f"{self.name}: no unit has a source{asked} (found: {', '.join(self._sides) or 'none'})"
            )
        if not self._paired and not self._untranslated:
            languages = ", ".join(self._sides) or "none"
            raise NoMemoryError(
                f"{self.name}: no unit has a text in two languages"
                + (f" {self._asked.source} and {self._asked.target}" if self._asked else "")
                + f" (found: {languages})"
            )

    def _take_head(self, head: bytes) -> None:
        self.head = head.decode("utf-8").removeprefix("\ufeff")
        self._lines = head.count(b"\n")
        space = self.head[len(self.head.rstrip(" \t")) :]
        self.gap = "\n" + space if self.head[: len(self.head) - len(space)].endswith("\n") else space

    def _check(self, block: XmlBlock, rest: bytes) -> None:
        if block.error is not None:
            raise block.error
        if len(rest) > UNIT_LIMIT << 20:
            raise InputError(
                f"{self.name}: line {self._lines + 1}: a unit is longer than {UNIT_LIMIT} MB, too long for a segment"
            )

    def _cut_plain(self, block: bytes, end: int) -> Iterator[Unit]:
        """The units of a block up to here, where a unit ends; natively, but for unusual ones."""
        at = 0
        while at < end:
            units, at = cut_tmx(self._known, block, at, end)
            yield from units
            if at < end:
                stop = block.index(b"</tu>", at, end)
                part = block[at:stop].decode("utf-8")
                try:
                    unit = self._usual(part) or self._found(part, "</tu>")
                except _Wrong as wrong:
                    self._refuse(wrong, block.count(b"\n", 0, at) + self._lines_before(part))
                if unit is not None:
                    yield unit
                at = stop + 5

    def _cut(self, text: str) -> Iterator[Unit]:
        """The units of a text with comments and the like, that ends with a unit's end."""
        at = 0
        for part in parts_of(text):
            try:
                unit = self._found(part, "")
            except _Wrong as wrong:
                self._refuse(wrong, text.count("\n", 0, at) + self._lines_before(part))
            if unit is not None:
                yield unit
            at += len(part)

    def _begin(self, part: str) -> int:
        """Where the unit of a part of the file begins; -1 if there is none."""
        first = part.find("<tuv")
        return part.rfind("<tu", 0, first) if first >= 0 else part.find("<tu") if self.everything else -1

    def _lines_before(self, part: str) -> int:
        return part.count("\n", 0, self._begin(part))

    def _found(self, part: str, ending: str) -> Unit | None:
        """The unit of a part of the file that ends before this ending."""
        begin = self._begin(part)
        if begin < 0:
            return None
        raw = part[begin:] + ending
        return self._unit(raw if ending else without_asides(raw), raw)

    def _usual(self, part: str) -> Unit | None:
        """A unit of the source and the target, in this order, that has no tags, and whose heads were seen before.

        Most units are so, and take a third of the time here that they take in `_unit`, which can do all of them; those
        without references (&amp;) do not even come here.
        """
        pieces = part.split("<tuv")
        if len(pieces) != 3:
            return None
        head, first, second = pieces
        row = self._rows.get(head[head.rfind("<tu") :])
        one, two = first.find("<seg>"), second.find("<seg>")
        sides = self._bare.get(first[:one]), self._bare.get(second[:two])
        if row is None or one < 0 or two < 0 or sides[0] is None or sides[1] is None:
            return None
        source, target = first[one + 5 : first.rfind("</seg")], second[two + 5 : second.rfind("</seg")]
        if "<" in source or "<" in target or sides[0][0] != 0 or sides[1][0] != 1:
            return None
        if "&" in source or "\r" in source:
            source = text_of(source)
        if "&" in target or "\r" in target:
            target = text_of(target)
        raw = part[head.rfind("<tu") :] + "</tu>"
        return _NEW(Unit, (source, target, sides[0][1], sides[1][1], *row, "", "", raw))

    def _refuse(self, wrong: _Wrong, lines: int) -> NoReturn:
        line = self._lines + lines + 1
        if wrong.languages:
            raise which_pair(self.name, wrong.languages, f"line {line}")
        raise InputError(f"{self.name}: line {line}: {wrong}")

    def _unit(self, text: str, raw: str) -> Unit | None:
        head, *variants = text.split("<tuv")
        about = self._heads.get(head) or self._parsed(head, head)
        if not about.wrong:
            self._rows[head] = about.row
            self._known.add(head, about.row)
        found: list[tuple[_About, str] | None] = [None, None]
        for variant in variants:
            begin = variant.find("<seg")
            key = variant[:begin] if begin >= 0 else variant
            own = self._heads.get(key) or self._parsed(key, "<tuv" + key)
            side = self._sides.get(own.language)
            if side is None:
                side = self._side(own.language, len(variants))
            if side == 2:
                continue
            if own.language and not (own.fields or own.properties or own.wrong):
                self._bare[key] = side, own.language
                self._known.add_text(key, side, own.language)
            if found[side] is not None:
                side = self._second(found, side)
                if side == 2:
                    continue
            found[side] = own, _segment(variant, begin)
        source, target = found
        if source is None and target is None and not self.everything:
            return None
        self._sourced = self._sourced or source is not None
        if source is not None and target is not None:
            self._paired = True
        return self._made(about, source, target, raw)

    def _made(
        self, about: _About, source: tuple[_About, str] | None, target: tuple[_About, str] | None, raw: str
    ) -> Unit:
        fields, properties = about.fields, about.properties
        texts = []
        for name, side in (("source", source), ("target", target)):
            inner = side[1] if side else ""
            texts.append((visible(inner), inner) if "<" in inner else (text_of(inner), ""))
            if side is not None:
                if side[0].fields:
                    fields = {**fields, **side[0].fields}
                if side[0].wrong:
                    self._tell(side[0].wrong)
                if side[0].properties:
                    properties += tuple((f"{name}.{key}", value) for key, value in side[0].properties)
        if about.wrong:
            self._tell(about.wrong)
        languages = [
            (side and side[0].language) or self._language(i) for i, side in enumerate((source, target))
        ]
        row = _About("", fields, properties).row
        return _NEW(Unit, (texts[0][0], texts[1][0], *languages, *row, texts[0][1], texts[1][1], raw))

    def _language(self, side: int) -> str:
        """What a side is called whose text is missing, or does not say."""
        if self._asked is not None:
            return self._asked[side]
        return next((language for language, own in self._sides.items() if own == side), "")

    def _side(self, language: str, n_variants: int) -> int:
        """Whether a language that was not seen before is the source's, the target's, or neither."""
        if not language:
            if self._asked is None or (n_variants != 2 and not (self._untranslated and n_variants == 1)):
                raise _Wrong("a <tuv> has no xml:lang: which language is it? (--pair en-fr: in this order)")
            return 0  # the second goes to the other side, see _second
        if self._asked is not None:
            side = next((i for i in (0, 1) if covers(self._asked[i], language)), 2)
        else:
            side = self._guessed(language)
        self._sides[language] = side
        return side

    def _guessed(self, language: str) -> int:
        """The source's language is the one that the header names, else the first in the file."""
        known = {normal(own): side for own, side in self._sides.items()}
        if normal(language) in known:
            return known[normal(language)]
        named = self._srclang not in ("", "*all*")
        side = int(not covers(self._srclang, language)) if named else min(len(known), 1)
        if len(known) > 1 or (side == 0 and side in known.values()):
            raise _Wrong("", [*self._sides, language])
        if side in known.values():
            first = next(iter(self._sides))
            raise _Wrong(
                f"the header says that the source is {self._srclang}, but the units are {first} and {language}: "
                f"which is the source? (--pair {first}-{language} or --pair {language}-{first})"
            )
        return side

    def _second(self, found: list[tuple[_About, str] | None], side: int) -> int:
        """Where a second text of one side goes: without languages to the target, otherwise nowhere."""
        first = found[side]
        if side == 0 and first is not None and not first[0].language:
            return 1
        self._notes.add(
            "units with more than one text in a language, of which the first is read: {}",
            repr(first and first[1][:40]),
        )
        return 2

    def _tell(self, wrong: tuple[tuple[str, str], ...]) -> None:
        for sentence, text in wrong:
            self._notes.add(sentence, text)

    def _parsed(self, key: str, text: str) -> _About:
        """What stands before the texts, remembered."""
        if len(self._heads) >= _MOST:
            for known in (self._heads, self._rows, self._bare, self._known):
                known.clear()
        found = self._heads[key] = _about(text)
        return found


def _about(text: str) -> _About:
    """Attributes and properties of a unit or of one of its texts."""
    opening = OPENING.match(text)
    attributes = attributes_of(opening.group(1)) if opening else {}
    language = attributes.pop("xml:lang", "") or attributes.pop("lang", "")
    found = Facts()
    for name, value in attributes.items():
        found.add(_ATTRIBUTES.get(name, ""), name, value)
    for kind, own, value in _ABOUT.findall(text):
        name = attributes_of(own).get("type", "") if kind == "prop" else "note"
        found.add(field_of(name), name, text_of(value))
    return _About(language, found.fields, tuple(found.properties), tuple(found.wrong))


class _Wrong(Exception):
    """What is wrong with a unit; where, is known further out. With `languages`: too many of them."""

    def __init__(self, message: str, languages: list[str] | None = None) -> None:
        super().__init__(message)
        self.languages = languages or []


def _segment(variant: str, begin: int) -> str:
    """What stands between `<seg>` and `</seg>`."""
    if begin < 0:
        return ""
    if variant.startswith("<seg>", begin):
        begin += 5
    else:
        opening = SEGMENT.match(variant, begin)
        if opening is None or opening.group().endswith("/>"):
            return ""
        begin = opening.end()
    end = variant.rfind("</seg")
    return variant[begin:end] if end >= 0 else ""
