"""The page of a simulation: learning curves, edits saved, what is forgotten, the balance; HTML without any script."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.report.assembly import Page, many, page_parts, write_page
from tertium.report.blocks import figure_block, table_block
from tertium.report.figures import Figure, lines

if TYPE_CHECKING:
    from tertium.adaptation.results import Simulation, SystemRun

SCRIPTS = ("shell.js",)
STYLES = ("page.css", "meta.css")
LABELS = 8  # steps that are named below a figure
_LEADS = {
    "systems": "Each segment was translated and scored before its correction was shown.",
    "curves": "Of the segments since the point before: a system that learns rises.",
    "balance": "How much what was learnt counts: 0 is the static system alone, 1 what was learnt alone.",
    "probe": "A fixed set, translated after so many corrections: a curve that falls has forgotten something.",
    "groups": "The same segments, by what is known of them.",
    "changes": "What another kind of text costs, and how long.",
}
_TITLES = {
    "systems": "Systems",
    "curves": "Learning curves",
    "balance": "Balance",
    "probe": "What is forgotten",
    "groups": "Groups",
    "changes": "After a change",
}


def write_adaptation_page(path: str | os.PathLike[str], found: Simulation) -> None:
    """Write the page to a file, which appears when all of it is written."""
    write_page(path, _page(found))


def _page(found: Simulation) -> Iterator[str]:
    bodies = dict(_bodies(found))
    page = Page(
        title=f"{found.stream}: systems that learn from corrections",
        facts=(
            many(found.size, "segment"),
            many(len(found.runs), "system"),
            f"corrections: {found.corrections}",
        ),
        summary=tuple(found.words()),
        sections=tuple((key, _TITLES[key], _LEADS[key]) for key in bodies),
        version=found.data()["tertium"],
        scripts=SCRIPTS,
        styles=STYLES,
        bodies=bodies,
    )
    return page_parts(page, ())


def _bodies(found: Simulation) -> Iterator[tuple[str, str]]:
    tables = {table.title: table for table in found.tables()}
    main, *others = tables.values()
    yield (
        "systems",
        table_block(main, "systems")
        + "".join(table_block(own, "differences") for own in others if own.title.startswith("Against")),
    )
    steps = [point.segments for point in found.runs[0].curve]
    yield (
        "curves",
        figure_block(
            _figure("chrf", "chrF", steps, {own.system: [p.chrf for p in own.curve] for own in found.runs})
        )
        + figure_block(
            _figure(
                "saved",
                "edits saved",
                steps,
                {own.system: [p.saved for p in own.curve] for own in found.runs},
            )
        ),
    )
    weighed = [own for own in found.runs if own.balance]
    if weighed:
        yield "balance", figure_block(_figure("balance", "balance", steps, _balances(weighed, steps)))
    probed = [own for own in found.runs if own.probe]
    if probed:
        at = [point.segments for point in probed[0].probe]
        series = {own.system: [point.chrf for point in own.probe] for own in probed}
        yield "probe", figure_block(_figure("probe", "chrF of the probe", at, series))
    for key, begins in (("groups", "chrF by"), ("changes", "After a change")):
        body = "".join(table_block(own, key) for own in others if own.title.startswith(begins))
        if body:
            yield key, body


def _balances(runs: Sequence[SystemRun], steps: Sequence[int]) -> dict[str, list[float | None]]:
    return {own.system: [dict(own.balance).get(step) for step in steps] for own in runs}


def _figure(
    name: str,
    label: str,
    steps: Sequence[int],
    series: dict[str, list[float]] | dict[str, list[float | None]],
) -> Figure:
    every = max(1, -(-len(steps) // LABELS))
    shown = [f"{step:,}" if place % every == 0 else "" for place, step in enumerate(steps)]
    ends = (f"{own} {values[-1]:.3g}" for own, values in series.items() if values[-1] is not None)
    said = f"In the end: {', '.join(ends)}"
    svg = lines(label, shown, series, ("segments", label), f"{said}.")
    rows = tuple(zip(map(float, steps), *series.values(), strict=True))
    return Figure(name, label, said, svg, ("segments", *series), rows)
