"""Judges judged: how far an automatic judge agrees with people, overall and in each category."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tertium.challenge.decisions import POLICY_WORDS, NotApplicable, decisions
from tertium.challenge.items import ChallengeSet
from tertium.challenge.judgements import ChallengeJudgements
from tertium.challenge.judges.verdicts import PREFIX, Verdicts
from tertium.challenge.rates import OVERALL, Group, percent, share
from tertium.errors import InputError
from tertium.io.tables import Column, Table, Value, number_column
from tertium.results import Result
from tertium.stats.proportions import wilson_interval


@dataclass(frozen=True)
class JudgeScore:
    """How a judge did on the outputs of a group that people have judged.

    `both_no` counts where judge and people say no, `wrong_no` where only the judge does, `wrong_yes` where the judge
    says yes but people say no, `unsure_no` and `unsure_yes` what people say where the judge is unsure.

    >>> found = JudgeScore(OVERALL, both_yes=40, wrong_yes=10, both_no=30, wrong_no=5, unsure_yes=5, unsure_no=10)
    >>> found.coverage, round(found.agreement, 4), found.no_recall
    (0.85, 0.8235, 0.6)
    """

    group: Group
    both_yes: int
    wrong_yes: int
    both_no: int
    wrong_no: int
    unsure_yes: int
    unsure_no: int

    @property
    def decided(self) -> int:
        """Outputs on which the judge is not unsure."""
        return self.both_yes + self.wrong_yes + self.both_no + self.wrong_no

    @property
    def outputs(self) -> int:
        return self.decided + self.unsure_yes + self.unsure_no

    @property
    def coverage(self) -> float | None:
        """The share of outputs on which the judge is not unsure."""
        return share(self.decided, self.outputs)

    @property
    def agreement(self) -> float | None:
        """Where the judge is sure, the share of outputs on which people say the same."""
        return share(self.both_yes + self.both_no, self.decided)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95% interval of the agreement."""
        return wilson_interval(self.both_yes + self.both_no, self.decided)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa of judge and people where the judge is sure."""
        from tertium.stats.agreement import cohen_kappa

        counts = ((1, 1, self.both_yes), (1, 0, self.wrong_yes), (0, 0, self.both_no), (0, 1, self.wrong_no))
        judge = [mine for mine, _, n in counts for _ in range(n)]
        people = [theirs for _, theirs, n in counts for _ in range(n)]
        return cohen_kappa(judge, people)

    @property
    def no_precision(self) -> float | None:
        """When the judge says no, how often people do."""
        return share(self.both_no, self.both_no + self.wrong_no)

    @property
    def no_recall(self) -> float | None:
        """When people say no, how often the judge does; unsure is not no."""
        return share(self.both_no, self.both_no + self.wrong_yes + self.unsure_no)

    @property
    def majority(self) -> float | None:
        """The agreement of always giving people's more frequent answer on the same outputs."""
        yes, no = self.both_yes + self.wrong_no, self.both_no + self.wrong_yes
        return share(max(yes, no), yes + no)

    def contents(self) -> dict[str, Any]:
        counts = {key: value for key, value in asdict(self).items() if key != "group"}
        names = ("coverage", "agreement", "interval", "kappa", "no_precision", "no_recall", "majority")
        return {
            "category": self.group.category or None,
            "outputs": self.outputs,
            "decided": self.decided,
            **counts,
            **{name: getattr(self, name) for name in names},
        }


@dataclass(frozen=True)
class JudgeEvaluation(Result):
    """How far a judge agrees with people. Made by `evaluate_judge`."""

    kind = "judge evaluation"
    judge: str
    signature: str
    policy: NotApplicable
    overall: JudgeScore
    categories: tuple[JudgeScore, ...]
    unjudged: int = 0  # outputs that only the judge has judged

    def contents(self) -> Mapping[str, Any]:
        return {
            "judge": self.judge,
            "signature": self.signature,
            "not_applicable": self.policy,
            "unjudged_outputs": self.unjudged,
            "overall": self.overall.contents(),
            "categories": [score.contents() for score in self.categories],
        }

    def table(self, digits: int = 1) -> Table:
        """A row for each category, and one for all."""
        return evaluations_table([self], by_category=True, digits=digits)


def evaluate_judge(
    verdicts: Verdicts,
    items: ChallengeSet,
    judgements: ChallengeJudgements,
    *,
    na: NotApplicable = "negative",
) -> JudgeEvaluation:
    """Compare what a judge says with what people decided (by majority, or settled) about the same outputs.

    Judgements of automatic judges (`auto:...`) are left out: they are not people's.

    >>> from tertium.challenge.items import Item
    >>> from tertium.challenge.judgements import Judgement
    >>> from tertium.challenge.judges.verdicts import Verdict
    >>> from tertium.challenge.outputs import System
    >>> items = ChallengeSet(tuple(Item(str(i), "Lexical", "", "Well?", "It rains.") for i in range(4)))
    >>> verdicts = Verdicts("mine", tuple(Verdict(item.id, System("A"), call, "")
    ...     for item, call in zip(items, ("yes", "no", "no", "unsure"))))
    >>> people = ChallengeJudgements(tuple(Judgement(item.id, System("A"), "ann", answer)
    ...     for item, answer in zip(items, ("yes", "no", "yes", "no"))))
    >>> found = evaluate_judge(verdicts, items, people).overall
    >>> found.coverage, found.no_precision, found.no_recall, round(found.kappa, 2)
    (0.75, 0.5, 0.5, 0.4)
    """
    persons = ChallengeJudgements(tuple(j for j in judgements if not j.annotator.startswith(PREFIX)))
    people = decisions(persons, na)
    counts: dict[str, Counter[tuple[str, bool]]] = {category: Counter() for category in items.categories}
    unjudged = 0
    for verdict in verdicts:
        decision = people.get(verdict.place)
        if decision is None or decision.right is None:
            unjudged += 1
        else:
            category = items.required(verdict.item, f"verdict of {verdicts.annotator}").category
            counts[category][verdict.call, decision.right] += 1
    if not any(counts.values()):
        raise InputError(f"no output was judged both by people and by {verdicts.annotator}")
    whole: Counter[tuple[str, bool]] = sum(counts.values(), Counter())
    return JudgeEvaluation(
        verdicts.annotator,
        verdicts.signature,
        na,
        _score(OVERALL, whole),
        tuple(_score(Group(category), found) for category, found in counts.items()),
        unjudged,
    )


def _score(group: Group, counts: Counter[tuple[str, bool]]) -> JudgeScore:
    return JudgeScore(
        group,
        both_yes=counts["yes", True],
        wrong_yes=counts["yes", False],
        both_no=counts["no", False],
        wrong_no=counts["no", True],
        unsure_yes=counts["unsure", True],
        unsure_no=counts["unsure", False],
    )


def evaluations_table(
    evaluations: Sequence[JudgeEvaluation], *, by_category: bool = False, digits: int = 1
) -> Table:
    """Several judges side by side: a row for each, or for each and each category."""
    columns = (
        Column("judge"),
        *([Column("category")] if by_category else []),
        number_column("outputs"),
        number_column("sure %", "coverage", digits),
        number_column("agree %", "agreement", digits),
        number_column("from", "low", digits),
        number_column("to", "high", digits),
        number_column("kappa", digits=3),
        number_column("P(no) %", "no_precision", digits),
        number_column("R(no) %", "no_recall", digits),
        number_column("majority %", "majority", digits),
    )
    rows: list[tuple[Value, ...]] = []
    for evaluation in evaluations:
        for score in (*(evaluation.categories if by_category else ()), evaluation.overall):
            shares = (score.coverage, score.agreement, *(score.interval or (None, None)))
            rows.append(
                (
                    evaluation.judge,
                    *([score.group.label] if by_category else []),
                    score.outputs,
                    *map(percent, shares),
                    score.kappa,
                    *map(percent, (score.no_precision, score.no_recall, score.majority)),
                )
            )
    notes = [
        "sure: not unsure; agree and kappa: where the judge is sure",
        "from, to: Wilson's 95% interval of agree, as if outputs were independent of each other",
        "P(no), R(no): precision and recall of no; unsure is not no",
        "majority: agreement of always giving the more frequent answer where the judge is sure",
        *dict.fromkeys(POLICY_WORDS[evaluation.policy] for evaluation in evaluations),
        *(f"{e.judge}: {e.signature}" for e in evaluations if e.signature),
        *(f"{e.judge}: {e.unjudged} outputs were not judged by people" for e in evaluations if e.unjudged),
    ]
    return Table("Automatic judges against people", columns, tuple(rows), tuple(notes))


@dataclass(frozen=True)
class AutomaticJudges(Result):
    """What several judges say, and how far they agree with people."""

    kind = "automatic judges"
    judges: tuple[Verdicts, ...]
    against_people: tuple[JudgeEvaluation, ...] = ()
    doubts: tuple[str, ...] = ()  # about the patterns of the set
    reasons: bool = False  # show every verdict
    categories: bool = False  # show agreement by category
    digits: int = 1

    def contents(self) -> Mapping[str, Any]:
        return {"judges": self.judges, "against_people": self.against_people, "doubts": self.doubts}

    def tables(self) -> Iterator[Table]:
        yield from (own.table() if self.reasons else own.summary() for own in self.judges)
        if self.against_people:
            yield evaluations_table(self.against_people, by_category=self.categories, digits=self.digits)
