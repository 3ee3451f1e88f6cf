"""The texts of a shared task on one language pair, as files hold them: sources, references by name, systems."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tertium._native import Lines
from tertium.errors import InputError
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.files import LineReader, read_lines

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


def output_folder(root: Path) -> Path:
    """Where both layouts have the outputs of systems."""
    if not (root / "system-outputs").is_dir():
        raise InputError(f"{root}: there is no folder system-outputs here")
    return root / "system-outputs"


def read_texts(
    files: Mapping[str, Path],
    book: OpenCoverage,
    *,
    strip_bom: bool = True,
    documents: Sequence[str] | None = None,
    read: Callable[[Path], Lines | None] = lambda path: None,
) -> dict[str, Lines]:
    """The lines of each file; different numbers of lines are refused, in which document if that is known. The book
    notes byte-order marks. `read` gives the segments of files that do not hold one a line, and None for the others."""
    texts: dict[str, Lines] = {}
    for key, path in files.items():
        if (segments := read(path)) is not None:
            texts[key] = segments
            continue
        if LineReader(path).head().startswith(_BOM):
            book.note(f"{path.name} begins with a byte-order mark, {'removed' if strip_bom else 'kept'}")
        with warnings.catch_warnings():  # the note says it
            warnings.simplefilter("ignore")
            texts[key] = read_lines(path, strip_bom=strip_bom)
    counts = {key: len(lines) for key, lines in texts.items()}
    if len(set(counts.values())) > 1:
        common = max(set(counts.values()), key=list(counts.values()).count)
        odd = next(key for key, count in counts.items() if count != common)
        inside = ""
        if documents is not None and counts[odd] < len(documents):
            inside = f": it ends before line {counts[odd] + 1}, in document {documents[counts[odd]]!r}"
        raise InputError(f"{files[odd]} has {counts[odd]} lines, but the other files have {common}{inside}")
    return texts
