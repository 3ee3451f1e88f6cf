"""A task is data: texts, human scores, metrics, and how to judge them; written in a file, or in Python.

    name = "WMT17"
    layout = "wmt17"                      # a folder as WMT's metrics task or mt-metrics-eval lays it out
    pairs = ["cs-en", "de-en"]            # all there are, if none are named
    metrics = ["@wmt17", "bleu"]          # specs, tables of settings, bundled lists
    levels = ["system", "segment", "hybrids"]
    statistic = "pearson"
    significance = "williams"             # as WMT17 did
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
from typing import Annotated, Any, Literal, TypedDict

from tertium.errors import InputError
from tertium.human.ranking import AGREEMENT, JUDGES
from tertium.io.settings import Between, NonEmpty, OneOf, Origin, Written, Wrong, check, read
from tertium.io.toml import read_toml
from tertium.meta.against_pairs import TIES
from tertium.meta.agreement_statistics import STATISTICS, segment_statistics, system_statistics
from tertium.meta.metric_lists import MetricEntry, entries_of
from tertium.meta.paired_tests import SIGNIFICANCE
from tertium.project import Project
from tertium.stats.resampling import SEED

LEVELS = ("system", "segment", "document", "pairs", "hybrids")
HYBRIDS = 10_000
Count = Annotated[int, Between(0)]


def _proper(share: float) -> float:
    if 0 < share < 1:
        return share
    raise Wrong(f"must be between 0 and 1, not {share}")


def _share(share: float) -> float:
    if 0 < share <= 1:
        return share
    raise Wrong(f"must be above 0 and at most 1, not {share}")


class DefaultLevels(tuple[str, ...]):
    """Levels that nobody asked for: one without judgements is skipped, where an asked one is an error."""


class Human(TypedDict, total=False):
    """The table [human]: files of human scores, relative to the layout, and what to take from them."""

    system: Path
    segment: Path
    pairs: Path
    judgements: Path
    batches: Path
    task: str
    shared: str
    name: str
    kind: str


@dataclass(frozen=True)
class OutsideScores:
    """Score files of a metric that is not ours; without a name, all metrics that the files hold."""

    files: Annotated[tuple[Path, ...], NonEmpty()]
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
    metrics: Annotated[Sequence[Any], Written(tuple[str | MetricEntry, ...])] = ()
    layout: Path | None = None
    pairs: tuple[str, ...] = ()  # empty: all there are
    testset: str | None = None
    references: tuple[Path, ...] = ()
    systems: Mapping[str, Path] = field(default_factory=dict)
    source: Path | None = None
    documents: Path | None = None
    human: Annotated[Mapping[str, Any], Written(Human)] = field(
        default_factory=dict, metadata={"under": "layout"}
    )
    outside: tuple[OutsideScores, ...] = field(default=(), metadata={"under": "layout"})
    levels: tuple[Annotated[str, OneOf(LEVELS)], ...] = ()  # empty: those that there are human scores for
    statistic: Annotated[str, OneOf(system_statistics)] = "pearson"
    segment_statistic: Annotated[str, OneOf(segment_statistics)] = "pearson"
    averaging: Literal["none", "item", "system"] | None = None  # None: as the segment statistic has it
    ties: Annotated[str, OneOf(tuple(TIES))] | None = None  # None: WMT14; with a consensus of judges, ignored
    judges: Annotated[int, Between(1)] | None = None  # rankings: fewest judges of a pair of translations
    agreement: Annotated[float, _share] | None = None  # and the share of them who must give the same answer
    # None: perm-both for the test sets of mt-metrics-eval, whose tool tests so; permutation for everything else
    significance: Annotated[str, OneOf(SIGNIFICANCE)] | None = None
    hybrids: Count = HYBRIDS
    hybrid_human: Literal["shares", "segments"] = "shares"
    hybrid_units: Literal["segments", "documents"] = "segments"  # what is taken from one system as a whole
    hybrid_files: Path | None = None  # a folder of descriptions: read if they exist, otherwise written
    resamples: Count = 1000
    seed: Count = SEED
    alpha: Annotated[float, _proper] = 0.05
    missing: Literal["refuse", "leave out"] = "refuse"
    segments: Literal["all", "judged"] = "all"  # judged: only those that people judged for every system
    outliers: bool = False  # leave out systems that people find far off
    reference: str | None = None  # of mt-metrics-eval's references, the one that scores
    pseudo_references: tuple[str, ...] = ()  # systems whose outputs are references, and are not judged
    without_references: bool = False  # pseudo-references instead of references
    without: tuple[str, ...] | None = None  # systems to leave out; None: as the layout has it
    origin: str = field(default="task", metadata={"key": None})

    def __post_init__(self) -> None:
        for key in ("statistic", "segment_statistic"):
            if isinstance(name := getattr(self, key), str):
                object.__setattr__(self, key, STATISTICS.canonical(name))
        check(self, self.origin, but=("metrics",))
        named = self.layout is not None and "name" in self.human  # mt-metrics-eval's folders have the files
        if not named and not any(key in self.human for key in ("system", "segment", "pairs", "judgements")):
            raise InputError(
                f"{self.origin}: there are no human scores: add [human] system, segment, pairs or judgements"
            )
        if not self.metrics and not self.outside and not named:
            raise InputError(f"{self.origin}: there are no metrics to judge")
        if self.without_references and not self.pseudo_references:
            raise InputError(f"{self.origin}: without_references needs pseudo_references: names of systems")
        if not self.levels:
            object.__setattr__(self, "levels", DefaultLevels(self._levels()))

    @property
    def asked_levels(self) -> tuple[str, ...]:
        """The levels that the task names itself; none where it takes all that there are human scores for."""
        return () if isinstance(self.levels, DefaultLevels) else self.levels

    @property
    def consensus(self) -> tuple[int, float] | None:
        """The fewest judges of a pair and the share of them who must agree; None where a majority decides."""
        if self.judges is None and self.agreement is None:
            return None
        return (
            JUDGES if self.judges is None else self.judges,
            AGREEMENT if self.agreement is None else self.agreement,
        )

    @property
    def tie_matrix(self) -> str:
        """What a tie is worth on pairs: Song et al. (2013), whose rule the consensus is, ignore ties."""
        return self.ties or ("WMT14" if self.consensus is None else "ties ignored")

    def _levels(self) -> tuple[str, ...]:
        raw = ("system", "segment", "pairs") if "judgements" in self.human else ()  # those that they can give
        if self.layout is not None and "name" in self.human:
            raw = (*raw, "system", "segment")
        return tuple(level for level in LEVELS if level in self.human or level in raw)

    @property
    def entries(self) -> tuple[MetricEntry, ...]:
        return entries_of(self.metrics, f"{self.origin}: metrics")

    @classmethod
    def load(cls, path: str | Path) -> Task:
        """Read and check a task file; whatever is wrong is named by its line and key."""
        where = Path(path)
        given, text = read_toml(where, "task file")
        return cls.of(given, where.parent, str(where), text)

    @classmethod
    def of_project(cls, project: Project) -> Task:
        """The systems of a project judged by the human scores that it names."""
        if not project.human:
            raise InputError(f'{project.path}: there are no human scores: add human = {{ segment = "file" }}')
        return cls(
            name=project.name or project.path.resolve().parent.name,
            metrics=project.metrics,
            pairs=(project.pair,) if project.pair else (),
            references=tuple(map(Path, project.references)),
            systems={name: Path(file) for name, file in project.systems.items()},
            source=None if project.source is None else Path(project.source),
            documents=None if project.documents is None else Path(project.documents),
            human={level: Path(file) for level, file in project.human.items()},
            seed=project.seed,
            origin=str(project.path),
        )

    @classmethod
    def of(cls, given: Mapping[str, Any], folder: Path, origin: str = "task", text: str = "") -> Task:
        """From the contents of a task file that stands in `folder`; with its text, messages name lines."""
        values = {"name": Path(origin).stem, **given}
        return read(cls, values, Origin(origin, text, folder), origin=origin)
