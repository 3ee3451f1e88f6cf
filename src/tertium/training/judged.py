"""Segments or documents that people judged: what a metric is trained on."""

from __future__ import annotations

import hashlib
import math
from abc import ABC, abstractmethod
from collections.abc import Sized
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tertium.errors import InputError
from tertium.io.metricfiles import segment_hash
from tertium.io.records import numbered_lines
from tertium.io.streams import FilePath

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.training.models import Learner

    Array = NDArray[np.float64]
    Mask = NDArray[np.bool_]

FOLDS = 10
SEGMENTS = "segments"
ENOUGH = 200  # judgements; with fewer, weights say more about chance than about people
_NONE = ("", "-", "NA", "nan", "None")


class JudgedTexts(ABC):
    """Hypotheses with a reference and the set that each belongs to, and what people say of them. Where `units` says
    that they are documents, a text is a document, with line breaks between its segments.

    Subclasses say what people said: scores, or which of two is better. All parts are named by masks over the texts.
    """

    learns_from: ClassVar[str]  # what its learners learn from: scores, comparisons
    usual: ClassVar[str]  # its learner, if nobody says another
    measure: ClassVar[str]  # of the agreement with people

    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    sources: tuple[str, ...] | None
    sets: tuple[str, ...]
    units: str
    measured: tuple[str, ...] | None  # what is measured together, as one system's output; None: sets
    pseudo: tuple[str, ...]  # labels of references that are outputs of other systems
    others: tuple[tuple[str, ...], ...]  # further references of the same texts

    @abstractmethod
    def fit(self, how: Learner, rows: Array, inside: Mask, setting: float) -> dict[str, Any]:
        """A model of some of the texts, from the features of all (references x texts x features): each reference gives
        something to learn from."""

    @abstractmethod
    def agreement(self, scores: Array, inside: Mask) -> float:
        """How scores of some of the texts agree with people, from -1 to 1."""

    @abstractmethod
    def number(self, inside: Mask | None = None) -> int:
        """How many judgements there are, of all texts or some."""

    @abstractmethod
    def calibration(self, scores: Array) -> tuple[Array, Array]:
        """What scores predict, and what people said."""

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits, equal where texts and judgements are."""

    def accuracy(self, scores: Array) -> float | None:
        """The share of comparisons that scores decide as people do, where people compared."""
        return None

    def order(self, draw: np.random.Generator) -> NDArray[np.int64]:
        """The texts in an order of chance, of which a begin is a smaller set."""
        return draw.permutation(len(self))

    def __len__(self) -> int:
        return len(self.hypotheses)

    def _check(self, **columns: Sized) -> None:
        own = {"references": self.references, "sets": self.sets, "names of what is measured": self.together}
        own |= {f"references (stream {i})": stream for i, stream in enumerate(self.others, 2)}
        for what, column in (own | columns).items():
            if len(column) != len(self):
                raise InputError(f"there are {len(self)} hypotheses, but {len(column)} {what}")

    @property
    def streams(self) -> tuple[tuple[str, ...], ...]:
        """All references of the texts."""
        return self.references, *self.others

    @property
    def together(self) -> tuple[str, ...]:
        """What is measured together, since some metrics look at all texts of a set."""
        return self.sets if self.measured is None else self.measured

    @property
    def what(self) -> str:
        """Segments or documents."""
        return SEGMENTS if self.units == SEGMENTS else "documents"

    def seen(self) -> str:
        """Hashes of the segments, for the metric to know them again."""
        found = {
            segment_hash(*texts) for own in self.streams for texts in zip(self.hypotheses, own, strict=True)
        }
        return "".join(sorted(found))

    def folds(self) -> NDArray[np.int64]:
        """The number of the part that each segment is left out with: its set, or with fewer than three sets one of ten
        parts, such that no reference is in two.
        """
        names = list(dict.fromkeys(self.sets))
        if len(names) >= 3:
            return np.array([names.index(name) for name in self.sets], dtype=np.int64)
        texts = sorted(set(self.references), key=lambda text: hashlib.sha256(as_bytes(text)).digest())
        if len(texts) < 2:
            raise InputError(
                f"all {self.number()} judgements are of one reference: parts that are left out need others of their own"
            )
        part = {text: i % FOLDS for i, text in enumerate(texts)}
        return np.array([part[text] for text in self.references], dtype=np.int64)


@dataclass(frozen=True)
class JudgedSegments(JudgedTexts):
    """Segments or documents with a judgement each: a number, higher is better."""

    learns_from = "scores"
    usual = "svr"
    measure = "r"

    hypotheses: tuple[str, ...]
    references: tuple[str, ...]
    sources: tuple[str, ...] | None
    judgements: NDArray[np.float64]
    sets: tuple[str, ...]
    units: str = SEGMENTS
    measured: tuple[str, ...] | None = None
    pseudo: tuple[str, ...] = ()
    others: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        self._check(judgements=self.judgements)
        enough(len(self), "judgements")
        if np.ptp(self.judgements) == 0:
            raise InputError(
                f"all {len(self)} judgements are {self.judgements[0]:g}: there is nothing to learn from them"
            )

    def standardised(self) -> JudgedSegments:
        """Judgements as standard deviations from the mean of their set: sets were judged by different people."""
        human, sets = self.judgements.copy(), np.array(self.sets)
        for name in dict.fromkeys(self.sets):
            own = human[sets == name]
            human[sets == name] = (own - own.mean()) / (own.std() or 1.0)
        return replace(self, judgements=human)

    @property
    def fingerprint(self) -> str:
        told = zip(self.hypotheses, *self.streams, self.judgements.tolist(), strict=True)
        return hashlib.sha256(as_bytes(repr(list(told)))).hexdigest()[:16]

    def fit(self, how: Learner, rows: Array, inside: Mask, setting: float) -> dict[str, Any]:
        human = np.tile(self.judgements[inside], len(rows))
        return how.fit(rows[:, inside].reshape(-1, rows.shape[2]), human, setting)

    def agreement(self, scores: Array, inside: Mask) -> float:
        return correlation(scores[inside], self.judgements[inside])

    def number(self, inside: Mask | None = None) -> int:
        return len(self) if inside is None else int(inside.sum())

    def calibration(self, scores: Array) -> tuple[Array, Array]:
        return scores, self.judgements


def enough(number: int, what: str) -> None:
    """Refuses fewer judgements than can be learnt from."""
    if number < ENOUGH:
        raise InputError(
            f"{number} {what} are too few to train on: {ENOUGH} are the least, 1,000 and more do well"
        )


def correlation(ours: Array, human: Array) -> float:
    """Pearson's r; 0 where there is none."""
    if len(ours) < 2 or np.ptp(ours) == 0 or np.ptp(human) == 0:
        return 0.0
    return float(np.corrcoef(ours, human)[0, 1])


def as_bytes(text: str) -> bytes:
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
