"""A task is data: texts, human scores, metrics, and how they are to be judged; written down in a file, or in Python.

    name = "WMT17"
    layout = "wmt17"                      # a folder as WMT's metrics task or mt-metrics-eval lays it out
    pairs = ["cs-en", "de-en"]            # all that are there, if none are named
    metrics = ["@wmt17", "bleu"]          # specs, tables of settings, bundled lists
    levels = ["system", "segment", "hybrids"]
    statistic = "pearson"
    significance = "williams"
    hybrids = 10000
    seed = 12345

    [human]
    system = "DA-syslevel.csv"            # relative to the layout
    segment = "DA-seglevel.csv"

    [[outside]]                           # metrics that are not ours
    files = ["BEER.sys.score.gz", "BEER.seg.score.gz"]
    ensemble = true

Instead of `layout`, texts may stand in the file itself (`references`, `systems`, `source`, as in `tertium.toml`, with
one language pair), or only pairs of better and worse translations with their texts
(`human.pairs = "kk-en.jsonl.gz"`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.toml import read_toml
from tertium.meta.against_people import SEGMENT_STATISTICS, SIGNIFICANCE, SYSTEM_STATISTICS, TIES
from tertium.meta.metric_lists import MetricEntry, entries_of
from tertium.project import Project
from tertium.stats.resampling import SEED

LEVELS = ("system", "segment", "pairs", "hybrids")
_KEYS = (
    "name",
    "layout",
    "pairs",
    "testset",
    "references",
    "systems",
    "source",
    "metrics",
    "outside",
    "levels",
    "statistic",
    "segment_statistic",
    "averaging",
    "ties",
    "significance",
    "hybrids",
    "hybrid_human",
    "hybrid_files",
    "resamples",
    "seed",
    "alpha",
    "missing",
    "outliers",
    "human",
)
_HUMAN = ("system", "segment", "pairs", "judgements", "shared", "name", "kind")
_OUTSIDE = ("files", "name", "ensemble", "higher_is_better")
HYBRIDS = 10_000


@dataclass(frozen=True)
class OutsideScores:
    """Score files of a metric that is not ours; without a name, all metrics that the files hold."""

    files: tuple[Path, ...]
    name: str | None = None
    ensemble: bool = False
    higher_is_better: bool = True


@dataclass(frozen=True)
class Task:
    """What is judged by what, and how. Paths are as they can be opened from here.

    >>> task = Task("mine", metrics=("chrf",), layout=Path("wmt17"), human={"system": Path("DA-syslevel.csv")})
    >>> task.statistic, task.levels, [entry.name for entry in task.entries]
    ('pearson', ('system',), ['chrF2'])
    """

    name: str
    metrics: Sequence[Any] = ()
    layout: Path | None = None
    pairs: tuple[str, ...] = ()  # empty: all there are
    testset: str | None = None
    references: tuple[Path, ...] = ()
    systems: Mapping[str, Path] = field(default_factory=dict)
    source: Path | None = None
    human: Mapping[str, Any] = field(default_factory=dict)
    outside: tuple[OutsideScores, ...] = ()
    levels: tuple[str, ...] = ()  # empty: those that there are human scores for
    statistic: str = "pearson"
    segment_statistic: str = "pearson"
    averaging: str = "none"
    ties: str = "WMT14"
    significance: str = "williams"
    hybrids: int = HYBRIDS
    hybrid_human: str = "shares"
    hybrid_files: Path | None = None  # a folder of descriptions: read where they are there, else written
    resamples: int = 1000
    seed: int = SEED
    alpha: float = 0.05
    missing: str = "refuse"
    outliers: bool = False  # leave out systems that people find far off
    origin: str = "task"

    def __post_init__(self) -> None:
        for what, value, known in (
            ("statistic", self.statistic, SYSTEM_STATISTICS),
            ("segment_statistic", self.segment_statistic, SEGMENT_STATISTICS),
            ("significance", self.significance, SIGNIFICANCE),
            ("ties", self.ties, tuple(TIES)),
            ("hybrid_human", self.hybrid_human, ("shares", "segments")),
            ("missing", self.missing, ("refuse", "leave out")),
            ("averaging", self.averaging, ("none", "item", "system")),
            *(("levels", level, LEVELS) for level in self.levels),
            *(("human", key, _HUMAN) for key in self.human),
        ):
            if value not in known:
                raise InputError(
                    f"{self.origin}: {what} cannot be {value!r}{did_you_mean(str(value), known)}"
                )
        if not 0 < self.alpha < 1:
            raise InputError(f"{self.origin}: alpha must be between 0 and 1, not {self.alpha}")
        if not any(key in self.human for key in ("system", "segment", "pairs", "judgements")):
            raise InputError(
                f"{self.origin}: there are no human scores: say [human] system, segment, pairs or judgements"
            )
        if not self.metrics and not self.outside:
            raise InputError(f"{self.origin}: there are no metrics to judge")
        if not self.levels:
            object.__setattr__(self, "levels", self._levels())

    def _levels(self) -> tuple[str, ...]:
        raw = ("system", "segment", "pairs") if "judgements" in self.human else ()  # those that they can give
        return tuple(level for level in LEVELS if level in self.human or level in raw)

    @property
    def entries(self) -> tuple[MetricEntry, ...]:
        return entries_of(self.metrics, f"{self.origin}: metrics")

    @classmethod
    def load(cls, path: str | Path) -> Task:
        """Read and check a task file; whatever is wrong is named by its key."""
        where = Path(path)
        given = read_toml(where, "task file")
        return cls.of(given, where.parent, str(where))

    @classmethod
    def of_project(cls, project: Project) -> Task:
        """The systems of a project judged by the human scores that it names."""
        if not project.human:
            raise InputError(f'{project.path}: there are no human scores: say human = {{ segment = "file" }}')
        return cls(
            name=project.name or project.path.resolve().parent.name,
            metrics=project.metrics,
            pairs=(project.pair,) if project.pair else (),
            references=tuple(map(Path, project.references)),
            systems={name: Path(file) for name, file in project.systems.items()},
            source=None if project.source is None else Path(project.source),
            human={level: Path(file) for level, file in project.human.items()},
            seed=project.seed,
            origin=str(project.path),
        )

    @classmethod
    def of(cls, given: Mapping[str, Any], folder: Path, origin: str = "task") -> Task:
        """From the contents of a task file that stands in `folder`."""
        for key in given:
            if key not in _KEYS:
                raise InputError(f"{origin}: unknown key {key!r}{did_you_mean(key, _KEYS)}")
        layout = folder / _text(given, "layout", origin) if "layout" in given else None
        base = layout or folder
        human: dict[str, Any] = {}
        for key, value in _table(given, "human", origin).items():
            if key not in _HUMAN:
                raise InputError(f"{origin}: human: unknown key {key!r}{did_you_mean(key, _HUMAN)}")
            if not isinstance(value, str) or not value:
                raise InputError(f"{origin}: human.{key} must be a string, not {value!r}")
            human[key] = base / value if key not in ("shared", "name", "kind") else value
        said: dict[str, Any] = {"human": human}
        kinds: dict[str, type] = {
            "statistic": str,
            "segment_statistic": str,
            "averaging": str,
            "ties": str,
            "significance": str,
        }
        kinds |= {"hybrid_human": str, "missing": str, "testset": str, "outliers": bool}
        kinds |= {"hybrids": int, "resamples": int, "seed": int}
        for key, kind in kinds.items():
            if key in given:
                value = given[key]
                negative = isinstance(value, int) and value < 0
                if not isinstance(value, kind) or negative or (kind is int and isinstance(value, bool)):
                    raise InputError(f"{origin}: {key} cannot be {value!r}")
                said[key] = value
        if "alpha" in given:
            said["alpha"] = float(given["alpha"])
        for key in ("pairs", "levels"):
            said[key] = tuple(_strings(given, key, origin))
        systems = _table(given, "systems", origin)
        return cls(
            name=str(given.get("name", Path(origin).stem)),
            metrics=tuple(given.get("metrics", ())),
            layout=layout,
            references=tuple(folder / name for name in _strings(given, "references", origin)),
            systems={name: folder / str(file) for name, file in systems.items()},
            source=folder / _text(given, "source", origin) if "source" in given else None,
            hybrid_files=folder / _text(given, "hybrid_files", origin) if "hybrid_files" in given else None,
            outside=tuple(
                _outside(one, base, f"{origin}: outside[{i}]")
                for i, one in enumerate(given.get("outside", ()), 1)
            ),
            origin=origin,
            **said,
        )


def _outside(given: Any, base: Path, where: str) -> OutsideScores:
    if not isinstance(given, Mapping):
        raise InputError(f"{where} must be a table with files, not {given!r}")
    for key in given:
        if key not in _OUTSIDE:
            raise InputError(f"{where}: unknown key {key!r}{did_you_mean(key, _OUTSIDE)}")
    names = given.get("files")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise InputError(f"{where}: files must be a list of score files")
    return OutsideScores(
        files=tuple(base / name for name in names),
        name=given.get("name"),
        ensemble=bool(given.get("ensemble", False)),
        higher_is_better=bool(given.get("higher_is_better", True)),
    )


def _text(given: Mapping[str, Any], key: str, origin: str) -> str:
    if not isinstance(given[key], str) or not given[key]:
        raise InputError(f"{origin}: {key} must be a string, not {given[key]!r}")
    return str(given[key])


def _strings(given: Mapping[str, Any], key: str, origin: str) -> list[str]:
    value = given.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InputError(f"{origin}: {key} must be a list of strings, not {value!r}")
    return value


def _table(given: Mapping[str, Any], key: str, origin: str) -> Mapping[str, Any]:
    value = given.get(key, {})
    if not isinstance(value, Mapping):
        raise InputError(f"{origin}: {key} must be a table, not {value!r}")
    return value
