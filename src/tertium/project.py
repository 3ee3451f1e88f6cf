"""The project file `tertium.toml`: a test set, its systems and what to compute.

    name = "harbour"
    source = "source.de"
    references = ["reference1.en", "reference2.en"]
    documents = "documents.txt"
    metadata = "metadata.tsv"
    metrics = ["bleu", "chrf++", "macrof1"]
    baseline = "old"
    seed = 12345
    training = "train.en"      # a corpus in which words are frequent or rare
    training_source = "train.de"  # its source side, whose words systems have seen
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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from tertium.errors import InputError, did_you_mean
from tertium.io.door import Files
from tertium.io.settings import Between, File, NonEmpty, Origin, Written, read
from tertium.io.toml import read_toml

FILE = "tertium.toml"
_FILES = ("source", "documents", "metadata", "training", "training_source", "labels")
Runs = Annotated[tuple[File, ...], NonEmpty()]  # several outputs of one system


def _run_names(name: str, files: str | list[str] | tuple[str, ...]) -> list[str]:
    """The names of a system's runs, `new.1`, `new.2`; its own if there is only one."""
    several = not isinstance(files, str) and len(files) > 1
    return [f"{name}.{i}" for i in range(1, len(files) + 1)] if several else [name]


def _systems(given: Mapping[str, str | tuple[str, ...]]) -> dict[str, str]:
    systems: dict[str, str] = {}
    for name, files in given.items():
        runs = [files] if isinstance(files, str) else files
        for each, file in zip(_run_names(name, files), runs, strict=True):
            if each in systems:
                raise InputError(f"two systems are called {each!r}")
            systems[each] = file
    return systems


def _metric(spec: str) -> str:
    from tertium import registry

    registry.metric(spec)
    return spec


@dataclass(frozen=True)
class Project:
    """The settings of a project file. Paths can be opened from the current folder."""

    path: Path = field(metadata={"key": None})
    references: Annotated[tuple[File, ...], NonEmpty()]
    systems: Annotated[
        Mapping[str, str], Written(dict[str, File | Runs]), NonEmpty(), _systems
    ]  # runs by name
    name: str = ""
    source: File | None = None
    documents: File | None = None
    metadata: File | None = None
    training: File | None = None
    training_source: File | None = None
    labels: File | None = None
    tags: File | None = None  # need not be there yet
    pair: str | None = None
    human: Mapping[str, File] = field(default_factory=dict)  # human scores by level
    metrics: tuple[Annotated[str, NonEmpty(), _metric], ...] = ("bleu", "chrf")
    baseline: str | None = None
    seed: Annotated[int, Between(0)] = 12345
    encoding: str = "utf-8"
    runs: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata={"key": None})  # of one system

    @classmethod
    def here(cls) -> Project | None:
        """The project file of the current folder, if there is one. As nobody named it, it must not run programs."""
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
        """Read and check a project file; errors name line and key."""
        where = Path(path)
        given, text = read_toml(where, "project file")
        origin = Origin(str(where), text, where.parent)
        project = read(cls, given, origin, path=where)
        runs = {name: tuple(_run_names(name, files)) for name, files in given["systems"].items()}
        runs = {name: names for name, names in runs.items() if len(names) > 1}
        project = replace(project, runs=runs, metrics=project.metrics or cls.metrics)
        project._check(origin)
        return project

    def _check(self, origin: Origin) -> None:
        known = [*self.systems, *self.runs]
        if self.baseline is not None and self.baseline not in known:
            place = origin.at("baseline")
            raise InputError(
                f"{place}: {self.baseline!r} is not a system{did_you_mean(self.baseline, known)}"
            )
        named: list[tuple[tuple[str | int, ...], str]] = [
            (("references", i), path) for i, path in enumerate(self.references, 1)
        ]
        named += [(("systems", name), path) for name, path in self.systems.items()]
        named += [((key,), path) for key in _FILES if (path := getattr(self, key)) is not None]
        named += [(("human", level), path) for level, path in self.human.items()]
        for key, file in named:
            if not os.path.isfile(file):
                raise InputError(f"{origin.at(*key)}: there is no file {file!r}")

    def files(self) -> Files:
        """The texts that the file names."""
        return Files(
            self.references,
            tuple(self.systems.values()),
            documents=self.documents,
            source=self.source,
            encoding=self.encoding,
            names={path: name for name, path in self.systems.items()},
            metadata=self.metadata,
            name=self.name or self.path.resolve().parent.name,
        )

    def testset(self) -> Any:
        """The test set that the file describes (`tertium.TestSet`)."""
        from tertium.testset import TestSet

        return TestSet.read(self.files())
