"""Judgements of campaigns as the tables that analyses and formats share: scores, comparisons, rankings, unit marks."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.comparison.labels import Label, Labels
from tertium.errors import InputError
from tertium.human.campaigns.collected import Collected, Judged, pair_outcomes
from tertium.human.campaigns.designs import CHALLENGE, DIRECT, PAIRWISE, RANKING, SPANS, UNITS
from tertium.human.campaigns.items import GENUINE, REPEAT
from tertium.human.hume import WORTH
from tertium.io.comparisons import Comparisons
from tertium.io.hume import UnitMark
from tertium.io.judgementtable import Judgements, Protocol, Span
from tertium.io.mqm import MQMWeights
from tertium.io.rankings import Ranking

SCORED = (DIRECT, SPANS, UNITS)  # designs that give a translation a number
COMPARED = (PAIRWISE, RANKING, CHALLENGE)  # designs that set translations side by side


def scores(collected: Collected) -> Judgements:
    """A score for each judged translation, of each system that gave it. Error spans without a score cost what MQM
    says; semantic units give their share of good ones, in percent.
    """
    if collected.design not in SCORED:
        raise InputError(f"the design {collected.design} gives no scores")
    rows = [(one, system) for one in collected for system in one.shown[0]]
    if not rows:
        raise InputError(f"{collected.settings.name}: there are no judgements yet")
    return Judgements.of(
        annotator=[one.annotator for one, _ in rows],
        system=[system for _, system in rows],
        segment=[one.item.segment for one, _ in rows],
        score=[score_of(one, collected.design) for one, _ in rows],
        kind=[one.item.kind for one, _ in rows],
        document=[one.item.document for one, _ in rows] if any(o.item.document for o, _ in rows) else None,
        start=[one.time - one.seconds for one, _ in rows],
        seconds=[one.seconds for one, _ in rows],
        spans=[spans_of(one) for one, _ in rows] if collected.design == SPANS else None,
        origin=collected.settings.name,
    )


def protocol_of(collected: Collected) -> Protocol:
    """How scores of a design become gold: error spans as ESA or MQM have it, the rest as direct assessment."""
    if collected.design != SPANS:
        return "DA"
    return "ESA" if collected.settings.options["score"] else "MQM"


def score_of(one: Judged, design: str) -> float:
    """The number that a screen gave to its translation."""
    if design == UNITS:
        marks = one.answer["marks"].values()
        return 100 * sum(WORTH[mark] for mark in marks) / len(marks)
    if one.answer["score"] is not None:
        return float(one.answer["score"])
    weights = MQMWeights.of({"critical": 25})
    return -sum(weights.weight(span.severity, span.category, "MQM") for span in spans_of(one)) + 0.0


def spans_of(one: Judged) -> tuple[Span, ...]:
    """The errors that were marked."""
    return tuple(
        Span(span["start"], span["end"], span["severity"], span["category"]) for span in one.answer["spans"]
    )


def comparisons(collected: Collected) -> Comparisons:
    """All pairs of systems on all screens, with the repeats. Systems with the same output on one screen are not
    compared, and a tie in a ranking is one of each system with each."""
    if collected.design not in COMPARED:
        raise InputError(f"the design {collected.design} compares nothing")
    name = collected.settings.name
    rows: dict[str, list[tuple[str, str, str, str, int]]] = {GENUINE: [], REPEAT: []}
    for one in collected:
        if one.item.kind in rows:
            rows[one.item.kind] += [
                (one.annotator, one.item.segment, a, b, sign)
                for first, second, sign in pair_outcomes(one, collected.design)
                for a in first
                for b in second
            ]
    repeats = Comparisons.of(rows[REPEAT], origin=name) if rows[REPEAT] else None
    return Comparisons.of(rows[GENUINE], origin=name, repeats=repeats)


def labels(collected: Collected) -> Labels:
    """Forced choices as labels 1 and 2, the first shown and the second; numbered in the order of the screens."""
    found = []
    for number, one in enumerate(_genuine(collected), 1):
        if one.answer["choice"] in ("A", "B"):
            first, second = one.shown
            found.append(Label(number, first[0], second[0], 1 if one.answer["choice"] == "A" else 2))
    return Labels(tuple(found))


def rankings(collected: Collected, *, repeats: bool = False) -> list[Ranking]:
    """Screens as rankings, each system by its own; a choice of two is a ranking of two. Repeats only if asked for."""
    found = []
    for one in collected:
        if one.item.kind != GENUINE and not (repeats and one.item.kind == REPEAT):
            continue
        if collected.design == RANKING:
            ranks = one.answer["ranks"]
        else:
            ranks = {"A": [1, 2], "B": [2, 1], "undecided": [1, 1]}[one.answer["choice"]]
        placed = [
            (system, rank) for systems, rank in zip(one.shown, ranks, strict=True) for system in systems
        ]
        systems, places = zip(*placed, strict=True)
        found.append(
            Ranking(one.annotator, one.item.segment, systems, places, repeat=one.item.kind == REPEAT)
        )
    return found


def unit_marks(collected: Collected) -> list[UnitMark]:
    """Marks of semantic units, of each system that gave the translation."""
    return [
        UnitMark(one.annotator, system, one.item.segment, unit, mark)
        for one in _genuine(collected)
        for system in one.shown[0]
        for unit, mark in one.answer["marks"].items()
    ]


def _genuine(collected: Collected) -> Iterator[Judged]:
    return (one for one in collected if one.item.kind == GENUINE)
