"""`memory policy train`: a policy learned from what was written later, and what each piece of information earns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, many
from tertium.io.memories.pairs import Pair
from tertium.matching.evidence import LATER, PIECES, SOURCE_PIECE
from tertium.matching.learning import LearntLines, Normal
from tertium.matching.pasts import FIRST, Examples, Past, edits_saved, examples
from tertium.matching.policy import FORMAT, VERSION, Policy
from tertium.memory.store import Memory
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table
    from tertium.text.keyed import Numbers

MOST = 6000  # segments that are learnt from
TARGETS = 0.2  # share of the dated units that are the target, unless a day is named
FEWEST = 20  # segments
FOLDS = 2


@dataclass(frozen=True)
class PolicyTraining(Result):
    """What was learned."""

    kind = "policy training"
    memory: str
    output: str
    since: str
    segments: int
    documents: int
    candidates: int
    saved: float  # by the policy, for documents it did not learn from
    characters: float  # by the most alike
    copied: float  # by the source itself
    unused: tuple[str, ...]
    earned: tuple[tuple[str, float], ...]  # by piece: what is lost without it

    def words(self) -> Iterator[str]:
        yield (
            f"{self.output}: learned from {many(self.segments, 'segment')} of {many(self.documents, 'document')}"
            f" since {self.since}. In documents that it did not learn from, its first proposals save"
            f" {self.saved:.1%} of the edits; the most alike {self.characters:.1%}, the source {self.copied:.1%}."
        )
        for name in self.unused:
            yield f"{name} is not used: {self.memory} says nothing about it."

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        columns = (Column("piece"), number_column("edits saved by it", digits=4), Column("what it is"))
        rows = tuple((name, value, PIECES[name].sentence) for name, value in self.earned)
        return Table("What each piece of information earns", columns, rows)


class Fitted:
    """Policies of any choice of pieces, from one set of examples."""

    def __init__(self, given: Examples) -> None:
        first = given.values.astype(float)
        normal = Normal(FIRST, first)
        products, slopes, *_ = normal.sums(first, given.worth)
        order = normal.scores(first, normal.solved(products, slopes, FIRST))
        self.given = given
        self.values = np.concatenate([first, given.consistent(order)], axis=1)
        self.normal = Normal((*FIRST, LATER), self.values)
        self.sums = self.normal.sums(self.values, given.worth)
        self.unused = tuple(name for name in PIECES if name not in {own.piece for own in self.normal.bases})

    def learnt(self, without: Sequence[str] = ()) -> LearntLines:
        products, slopes, *_ = self.sums
        return self.normal.solved(products, slopes, [name for name in PIECES if name not in without])

    def across(self) -> tuple[float, dict[str, float]]:
        """What is saved in documents that were not learnt from, with all pieces and without each."""
        given = self.given
        fold = _folds(given)[given.document[given.owner]]
        scores = {name: np.zeros(len(given.owner)) for name in ("", *PIECES)}
        for own in range(FOLDS):
            learning, tested = fold != own, fold == own
            if not tested.any() or not learning.any():
                continue
            products, slopes, *_ = self.normal.sums(self.values[learning], given.worth[learning])
            for name, values in scores.items():
                kept = [piece for piece in PIECES if piece != name]
                learnt = self.normal.solved(products, slopes, kept)
                values[tested] = self.normal.scores(self.values[tested], learnt)
        scores[SOURCE_PIECE] = given.stored(scores[SOURCE_PIECE])
        saved = {name: float(given.chosen(own).mean()) for name, own in scores.items()}
        return saved[""], {name: saved[""] - saved[name] for name in PIECES if name not in self.unused}

    def policy(
        self, memory: str, since: str, earned: dict[str, float], without: Sequence[str] = ()
    ) -> Policy:
        learnt, given = self.learnt(without), self.given
        return Policy(
            FORMAT,
            VERSION,
            memory,
            since,
            given.segments,
            len(given.documents),
            len(given.owner),
            self.unused,
            earned,
            learnt.mean,
            learnt.lines,
        )


def _folds(given: Examples) -> Numbers:
    """Documents by turns, the largest first, each to the smaller side; those of one document's name together."""
    sizes: dict[tuple[str, str], int] = {}
    for own in given.documents:
        sizes[own.client, own.name] = sizes.get((own.client, own.name), 0) + len(own.units)
    sides, place = [0] * FOLDS, {}
    for name in sorted(sizes, key=lambda name: (-sizes[name], name)):
        side = sides.index(min(sides))
        sides[side] += sizes[name]
        place[name] = side
    return np.array([place[own.client, own.name] for own in given.documents])


def usual_day(path: str) -> str:
    """The day from which on a fifth of the dated units were written."""
    days = sorted(unit.date[:10] for unit in Memory.open(path) if unit.date)
    if not days or days[0] == days[-1]:
        raise InputError(
            f"{path}: a policy is learned from what was written later, and this memory has no dates"
        )
    found = days[int(len(days) * (1 - TARGETS))]
    return found if found > days[0] else next(day for day in days if day > days[0])


def train_policy(
    path: str, output: str, *, since: date | None = None, pair: Pair | None = None, most: int = MOST
) -> PolicyTraining:
    """Learn from what was written since a day, with candidates from before it, and write the policy."""
    day = str(since) if since else usual_day(path)
    past = Past(path, day, pair)
    documents = past.later(most=most)
    if sum(len(own.units) for own in documents) < FEWEST:
        raise InputError(
            f"{path}: fewer than {FEWEST} segments of four words and more were written since {day} that were not"
            " there before: too few to learn from"
        )
    given = examples(past, documents)
    fitted = Fitted(given)
    saved, earned = fitted.across()
    fitted.policy(path, day, earned).save(output)
    units = [unit for own in documents for unit in own.units]
    copied = edits_saved([unit.source for unit in units], [unit.target for unit in units])
    return PolicyTraining(
        path,
        output,
        day,
        given.segments,
        len(documents),
        len(given.owner),
        saved,
        float(given.chosen(given.stored(given.values[:, 0].astype(float))).mean()),
        float(copied.mean()),
        fitted.unused,
        tuple(sorted(earned.items(), key=lambda one: -one[1])),
    )
