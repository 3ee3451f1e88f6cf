"""Files, and functions over test sets by name."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from itertools import compress
from typing import IO, Any

from tertium.compat.sacrebleu.dataset import Dataset
from tertium.io.testsets.subsets import About, SetPart, abouts_of, kept, languages, subjects
from tertium.io.testsets.table import named_set, named_sets, sets_folder
from tertium.io.testsets.texts import echoed

SACREBLEU_DIR = sets_folder()


def smart_open(file: str, mode: str = "rt", encoding: str | None = "utf-8") -> IO[Any]:
    """Open a text file, through gzip where its name ends in .gz; only a line feed ends a line."""
    opener: Callable[..., IO[Any]] = gzip.open if file.endswith(".gz") else open
    return opener(file, mode, encoding=encoding, newline="\n")


def _dataset(test_set: str) -> Dataset:
    return Dataset(named_set(test_set))


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """Download a test set, verify it, and give the files of a language pair."""
    known = _dataset(test_set)
    known.maybe_download()
    return known.get_files(langpair) if langpair is not None else []


def get_source_file(test_set: str, langpair: str) -> str:
    """The file of a test set's source."""
    return _dataset(test_set).get_source_file(langpair)


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """The files of a test set's references."""
    return _dataset(test_set).get_reference_files(langpair)


def get_files(test_set: str, langpair: str) -> list[str]:
    """All files of a test set in a language pair."""
    return _dataset(test_set).get_files(langpair)


def get_langpairs_for_testset(testset: str) -> list[str]:
    """The language pairs of a test set; none if there is no such test set."""
    known = named_sets().get(testset)
    return [] if known is None else list(known.pairs)


def get_available_testsets() -> list[str]:
    """The names of all test sets, the last one first."""
    return sorted(named_sets(), reverse=True)


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """The test sets of a language pair, in either direction."""
    source, _, target = langpair.partition("-")
    both = {f"{source}-{target}", f"{target}-{source}"}
    return [name for name, known in named_sets().items() if both & set(known.pairs)]


def get_available_origlangs(test_sets: str | None, langpair: str) -> list[str]:
    """The original languages of a test set's documents."""
    return [] if test_sets is None else languages(_abouts(test_sets, langpair))


def get_available_subsets(test_sets: str | None, langpair: str) -> list[str]:
    """What --subset can ask for."""
    return [] if test_sets is None else subjects(_abouts(test_sets, langpair))


def _abouts(test_sets: str, langpair: str) -> list[About]:
    for name in test_sets.split(","):
        _dataset(name).get_files(langpair)
    return abouts_of(test_sets, langpair)


def filter_subset(
    systems: Sequence[Sequence[Any]],
    test_sets: str | None,
    langpair: str | None,
    origlang: str | None,
    subset: str | None = None,
) -> Sequence[Sequence[Any]]:
    """The segments with an original language and a subject, of all streams."""
    wanted = SetPart(origlang, subset)
    if not wanted:
        return systems
    if test_sets is None or langpair is None:
        raise ValueError("Filtering for --origlang or --subset needs a test (-t) and a language pair (-l).")
    _abouts(test_sets, langpair)  # downloads what is not here, if it may
    keep = kept(test_sets, langpair, wanted)
    return [list(compress(system, keep)) for system in systems]


def print_test_set(
    test_set: str,
    langpair: str,
    requested_fields: Sequence[str],
    origlang: str | None = None,
    subset: str | None = None,
) -> None:
    """Print fields of a test set, tab-separated."""
    _dataset(test_set).get_files(langpair)
    wanted = SetPart(origlang, subset)
    keep = kept(test_set, langpair, wanted) if wanted else None
    for line in echoed(test_set, langpair, requested_fields, keep):
        print(line)
