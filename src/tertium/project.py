"""The project file `tertium.toml`: a test set, its systems and what to compute, written down once.

    name = "harbour"
    source = "source.de"
    references = ["reference1.en", "reference2.en"]
    documents = "documents.txt"
    metadata = "metadata.tsv"
    metrics = ["bleu", "chrf++", "macrof1"]
    baseline = "old"
    seed = 12345
    training = "train.en"      # a corpus in which words are frequent or rare
    labels = "labels.tsv"      # preferences of people
    tags = "tags.tsv"          # what people say of single outputs; made by `compare`
    pair = "de-en"             # languages, for metrics that depend on them
    human = { segment = "human.tsv" }   # human scores, for `meta`

    [systems]
    old = "system-old.en"
    new = ["system-new.run1.en", "system-new.run2.en"]   # several runs of one system

Paths are relative to the file. With it in the current folder, `score` and `compare` need no arguments.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.toml import read_toml

FILE = "tertium.toml"
_KEYS = {
    "name": "a string",
    "source": "a string",
    "references": "a list of strings",
    "documents": "a string",
    "metadata": "a string",
    "metrics": "a list of strings",
    "baseline": "a string",
    "seed": "a whole number",
    "training": "a string",
    "labels": "a string",
    "tags": "a string",
    "encoding": "a string",
    "human": "a table from system, segment, pairs or judgements to a file",
    "pair": "a string",
    "systems": "a table from system name to file, or to a list of files",
}
_FILES = ("source", "documents", "metadata", "training", "labels")


@dataclass(frozen=True)
class Project:
    """What a project file says. Paths are as they can be opened from here."""

    path: Path
    references: tuple[str, ...]
    systems: Mapping[str, str]  # each run by a name of its own
    name: str = ""
    source: str | None = None
    documents: str | None = None
    metadata: str | None = None
    training: str | None = None
    labels: str | None = None
    tags: str | None = None  # need not be there yet
    pair: str | None = None
    human: Mapping[str, str] = field(default_factory=dict)  # human scores by level
    metrics: tuple[str, ...] = ("bleu", "chrf")
    baseline: str | None = None
    seed: int = 12345
    encoding: str = "utf-8"
    runs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # systems with several runs

    @classmethod
    def here(cls) -> Project | None:
        """The project file of the current folder, if there is one. Found, not named: it may run no program."""
        if not os.path.isfile(FILE):
            return None
        from tertium import registry

        project = cls.load(FILE)
        for spec in project.metrics:
            if registry.metric(spec).runs_programs:
                raise InputError(
                    f"{FILE} here would run a program ({spec}): name the file, --project {FILE}, if you trust it"
                )
        return project

    @classmethod
    def load(cls, path: str | Path) -> Project:
        """Read and check a project file; everything wrong is named by its key."""
        where = Path(path)
        given = read_toml(where, "project file")
        for key, value in given.items():
            if key not in _KEYS:
                raise InputError(f"{where}: unknown key {key!r}{did_you_mean(key, _KEYS)}")
            if not _fits(key, value):
                raise InputError(f"{where}: {key} must be {_KEYS[key]}, not {value!r}")
        for key in ("references", "systems"):
            if not given.get(key):
                raise InputError(f"{where}: {key} is missing or empty: it must be {_KEYS[key]}")
        folder = where.parent
        systems, runs = _systems(where, given["systems"])
        said: dict[str, Any] = {key: str(folder / given[key]) for key in (*_FILES, "tags") if key in given}
        said |= {key: given[key] for key in ("name", "baseline", "seed", "encoding", "pair") if key in given}
        said["human"] = {level: str(folder / file) for level, file in given.get("human", {}).items()}
        if given.get("metrics"):
            said["metrics"] = tuple(given["metrics"])
        project = cls(
            path=where,
            references=tuple(str(folder / name) for name in given["references"]),
            systems={name: str(folder / file) for name, file in systems.items()},
            runs=runs,
            **said,
        )
        project._check()
        return project

    def _check(self) -> None:
        from tertium import registry

        known = [*self.systems, *self.runs]
        if self.baseline is not None and self.baseline not in known:
            raise InputError(
                f"{self.path}: the baseline {self.baseline!r} is not a system{did_you_mean(self.baseline, known)}"
            )
        for spec in self.metrics:
            registry.metric(spec)
        named = [("references", path) for path in self.references]
        named += [(f"systems.{name}", path) for name, path in self.systems.items()]
        named += [(key, path) for key in _FILES if (path := getattr(self, key)) is not None]
        named += [(f"human.{level}", path) for level, path in self.human.items()]
        for key, file in named:
            if not os.path.isfile(file):
                raise InputError(f"{self.path}: {key} names {file!r}, which is not there")

    def testset(self) -> Any:
        """The test set that the file describes (`tertium.TestSet`)."""
        from tertium.io.files import read_lines
        from tertium.testset import TestSet, metadata_of

        def lines(path: str) -> Any:
            return read_lines(path, encoding=self.encoding)

        return TestSet.of(
            [lines(path) for path in self.references],
            {name: lines(path) for name, path in self.systems.items()},
            sources=None if self.source is None else lines(self.source),
            documents=None if self.documents is None else lines(self.documents),
            metadata=None
            if self.metadata is None
            else metadata_of(Path(self.metadata), lines(self.metadata)),
            name=self.name or self.path.resolve().parent.name,
        )


def _fits(key: str, value: Any) -> bool:
    def strings(items: Any) -> bool:
        return isinstance(items, list) and all(isinstance(item, str) and item for item in items)

    if key == "systems":
        return isinstance(value, dict) and all(
            (isinstance(file, str) and file) or (strings(file) and file) for file in value.values()
        )
    if key == "human":
        return isinstance(value, dict) and all(isinstance(file, str) and file for file in value.values())
    if key == "seed":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return strings(value) if key in ("references", "metrics") else isinstance(value, str)


def _systems(where: Path, given: dict[str, Any]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Files by system; a system with several runs gets a name for each, `new.1`, `new.2`."""
    systems: dict[str, str] = {}
    runs: dict[str, tuple[str, ...]] = {}
    for name, files in given.items():
        if isinstance(files, str):
            names, files = [name], [files]
        elif len(files) == 1:
            names = [name]
        else:
            names = [f"{name}.{i + 1}" for i in range(len(files))]
            runs[name] = tuple(names)
        for each, file in zip(names, files, strict=True):
            if each in systems:
                raise InputError(f"{where}: two systems are called {each!r}")
            systems[each] = file
    return systems, runs
