"""XML in blocks of UTF-8, checked by expat while it is read, with what is wrong in one line.

Nothing is fetched and nothing expanded: a document type may be named, but whoever declares entities is refused, so a
kilobyte cannot become a gigabyte. Readers take the texts from the blocks themselves: a call of Python for every tag
would take most of the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple
from xml.parsers import expat

from tertium._native import first_bad_byte
from tertium.errors import InputError
from tertium.io.streams import (
    HEAD,
    FilePath,
    check_readable,
    checked_encoding,
    display_name,
    open_bytes,
    recoded,
)

BLOCK = 1 << 19  # bytes read at a time
UNIT_LIMIT = 64  # megabytes that a unit may have
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_WIDE = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))  # without a mark
_DECLARED = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)["']""")
_REFERENCE = re.compile(r"&(?:#(\d{1,8})|#x([0-9a-fA-F]{1,7})|(amp|lt|gt|quot|apos));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_BREAKS = re.compile("\r\n?")
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_VALUE = str.maketrans({"&": "&amp;", "<": "&lt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"})

Started = Callable[[str, Mapping[str, str]], None]


class XmlBlock(NamedTuple):
    """Some bytes in UTF-8, and what is wrong behind them: they end there."""

    data: bytes
    error: InputError | None = None


class XmlStream:
    """The bytes of an XML file as UTF-8, block by block. `started` is told of each element until it is None."""

    def __init__(self, path: FilePath, encoding: str | None, roots: tuple[str, ...], what: str) -> None:
        self.name = display_name(path)
        check_readable(path, self.name)
        raw = open_bytes(path, self.name)
        try:
            head = raw.peek(HEAD)
            if not head.strip():
                raise InputError(f"{self.name}: the file is empty")
            self.encoding, self.has_mark = _encoding_of(head, encoding, self.name)
            self._stream = recoded(raw, self.encoding, self.name)
        except BaseException:
            raw.close()
            raise
        self._roots, self._what = roots, what
        self.on_root: Started = lambda _name, _attributes: None
        self._given = 0  # bytes
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._skipped
        parser.StartElementHandler = self._root

    def close(self) -> None:
        self._stream.close()

    @property
    def at(self) -> int:
        """Where the element that `started` is told of begins, in bytes of UTF-8."""
        return self._parser.CurrentByteIndex

    def listen(self, started: Started | None) -> None:
        self._parser.StartElementHandler = started

    def read(self) -> XmlBlock:
        """The next block; without data at the end. An error that a handler raised comes out at once."""
        data = self._stream.read(BLOCK)
        try:
            self._parser.Parse(data, not data)
        except expat.ExpatError as error:
            return self._wrong(data, error)
        self._given += len(data)
        return XmlBlock(data)

    def _place(self) -> str:
        return f"{self.name}: line {self._parser.CurrentLineNumber}, column {self._parser.CurrentColumnNumber + 1}"

    def _root(self, name: str, attributes: Mapping[str, str]) -> None:
        local = name.rpartition(":")[2]
        if local not in self._roots:
            raise InputError(f"{self.name}: begins with <{name}>: this is not {self._what}")
        self._parser.StartElementHandler = None
        self.on_root(name, attributes)

    def _entity(self, name: str, *_about: object) -> None:
        raise InputError(
            f"{self._place()}: declares the entity {name!r}; entities are never expanded or fetched: write what "
            "they stand for"
        )

    def _skipped(self, name: str, _is_parameter: bool) -> None:
        raise InputError(f"{self._place()}: the entity &{name}; is not defined in this file")

    def _wrong(self, data: bytes, error: expat.ExpatError) -> XmlBlock:
        """What is wrong, and what stands before it."""
        place = f"{self.name}: line {error.lineno}, column {error.offset + 1}"
        at = max(self._parser.ErrorByteIndex - self._given, 0)
        here = data[at : at + 4]
        bad = first_bad_byte(data)  # NUL, or no UTF-8
        if bad >= 0 and (not here or bad <= at + 4):
            what = "a NUL byte" if data[bad] == 0 else f"the byte 0x{data[bad]:02X}, which is not valid UTF-8"
            advice = "repair the file or, if it has another encoding, name it (such as -e cp1252)"
            return XmlBlock(data[:at], InputError(f"{place}: {what}; {advice}"))
        if here[:1] and here[0] < 32 and here[0] not in b"\t\n\r":
            return XmlBlock(
                data[:at],
                InputError(
                    f"{place}: the control character U+{here[0]:04X} is not allowed in XML: remove it"
                ),
            )
        problem = expat.ErrorString(error.code)
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_BAD_CHAR_REF]:
            problem = "a character that is not allowed in XML, such as a control character, by its number"
        if not data:
            problem = f"the file ends too early ({problem})"
        return XmlBlock(data[:at], InputError(f"{place}: not well-formed XML: {problem}"))


def _encoding_of(head: bytes, asked: str | None, name: str) -> tuple[str, bool]:
    """The codec, and whether the file begins with a byte-order mark."""
    marked = next((codec for mark, codec in _BOMS if head.startswith(mark)), None)
    if asked is not None:
        return checked_encoding(asked), marked is not None
    wide = marked == "utf-16" or next((codec for begin, codec in _WIDE if head.startswith(begin)), "")
    seen = marked or (wide if isinstance(wide, str) else "") or ""
    plain = head.replace(b"\0", b"") if seen.startswith("utf-16") else head
    found = _DECLARED.search(plain)
    if found is None:
        return seen or "utf-8", marked is not None
    declared = found.group(1).decode()
    try:
        codec = checked_encoding(declared)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    if seen.startswith("utf-16") != codec.startswith("utf-16"):
        actual = "UTF-16" if seen.startswith("utf-16") else "not UTF-16"
        right = "utf-16" if seen.startswith("utf-16") else "utf-8"
        raise InputError(
            f"{name}: says that its encoding is {declared}, but it is {actual}: name the right one (-e {right})"
        )
    return (seen if seen.startswith("utf-16") else codec), marked is not None


def text_of(content: str) -> str:
    """Text between tags, references replaced and line ends as XML has them.

    >>> text_of("R&amp;D &#233;")
    'R&D é'
    """
    if "\r" in content:
        content = _BREAKS.sub("\n", content)
    return _REFERENCE.sub(_character, content) if "&" in content else content


def _character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, named = reference.groups()
    return _NAMED[named] if named else chr(int(decimal) if decimal else int(hexadecimal, 16))


def escaped_text(text: str) -> str:
    """Text as it stands between tags.

    >>> escaped_text("a < b & c")
    'a &lt; b &amp; c'
    """
    return text.translate(_TEXT)


def escaped_value(text: str) -> str:
    """Text as it stands between the quotes of an attribute."""
    return text.translate(_VALUE)


def writable(text: str) -> str:
    """Text without what XML cannot hold, control characters above all: each is U+FFFD then.

    >>> writable("a\\x07b")
    'a�b'
    """
    return text if text.isprintable() else _UNWRITABLE.sub("\ufffd", text)
