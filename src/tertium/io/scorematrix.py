"""Scores of systems as a matrix: a row for each system, a column for each segment, document or domain.

Human scores and metric scores both have this shape, so that they can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.namecolumn import in_natural_order

Level = Literal["segment", "document", "domain", "system"]
LEVELS: tuple[Level, ...] = ("segment", "document", "domain", "system")
# as file names say it
SHORT: dict[Level, str] = {"segment": "seg", "document": "doc", "domain": "domain", "system": "sys"}
WHOLE = "all"  # the one item of system level


@dataclass(frozen=True, eq=False, repr=False)
class ScoreMatrix:
    """Scores by system and item; NaN where there is none.

    Items are segments ("1", "2", ... the lines of the test set), documents or domains; at system level there is one
    item, "all".

    >>> scores = ScoreMatrix.of_systems("BLEU", {"A": 30.5, "B": 28.0})
    >>> scores
    <ScoreMatrix 'BLEU' at system level: 2 systems, 2 scores>
    >>> scores.system("A")
    30.5
    """

    name: str
    level: Level
    systems: tuple[str, ...]
    items: tuple[str, ...]
    values: NDArray[np.float64]
    origin: str = ""  # where it came from, for messages

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise SpecError(f"there is no level {self.level!r}{did_you_mean(self.level, LEVELS)}")
        if self.values.shape != (len(self.systems), len(self.items)):
            raise InputError(
                f"{self.label}: {len(self.systems)} systems and {len(self.items)} items need as many scores, "
                f"not {' x '.join(map(str, self.values.shape))}"
            )
        for what, names in (("system", self.systems), (self.level, self.items)):
            if len(set(names)) < len(names):
                twice = next(name for i, name in enumerate(names) if name in names[:i])
                raise InputError(f"{self.label}: there are two columns of {what} {twice!r}")
        if np.isinf(self.values).any():
            raise InputError(f"{self.label}: a score is infinite")

    @classmethod
    def of_systems(cls, name: str, scores: Mapping[str, float | None], *, origin: str = "") -> ScoreMatrix:
        """One score for each system."""
        values = np.array(list(scores.values()), dtype=np.float64).reshape(len(scores), 1)
        return cls(name, "system", tuple(scores), (WHOLE,), values, origin)

    @classmethod
    def of_segments(
        cls, name: str, scores: Mapping[str, Sequence[float | None]], *, origin: str = ""
    ) -> ScoreMatrix:
        """For each system the scores of all segments, in the order of the test set.

        >>> ScoreMatrix.of_segments("chrF", {"A": [50.0, None], "B": [40.0, 60.0]}).items
        ('1', '2')
        """
        lengths = {system: len(own) for system, own in scores.items()}
        if len(set(lengths.values())) > 1:
            shown = ", ".join(f"{system}: {n}" for system, n in lengths.items())
            raise InputError(f"{origin or name}: the systems have different numbers of segments ({shown})")
        n = next(iter(lengths.values()), 0)
        values = np.array(list(map(list, scores.values())), dtype=np.float64).reshape(len(scores), n)
        items = tuple(str(i) for i in range(1, n + 1))
        return cls(name, "segment", tuple(scores), items, values, origin)

    @classmethod
    def of_cells(
        cls,
        name: str,
        level: Level,
        cells: Mapping[tuple[str, str], float],
        *,
        systems: Iterable[str] | None = None,
        items: Iterable[str] | None = None,
        origin: str = "",
    ) -> ScoreMatrix:
        """From scores by (system, item); without `items` those found, in natural order.

        >>> ScoreMatrix.of_cells("DA", "segment", {("A", "2"): 0.5, ("B", "10"): 1.0}).items
        ('2', '10')
        """
        rows = tuple(dict.fromkeys(system for system, _ in cells)) if systems is None else tuple(systems)
        columns = tuple(in_natural_order({item for _, item in cells}) if items is None else items)
        row_of = {system: i for i, system in enumerate(rows)}
        column_of = {item: i for i, item in enumerate(columns)}
        values = np.full((len(rows), len(columns)), np.nan)
        for (system, item), score in cells.items():
            values[row_of[system], column_of[item]] = score
        return cls(name, level, rows, columns, values, origin)

    @property
    def label(self) -> str:
        """What messages call it."""
        return self.origin or self.name

    @property
    def defined(self) -> NDArray[np.bool_]:
        """Where there is a score."""
        return ~np.isnan(self.values)

    def row(self, system: str) -> NDArray[np.float64]:
        """All scores of a system."""
        if system not in self.systems:
            raise InputError(
                f"{self.label}: there is no system {system!r}{did_you_mean(system, self.systems)}"
            )
        row: NDArray[np.float64] = self.values[self.systems.index(system)]
        return row

    def system(self, system: str) -> float | None:
        """The mean of a system's scores, at system level its score; None without scores."""
        known = self.row(system)
        known = known[~np.isnan(known)]
        return float(known.mean()) if len(known) else None

    def numbered(self, segments: int = 0) -> ScoreMatrix | None:
        """All segments from 1 to the last one (or to `segments`), NaN where there is no score; None where segments
        are not known by numbers.

        >>> ScoreMatrix.of_cells("DA", "segment", {("A", "3"): 1.0}).numbered().items
        ('1', '2', '3')
        """
        if not all(item.isascii() and item.isdigit() and item == str(int(item)) for item in self.items):
            return None
        numbers = [int(item) for item in self.items]
        last = segments or max(numbers)
        for number in numbers:
            if not 1 <= number <= last:
                raise InputError(f"{self.label}: segment {number} is not one of the {last} of the test set")
        values = np.full((len(self.systems), last), np.nan)
        values[:, [number - 1 for number in numbers]] = self.values
        return replace(self, items=tuple(str(i) for i in range(1, last + 1)), values=values)

    def system_means(self, name: str | None = None) -> ScoreMatrix:
        """A score for each system: the mean of those it has."""
        return ScoreMatrix.of_systems(
            name or self.name, {system: self.system(system) for system in self.systems}, origin=self.origin
        )

    def document_means(self, documents: Sequence[str]) -> ScoreMatrix:
        """A score for each document: the mean of those of its segments, which are lines 1 to n of the test set.

        >>> ScoreMatrix.of_segments("MQM", {"A": [1.0, 3.0, None]}).document_means(["a", "a", "b"]).values.tolist()
        [[2.0, nan]]
        """
        whole = self.numbered(len(documents))
        if whole is None:
            raise InputError(f"{self.label}: segments of documents must be known by their line numbers")
        items = tuple(dict.fromkeys(documents))
        place = {name: i for i, name in enumerate(items)}
        belongs = np.zeros((len(documents), len(items)))
        belongs[np.arange(len(documents)), [place[name] for name in documents]] = 1
        known = whole.defined.astype(np.float64) @ belongs
        sums = np.where(whole.defined, whole.values, 0.0) @ belongs
        means = np.divide(sums, known, out=np.full(known.shape, np.nan), where=known > 0)
        return replace(whole, level="document", items=items, values=means)

    def selected(
        self, systems: Sequence[str] | None = None, items: Sequence[str] | None = None
    ) -> ScoreMatrix:
        """These systems and items in this order; a score that is not there is NaN, an unknown name is an error."""
        names = self.systems if systems is None else tuple(systems)
        places = self.items if items is None else tuple(items)
        for what, wanted, known in (("system", names, self.systems), (self.level, places, self.items)):
            have = set(known)
            for name in wanted:
                if name not in have:
                    raise InputError(f"{self.label}: there is no {what} {name!r}{_near(name, known)}")
        rows = {name: i for i, name in enumerate(self.systems)}
        columns = {item: i for i, item in enumerate(self.items)}
        picked = self.values[np.ix_([rows[name] for name in names], [columns[item] for item in places])]
        return replace(self, systems=names, items=places, values=picked)

    def masked(self, keep: NDArray[np.bool_]) -> ScoreMatrix:
        """Only the scores where `keep` is true; the others are NaN."""
        return replace(self, values=np.where(keep, self.values, np.nan))

    def renamed(self, names: Mapping[str, str]) -> ScoreMatrix:
        """With other names for some systems (two files rarely agree on all of them)."""
        return replace(self, systems=tuple(names.get(system, system) for system in self.systems))

    def cells(self) -> dict[tuple[str, str], float]:
        """The scores that are there, by (system, item)."""
        return {
            (self.systems[i], self.items[j]): float(self.values[i, j]) for i, j in np.argwhere(self.defined)
        }

    def data(self) -> dict[str, Any]:
        """For JSON; None where there is no score."""
        rows = zip(self.systems, self.values.tolist(), strict=True)
        systems = {system: [None if value != value else value for value in row] for system, row in rows}
        return {"name": self.name, "level": self.level, "items": list(self.items), "systems": systems}

    def __repr__(self) -> str:
        items = "" if self.level == "system" else f"{len(self.items)} {self.level}s, "
        return (
            f"<ScoreMatrix {self.name!r} at {self.level} level: {len(self.systems)} systems, {items}"
            f"{int(self.defined.sum())} scores>"
        )


def aligned(
    first: ScoreMatrix,
    *others: ScoreMatrix,
    missing: Literal["refuse", "leave out"] = "refuse",
) -> tuple[tuple[ScoreMatrix, ...], Coverage]:
    """Scores side by side: the same systems and items in all, in the order of the first.

    Systems that only some have are refused, or left out and counted. Items are those of the first that some system has
    a score for; an item or a single score that another lacks is treated likewise. The matrices returned have scores in
    the same places: a place that is empty in the first is empty in all.

    >>> people = ScoreMatrix.of_systems("DA", {"A": 0.5, "B": 0.1, "C": 0.2})
    >>> metric = ScoreMatrix.of_systems("BLEU", {"C": 20.0, "A": 30.0})
    >>> (human, bleu), coverage = aligned(people, metric, missing="leave out")
    >>> bleu.values[:, 0].tolist(), str(coverage)
    ([30.0, 20.0], 'DA, BLEU: 2 systems used; 1 left out: system B is not in BLEU')
    """
    if missing not in ("refuse", "leave out"):
        raise SpecError(f"missing must be 'refuse' or 'leave out', not {missing!r}")
    matrices = (first, *others)
    for other in others:
        if other.level != first.level:
            raise InputError(f"{other.label} is at {other.level} level, {first.label} at {first.level} level")
    book = OpenCoverage(", ".join(dict.fromkeys(matrix.label for matrix in matrices)), "systems")
    systems = _shared(matrices, [matrix.systems for matrix in matrices], "system", missing, book)
    judged: NDArray[np.bool_] = np.any(first.selected(systems).defined, axis=0)
    wanted = tuple(item for item, there in zip(first.items, judged, strict=True) if there)
    if not judged.all():
        n = int((~judged).sum())
        book.note(f"{n} of {len(first.items)} {first.level}s have no score in {first.label}")
    items = _shared(
        (replace(first, items=wanted, values=first.values[:, judged]), *others),
        [wanted, *(other.items for other in others)],
        first.level,
        missing,
        book,
        only_first=True,
    )
    if not systems or not items:
        raise InputError(f"{book.origin}: they have no {first.level if systems else 'system'} in common")
    picked = tuple(matrix.selected(systems, items) for matrix in matrices)
    whole = picked[0].defined
    gaps: dict[str, list[str]] = {}  # by system: who has no score of it
    for matrix in picked[1:]:
        holes = np.argwhere(whole & ~matrix.defined)
        if len(holes) and missing == "refuse":
            i, j = holes[0]
            item = "" if first.level == "system" else f", {first.level} {items[j]}"
            raise InputError(
                f"{matrix.label}: there is no score for system {systems[i]!r}{item}, which {first.label} has "
                '(missing = "leave out" skips it)'
            )
        if len(holes) and first.level == "system":
            for i, _ in np.argwhere(picked[0].defined & ~matrix.defined):
                gaps.setdefault(systems[i], []).append(matrix.label)
        elif len(holes):
            book.leave_out(f"scores that {first.label} has but {matrix.label} lacks", rows=len(holes))
        whole = whole & matrix.defined
    for name, labels in gaps.items():
        book.leave_out(f"system {name} has no score in {_listed(labels)}")
    if first.level == "system":
        for name, there in zip(systems, picked[0].defined[:, 0], strict=True):
            if not there:
                book.leave_out(f"system {name} has no score in {first.label}")
    used = int(whole.sum()) if first.level == "system" else len(systems)
    return tuple(matrix.masked(whole) for matrix in picked), book.closed(used)


def _shared(
    matrices: Sequence[ScoreMatrix],
    names: Sequence[tuple[str, ...]],
    what: str,
    missing: str,
    book: OpenCoverage,
    *,
    only_first: bool = False,
) -> list[str]:
    """Names that all share, in the order of the first; the others are refused or noted."""
    sets = [set(own) for own in names]
    holders: dict[str, ScoreMatrix] = {}
    for matrix, own in zip(matrices[:1] if only_first else matrices, names, strict=False):
        for name in own:
            holders.setdefault(name, matrix)
    for name, matrix in holders.items():
        lacking = [other.label for other, known in zip(matrices, sets, strict=True) if name not in known]
        if lacking and missing == "refuse":
            raise InputError(
                f'{matrix.label}: {what} {name!r} is not in {lacking[0]} (missing = "leave out" skips it)'
            )
        if lacking:
            book.leave_out(f"{what} {name} is not in {_listed(lacking)}")
    return [name for name in names[0] if all(name in known for known in sets)]


def _listed(labels: Sequence[str]) -> str:
    """One name, or the first of several and how many more."""
    own = list(dict.fromkeys(labels))
    return own[0] if len(own) == 1 else f"{own[0]} and {len(own) - 1} more"


def _near(name: str, known: Sequence[str]) -> str:
    return did_you_mean(name, known) if len(known) <= 40 else f" (there are {len(known)})"
