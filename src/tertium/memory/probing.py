"""`probe_memory`: how well the checks find errors in this memory, measured on damaged copies of its own units.

One kind of damage a run: of the units that it can happen to, one in a hundred is damaged, all are ranked by the
combined probability, and the ranking is compared with what was damaged. The memory itself is not changed. The lexical
model learns from the memory as it is; a damaged copy falls into the fold of its source, so that no model that judges it
has seen the unit. Errors that the memory has already count as false alarms, unless labels name them: such units are
left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tertium.errors import InputError
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.memory.baselines import Baselines
from tertium.memory.damages import DAMAGES, Others, damaged
from tertium.memory.reading import Source, batches
from tertium.progress import steps
from tertium.results import Result
from tertium.stats.detection import detection_precision
from tertium.vetting.combining import Combination
from tertium.vetting.judging import CombinedJudge, forgetful_names
from tertium.vetting.labelling import read_labels
from tertium.vetting.suspicion import LOOK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.io.tables import Table

SHARE = 0.01
LEAST_WORDS = 5
MOST = 40_000  # units that are damaged and ranked
RUNS = 20  # draws of the units that are damaged; numbers are means over them
MIXED = "mixed"
_BATCH = 2048


@dataclass(frozen=True)
class ProbedKind:
    """A kind of damage: to how many units it can happen, how many are damaged in a run, and what is found of them."""

    kind: str
    units: int
    damaged: int
    average_precision: float | None
    precision: float | None  # of units with a probability of one half or more; None: there are none
    recall: float | None
    length_ratio: float | None  # average precision of the baselines
    tmop: float | None


@dataclass(frozen=True)
class ProbedMemory(Result):
    """How well errors are found in a memory."""

    kind = "probed memory"
    memory: str
    units: int  # that could be damaged
    share: float
    least_words: int
    runs: int
    kinds: tuple[ProbedKind, ...]

    def words(self) -> Iterator[str]:
        """What is found of all damage, and which kinds best and least."""
        told = {own.kind: own.average_precision for own in self.kinds if own.average_precision is not None}
        if (whole := told.pop(MIXED, None)) is not None:
            yield f"{self.memory}: average precision {whole:.2f} over damage of all kinds (1: all of it ranks first)."
        ranked = [f"{kind} {value:.2f}" for kind, value in sorted(told.items(), key=lambda own: -own[1])]
        if len(ranked) > 1:
            least = 1 if len(ranked) < 6 else 3
            yield f"Found best: {', '.join(ranked[:least])}; least: {', '.join(ranked[: -least - 1 : -1])}."

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        names = ("AP", "precision", "recall", "AP of length ratio", "AP of TMop's filters")
        columns = (
            Column("damage", whole=True),
            number_column("units", digits=None),
            number_column("damaged", digits=None),
            *(number_column(name, digits=3) for name in names),
        )
        rows = tuple(
            (
                *(own.kind, own.units, own.damaged, own.average_precision, own.precision, own.recall),
                *(own.length_ratio, own.tmop),
            )
            for own in self.kinds
        )
        note = (
            f"{self.units:,} units of {self.least_words} words and more; {self.share:.2%} of those that a kind can "
            f"happen to are damaged; means of {self.runs} runs; precision and recall are those of probabilities of one "
            "half and more"
        )
        return Table("", columns, rows, (note,))


class ProbedUnits(NamedTuple):
    """Units for the probe, evenly spread over the memory, each with the one before it."""

    units: list[Unit]
    befores: list[Unit | None]


def probe_memory(
    path: str,
    *,
    kinds: Iterable[str] = (),
    also: Sequence[str] = (),
    share: float = SHARE,
    least_words: int = LEAST_WORDS,
    runs: int = RUNS,
    seed: int = 1,
    form: str | None = None,
    pair: Pair | None = None,
    encoding: str | None = None,
    judge: CombinedJudge | None = None,
    labels: str | None = None,
) -> ProbedMemory:
    """Damage copies of a memory's own units, and say how many of them the checks find.

    The lexical model learns from the memory, and from the memories named in `also`. Units that `labels` call wrong are
    neither damaged nor ranked.

    >>> from random import Random
    >>> pairs = ("file", "fichier"), ("book", "livre"), ("door", "porte"), ("house", "maison"), ("tree", "arbre")
    >>> draw = Random(1)
    >>> lines = [[draw.choice(pairs) for _ in range(draw.randrange(5, 9))] for _ in range(400)]
    >>> text = "".join(" ".join(a for a, _ in own) + "\\t" + " ".join(b for _, b in own) + "\\n" for own in lines)
    >>> found = probe_memory(str(written("a.tsv", text)), kinds=["truncated"], pair=Pair("en", "fr"), runs=3)
    >>> found.kinds[0].kind, found.kinds[0].damaged, found.kinds[0].average_precision > 0.5
    ('truncated', 4, True)
    """
    if not 0 < share < 1:
        raise InputError(f"--share {share:g}: must be between 0 and 1")
    asked = tuple(kinds) or (*DAMAGES, MIXED)
    for kind in asked:
        if kind not in DAMAGES and kind != MIXED:
            raise InputError(f"{kind!r} is no kind of damage: there are {', '.join((*DAMAGES, MIXED))}")
    sources = [Source(own, form, pair, encoding) for own in (path, *also)]
    for source in sources:
        source.check()
    judge = CombinedJudge.of(forgetful_names(), share=share) if judge is None else judge
    known = _wrong(labels, Pair(*sources[0].languages())) if labels else set()
    probe = Probe(judge, _read(sources, judge, least_words, known), share, runs, seed)
    found = tuple(probe.of(kind) for kind in steps(asked, "damaging", lambda _: 1, len(asked)))
    return ProbedMemory(path, len(probe.kept.units), share, least_words, runs, found)


def _wrong(labels: str, pair: Pair) -> set[tuple[str, str]]:
    return {(unit.source, unit.target) for unit, wrong in read_labels(labels, pair) if wrong}


def _read(
    sources: Sequence[Source], judge: CombinedJudge, least_words: int, known: set[tuple[str, str]]
) -> ProbedUnits:
    kept, step, seen = ProbedUnits([], []), 1, 0
    for which, source in enumerate(sources):
        before: Unit | None = None
        for batch in batches(source.open(), source.path):
            judge.learn(batch, own=which == 0)
            for unit in batch if which == 0 else ():
                if (
                    len(unit.source.split()) >= least_words
                    and unit.target.strip()
                    and (unit.source, unit.target) not in known
                ):
                    seen += 1
                    if seen % step == 0:
                        kept.units.append(unit)
                        kept.befores.append(before)
                before = unit
            while len(kept.units) > MOST:
                kept, step = ProbedUnits(kept.units[1::2], kept.befores[1::2]), 2 * step
    if not kept.units:
        raise InputError(f"{sources[0].path}: no unit has a source of {least_words} words or more")
    return kept


class _Ranked(NamedTuple):
    """Units by their places, and what ranks them: columns of the probability and of both baselines."""

    places: NDArray[np.int64]
    scores: NDArray[np.float64]


class Probe:
    """Scores of the units as they are, made once, and of damaged ones, kind by kind."""

    def __init__(self, judge: CombinedJudge, kept: ProbedUnits, share: float, runs: int, seed: int) -> None:
        self.judge, self.kept, self.share, self.runs, self.seed = judge, kept, share, runs, seed
        self.others = Others(kept.units)
        self._rows = self._numbers(kept.units)
        self.baselines = Baselines(judge.names, self._rows)
        self.use(judge.combination)

    def use(self, combination: Combination) -> None:
        """Rank by another combination from now on."""
        self.combination = combination
        self._made: dict[str, _Ranked] = {}
        self.scores = self._scores(self._rows)

    def _numbers(self, units: Sequence[Unit]) -> NDArray[np.float64]:
        parts = [self.judge.looked(units[i : i + _BATCH])[1] for i in range(0, len(units), _BATCH)]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.judge.names)))

    def _scores(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        chances = [
            self.combination.probabilities(self.judge.names, rows[i : i + _BATCH], self.share)
            for i in range(0, len(rows), _BATCH)
        ]
        combined = np.concatenate(chances) if chances else np.zeros(0)
        return np.column_stack([combined, self.baselines.length_ratio(rows), self.baselines.votes(rows)])

    def _damaged(self, kind: str) -> _Ranked:
        """The units that a kind can happen to, as it leaves them."""
        if kind not in self._made:
            made = damaged(kind, self.kept.units, self.others, self.seed, self.kept.befores)
            places = sorted(made)
            scores = self._scores(self._numbers([made[i] for i in places]))
            self._made[kind] = _Ranked(np.array(places, dtype=np.int64), scores)
        return self._made[kind]

    def of(self, kind: str) -> ProbedKind:
        if kind == MIXED:  # all kinds at once, each as often as the others
            return self._measured(MIXED, np.arange(len(self.kept.units)), list(map(self._damaged, DAMAGES)))
        made = self._damaged(kind)
        return self._measured(kind, made.places, [made])

    def of_all(self, kind: str) -> ProbedKind:
        """A kind where the share is that of all units, all of which are ranked: rare kinds are less rare then."""
        made = self._damaged(kind)
        return self._measured(kind, np.arange(len(self.kept.units)), [made])

    def _measured(self, kind: str, can: NDArray[np.int64], made: list[_Ranked]) -> ProbedKind:
        number = max(1, round(self.share * len(can))) if len(can) else 0
        number = min(number, sum(len(own.places) for own in made))
        if not number:
            return ProbedKind(kind, 0, 0, *[None] * 5)
        measured = np.array([self._run(kind, run, can, made, number) for run in range(self.runs)])
        means = (own[~np.isnan(own)] for own in measured.T)
        return ProbedKind(kind, len(can), number, *(float(own.mean()) if len(own) else None for own in means))

    def _run(
        self, kind: str, run: int, can: NDArray[np.int64], made: list[_Ranked], number: int
    ) -> list[float]:
        draw = Random(f"{self.seed} {kind} {run}")
        scores, wrong = self.scores.copy(), np.zeros(len(self.scores), dtype=bool)
        for own in made:
            for k in draw.sample(range(len(own.places)), min(-(-number // len(made)), len(own.places))):
                scores[own.places[k]] = own.scores[k]
                wrong[own.places[k]] = True
        scores, wrong = scores[can], wrong[can]
        told = scores[:, 0] >= LOOK
        return [
            detection_precision(wrong, scores[:, 0]),
            float(wrong[told].mean()) if told.any() else float("nan"),
            float(told[wrong].mean()),
            *(detection_precision(wrong, scores[:, k]) for k in (1, 2)),
        ]
