"""What the files of test sets become: the lines that sacrebleu makes of them, to the byte.

Test sets by name are these lines, quirks included: in SGML a segment is what stands on its line, entities stay as they
are, and segments without any reference are left out of XML. Who wants WMT's own texts names its files instead
(`io.sgml`, `io.wmtxml`). A kind is a function from a pair's open files to lines by field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import IO
from xml.etree import ElementTree

from tertium.errors import InputError
from tertium.registry import Registry

Fields = dict[str, list[str]]
Opened = tuple[str, IO[str]]  # path in the archive, and the file
Kind = Callable[[Sequence[Opened], str], Fields]  # `str`: the name of the test set
KINDS: Registry[Kind] = Registry(
    "kind of test set",
    "tertium.testset_kinds",
    {
        "sgml": "tertium.io.testsets.kinds:sgml",
        "sgml-or-text": "tertium.io.testsets.kinds:sgml_or_text",
        "text": "tertium.io.testsets.kinds:plain",
        "columns": "tertium.io.testsets.kinds:columns",
        "xml": "tertium.io.testsets.kinds:xml",
    },
)
ABOUT = ("docid", "genre", "origlang")  # what SGML says of documents
_SEGMENT = re.compile(r"<seg.*?>(.*)</seg>")
_SPACE = re.compile(r"\s+")


def reference_fields(number: int) -> list[str]:
    """`ref`, or `ref:0`, `ref:1` of several.

    >>> reference_fields(1), reference_fields(2)
    (['ref'], ['ref:0', 'ref:1'])
    """
    return ["ref"] if number == 1 else [f"ref:{i}" for i in range(number)]


def sgml(files: Sequence[Opened], name: str) -> Fields:
    """Source and references, a file each; documents are those of the source. WMT08's files do not say more."""
    fields = ["src", *reference_fields(len(files) - 1)]
    texts = {field: list(_segments(lines)) for field, (_, lines) in zip(fields, files, strict=True)}
    if name.startswith("wmt08"):
        return texts
    source = files[0][1]
    for key in ABOUT:
        source.seek(0)
        texts[key] = list(_said(source, key))
    return texts


def sgml_or_text(files: Sequence[Opened], name: str) -> Fields:
    """The same; files that are not SGML have a segment a line."""
    marked = [opened for opened in files if opened[0].endswith(".sgm")]
    texts = sgml([files[0], *marked[1:]], name)
    fields = ["src", *reference_fields(len(files) - 1)]
    found: Fields = {}
    for field, (path, lines) in zip(fields, files, strict=True):
        lines.seek(0)
        found[field] = list(_segments(lines)) if path.endswith(".sgm") else [line.rstrip() for line in lines]
    return found | {key: texts[key] for key in ABOUT if key in texts}


def plain(files: Sequence[Opened], name: str) -> Fields:
    """A segment a line."""
    return {
        field: [line.rstrip() for line in lines]
        for field, (_, lines) in zip(("src", "ref"), files, strict=False)
    }


def columns(files: Sequence[Opened], name: str) -> Fields:
    """Columns of one table: `2:a.tsv` is the third."""
    texts: Fields = {}
    for i, (field, (path, lines)) in enumerate(zip(("src", "ref"), files, strict=False)):
        number = int(path.partition(":")[0]) if ":" in path else i
        texts[field] = [_column(line, number, path) for line in lines]
    return texts


def _column(line: str, number: int, path: str) -> str:
    parts = line.rstrip("\n").split("\t")
    if number >= len(parts):
        raise InputError(f"{path}: a line has {len(parts)} columns, and {number + 1} are needed")
    return parts[number]


def xml(files: Sequence[Opened], name: str) -> Fields:
    """WMT21 and later: one file with everything. Test suites, and segments without any reference, are left out."""
    path, lines = files[0]
    try:
        root = ElementTree.parse(lines).getroot()
    except ElementTree.ParseError as error:
        raise InputError(f"{path}: not well-formed XML ({error})") from None
    translators = dict.fromkeys(map(_translated, root.iter("ref")))
    texts: Fields = {"src": [], **{field: [] for field in translators}, "docid": [], "origlang": []}
    domains: list[str | None] = []
    outputs: list[dict[str, str]] = []  # of each segment, by system: not all have all documents
    for document in root.iter("doc"):
        if "testsuite" in document.attrib:
            continue
        sources = {number: text for side in document.iter("src") for number, text in _numbered(side, path)}
        references = {_translated(side): dict(_numbered(side, path)) for side in document.iter("ref")}
        systems = {side.get("system") or "": dict(_numbered(side, path)) for side in document.iter("hyp")}
        for number in sorted(sources):
            if not any(side.get(number) for side in references.values()):
                continue
            texts["src"].append(sources[number])
            for field in translators:
                texts[field].append(references.get(field, {}).get(number, ""))
            outputs.append({name: output.get(number, "") for name, output in systems.items()})
            texts["docid"].append(document.get("id", ""))
            texts["origlang"].append(document.get("origlang", ""))
            domains.append(document.get("domain"))
    for system in dict.fromkeys(name for own in outputs for name in own):
        texts[system] = [own.get(system, "") for own in outputs]
    if domains and domains[-1] is not None:
        texts["domain"] = [domain or "" for domain in domains]
    return {field: [_clean(text) for text in own] for field, own in texts.items()}


def _translated(side: ElementTree.Element) -> str:
    """The field of a reference: by its translator, if it has one."""
    return f"ref:{name}" if (name := side.get("translator")) else "ref"


def _numbered(side: ElementTree.Element, path: str) -> Iterator[tuple[int, str]]:
    for segment in side.iter("seg"):
        name = segment.get("id", "0")
        try:
            number = int(name)
        except ValueError:
            raise InputError(f"{path}: a segment has the id {name!r}, which is no number") from None
        yield number, segment.text or ""


def _segments(lines: IO[str]) -> Iterator[str]:
    return (_clean(_SEGMENT.sub(r"\1", line)) for line in lines if line.startswith("<seg "))


def _said(lines: IO[str], key: str) -> Iterator[str]:
    """What documents say of themselves, for each of their segments."""
    attribute, value = re.compile(rf'{key}="(.*?)"'), ""
    for line in lines:
        if line.startswith("<doc "):
            found = attribute.search(line)
            value = found.group(1) if found else value
        elif line.startswith("<seg "):
            yield value


def _clean(text: str) -> str:
    return _SPACE.sub(" ", text.strip())
