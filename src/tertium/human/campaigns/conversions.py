"""Judgements of campaigns as the tables of analyses and formats: scores, comparisons, rankings, unit marks."""

from __future__ import annotations

from tertium.comparison.labels import Label, Labels
from tertium.errors import InputError
from tertium.human.campaigns.collected import Collected
from tertium.human.campaigns.designs import CHALLENGE, DIRECT, PAIRWISE, RANKING, SPANS, UNITS
from tertium.human.campaigns.items import GENUINE, REPEAT
from tertium.io.comparisons import Comparisons
from tertium.io.hume import UnitMark
from tertium.io.judgementtable import Judgements, Protocol
from tertium.io.rankings import Ranking

SCORED = (DIRECT, SPANS, UNITS)  # designs that give each translation a number
COMPARED = (PAIRWISE, RANKING, CHALLENGE)  # designs that show translations side by side


def scores(collected: Collected) -> Judgements:
    """A score for each judged translation, of each system that gave it."""
    if collected.design not in SCORED:
        raise InputError(f"the design {collected.design} gives no scores")
    rows = [(one, system) for one in collected for system in one.shown[0]]
    if not rows:
        raise InputError(f"{collected.settings.name}: there are no judgements yet")
    return Judgements.of(
        annotator=[one.annotator for one, _ in rows],
        system=[system for _, system in rows],
        segment=[one.item.segment for one, _ in rows],
        score=[one.score for one, _ in rows],
        kind=[one.item.kind for one, _ in rows],
        document=[one.item.document for one, _ in rows] if any(o.item.document for o, _ in rows) else None,
        start=[one.time - one.seconds for one, _ in rows],
        seconds=[one.seconds for one, _ in rows],
        spans=[one.spans for one, _ in rows] if collected.design == SPANS else None,
        origin=collected.settings.name,
    )


def protocol_of(collected: Collected) -> Protocol:
    """The protocol by which scores become gold: ESA or MQM for error spans, otherwise direct assessment."""
    if collected.design != SPANS:
        return "DA"
    return "ESA" if collected.settings.options["score"] else "MQM"


def comparisons(collected: Collected) -> Comparisons:
    """All pairs of systems on all screens, with the repeats. Systems with the same output on a screen are not compared
    with each other."""
    if collected.design not in COMPARED:
        raise InputError(f"the design {collected.design} compares nothing")
    name = collected.settings.name
    rows: dict[str, list[tuple[str, str, str, str, int]]] = {GENUINE: [], REPEAT: []}
    for one in collected:
        if one.item.kind in rows:
            rows[one.item.kind] += [
                (one.annotator, one.item.segment, a, b, sign)
                for first, second, sign in one.outcomes()
                for a in first
                for b in second
            ]
    repeats = Comparisons.of(rows[REPEAT], origin=name) if rows[REPEAT] else None
    return Comparisons.of(rows[GENUINE], origin=name, repeats=repeats)


def labels(collected: Collected) -> Labels:
    """Forced choices as labels 1 and 2, for the first and the second shown, numbered in the order of the screens."""
    found = []
    for number, one in enumerate(collected.genuine, 1):
        if one.answer["choice"] in ("A", "B"):
            first, second = one.shown
            found.append(Label(number, first[0], second[0], 1 if one.answer["choice"] == "A" else 2))
    return Labels(tuple(found))


def rankings(collected: Collected, *, repeats: bool = False) -> list[Ranking]:
    """Screens as rankings of systems; a choice between two is a ranking of two. Repeats only if asked for."""
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
        for one in collected.genuine
        for system in one.shown[0]
        for unit, mark in one.answer["marks"].items()
    ]
