"""The pages of readability: texts coloured by how hard their sentences are, a source and its translation side by side,
reasons on pointing, what to change; in one HTML file that can be read without scripts.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tertium.io.marks import LEVELS
from tertium.report.assembly import Page, html_text, many, page_parts, write_page
from tertium.report.blocks import table_block

if TYPE_CHECKING:
    from tertium.io.tables import Table
    from tertium.readability.audience import ReadabilityAdvice
    from tertium.readability.comparing import ReadabilityComparison
    from tertium.readability.results import ReadabilityLevels
    from tertium.readability.unscaled import ReadabilityFormulas

SCRIPTS = ("readability.js", "shell.js")
STYLES = ("page.css", "meta.css", "document.css", "readability.css")
MOST_CHANGES = 200
MOST = 4000  # units or sentences on a page: more are for -f json
_POINT = "Point at a sentence, tap it, or go through them with the arrow keys, to see its level and why."
_KINDS = {
    "harder": "became harder",
    "easier": "became easier",
    "same": "same",
    "withheld": "without a number",
}

Section = tuple[str, str, str, str]  # identity, title, a line on how to read it, HTML


def write_levels_page(
    path: str | os.PathLike[str], found: ReadabilityLevels, advice: ReadabilityAdvice | None = None
) -> None:
    """Write the page of texts, and of what to change in them, to a file, which appears when all of it is written."""
    short = _short_names([one.name for one in found.texts])
    named = [replace(one, name=name) for one, name in zip(found.texts, short, strict=True)]
    found = replace(found, texts=named)
    if advice is not None:
        pairs = zip(advice.texts, named, strict=True)
        advice = replace(advice, texts=[replace(own, text=text) for own, text in pairs])
    data = found.data()
    texts = data["texts"]
    title = f"Readability of {texts[0]['name']}" if len(texts) == 1 else f"Readability of {len(texts)} texts"
    _write(
        path,
        title,
        _facts(data),
        tuple((advice or found).words()),
        data["tertium"],
        list(_of_texts(found, data, advice)),
    )


def write_formulas_page(path: str | os.PathLike[str], found: ReadabilityFormulas) -> None:
    """Write the page of texts in a language without a scale: formulas, and sentences without levels."""
    short = _short_names([one.name for one in found.texts])
    named = [replace(one, name=name) for one, name in zip(found.texts, short, strict=True)]
    found = replace(found, texts=named)
    data = found.data()
    texts = data["texts"]
    tables = list(found.tables())
    body = "".join(
        (f'<h3 dir="auto">{html_text(one["name"])}</h3>' if len(texts) > 1 else "")
        + _paragraphs([_counted(own) for own in one["read"][:MOST]], data["lang"])
        + _cut(len(one["read"]), "sentence")
        for one in texts
    )
    lead = "Of whole texts: of a sentence they say little."
    point = "Point at a sentence, tap it, or go through them with the arrow keys, to see how long it is."
    sections = [
        ("formulas", "Formulas", lead, table_block(tables[0], "readability")),
        ("texts", "Sentence by sentence", point, _pointed(body, point)),
        *_presentation(tables),
    ]
    title = f"Readability of {texts[0]['name']}" if len(texts) == 1 else f"Readability of {len(texts)} texts"
    _write(path, title, _facts(data), tuple(found.words()), data["tertium"], sections)


def _counted(one: Mapping[str, Any]) -> dict[str, Any]:
    """A sentence without a level: what is counted in it is said, or why it counts nothing."""
    if one["left_out"]:
        return {**one, "level": None, "said": f"Counts nothing: {one['left_out']}."}
    return {
        **one,
        "level": None,
        "said": f"{many(one['words'], 'word')}, {one['long']} of more than six letters.",
    }


def _facts(data: Mapping[str, Any]) -> tuple[str, ...]:
    texts = data["texts"]
    return (
        many(len(texts), "text"),
        many(sum(one["sentences"] for one in texts), "sentence"),
        many(sum(one["words"] for one in texts), "word"),
        f"language {data['lang']}",
    )


def _presentation(tables: Sequence[Table]) -> Iterator[Section]:
    for table in tables[1:]:
        lead = "Headings, paragraphs, lines and lists, as far as the file says: apart from the text."
        yield "presentation", "Presentation", lead, table_block(replace(table, title=""), "presentation")


def write_comparison_page(path: str | os.PathLike[str], found: ReadabilityComparison) -> None:
    """Write the page of a source and its translation to a file, which appears when all of it is written."""
    data = found.data()
    words = [
        sum(one["words"] for unit in data["units"] for one in unit[side]) for side in ("source", "target")
    ]
    facts = (
        many(len(data["units"]), data["unit"]),
        f"{many(words[0], 'word')} of the source ({data['source_language']})",
        f"{many(words[1], 'word')} of the target ({data['target_language']})",
    )
    _write(
        path,
        "Readability of a translation",
        facts,
        tuple(found.words()),
        data["tertium"],
        list(_of_pair(found, data)),
    )


def _write(
    path: str | os.PathLike[str],
    title: str,
    facts: tuple[str, ...],
    summary: tuple[str, ...],
    version: str,
    sections: Sequence[Section],
) -> None:
    page = Page(
        title,
        facts,
        summary,
        tuple(own[:3] for own in sections),
        version,
        SCRIPTS,
        STYLES,
        {key: body for key, _, _, body in sections},
    )
    write_page(path, page_parts(page, ()))


def _short_names(names: Sequence[str]) -> list[str]:
    """Without folders, where that tells them apart."""
    bare = [name.replace("\\", "/").rpartition("/")[2] for name in names]
    return bare if len(set(bare)) == len(bare) else list(names)


def _of_texts(
    found: ReadabilityLevels, data: Mapping[str, Any], advice: ReadabilityAdvice | None
) -> Iterator[Section]:
    texts = data["texts"]
    if advice is not None:
        lead = (
            f"For readers of {advice.audience}, what helps most first; each change was tried on the scale: "
            "a sentence cut where clauses meet, a word replaced by a usual one."
        )
        yield "changes", "What to change", lead, _changes(advice.data(), texts)
    levels = [(one["name"], one["level"], one["low"], one["high"]) for one in texts]
    lead = "The level of each text, and where four of five people's marks would lie."
    yield "scale", "On the scale", lead, _axis(levels) + table_block(found.table(), "readability")
    body = "".join(
        (f'<h3 dir="auto">{html_text(one["name"])}</h3>' if len(texts) > 1 else "")
        + _paragraphs(one["read"][:MOST], data["lang"], f"text-{n}")
        + _cut(len(one["read"]), "sentence")
        for n, one in enumerate(texts)
    )
    yield "texts", "Sentence by sentence", _POINT, _reader(body)
    yield from _presentation(list(found.tables()))


def _of_pair(found: ReadabilityComparison, data: Mapping[str, Any]) -> Iterator[Section]:
    if data["difference"] is not None:
        levels = [("source", data["source_level"], None, None), ("target", data["target_level"], None, None)]
        lead = "Means of both sides, by words; the difference and its interval are above."
        yield "scale", "On the scale", lead, _axis(levels)
    units = data["units"][:MOST]
    heads = (
        '<div class="column-heads two" aria-hidden="true">'
        + "".join(
            f"<span>{side} ({html_text(data[f'{side}_language'])})</span>" for side in ("source", "target")
        )
        + "</div>"
    )
    rows = "".join(_row(unit, data) for unit in units)
    several = len(units) > 1
    body = (_filters(data) if several else "") + heads + f'<ol class="segments">{rows}</ol>'
    yield "both", "Side by side", _POINT, _reader(body + _cut(len(data["units"]), data["unit"]))


def _filters(data: Mapping[str, Any]) -> str:
    chosen = "".join(
        f'<option value="{kind}">{label} ({data["counts"][kind]:,})</option>'
        for kind, label in _KINDS.items()
    )
    return (
        '<div class="controls filters"><label class="choice"><span>Show</span><select id="kind">'
        f'<option value="">all ({len(data["units"]):,})</option>{chosen}</select></label>'
        '<p class="status" role="status"></p></div>'
    )


def _row(unit: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    gap = unit["difference"]
    kind = "withheld"
    if gap is not None:
        kind = "harder" if gap >= data["least"] else "easier" if gap <= -data["least"] else "same"
    sides = "".join(
        f'<div class="cell"><span class="who">{side}</span>{_paragraphs(unit[side], data[f"{side}_language"])}</div>'
        for side in ("source", "target")
    )
    name = unit["document"] if data["unit"] == "document" else f"{unit['number']}"
    return (
        f'<li class="segment {kind}" data-kind="{kind}"><p class="gap"><b>{html_text(name)}</b> {_gap(unit, kind)}</p>'
        f'<div class="beside two">{sides}</div></li>'
    )


def _gap(unit: Mapping[str, Any], kind: str) -> str:
    if unit["difference"] is None:
        return f'<span class="none">{html_text(unit["withheld"])}</span>'
    told = f"{unit['source_level']:.1f} \u2192 {unit['target_level']:.1f}"
    if kind == "same":
        return f"<span>{told}</span>"
    why = f": {'; '.join(unit['reasons'])}" if unit["reasons"] else ""
    return f"<span>{told}, <strong>{kind} by {abs(unit['difference']):.1f}</strong>{html_text(why)}</span>"


def _reader(body: str) -> str:
    chips = "".join(f'<span class="s l{n}">{name}</span>' for n, name in enumerate(LEVELS, 1))
    keys = "<kbd>\u2190</kbd><kbd>\u2192</kbd> sentences, <kbd>N</kbd><kbd>P</kbd> the next and previous hard one"
    return (
        f'<div class="reading-key levels-key">easy {chips} hard<span class="keys">{keys}</span></div>'
        f"{_pointed(body, _POINT)}"
    )


def _pointed(body: str, point: str) -> str:
    return (
        f'<div class="readings">{body}</div>'
        f'<div class="saying" role="status" id="saying">{html_text(point)}</div>'
    )


def _cut(number: int, unit: str) -> str:
    if number <= MOST:
        return ""
    return f'<p class="note">The first {MOST:,} of {many(number, unit)}; -f json has all of them.</p>'


def _changes(advice: Mapping[str, Any], texts: Sequence[Mapping[str, Any]]) -> str:
    """Changes of each text, with links to the sentences."""
    parts = []
    for n, (one, text) in enumerate(zip(advice["texts"], texts, strict=True)):
        if len(texts) > 1:
            parts.append(f'<h3 dir="auto">{html_text(text["name"])}</h3>')
        if one["there"] or not one["changes"]:
            at = (
                "at this level already"
                if one["there"]
                else text["withheld"] or "without anything to split or replace"
            )
            parts.append(f'<p class="none">The text is {html_text(at)}.</p>')
        items = "".join(_change(own, n) for own in one["changes"][:MOST_CHANGES])
        parts.append(f'<ol class="changes">{items}</ol>' if items else "")
    return "".join(parts)


def _change(own: Mapping[str, Any], text: int) -> str:
    what = own["what"][0].upper() + own["what"][1:]
    quoted = f'<q dir="auto">{html_text(own["text"])}</q>' if own["kind"] == "split" else ""
    links = ", ".join(f'<a href="#text-{text}-{n}">{n}</a>' for n in own["sentences"][:8] if n <= MOST)
    where = f"sentence {links}" if len(own["sentences"]) == 1 else f"sentences {links}"
    more = "..." if len(own["sentences"]) > 8 else ""
    to = "" if own["before"] is None else f"; the sentence {own['before']:.1f} \u2192 {own['after']:.1f}"
    return (
        f'<li class="change"><b>{html_text(what)}</b>{quoted}<span class="gain">lowers the text by {own["gain"]:.3f}'
        f"{to} ({where}{more})</span></li>"
    )


def _paragraphs(read: Sequence[Mapping[str, Any]], lang: str, name: str = "") -> str:
    found: dict[int, list[str]] = {}
    for n, one in enumerate(read, 1):
        found.setdefault(one["paragraph"], []).append(_sentence(one, f"{name}-{n}" if name else ""))
    if not found:
        return '<p class="none">empty</p>'
    open_tag = f'<p class="words" lang="{html_text(lang)}" dir="auto">'
    return "".join(f"{open_tag}{' '.join(own)}</p>" for own in found.values())


def _sentence(one: Mapping[str, Any], name: str) -> str:
    text = html_text(one["text"])
    known = f' id="{name}"' if name else ""
    if one["level"] is None:
        why = html_text(one.get("said") or f"No level: {one['left_out']}.")
        return f'<span{known} class="s l0" tabindex="-1" data-why="{why}">{text}</span>'
    place = _place(one["level"])
    between = f"{one['level']:.1f} [{one['low']:.1f}, {one['high']:.1f}]"
    reasons = "; ".join(one["reasons"]) or "nothing makes it harder than most"
    told = f"{LEVELS[place - 1]}: {between}, {many(one['words'], 'word')}. {reasons[0].upper()}{reasons[1:]}."
    why = html_text(told)
    return f'<span{known} class="s l{place}" tabindex="-1" data-why="{why}"><sup>{LEVELS[place - 1]}</sup>{text}</span>'


def _place(level: float) -> int:
    """Which of the levels, from 1."""
    return min(len(LEVELS), max(1, math.floor(level + 0.5)))


def _axis(rows: Sequence[tuple[str, float | None, float | None, float | None]]) -> str:
    """Texts on the scale, with their intervals."""
    known = [(name, level, low, high) for name, level, low, high in rows if level is not None][:40]
    if not known:
        return ""
    height = 26 + 44 * len(known)
    lines = [
        f'<line class="grid" x1="{_at(edge + 0.5)}" x2="{_at(edge + 0.5)}" y1="18" y2="{height}"/>'
        for edge in range(1, len(LEVELS))
    ]
    ticks = [
        f'<text class="tick" x="{_at(n)}" y="12" text-anchor="middle">{name}</text>'
        for n, name in enumerate(LEVELS, 1)
    ]
    marks = []
    for n, (name, level, low, high) in enumerate(known):
        y = 60 + 44 * n
        if low is not None and high is not None:
            marks.append(f'<line class="span" x1="{_at(low)}" x2="{_at(high)}" y1="{y}" y2="{y}"/>')
        marks.append(f'<circle class="fill-{n % 2}" cx="{_at(level)}" cy="{y}" r="6"/>')
        marks.append(f'<text x="0" y="{y - 16}">{html_text(name)}: {level:.1f}</text>')
    said = "; ".join(f"{name} {level:.1f} ({LEVELS[_place(level) - 1]})" for name, level, _, _ in known)
    return (
        f'<div class="on-scale"><svg role="img" aria-label="{html_text(said)}" width="100%" height="{height + 10}">'
        f"{''.join((*lines, *ticks, *marks))}</svg></div>"
    )


def _at(level: float) -> str:
    return f"{3 + 94 * (level - 1) / (len(LEVELS) - 1):.2f}%"
