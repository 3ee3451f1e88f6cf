"""Tables in boxes: names lose what they all share, then their middle; finally columns are stacked.

Numbers and p-values stay whole whatever the width. A pipe or a file gets what a terminal of the same width shows,
without colours. Boxes are drawn here, not by a package: a table in a pipe should not wait for an import.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from tertium.io.escaping import UNDEFINED, display_width, one_line

if TYPE_CHECKING:
    from tertium.io.tables import Table, Value

NAME, PROSE = 12, 24  # columns of names and of sentences are not made narrower than this
_WORDS = re.compile(r"[^/._:\-]+|[/._:\-]+")
ELLIPSIS = "…"
_WORTH_CUTTING = 5  # characters


@dataclass(frozen=True)
class Drawing:
    """The characters of a box: ends and joints of its three rules, its rule and its side, and what stands for a cut."""

    top: str
    middle: str
    bottom: str
    rule: str
    side: str
    ellipsis: str

    def line(self, ends: str, widths: Sequence[int]) -> str:
        return ends[0] + ends[1].join(self.rule * (width + 2) for width in widths) + ends[2]


BOXES = Drawing("╭┬╮", "├┼┤", "╰┴╯", "─", "│", ELLIPSIS)
ASCII = Drawing("+++", "+++", "+++", "-", "|", "~")
TITLE, HEADER, BEST, FOUND, DIM = "1", "1;36", "1;32", "1;31", "2"  # as terminals number what they can do


def drawn(table: Table, width: int, *, colour: bool) -> str:
    """The table in boxes, in as many blocks as the width requires; the text is the same with and without colours."""
    drawing = BOXES if _can_be_written("".join(astuple(BOXES))) else ASCII
    lines = []
    for block in fitted(table, width, ellipsis=drawing.ellipsis):
        lines += _box(block, width, drawing, colour=colour)
    # never wrapped: a signature is copied in one piece
    lines += [_styled(one_line(note), DIM, colour=colour) for note in block.all_notes()]
    return "\n".join(lines)


def _can_be_written(text: str) -> bool:
    """Whether standard output has these characters."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _styled(text: str, style: str, *, colour: bool) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if colour and style and text else text


def _box(table: Table, width: int, drawing: Drawing, *, colour: bool) -> list[str]:
    """The lines of one block."""
    cells, widths = table.starred_cells(one_line), _sizes(table)
    prose = [c for c in range(len(widths)) if _is_prose(table, c)]
    if prose:
        taken = sum(size for c, size in enumerate(widths) if c not in prose) + _frame(len(widths))
        share = max(PROSE, (width - taken) // len(prose))
        for c in prose:
            widths[c] = min(widths[c], share)
    marked = BEST if table.star else FOUND
    title = wrapped(one_line(table.title), width) if table.title else []
    lines = [*(_styled(line, TITLE, colour=colour) for line in title), drawing.line(drawing.top, widths)]
    for r, row in enumerate(cells, -1):
        parts = [wrapped(cell, widths[c]) if c in prose else [cell] for c, cell in enumerate(row)]
        for i in range(max(map(len, parts), default=0)):
            said = []
            for c, own in enumerate(parts):
                text = own[i] if i < len(own) else ""
                gap = " " * (widths[c] - display_width(text))
                style = (
                    HEADER
                    if r < 0
                    else marked
                    if (r, c) in table.best
                    else DIM
                    if text.strip() == UNDEFINED
                    else ""
                )
                text = _styled(text, style, colour=colour)
                said.append(gap + text if table.columns[c].align == "right" else text + gap)
            lines.append(f"{drawing.side} {f' {drawing.side} '.join(said)} {drawing.side}")
        if r < 0:
            lines.append(drawing.line(drawing.middle, widths))
    return [*lines, drawing.line(drawing.bottom, widths)]


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most `width` columns, broken between words; a word that is longer is broken inside.

    >>> wrapped("a tie, nearly", 8)
    ['a tie,', 'nearly']
    """
    lines = [""]
    for word in text.split(" "):
        together = f"{lines[-1]} {word}" if lines[-1] else word
        if display_width(together) <= width:
            lines[-1] = together
            continue
        if lines[-1]:
            lines.append("")
        for letter in word:
            if lines[-1] and display_width(lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return lines


def fitted(table: Table, width: int, *, ellipsis: str = ELLIPSIS) -> list[Table]:
    """The table in one piece if it fits, otherwise with shorter names, and finally in blocks of columns.

    >>> from tertium.io.tables import Column, Table
    >>> columns = Column("system"), Column("n", align="right")
    >>> wide = Table("", columns, (("data/a.txt", 1), ("data/b.txt", 2)))
    >>> [row[0] for row in fitted(wide, 14)[0].rows]
    ['a', 'b']
    """
    if not _fits(table, width):
        table = _with_short_names(without_shared(table), width, ellipsis)
    return [table] if _fits(table, width) else _stacked(table, width)


def _frame(columns: int) -> int:
    return 3 * columns + 1


def _sizes(table: Table) -> list[int]:
    return [max(map(display_width, column)) for column in zip(*table.starred_cells(one_line), strict=True)]


def _is_name(table: Table, c: int) -> bool:
    """A column of names: words without spaces that no program computed."""
    column = table.columns[c]
    cells = [row[c] for row in table.rows if isinstance(row[c], str)]
    return column.align == "left" and not column.whole and bool(cells) and not any(map(_spaced, cells))


def _is_prose(table: Table, c: int) -> bool:
    """A column of sentences, which may be broken into lines."""
    column = table.columns[c]
    return column.align == "left" and not column.whole and any(_spaced(row[c]) for row in table.rows)


def _spaced(value: Value) -> bool:
    return isinstance(value, str) and " " in value.strip()


def _fits(table: Table, width: int) -> bool:
    sizes = _sizes(table)
    narrow = (min(size, PROSE) if _is_prose(table, c) else size for c, size in enumerate(sizes))
    return sum(narrow) + _frame(len(sizes)) <= width


def without_shared(table: Table) -> Table:
    """Without what all names of a column, or all files in the headings, have in common; a note says what that is."""
    groups = [
        [str(row[c]).strip("(?)") for row in table.rows]
        for c in range(len(table.columns))
        if _is_name(table, c)
    ]
    # a column with one name, beside another with one: two systems, compared
    groups.append([own[0] for own in groups if len(set(own)) == 1 and len(_WORDS.findall(own[0])) > 1])
    groups.append([word for column in table.columns for word in column.label.split() if "/" in word])
    short: dict[str, str] = {}
    notes = []
    for names in groups:
        before, behind = shared(names)
        if len(before + behind) > _WORTH_CUTTING:
            short |= short_names(names)
            notes.append(f"names: all are {before}{ELLIPSIS}{behind}")

    def cut_in(text: str) -> str:
        for name in sorted(short, key=len, reverse=True):
            text = text.replace(name, short[name])
        return text

    return replace(
        table,
        title=cut_in(table.title),
        columns=tuple(replace(column, label=cut_in(column.label)) for column in table.columns),
        rows=tuple(tuple(cut_in(v) if isinstance(v, str) else v for v in row) for row in table.rows),
        notes=(*dict.fromkeys(notes), *map(cut_in, table.notes)),
    )


def shared(names: Sequence[str]) -> tuple[str, str]:
    """What names have in common before and behind what tells them apart, in whole words.

    >>> shared(["wmt17/newstest2017.uedin-nmt.de-en", "wmt17/newstest2017.online-A.de-en"])
    ('wmt17/newstest2017.', '.de-en')
    """
    words = [_WORDS.findall(name) for name in dict.fromkeys(names)]
    if len(words) < 2:
        return "", ""
    shortest = min(map(len, words)) - 1  # a word of every name stays
    same = [len(set(column)) == 1 for column in zip(*words, strict=False)]
    begin = min(shortest, len(list(takewhile(bool, same))))
    turned = [len(set(column)) == 1 for column in zip(*(own[::-1] for own in words), strict=False)]
    end = min(shortest - begin, len(list(takewhile(bool, turned))))
    return "".join(words[0][:begin]), "".join(words[0][len(words[0]) - end :])


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Names without what they all share.

    >>> short_names(["out/system-a.en", "out/system-b.en"])
    {'out/system-a.en': 'a', 'out/system-b.en': 'b'}
    """
    before, behind = shared(names)
    return {name: name.removeprefix(before).removesuffix(behind) for name in names}


def _with_short_names(table: Table, width: int, ellipsis: str) -> Table:
    """The longest names lose their middle, as much as is needed and no more than leaves them readable."""
    names = [c for c in range(len(table.columns)) if _is_name(table, c)]
    sizes = _sizes(table)
    while not _fits(table, width) and any(sizes[c] > NAME for c in names):
        longest = max(names, key=lambda c: sizes[c])
        sizes[longest] -= 1
        size = sizes[longest]
        rows = tuple(
            tuple(
                cut(cell, size, ellipsis) if c == longest and isinstance(cell, str) else cell
                for c, cell in enumerate(row)
            )
            for row in table.rows
        )
        columns = tuple(
            replace(column, label=cut(column.label, size, ellipsis)) if c == longest else column
            for c, column in enumerate(table.columns)
        )
        table = replace(table, rows=rows, columns=columns)
    return table


def cut(name: str, width: int, ellipsis: str = ELLIPSIS) -> str:
    """A name with its middle left out.

    >>> cut("newstest2017.uedin-nmt", 12)
    'newste…n-nmt'
    """
    plain = name.replace(ellipsis, "")
    for kept in range(len(plain) - 1, -1, -1):
        if display_width(name) <= width:
            break
        head = (kept + 1) // 2
        name = plain[:head] + ellipsis + plain[len(plain) - (kept - head) :]
    return name


def _stacked(table: Table, width: int) -> list[Table]:
    """Blocks of columns, each with the columns that tell rows apart; the notes stand below the last."""
    sizes = _sizes(table)
    sizes = [min(size, PROSE) if _is_prose(table, c) else size for c, size in enumerate(sizes)]
    keys = _keys(table)
    while len(keys) > 1 and sum(sizes[c] for c in keys) + _frame(len(keys)) > 2 * width // 3:
        keys.pop()
    blocks: list[list[int]] = []
    for c in (c for c in range(len(sizes)) if c not in keys):
        chosen = [*keys, *(blocks[-1] if blocks else []), c]
        if blocks and sum(sizes[i] for i in chosen) + _frame(len(chosen)) <= width:
            blocks[-1].append(c)
        else:
            blocks.append([c])
    made = [_part(table, [*keys, *block]) for block in blocks or [[]]]
    titles = [table.title, *[""] * (len(made) - 1)]
    return [replace(own, title=title, notes=table.notes) for own, title in zip(made, titles, strict=True)]


def _keys(table: Table) -> list[int]:
    """What tells rows apart: the first column of words, or as many as are needed. A first column is one of names,
    also where some have spaces, unless they are as long as sentences."""
    keys: list[int] = []
    named = [
        c
        for c, column in enumerate(table.columns)
        if column.align == "left" and (not _is_prose(table, c) or (c == 0 and _sizes(table)[c] <= PROSE))
    ]
    first = named[0] if named else 0
    if len({row[first] for row in table.rows}) == len(table.rows):
        return [first]
    for c, column in enumerate(table.columns):
        if column.align == "left" and not column.whole and not _is_prose(table, c):
            keys.append(c)
            if len({tuple(row[k] for k in keys) for row in table.rows}) == len(table.rows):
                break
    return keys or [0]


def _part(table: Table, places: Sequence[int]) -> Table:
    """Some columns of a table."""
    moved = {c: i for i, c in enumerate(places)}
    return replace(
        table,
        columns=tuple(table.columns[c] for c in places),
        rows=tuple(tuple(row[c] for c in places) for row in table.rows),
        best=frozenset((r, moved[c]) for r, c in table.best if c in moved),
        signs={(r, moved[c]): sign for (r, c), sign in table.signs.items() if c in moved},
    )
