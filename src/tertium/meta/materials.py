"""What a task needs of one language pair, opened: texts, human scores, and the scores of metrics that are not ours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from tertium._native import Lines
from tertium.errors import InputError, did_you_mean
from tertium.human.gold_files import kind_of, read_gold
from tertium.human.judgement import Gold
from tertium.human.layouts import as_testset
from tertium.human.plaintables import columns_of, has_segments, is_plain_table, read_plain_scores
from tertium.io.coverage import Coverage
from tertium.io.folders import is_short, matching_files
from tertium.io.hume import read_hume_texts
from tertium.io.mtme import (
    mtme_pairs,
    mtme_scores,
    read_mtme_layout,
    read_mtme_scores,
    stored_metric,
)
from tertium.io.pairs import BetterWorse, read_pairs_jsonl
from tertium.io.scorematrix import ScoreMatrix
from tertium.io.streams import unpacked_name
from tertium.io.wmtjudgements import LANGUAGES
from tertium.io.wmtlayout import human_pairs, is_wmt_layout, read_wmt_human, read_wmt_layout, wmt_pairs
from tertium.io.wmtscores import read_wmt_scores
from tertium.meta.folder_scores import (
    opened_scores,
    read_folder_gold,
    read_stored_metrics,
    scored_systems,
)
from tertium.meta.judged_segments import judged_only, lines_behind, moved, moved_coverage, texts_of_hume
from tertium.meta.metric_lists import LEVELS
from tertium.meta.scored_metrics import ScoredMetric, outside_metric
from tertium.meta.standard import OFFICIAL, FolderDefaults, folder_defaults, pairs_with_gold
from tertium.meta.task import OutsideScores, Task
from tertium.testset import TestSet


@dataclass(frozen=True, eq=False)
class PairData:
    """Everything of one language pair."""

    pair: str
    testset: TestSet | None
    human: Mapping[str, ScoreMatrix]  # by level: "system", "segment"
    better_worse: BetterWorse | None
    outside: tuple[ScoredMetric, ...]
    coverages: tuple[Coverage, ...]
    defaults: FolderDefaults | None = None  # of an mt-metrics-eval folder
    # Segment scores under the name of the system level's gold, which soft pairwise accuracy needs.
    human_segments: ScoreMatrix | None = None
    pairs_rule: str = ""  # which comparisons made the better-worse pairs
    raw: Gold | None = None  # of segments, from 0 to 100, before standardisation
    references: tuple[str, ...] = ()  # what the references that metrics score against are called


def pairs_of(task: Task) -> list[str]:
    """The language pairs of a task: those it names, or all that its folder has."""
    if task.layout is None:
        if len(task.pairs) > 1:
            raise InputError(f"{task.origin}: texts named in the task file must be of one language pair")
        return list(task.pairs or ("xx-yy",))
    if not task.layout.is_dir():
        raise InputError(f"{task.origin}: layout: {str(task.layout)!r} is not a folder")
    known = pairs_of_folder(task.layout)
    for pair in task.pairs:
        if pair not in known:
            raise InputError(
                f"{task.origin}: there is no pair {pair!r} in {task.layout}{did_you_mean(pair, known)}"
            )
    if task.pairs or "name" not in task.human or not is_mtme_layout(task.layout):
        return list(task.pairs or known)
    # Human scores that only some pairs have do not stop the others; the answer names the pairs left out.
    return pairs_with_gold(task.layout, task.human["name"])[0] or known


def pairs_without_gold(task: Task) -> list[str]:
    """The language pairs of the folder that are not judged, because they lack the human scores that are named."""
    if task.pairs or task.layout is None or "name" not in task.human or not is_mtme_layout(task.layout):
        return []
    return pairs_with_gold(task.layout, task.human["name"])[1]


def is_mtme_layout(folder: Path) -> bool:
    """Whether a folder is laid out as mt-metrics-eval's."""
    short = any("-" in own.name and is_short(own) for own in folder.iterdir())
    return not short and not is_wmt_layout(folder)


def pairs_of_folder(folder: Path) -> list[str]:
    """All language pairs of a shared task's folder."""
    if short := sorted(own.name for own in folder.iterdir() if "-" in own.name and is_short(own)):
        return short
    return wmt_pairs(folder) if is_wmt_layout(folder) else mtme_pairs(folder)


def task_of_files(
    human: str | Path | None,
    scores: Sequence[str | Path] = (),
    *,
    layout: str | Path | None = None,
    **settings: Any,
) -> Task:
    """A task without a task file: human scores or judgements, and files of metric scores. With `layout`, texts are
    those of a shared task's folder; in an mt-metrics-eval folder human scores may be given by name (None: the official
    ones), and stored metrics are found automatically.

    Plain tables have a header: system, score, and segment where there are segments (systems are then their means).
    """
    files: dict[str, tuple[Path, ...]] = {}  # of a metric: its levels may have a file each
    for own in map(Path, scores):
        key = str(own.with_name(re.sub(r"\.(seg|sys)\.score", ".score", own.name)))
        files[key] = (*files.get(key, ()), own)
    outside = tuple(map(OutsideScores, files.values()))
    common: dict[str, Any] = {"outside": outside, "origin": "meta run", **settings}
    if layout is not None:
        name = Path(layout).resolve().name
        if human is None or not Path(human).is_file():
            return Task(name, layout=Path(layout), human={"name": str(human or OFFICIAL)}, **common)
        common["layout"] = Path(layout)
    if human is None:
        raise InputError("give human scores: --human FILE (system, segment, score), or a name in the layout")
    path = Path(human)
    if ".sys.score" in path.name or ".seg.score" in path.name:
        level = "system" if ".sys." in path.name else "segment"
    elif not is_plain_table(path) or {"annotator", "kind"} & set(columns_of(path)):
        level = "judgements"
    else:
        level = "segment" if has_segments(path) else "system"
    apart = any(not is_plain_table(Path(own)) or has_segments(Path(own)) for own in scores)
    if level == "segment":
        common.setdefault("levels", LEVELS if apart or settings.get("metrics") else ("system",))
    return Task(path.name, human={level: path}, **common)


def pair_data(task: Task, pair: str, *, texts_inside: bool = True) -> PairData:
    """Open what a task needs of a language pair. `texts_inside`: files of judgements may bring their texts along."""
    coverages: list[Coverage] = []
    human: dict[str, ScoreMatrix] = {}
    better_worse: BetterWorse | None = None
    testset: TestSet | None = None
    human_segments: ScoreMatrix | None = None
    defaults: FolderDefaults | None = None
    pairs_rule, raw_scores = "", None
    references: tuple[str, ...] = ("ref",)
    if task.layout is not None and is_short(task.layout / pair):
        testset = TestSet.load(task.layout / pair)
    elif task.layout is not None and is_wmt_layout(task.layout):
        texts = read_wmt_layout(task.layout, pair, testset=task.testset, strip_bom=False)
        coverages.append(texts.coverage)
        testset = as_testset(texts)
        references = tuple(texts.references)
        for level in (level for level in LEVELS if level in task.human):
            file = task.human[level]
            if task.missing == "leave out" and pair not in human_pairs(file):
                none = ("people scored none",)
                coverages.append(Coverage(f"{file}: {pair}", f"{level} scores", 0, notes=none))
                continue
            shared = task.human.get("shared", "first")
            table = read_wmt_human(file, pair, texts=texts, shared=shared, missing=task.missing)
            _check_level(table.scores, level, task)
            human[level] = table.scores
            coverages.append(table.coverage)
    elif task.layout is not None:
        name = task.human.get("name")
        defaults = folder_defaults(
            task.layout, pair, human=name, reference=task.reference, origin=task.origin
        )
        texts = read_mtme_layout(task.layout, pair)
        testset = as_testset(texts, defaults.references)
        references = defaults.references
        human, human_segments = read_folder_gold(task.layout, pair, defaults)
        coverages.append(texts.coverage)
    else:
        testset = _own_texts(task)
        if task.references:
            references = tuple(Path(unpacked_name(own.name)).stem for own in task.references)
    if task.layout is None or defaults is not None:
        human |= {
            level: _read_scores(task.human[level], level, task) for level in LEVELS if level in task.human
        }
        if "system" in task.levels and "system" not in human and "segment" in human:
            human["system"] = human["segment"].system_means()
    if "pairs" in task.human:
        found = read_pairs_jsonl(task.human["pairs"])
        better_worse = found.pairs
        coverages.append(found.coverage)
        if testset is None:
            systems = {name: Lines([text or "" for text in own]) for name, own in found.outputs.items()}
            testset = TestSet.of(found.references, systems, sources=found.sources, name=task.name)
    if "judgements" in task.human:
        source, _, target = pair.partition("-")
        path = str(task.human["judgements"]).replace("{source}", source).replace("{target}", target)
        wanted = task.human.get("task")
        if (
            wanted is None
            and {source, target} <= set(LANGUAGES)
            and kind_of(matching_files(path)[0]) == "wmt-rankings"
        ):
            wanted = pair
        judges, agreement = task.consensus or (None, None)
        named_pair = None if task.layout is None and not task.pairs else pair
        gold = read_gold(
            [Path(own) for own in matching_files(path)],
            batches=task.human.get("batches"),
            task=wanted,
            pair=named_pair,
            judges=judges,
            agreement=agreement,
        )
        coverages += gold.coverages
        human["system"] = gold.systems.scores
        if gold.segments is not None:
            human["segment"] = gold.segments.scores
        if gold.pairs is not None:
            better_worse, pairs_rule = gold.pairs, gold.pairs_rule
        raw_scores = gold.raw
        if testset is not None and (shift := lines_behind(gold.documents, testset.documents)):
            human["segment"] = moved(human["segment"], shift)
            raw_scores = raw_scores and replace(raw_scores, scores=moved(raw_scores.scores, shift))
            coverages.append(moved_coverage(path, len(human["segment"].items), shift))
        # Their sentences are numbered anew, so not where scores of other metrics have the file's own numbers.
        if testset is None and gold.judged == "hume" and texts_inside and not task.outside:
            inside = read_hume_texts(path, pair=named_pair)
            if inside is not None:
                testset, human["segment"] = texts_of_hume(inside, human["segment"], task.name)
                human["system"] = human["segment"].system_means()
                coverages.append(inside.coverage)
    elif task.consensus is not None:
        raise InputError(
            f"{task.origin}: judges and agreement need human.judgements: rankings or comparisons"
        )
    if not human and better_worse is None:
        raise InputError(f"{task.origin}: {pair} has no human scores")
    outside = tuple(_outside(task, pair, None if testset is None else len(testset), defaults))
    if defaults is not None and testset is not None and not task.outside:
        outside, padded = read_stored_metrics(task, defaults, scored_systems(human, defaults))
        defaults = replace(defaults, padded=padded)
    if testset is not None:
        testset = _spelt_alike(testset, human)
    if task.pseudo_references:
        if testset is None:
            raise InputError(f"{task.origin}: pseudo_references need texts")
        testset = testset.with_pseudo_references(task.pseudo_references, instead=task.without_references)
        references = (*(() if task.without_references else references), *task.pseudo_references)
    data = PairData(
        pair,
        testset,
        human,
        better_worse,
        outside,
        tuple(coverages),
        defaults,
        human_segments,
        pairs_rule,
        raw_scores,
        references,
    )
    if task.segments == "judged":
        data = judged_only(task, data)
    if defaults is None and not task.without and not task.pseudo_references:
        return data
    return _without(task, data)


def _spelt_alike(testset: TestSet, human: Mapping[str, ScoreMatrix]) -> TestSet:
    """Files called `nmt` are the outputs of what people's table calls NMT."""
    known = {name.lower(): name for scores in human.values() for name in scores.systems}
    taken = set(known.values())
    if taken & set(testset.systems):
        return testset
    return replace(
        testset, systems={known.get(name.lower(), name): own for name, own in testset.systems.items()}
    )


def _check_level(scores: ScoreMatrix, level: str, task: Task) -> None:
    if scores.level != level:
        raise InputError(f"{task.origin}: human.{level}: {scores.label} has {scores.level} scores")


def _own_texts(task: Task) -> TestSet | None:
    if not task.systems:
        return None
    if not task.references:
        raise InputError(f"{task.origin}: systems need references")
    return TestSet.open(
        task.references, task.systems, source=task.source, documents=task.documents, name=task.name
    )


def _without(task: Task, data: PairData) -> PairData:
    """A language pair without the systems that are not judged: those the task names, or else, in mt-metrics-eval's
    layout, the references that score, outliers, and systems that people did not score; and pseudo-references."""
    gone = dict.fromkeys(task.without or ())
    defaults = data.defaults
    if task.without is None and defaults is not None:
        gone = dict.fromkeys((*defaults.references, *defaults.outliers))
    pseudo = () if data.testset is None else data.testset.references.pseudo
    gone |= dict.fromkeys(pseudo)
    scored = [part for one in data.outside for part in (one.systems, one.segments) if part]
    known = dict.fromkeys(data.testset.systems if data.testset is not None else ())
    known |= dict.fromkeys(name for one in (*data.human.values(), *scored) for name in one.systems)
    here = [name for name in gone if name in known]
    said = [f"left out: {', '.join(here)}"] if here else []
    if pseudo:
        place = "instead of" if task.without_references else "beside"
        said.append(f"pseudo-references {place} references: {', '.join(pseudo)}")
    if defaults is not None:
        judged = {
            name for one in data.human.values() for name in one.systems if one.selected([name]).defined.any()
        }
        if unjudged := [name for name in known if name not in judged and name not in gone]:
            said.append(f"not scored by people: {', '.join(unjudged)}")
            gone |= dict.fromkeys(unjudged)
        if not task.without_references:
            said.insert(0, f"metrics score against {', '.join(defaults.references)}")
        others = (name for name in defaults.all_references if name in known and name not in gone)
        defaults = replace(defaults, humans=tuple(others))

    def kept(matrix: ScoreMatrix) -> ScoreMatrix:
        return matrix.selected([name for name in matrix.systems if name not in gone])

    testset = data.testset
    if testset is not None:
        systems = {name: lines for name, lines in testset.systems.items() if name not in gone}
        testset = replace(testset, systems=systems)
    left = len(known.keys() - gone.keys())
    coverage = Coverage(f"{task.origin}: {data.pair}", "systems", left, notes=tuple(said))
    return replace(
        data,
        testset=testset,
        human={level: kept(own) for level, own in data.human.items()},
        better_worse=data.better_worse and _pairs_without(data.better_worse, gone),
        raw=data.raw and data.raw.selected([name for name in data.raw.scores.systems if name not in gone]),
        outside=tuple(
            replace(
                one, systems=one.systems and kept(one.systems), segments=one.segments and kept(one.segments)
            )
            for one in data.outside
        ),
        coverages=(*data.coverages, coverage),
        defaults=defaults,
        human_segments=data.human_segments and kept(data.human_segments),
    )


def _pairs_without(pairs: BetterWorse, gone: Mapping[str, None]) -> BetterWorse:
    there = np.array([name not in gone for name in pairs.systems])
    return pairs if there.all() else pairs.take(there[pairs.better] & there[pairs.worse])


def _read_scores(path: Path, level: str, task: Task) -> ScoreMatrix:
    """Human scores of one pair in a file of their own: mt-metrics-eval's two columns, or a table with a header."""
    if ".sys.score" in path.name or ".seg.score" in path.name:
        found = read_mtme_scores(path, level=level)  # type: ignore[arg-type]
    else:
        found = read_plain_scores(path, "human")
        if level == "system" and found.level == "segment":
            found = found.system_means()
    _check_level(found, level, task)
    return found


def _outside(
    task: Task, pair: str, segments: int | None, defaults: FolderDefaults | None
) -> Iterator[ScoredMetric]:
    for one in task.outside:
        matrices: dict[str, list[ScoreMatrix]] = {}
        for matrix in _matrices(task, one, pair, segments, defaults):
            matrices.setdefault(matrix.name, []).append(matrix)
        if not matrices:
            names = ", ".join(path.name for path in one.files)
            raise InputError(f"{task.origin}: {names}: there are no scores of {pair}")
        for name, own in matrices.items():
            yield outside_metric(
                own,
                one.name if one.name and len(matrices) == 1 else name,
                higher_is_better=one.higher_is_better,
                ensemble=one.ensemble,
                derive=all(is_plain_table(path) for path in one.files if path.name != "*"),
            )


def _matrices(
    task: Task, one: OutsideScores, pair: str, segments: int | None, defaults: FolderDefaults | None
) -> Iterator[ScoreMatrix]:
    for path in one.files:
        if path.name == "*" and task.layout is not None:
            used = frozenset(() if defaults is None else defaults.references)
            files = mtme_scores(task.layout, pair)[1]
            yield from opened_scores(own for own in files if stored_metric(own.name, used)[1] <= used)
            continue
        if is_plain_table(path):
            yield read_plain_scores(path, one.name)
            continue
        file = read_wmt_scores(path)
        if file.level not in LEVELS or pair not in file.pairs:
            continue
        for metric in file.metrics:
            limit = segments if file.level == "segment" else None
            yield file.matrix(metric=metric, pair=pair, testset=task.testset, segments=limit)
