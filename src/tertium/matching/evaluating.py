"""`memory policy evaluate`: edits that first proposals save in what was written later, by policy and by plain rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.errors import InputError, many
from tertium.io.memories.pairs import Pair
from tertium.matching.candidates import SOURCE
from tertium.matching.evidence import LATER, PIECES, SOURCE_PIECE
from tertium.matching.pasts import Examples, Past, edits_saved, examples
from tertium.matching.proposals import rate_of, word_likeness
from tertium.matching.training import MOST, Fitted
from tertium.results import Result
from tertium.stats.blocks import sign_flip_p
from tertium.stats.groups import group_mean_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.io.tables import Table
    from tertium.text.keyed import Numbers

RESAMPLES = 10_000
LEARNING_DAYS = 92  # before the day of the test, unless another day is named
GOOD = 70  # per cent
OURS, STORED, ALIKE, COPIED = "policy", "policy, stored translations only", "most alike", "source copied"


@dataclass(frozen=True)
class SavedEdits:
    """What one way of choosing saves; the interval from resampled documents, p (of the difference to the policy) from
    sign flips by document."""

    method: str
    saved: float
    interval: tuple[float | None, float | None]  # None: one document, or all save as much
    p: float | None
    known: float | None  # documents of clients that the past knows
    new: float | None
    chrf: float | None


@dataclass(frozen=True)
class PolicyEvaluation(Result):
    """Proposals against what was really written."""

    kind = "policy evaluation"
    memory: str
    since: str
    learned_since: str
    segments: int
    documents: int
    known_segments: int
    units: int  # of the past
    good: float  # share of segments with a proposal of 70% and more
    methods: tuple[SavedEdits, ...]
    ablation: tuple[tuple[str, float, float, float], ...]  # without: saved, change, p
    unused: tuple[str, ...]

    def words(self) -> Iterator[str]:
        ours, *others = self.methods
        yield (
            f"{self.memory}: in {many(self.segments, 'segment')} of {many(self.documents, 'document')} since"
            f" {self.since}, first proposals of the policy save {ours.saved:.1%} of the edits;"
            f" {'; '.join(f'{own.method} {own.saved:.1%}' for own in others)}."
        )
        yield f"{self.good:.1%} of the segments have a proposal of {GOOD}% or more."
        for name in self.unused:
            yield f"{name} is not used: {self.memory} says nothing about it."

    def tables(self) -> Iterator[Table]:
        from tertium.io.tables import Column, Table, number_column

        columns = (
            Column("first proposal"),
            number_column("saved", digits=3),
            Column("95%", align="right", whole=True),
            Column("p", align="right", whole=True),
            number_column("known clients", digits=3),
            number_column("new clients", digits=3),
            number_column("chrF", digits=1),
        )
        rows = tuple(
            (
                own.method,
                own.saved,
                "" if own.interval[0] is None else f"{own.interval[0]:.3f} to {own.interval[1]:.3f}",
                _p(own.p),
                own.known,
                own.new,
                own.chrf,
            )
            for own in self.methods
        )
        notes = (
            "95% intervals by resampling documents, Student's below 100",
            "p (against the policy): sign flips by document",
            "no proposal saves nothing, and is an empty text for chrF",
        )
        yield Table("Edits saved", columns, rows, notes)
        numbers = (number_column("saved", digits=4), number_column("change", digits=4))
        without = tuple((name, saved, change, _p(p)) for name, saved, change, p in self.ablation)
        last = Column("p", align="right", whole=True)
        yield Table("Without one piece of information", (Column("without"), *numbers, last), without)

    def records(self) -> list[dict[str, Any]]:
        return [
            {"method": own.method, "saved": own.saved, "p": own.p, "chrf": own.chrf} for own in self.methods
        ]


def evaluate_policy(
    path: str,
    *,
    since: date,
    until: date | None = None,
    learn_since: date | None = None,
    pair: Pair | None = None,
    most: int | None = None,
    learn_from: int = MOST,
) -> PolicyEvaluation:
    """Learn from what was written before a day, and test on what was written since (and before `until`)."""
    begin = learn_since or since - timedelta(LEARNING_DAYS)
    if begin >= since:
        raise InputError(
            f"what is learned from (since {begin}) must come before what is tested (since {since})"
        )
    earlier = Past(path, str(begin), pair)
    documents = earlier.later(str(since), most=learn_from)
    if not documents:
        raise InputError(
            f"{path}: nothing new was written from {begin} to {since} that could be learned from"
        )
    fitted = Fitted(examples(earlier, documents))
    past = Past(path, str(since), pair)
    later = past.later(str(until) if until else "", most=most)
    if not later:
        raise InputError(
            f"{path}: nothing new was written since {since}{f' and before {until}' if until else ''}"
        )
    tested = examples(past, later)
    first = tested.values.astype(float)
    scored: dict[str, Numbers] = {}
    for name in ("", *(piece for piece in PIECES if piece not in fitted.unused)):
        scored[name] = _scores(fitted, tested, first, name)
    units = [unit for own in later for unit in own.units]
    written = [unit.target for unit in units]
    alike = tested.stored(tested.values[:, 0].astype(float))
    saved = {
        OURS: tested.chosen(scored[""]),
        STORED: tested.chosen(scored[SOURCE_PIECE]),
        ALIKE: tested.chosen(alike),
        COPIED: edits_saved([unit.source for unit in units], written),
        "best of all candidates": tested.chosen(tested.saved),
    }
    texts = {
        OURS: tested.best(scored[""]),
        STORED: tested.best(scored[SOURCE_PIECE]),
        ALIKE: tested.best(alike),
        COPIED: [unit.source for unit in units],
    }
    known = np.array([own.known_client for own in later])[tested.document]
    methods = tuple(
        SavedEdits(
            name,
            float(own.mean()),
            _interval(own, tested.document),
            None if name == OURS else _chance(saved[OURS] - own, tested.document),
            float(own[known].mean()) if known.any() else None,
            float(own[~known].mean()) if not known.all() else None,
            _chrf(texts[name], written) if name in texts else None,
        )
        for name, own in saved.items()
    )
    ablation = []
    for name, own in scored.items():
        if name:
            changed = tested.chosen(own)
            p = _chance(saved[OURS] - changed, tested.document)
            ablation.append((name, float(changed.mean()), float(changed.mean() - saved[OURS].mean()), p))
    return PolicyEvaluation(
        path,
        str(since),
        str(begin),
        tested.segments,
        len(later),
        int(known.sum()),
        len(past.index),
        float(_good(tested).mean()),
        methods,
        tuple(ablation),
        fitted.unused,
    )


def _scores(fitted: Fitted, tested: Examples, first: Numbers, without: str) -> Numbers:
    """What a policy without a piece expects of each candidate; consistency goes by its own order."""
    learnt = fitted.learnt(without=[without, LATER])
    scores = fitted.normal.scores(first, learnt)
    if without != LATER and LATER not in fitted.unused:
        values = np.concatenate([first, tested.consistent(scores)], axis=1)
        scores = fitted.normal.scores(values, fitted.learnt(without=[without]))
    return tested.stored(scores) if without == SOURCE_PIECE else scores


def _good(tested: Examples) -> Numbers:
    """Whether each segment has a proposal of 70% or more."""
    found = np.zeros(tested.segments)
    texts = [unit.source for own in tested.documents for unit in own.units]
    rows = [own for part in tested.parts for own in part.candidates.rows]
    for owner, row in zip(tested.owner.tolist(), rows, strict=True):
        if not found[owner] and row.number != SOURCE and row.characters >= 2 * GOOD / 100 - 1:
            words = word_likeness(texts[owner], row.source)
            found[owner] = rate_of(False, row.characters, words, context=False, metadata=False) >= GOOD
    return found


def _interval(values: Numbers, document: NDArray[np.int64]) -> tuple[float | None, float | None]:
    """Of the mean over segments; documents are drawn with all their segments."""
    found = group_mean_interval(np.bincount(document, values), np.bincount(document), resamples=RESAMPLES)
    return found.within(0.0, 1.0)


def _chance(differences: Numbers, document: NDArray[np.int64]) -> float:
    """Two-sided: is the mean difference zero? All differences of a document change their signs together."""
    return sign_flip_p(np.bincount(document, differences)[:, None], trials=RESAMPLES)[0]


def _chrf(texts: list[str], written: list[str]) -> float | None:
    from tertium.registry import metric

    return metric("chrf").score(texts, written)


def _p(p: float | None) -> str:
    return "" if p is None else f"{p:.3f}" if p >= 0.001 else "< .001"
