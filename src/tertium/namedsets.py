"""Test sets by name: which there are, which are here, and getting them (`tertium testset`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.errors import InputError, many
from tertium.io.testsets.fetching import fetch
from tertium.io.testsets.table import named_set, named_sets, sets_folder
from tertium.io.testsets.texts import here, unpack
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table


@dataclass(frozen=True)
class ListedTestSet:
    """A test set by its name."""

    name: str
    pairs: tuple[str, ...]
    here: bool


@dataclass(frozen=True)
class TestSetList(Result):
    """Test sets by name. Prints itself as a line for each."""

    __test__ = False  # or pytest would take it for a test
    kind = "test sets"
    folder: str
    sets: tuple[ListedTestSet, ...]

    def table(self) -> Table:
        from tertium.io.tables import Column, Table

        columns = (Column("test set", "name", whole=True), Column("here"), Column("language pairs", "pairs"))
        rows = tuple((own.name, "yes" if own.here else "", " ".join(own.pairs)) for own in self.sets)
        return Table("", columns, rows)

    def words(self) -> Iterator[str]:
        have = sum(own.here for own in self.sets)
        yield f"{many(len(self.sets), 'test set')}, {have} of them in {self.folder}; tertium testset get NAME gets one."


@dataclass(frozen=True)
class FetchedArchive:
    """An archive of a test set: `how` says whether it was downloaded, resumed, copied, or here already."""

    name: str
    address: str
    bytes: int
    how: str


@dataclass(frozen=True)
class FetchedTestSets(Result):
    """Test sets that are here now, verified. Prints itself as a line for each archive."""

    kind = "fetched test sets"
    folder: str
    archives: tuple[FetchedArchive, ...]

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        columns = (
            Column("test set", "name", whole=True),
            Column("archive", "address"),
            number_column("MB", "megabytes", 2),
            Column("how"),
        )
        rows = tuple((own.name, own.address, own.bytes / 1e6, own.how) for own in self.archives)
        return Table("", columns, rows)

    def words(self) -> Iterator[str]:
        names = dict.fromkeys(own.name for own in self.archives)
        yield f"{', '.join(names)}: in {self.folder}, with the checksums that they should have."


def list_test_sets(pair: str | None = None, name: str | None = None) -> TestSetList:
    """Test sets by name: all, those of a language pair, or one.

    >>> [own.name for own in list_test_sets("en-it").sets]
    ['wmt09']
    """
    chosen = named_sets() if name is None else {own: named_set(own) for own in name.split(",")}
    listed = tuple(
        ListedTestSet(own, tuple(known.pairs), here(known))
        for own, known in chosen.items()
        if pair is None or pair in known.pairs
    )
    if not listed:
        raise InputError(
            f"no test set has the language pair {pair!r}: a pair is source-target, such as en-de"
        )
    return TestSetList(sets_folder(), listed)


def get_test_sets(names: Sequence[str]) -> FetchedTestSets:
    """Download test sets into sacrebleu's folder, going on where earlier downloads broke off, and verify them."""
    sets = [named_set(name) for given in names for name in given.split(",")]
    found = []
    for own in sets:
        for archive in fetch(own):
            found.append(FetchedArchive(own.name, archive.address, archive.bytes, archive.how))
        unpack(own)
    return FetchedTestSets(sets_folder(), tuple(found))


def papers(names: str) -> list[str]:
    """Where test sets were published: an address each.

    >>> papers("wmt17")
    ['wmt17: http://www.aclweb.org/anthology/W17-4717']
    """
    known = [named_set(name) for name in names.split(",")]
    return [f"{own.name}: {own.paper or 'the table knows of no paper'}" for own in known]
