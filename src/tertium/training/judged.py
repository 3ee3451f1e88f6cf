"""Segments that people judged: what a metric is trained on."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.io.metricfiles import segment_hash
from tertium.io.records import numbered_lines
from tertium.io.streams import FilePath, display_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.testset import TestSet

FOLDS = 10
ENOUGH = 200  # judgements; with fewer, weights say more about chance than about people
_NONE = ("", "-", "NA", "nan", "None")


@dataclass(frozen=True)
class JudgedSegments:
    """Hypotheses with a reference, a judgement (higher is better) and the set that each belongs to."""

    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    sources: tuple[str, ...] | None
    judgements: NDArray[np.float64]
    sets: tuple[str, ...]

    def __post_init__(self) -> None:
        n = len(self.hypotheses)
        for what, column in (
            ("references", self.references),
            ("judgements", self.judgements),
            ("sets", self.sets),
        ):
            if len(column) != n:
                raise InputError(f"there are {n} hypotheses, but {len(column)} {what}")
        if n < ENOUGH:
            raise InputError(
                f"{n} judgements are too few to train on: {ENOUGH} are the least, 1,000 and more do well"
            )
        if np.ptp(self.judgements) == 0:
            raise InputError(
                f"all {n} judgements are {self.judgements[0]:g}: there is nothing to learn from them"
            )

    def __len__(self) -> int:
        return len(self.hypotheses)

    def standardised(self) -> JudgedSegments:
        """Judgements as standard deviations from the mean of their set: sets were judged by different people."""
        human, sets = self.judgements.copy(), np.array(self.sets)
        for name in dict.fromkeys(self.sets):
            own = human[sets == name]
            human[sets == name] = (own - own.mean()) / (own.std() or 1.0)
        return replace(self, judgements=human)

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits, equal where texts and judgements are."""
        told = zip(self.hypotheses, self.references, self.judgements.tolist(), strict=True)
        return hashlib.sha256(repr(list(told)).encode()).hexdigest()[:16]

    def seen(self) -> str:
        """Hashes of the segments, for the metric to know them again."""
        found = {segment_hash(*texts) for texts in zip(self.hypotheses, self.references, strict=True)}
        return "".join(sorted(found))

    def folds(self) -> NDArray[np.int64]:
        """The number of the part that each segment is left out with: its set, or with fewer than three sets one of ten
        parts, such that no reference is in two.
        """
        names = list(dict.fromkeys(self.sets))
        if len(names) >= 3:
            return np.array([names.index(name) for name in self.sets], dtype=np.int64)
        drawn = [int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) % FOLDS for text in self.references]
        return np.array(drawn, dtype=np.int64)


def is_judgement(text: str) -> bool:
    """Whether a line holds a judgement, or says that there is none."""
    try:
        return text.strip() in _NONE or math.isfinite(float(text))
    except ValueError:
        return False


def read_judgements(path: FilePath) -> list[float]:
    """A number a line; an empty line, - or NA where there is none."""
    found = []
    for where, line in numbered_lines(path):
        text = line.strip()
        try:
            value = math.nan if text in _NONE else float(text)
        except ValueError:
            raise InputError(
                f"{where}: {text[:40]!r} is no judgement: a number, or - where there is none"
            ) from None
        if math.isinf(value):
            raise InputError(f"{where}: a judgement must be a finite number")
        found.append(value)
    return found


def judged_segments(testset: TestSet, files: Sequence[FilePath]) -> JudgedSegments:
    """The segments of a test set, with a file of judgements for each system."""
    if len(files) != len(testset.systems):
        raise InputError(f"there are {len(testset.systems)} systems, but {len(files)} files of judgements")
    if len(testset.references.streams) != 1:
        raise InputError("a metric is trained against one reference: give a single file of references")
    n = len(testset.references)
    (stream,) = testset.references.streams
    hypotheses, references, sources, judgements, sets = [], [], [], [], []
    for (system, lines), path in zip(testset.systems.items(), files, strict=True):
        values = read_judgements(path)
        if len(values) != n:
            raise InputError(
                f"{display_name(path)}: has {len(values)} judgements, but {system} has {n} segments"
            )
        for i, value in enumerate(values):
            if not math.isnan(value):
                hypotheses.append(lines[i] or "")
                references.append(stream[i] or "")
                sources.append("" if testset.sources is None else testset.sources[i] or "")
                judgements.append(value)
                sets.append(testset.documents[i] if testset.documents else "")
    return JudgedSegments(
        tuple(hypotheses),
        tuple(references),
        None if testset.sources is None else tuple(sources),
        np.array(judgements),
        tuple(sets),
    )
