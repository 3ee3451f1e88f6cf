"""Metrics against people who say which of two paragraphs is better: tables 3 and 4 of Libovický et al. (2018).

A metric decides a pair as the majority does if the paragraph that the majority finds better has the higher score; a
tie, or a paragraph without a score, counts as wrong. What a person reaches is the square root of the share of pairs on
which three annotators agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, did_you_mean
from tertium.families.base import Level, Metric
from tertium.human.paragraphs import Votes, human_ceiling, majority_votes
from tertium.io.comparisons import Comparisons
from tertium.io.tables import Column, Table, Value, number_column
from tertium.measuring import Specs, chosen_for, measure
from tertium.results import Result, metric_labels
from tertium.stats.proportions import mcnemar_exact, wilson_interval
from tertium.stats.wins import not_outperformed, significant_wins
from tertium.testset import TestSet

GOOD = 30.0  # BLEU of both paragraphs that the paper calls good
QUALITY = "bleu"
Verdicts = NDArray[
    np.int8
]  # of a metric on each decided pair: 1 as the majority, -1 the other way, 0 neither


@dataclass(frozen=True)
class Decided:
    """How often a metric decides as the majority of people, with Wilson's 95% interval."""

    metric: str
    right: int
    ties: int
    pairs: int
    low: float | None
    high: float | None
    leads: bool  # no other metric decides significantly more pairs as people do (McNemar's exact test)

    @property
    def share(self) -> float | None:
        return self.right / self.pairs if self.pairs else None


@dataclass(frozen=True)
class ParagraphGroup:
    """Pairs of paragraphs of some quality: how far people agree on them, and metrics with people."""

    name: str
    pairs: int
    votes: Votes
    quality: float | None  # mean score of the paragraphs
    difference: float | None  # mean difference of the two, whichever is higher
    decided: tuple[Decided, ...]

    @property
    def ceiling_interval(self) -> tuple[float, float] | None:
        """That of the agreement, as ceilings."""
        if self.votes.ceiling is None or self.votes.agreement is None:
            return None
        found = wilson_interval(round(self.votes.agreement * self.pairs), self.pairs)
        return found and (human_ceiling(found[0]), human_ceiling(found[1]))


@dataclass(frozen=True)
class ParagraphAgreement(Result):
    """People and metrics on pairs of paragraphs, all of them and the good ones."""

    kind = "paragraph agreement"
    groups: tuple[ParagraphGroup, ...]
    quality: str  # what the quality of a paragraph was measured by
    alpha: float
    signatures: Mapping[str, str]
    notes: tuple[str, ...] = ()

    def contents(self) -> Mapping[str, Any]:
        return {
            "quality": self.quality,
            "alpha": self.alpha,
            "signatures": self.signatures,
            "notes": self.notes,
            "groups": [
                {
                    "name": own.name,
                    "pairs": own.pairs,
                    "decided": len(own.votes.decided),
                    "agreement": own.votes.agreement,
                    "kappa": own.votes.kappa,
                    "ceiling": own.votes.ceiling,
                    "ceiling_interval": own.ceiling_interval,
                    "quality": own.quality,
                    "difference": own.difference,
                    "coverage": own.votes.coverage,
                    "metrics": {one.metric: {**vars(one), "share": one.share} for one in own.decided},
                }
                for own in self.groups
            ],
        }

    def tables(self) -> Iterator[Table]:
        yield self._metrics()
        yield self._people()

    def _metrics(self) -> Table:
        """Table 4: metrics down, groups across."""
        columns = [Column("metric")]
        people: list[Value] = ["estimated human agreement"]
        for group in self.groups:
            columns += [number_column(group.name, digits=3), Column("95%", f"{group.name} 95%", whole=True)]
            people += [group.votes.ceiling, _between(group.ceiling_interval)]
        rows: list[tuple[Value, ...]] = [tuple(people)]
        best = set()
        for m, one in enumerate(self.groups[0].decided):
            row: list[Value] = [one.metric]
            for g, group in enumerate(self.groups):
                own = group.decided[m]
                row += [
                    own.share,
                    _between(None if own.low is None or own.high is None else (own.low, own.high)),
                ]
                if own.leads and own.share is not None:
                    best.add((len(rows), 1 + 2 * g))
            rows.append(tuple(row))
        notes = ["a tie of a metric counts as wrong"]
        for group in self.groups:
            if group.votes.ceiling is None:
                notes.append(
                    f"{group.name}: no human agreement is estimated unless every pair has three votes"
                )
        return Table(
            "Pairs decided as the majority of people",
            tuple(columns),
            tuple(rows),
            tuple(notes),
            frozenset(best),
            star=f"no other metric is significantly better (McNemar's test, p < {self.alpha})",
        )

    def _people(self) -> Table:
        """Table 3: groups down."""
        columns = (
            Column("paragraphs", "group"),
            number_column("pairs"),
            number_column("decided"),
            number_column("agr.", "agreement", 2),
            number_column("κ", "kappa", 2),
            number_column(self.quality, "quality", 1),
            number_column(f"Δ {self.quality}", "difference", 1),
        )
        rows = tuple(
            (
                own.name,
                own.pairs,
                len(own.votes.decided),
                own.votes.agreement,
                own.votes.kappa,
                own.quality,
                own.difference,
            )
            for own in self.groups
        )
        return Table(
            "Paragraph preferences", columns, rows, (str(self.groups[0].votes.coverage), *self.notes)
        )

    def words(self) -> Iterator[str]:
        for own in self.groups:
            known = [one for one in own.decided if one.share is not None]
            if not known:
                yield f"{own.name}: the majority decided no pair."
                continue
            best = max(known, key=lambda one: one.right)
            names = " and ".join(one.metric for one in known if one.right == best.right)
            ceiling = "" if own.votes.ceiling is None else f"; a person would reach {own.votes.ceiling:.1%}"
            yield (
                f"{own.name}: most pairs as the majority of people are decided by {names}, {best.right} of "
                f"{best.pairs} ({best.share:.1%}){ceiling}."
            )


def judge_paragraphs(
    testset: TestSet,
    comparisons: Comparisons,
    metrics: Specs = ("bleu", "chrf"),
    *,
    good: Sequence[float] = (GOOD,),
    quality: str = QUALITY,
    alpha: float = 0.05,
    threads: int = 1,
) -> ParagraphAgreement:
    """Metrics against preferences between paragraphs, which are the documents of a test set, or its lines where it has
    no documents. `good` has thresholds of quality that both paragraphs of a pair must reach.

    >>> rows = [(who, "news-harbour", "strong", "literal", sign) for who, sign in (("a", 1), ("b", 1), ("c", 0))]
    >>> found = judge_paragraphs(TestSet.sample(), Comparisons.of(rows), ["chrf"])
    >>> found.groups[0].decided[0].right
    1
    """
    texts = testset.references, testset.origin
    chosen = list(dict.fromkeys(chosen_for(metrics, *texts).metrics))
    [judge] = chosen_for(quality, *texts).metrics
    level: Level = "segment" if testset.documents is None else "document"
    measured = measure(testset, list(dict.fromkeys([*chosen, judge])), level, threads=threads)
    ids = measured.documents if level == "document" else tuple(str(i) for i in range(1, len(testset) + 1))
    comparisons = fitting_comparisons(comparisons.without(testset.references.pseudo), testset, ids)
    place = {name: i for i, name in enumerate(ids)}
    scores = {
        (system, metric): metric.score_rows(measured.rows[system, metric], level)
        for system in measured.systems
        for metric in (*chosen, judge)
    }

    def of_pair(metric: Metric, segment: str, *systems: str) -> list[float]:
        sign = 1 if metric.higher_is_better else -1
        return [sign * float(scores[system, metric][place[segment]]) for system in systems]

    labels = dict(zip(chosen, metric_labels(chosen), strict=True))
    pairs = list(comparisons.votes())
    worse = {pair: min(of_pair(judge, *pair)) for pair in pairs}
    groups, empty = [], []
    for least in (None, *good):
        name = "all" if least is None else f"{judge.label} ≥ {least:g}"
        kept = [pair for pair in pairs if least is None or worse[pair] >= least]
        if not kept:
            empty.append(f"no pair has two paragraphs with {judge.label} of {least:g} or more")
            continue
        votes = majority_votes(_of(comparisons, set(kept)))
        both = np.array([of_pair(judge, *pair) for pair in kept])
        verdicts = {
            labels[metric]: np.array(
                [
                    vote.sign * _higher(*of_pair(metric, vote.segment, vote.first, vote.second))
                    for vote in votes.decided
                ],
                dtype=np.int8,
            )
            for metric in chosen
        }
        groups.append(
            ParagraphGroup(
                name,
                len(kept),
                votes,
                _mean(both),
                _mean(np.abs(both[:, 0] - both[:, 1])),
                _decided(verdicts, alpha),
            )
        )
    references = testset.references
    signatures = {
        label: metric.signature(references.number, pseudo=references.pseudo)
        for metric, label in labels.items()
    }
    return ParagraphAgreement(tuple(groups), judge.label, alpha, signatures, tuple(empty))


def fitting_comparisons(
    comparisons: Comparisons, testset: TestSet, paragraphs: Sequence[str], what: str = "paragraph"
) -> Comparisons:
    """Paragraphs (segments) and systems that people judged must be those of the test set, and are named as there."""
    known, systems = set(paragraphs), (*testset.systems, *testset.aliases)
    for row, segment in enumerate(comparisons.segment):
        if segment not in known:
            hint = did_you_mean(segment, paragraphs) if len(known) <= 1000 else ""
            raise InputError(f"{comparisons.where(row)}: the test set has no {what} {segment!r}{hint}")
        for number in (comparisons.first[row], comparisons.second[row]):
            if (name := comparisons.systems[number]) not in systems:
                hint = did_you_mean(name, list(testset.systems))
                raise InputError(f"{comparisons.where(row)}: the test set has no system {name!r}{hint}")
    return replace(comparisons, systems=tuple(map(testset.name_of, comparisons.systems)))


def _of(comparisons: Comparisons, pairs: set[tuple[str, str, str]]) -> Comparisons:
    names = comparisons.systems
    rows = zip(comparisons.segment, comparisons.first.tolist(), comparisons.second.tolist(), strict=True)
    return comparisons.take(
        np.array([(segment, names[min(a, b)], names[max(a, b)]) in pairs for segment, a, b in rows])
    )


def _higher(first: float, second: float) -> int:
    """1, -1, or 0 where neither is: they tie, or one is undefined."""
    return int(first > second) - int(first < second)


def _decided(verdicts: Mapping[str, Verdicts], alpha: float) -> tuple[Decided, ...]:
    right = np.stack([own > 0 for own in verdicts.values()])
    p = np.full((len(right), len(right)), np.nan)
    for i, one in enumerate(right):
        for j, other in enumerate(right):
            mine, theirs = int((one & ~other).sum()), int((other & ~one).sum())
            if mine > theirs:
                p[i, j] = mcnemar_exact(mine, theirs)
    leads = not_outperformed(significant_wins(p, alpha))
    found = []
    for (label, own), best in zip(verdicts.items(), leads, strict=True):
        right_ones = int((own > 0).sum())
        low, high = wilson_interval(right_ones, len(own)) or (None, None)
        found.append(Decided(label, right_ones, int((own == 0).sum()), len(own), low, high, bool(best)))
    return tuple(found)


def _mean(values: NDArray[np.float64]) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else None


def _between(interval: tuple[float, float] | None) -> str | None:
    return None if interval is None else f"{interval[0]:.2f}–{interval[1]:.2f}"
