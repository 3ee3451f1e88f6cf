"""What a task needs of one language pair, opened: texts, human scores, and the scores of metrics that are not ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tertium._native import Lines
from tertium.errors import InputError, did_you_mean
from tertium.human.gold_files import read_gold
from tertium.human.layouts import as_testset
from tertium.io.coverage import Coverage
from tertium.io.files import read_lines
from tertium.io.mtme import mtme_pairs, mtme_scores, read_mtme_layout, read_mtme_scores
from tertium.io.pairs import BetterWorse, read_pairs_jsonl
from tertium.io.scorematrix import Level, ScoreMatrix
from tertium.io.wmtlayout import human_pairs, is_wmt_layout, read_wmt_human, read_wmt_layout, wmt_pairs
from tertium.io.wmtscores import read_wmt_scores
from tertium.meta.scored_metrics import ScoredMetric, outside_metric
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


def pairs_of(task: Task) -> list[str]:
    """The language pairs of a task: those it names, or all that its folder has."""
    if task.layout is None:
        if len(task.pairs) > 1:
            raise InputError(f"{task.origin}: texts in the task file itself are of one language pair")
        return list(task.pairs or ("xx-yy",))
    if not task.layout.is_dir():
        raise InputError(f"{task.origin}: layout names {str(task.layout)!r}, which is no folder")
    known = wmt_pairs(task.layout) if _is_wmt(task.layout) else mtme_pairs(task.layout)
    for pair in task.pairs:
        if pair not in known:
            raise InputError(
                f"{task.origin}: there is no pair {pair!r} in {task.layout}{did_you_mean(pair, known)}"
            )
    return list(task.pairs or known)


def _is_wmt(folder: Path) -> bool:
    return is_wmt_layout(folder) and not (folder / "human-scores").is_dir()


def pair_data(task: Task, pair: str) -> PairData:
    """Open what a task needs of a language pair."""
    coverages: list[Coverage] = []
    human: dict[str, ScoreMatrix] = {}
    better_worse: BetterWorse | None = None
    testset: TestSet | None = None
    if task.layout is not None and _is_wmt(task.layout):
        texts = read_wmt_layout(task.layout, pair, testset=task.testset, strip_bom=False)
        coverages.append(texts.coverage)
        testset = as_testset(texts)
        for level in ("system", "segment"):
            if level in task.human:
                if task.missing == "leave out" and pair not in human_pairs(task.human[level]):
                    what = f"{task.human[level]}: {pair}"
                    coverages.append(Coverage(what, f"{level} scores", 0, notes=("people scored none",)))
                    continue
                table = read_wmt_human(
                    task.human[level],
                    pair,
                    texts=texts,
                    shared=task.human.get("shared", "first"),
                    missing=task.missing,
                )
                _check_level(table.scores, level, task)
                human[level] = table.scores
                coverages.append(table.coverage)
    elif task.layout is not None:
        texts = read_mtme_layout(task.layout, pair)
        coverages.append(texts.coverage)
        testset = as_testset(texts, [next(iter(texts.references))])
        human = dict(_mtme_human(task, pair, texts.documents))
    else:
        testset = _own_texts(task)
        for level in ("system", "segment"):
            if level in task.human:
                human[level] = _read_scores(task.human[level], level, task)
    if "pairs" in task.human:
        found = read_pairs_jsonl(task.human["pairs"])
        better_worse = found.pairs
        coverages.append(found.coverage)
        if testset is None:
            systems = {name: Lines([text or "" for text in own]) for name, own in found.outputs.items()}
            testset = TestSet.of(found.references, systems, sources=found.sources, name=task.name)
    if "judgements" in task.human:
        raw = read_gold(task.human["judgements"])
        coverages += raw.coverages
        human["system"] = raw.systems.scores
        if raw.segments is not None:
            human["segment"] = raw.segments.scores
        better_worse = raw.pairs or better_worse
    if not human and better_worse is None:
        raise InputError(f"{task.origin}: {pair} has no human scores")
    outside = tuple(_outside(task, pair, None if testset is None else len(testset)))
    return PairData(pair, testset, human, better_worse, outside, tuple(coverages))


def _check_level(scores: ScoreMatrix, level: str, task: Task) -> None:
    if scores.level != level:
        raise InputError(
            f"{task.origin}: human.{level} names {scores.label}, which has {scores.level} scores"
        )


def _own_texts(task: Task) -> TestSet | None:
    if not task.systems:
        return None
    if not task.references:
        raise InputError(f"{task.origin}: systems need references")
    return TestSet.of(
        [read_lines(path) for path in task.references],
        {name: read_lines(path) for name, path in task.systems.items()},
        sources=None if task.source is None else read_lines(task.source),
        name=task.name,
    )


def _mtme_human(
    task: Task, pair: str, documents: tuple[str, ...] | None
) -> Iterator[tuple[str, ScoreMatrix]]:
    assert task.layout is not None
    names, _ = mtme_scores(task.layout, pair)
    wanted = task.human.get("name")
    known = sorted({own.name for own in names})
    if wanted is None and len(known) == 1:
        wanted = known[0]
    if wanted not in known:
        what = "say human.name" if wanted is None else f"no {wanted!r}"
        raise InputError(
            f"{task.origin}: {pair} has human scores called {', '.join(known) or 'nothing'}: {what}"
        )
    for own in names:
        if own.name == wanted and own.level in ("system", "segment"):
            yield own.level, read_mtme_scores(own.path, level=own.level, name=own.name)


def _read_scores(path: Path, level: str, task: Task) -> ScoreMatrix:
    """Human scores of one pair in a file of their own: mt-metrics-eval's two columns, or a table with a header."""
    name = path.name
    if ".score" in name:
        found = read_mtme_scores(path, level=level)  # type: ignore[arg-type]
    else:
        from tertium.human.judgement import segment_gold
        from tertium.io.judgements import read_judgements

        gold = segment_gold(read_judgements(path).judgements, "human")
        found = gold.scores if level == "segment" else gold.by_system().scores
    _check_level(found, level, task)
    return found


def _outside(task: Task, pair: str, segments: int | None) -> Iterator[ScoredMetric]:
    for one in task.outside:
        matrices: dict[str, list[ScoreMatrix]] = {}
        for matrix in _matrices(task, one, pair, segments):
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
            )


def _matrices(task: Task, one: OutsideScores, pair: str, segments: int | None) -> Iterator[ScoreMatrix]:
    for path in one.files:
        if path.name == "*" and task.layout is not None:
            for own in mtme_scores(task.layout, pair)[1]:
                if own.level in ("system", "segment"):
                    yield read_mtme_scores(own.path, level=own.level, name=own.name)
            continue
        file = read_wmt_scores(path)
        level: Level = file.level
        if level not in ("system", "segment") or pair not in file.pairs:
            continue
        for metric in file.metrics:
            limit = segments if level == "segment" else None
            yield file.matrix(metric=metric, pair=pair, testset=task.testset, segments=limit)
