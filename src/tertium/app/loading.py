"""A campaign file `campaign.toml`, read and checked, with the texts that it names. Nothing is made here.

    name = "harbour"
    design = "direct-assessment"
    testset = "harbour/"            # a folder, a WMT file, or a project file tertium.toml
    languages = "de-en"

    [annotators]
    names = ["Ann", "Ben"]
    items = 100

Every error message names the file, the line and the key.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tertium.errors import InputError, TertiumError
from tertium.human.campaigns.givenspans import with_spans, with_spans_by
from tertium.human.campaigns.segments import Segment, segments_of, text_checked
from tertium.human.campaigns.settings import Settings, SpansBy
from tertium.human.campaigns.units import units_of
from tertium.io.door import read_text
from tertium.io.records import Record, parsed_json, read_json_lines
from tertium.io.settings import Origin
from tertium.io.toml import read_toml

_SAFE_PART = re.compile(r"(?!\.)[^\x00-\x1f\x7f/\\:]{1,120}")  # of a file's name; nothing hidden, no way up


def load_campaign(path: str | Path, *, spans: bool = True) -> tuple[Settings, list[Segment]]:
    """The settings and the segments of a campaign file; without the errors marked beforehand, if they are yet to be.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "campaign.toml")
    ...     _ = path.write_text('name = "x"\\ndesign = "pairwise"\\ntestset = "sample"\\nsede = 3\\n')
    ...     load_campaign(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tertium.errors.InputError: ...campaign.toml: line 4: sede: unknown key; did you mean 'seed'? (known: ...)
    """
    path = Path(path)
    given, text = read_toml(path, "campaign file")
    origin = Origin(str(path), text)
    if not spans:
        given.pop("spans", None)
    if isinstance(given.get("instructions"), str) and re.fullmatch(r"[^\n]+\.md", given["instructions"]):
        named = path.parent / given["instructions"]
        try:
            given["instructions"] = named.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise InputError(f"{origin.at('instructions')}: {named} cannot be read") from None
    if isinstance(given.get("interface"), str) and given["interface"].endswith(".toml"):
        given["interface"], _ = read_toml(path.parent / given["interface"], "language file")
    tutorial = given.get("tutorial")
    if isinstance(tutorial, dict) and isinstance(tutorial.get("items"), str):
        records = read_json_lines(path.parent / tutorial["items"])
        given["tutorial"] = {**tutorial, "items": [record.values for record in records]}
    settings = Settings.of(given, origin)
    chosen = [key for key in _LOADERS if key in given]
    if len(chosen) != 1:
        raise InputError(f"{path}: name the texts by one of {', '.join(_LOADERS)}; found {len(chosen)}")
    try:
        segments = _with_outputs(path.parent, settings, _LOADERS[chosen[0]](path.parent, settings))
        if settings.units is not None:
            segments = _with_units(path.parent / settings.units, segments)
    except TertiumError as error:
        raise InputError(f"{origin.at(chosen[0])}: {error}") from None
    if settings.spans is not None:
        try:
            if isinstance(settings.spans, SpansBy):
                segments = with_spans_by(settings.spans.metric, settings, segments)
            else:
                segments = with_spans(path.parent / settings.spans, settings, segments)
        except TertiumError as error:
            raise InputError(f"{origin.at('spans')}: {error}") from None
    for name in settings.systems or ():
        if segments and name not in segments[0].outputs:
            raise InputError(
                f"{origin.at('systems')}: there is no output of {name!r} (there is {', '.join(segments[0].outputs)})"
            )
    return settings, segments


def load_uploaded(files: Mapping[str, bytes]) -> tuple[Settings, list[Segment]]:
    """The settings and the segments of a campaign whose files came over the network, by their names (a folder's with
    its name before a slash). They can name each other, but nothing else on this machine.
    """
    with tempfile.TemporaryDirectory(prefix="tertium-upload-") as place:
        root = Path(place).resolve()
        for name, data in files.items():
            parts = name.split("/")
            if not all(_SAFE_PART.fullmatch(part) for part in parts) or len(name) > 300:
                raise InputError(f"{name!r:.80}: this file name cannot be used: rename the file")
            path = root.joinpath(*parts)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            except OSError:
                raise InputError(f"{name}: is a file and a folder at the same time") from None
        try:
            return load_campaign(_campaign_file(root, files))
        except TertiumError as error:
            raise InputError(str(error).replace(f"{root}/", "").replace(str(root), ".")) from None


def _campaign_file(root: Path, files: Iterable[str]) -> Path:
    """The campaign file among uploaded files; no TOML file may name a file outside."""
    tables = [name for name in files if name.endswith(".toml")]
    for name in tables:
        given, text = read_toml(root / name, "file")
        for keys, value in _texts(given):
            outside = os.path.isabs(value) or ".." in Path(value).parts or value == "-"
            if outside and "\n" not in value:
                raise InputError(
                    f"{Origin(name, text).at(*keys)}: {value!r:.80} is not among the uploaded files"
                )
    plain = [name for name in tables if name.rpartition("/")[2] == "campaign.toml"]
    [*_, found] = plain or tables or [""]
    if not found or len(plain or tables) > 1:
        raise InputError("upload one campaign.toml, with the files that it names")
    return root / found


def _texts(given: Any, *keys: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """All texts of a TOML table, with their keys."""
    if isinstance(given, str):
        yield keys, given
    for key, value in given.items() if isinstance(given, dict) else ():
        yield from _texts(value, *keys, key)
    for value in given if isinstance(given, list) else ():
        yield from _texts(value, *keys)


def _from_testset(folder: Path, settings: Settings) -> list[Segment]:
    from tertium.project import Project
    from tertium.testset import TestSet

    if settings.testset == "sample":
        return segments_of(TestSet.sample(), settings.systems)
    place = folder / str(settings.testset)
    if not place.exists():
        raise InputError(f"{place}: there is no such test set")
    testset = Project.load(place).testset() if place.suffix == ".toml" else TestSet.load(place)
    if not testset.systems and not settings.outputs:
        raise InputError(f"{place}: there are no outputs of systems")
    names = settings.systems
    return segments_of(testset, names and tuple(name for name in names if name not in settings.outputs))


def _from_segments(folder: Path, settings: Settings) -> list[Segment]:
    return segments_of_records(read_json_lines(folder / str(settings.segments)))


def segments_of_records(records: Iterable[Record]) -> list[Segment]:
    """The segments of records, each with an id of its own."""
    places: dict[str, str] = {}
    found = []
    for where, values in records:
        segment = Segment.of(values, where)
        if segment.id in places:
            raise InputError(f"{where}: the id {segment.id!r} is already used in {places[segment.id]}")
        places[segment.id] = where
        found.append(segment)
    return found


def segments_from_text(text: str) -> list[Segment]:
    """The segments of a text with one JSON object per line, pasted or sent by an administrator.

    >>> segments_from_text('{"id": "n1", "source": "Hallo", "outputs": {"A": "Hello"}}')[0].source
    'Hallo'
    """
    found: list[Record] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            values = parsed_json(line, f"line {number}")
            if not isinstance(values, dict):
                raise InputError(f"line {number}: an object is expected here")
            found.append(Record(f"line {number}", values))
    if not found:
        raise InputError("there are no segments")
    return segments_of_records(found)


def _from_challenge(folder: Path, settings: Settings) -> list[Segment]:
    from tertium.challenge.setfiles import read_set

    if not settings.outputs:
        raise InputError("a challenge set needs [outputs]: system = file, one translation per line")
    return [
        Segment(
            id=item.id,
            outputs={},
            source=text_checked(item.source, f"item {item.id}"),
            reference=text_checked(item.reference, f"item {item.id}"),
            question=text_checked(item.question, f"item {item.id}"),
            document=item.category,
            source_spans=item.source_spans,
            reference_spans=item.reference_spans,
        )
        for item in read_set(folder / str(settings.challenge))
    ]


_LOADERS = {"testset": _from_testset, "segments": _from_segments, "challenge": _from_challenge}


def _with_outputs(folder: Path, settings: Settings, segments: list[Segment]) -> list[Segment]:
    for system, name in settings.outputs.items():
        lines = read_text(folder / name)
        if len(lines) != len(segments):
            raise InputError(f"{folder / name} has {len(lines)} lines for {len(segments)} segments")
        segments = [
            replace(
                segment,
                outputs={**segment.outputs, system: text_checked(lines[i] or "", f"{name}: line {i + 1}")},
            )
            for i, segment in enumerate(segments)
        ]
    return segments


def _with_units(path: Path, segments: list[Segment]) -> list[Segment]:
    """Units from a JSON Lines file: a line for each segment, `{"id": "7", "units": [...]}`."""
    by_id = {segment.id: segment for segment in segments}
    found: dict[str, Segment] = {}
    for record in read_json_lines(path):
        identity = record.values.get("id")
        if not isinstance(identity, str) or identity not in by_id:
            raise InputError(f"{record.where}: there is no segment {identity!r}")
        if identity in found:
            raise InputError(f"{record.where}: segment {identity} occurs twice")
        trees = units_of(record.values.get("units"), by_id[identity].source, f"{record.where}: units")
        found[identity] = replace(by_id[identity], units=trees)
    return [found[segment.id] for segment in segments if segment.id in found]
