"""A learned order of proposals: what each is expected to be worth, a sum over pieces of information.

Every number (`evidence.py`) has a line with bends of its own; what a piece adds is the sum over its numbers, above or
below the mean of all candidates. So each proposal can say what earned it its place. Plain JSON, no random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.errors import InputError
from tertium.io import settings
from tertium.io.files import write_atomically
from tertium.io.ownfiles import check_own
from tertium.io.records import json_line, read_json
from tertium.matching.evidence import LATER, PIECES, SOURCE_PIECE, MatchQuestion, consistency, numbers

if TYPE_CHECKING:
    from tertium.text.keyed import Numbers

FORMAT = "tertium matching policy"
VERSION = 1


@dataclass(frozen=True)
class BentLine:
    """What a number is worth: a slope, another one added after each bend, and the mean of that over all candidates."""

    name: str
    piece: str
    bends: tuple[float, ...]
    slopes: tuple[float, ...]  # one more than bends
    mean: float

    def __call__(self, values: Numbers) -> Numbers:
        """Above or below the mean; 0 where nothing is known."""
        found: Numbers = np.nan_to_num(bent(values, self.bends) @ np.array(self.slopes) - self.mean)
        return found


def bent(values: Numbers, bends: Sequence[float]) -> Numbers:
    """The number itself, and how far it is beyond each bend.

    >>> bent(np.array([1.0, 3.0]), [2.0]).tolist()
    [[1.0, 0.0], [3.0, 1.0]]
    """
    return np.stack([values, *(np.maximum(values - own, 0.0) for own in bends)], axis=1)


class JudgedCandidates(NamedTuple):
    """Rows: what each candidate is expected to be worth, and what each piece adds."""

    scores: Numbers
    added: dict[str, Numbers]


@dataclass(frozen=True)
class Policy:
    """Lines for numbers, and the mean worth of candidates."""

    format: str
    version: int
    memory: str  # what it was trained on
    since: str  # the day from which on units were the target
    segments: int
    documents: int
    candidates: int
    unused: tuple[str, ...]  # pieces that the memory says nothing about
    earned: dict[str, float]  # edits saved by each piece, across documents
    mean: float
    lines: tuple[BentLine, ...]

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        used = {own.piece for own in self.lines}
        return tuple(name for name in PIECES if name in used)

    @property
    def knows_sources(self) -> bool:
        """Whether it can say what a segment itself is worth."""
        return SOURCE_PIECE in self.pieces

    def judge(self, asked: MatchQuestion) -> JudgedCandidates:
        """Candidates of a document: all pieces but consistency give an order, from which consistency is seen."""
        added = {name: self._added(asked, name) for name in self.pieces if name != LATER}
        scores = np.asarray(self.mean + sum(added.values(), np.zeros(len(asked.owner))))
        if LATER in self.pieces and len(scores):
            consistency(asked, scores)
            added[LATER] = self._added(asked, LATER)
            scores = scores + added[LATER]
        return JudgedCandidates(scores, added)

    def _added(self, asked: MatchQuestion, piece: str) -> Numbers:
        values = numbers(asked, [piece])
        found = np.zeros(len(asked.owner))
        for line in self.lines:
            if line.piece == piece:
                found += line(values[:, PIECES[piece].names.index(line.name)])
        return found

    def save(self, path: str) -> None:
        from tertium.results import plain

        with write_atomically(path) as file:
            file.write(json_line(plain(self)))

    @classmethod
    def load(cls, path: str) -> Policy:
        """From a file of ours; anything else is refused in one line."""
        data = read_json(path)
        check_own(data, path, "policy", FORMAT, VERSION)
        found = settings.read_record(cls, data, path)
        for line in found.lines:
            if line.piece not in PIECES or line.name not in PIECES[line.piece].names:
                raise InputError(f"{path}: there is no number {line.name!r} of the piece {line.piece!r}")
            if len(line.slopes) != len(line.bends) + 1:
                raise InputError(
                    f"{path}: {line.name!r} has {len(line.slopes)} slopes and {len(line.bends)} bends"
                )
        return found
