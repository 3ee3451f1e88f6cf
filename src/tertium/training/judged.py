"""Segments or documents that people judged: what a metric is trained on."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError
from tertium.io.metricfiles import segment_hash
from tertium.io.records import numbered_lines
from tertium.io.streams import FilePath

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 10
SEGMENTS = "segments"
ENOUGH = 200  # judgements; with fewer, weights say more about chance than about people
_NONE = ("", "-", "NA", "nan", "None")


@dataclass(frozen=True)
class JudgedSegments:
    """Hypotheses with a reference, a judgement (higher is better) and the set that each belongs to. Where `units` says
    that they are documents, a text is a document, with line breaks between its segments.
    """

    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    sources: tuple[str, ...] | None
    judgements: NDArray[np.float64]
    sets: tuple[str, ...]
    units: str = SEGMENTS
    measured: tuple[str, ...] | None = None  # what is measured together, as one system's output; None: sets

    def __post_init__(self) -> None:
        n = len(self.hypotheses)
        for what, column in (
            ("references", self.references),
            ("judgements", self.judgements),
            ("sets", self.sets),
            ("names of what is measured together", self.together),
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

    @property
    def together(self) -> tuple[str, ...]:
        """What is measured together, since some metrics look at all texts of a set."""
        return self.sets if self.measured is None else self.measured

    @property
    def what(self) -> str:
        """Segments or documents."""
        return SEGMENTS if self.units == SEGMENTS else "documents"

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
        return hashlib.sha256(_bytes(repr(list(told)))).hexdigest()[:16]

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
        texts = sorted(set(self.references), key=lambda text: hashlib.sha256(_bytes(text)).digest())
        if len(texts) < 2:
            raise InputError(
                f"all {len(self)} judgements are of one reference: parts that are left out need others of their own"
            )
        part = {text: i % FOLDS for i, text in enumerate(texts)}
        return np.array([part[text] for text in self.references], dtype=np.int64)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


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
