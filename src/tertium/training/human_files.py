"""Judgements as people have them: WMT's tables beside a folder of texts, or any file that `tertium meta` reads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tertium.errors import InputError, did_you_mean
from tertium.io.records import numbered_lines
from tertium.io.scorematrix import ScoreMatrix
from tertium.io.wmtlayout import human_pairs, is_wmt_layout
from tertium.meta.materials import PairData, pair_data, pairs_of, task_of_files
from tertium.meta.task import Task
from tertium.testset import TestSet
from tertium.training.judged import JudgedSegments, is_judgement


@dataclass
class Gathered:
    """Segments as they come together, system by system."""

    hypotheses: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    judgements: list[float] = field(default_factory=list)
    sets: list[str] = field(default_factory=list)
    with_sources: bool = True

    def add(self, testset: TestSet, scores: ScoreMatrix, name: str) -> None:
        """The judged segments of a test set; what people judged that is not in it is named and refused."""
        if len(testset.references.streams) != 1:
            raise InputError("a metric is trained against one reference: give a single file of references")
        self.with_sources &= testset.sources is not None
        (stream,) = testset.references.streams
        for system, row in zip(scores.systems, scores.values, strict=True):
            if system not in testset.systems:
                raise InputError(
                    f"{scores.label}: there is no output of system {system!r}{did_you_mean(system, testset.systems)}"
                )
            for item, value in zip(scores.items, row.tolist(), strict=True):
                if math.isnan(value):
                    continue
                if not item.isdecimal() or not 1 <= int(item) <= len(stream):
                    raise InputError(
                        f"{scores.label}: people judged segment {item!r} of {system}, but the test set has segments "
                        f"1 to {len(stream)}"
                    )
                i = int(item) - 1
                self.hypotheses.append(testset.systems[system][i] or "")
                self.references.append(stream[i] or "")
                self.sources.append("" if testset.sources is None else testset.sources[i] or "")
                self.judgements.append(value)
                self.sets.append(testset.documents[i] if testset.documents and not name else name)

    def judged(self) -> JudgedSegments:
        return JudgedSegments(
            tuple(self.hypotheses),
            tuple(self.references),
            tuple(self.sources) if self.with_sources else None,
            np.array(self.judgements),
            tuple(self.sets),
        )


def is_lines_of_numbers(path: str) -> bool:
    """Whether a file of judgements is a number a line, and no table."""
    first = next((line for _, line in numbered_lines(path)), "")
    return is_judgement(first)


def judged_in_folder(human: str, folder: str, pairs: Sequence[str] = ()) -> JudgedSegments:
    """The segments that people judged in a shared task's folder: a set for each language pair."""
    root = Path(folder)
    if not root.is_dir():
        raise InputError(f"{folder}: is no folder of a shared task")
    common: dict[str, Any] = {"levels": ("segment",), "metrics": ("chrf",)}  # a task judges some metric
    task = task_of_files(human, layout=root, pairs=tuple(pairs), **common)
    if is_wmt_layout(root):
        known = human_pairs(human)
        for pair in pairs:
            if pair not in known:
                raise InputError(f"{human}: there are no judgements of {pair!r}{did_you_mean(pair, known)}")
        wanted = tuple(pairs or known)
        task = Task(root.name, layout=root, human={"segment": Path(human)}, pairs=wanted, **common)
    found = Gathered()
    for pair in pairs_of(task):
        data = pair_data(task, pair)
        found.add(_texts(data, human), _segments(data, human), pair)
    return found.judged()


def judged_in(testset: TestSet, human: str) -> JudgedSegments:
    """The segments of a test set with one file of judgements of all its systems."""
    data = pair_data(task_of_files(human, levels=("segment",), metrics=("chrf",)), "xx-yy")
    found = Gathered()
    found.add(testset, _segments(data, human), "")
    return found.judged()


def _texts(data: PairData, human: str) -> TestSet:
    if data.testset is None:
        raise InputError(f"{human}: there are no texts of {data.pair}")
    return data.testset


def _segments(data: PairData, human: str) -> ScoreMatrix:
    if "segment" not in data.human:
        raise InputError(f"{human}: has no judgements of segments")
    return data.human["segment"]
