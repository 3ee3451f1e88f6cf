"""Success rates by category and subcategory, and how far the annotators agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tertium.challenge.decisions import (
    Decision,
    Difference,
    NotApplicable,
    decisions,
    differences,
    is_checked,
)
from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judgements import ChallengeJudgements, Judgement, Place
from tertium.challenge.outputs import Outputs, System, find_system
from tertium.challenge.rates import OVERALL, AnnotatorAgreement, Group, Rate
from tertium.challenge.tables import results_data, summary_table
from tertium.errors import InputError
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table

_CODES = {"no": 0.0, "yes": 1.0, "na": 2.0}
_HARDEST = 5  # subcategories named


@dataclass(frozen=True)
class Results(Result):
    """What judgements say of systems. Made by `evaluate`."""

    kind = "challenge results"
    items: ChallengeSet
    systems: tuple[System, ...]
    judgements: ChallengeJudgements
    policy: NotApplicable
    decisions: Mapping[Place, Decision]
    differences: tuple[Difference, ...] = ()
    unjudged: int = 0  # outputs without a judgement

    def find(self, label: str) -> System:
        """The system that a label names: `NAME@VERSION`, or `NAME` where one version was judged."""
        return find_system(label, self.systems)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """All categories with their subcategories behind them, then the whole set."""
        found = []
        for category, subcategories in self.items.categories.items():
            found.append(Group(category))
            found += [Group(category, name) for name in subcategories if name or len(subcategories) > 1]
        return (*found, OVERALL)

    @property
    def categories(self) -> tuple[Group, ...]:
        return tuple(group for group in self.groups if group.category and group.subcategory is None)

    @property
    def checked(self) -> bool:
        """Whether one person judged and another checked."""
        return is_checked(self.judgements)

    @cached_property
    def _in_group(self) -> dict[Group, tuple[Item, ...]]:
        return {group: tuple(filter(group.holds, self.items)) for group in self.groups}

    def of(self, group: Group, system: System) -> Iterator[Decision]:
        """The verdicts on a system's outputs in a group."""
        for item in self._in_group[group]:
            if (found := self.decisions.get(Place(item.id, system))) is not None:
                yield found

    def rate(self, group: Group, system: System) -> Rate:
        """The successes of a system in a group."""
        found = list(self.of(group, system))
        decided = [decision for decision in found if decision.right is not None]
        return Rate(
            positive=sum(decision.positive for decision in found),
            judgements=sum(decision.counted for decision in found),
            right=sum(decision.right is True for decision in decided),
            items=len(decided),
            not_applicable=sum(decision.not_applicable for decision in found),
        )

    @cached_property
    def judgements_of(self) -> dict[Place, list[Judgement]]:
        """All answers about each output, in the order in which they were given."""
        found: dict[Place, list[Judgement]] = {}
        for judgement in self.judgements:
            found.setdefault(judgement.place, []).append(judgement)
        return found

    def n_items(self, group: Group) -> int:
        return len(self._in_group[group])

    @property
    def ties(self) -> int:
        return sum(decision.tied for decision in self.decisions.values())

    @property
    def annotators(self) -> tuple[str, ...]:
        """Those whose answers can be compared: the judges, and the checker where there is one."""
        names = self.judgements.annotators()
        return tuple(dict.fromkeys((*names, *self.judgements.annotators("check"))))

    def agreement(self, group: Group = OVERALL) -> AnnotatorAgreement:
        """Raw agreement, Cohen's kappa of each pair of annotators, Fleiss' kappa and Krippendorff's alpha (nominal).

        "Not applicable" is an answer of its own here, unless such answers are excluded: then it is no answer.
        """
        from tertium.stats.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha, raw_agreement

        names = self.annotators
        ratings = [row for row in self._ratings(group) if sum(value is not None for value in row) > 1]
        raw = raw_agreement(ratings)
        most = max((sum(value is not None for value in row) for row in ratings), default=0)
        full = [row for row in ratings if sum(value is not None for value in row) == most]
        pairs = {
            (names[a], names[b]): cohen_kappa([row[a] for row in ratings], [row[b] for row in ratings])
            for a, b in combinations(range(len(names)), 2)
            if any(row[a] is not None and row[b] is not None for row in ratings)
        }
        return AnnotatorAgreement(
            group,
            raw.rated_twice,
            raw.all_agree,
            raw.pairwise,
            pairs,
            fleiss_kappa(full),
            len(full),
            krippendorff_alpha(ratings),
        )

    def _ratings(self, group: Group) -> Iterator[list[float | None]]:
        """A row for each output, a column for each annotator."""
        given = self.judgements.answers()
        for place, checks in self.judgements.answers("check").items():
            given[place] = {**given[place], **checks}
        for item in self._in_group[group]:
            for system in self.systems:
                answers = given.get(Place(item.id, system), {})
                yield [
                    None
                    if name not in answers or (answers[name] == "na" and self.policy == "excluded")
                    else _CODES[answers[name]]
                    for name in self.annotators
                ]

    def table(self, digits: int = 1) -> Table:
        """The summary by category: table 2 of the paper."""
        return summary_table(self, digits=digits)

    def words(self) -> Iterator[str]:
        """Who is right how often, what nobody can do, how far people agree, what is missing."""
        rates = [(self.rate(OVERALL, system), system.label) for system in self.systems]
        rates.sort(key=lambda pair: -(pair[0].item_share or 0))
        told = [
            f"{label} {'on' if i else 'is right on'} {rate.right} of {rate.items}{'' if i else ' items'} "
            f"({100 * (rate.item_share or 0):.1f} %)"
            for i, (rate, label) in enumerate(rates)
        ]
        yield f"{', '.join(told)}."
        fine = [group for group in self.groups if group.subcategory is not None]
        lost = [g.label for g in fine if all(self.rate(g, system).right == 0 for system in self.systems)]
        if lost:
            more = f" and {len(lost) - _HARDEST} more" if len(lost) > _HARDEST else ""
            yield f"No system gets any item right in: {', '.join(lost[:_HARDEST])}{more}."
        if (agreed := self.agreement()).share is not None:
            yield (
                f"All annotators agree on {100 * agreed.share:.1f} % of the {agreed.outputs} outputs judged twice or "
                "more."
            )
        if self.unjudged:
            yield f"{self.unjudged} outputs have not been judged yet and do not count."

    def contents(self) -> Mapping[str, Any]:
        return results_data(self)


def evaluate(
    items: ChallengeSet,
    judgements: ChallengeJudgements,
    outputs: Outputs | None = None,
    *,
    na: NotApplicable = "negative",
) -> Results:
    """What these judgements say of the systems judged.

    `na` says what "not applicable" does: `negative` counts it as not positive, `excluded` leaves it out.

    >>> from tertium.challenge.judgements import Judgement
    >>> items = ChallengeSet((Item("1", "Lexical", "Idioms", "Well?", "It rains cats and dogs."),))
    >>> answers = [Judgement("1", System("A"), name, answer) for name, answer in
    ...     (("ann", "yes"), ("ben", "no"), ("eve", "yes"))]
    >>> found = evaluate(items, ChallengeJudgements(tuple(answers)))
    >>> rate = found.rate(OVERALL, System("A"))
    >>> rate.positive, rate.judgements, rate.right, rate.items
    (2, 3, 1, 1)
    """
    judgements.check(items, outputs)
    if not len(judgements):
        raise InputError("there are no judgements")
    judged = set(judgements.systems)
    order = judgements.systems if outputs is None else outputs.systems
    systems = tuple(system for system in order if system in judged)
    verdicts = decisions(judgements, na)
    unjudged = 0
    if outputs is not None:
        unjudged = sum(Place(item, system) not in verdicts for system, item, _ in outputs)
    return Results(
        items,
        systems,
        judgements,
        na,
        verdicts,
        differences(judgements) if is_checked(judgements) else (),
        unjudged,
    )
