"""Results of a challenge set as the plain dictionary that the page of `tertium.report.challenge` shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tertium import __version__
from tertium.challenge.comparison import Contest, contests, progress, versions
from tertium.challenge.decisions import POLICY_WORDS
from tertium.challenge.items import Item
from tertium.challenge.judgements import Place
from tertium.challenge.outputs import Outputs
from tertium.challenge.rates import OVERALL, Group
from tertium.challenge.results import Results
from tertium.challenge.tables import MetricScores

_HARDEST = 5  # subcategories named


def challenge_data(
    results: Results,
    outputs: Outputs | None = None,
    metrics: Sequence[MetricScores] = (),
    *,
    title: str = "",
) -> dict[str, Any]:
    """Everything that the page shows: rates, agreement, pairs, versions, and every item with its outputs and marks."""
    pairs = contests(results) if len(results.systems) > 1 else ()
    agreement = len(results.annotators) > 1
    return {
        "title": title or f"Challenge set {results.items.name.rpartition('/')[2]}",
        "version": __version__,
        "facts": list(_facts(results)),
        "summary": list(_summary(results, pairs)),
        "systems": [system.label for system in results.systems],
        "annotators": list(results.annotators),
        "policy": POLICY_WORDS[results.policy],
        "checked": results.checked,
        "groups": [_group(results, group) for group in results.groups],
        "metrics": [
            {
                "label": metric.label,
                "note": metric.note,
                "higher_is_better": metric.higher_is_better,
                "scores": [metric.scores.get(system) for system in results.systems],
            }
            for metric in metrics
        ],
        "agreement": [_agreement(results, group) for group in (*results.categories, OVERALL)]
        if agreement
        else None,
        "pairs": [contest.contents() for contest in pairs] or None,
        "versions": [
            [contest.contents() for contest in progress(results, *step)] for step in versions(results)
        ]
        or None,
        "items": [_item(results, outputs, item) for item in results.items],
    }


def _facts(results: Results) -> Iterator[str]:
    yield _many(len(results.items), "item")
    yield _many(len(results.categories), "category", "categories")
    yield _many(len(results.systems), "system")
    yield _many(len(results.judgements), "judgement")
    yield "judged by " + ", ".join(results.judgements.annotators())
    if results.checked:
        yield "checked by " + ", ".join(results.judgements.annotators("check"))
    pairs = sorted({item.languages for item in results.items} - {""})
    if pairs:
        yield ", ".join(pairs)


def _many(number: int, one: str, several: str = "") -> str:
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def _summary(results: Results, pairs: Sequence[Contest]) -> Iterator[str]:
    """The outcome in sentences, the most important one first."""
    rates = sorted(
        ((results.rate(OVERALL, system), system) for system in results.systems),
        key=lambda pair: -(pair[0].item_share or 0),
    )
    first, *others = [
        f"{system.label} is right on {rate.right} of {rate.items} items ({100 * (rate.item_share or 0):.1f} %)"
        if place == 0
        else f"{system.label} on {rate.right} of {rate.items} ({100 * (rate.item_share or 0):.1f} %)"
        for place, (rate, system) in enumerate(rates)
    ]
    yield ", ".join([first, *others]) + "."
    for contest in pairs:
        if contest.group == OVERALL:
            yield _contest_words(contest)
    fine = [group for group in results.groups if group.subcategory is not None]
    lost = [g.label for g in fine if all(results.rate(g, s).right == 0 for s in results.systems)]
    if lost:
        more = f" and {len(lost) - _HARDEST} more" if len(lost) > _HARDEST else ""
        yield f"No system gets any item right in: {', '.join(lost[:_HARDEST])}{more}."
    agreement = results.agreement()
    if agreement.share is not None:
        yield (
            f"All annotators agree on {100 * agreement.share:.1f} % of the {agreement.outputs} outputs judged twice or "
            "more."
        )
    if results.unjudged:
        yield f"{results.unjudged} outputs are not judged yet and are not counted."


def _contest_words(contest: Contest) -> str:
    first, second = contest.first.label, contest.second.label
    counts = (
        f"{len(contest.only_first)} items only {first} gets right, {len(contest.only_second)} only {second}"
    )
    p = "p < 0.001" if contest.adjusted < 0.001 else f"p = {contest.adjusted:.3f}"
    if contest.adjusted >= 0.05:
        return f"{first} and {second} cannot be told apart: {counts} ({p})."
    right = contest.right
    better, worse = (first, second) if right[0] > right[1] else (second, first)
    return f"{better} is better than {worse}: {counts} ({p})."


def _group(results: Results, group: Group) -> dict[str, Any]:
    rates = [results.rate(group, system) for system in results.systems]
    return {
        "category": group.category or None,
        "subcategory": group.subcategory,
        "label": group.label,
        "items": results.n_items(group),
        "rates": [
            {
                "positive": rate.positive,
                "judgements": rate.judgements,
                "share": rate.share,
                "interval": rate.interval,
                "right": rate.right,
                "items": rate.items,
                "item_share": rate.item_share,
                "item_interval": rate.item_interval,
                "not_applicable": rate.not_applicable,
            }
            for rate in rates
        ],
    }


def _agreement(results: Results, group: Group) -> dict[str, Any]:
    found = results.agreement(group)
    return {
        "label": group.label,
        "outputs": found.outputs,
        "all_agree": found.all_agree,
        "share": found.share,
        "cohen": [[f"{a}/{b}", value] for (a, b), value in found.cohen.items()],
        "fleiss": found.fleiss,
        "alpha": found.alpha,
    }


def _item(results: Results, outputs: Outputs | None, item: Item) -> dict[str, Any]:
    """An item with its outputs: the text, the mark (None: no verdict), who answered what."""
    shown = []
    for system in results.systems:
        place = Place(item.id, system)
        decision = results.decisions.get(place)
        shown.append(
            {
                "text": None if outputs is None else outputs.text(system, item.id),
                "judged": decision is not None,
                "right": None if decision is None else decision.right,
                "answers": [
                    [j.annotator, j.role, j.answer, j.note] for j in results.judgements_of.get(place, ())
                ],
            }
        )
    return {
        "id": item.id,
        "category": item.category,
        "subcategory": item.subcategory,
        "question": item.question,
        "source": item.source,
        "source_spans": item.source_spans,
        "reference": item.reference,
        "reference_spans": item.reference_spans,
        "notes": item.notes,
        "outputs": shown,
    }
