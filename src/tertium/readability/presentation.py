"""How a page presents its text: headings, lengths of paragraphs and lines, lists. Apart from the text's level.

Lines, their height and alignment have the limits of WCAG 2.2 (success criterion 1.4.8); those of paragraphs and
sections are our own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from tertium.errors import many
from tertium.io.pages import HtmlPage
from tertium.io.tables import Column, Table
from tertium.text.cut import cut_words

LONGEST_LINE = 80  # characters
LEAST_HEIGHT = 1.5  # of lines, in sizes of the font
LONG_PARAGRAPH = 100  # words
LONG_SECTION = 300  # words without a heading
SMALL_FONT = 14.0  # pixels
_ENUMERATION = 3  # semicolons in a paragraph: it could be a list
_USUAL_FONT = 16.0  # pixels, where a page says nothing
_OF_AN_EM = 0.5  # the width of a usual character
_PARTS = frozenset(("html", "body", "main", "article", "p"))  # that running text is in
_AT_RULE = re.compile(r"@[^{};]*\{(?:[^{}]|\{[^{}]*\})*\}|@[^{};]*;|/\*.*?\*/", re.DOTALL)
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_LENGTH = re.compile(r"([\d.]+)\s*(ch|rem|em|px|pt|%|)$")
_TO_PIXELS = {"px": 1.0, "pt": 4 / 3, "em": _USUAL_FONT, "rem": _USUAL_FONT, "%": _USUAL_FONT / 100}


@dataclass(frozen=True)
class PagePresentation:
    """What a page looks like, as far as its file says; None: it does not say."""

    headings: Mapping[str, int]  # h1, h2...
    section: int  # words of the longest section without a heading
    paragraphs: int
    paragraph: int  # words of the usual (median) paragraph
    longest_paragraph: int
    lists: int
    items: int
    tables: int
    line: int | None  # characters
    font: float | None  # pixels
    line_height: float | None  # in sizes of the font
    remarks: Sequence[str]


def presentation_of(page: HtmlPage) -> PagePresentation:
    """What is to be said of a page.

    >>> from tertium.io.pages import read_page
    >>> path = written("d.html", "<h1>Cats</h1><p style='max-width: 40em'>They sleep.")
    >>> found = presentation_of(read_page(str(path)))
    >>> found.headings, found.paragraph, found.line
    ({'h1': 1}, 2, 80)
    """
    counts = [
        sum(any(map(str.isalpha, word)) for word in own)
        for own in cut_words([own.text for own in page.blocks])
    ]
    sizes: Counter[int] = Counter()
    for block, words in zip(page.blocks, counts, strict=True):
        if block.kind == "text":
            sizes[block.element] += words
    paragraphs = [size for size in sizes.values() if size]
    headings = Counter(f"h{own.heading}" for own in page.blocks if own.kind == "heading")
    style = _Style(page)
    section = _longest_section(page, counts)
    made = PagePresentation(
        dict(sorted(headings.items())),
        section,
        len(paragraphs),
        round(median(paragraphs)) if paragraphs else 0,
        max(paragraphs, default=0),
        page.lists,
        sum(own.kind == "item" for own in page.blocks),
        page.tables,
        style.line,
        style.font,
        style.height,
        (),
    )
    remarks = [*_of_structure(made, page, paragraphs), *style.remarks(page)]
    return PagePresentation(**{**vars(made), "remarks": remarks})


def _longest_section(page: HtmlPage, counts: Sequence[int]) -> int:
    most = words = 0
    for block, size in zip(page.blocks, counts, strict=True):
        words = 0 if block.kind == "heading" else words + size * (block.kind in ("text", "item"))
        most = max(most, words)
    return most


def _of_structure(made: PagePresentation, page: HtmlPage, paragraphs: Sequence[int]) -> Iterator[str]:
    if made.section > LONG_SECTION:
        without = "no heading at all" if not made.headings else "no heading"
        yield f"{made.section:,} words with {without}: more headings would help (from {LONG_SECTION} on)"
    levels = [own.heading for own in page.blocks if own.kind == "heading"]
    jumps = [(a, b) for a, b in pairwise(levels) if b > a + 1]
    if jumps:
        a, b = jumps[0]
        yield f"headings leave out a level {many(len(jumps), 'time')} (h{a} to h{b})"
    long = sum(size > LONG_PARAGRAPH for size in paragraphs)
    if long:
        which = "paragraph has" if long == 1 else "paragraphs have"
        yield f"{long} {which} more than {LONG_PARAGRAPH} words, the longest {made.longest_paragraph}: split them"
    listed = sum(own.kind == "text" and own.text.count(";") >= _ENUMERATION for own in page.blocks)
    if listed:
        which = "paragraph enumerates" if listed == 1 else "paragraphs enumerate"
        yield f"{listed} {which} with semicolons: a list may be easier"


class _Style:
    """What the style sheets say of running text; later rules count."""

    def __init__(self, page: HtmlPage) -> None:
        given: dict[str, str] = {}
        widths: list[str] = []
        for declarations in _declarations(page):
            for name, value in declarations:
                if name in ("max-width", "width"):
                    widths.append(value)
                given[name] = value
        self.font = _pixels(given.get("font-size", ""))
        self.height = self._height_of(given.get("line-height", ""))
        self.justified = given.get("text-align") == "justify"
        lines = [own for value in widths if (own := self._characters(value)) is not None]
        self.line = min(lines) if lines else None

    def _height_of(self, value: str) -> float | None:
        found = _LENGTH.fullmatch(value)
        if found is None:
            return None
        number, unit = float(found[1]), found[2]
        if unit in ("", "em"):
            return number
        return (
            number / 100 if unit == "%" else number * _TO_PIXELS.get(unit, 1.0) / (self.font or _USUAL_FONT)
        )

    def _characters(self, value: str) -> int | None:
        """Characters that fit into a width; of a share of the window nobody knows."""
        found = _LENGTH.fullmatch(value)
        if found is None or found[2] in ("%", ""):
            return None
        number, font = float(found[1]), self.font or _USUAL_FONT
        if found[2] == "ch":
            return round(number)
        pixels = number * (font if found[2] == "em" else _TO_PIXELS[found[2]])
        return round(pixels / (font * _OF_AN_EM))

    def remarks(self, page: HtmlPage) -> Iterator[str]:
        if self.line is not None and self.line > LONGEST_LINE:
            yield f"lines of about {self.line} characters: {LONGEST_LINE} are the most (WCAG 1.4.8)"
        if self.line is None and page.elsewhere:
            yield "how long lines are is not known: its styles are in files that are not beside it"
        elif self.line is None:
            yield f"no width is set: on wide windows lines have more than {LONGEST_LINE} characters"
        if self.height is not None and self.height < LEAST_HEIGHT:
            yield f"lines are {self.height:.2g} high: {LEAST_HEIGHT} is the least (WCAG 1.4.8)"
        if self.justified:
            yield "text is justified on both sides (WCAG 1.4.8 advises against it)"
        if self.font is not None and self.font < SMALL_FONT:
            yield f"the font has {self.font:.0f} pixels: below {SMALL_FONT:.0f} it is small"
        code = max((own.longest for own in page.blocks if own.kind == "code"), default=0)
        if code > LONGEST_LINE:
            yield f"lines of code have up to {code} characters"


def _declarations(page: HtmlPage) -> Iterator[list[tuple[str, str]]]:
    """Declarations for running text: of rules that are for all of its parts, and of the elements themselves."""
    for sheet in page.styles:
        for selectors, body in _RULE.findall(_AT_RULE.sub(" ", sheet)):
            if {own.strip().lower() for own in selectors.split(",")} & _PARTS:
                yield _declared(body)
    for tag, body in page.attributes:
        if tag in _PARTS:
            yield _declared(body)


def _declared(body: str) -> list[tuple[str, str]]:
    pairs = [own.partition(":")[::2] for own in body.split(";") if ":" in own]
    return [(name.strip().lower(), value.replace("!important", "").strip().lower()) for name, value in pairs]


def _pixels(value: str) -> float | None:
    found = _LENGTH.fullmatch(value)
    return float(found[1]) * _TO_PIXELS[found[2]] if found and found[2] in _TO_PIXELS else None


def presentation_table(texts: Sequence[tuple[str, PagePresentation | None]]) -> Table:
    """What pages look like, by their names, and what is to be said of it."""
    several = len(texts) > 1
    columns = (*([Column("text")] if several else []), Column("presentation"), Column("found"))
    rows: list[tuple[str, ...]] = []
    for name, own in texts:
        if own is not None:
            rows += [(*((name,) if several else ()), *told) for told in presented(own)]
    return Table("Presentation, apart from the text", columns, tuple(rows))


def presented(own: PagePresentation) -> Iterator[tuple[str, str]]:
    """Presentation as names and values; remarks last."""
    told = ", ".join(f"{number} {name}" for name, number in own.headings.items())
    yield "headings", f"{told or 'none'}; {own.section:,} words without one at most"
    yield (
        "paragraphs",
        f"{own.paragraphs:,}, of {own.paragraph} words usually, {own.longest_paragraph} at most",
    )
    yield "lists", f"{many(own.lists, 'list')} with {many(own.items, 'item')}; {many(own.tables, 'table')}"
    line = "not known" if own.line is None else f"about {own.line} characters at most"
    height = "" if own.line_height is None else f", {own.line_height:.3g} high"
    font = "" if own.font is None else f", a font of {own.font:.3g} pixels"
    yield "lines", f"{line}{height}{font}"
    for remark in own.remarks:
        yield "remark", remark
