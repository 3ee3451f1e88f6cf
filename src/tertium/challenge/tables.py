"""Results as tables: the paper's tables 2 and 3, rates with intervals, agreement; and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.challenge.decisions import POLICY_WORDS
from tertium.challenge.outputs import Outputs, System, find_system
from tertium.challenge.rates import OVERALL, AnnotatorAgreement, Rate, percent
from tertium.errors import InputError
from tertium.io.records import named, read_tsv, real_number
from tertium.io.streams import FilePath
from tertium.io.tables import Column, Table, Value, number_column
from tertium.results import metric_labels

if TYPE_CHECKING:
    from tertium.challenge.items import ChallengeSet
    from tertium.challenge.results import Results


_SCORES = ("metric", "system", "score")
_ARROWS = {True: "↑", False: "↓", None: ""}


@dataclass(frozen=True)
class MetricScores:
    """A metric's scores of the same systems, shown beside the success rates; None where there is none."""

    label: str
    scores: dict[System, float | None]
    higher_is_better: bool | None = True  # None: not known
    note: str = ""


def metric_scores(items: ChallengeSet, outputs: Outputs, specs: Sequence[str]) -> list[MetricScores]:
    """Scores of the systems against the references of the challenge set itself.

    Only systems with an output for every item that has a reference are scored: others would not be comparable.
    """
    from tertium import registry
    from tertium.scoring import score

    chosen = [item for item in items if item.reference]
    metrics = [registry.metric(spec) for spec in specs]
    complete = {
        system: texts for system, texts in outputs.texts.items() if all(item.id in texts for item in chosen)
    }
    found = []
    scores = None
    if chosen and complete:
        scores = score(
            {system.label: [texts[item.id] for item in chosen] for system, texts in complete.items()},
            [item.reference for item in chosen],
            metrics,
            sources=[item.source for item in chosen],
            force=True,
        )
    for metric, label in zip(metrics, metric_labels(metrics), strict=True):
        own = {} if scores is None else {s.system: s for s in scores if s.metric == metric}
        values = {
            system: own[system.label].value if system.label in own else None for system in outputs.systems
        }
        signature = next((s.signature for s in own.values()), "")
        found.append(MetricScores(label, values, metric.higher_is_better, f"{label}: {signature}"))
    return found


def read_scores(path: FilePath, systems: Sequence[System]) -> list[MetricScores]:
    """Scores from elsewhere, such as BLEU on a large test set: a table with the columns `metric`, `system`, `score`
    (and `version`). The numbers are shown as they are; their direction is unknown, so none is marked as best.
    """
    found: dict[str, dict[System, float | None]] = {}
    for where, values in read_tsv(path, (*_SCORES, "version"), _SCORES):
        metric, name, score = (named(values[key], key, where) for key in _SCORES)
        system = find_system(f"{name}@{values['version']}" if "version" in values else name, systems)
        scores = found.setdefault(metric, {})
        if system in scores:
            raise InputError(f"{where}: a second {metric} score for {system.label}")
        scores[system] = real_number(score, "score", where)
    return [MetricScores(label, scores, None) for label, scores in found.items()]


def summary_table(results: Results, metrics: Sequence[MetricScores] = (), *, digits: int = 1) -> Table:
    """Table 2 of the paper: by category, the percentage of positive judgements and of outputs on which all agree.

    Metrics follow below, in their own units.
    """
    agreed = len(results.annotators) > 1
    columns = (
        Column("category"),
        number_column("#", "items"),
        *(number_column(system.label, digits=digits) for system in results.systems),
        *([number_column("all agree", digits=digits)] if agreed else []),
    )
    rows: list[tuple[Value, ...]] = []
    best: set[tuple[int, int]] = set()
    for group in (*results.categories, OVERALL):
        rates = [results.rate(group, system).share for system in results.systems]
        best |= _best(rates, len(rows))
        agreement = [percent(results.agreement(group).share)] if agreed else []
        rows.append((group.label, results.n_items(group), *map(percent, rates), *agreement))
    for metric in metrics:
        values = [metric.scores.get(system) for system in results.systems]
        sign = {True: 1, False: -1, None: 0}[metric.higher_is_better]
        best |= _best([None if value is None else sign * value for value in values], len(rows))
        label = f"{metric.label} {_ARROWS[metric.higher_is_better]}".rstrip()
        rows.append((label, "", *values, *([""] if agreed else [])))
    notes = ["success rate in %: positive judgements / all judgements", *_notes(results)]
    notes += [metric.note for metric in metrics if metric.note]
    return Table("Success rate by category", columns, tuple(rows), tuple(notes), frozenset(best))


def fine_table(results: Results, *, digits: int = 1) -> Table:
    """Table 3 of the paper: per subcategory the share of items that a majority judged positive, in percent."""
    columns = (
        *map(Column, ("category", "subcategory")),
        number_column("#", "items"),
        *(number_column(system.label, digits=digits) for system in results.systems),
    )
    rows: list[tuple[Value, ...]] = []
    best: set[tuple[int, int]] = set()
    for group in results.groups:
        if group.subcategory is None and any(
            other.category == group.category and other.subcategory is not None for other in results.groups
        ):
            continue  # shown by its subcategories
        rates = [results.rate(group, system).item_share for system in results.systems]
        best |= {(row, column + 1) for row, column in _best(rates, len(rows))}
        rows.append((*group.columns, results.n_items(group), *map(percent, rates)))
    notes = ["success rate in %: items judged positive by a majority / all items", *_notes(results)]
    return Table("Success rate by subcategory", columns, tuple(rows), tuple(notes), frozenset(best))


def _best(rates: Sequence[float | None], row: int) -> set[tuple[int, int]]:
    """The best cells of a row, unless all are equal; rates begin in the third column."""
    known = [rate for rate in rates if rate is not None]
    if len(known) < 2 or max(known) == min(known):
        return set()
    return {(row, place + 2) for place, rate in enumerate(rates) if rate == max(known)}


def _notes(results: Results) -> list[str]:
    judged, annotators = len(results.decisions), results.judgements.annotators()
    notes = [
        f"{judged} outputs judged by {', '.join(annotators)}; {POLICY_WORDS[results.policy]}",
    ]
    if results.checked:
        checkers = ", ".join(results.judgements.annotators("check")) or "nobody"
        notes.append(f"checked by {checkers}: {len(results.differences)} differences, all settled")
    if results.ties:
        notes.append(f"{results.ties} ties among an even number of answers count as not positive")
    if results.unjudged:
        notes.append(f"{results.unjudged} outputs have not been judged and do not count")
    return notes


def rates_table(results: Results, *, digits: int = 1) -> Table:
    """Every rate with its counts and its Wilson interval (95%), a row for each group and system."""
    columns = (
        *map(Column, ("category", "subcategory", "system")),
        *map(number_column, ("positive", "judgements")),
        *(number_column(name, key, digits) for name, key in (("%", "rate"), ("from", "low"), ("to", "high"))),
        *map(number_column, ("right", "items")),
        *(
            number_column(name, key, digits)
            for name, key in (("% items", "item_rate"), ("from", "item_low"), ("to", "item_high"))
        ),
        number_column("n/a", "not_applicable"),
    )
    rows: list[tuple[Value, ...]] = []
    for group in results.groups:
        for system in results.systems:
            rate = results.rate(group, system)
            low, high = rate.interval or (None, None)
            item_low, item_high = rate.item_interval or (None, None)
            rows.append(
                (
                    *group.columns,
                    system.label,
                    rate.positive,
                    rate.judgements,
                    *map(percent, (rate.share, low, high)),
                    rate.right,
                    rate.items,
                    *map(percent, (rate.item_share, item_low, item_high)),
                    rate.not_applicable,
                )
            )
    notes = ("from, to: Wilson's 95% interval, with as many trials as items", *_notes(results))
    return Table("Rates with counts and intervals", columns, tuple(rows), notes)


def agreement_table(results: Results) -> Table:
    """Agreement between annotators by category: outputs on which all agree, Cohen's and Fleiss' kappa, Krippendorff's
    alpha."""
    found = [results.agreement(group) for group in (*results.categories, OVERALL)]
    pairs = tuple(dict.fromkeys(pair for agreement in found for pair in agreement.cohen))
    columns = (
        Column("category"),
        *map(number_column, ("outputs", "all agree")),
        number_column("%", "share", 1),
        *(
            number_column(name, digits=3)
            for name in (*(f"Cohen {a}/{b}" for a, b in pairs), "Fleiss", "alpha")
        ),
    )
    rows = tuple(
        (
            agreement.group.label,
            agreement.outputs,
            agreement.all_agree,
            percent(agreement.share),
            *(agreement.cohen.get(pair) for pair in pairs),
            agreement.fleiss,
            agreement.alpha,
        )
        for agreement in found
    )
    how = "an answer of its own" if results.policy == "negative" else "no answer"
    notes = [f"over outputs with two or more answers; 'not applicable' is {how} here"]
    if any(agreement.fleiss_outputs < agreement.outputs for agreement in found):
        notes.append(
            f"Fleiss: only the {found[-1].fleiss_outputs} outputs with the largest number of answers"
        )
    return Table("Agreement between annotators", columns, rows, tuple(notes))


def differences_table(results: Results) -> Table:
    """Where the checker disagreed, and what was settled."""
    columns = tuple(map(Column, ("item", "system", "judge", "checker", "settled", "note")))
    rows = tuple(
        (d.place.item, d.place.system.label, d.first, d.second, d.settled, d.note)
        for d in results.differences
    )
    return Table("Differences between judge and checker", columns, rows)


TABLES = ("summary", "subcategories", "rates", "agreement", "differences")


def results_data(results: Results, metrics: Sequence[MetricScores] = ()) -> dict[str, Any]:
    """Everything about the results as plain data."""
    return {
        "set": results.items.name,
        "items": len(results.items),
        "not_applicable": results.policy,
        "systems": [
            {"label": system.label, "name": system.name, "version": system.version}
            for system in results.systems
        ],
        "annotators": list(results.annotators),
        "checked": results.checked,
        "judged_outputs": len(results.decisions),
        "unjudged_outputs": results.unjudged,
        "ties": results.ties,
        "notes": _notes(results),
        "groups": [{**group.data(), "items": results.n_items(group)} for group in results.groups],
        "rates": [
            {**group.data(), "system": system.label, **_rate(results.rate(group, system))}
            for group in results.groups
            for system in results.systems
        ],
        "agreement": [
            _agreement(results.agreement(group))
            for group in (*results.categories, OVERALL)
            if len(results.annotators) > 1
        ],
        "differences": differences_table(results).records(),
        "metrics": [
            {
                "metric": metric.label,
                "higher_is_better": metric.higher_is_better,
                "scores": {system.label: score for system, score in metric.scores.items()},
                "signature": metric.note.partition(": ")[2] or None,
            }
            for metric in metrics
        ],
    }


def _rate(rate: Rate) -> dict[str, Any]:
    return {
        **vars(rate),
        "rate": rate.share,
        "interval": rate.interval,
        "item_rate": rate.item_share,
        "item_interval": rate.item_interval,
    }


def _agreement(agreement: AnnotatorAgreement) -> dict[str, Any]:
    names = ("outputs", "all_agree", "share", "pairwise", "fleiss", "alpha")
    return {
        "category": agreement.group.category or None,
        **{name: getattr(agreement, name) for name in names},
        "cohen": [{"annotators": list(pair), "kappa": value} for pair, value in agreement.cohen.items()],
    }
