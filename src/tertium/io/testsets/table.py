"""What is known of test sets by name: descriptions, languages, addresses, checksums, where texts lie in archives.

The bundled table (`data/testsets.json`, made by `python -m tools.testsets`) has the facts that sacrebleu knows.
`TERTIUM_TESTSETS` names another one: an office's mirror, or test sets of its own.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

from tertium.errors import InputError, did_you_mean
from tertium.io.settings import NonEmpty, Wrong, read_record

_PAIR = re.compile(r"\w[\w@.]*(-\w[\w@.]*)+")
BUNDLED = Path(__file__).parents[2] / "data" / "testsets.json"


class Archive(NamedTuple):
    """A file on the net."""

    address: str
    md5: str


def _inside(path: str) -> str:
    """A path within the folder of the test set; `2:a.tsv` is a column of it."""
    name = path.rpartition(":")[2]
    if not name or os.path.isabs(name) or ".." in name.split("/"):
        raise Wrong(f"must be a path within the archive, not {path!r}")
    return path


def _archive(given: tuple[str, ...]) -> tuple[str, ...]:
    if len(given) != 2 or not given[0].startswith(("http://", "https://")):
        raise Wrong("must be an address (http or https) and its MD5 checksum")
    return given[0], given[1].lower()


@dataclass(frozen=True)
class PairFiles:
    """The texts of a language pair: source, then references, as they lie in the archives."""

    files: Annotated[tuple[Annotated[str, _inside], ...], NonEmpty()]
    references: tuple[str, ...] | None = (
        None  # of XML: the translators that count; None: those of the test set
    )


@dataclass(frozen=True)
class NamedSet:
    """A test set by its name."""

    kind: str
    archives: Annotated[tuple[Annotated[tuple[str, ...], _archive], ...], NonEmpty()]
    pairs: dict[str, PairFiles]
    references: tuple[str, ...] = ()
    description: str = ""
    citation: str = ""  # BibTeX
    tags: dict[str, str] = field(
        default_factory=dict
    )  # what documents are about: US-politics, OTHER-world-ID
    name: str = ""

    @property
    def sources(self) -> tuple[Archive, ...]:
        return tuple(Archive(*pair) for pair in self.archives)

    @property
    def folder(self) -> str:
        """Where its texts lie: `wmt17` in sacrebleu's folder."""
        return os.path.join(sets_folder(), *self.name.split("/"))

    @property
    def raw(self) -> str:
        """Where its archives lie, and what they hold."""
        return os.path.join(self.folder, "raw")

    def archive_path(self, archive: Archive) -> str:
        return os.path.join(self.raw, f"{self.name.replace('/', '_')}.{os.path.basename(archive.address)}")

    def old_archive_path(self, archive: Archive) -> str:
        """Where sacrebleu before 2.1 put an archive; what it holds was in the same place as now."""
        return os.path.join(self.folder, os.path.basename(archive.address))

    def text_path(self, pair: str, field: str) -> str:
        """Where the lines of a field lie: `wmt17.de-en.src`."""
        name = self.name.replace("/", "_")
        return os.path.join(self.folder, f"{name}.{pair}.{field.replace(':', '-').replace('/', '_')}")

    def pair(self, pair: str) -> PairFiles:
        if pair not in self.pairs:
            raise InputError(f"{self.name} has no language pair {pair!r}{did_you_mean(pair, self.pairs)}")
        return self.pairs[pair]

    def counted(self, pair: str) -> tuple[str, ...]:
        """The fields of the references that count, in XML: `ref:A`; `ref` where it has no translator."""
        own = self.pair(pair).references
        return tuple(f"ref:{name}" if name else "ref" for name in (self.references if own is None else own))

    def wanted(self) -> tuple[str, ...]:
        """All files of its archives that hold texts."""
        paths = (path.rpartition(":")[2] for pair in self.pairs.values() for path in pair.files)
        return tuple(dict.fromkeys(paths))


def sets_folder() -> str:
    """sacrebleu's folder: SACREBLEU, or ~/.sacrebleu."""
    return os.environ.get("SACREBLEU") or os.path.join(os.path.expanduser("~"), ".sacrebleu")


def named_sets() -> Mapping[str, NamedSet]:
    """All test sets by name.

    >>> named_sets()["wmt17"].sources[0].address
    'https://data.statmt.org/wmt17/translation-task/test.tgz'
    """
    return _read(os.environ.get("TERTIUM_TESTSETS") or str(BUNDLED))


@cache
def _read(path: str) -> dict[str, NamedSet]:
    try:
        sets = json.loads(Path(path).read_bytes())["sets"]
        items = sets.items()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{path}: is not a table of test sets: a JSON object with the key 'sets'") from None
    if not sets:
        raise InputError(f"{path}: has no test sets")
    for name in sets:
        if os.path.isabs(name) or ".." in name.split("/"):
            raise InputError(
                f"{path}: {name!r} cannot be the name of a test set: it would lead out of the folder"
            )
        if not name.strip() or not name.isprintable() or "," in name:
            raise InputError(
                f"{path}: {name!r} cannot be the name of a test set: names are not empty, and have no commas"
            )
    found = {name: read_record(NamedSet, values, f"{path}: {name}", name=name) for name, values in items}
    if path != str(BUNDLED):
        for own in found.values():
            _see_that_it_can_be_used(own, f"{path}: {own.name}")
    return found


def _see_that_it_can_be_used(named: NamedSet, where: str) -> None:
    """What nobody should learn only after a long download."""
    from tertium.io.testsets.kinds import KINDS

    if named.kind not in KINDS:
        raise InputError(f"{where}: there is no kind {named.kind!r}{did_you_mean(named.kind, KINDS)}")
    for archive in named.sources:
        if not re.fullmatch("[0-9a-f]{32}", archive.md5):
            raise InputError(
                f"{where}: {archive.md5!r} is no MD5 checksum: 32 digits and letters from a to f"
            )
    if not named.pairs:
        raise InputError(f"{where}: it has no language pair")
    for pair, texts in named.pairs.items():
        if not _PAIR.fullmatch(pair):
            raise InputError(f"{where}: {pair!r} is no language pair, such as de-en")
        if named.kind != "xml" and len(texts.files) < 2:
            raise InputError(f"{where}: {pair} has no reference: files are the source, then references")
        numbers = [path.rpartition(":")[0] for path in texts.files if ":" in path]
        if named.kind == "columns" and not all(re.fullmatch("[0-9]{1,4}", own) for own in numbers):
            raise InputError(f"{where}: {pair}: a column is a number and a file, such as 2:test.tsv")


def named_set(name: str) -> NamedSet:
    """The test set of a name."""
    known = named_sets()
    if name not in known:
        raise InputError(
            f"there is no test set {name!r}{_nearest(name, known)} (tertium testset list has all)"
        )
    return known[name]


def _nearest(name: str, known: Iterable[str]) -> str:
    """The name that was meant, whatever its capitals; or all of its family.

    >>> _nearest("WMT17", ["wmt16", "wmt17", "wmt17/B"])
    "; did you mean 'wmt17'?"
    >>> _nearest("mtedx", ["mtnt2019", "mtedx/valid", "mtedx/test"])
    '; there are mtedx/valid, mtedx/test'
    """
    small = name.lower()
    family = [own for own in known if own.split("/")[0] == small.split("/")[0]]
    if len(family) > 1 and small not in family:
        return f"; there are {', '.join(family)}"
    return did_you_mean(small, known).partition(" (known")[0]
