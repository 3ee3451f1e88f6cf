"""The page of a training report: what a trained metric is worth, how it learns, what its parts earn and cost, whether
its numbers mean what they say; in one HTML file that needs no script.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.io.tables import Column, Table, number_column
from tertium.report.assembly import Page, many, page_parts, write_page
from tertium.report.blocks import figure_block, table_block
from tertium.report.figures import Figure, curve, speed_scatter

if TYPE_CHECKING:
    from tertium.training.report import TrainingReport

SCRIPTS = ("shell.js",)
STYLES = ("page.css", "meta.css")
_LEADS = {
    "learning": "How well metrics agree with people that were trained on fewer judgements. A curve that still rises "
    "asks for more of them.",
    "components": "What is lost without a component, against what computing it costs. Upper left is best; what lies at "
    "zero or below can go.",
    "calibration": "Segments that were left out, in tenths by what was predicted: what people said of them on average. "
    "On the dotted line a prediction is what people say.",
    "parts": "Each part was left out once, and judged by a metric that was trained on the others.",
}


def write_training_page(path: str | os.PathLike[str], report: TrainingReport) -> None:
    """Write the page to a file, which appears when all of it is written."""
    write_page(path, _page(report))


def _page(report: TrainingReport) -> Iterator[str]:
    trained, data = report.trained, report.data()
    bodies = dict(_bodies(report))
    titles = {
        "learning": "Learning curve",
        "components": "What components earn and cost",
        "calibration": "Calibration",
        "parts": "Parts that were left out",
    }
    page = Page(
        title=f"{trained.model.name}: a metric trained on people's judgements",
        facts=(
            many(trained.segments, "judgement"),
            many(len(trained.components), "component"),
            many(len(trained.by_set), "part"),
            f"{trained.learner} {trained.setting:g}",
            f"model {trained.model.hash}",
        ),
        summary=tuple(report.words()),
        sections=tuple((key, titles[key], _LEADS[key]) for key in bodies),
        version=data["tertium"],
        scripts=SCRIPTS,
        styles=STYLES,
        bodies=bodies,
    )
    return page_parts(page, ())


def _bodies(report: TrainingReport) -> Iterator[tuple[str, str]]:
    components, learnt, calibrated = report.tables()
    trained, measure = report.trained, report.trained.measure
    yield "learning", figure_block(_learning(report)) + table_block(learnt, "learning-curve")
    gains = _gains(report)
    yield (
        "components",
        (figure_block(gains) if gains else "")
        + table_block(replace(components, title="components"), "components"),
    )
    yield "calibration", figure_block(_calibration(report)) + table_block(calibrated, "calibration")
    columns = (Column("part"), number_column(measure, digits=3))
    yield "parts", table_block(Table("", columns, tuple(trained.by_set.items())), "parts")


def _learning(report: TrainingReport) -> Figure:
    measure = report.trained.measure
    points = [(float(one.judgements), one.correlation) for one in report.curve]
    said = f"From {points[0][0]:,.0f} judgements {points[0][1]:.3f}, from {points[-1][0]:,.0f} {points[-1][1]:.3f}"
    svg = curve("Learning curve", points, ("judgements", measure), f"{said}.")
    return Figure(
        "learning-curve",
        f"{measure} on parts that were left out",
        said,
        svg,
        ("judgements", measure),
        tuple(points),
    )


def _gains(report: TrainingReport) -> Figure | None:
    """None of a metric with a single component, or without ablation."""
    trained = report.trained
    points = {
        one.spec: (one.seconds, trained.correlation - one.without)  # seconds a million are microseconds each
        for one in trained.components
        if one.without is not None
    }
    if len(points) < 2:
        return None
    said = "Times are CPU time on this machine, in this run; what several components count together is counted for each"
    title = "What is lost without a component, and what it costs"
    svg = speed_scatter(title, points, f"{trained.measure} lost without it", "is missed most")
    rows = tuple((spec, *own) for spec, own in points.items())
    columns = ("component", "microseconds per segment", f"{trained.measure} lost without it")
    return Figure("gains", title, said, svg, columns, rows)


def _calibration(report: TrainingReport) -> Figure:
    points = [(one.predicted, one.judged) for one in report.calibration]
    said = f"A prediction that is higher by 1 stands for {report.slope:.2f} in people's judgements"
    svg = curve("Calibration", points, ("predicted", "people"), f"{said}.", diagonal=True)
    return Figure(
        "calibration",
        "What people said where so much was predicted",
        said,
        svg,
        ("predicted", "people"),
        tuple(points),
    )
