"""The texts of a shared task on one language pair, as files hold them: sources, references by name, systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tertium._native import Lines
from tertium.errors import InputError
from tertium.io.coverage import Coverage
from tertium.io.files import read_lines
from tertium.io.streams import COMPRESSION_SUFFIXES, open_stream

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, eq=False, repr=False)
class TextSet:
    """Texts of one language pair, all equally long; a document and a domain for each segment where they are known."""

    name: str
    pair: str
    references: Mapping[str, Lines]
    systems: Mapping[str, Lines]
    sources: Lines | None = None
    documents: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    coverage: Coverage = field(default_factory=lambda: Coverage("texts", "files", 0))

    def __len__(self) -> int:
        for lines in (*self.references.values(), *self.systems.values()):
            return len(lines)
        return 0 if self.sources is None else len(self.sources)

    def __repr__(self) -> str:
        return (
            f"<TextSet {self.name} {self.pair}: {len(self)} segments, references "
            f"{', '.join(self.references)}, {len(self.systems)} systems>"
        )


def unpacked_name(path: Path) -> str:
    """The name of a file without the ending of its compression."""
    name = path.name
    for suffix in COMPRESSION_SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def begins_with_mark(path: Path) -> bool:
    """Whether a file begins with a byte-order mark."""
    stream = open_stream(path, str(path))
    try:
        return stream.read(3)[:3] == _BOM
    finally:
        stream.close()


def read_texts(files: Mapping[str, Path], *, strip_bom: bool, notes: list[str]) -> dict[str, Lines]:
    """The lines of each file; different numbers of lines are refused. `notes` gets what is worth knowing."""
    texts: dict[str, Lines] = {}
    for key, path in files.items():
        if begins_with_mark(path):
            notes.append(f"{path.name} begins with a byte-order mark, {'removed' if strip_bom else 'kept'}")
        if strip_bom:
            texts[key] = read_lines(path, strip_bom=True)
        else:
            import warnings

            with warnings.catch_warnings():  # the note says it
                warnings.simplefilter("ignore")
                texts[key] = read_lines(path)
    counts = {key: len(lines) for key, lines in texts.items()}
    if len(set(counts.values())) > 1:
        common = max(set(counts.values()), key=list(counts.values()).count)
        odd = next(key for key, count in counts.items() if count != common)
        raise InputError(f"{files[odd]} has {counts[odd]} lines, the other files {common}")
    return texts
