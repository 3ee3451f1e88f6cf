"""The page of a document that was analysed, the first thing a project manager opens: how much work it is, what is there
to start from, who should do it, how hard it reads; every segment. One HTML file that can be read without scripts.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tertium.report.assembly import Page, html_text, many, page_parts, write_page
from tertium.report.blocks import table_block

if TYPE_CHECKING:
    from tertium.analysis.analysed import AnalysedDocument

SCRIPTS = ("analysis.js", "shell.js")
STYLES = ("page.css", "meta.css", "analysis.css")
MOST = 4000  # segments on a page: more are for -f json
LABELS = {"pass": "pass", "edit": "edit", "block": "block", "new": "new", "done": "done"}
_UNKNOWN = "no interval is known"
_LEVELS = ("A1", "A2", "B1", "B2", "C1", "C2")

Section = tuple[str, str, str, str]  # identity, title, a line on how to read it, HTML


def render_analysis(found: AnalysedDocument) -> str:
    """The page as HTML."""
    return "".join(_parts(found))


def write_analysis_page(path: str | os.PathLike[str], found: AnalysedDocument) -> None:
    """Write the page to a file, which appears when all of it is written."""
    write_page(path, _parts(found))


def _parts(found: AnalysedDocument) -> Iterator[str]:
    data = found.data()
    sections = list(_sections(found, data))
    page = Page(
        data["document"],
        (
            f"{data['languages'][0]} to {data['languages'][1]}",
            many(len(data["segments"]), "segment"),
            many(data["effort"]["words"], "word"),
            f"memory {data['memory']}, {many(data['units'], 'unit')}",
            *([f"client {data['client']}"] if data["client"] else []),
        ),
        tuple(found.words()),
        tuple(own[:3] for own in sections),
        data["tertium"],
        SCRIPTS,
        STYLES,
        {key: body for key, _, _, body in sections},
    )
    return page_parts(page, ())


def _sections(found: AnalysedDocument, data: Mapping[str, Any]) -> Iterator[Section]:
    lead = (
        "Work is counted in new words: a segment counts by the share of its words that is expected to change, and by "
        "its reading."
    )
    if found.learned_from:
        lead += " What matches save was learnt from this memory's own past."
    body = _answers(found, data) + _shares(data) + table_block(replace(found.table(), title=""), "work")
    yield "work", "How much work", lead, body
    if data["translators"]:
        lead = "Best suited first, by what the memory knows of each; shares add to 100% over everybody."
        yield "people", "Translators", lead, _people(data["translators"])
    lead = "What a translator starts from, and why; the XLIFF file has the same."
    yield "segments", "Segment by segment", lead, _segments(data)


def _between(low: float | None, high: float | None) -> str:
    return _UNKNOWN if low is None or high is None else f"{low:,.0f} to {high:,.0f} (95%)"


def _answers(found: AnalysedDocument, data: Mapping[str, Any]) -> str:
    effort, level = data["effort"], data["readability"]
    saved = 1 - effort["weighted"] / effort["words"] if effort["words"] else 0.0
    assumed = "assumed" if effort["assumed"] else "as given"
    unit, time, between = found.effort.time()
    answers = [
        ("work in new words", f"{effort['weighted']:,.0f}", _between(effort["low"], effort["high"])),
        (
            unit,
            time,
            f"{between + ' (95%)' if between else _UNKNOWN}; "
            f"{effort['words_per_hour']:g} words an hour, {assumed}",
        ),
        ("saved", f"{saved:.0%}", f"of {effort['words']:,} words"),
    ]
    if data["translators"]:
        first = data["translators"][0]
        answers.append(("best suited", first["translator"], f"{first['share']:.0%} of such documents"))
    if level is not None and level["level"] is not None:
        name = _LEVELS[min(5, max(0, round(level["level"]) - 1))]
        answers.append(("reads at", name, f"{level['low']:.1f} to {level['high']:.1f} of 6"))
    return (
        '<dl class="answers">'
        + "".join(
            f"<div><dt>{html_text(name)}</dt><dd>{html_text(value)}<small>{html_text(more)}</small></dd></div>"
            for name, value, more in answers
        )
        + "</dl>"
    )


def _shares(data: Mapping[str, Any]) -> str:
    """One bar: words by status."""
    counts = {name: own for name, own in data["statuses"].items() if own["segments"]}
    total = max(1, sum(own["words"] for own in counts.values()))
    parts = []
    at = 0.0
    for name, own in counts.items():
        width = 100 * own["words"] / total
        parts.append(f'<rect class="st-{name} bar" x="{at:.3f}%" y="0" width="{width:.3f}%" height="100%"/>')
        at += width
    said = "; ".join(f"{name}: {many(own['words'], 'word')}" for name, own in counts.items())
    key = "".join(
        f'<li class="st-{name}">{LABELS[name]}: {many(own["segments"], "segment")}, {many(own["words"], "word")} '
        f"({own['words'] / total:.0%})</li>"
        for name, own in counts.items()
    )
    return (
        f'<svg class="shares" role="img" aria-label="{html_text(said)}" width="100%">{"".join(parts)}</svg>'
        f'<ul class="shares-key">{key}</ul>'
    )


def _people(translators: Sequence[Mapping[str, Any]]) -> str:
    items = []
    for one in translators:
        why = [own for own in (one["obstacle"], "too little known" if one["too_little_known"] else "") if own]
        reasons = "; ".join([*why, *one["reasons"]])
        items.append(
            f'<li><span class="place">{one["place"]}</span><div><b>{html_text(one["translator"])}</b> '
            f"{one['share']:.0%}"
            f'<p class="reasons" dir="auto">{html_text(reasons)}</p></div></li>'
        )
    return f'<ol class="people">{"".join(items)}</ol>'


def _segments(data: Mapping[str, Any]) -> str:
    shown = data["segments"][:MOST]
    options = "".join(
        f'<option value="{name}">{LABELS[name]} ({own["segments"]:,})</option>'
        for name, own in data["statuses"].items()
        if own["segments"]
    )
    filters = (
        '<div class="controls filters" hidden><label class="choice"><span>Show</span><select id="status">'
        f'<option value="">all ({len(data["segments"]):,})</option>{options}</select></label>'
        '<label class="choice"><span>with</span><input id="words" type="search" placeholder="words"></label>'
        '<p class="status-line note" role="status"></p></div>'
    )
    rows = "".join(_row(own, data["languages"]) for own in shown)
    cut = ""
    if len(data["segments"]) > MOST:
        every = many(len(data["segments"]), "segment")
        cut = f'<p class="note">The first {MOST:,} of {every}; -f json has all of them.</p>'
    return f'{filters}<ol class="rows">{rows}</ol>{cut}'


def _row(own: Mapping[str, Any], languages: Sequence[str]) -> str:
    source, target = map(html_text, languages)
    amount = "" if own["rate"] is None else f" {own['rate']}%"
    mark = "" if own["mark"] is None else f" {own['mark']:.0f}"
    from_where = {"memory": f"memory{amount}", "machine": f"machine{mark}", "source": "as it stands"}
    about = from_where.get(own["origin"], "")
    text = (
        f'<p class="text" lang="{target}" dir="auto">{html_text(own["target"])}</p>'
        if own["target"]
        else '<p class="nothing">nothing to start from</p>'
    )
    again = [f"the same as segment {own['repeats']}"] if own["repeats"] else []
    said = own["reasons"][1:] if about and own["target"] else own["reasons"]  # the first is what `about` says
    why = html_text("; ".join([*again, *said]))
    because = f'<p class="why" dir="auto">{why}</p>' if why else ""
    return (
        f'<li class="st-{own["status"]}" data-status="{own["status"]}"><p class="about">{own["number"]} '
        f'<span class="status">{LABELS[own["status"]]}</span><br>{html_text(about)}</p>'
        f'<p class="text" lang="{source}" dir="auto">{html_text(own["source"])}</p>{text}{because}</li>\n'
    )
