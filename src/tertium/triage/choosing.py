"""One view of memory and machine: which of two proposals to show, each by what of 100 edits it saves."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.errors import InputError, many
from tertium.estimation.estimator import Estimator
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result
from tertium.triage.proposals import ProposalWorth, best_proposals, opened
from tertium.triage.results import Estimates
from tertium.triage.verdicts import Thresholds, verdict_words

MEMORY, MACHINE = "memory", "machine"


@dataclass(frozen=True)
class ChosenProposal:
    """A segment: what to show, and what each of both is worth."""

    segment: int
    mark: float  # of what is shown
    show: str
    verdict: str
    machine: float
    memory: float | None  # None: it has no proposal
    rate: int | None  # of likeness, in percent
    target: str  # the translation to show


def _known(*values: float | None) -> Iterator[float | str]:
    """Blanks where there is nothing."""
    return ("" if value is None else value for value in values)


@dataclass(frozen=True)
class Choices(Result):
    """For each segment, whether to show what the memory has or what the machine made."""

    kind = "choices"
    segments: tuple[ChosenProposal, ...]
    estimates: Estimates
    memory: str
    units: int
    learned_from: int  # proposals within the memory; 0: too few, percentages are taken as they are

    def table(self) -> Table:
        """What is shown, first."""
        columns = (
            number_column("segment", digits=0),
            number_column("mark", digits=1),
            Column("show"),
            Column("verdict"),
            number_column("machine", digits=1),
            number_column("memory", digits=1),
            number_column("likeness %", "rate", digits=0),
        )
        rows = tuple(
            (own.segment, own.mark, own.show, own.verdict, own.machine, *_known(own.memory, own.rate))
            for own in self.segments
        )
        return Table("", columns, rows)

    def words(self) -> Iterator[str]:
        yield verdict_words([own.verdict for own in self.segments])
        shown = Counter(own.show for own in self.segments)
        have = sum(own.memory is not None for own in self.segments)
        yield (
            f"{self.memory} has a proposal for {have:,} of {many(len(self.segments), 'segment')} and is shown for "
            f"{shown[MEMORY]:,}; the machine for {shown[MACHINE]:,}."
        )
        mean, machine = (
            float(np.mean([getattr(own, key) for own in self.segments])) for key in ("mark", "machine")
        )
        yield f"That saves {mean:.1f} of 100 edits; the machine alone saves {machine:.1f}."
        if self.learned_from:
            yield f"What proposals save was learnt from {self.learned_from:,} units and those that came before them."
        else:
            yield "The memory has too few units alike to learn what proposals save: percentages are taken as they are."


def choose(
    estimator: Estimator,
    estimates: Estimates,
    sources: Sequence[str],
    translations: Sequence[str],
    memory: str | os.PathLike[str],
    *,
    pair: str = "",
) -> Choices:
    """Memory or machine for each segment, by what of 100 edits each saves. Where both save the same, the memory's: a
    person made it."""
    if estimates.scale != "edits":
        raise InputError(
            f"{estimator.called} does not say how many edits a translation saves, so that a memory cannot stand beside "
            "it: tertium estimate calibrate --data ... learns that from post-edits"
        )
    matcher = opened(os.fspath(memory), pair)
    worth = ProposalWorth.learnt(matcher)
    found = best_proposals(matcher, sources)
    marks = worth.marks([0 if own is None else own.rate for own in found]).tolist()
    thresholds = Thresholds(
        90.0 if estimates.pass_from is None else estimates.pass_from,
        70.0 if estimates.edit_from is None else estimates.edit_from,
    )
    chosen = []
    for i, (own, saved, machine) in enumerate(zip(found, marks, estimates.marks, strict=True)):
        ours = own is not None and saved >= machine
        verdict = estimates.verdicts[i]
        if own is not None and ours:
            (verdict,) = thresholds.verdicts(np.array([saved]), np.array([saved]))
        chosen.append(
            ChosenProposal(
                i + 1,
                saved if ours else machine,
                MEMORY if ours else MACHINE,
                verdict,
                machine,
                None if own is None else saved,
                None if own is None else own.rate,
                own.target if own is not None and ours else translations[i],
            )
        )
    learned_from = len(worth.rates) if worth.learned else 0
    return Choices(tuple(chosen), estimates, os.fspath(memory), len(matcher.index), learned_from)
