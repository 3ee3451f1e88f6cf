"""Files, and functions over test sets by name."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from typing import IO, Any

from tertium.compat.sacrebleu.dataset import Dataset
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
    names = (test_sets or "").split(",") if test_sets else []
    with_them = [name for name in names if "origlang" in _dataset(name).fieldnames(langpair)]
    return sorted({value for name in with_them for value in echoed(name, langpair, ["origlang"])})


def print_test_set(test_set: str, langpair: str, requested_fields: Sequence[str]) -> None:
    """Print fields of a test set, tab-separated."""
    _dataset(test_set).get_files(langpair)
    for line in echoed(test_set, langpair, requested_fields):
        print(line)
