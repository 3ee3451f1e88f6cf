"""The page of a task: tables in WMT's shape, figures with their numbers, what was used, in one HTML file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from tertium.meta.correlations import LEVEL_NAMES
from tertium.meta.evaluation import Evaluation
from tertium.meta.tables import ENSEMBLE
from tertium.report.assembly import Page, html_text, many, page_parts, write_page
from tertium.report.blocks import figure_block, table_block
from tertium.report.metafigures import boxes, matrices, speeds, write_figures

__all__ = ["render_meta", "write_figures", "write_meta_report"]

SCRIPTS = ("shell.js",)
STYLES = ("page.css", "meta.css")
LEADS = {
    "system": "How well the metrics' scores of whole systems agree with people's, language pair by language pair.",
    "segment": "The same for single translations.",
    "document": "The same for whole documents, where people's scores are the means of their segments.",
    "pairs": "How often a metric prefers the translation that people find better.",
    "hybrids": "Thousands of mixed systems, each with sentences from two real ones.",
}
HEADER_ROWS = ("n", "correlation", "human evaluation")


def render_meta(evaluation: Evaluation) -> str:
    """The page as HTML. Tables and figures are part of it: it can be read without scripts."""
    return "".join(_parts(evaluation))


def write_meta_report(path: str | os.PathLike[str], evaluation: Evaluation) -> None:
    """Write the page to a file, which appears when all of it is written."""
    write_page(path, _parts(evaluation))


def _parts(evaluation: Evaluation) -> Iterator[str]:
    data = evaluation.data()
    sections = list(_sections(evaluation, data))
    page = Page(
        title=f"{data['name']}: metrics judged by people",
        facts=tuple(_facts(data)),
        summary=tuple(evaluation.words()),
        sections=tuple((key, title, lead) for key, title, lead, _ in sections),
        version=data["tertium"],
        scripts=SCRIPTS,
        styles=STYLES,
        bodies={key: body for key, _, _, body in sections},
    )
    return page_parts(page, ())


def _facts(data: Mapping[str, Any]) -> Iterator[str]:
    pairs = {own["pair"] for own in data["results"]}
    metrics = {name for own in data["results"] for name in own["metrics"]}
    yield many(len(pairs), "language pair")
    yield many(len(metrics), "metric")
    if data["translations"]:
        yield many(sum(data["translations"].values()), "translation")
    yield f"seed {data['seed']}"


def _sections(evaluation: Evaluation, data: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    for level in evaluation.levels:
        tables = enumerate(evaluation.level_tables(level), 1)
        body = "".join(table_block(table, f"{level}-{i}", _row_kind) for i, table in tables)
        yield f"level-{level}", LEVEL_NAMES[level], LEADS[level], body
    over = "".join(_over_pairs(evaluation))
    if over:
        lead = "How steady the metrics are: their correlations over all language pairs."
        yield "over", "Over language pairs", lead, over
    drawn = [(level, list(matrices(evaluation.of(level)))) for level in evaluation.levels]
    if any(figures for _, figures in drawn):
        body = "".join(
            f'<h3>{LEVEL_NAMES[level]}</h3><div class="matrices">{"".join(map(figure_block, figures))}</div>'
            for level, figures in drawn
            if figures
        )
        lead = (
            "A green cell with a tick: the metric of the row agrees significantly better with people than the metric "
            "of the column. The metric with the highest value is at the top."
        )
        yield "wins", "Who beats whom", lead, body
    real = (level for level in evaluation.levels if level != "hybrids")
    if fast := [figure for level in real if (figure := speeds(evaluation, level))]:
        lead = "What scoring a translation costs, against its agreement with people. Upper left: fast, agrees well."
        yield "speed", "Speed", lead, "".join(map(figure_block, fast))
    yield "settings", "Settings", "What each metric is, so that anyone can recompute it.", _settings(data)
    lead = "What was read, and what was left out and why."
    items = "".join(f'<li dir="auto">{html_text(line)}</li>' for line in evaluation.used())
    yield "used", "What was used", lead, f'<ul class="coverages">{items}</ul>'


def _over_pairs(evaluation: Evaluation) -> Iterator[str]:
    for level in evaluation.levels:
        judged = evaluation.of(level)
        if len(judged) < 2 or level == "hybrids":
            continue
        if (figure := boxes(judged)) is not None:
            yield figure_block(figure)
        if (table := evaluation.summary_table(level)) is not None:
            drawn = table_block(table, f"over-{level}", _row_kind)
            yield f"<details><summary>Median, mean, deviation and wins</summary>{drawn}</details>"


def _row_kind(name: str) -> str:
    return "about" if name in HEADER_ROWS else "ensemble" if ENSEMBLE in name else ""


def _settings(data: Mapping[str, Any]) -> str:
    rows = []
    for name, by_pair in data["signatures"].items():
        pairs_of: dict[str, list[str]] = {}
        for pair, signature in by_pair.items():
            pairs_of.setdefault(signature, []).append(pair)
        for signature, pairs in pairs_of.items():
            where = f" ({', '.join(pairs)})" if len(pairs_of) > 1 else ""
            rows.append(f"<dt>{html_text(name + where)}</dt><dd>{html_text(signature)}</dd>")
    told = (
        f"levels: {', '.join(data['levels'])}; "
        f"statistic: {data['statistic' if 'system' in data['levels'] else 'segment_statistic']}; "
        f"significance: {data['significance']}, alpha = {data['alpha']:g}; seed: {data['seed']}"
    )
    return f'<p class="note">{html_text(told)}</p><dl class="signatures">{"".join(rows)}</dl>'
