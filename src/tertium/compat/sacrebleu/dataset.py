"""sacrebleu's test sets by name, out of its folder.

Functions and methods whose names say `download` download. The others look into the folder only, and say in one line how
to get what is missing; with `TERTIUM_DOWNLOAD=1` they download it, as sacrebleu does.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from tertium.io.testsets.fetching import fetch
from tertium.io.testsets.table import Archive, NamedSet, named_set, named_sets
from tertium.io.testsets.texts import counted_references, fields_of, here, lines_of


class Dataset:
    """A test set: its languages, and files with its lines.

    >>> DATASETS["wmt17"].langpairs["de-en"]
    ['test/newstest2017-deen-src.de.sgm', 'test/newstest2017-deen-ref.en.sgm']
    """

    def __init__(self, named: NamedSet) -> None:
        self._named = named
        self.name = named.name
        self.data = [archive.address for archive in named.sources]
        self.md5 = [archive.md5 for archive in named.sources]
        self.citation = named.citation or None
        self.description = named.description
        self.langpairs: dict[str, Any] = {
            pair: list(own.files)
            if own.references is None
            else {"path": own.files[0], "refs": list(own.references)}
            for pair, own in named.pairs.items()
        }
        self.kwargs = {"refs": list(named.references)} if named.references else {}

    def __contains__(self, key: str) -> bool:
        return getattr(self, key, None) is not None

    @property
    def _outdir(self) -> str:
        return self._named.folder

    @property
    def _rawdir(self) -> str:
        return self._named.raw

    def _get_tarball_filename(self, url: str) -> str:
        return os.path.basename(self._named.archive_path(Archive(url, "")))

    def _get_txt_file_path(self, langpair: str, fieldname: str) -> str:
        return self._named.text_path(langpair, fieldname)

    def _get_langpair_allowed_refs(self, langpair: str) -> list[str]:
        return list(self._named.counted(langpair))

    def maybe_download(self) -> None:
        """Get the archives that are not in the folder, and verify them."""
        fetch(self._named)

    def process_to_text(self, langpair: str | None = None) -> None:
        """Make files of lines, of one language pair or of all."""
        for pair in self.langpairs if langpair is None else [langpair]:
            self._fields(pair)

    def _fields(self, langpair: str) -> dict[str, str]:
        if os.environ.get("TERTIUM_DOWNLOAD", "0") not in ("", "0") and not here(self._named):
            self.maybe_download()
        return fields_of(self._named, langpair)

    def fieldnames(self, langpair: str) -> list[str]:
        """What there is of each segment: `src`, `ref`, `docid`..."""
        return list(self._fields(langpair))

    def get_files(self, langpair: str) -> list[str]:
        """A file for each field."""
        return list(self._fields(langpair).values())

    def get_source_file(self, langpair: str) -> str:
        return self._fields(langpair)["src"]

    def get_reference_files(self, langpair: str) -> list[str]:
        return counted_references(self._named, langpair, self._fields(langpair))

    def source(self, langpair: str) -> Iterator[str]:
        """The source, line by line."""
        yield from (line.strip() for line in lines_of(self.get_source_file(langpair)))

    def references(self, langpair: str) -> Iterator[tuple[str, ...]]:
        """The references of each segment."""
        yield from zip(*map(lines_of, self.get_reference_files(langpair)), strict=False)


class _Datasets(Mapping[str, Dataset]):
    """Test sets by name; the table is read when it is first asked."""

    def __getitem__(self, name: str) -> Dataset:
        if name not in named_sets():
            raise KeyError(name)
        return Dataset(named_set(name))

    def __iter__(self) -> Iterator[str]:
        return iter(named_sets())

    def __len__(self) -> int:
        return len(named_sets())


DATASETS: Mapping[str, Dataset] = _Datasets()


class _Subsets(Mapping[str, dict[str, str]]):
    """What documents are about, of the test sets that have it in the table."""

    def __getitem__(self, name: str) -> dict[str, str]:
        if name not in named_sets() or not named_set(name).tags:
            raise KeyError(name)
        return dict(named_set(name).tags)

    def __iter__(self) -> Iterator[str]:
        return (name for name, named in named_sets().items() if named.tags)

    def __len__(self) -> int:
        return sum(1 for _ in self)


SUBSETS: Mapping[str, dict[str, str]] = _Subsets()
