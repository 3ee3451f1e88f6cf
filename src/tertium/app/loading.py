"""A campaign file `campaign.toml`, read and checked, with the texts that it names. Nothing is made here.

    name = "harbour"
    design = "direct-assessment"
    testset = "harbour/"            # a folder, a WMT file, or a project file tertium.toml
    languages = "de-en"

    [annotators]
    names = ["Ann", "Ben"]
    items = 100

Every complaint names the file, the line and the key.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tertium.errors import InputError, TertiumError
from tertium.human.campaigns.segments import Segment, segments_of, text_checked
from tertium.human.campaigns.settings import TEXT_KEYS, Settings
from tertium.human.campaigns.units import units_of
from tertium.io.files import read_lines
from tertium.io.records import read_json_lines

_SOURCES = ("testset", "segments", "challenge")


def load_campaign(path: str | Path) -> tuple[Settings, list[Segment]]:
    """The settings and the segments of a campaign file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "campaign.toml")
    ...     _ = path.write_text('name = "x"\\ndesign = "pairwise"\\ntestset = "sample"\\nsede = 3\\n')
    ...     load_campaign(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tertium.errors.InputError: ...campaign.toml: line 4: sede: unknown key; did you mean 'seed'? (known: ...)
    """
    file = Path(path)
    try:
        text = file.read_bytes().decode("utf-8")
        given = tomllib.loads(text)
    except FileNotFoundError:
        raise InputError(f"{file}: no such campaign file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file}: is not TOML: {error}") from None

    def where(key: str) -> str:
        line = line_of(text, key) if key else None
        return ": ".join([str(file), *([f"line {line}"] if line else []), *([key] if key else [])])

    if isinstance(given.get("instructions"), str) and re.fullmatch(r"[^\n]+\.md", given["instructions"]):
        named = file.parent / given["instructions"]
        try:
            given["instructions"] = named.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise InputError(f"{where('instructions')}: {named} cannot be read") from None
    settings = Settings.of(given, where)
    chosen = [key for key in _SOURCES if key in given]
    if len(chosen) != 1:
        raise InputError(f"{file}: name the texts by one of {', '.join(_SOURCES)}; found {len(chosen)}")
    for key in chosen:
        if not isinstance(given[key], str) or not given[key]:
            raise InputError(f"{where(key)} must name a file or a folder, not {given[key]!r}")
    try:
        segments = _LOADERS[chosen[0]](file.parent, given, settings)
        segments = _with_outputs(file.parent, given, segments)
        if "units" in given:
            segments = _with_units(file.parent / str(given["units"]), segments)
    except TertiumError as error:
        raise InputError(f"{where(chosen[0])}: {error}") from None
    for name in settings.systems or ():
        if segments and name not in segments[0].outputs:
            raise InputError(
                f"{where('systems')}: there is no output of {name!r} (there is {', '.join(segments[0].outputs)})"
            )
    return settings, segments


def line_of(text: str, key: str) -> int | None:
    """The line of a TOML text on which a key such as `sampling.how` is set.

    >>> line_of('name = "x"\\n\\n[sampling]\\nhow = "random"\\n', "sampling.how")
    4
    """
    table = ""
    parts = key.split(".")
    for number, line in enumerate(text.splitlines(), 1):
        if found := re.match(r"\s*\[\s*([^\]]+?)\s*\]\s*(#.*)?$", line):
            table = found.group(1).replace('"', "").replace(" ", "")
            if table == key:
                return number
        elif found := re.match(r"\s*([A-Za-z0-9_.\"'-]+)\s*=", line):
            own = found.group(1).replace('"', "").replace("'", "")
            full = f"{table}.{own}" if table else own
            if full == key or (full == parts[0] and len(parts) > 1):
                return number
    return line_of(text, parts[0]) if len(parts) > 1 else None


def _from_testset(folder: Path, given: Mapping[str, Any], settings: Settings) -> list[Segment]:
    from tertium.project import Project
    from tertium.testset import TestSet

    if given["testset"] == "sample":
        return segments_of(TestSet.sample(), settings.systems)
    place = folder / given["testset"]
    if not place.exists():
        raise InputError(f"{place}: there is no such test set")
    testset = Project.load(place).testset() if place.suffix == ".toml" else TestSet.load(place)
    if not testset.systems and "outputs" not in given:
        raise InputError(f"{place}: there are no outputs of systems")
    extra = given.get("outputs")
    names = settings.systems
    if names is not None and isinstance(extra, Mapping):
        names = tuple(name for name in names if name not in extra)
    return segments_of(testset, names)


def _from_segments(folder: Path, given: Mapping[str, Any], settings: Settings) -> list[Segment]:
    seen: dict[str, str] = {}
    found = []
    for record in read_json_lines(folder / given["segments"]):
        segment = Segment.of(record.values, record.where)
        if segment.id in seen:
            raise InputError(f"{record.where}: the id {segment.id!r} stands on {seen[segment.id]} already")
        seen[segment.id] = record.where
        found.append(segment)
    return found


def _from_challenge(folder: Path, given: Mapping[str, Any], settings: Settings) -> list[Segment]:
    from tertium.challenge.setfiles import read_set

    if not given.get("outputs"):
        raise InputError("a challenge set needs [outputs]: system = file, a translation a line")
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
        for item in read_set(folder / given["challenge"])
    ]


_LOADERS = {"testset": _from_testset, "segments": _from_segments, "challenge": _from_challenge}
assert set(_LOADERS) <= set(TEXT_KEYS)


def _with_outputs(folder: Path, given: Mapping[str, Any], segments: list[Segment]) -> list[Segment]:
    outputs = given.get("outputs", {})
    if not isinstance(outputs, Mapping):
        raise InputError("outputs must be a table from system to file")
    for system, name in outputs.items():
        if not isinstance(name, str):
            raise InputError(f"outputs.{system} must name a file, not {name!r}")
        lines = read_lines(folder / name)
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
            raise InputError(f"{record.where}: segment {identity} stands twice")
        trees = units_of(record.values.get("units"), by_id[identity].source, f"{record.where}: units")
        found[identity] = replace(by_id[identity], units=trees)
    return [found[segment.id] for segment in segments if segment.id in found]
