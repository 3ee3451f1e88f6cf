"""Files, and the functions that would download: Tertium downloads nothing, and they say so."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from typing import IO, Any, NoReturn

from tertium.errors import TertiumError

SACREBLEU_DIR = os.environ.get("SACREBLEU", os.path.join(os.path.expanduser("~"), ".sacrebleu"))


def smart_open(file: str, mode: str = "rt", encoding: str | None = "utf-8") -> IO[Any]:
    """Open a text file, through gzip where its name ends in .gz; only a line feed ends a line."""
    opener: Callable[..., IO[Any]] = gzip.open if file.endswith(".gz") else open
    return opener(file, mode, encoding=encoding, newline="\n")


def nothing_downloaded(what: str) -> TertiumError:
    """The error for everything that needs data from elsewhere."""
    return TertiumError(f"Tertium downloads nothing: {what} is not available; score your own files")


def _refused(name: str) -> Callable[..., NoReturn]:
    def refuse(*args: Any, **options: Any) -> NoReturn:
        raise nothing_downloaded(f"sacrebleu's {name}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "Always raises: Tertium downloads nothing."
    return refuse


download_file = _refused("download_file")
download_test_set = _refused("download_test_set")
get_available_origlangs = _refused("get_available_origlangs")
get_available_subsets = _refused("get_available_subsets")
get_available_testsets = _refused("get_available_testsets")
get_available_testsets_for_langpair = _refused("get_available_testsets_for_langpair")
get_files = _refused("get_files")
get_langpairs_for_testset = _refused("get_langpairs_for_testset")
get_reference_files = _refused("get_reference_files")
get_source_file = _refused("get_source_file")
print_test_set = _refused("print_test_set")
