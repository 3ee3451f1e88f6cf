"""Test sets by name: which there are, which are here, and getting them (`tertium testset`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.errors import InputError, did_you_mean, many
from tertium.io.testsets.fetching import fetch
from tertium.io.testsets.table import NamedSet, named_set, named_sets, sets_folder
from tertium.io.testsets.texts import counted_fields, here, known_fields
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table


@dataclass(frozen=True)
class ListedTestSet:
    """A test set by its name."""

    name: str
    pairs: tuple[str, ...]
    here: bool
    description: str = ""


@dataclass(frozen=True)
class TestSetList(Result):
    """Test sets by name. Prints itself as a line for each."""

    __test__ = False  # or pytest would take it for a test
    kind = "test sets"
    folder: str
    sets: tuple[ListedTestSet, ...]

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        columns = (
            Column("test set", "name", whole=True),
            Column("here"),
            number_column("pairs", "pairs", 0),
            Column("what it is", "description"),
        )
        rows = tuple(
            (own.name, "yes" if own.here else "", len(own.pairs), own.description) for own in self.sets
        )
        return Table("", columns, rows)

    def words(self) -> Iterator[str]:
        have = sum(own.here for own in self.sets)
        yield (
            f"{many(len(self.sets), 'test set')}, {have} of them in {self.folder}. tertium testset list NAME has the "
            "language pairs of one, tertium testset get NAME gets it."
        )


@dataclass(frozen=True)
class PairOfSet:
    """A language pair of a test set: the references that count, and all that --echo can print, if that is known."""

    name: str
    pair: str
    references: tuple[str, ...]
    fields: tuple[str, ...]


@dataclass(frozen=True)
class DescribedTestSets(Result):
    """What is known of test sets: their language pairs, and what there is of each segment."""

    kind = "test sets in full"
    folder: str
    sets: tuple[ListedTestSet, ...]
    pairs: tuple[PairOfSet, ...]

    def table(self) -> Table:
        from tertium.io.tables import Column, Table

        several = len(self.sets) > 1
        columns = (Column("pair", whole=True), Column("references"), Column("fields"))
        rows = (
            (own.name, own.pair, ", ".join(own.references), ", ".join(own.fields) or None)
            for own in self.pairs
        )
        name = (Column("test set", "name", whole=True),) if several else ()
        return Table("", name + columns, tuple(row if several else row[1:] for row in rows))

    def words(self) -> Iterator[str]:
        for own in self.sets:
            get = f": tertium testset get {own.name} gets it"
            where = f"in {self.folder}" if own.here else f"not in {self.folder}{get}"
            yield f"{own.name}: {(own.description or 'no description').rstrip('.')}. It is {where}."
        if not all(own.fields for own in self.pairs):
            yield "What --echo can print of it (fields) stands in its files: it is known once they are here."


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
        names = list(dict.fromkeys(own.name for own in self.archives))
        are = "is" if len(names) == 1 else "are"
        yield (
            f"{', '.join(names)} {are} in {self.folder}, checksums verified. To score with it: "
            f"tertium score -t {names[0]} -l SRC-TRG -i OUTPUT"
        )


def list_test_sets(pair: str | None = None) -> TestSetList:
    """Test sets by name: all, or those of a language pair.

    >>> [own.name for own in list_test_sets("en-it").sets]
    ['wmt09']
    """
    listed = tuple(_listed(own) for own in named_sets().values() if pair is None or pair in own.pairs)
    if not listed:
        known = {pair for own in named_sets().values() for pair in own.pairs}
        near = did_you_mean(str(pair), known).partition(" (known")[0]
        raise InputError(f"no test set has the language pair {pair!r}{near or ' (a pair is like en-de)'}")
    return TestSetList(sets_folder(), listed)


def describe_test_sets(names: str, pair: str | None = None) -> DescribedTestSets:
    """What is known of test sets (`wmt17`, or `wmt16,wmt17`): of all their language pairs, or of one.

    >>> describe_test_sets("wmt20/tworefs", "de-en").pairs[0].references
    ('ref:0', 'ref:1')
    """
    sets = [named_set(name.strip()) for name in names.split(",")]
    if pair is not None:
        for own in sets:
            own.pair(pair)
    pairs = (
        PairOfSet(own.name, one, counted_fields(own, one), tuple(known_fields(own, one)))
        for own in sets
        for one in own.pairs
        if pair in (None, one)
    )
    return DescribedTestSets(sets_folder(), tuple(map(_listed, sets)), tuple(pairs))


def _listed(own: NamedSet) -> ListedTestSet:
    return ListedTestSet(own.name, tuple(own.pairs), here(own), own.description)


def get_test_sets(names: Sequence[str]) -> FetchedTestSets:
    """Download test sets into sacrebleu's folder, going on where earlier downloads broke off, and verify them."""
    sets = [named_set(name.strip()) for given in names for name in given.split(",")]
    found = [
        FetchedArchive(own.name, archive.address, archive.bytes, archive.how)
        for own in sets
        for archive in fetch(own)
    ]
    return FetchedTestSets(sets_folder(), tuple(found))


def citations(names: str) -> list[str]:
    """Where test sets were published, as BibTeX.

    >>> print(citations("wmt17")[0].splitlines()[0])
    @InProceedings{bojar-EtAl:2017:WMT1,
    """
    known = [named_set(name.strip()) for name in names.split(",")]
    if not any(own.citation for own in known):
        raise InputError(f"no citation is known of {', '.join(own.name for own in known)}")
    return [own.citation.rstrip("\n") or f"% {own.name}: no citation is known" for own in known]
