"""Inline tags of XLIFF 1.2 and 2.x as those of TMX, and back; see `inline`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tertium.io.memories.inline import TAG, InlineTag, attributes_of, parts
from tertium.io.memories.xmlstream import escaped_text, escaped_value, text_of, writable

Attributes = Mapping[str, str]
_CODED = {"bpt": "bpt", "ept": "ept", "ph": "ph", "it": "it"}  # of 1.2: what is inside is code
_POSITIONS = {"open": "begin", "close": "end", "begin": "open", "end": "close"}


def _tag(element: str, attributes: Attributes, code: str = "") -> str:
    known = "".join(f' {key}="{escaped_value(value)}"' for key, value in attributes.items() if value)
    return f"<{element}{known}>{code}</{element}>" if code else f"<{element}{known}/>"


def from_xliff(markup: str, data: Attributes | None = None) -> str:
    """A segment of XLIFF 1.2, or of 2.x if `data` has the codes that it refers to, in TMX's vocabulary.

    >>> from_xliff('Press <g id="1">OK</g><x id="2"/>')
    'Press <bpt i="1" x="1"/>OK<ept i="1"/><ph x="2"/>'
    >>> from_xliff('A<ph id="1" dataRef="d1"/>', {"d1": "<br>"})
    'A<ph x="1">&lt;br&gt;</ph>'
    """
    made: list[str] = []
    waiting: list[str] = []  # what closing tags become
    at = 0
    for found in TAG.finditer(markup):
        closing, name, written, empty = found.groups()
        made.append(markup[at : found.start()])
        at = found.end()
        element = name.rpartition(":")[2]
        if closing:
            made.append(waiting.pop() if waiting else "")
            continue
        attributes = attributes_of(written)
        begin, end = _begin_and_end(element, attributes, data)
        if empty:
            made.append(begin[:-1] + "/>" if end.startswith("</") and begin.endswith(">") else begin + end)
        else:
            made.append(begin)
            waiting.append(end)
    made.append(markup[at:])
    return "".join(made)


def _begin_and_end(element: str, attributes: Attributes, data: Attributes | None) -> tuple[str, str]:
    """What a tag and its end become."""
    own = attributes.get("id", "")
    kind = attributes.get("ctype") or attributes.get("type", "")
    if element in ("g", "pc"):
        codes = [_code(data, attributes.get(f"dataRef{side}", "")) for side in ("Start", "End")]
        begin = _tag("bpt", {"i": own or "1", "x": own, "type": kind}, codes[0])
        return begin, _tag("ept", {"i": own or "1"}, codes[1])
    # Where a segmented source has its segments (XLIFF 1.2, section 2.8.2) is no tag of the text: <source> has none.
    if element == "mrk" and attributes.get("mtype") == "seg":
        return "", ""
    if data is None and element in _CODED:
        pair = attributes.get("rid") or own
        named = {"i": pair} if element in ("bpt", "ept") else {"x": own}
        if element == "it":
            named["pos"] = _POSITIONS.get(attributes.get("pos", ""), "begin")
        if element != "ept" and kind:
            named["type"] = kind
        return _tag(element, named)[:-2] + ">", f"</{element}>"
    return _ALONE.get(element, _unknown)(attributes, _code(data, attributes.get("dataRef", ""))), _ENDS.get(
        element, ""
    )


def _code(data: Attributes | None, reference: str) -> str:
    return escaped_text(data.get(reference, "")) if data else ""


def _unknown(_attributes: Attributes, _code: str) -> str:
    return ""


def _point(attributes: Attributes, _code: str) -> str:
    """A character that XML cannot hold, by its number."""
    try:
        return escaped_text(writable(chr(int(attributes.get("hex", ""), 16))))
    except (ValueError, OverflowError):
        return "\ufffd"


def _begins(attributes: Attributes, code: str) -> str:
    own = attributes.get("rid") or attributes.get("id", "")
    code = code or escaped_text(attributes.get("disp", ""))
    if attributes.get("isolated") == "yes":
        return _tag("it", {"x": own, "pos": "begin"}, code)
    return _tag("bpt", {"i": own, "x": attributes.get("id", "")}, code)


def _ends(attributes: Attributes, code: str) -> str:
    code = code or escaped_text(attributes.get("disp", ""))
    if attributes.get("isolated") == "yes":
        return _tag("it", {"x": attributes.get("id", ""), "pos": "end"}, code)
    own = attributes.get("startRef") or attributes.get("rid") or attributes.get("id", "")
    return _tag("ept", {"i": own}, code)


def _stands(attributes: Attributes, code: str) -> str:
    kind = attributes.get("ctype") or attributes.get("type", "")
    shown = code or escaped_text(attributes.get("disp") or attributes.get("equiv-text") or "")
    return _tag("ph", {"x": attributes.get("id", ""), "type": kind}, shown)


_ALONE: dict[str, Callable[[Attributes, str], str]] = {
    "x": _stands,
    "ph": _stands,
    "bx": _begins,
    "sc": _begins,
    "ex": _ends,
    "ec": _ends,
    "cp": _point,
    "mrk": lambda _attributes, _code: "<hi>",
    "sub": lambda _attributes, _code: "<sub>",
}
_ENDS = {"mrk": "</hi>", "sub": "</sub>"}


def to_xliff1(markup: str) -> str:
    """A segment in TMX's vocabulary in that of XLIFF 1.2.

    >>> to_xliff1('Press <bpt i="1">&lt;b&gt;</bpt>OK<ept i="1"/>')
    'Press <bpt id="1">&lt;b&gt;</bpt>OK<ept id="1"/>'
    """
    made = []
    for number, part in enumerate(parts(markup), 1):
        if isinstance(part, str):
            made.append(escaped_text(part))
        elif part.element in ("hi", "sub"):
            made.append("</mrk>" if part.ends else '<mrk mtype="x-hi">')
        else:
            own = part.attributes.get("i") or part.attributes.get("x") or f"n{number}"
            named = {"id": own, "ctype": _ctype(part)}
            if part.element == "it":
                named["pos"] = _POSITIONS.get(part.attributes.get("pos", ""), "open")
            made.append(_tag("ph" if part.element == "ut" else part.element, named, part.code))
    return "".join(made)


def _ctype(part: InlineTag) -> str:
    kind = part.attributes.get("type", "")
    return "" if part.element == "ept" or not kind else kind if kind.startswith("x-") else f"x-{kind}"


def to_xliff2(markup: str) -> str:
    """A segment in TMX's vocabulary in that of XLIFF 2.

    >>> to_xliff2('Press <bpt i="1">&lt;b&gt;</bpt>OK<ept i="1"/>')
    'Press <sc id="s1" disp="&lt;b>"/>OK<ec startRef="s1"/>'
    """
    made = []
    tags = list(parts(markup))
    begun = {
        part.attributes.get("i", "") for part in tags if not isinstance(part, str) and part.element == "bpt"
    }
    ended = {
        part.attributes.get("i", "") for part in tags if not isinstance(part, str) and part.element == "ept"
    }
    both = begun & ended
    for number, part in enumerate(tags, 1):
        if isinstance(part, str):
            made.append(escaped_text(part))
            continue
        shown = text_of(TAG.sub("", part.code))
        pair = part.attributes.get("i", "")
        is_end = part.element == "ept" or part.attributes.get("pos") == "end"
        if part.element in ("hi", "sub"):
            made.append("</mrk>" if part.ends else f'<mrk id="m{number}" type="generic">')
        elif part.element in ("ph", "ut"):
            made.append(_tag("ph", {"id": f"p{part.attributes.get('x') or number}", "disp": shown}))
        elif part.element == "ept" and pair in both:
            made.append(_tag("ec", {"startRef": f"s{pair}", "disp": shown}))
        elif part.element == "bpt" and pair in both:
            made.append(_tag("sc", {"id": f"s{pair}", "disp": shown}))
        else:
            made.append(
                _tag("ec" if is_end else "sc", {"id": f"i{number}", "isolated": "yes", "disp": shown})
            )
    return "".join(made)
