"""WMT's test-set files: SGML (`.sgm`: refset, srcset, tstset) here, XML (WMT21 and later) in `wmtxml`.

The SGML that people have is not valid: tags in either case, attributes twice or without quotes, `</seg>`
missing, bare ampersands. So it is scanned for the tags that matter, and everything else is text.
"""

from __future__ import annotations

import re
from html.entities import html5

from tertium._native import first_bad_byte
from tertium.errors import InputError
from tertium.io.markup import root_of
from tertium.io.parsedset import Kind, ParsedSet, Side, assemble, merged
from tertium.io.streams import checked_encoding

_SETS: dict[str, Kind] = {"srcset": "src", "refset": "ref", "tstset": "hyp"}
_TAG = re.compile(r"<(/?)(mteval|srcset|refset|tstset|doc|p|hl|poster|seg)\b([^<>]*)>", re.IGNORECASE)
_AFTER_SEGMENT = re.compile(
    r"<(/seg\s*|(?:/?(?:mteval|srcset|refset|tstset|doc)|seg)\b[^<>]*)>", re.IGNORECASE
)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_ENTITY = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w+));")
_HEAD = 1 << 16


def parse_test_file(data: bytes, name: str, encoding: str = "utf-8") -> ParsedSet:
    """The segments of a WMT test set, SGML or XML, in these bytes; XML says its encoding itself.

    >>> parse_test_file(b"<refset><DOC docid=d sysid=ref><seg id=1>A &amp; B</seg></DOC></refset>", "ref.sgm").texts
    {'ref': ['A & B']}
    """
    root = root_of(data[:_HEAD])
    if root in ("dataset", "collection"):
        from tertium.io.wmtxml import parse_xml

        return parse_xml(data, name)
    if root == "mteval" or root in _SETS:
        return parse_sgml(_text(data, name, encoding), name)
    raise InputError(
        f"{name}: is not a WMT test set: it should begin with <srcset>, <refset> or <tstset> (SGML) "
        "or <dataset> (XML)" + (f", not <{root}>" if root else "")
    )


def _text(data: bytes, name: str, encoding: str) -> str:
    if checked_encoding(encoding) != "utf-8":
        try:
            return data.decode(encoding)
        except UnicodeError as error:
            raise InputError(f"{name}: is not valid {encoding} ({error})") from None
    data = data.removeprefix(b"\xef\xbb\xbf")
    bad = first_bad_byte(data)
    if bad >= 0:
        line, begin = data.count(b"\n", 0, bad) + 1, data.rfind(b"\n", 0, bad) + 1
        what = "is a NUL byte" if data[bad] == 0 else "is not valid UTF-8"
        raise InputError(
            f"{name}: line {line}, byte {bad - begin + 1} of the line (byte {bad + 1} of the file) {what}; "
            "convert the file to UTF-8"
        )
    return data.decode("utf-8")


def parse_sgml(text: str, name: str) -> ParsedSet:
    """The segments of WMT SGML. `name` is what messages call the file.

    >>> text = '<TSTSET setid="s"><doc docid="d" sysid="A"><seg id="1">x<seg id="2">y</doc></TSTSET>'
    >>> parsed = parse_sgml(text, "hyp.sgm")
    >>> parsed.texts, parsed.segment_ids
    ({'A': ['x', 'y']}, ['1', '2'])
    """
    return _Scanner(text, name).parse()


class _Scanner:
    """One pass over the tags, keeping what is open at the moment: the set, the document."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self._sides: dict[tuple[int, str], Side] = {}  # by number of the set in the file, and system
        self._about: dict[str, dict[str, str]] = {}
        self._n_sets = self._n_documents = self._n_segments = 0
        self._lines = self._counted = 0  # line ends, up to a place
        self._kind: Kind | None = None
        self._set: dict[str, str] = {}
        self._document: dict[str, str] | None = None
        self._set_id = ""

    def parse(self) -> ParsedSet:
        position = 0
        while tag := _TAG.search(self._text, position):
            position = tag.end()
            closing, what, attributes = bool(tag.group(1)), tag.group(2).lower(), tag.group(3)
            if what in _SETS:
                self._at_set(None if closing else _SETS[what], _attributes(attributes))
            elif what == "doc":
                self._at_document(None if closing else _attributes(attributes), tag.start())
            elif what == "seg" and not closing:
                position = self._at_segment(_attributes(attributes), tag)
        return assemble(self._set_id, self._name, merged(self._sides.values()), self._about)

    def _at_set(self, kind: Kind | None, attributes: dict[str, str]) -> None:
        self._kind, self._set, self._document = kind, attributes, None
        if kind is not None:
            self._n_sets += 1
            self._n_documents = 0
            self._set_id = self._set_id or attributes.get("setid", "")

    def _at_document(self, attributes: dict[str, str] | None, position: int) -> None:
        self._document = attributes
        if attributes is None:
            return
        if self._kind is None:
            raise self._error(position, "a document outside of <srcset>, <refset> and <tstset>")
        self._n_documents += 1
        self._n_segments = 0
        document = attributes.setdefault("docid", attributes.get("id", str(self._n_documents)))
        facts = {key: attributes[key] for key in ("origlang", "genre", "domain") if attributes.get(key)}
        for key, value in facts.items():
            self._about.setdefault(document, {}).setdefault(key, value)

    def _at_segment(self, attributes: dict[str, str], tag: re.Match[str]) -> int:
        if self._kind is None or self._document is None:
            raise self._error(tag.start(), "a segment outside of any document")
        self._n_segments += 1
        segment = attributes.get("id", str(self._n_segments))
        if tag.group(3).endswith("/"):
            text, end = "", tag.end()
        else:
            text, end = self._segment_text(tag, segment)
        side = self._side(self._kind, self._document)
        self._lines += self._text.count("\n", self._counted, tag.start())
        self._counted = tag.start()
        side.add(self._document["docid"], segment, unescape(text), self._lines + 1)
        return end

    def _segment_text(self, tag: re.Match[str], segment: str) -> tuple[str, int]:
        after = _AFTER_SEGMENT.search(self._text, tag.end())
        if after is None:
            raise self._error(tag.start(), f"the file ends inside segment {segment!r}: it is cut off")
        if after.group(1).lower().startswith("/seg"):
            return self._text[tag.end() : after.start()], after.end()
        # Not closed: the segment ends where any other tag of ours stands.
        after = _TAG.search(self._text, tag.end()) or after
        return self._text[tag.end() : after.start()], after.start()

    def _side(self, kind: Kind, document: dict[str, str]) -> Side:
        label = (
            ""
            if kind == "src"
            else document.get("sysid") or self._set.get("sysid") or self._set.get("refid", "")
        )
        return self._sides.setdefault((self._n_sets, label), Side(kind, label, self._name))

    def _line(self, position: int) -> int:
        return self._text.count("\n", 0, position) + 1

    def _error(self, position: int, problem: str) -> InputError:
        return InputError(f"{self._name}: line {self._line(position)}: {problem}")


def _attributes(text: str) -> dict[str, str]:
    """Attributes with names in lower case; of one that comes twice the first counts, as in HTML."""
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(text.rstrip("/")):
        found.setdefault(name.lower(), unescape("".join(values)))
    return found


def unescape(text: str) -> str:
    """Entities that end in a semicolon as their characters. `AT&T` and unknown names stay as they are.

    >>> unescape("R&D &lt;&#252;&#x4e00;&gt; &amp;lt; &unknown;")
    'R&D <ü一> &lt; &unknown;'
    """
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    decimal, hexadecimal, named = entity.groups()
    if named:
        return html5.get(f"{named};", entity.group())
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if code == 0 or code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return entity.group()
    return chr(code)
