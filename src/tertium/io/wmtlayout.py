"""The folders of the WMT metrics tasks: sources, references, system outputs, and tables of human scores.

    sources/newstest2017-csen-src.cs            references/newstest2017-csen-ref.en (also -refB.en, ...)
    system-outputs/[newstest2017/]cs-en/newstest2017.online-A.0.cs-en
    DA-syslevel.csv   LP HUMAN SYSTEM           DA-seglevel.csv   LP DATA SYSTEM SID HUMAN
    RR-seglevel.csv   LP DATA SID BETTER WORSE  (see `pairs.py`)

A system `A+B` in a table means that both had the same output, which was judged once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tertium._native import Lines
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.pairtables import PairTable
from tertium.io.records import named, real_number, whole_number
from tertium.io.scorematrix import Level, ScoreMatrix
from tertium.io.streams import FilePath
from tertium.io.textset import TextSet, read_texts, unpacked_name

SharedOutputs = Literal["first", "all"]
_TEXT = re.compile(r"(?P<set>.+)-(?P<langs>[a-z]{4,6})-(?P<side>src|ref\w*)\.(?P<lang>[a-z]{2,3})")


@dataclass(frozen=True)
class _Text:
    path: Path
    set: str
    pair: str
    side: str


def wmt_pairs(folder: FilePath) -> list[str]:
    """The language pairs that a folder has system outputs for.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pathlib.Path(folder, "system-outputs", "cs-en").mkdir(parents=True)
    ...     wmt_pairs(folder)
    ['cs-en']
    """
    return sorted({place.name for place in _output_folders(Path(folder))})


def read_wmt_layout(
    folder: FilePath, pair: str, *, testset: str | None = None, strip_bom: bool = True
) -> TextSet:
    """Sources, references (one or several) and system outputs of a language pair.

    `testset` is needed where the folder has several for this pair. Byte-order marks are removed, and the coverage
    names the files that had one; `strip_bom=False` keeps them, as the organisers' own scores do.
    """
    root = Path(folder)
    pairs = wmt_pairs(root)
    if pair not in pairs:
        raise InputError(f"{root}: there are no system outputs for {pair!r}{did_you_mean(pair, pairs)}")
    strangers: list[Path] = []
    texts = [
        text
        for side in ("sources", "references")
        for text in _texts(root / side, strangers)
        if text.pair == pair
    ]
    outputs = list(_outputs(root, pair))
    every = sorted({text.set for text in texts if text.side != "src"})
    translated = {own for _, _, own in outputs}
    sets = [own for own in every if own in translated] or every
    if testset is None and len(sets) > 1:
        raise InputError(f"{root}: {pair} has several test sets ({', '.join(sets)}): say which")
    chosen = testset or (sets[0] if sets else "")
    files: dict[str, Path] = {}
    for text in texts:
        if text.set == chosen:
            files[f"<{text.side}>"] = text.path
    references = [key for key in files if key != "<src>"]
    if not references:
        raise InputError(f"{root / 'references'}: there is no reference of {chosen or 'any set'} for {pair}")
    book = OpenCoverage(f"{root}: {pair}", "files")
    for path in strangers:
        book.leave_out(
            f"{path.parent.name}/{path.name} is not named TESTSET-LANGUAGES-src.LANGUAGE or -ref.LANGUAGE"
        )
    for own in every:
        if own not in translated and own != chosen:
            book.note(f"{own} has references but no outputs: skipped")
    for path, name, own in outputs:
        if own != chosen:
            book.leave_out(f"of a test set other than {chosen} ({path.name})")
        elif name in files:
            raise InputError(f"{path}: there are two outputs of system {name!r}")
        else:
            files[name] = path
    notes: list[str] = []
    read = read_texts(files, strip_bom=strip_bom, notes=notes)
    for note in notes:
        book.note(note)
    systems = {name: lines for name, lines in read.items() if not name.startswith("<")}
    if not systems:
        raise InputError(f"{root / 'system-outputs'}: there is no output of {chosen} for {pair}")
    return TextSet(
        name=chosen,
        pair=pair,
        references={key.strip("<>"): read[key] for key in references},
        systems=systems,
        sources=read.get("<src>"),
        coverage=book.closed(len(files)),
    )


def _texts(folder: Path, strangers: list[Path]) -> Iterator[_Text]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        found = _TEXT.fullmatch(unpacked_name(path))
        if found is None:
            strangers.append(path)
            continue
        langs, lang = found["langs"], found["lang"]
        is_source = found["side"] == "src"
        if not (langs.startswith(lang) if is_source else langs.endswith(lang)):
            raise InputError(f"{path}: the name says {langs}, but its language is {lang}")
        cut = len(lang) if is_source else len(langs) - len(lang)
        yield _Text(path, found["set"], f"{langs[:cut]}-{langs[cut:]}", found["side"])


def _output_folders(root: Path) -> Iterator[Path]:
    base = root / "system-outputs"
    if not base.is_dir():
        raise InputError(f"{root}: there is no folder system-outputs here")
    for place in sorted(base.glob("*")) + sorted(base.glob("*/*")):
        if place.is_dir() and re.fullmatch(r"[a-z]{2,3}-[a-z]{2,3}", place.name):
            yield place


def _outputs(root: Path, pair: str) -> Iterator[tuple[Path, str, str]]:
    """File, system and test set of each output: `newstest2017.online-A.0.cs-en` is online-A.0's of newstest2017."""
    for place in _output_folders(root):
        for path in sorted(place.iterdir()) if place.name == pair else []:
            name = unpacked_name(path)
            if name.startswith(".") or not path.is_file():
                continue
            testset, dot, rest = name.partition(".")
            if not dot or not rest.endswith(f".{pair}"):
                raise InputError(f"{path}: the name is not TESTSET.SYSTEM.{pair}")
            yield path, rest.removesuffix(f".{pair}"), testset


def human_pairs(path: FilePath) -> list[str]:
    """The language pairs that a table of human scores (LP, SYSTEM, HUMAN) has scores of."""
    table = PairTable(path, ("system", "human"))
    for _ in table.rows():
        pass
    return table.pairs


@dataclass(frozen=True)
class HumanTable:
    """Human scores of one language pair, and the coverage of the reading."""

    scores: ScoreMatrix
    coverage: Coverage
    shared: dict[
        tuple[str, str], tuple[str, ...]
    ]  # (system, segment) with a score: all systems with this output


def read_wmt_human(
    path: FilePath,
    pair: str,
    *,
    texts: TextSet | None = None,
    shared: SharedOutputs = "first",
    testset: str | None = None,
    missing: Literal["refuse", "leave out"] = "refuse",
) -> HumanTable:
    """Human scores from `DA-syslevel.csv` or `DA-seglevel.csv` (or any table with LP, SYSTEM, HUMAN and maybe SID).

    With `texts` systems and line numbers are checked against the outputs, and those that share an output (`A+B`)
    must really share it. The score of a shared output goes to the first of its systems, once, or to all of them
    (`shared="all"`). A system without output is refused, or left out with `missing="leave out"`.
    """
    if shared not in ("first", "all"):
        raise SpecError(f"a shared output is scored for its first system or for all, not {shared!r}")
    table = PairTable(path, ("system", "human"))
    name, header = table.name, table.header
    level: Level = "segment" if "sid" in header else "system"
    book = OpenCoverage(f"{name}: {pair}", "scores")
    cells: dict[tuple[str, str], float] = {}
    lines: dict[tuple[str, str], int] = {}
    together: dict[tuple[str, str], tuple[str, ...]] = {}
    n_used = 0
    for number, fields in table.rows_of(pair, testset, book):
        where = f"{name}: line {number}"
        system = named(header.get(fields, "system"), "system", where)
        score = real_number(header.get(fields, "human") or "", "score", where)
        item = "all"
        if level == "segment":
            item = str(whole_number(header.get(fields, "sid") or "", "segment", where))
        members = _members(system, texts)
        if texts is not None and not _checked(members, item, level, texts, where, missing):
            book.leave_out(f"no output of system {system}", number)
            continue
        targets = members if shared == "all" else members[:1]
        if level == "segment" and len(members) > 1:
            together.update({(target, item): members for target in targets})
        for target in targets:
            place = (target, item)
            if place in cells:
                what = "" if level == "system" else f", segment {item}"
                raise InputError(
                    f"{where} scores system {target!r}{what} again (first on line {lines[place]})"
                )
            cells[place], lines[place] = score, number
        n_used += 1
    if not cells:
        raise table.nothing_of("scores", pair)
    if together:
        n_shared = len({(members, item) for (_, item), members in together.items()})
        book.note(f"{n_shared} outputs are shared by several systems: scored for {_whom(shared)}")
    if texts is not None and level == "system":
        for system in texts.systems:
            if (system, "all") not in cells:
                book.note(f"system {system} has outputs but no human score")
    items = None if texts is None or level == "system" else [str(i) for i in range(1, len(texts) + 1)]
    systems = None if texts is None else [own for own in texts.systems if any(own == s for s, _ in cells)]
    scores = ScoreMatrix.of_cells("human", level, cells, systems=systems, items=items, origin=name)
    return HumanTable(scores, book.closed(n_used), together)


def _whom(shared: SharedOutputs) -> str:
    return "the first of them" if shared == "first" else "each of them"


def _members(system: str, texts: TextSet | None) -> tuple[str, ...]:
    """The systems that a name stands for. A plus sign joins names, unless a system has it in its own name."""
    if texts is not None and system in texts.systems:
        return (system,)
    return tuple(dict.fromkeys(part for part in system.split("+") if part))


def _checked(
    members: Sequence[str], item: str, level: Level, texts: TextSet, where: str, missing: str
) -> bool:
    """Whether all systems have an output; the line number and shared outputs are refused if they are wrong."""
    for member in members:
        if member not in texts.systems:
            if missing == "leave out":
                return False
            raise InputError(
                f"{where}: there is no output of system {member!r}{did_you_mean(member, texts.systems)}"
            )
    if level == "system":
        return True
    if int(item) > len(texts):
        raise InputError(f"{where}: segment {item} is beyond the test set, which has {len(texts)}")
    outputs: list[Lines] = [texts.systems[member] for member in members]
    different = [
        m for m, own in zip(members, outputs, strict=True) if own[int(item) - 1] != outputs[0][int(item) - 1]
    ]
    if different:
        raise InputError(
            f"{where}: {members[0]} and {different[0]} should share an output, but they differ in segment {item}"
        )
    return True


def is_wmt_layout(folder: FilePath) -> bool:
    """Whether a folder looks like one of the WMT metrics tasks."""
    base = os.fspath(folder)
    return all(os.path.isdir(os.path.join(base, part)) for part in ("system-outputs", "references"))
