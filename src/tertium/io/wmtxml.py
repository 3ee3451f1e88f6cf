"""WMT's XML test sets (WMT21 and later): source, references and systems of all documents in one file."""

from __future__ import annotations

import re
from itertools import accumulate, pairwise
from xml.etree import ElementTree

from tertium.errors import InputError
from tertium.io.parsedset import Kind, ParsedSet, Side, assemble

_DOCUMENT = re.compile(rb"<doc\b")
_KINDS: tuple[tuple[str, Kind, tuple[str, ...]], ...] = (  # element, side, attributes that may hold its name
    ("src", "src", ()),
    ("ref", "ref", ("translator",)),
    ("hyp", "hyp", ("system", "sysid")),
)


def parse_xml(data: bytes, name: str) -> ParsedSet:
    """The segments of a WMT XML file; `name` is what messages call it.

    References are `ref` or, by their translator, `ref:A`. Documents of test suites have no references and are
    left out, as sacrebleu does.

    >>> data = (b'<dataset id="s"><doc id="d"><src><p><seg id="1">One.</seg></p></src>'
    ...         b'<ref translator="A"><p><seg id="1">Daya.</seg></p></ref></doc></dataset>')
    >>> parse_xml(data, "f.xml").texts
    {'src': ['One.'], 'ref:A': ['Daya.']}
    """
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError as error:
        line, column = error.position
        problem = str(error).split(":")[0]
        raise InputError(
            f"{name}: line {line}, column {column + 1}: not well-formed XML ({problem})"
        ) from None
    except (LookupError, ValueError) as error:
        raise InputError(f"{name}: not well-formed XML ({error})") from None
    sides: dict[tuple[Kind, str], Side] = {}
    about: dict[str, dict[str, str]] = {}
    places = [0, *(tag.start() for tag in _DOCUMENT.finditer(data))]
    begins = list(accumulate((data.count(b"\n", a, b) for a, b in pairwise(places)), initial=1))[1:]
    for number, document in enumerate(root.iter("doc"), 1):
        line = begins[number - 1] if number <= len(begins) else 0
        if "testsuite" in document.attrib:
            continue
        identity = document.get("id") or document.get("docid") or str(number)
        about[identity] = {key: value for key in ("origlang", "domain") if (value := document.get(key))}
        for element, kind, names in _KINDS:
            for text in document.iter(element):
                label = next((value for key in names if (value := text.get(key))), "")
                side = sides.setdefault((kind, label), Side(kind, label, name))
                for place, segment in enumerate(text.iter("seg"), 1):
                    side.add(identity, segment.get("id") or str(place), "".join(segment.itertext()), line)
    order = [kind for _, kind, _ in _KINDS]
    ordered = sorted(sides.values(), key=lambda side: order.index(side.kind))
    return assemble(root.get("id", ""), name, ordered, about)
