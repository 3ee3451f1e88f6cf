"""The page of a task: tables in WMT's shape, figures with their numbers, what was used, in one HTML file."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from tertium.io.tables import Column, Table
from tertium.meta.correlations import LEVEL_NAMES
from tertium.meta.evaluation import Evaluation
from tertium.meta.tables import ENSEMBLE
from tertium.report.assembly import Page, html_text, many, page_parts, write_page
from tertium.report.figures import Figure
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
        body = "".join(_table(table, f"{level}-{i}") for i, table in tables)
        yield f"level-{level}", LEVEL_NAMES[level], LEADS[level], body
    over = "".join(_over_pairs(evaluation))
    if over:
        lead = "How steady the metrics are: their correlations over all language pairs."
        yield "over", "Over language pairs", lead, over
    drawn = [(level, list(matrices(evaluation.of(level)))) for level in evaluation.levels]
    if any(figures for _, figures in drawn):
        body = "".join(
            f'<h3>{LEVEL_NAMES[level]}</h3><div class="matrices">{"".join(map(_figure, figures))}</div>'
            for level, figures in drawn
            if figures
        )
        lead = (
            "A green cell with a tick: the metric of the row agrees significantly better with people than the metric "
            "of the column. The best metric is at the top."
        )
        yield "wins", "Who beats whom", lead, body
    real = (level for level in evaluation.levels if level != "hybrids")
    if fast := [figure for level in real if (figure := speeds(evaluation, level))]:
        lead = "What scoring a translation costs, against what the score is worth. Upper left is best."
        yield "speed", "Speed", lead, "".join(map(_figure, fast))
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
            yield _figure(figure)
        if (table := evaluation.summary_table(level)) is not None:
            drawn = _table(table, f"over-{level}")
            yield f"<details><summary>Median, mean, deviation and wins</summary>{drawn}</details>"


def _figure(figure: Figure) -> str:
    svg = f"data:image/svg+xml;base64,{base64.b64encode(figure.svg.encode()).decode('ascii')}"
    return (
        f'<figure id="{html_text(figure.name)}"><figcaption>{html_text(figure.title)}</figcaption>'
        f'<div class="scroll drawing" tabindex="0">{figure.svg}</div><p class="note">{html_text(figure.description)}. '
        f"{_link(figure.name + '.csv', _address('csv', figure.csv()), 'The numbers (CSV)')} "
        f"{_link(figure.name + '.svg', svg, 'The picture (SVG)')}</p></figure>\n"
    )


def _link(name: str, address: str, text: str) -> str:
    return f'<a class="data" download="{html_text(name)}" href="{address}">{html_text(text)}</a>'


def _address(kind: str, text: str) -> str:
    return f"data:text/{kind};charset=utf-8,{quote(text)}"


def _table(table: Table, name: str) -> str:
    """A table without any style of its own; the first column names its row, marked cells say that they are."""
    head = "".join(
        f'<th scope="col"{_class(_kind(column))}>{html_text(column.label)}</th>' for column in table.columns
    )
    rows = []
    for r, row in enumerate(table.rows):
        first = html_text(table.columns[0].written(row[0]))
        cells = [f'<th scope="row">{first}</th>']
        for c, (column, value) in enumerate(zip(table.columns[1:], row[1:], strict=True), 1):
            text = html_text(table.signs.get((r, c), "") + column.written(value))
            if (r, c) in table.best:
                text = f'<strong>{text}</strong><span class="hidden"> marked</span>'
            marked = " best" if (r, c) in table.best else ""
            cells.append(f'<td class="{(_kind(column) + marked).strip()}">{text}</td>')
        kind = "about" if str(row[0]) in HEADER_ROWS else "ensemble" if ENSEMBLE in str(row[0]) else ""
        rows.append(f"<tr{_class(kind)}>{''.join(cells)}</tr>")
    notes = "".join(f'<li dir="auto">{html_text(note)}</li>' for note in table.notes)
    link = _link(f"{name}.tsv", _address("tab-separated-values", table.tsv()), "The numbers (TSV)")
    return (
        f'<h3>{html_text(table.title)}</h3><div class="scroll"><table class="wmt"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
        f'<ul class="notes">{notes}</ul><p class="note">{link}</p>\n'
    )


def _kind(column: Column) -> str:
    return "number" if column.align == "right" else ""


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


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
