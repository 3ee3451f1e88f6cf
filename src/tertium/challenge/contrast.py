"""Who prefers the right version? Contrastive pairs scored by systems (log-probabilities) or by metrics.

A pair counts as right if the reference scores higher than every wrong version of its item (Sennrich 2016). Ties are not
right, and are counted. Rates, intervals and tests are those of challenge sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.challenge.comparison import Contest, contests
from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judgements import Answer, ChallengeJudgements, Judgement
from tertium.challenge.judges.contrastive import ContrastiveJudge, versions
from tertium.challenge.judges.scorers import Scorer
from tertium.challenge.judges.verdicts import Call, judge_all
from tertium.challenge.outputs import System
from tertium.challenge.pairs import AGAINST
from tertium.challenge.rates import OVERALL, Group, percent
from tertium.challenge.results import Results, evaluate
from tertium.errors import InputError, SpecError
from tertium.io.records import numbered_lines, real_number
from tertium.io.streams import FilePath, display_name
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result, metric_labels

if TYPE_CHECKING:
    from tertium.families.base import Metric

_ANSWERS: Mapping[Call, Answer] = {
    "yes": "yes",
    "no": "no",
    "unsure": "na",
}  # a tie is no answer, and so not right


@dataclass(frozen=True)
class VersionPreference:
    """How often one scorer prefers the right version in a group of pairs."""

    group: Group
    system: System
    pairs: int
    right: int
    ties: int
    interval: tuple[float, float] | None

    @property
    def share(self) -> float | None:
        return self.right / self.pairs if self.pairs else None


@dataclass(frozen=True)
class VersionPreferences(Result):
    """How well systems or metrics tell right from wrong, by category. Made by `prefer`."""

    kind = "contrastive preferences"
    results: Results
    contests: tuple[Contest, ...]
    margin: float
    digits: int = 1

    def __iter__(self) -> Iterator[VersionPreference]:
        """Overall first, then by category; within a group in the order of the scorers."""
        for group in (OVERALL, *self.results.categories):
            for system in self.results.systems:
                rate = self.results.rate(group, system)
                ties = rate.not_applicable
                yield VersionPreference(group, system, rate.items, rate.right, ties, rate.item_interval)

    def contents(self) -> Mapping[str, Any]:
        return {
            "margin": self.margin,
            "preferences": [
                {**own.group.data(), "scorer": own.system.label, "pairs": own.pairs, "right": own.right}
                | {"ties": own.ties, "share": own.share, "interval": own.interval}
                for own in self
            ],
            "contests": [contest.contents() for contest in self.contests],
        }

    def table(self) -> Table:
        columns = (
            Column("category"),
            Column("scorer"),
            number_column("pairs"),
            number_column("right %", "share", self.digits),
            *(number_column(end, digits=self.digits) for end in ("from", "to")),
            number_column("ties"),
        )
        rows = []
        for own in self:
            ends = own.interval or (None, None)
            rates = map(percent, (own.share, *ends))
            rows.append((own.group.label, own.system.label, own.pairs, *rates, own.ties))
        apart = f", or differ by no more than {self.margin:g}" if self.margin else ""
        notes = (
            "right: the right version scores higher than every wrong one; Wilson's 95% interval",
            f"ties: both score the same{apart}; they count as not right",
            *(
                ["sentences: exact McNemar test over all pairs, p after Holm's correction"]
                if self.contests
                else []
            ),
        )
        return Table("The right version preferred", columns, tuple(rows), notes)

    def words(self) -> Iterator[str]:
        return (str(contest) for contest in self.contests if contest.group == OVERALL)


def prefer(
    items: ChallengeSet, scorers: Mapping[str, Scorer], *, margin: float = 0.0, digits: int = 1
) -> VersionPreferences:
    """Score both versions of every pair by each of these scorers, callables that take sources and translations and
    give a number for each, higher being better: a system's log-probabilities, `score_file(path)`, or a metric's scores
    (`metric_scorers`). Items without a reference or a `wrong` version are left out.

    >>> wrong = {"wrong": ["He does come."]}
    >>> item = Item("1", "negation", "", "Right?", "Er kommt nicht.", "He does not come.", judge=wrong)
    >>> short = lambda sources, texts: [-len(text) for text in texts]
    >>> blind = lambda sources, texts: [0] * len(texts)
    >>> found = prefer(ChallengeSet((item,)), {"short": short, "blind": blind})
    >>> [(own.system.label, own.right, own.ties) for own in found if own.group == OVERALL]
    [('short', 0, 0), ('blind', 0, 1)]
    """
    ids = list(dict.fromkeys(item.id for item, _ in versions(items)))
    if not ids:
        raise InputError(f"{items.name or 'the set'}: no item has a reference and a wrong version of it")
    usable = items.only(ids)
    judge = ContrastiveJudge({System(name): scorer for name, scorer in scorers.items()}, margin)
    judgements = ChallengeJudgements(
        tuple(
            Judgement(verdict.item, verdict.system, "score", _ANSWERS[verdict.call])
            for verdict in judge_all(usable, None, judge)
        )
    )
    results = evaluate(usable, judgements)
    found = contests(results) if len(results.systems) > 1 else ()
    return VersionPreferences(results, found, margin, digits)


def score_file(path: FilePath) -> Scorer:
    """Scores in a file, a number per line, in the order of `texts_to_score`: for each item its reference, then its
    wrong versions. Log-probabilities, say: the higher, the better."""

    def scored(_: Sequence[str], translations: Sequence[str]) -> list[float]:
        found = [real_number(line.strip(), "score", where) for where, line in numbered_lines(path)]
        if len(found) != len(translations):
            raise InputError(
                f"{display_name(path)}: has {len(found)} scores, but there are {len(translations)} versions to score "
                "(--write-texts writes them)"
            )
        return found

    return scored


def texts_to_score(items: ChallengeSet) -> list[tuple[str, str]]:
    """Source and translation of everything that must be scored, in order."""
    return [(" ".join(item.source.split()), " ".join(text.split())) for item, text in versions(items)]


def metric_scorers(
    items: ChallengeSet, metrics: Sequence[str | Metric], references: Sequence[str] | None = None
) -> dict[str, Scorer]:
    """Metrics that compare both versions with another translation: `references`, one for each item, or what the items
    hold of it (`challenge pairs --reference`). With the right version itself for a reference every metric would win.
    """
    if references is not None and len(references) != len(items):
        raise InputError(f"there are {len(items)} items, but {len(references)} references")
    chosen = [registry.metric(metric) for metric in metrics]
    other = dict(zip((item.id for item in items), references, strict=True)) if references is not None else {}

    def scorer(metric: Metric) -> Scorer:
        if metric.needs_whole_set:
            raise SpecError(
                f"{metric.label} weighs words by the whole set of references: choose another metric"
            )
        known = [_other(item, other) if metric.needs_references else "" for item, _ in versions(items)]

        def scored(sources: Sequence[str], translations: Sequence[str]) -> list[float]:
            rows = metric.statistics(list(translations), [known], sources=list(sources))
            return [float(score) for score in metric.oriented(metric.score_rows(rows, "segment"))]

        return scored

    return {label: scorer(metric) for label, metric in zip(metric_labels(chosen), chosen, strict=True)}


def _other(item: Item, other: Mapping[str, str]) -> str:
    found = other.get(item.id, item.metadata.get(AGAINST))
    if not isinstance(found, str):
        raise InputError(
            f"item {item.id!r} has no other translation for a metric to compare with: give references, or make the "
            "pairs with them"
        )
    return found
