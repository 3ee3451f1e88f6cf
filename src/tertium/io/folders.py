"""Folders that hold a test set: ours, those of the WMT metrics tasks, and mt-metrics-eval's."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.errors import InputError
from tertium.io.bundles import Bundle
from tertium.io.streams import unpacked_name

if TYPE_CHECKING:
    from tertium.io.door import Files


def opened_folder(path: str, files: Files) -> tuple[Files, Bundle | None]:
    """The files of a folder in place of those that are not named, or the texts of a shared task.

    Our own folder holds `reference*` (one file or several), and may hold `source*`, `system-NAME*` or `systems/NAME*`,
    `documents.txt` (one id per line) and `metadata.tsv`. Where outputs are named, the folder's own are ignored.
    A folder of `ref.LANGUAGE`, `src.LANGUAGE` and outputs `NAME.LANGUAGE` beside them (HimL's) is read as well.
    """
    folder = Path(path)
    if (folder / "system-outputs").is_dir():
        return files, _shared_task(folder, files)
    here = sorted((file for file in folder.iterdir() if file.is_file()), key=_natural)
    references = _named(here, "reference")
    short = not references and is_short(folder)
    if short:
        references = [file for file in here if _stem(file) == "ref"]
    if not references:
        raise InputError(
            f"{folder}: is a directory without a test set: there is no reference file here (reference.en, "
            "reference1.en, ...), and no system-outputs"
        )
    sources = [file for file in here if _stem(file) == "src"] if short else _named(here, "source")
    if len(sources) > 1:
        raise InputError(f"{folder}: there are several sources ({', '.join(f.name for f in sources)})")
    systems = [(_stem(file).partition("-")[2], file) for file in _named(here, "system-")]
    if short:
        language = _language(references[0])
        systems = [
            (_stem(file), file) for file in here if _language(file) == language and file not in references
        ]
    if (folder / "systems").is_dir():
        more = sorted((file for file in (folder / "systems").iterdir() if file.is_file()), key=_natural)
        systems += [(_stem(file), file) for file in more if not file.name.startswith(".")]
    names = [name for name, _ in systems]
    if "" in names:
        raise InputError(f"{folder}: a system has no name (system-NAME.en)")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"{folder}: two systems are called {twice!r}")
    own = not files.hypotheses
    return files._replace(
        references=tuple(map(str, references)),
        hypotheses=tuple(str(file) for _, file in systems) if own else files.hypotheses,
        names={str(file): name for name, file in systems} if own else files.names,
        source=files.source or (str(sources[0]) if sources else None),
        documents=files.documents or _optional(folder, here, "documents"),
        metadata=files.metadata or _optional(folder, here, "metadata"),
        name=files.name or folder.resolve().name,
    ), None


def is_short(folder: Path) -> bool:
    """Whether a folder has a test set in HimL's names."""
    return folder.is_dir() and any(_stem(file) == "ref" and _language(file) for file in folder.iterdir())


def _shared_task(folder: Path, files: Files) -> Bundle:
    from tertium.io.mtme import mtme_pairs, read_mtme_layout
    from tertium.io.wmtlayout import is_wmt_layout, read_wmt_layout, wmt_pairs

    wmt = is_wmt_layout(folder)
    pairs = wmt_pairs(folder) if wmt else mtme_pairs(folder)
    pair = files.pair or (pairs[0] if len(pairs) == 1 else "")
    if not pair:
        raise InputError(f"{folder}: which language pair? Choose one of {', '.join(pairs)} (-l PAIR)")
    texts = (
        read_wmt_layout(folder, pair, strip_bom=files.strip_bom) if wmt else read_mtme_layout(folder, pair)
    )
    return Bundle(
        f"{texts.name} {texts.pair}",
        texts.references,
        texts.systems,
        texts.sources,
        texts.documents,
        {} if texts.domains is None else {"domain": texts.domains},
    )


def _stem(file: Path) -> str:
    """The name without the compression's suffix and one more: `online-A.en.gz` is `online-A`."""
    return Path(unpacked_name(file.name)).stem


def _language(file: Path) -> str:
    """What stands behind the last dot: `nmt.cs.gz` is in cs."""
    return Path(unpacked_name(file.name)).suffix.removeprefix(".")


def _natural(file: Path) -> list[tuple[int, str]]:
    """Sorts reference2 before reference10."""
    return [(int(part) if part.isdecimal() else -1, part) for part in re.split(r"(\d+)", file.name)]


def _named(files: Sequence[Path], start: str) -> list[Path]:
    return [file for file in files if file.name.startswith(start)]


def _optional(folder: Path, files: Sequence[Path], stem: str) -> str | None:
    found = [file for file in files if _stem(file) == stem]
    if len(found) > 1:
        raise InputError(
            f"{folder}: there are several files called {stem} ({', '.join(f.name for f in found)})"
        )
    return str(found[0]) if found else None


def matching_files(pattern: str) -> list[str]:
    """The files that a pattern such as `raters/*.tsv` stands for, in order; a name without one is taken as it is."""
    if os.path.exists(pattern) or not re.search(r"[*?\[]", pattern):
        return [pattern]
    paths = sorted(path for path in glob(pattern) if os.path.isfile(path))
    if not paths:
        raise InputError(f"{pattern}: no file matches this pattern")
    return paths
