"""Tables on a terminal: names lose what they all share, then their middle; finally columns are stacked.

Numbers and p-values stay whole whatever the width. Output to a pipe or a file is never cut at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from tertium.io.escaping import UNDEFINED, display_width, one_line

if TYPE_CHECKING:
    from tertium.io.tables import Table, Value

NAME, PROSE = 12, 24  # columns of names and of sentences are not made narrower than this
_WORDS = re.compile(r"[^/._:\-]+|[/._:\-]+")
ELLIPSIS = "…"
_WORTH_CUTTING = 5  # characters


def drawn(table: Table, width: int) -> str:
    """The table in boxes and colours, in as many blocks as the width requires."""
    import io

    from rich.console import Console
    from rich.text import Text

    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=width)
    for block in fitted(table, width):
        console.print(_box(block, width))
    for note in block.notes:  # never wrapped: a signature is copied in one piece
        console.print(Text(one_line(note), style="dim"), soft_wrap=True)
    return out.getvalue().rstrip("\n")


def _box(table: Table, width: int) -> object:
    """One block as rich draws it. Cells are `Text`, so that nothing in them is taken for markup."""
    from rich import box
    from rich.table import Table as Drawn
    from rich.text import Text

    title = Text(one_line(table.title)) if table.title else None
    made = Drawn(title=title, title_justify="left", title_style="bold", box=box.ROUNDED)
    room = width - _frame(len(table.columns))
    sizes = _sizes(table)
    prose = [c for c in range(len(sizes)) if _is_prose(table, c)]
    for c, column in enumerate(table.columns):
        left = room - sum(size for i, size in enumerate(sizes) if i not in prose)
        made.add_column(
            Text(one_line(column.label)),
            justify=column.align,
            header_style="bold cyan",
            no_wrap=c not in prose,
            max_width=max(PROSE, left // len(prose)) if c in prose else None,
            overflow="fold",
        )
    for r, row in enumerate(table.cells(one_line)[1:]):
        styles = (
            ("bold green" if table.star else "bold red")
            if (r, c) in table.best
            else "dim"
            if cell == UNDEFINED
            else ""
            for c, cell in enumerate(row)
        )
        made.add_row(*(Text(cell, style=style) for cell, style in zip(row, styles, strict=True)))
    return made


def fitted(table: Table, width: int) -> list[Table]:
    """The table in one piece if it fits, otherwise with shorter names, and finally in blocks of columns.

    >>> from tertium.io.tables import Column, Table
    >>> columns = Column("system"), Column("n", align="right")
    >>> wide = Table("", columns, (("data/a.txt", 1), ("data/b.txt", 2)))
    >>> [row[0] for row in fitted(wide, 14)[0].rows]
    ['a', 'b']
    """
    if not _fits(table, width):
        table = _with_short_names(without_shared(table), width)
    return [table] if _fits(table, width) else _stacked(table, width)


def _frame(columns: int) -> int:
    return 3 * columns + 1


def _sizes(table: Table) -> list[int]:
    return [max(map(display_width, column)) for column in zip(*table.cells(one_line), strict=True)]


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


def _with_short_names(table: Table, width: int) -> Table:
    """The longest names lose their middle, as much as is needed and no more than leaves them readable."""
    names = [c for c in range(len(table.columns)) if _is_name(table, c)]
    sizes = _sizes(table)
    while not _fits(table, width) and any(sizes[c] > NAME for c in names):
        longest = max(names, key=lambda c: sizes[c])
        sizes[longest] -= 1
        size = sizes[longest]
        rows = tuple(
            tuple(
                cut(cell, size) if c == longest and isinstance(cell, str) else cell
                for c, cell in enumerate(row)
            )
            for row in table.rows
        )
        columns = tuple(
            replace(column, label=cut(column.label, size)) if c == longest else column
            for c, column in enumerate(table.columns)
        )
        table = replace(table, rows=rows, columns=columns)
    return table


def cut(name: str, width: int) -> str:
    """A name with its middle left out.

    >>> cut("newstest2017.uedin-nmt", 12)
    'newste…n-nmt'
    """
    plain = name.replace(ELLIPSIS, "")
    for kept in range(len(plain) - 1, -1, -1):
        if display_width(name) <= width:
            break
        head = (kept + 1) // 2
        name = plain[:head] + ELLIPSIS + plain[len(plain) - (kept - head) :]
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
    made = [_part(table, [*keys, *block]) for block in blocks]
    titles = [table.title, *[""] * (len(made) - 1)]
    return [replace(own, title=title, notes=table.notes) for own, title in zip(made, titles, strict=True)]


def _keys(table: Table) -> list[int]:
    """What tells rows apart: the first column of words, or as many as are needed."""
    keys: list[int] = []
    words = (
        c for c, column in enumerate(table.columns) if column.align == "left" and not _is_prose(table, c)
    )
    first = next(words, 0)
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
