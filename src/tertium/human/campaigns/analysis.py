"""The whole analysis of a campaign, whatever its design: quality control, scores or wins, agreement, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError
from tertium.human.campaigns.agreements import RaterAgreement, agreement
from tertium.human.campaigns.collected import Collected, SetAside
from tertium.human.campaigns.conversions import SCORED, comparisons
from tertium.human.campaigns.designs import CHALLENGE, DESIGNS
from tertium.human.campaigns.systemscores import (
    DocumentScores,
    QuestionRates,
    SystemScores,
    document_scores,
    question_rates,
    system_scores,
)
from tertium.human.campaigns.wins import Equivalence, WinMatrix, equivalence, win_matrix
from tertium.human.consistency import SelfAgreement, consistent
from tertium.human.ranking import THREE_ANSWERS, expected_wins
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result
from tertium.stats.resampling import SEED


@dataclass(frozen=True)
class Analysis(Result):
    """All results of one campaign."""

    kind = "campaign analysis"
    name: str
    design: str
    judgements: int
    annotators: int
    seed: int
    scores: SystemScores | None = None
    documents: DocumentScores | None = None
    questions: QuestionRates | None = None
    wins: WinMatrix | None = None
    expected: dict[str, float | None] | None = None  # expected wins by system
    forced: Equivalence | None = None
    repeats: SelfAgreement | None = None
    together: RaterAgreement | None = None
    aside: tuple[SetAside, ...] = ()

    def words(self) -> Iterator[str]:
        people = f"{self.annotators} annotator{'s' * (self.annotators != 1)}"
        yield f"{self.judgements} judgements by {people} ({DESIGNS[self.design].title.lower()})."
        if self.scores is not None:
            best, *others = self.scores.found.clusters()
            if len(best) > 1 and not others:
                yield f"These systems cannot be told apart: {', '.join(best)}."
            else:
                yield f"Best: {' and '.join(best)}."
            if self.scores.found.nobody_passed:
                yield "No annotator passed quality control: the scores are those of all annotators."
        if self.expected:
            top, _ = max(self.expected.items(), key=lambda pair: pair[1] or 0.0)
            yield f"{top} wins most often."
        if self.repeats is not None and self.repeats.failed:
            yield f"Excluded for low self-agreement: {', '.join(self.repeats.failed)}."
        if self.aside:
            yield f"Set aside and left out: {'; '.join(map(str, self.aside))}."

    def _parts(self) -> dict[str, Result]:
        every: dict[str, Result | None] = {
            "scores": self.scores,
            "quality": None if self.scores is None else self.scores.quality,
            "documents": self.documents,
            "questions": self.questions,
            "wins": self.wins,
            "equivalence": self.forced,
            "self_agreement": self.repeats,
            "agreement": self.together,
        }
        return {key: part for key, part in every.items() if part is not None}

    def tables(self) -> list[Table]:
        """A table for each part."""
        found = []
        for key, part in self._parts().items():
            found.append(part.table())
            if key == "wins" and self.wins is not None:
                found.append(self.wins.preferences())
                if self.expected:
                    rows = sorted(self.expected.items(), key=lambda pair: -(pair[1] or 0.0))
                    columns = (Column("system"), number_column("expected wins", "expected", 3))
                    note = "the probability of winning against another system, ignoring ties"
                    found.append(Table("Expected wins", columns, tuple(rows), (note,)))
        return found

    def contents(self) -> Mapping[str, Any]:
        return {
            "name": self.name,
            "design": self.design,
            "judgements": self.judgements,
            "annotators": self.annotators,
            "seed": self.seed,
            "summary": tuple(self.words()),
            "set_aside": self.aside,
            "expected_wins": self.expected,
            **self._parts(),
        }

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """The outcome in sentences, then the tables."""
        shown = (table.text(terminal=terminal, width=width) for table in self.tables())
        return "\n\n".join([" ".join(self.words()), *shown])


def analyse(
    collected: Collected, *, seed: int = SEED, least_self_agreement: float = THREE_ANSWERS
) -> Analysis:
    """Analyse what was collected so far.

    Designs that give scores go through the quality control and the standardisation of direct assessment
    (`tertium.human.direct_assessment`); designs that compare drop annotators who repeat themselves no better than
    chance (`least_self_agreement`), then count wins.
    """
    if not len(collected):
        raise InputError(f"{collected.settings.name}: there are no judgements yet")
    common: dict[str, Any] = {
        "name": collected.settings.name,
        "design": collected.design,
        "judgements": len(collected),
        "annotators": len(collected.annotators),
        "seed": seed,
        "aside": collected.aside,
    }
    if collected.design in SCORED:
        return Analysis(
            **common,
            scores=system_scores(collected, seed=seed),
            documents=document_scores(collected, seed=seed),
            together=agreement(collected),
        )
    compared, repeats = consistent(comparisons(collected), least_self_agreement)
    failed = () if repeats is None else repeats.failed
    kept = collected.only(tuple(name for name in collected.annotators if name not in failed))
    questions = question_rates(kept) if collected.design == CHALLENGE else None
    several = len(kept.systems) > 1
    wins = win_matrix(kept, seed=seed) if several else None
    expected = None
    if several:
        gold = expected_wins(compared).scores
        expected = {system: gold.system(system) for system in gold.systems}
    return Analysis(
        **common,
        questions=questions,
        wins=wins,
        expected=expected,
        forced=equivalence(kept),
        repeats=repeats,
        together=agreement(kept),
    )
