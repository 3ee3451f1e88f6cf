"""The folders of the WMT metrics tasks: sources, references, system outputs, and tables of human scores.

    sources/newstest2017-csen-src.cs            references/newstest2017-csen-ref.en (also -refB.en, ...)
    system-outputs/[newstest2017/]cs-en/newstest2017.online-A.0.cs-en
    DA-syslevel.csv   LP HUMAN SYSTEM           DA-seglevel.csv   LP DATA SYSTEM SID HUMAN
    RR-seglevel.csv   LP DATA SID BETTER WORSE

Tables hold several language pairs; their fields are separated by tabs, commas or spaces. A system `A+B` in a table
means that both had the same output, which was judged once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.pairs import BetterWorse
from tertium.io.records import HeadedTable, Row, text_lines
from tertium.io.scorematrix import WHOLE, Level, ScoreMatrix
from tertium.io.streams import FilePath, unpacked_name
from tertium.io.textset import TextSet, output_folder, read_texts

SharedOutputs = Literal["first", "all"]
_MTME_REFERENCE = re.compile(r"[a-z]{2,3}-[a-z]{2,3}[^.]*\.[^.]+\.txt")
_TEXT = re.compile(r"(?P<set>.+?)(-(?P<langs>[a-z]{4,6}))?-(?P<side>src|ref\w*)\.(?P<lang>[a-z]{2,3})")

ELSEWHERE = "of other language pairs or test sets"  # why rows of a table are left out of one pair


class _Text(NamedTuple):
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
        for text in _texts(root / side, pair, strangers)
        if text.pair == pair
    ]
    outputs = list(_outputs(root, pair))
    every = sorted({text.set for text in texts if text.side != "src"})
    translated = {own for _, _, own in outputs}
    sets = [own for own in every if own in translated] or every
    if testset is None and len(sets) > 1:
        raise InputError(f"{root}: {pair} has several test sets ({', '.join(sets)}): say which")
    chosen = testset or (sets[0] if sets else "")
    files = {f"<{text.side}>": text.path for text in texts if text.set == chosen}
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
    read = read_texts(files, book, strip_bom=strip_bom)
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


def _texts(folder: Path, pair: str, strangers: list[Path]) -> Iterator[_Text]:
    """The texts of a folder. Until 2013 their names have no language pair: a reference is that of all pairs into it."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        found = _TEXT.fullmatch(unpacked_name(path.name))
        if found is None:
            strangers.append(path)
            continue
        langs, lang = found["langs"], found["lang"]
        is_source = found["side"] == "src"
        if langs is None:
            belongs = lang == pair.split("-")[0 if is_source else -1]
            yield _Text(path, found["set"], pair if belongs else "", found["side"])
            continue
        if not (langs.startswith(lang) if is_source else langs.endswith(lang)):
            raise InputError(f"{path}: the name says {langs}, but its language is {lang}")
        cut = len(lang) if is_source else len(langs) - len(lang)
        yield _Text(path, found["set"], f"{langs[:cut]}-{langs[cut:]}", found["side"])


def _output_folders(root: Path) -> Iterator[Path]:
    base = output_folder(root)
    for place in sorted(base.glob("*")) + sorted(base.glob("*/*")):
        if place.is_dir() and re.fullmatch(r"[a-z]{2,3}-[a-z]{2,3}", place.name):
            yield place


def _outputs(root: Path, pair: str) -> Iterator[tuple[Path, str, str]]:
    """File, system and test set of each output: `newstest2017.online-A.0.cs-en` is online-A.0's of newstest2017."""
    for place in _output_folders(root):
        for path in sorted(place.iterdir()) if place.name == pair else []:
            name = unpacked_name(path.name)
            if name.startswith(".") or not path.is_file():
                continue
            testset, dot, rest = name.partition(".")
            if rest.startswith(f"{pair}."):  # until 2013: TESTSET.PAIR.SYSTEM
                yield path, rest.removeprefix(f"{pair}."), testset
                continue
            if not dot or not rest.endswith(f".{pair}"):
                raise InputError(f"{path}: the name is not TESTSET.SYSTEM.{pair}")
            yield path, rest.removesuffix(f".{pair}"), testset


class _PairTable(HeadedTable):
    """A table with a column LP, and maybe one called DATA for the test set."""

    def __init__(self, path: FilePath, *required: str) -> None:
        super().__init__(path, ("lp", *required), _separated(path))
        self.pairs: dict[str, None] = {}  # of the rows read so far

    def of(self, pair: str, testset: str | None, book: OpenCoverage) -> Iterator[Row]:
        """The rows of one pair (and test set); the book says what was left out."""
        for row in self:
            self.pairs[row.get("lp")] = None
            other = testset is not None and row.fields.get("data", testset) != testset
            if other or row.get("lp") != pair:
                book.leave_out(ELSEWHERE, row.number)
            else:
                yield row

    def nothing_of(self, what: str, pair: str) -> InputError:
        return InputError(f"{self.name}: there are no {what} of {pair!r}{did_you_mean(pair, self.pairs)}")


def _separated(path: FilePath) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line that is not empty; the first line shows what separates them."""
    sign: str | None = None
    for number, line in text_lines(path):
        if number == 1:
            sign = next((sign for sign in ("\t", ",") if sign in line), None)
        if line.strip():
            yield number, line.split(sign)


def human_pairs(path: FilePath) -> list[str]:
    """The language pairs that a table of human scores (LP, SYSTEM, HUMAN) has scores for."""
    return list(dict.fromkeys(row.get("lp") for row in _PairTable(path, "system", "human")))


def is_pairs_table(path: FilePath) -> bool:
    """Whether a file names the columns of such pairs in its first line."""
    _, top = next(text_lines(path), (1, ""))
    return {"sid", "better", "worse"} <= {name.lower() for name in re.split(r"[\t, ]+", top)}


def read_pairs_table(
    path: FilePath, pair: str, *, testset: str | None = None, segments: int | None = None
) -> tuple[BetterWorse, Coverage]:
    """Read the pairs of a language pair from `RR-seglevel.csv`: LP DATA SID BETTER WORSE, in any order of columns.

    `segments` is the number of lines of the test set: a line number beyond it is refused.
    """
    table = _PairTable(path, "sid", "better", "worse")
    book = OpenCoverage(f"{table.name}: {pair}", "pairs")
    found: dict[int, tuple[int, str, str]] = {}  # by line
    seen: dict[tuple[int, frozenset[str]], int] = {}
    for row in table.of(pair, testset, book):
        segment = row.whole("sid", "segment")
        if segments is not None and segment > segments:
            raise InputError(f"{row.where}: segment {segment} is beyond the test set, which has {segments}")
        better, worse = row.named("better", "worse")
        first = seen.setdefault((segment, frozenset((better, worse))), row.number)
        if first != row.number:
            raise InputError(f"{row.where} judges {better!r} and {worse!r} again (first on line {first})")
        found[row.number] = (segment, better, worse)
    if not found:
        raise table.nothing_of("pairs", pair)
    pairs = BetterWorse.of(found.values(), lines=list(found), origin=table.name)
    return pairs, book.closed(len(found))


@dataclass(frozen=True)
class HumanTable:
    """Human scores of one language pair, and the coverage of the reading."""

    scores: ScoreMatrix
    coverage: Coverage
    shared: dict[tuple[str, str], tuple[str, ...]]  # all systems with the output scored for (system, segment)


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
    table = _PairTable(path, "system", "human")
    level: Level = "segment" if "sid" in table.columns else "system"
    book = OpenCoverage(f"{table.name}: {pair}", "scores")
    cells: dict[tuple[str, str], float] = {}
    lines: dict[tuple[str, str], int] = {}
    together: dict[tuple[str, str], tuple[str, ...]] = {}
    n_used = 0
    for row in table.of(pair, testset, book):
        (system,), score = row.named("system"), row.real("human")
        item = str(row.whole("sid", "segment")) if level == "segment" else WHOLE
        members = _members(system, texts)
        if texts is not None and not _checked(members, item, level, texts, row.where, missing):
            book.leave_out(f"no output of system {system}", row.number)
            continue
        targets = members if shared == "all" else members[:1]
        if level == "segment" and len(members) > 1:
            together.update({(target, item): members for target in targets})
        for target in targets:
            place = (target, item)
            if place in cells:
                what = "" if level == "system" else f", segment {item}"
                raise InputError(
                    f"{row.where} scores system {target!r}{what} again (first on line {lines[place]})"
                )
            cells[place], lines[place] = score, row.number
        n_used += 1
    if not cells:
        raise table.nothing_of("scores", pair)
    if together:
        n_shared = len({(members, item) for (_, item), members in together.items()})
        whom = "the first of them" if shared == "first" else "each of them"
        book.note(f"{n_shared} outputs are shared by several systems: scored for {whom}")
    if texts is not None and level == "system":
        for system in texts.systems:
            if (system, WHOLE) not in cells:
                book.note(f"system {system} has outputs but no human score")
    items = None if texts is None or level == "system" else [str(i) for i in range(1, len(texts) + 1)]
    systems = None if texts is None else [own for own in texts.systems if any(own == s for s, _ in cells)]
    scores = ScoreMatrix.of_cells("human", level, cells, systems=systems, items=items, origin=table.name)
    return HumanTable(scores, book.closed(n_used), together)


def _members(system: str, texts: TextSet | None) -> tuple[str, ...]:
    """The systems that a name stands for. A plus sign joins names, unless a system has it in its own name."""
    if texts is not None and system in texts.systems:
        return (system,)
    return tuple(dict.fromkeys(part for part in system.split("+") if part))


def _checked(
    members: Sequence[str], item: str, level: Level, texts: TextSet, where: str, missing: str
) -> bool:
    """Whether all systems have an output; a wrong line number or a wrongly shared output is refused."""
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
    outputs = {member: texts.systems[member][int(item) - 1] for member in members}
    different = [member for member in members if outputs[member] != outputs[members[0]]]
    if different:
        raise InputError(
            f"{where}: {members[0]} and {different[0]} should share an output, but they differ in segment {item}"
        )
    return True


def is_wmt_layout(folder: FilePath) -> bool:
    """Whether a folder looks like one of the WMT metrics tasks, and not like mt-metrics-eval's."""
    root = Path(folder)
    here = all((root / part).is_dir() for part in ("system-outputs", "references"))
    if not here or (root / "human-scores").is_dir():
        return False
    # WMT's own repositories have the same layout as mt-metrics-eval since 2024, without scores: PAIR.refA.txt.
    return not any(_MTME_REFERENCE.fullmatch(path.name) for path in (root / "references").iterdir())
