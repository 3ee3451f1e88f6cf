"""The figures of a task, each with the numbers behind it: who beats whom, correlations over pairs, speed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tertium.errors import InputError, MissingExtraError, many
from tertium.io.files import write_atomically
from tertium.meta.correlations import LEVEL_NAMES, Correlations, everywhere
from tertium.meta.evaluation import Evaluation
from tertium.report.figures import Figure, box_plots, significance_matrix, speed_scatter

_ZOOM = 2.0
_PROBE = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20">{}</svg>'


def matrices(judged: Sequence[Correlations]) -> Iterator[Figure]:
    """A significance matrix for each language pair whose metrics were tested, the highest value first."""
    for own in judged:
        if own.wins is None:
            continue
        order = sorted(
            (i for i, cell in enumerate(own.cells) if cell.value is not None),
            key=lambda i: (-(own.cells[i].value or 0.0), own.names[i]),
        )
        names = [own.names[i] for i in order]
        wins = [[bool(own.wins[i, j]) for j in order] for i in order]
        title = f"{own.pair}, {LEVEL_NAMES[own.level].lower()}: significant wins"
        rows = tuple(
            (one, other, own[one].value, own[other].value, "yes" if won else "no")
            for one, row in zip(names, wins, strict=True)
            for other, won in zip(names, row, strict=True)
            if one != other
        )
        yield Figure(
            f"wins-{own.level}-{own.pair}",
            title,
            f"{own.significance}; n = {own.n:,}",
            significance_matrix(title, names, wins),
            ("metric", "other", "correlation", "of the other", "significantly better"),
            rows,
        )


def boxes(judged: Sequence[Correlations]) -> Figure | None:
    """Box plots over language pairs; none of a single one."""
    values = everywhere(judged) if len(judged) > 1 else {}
    if not values:
        return None
    level, symbol = judged[0].level, judged[0].symbol
    title = f"{LEVEL_NAMES[level]}: {symbol} over {len(judged)} language pairs"
    rows = tuple((name, pair, value) for name, own in values.items() for pair, value in own.items())
    told = "Box: the middle half; line: the median; dots: language pairs, hollow for outliers"
    return Figure(
        f"pairs-{level}", title, told, box_plots(title, values, symbol), ("metric", "pair", symbol), rows
    )


def speeds(evaluation: Evaluation, level: str) -> Figure | None:
    """What a translation took against the mean correlation over the pairs with times; our own metrics only."""
    judged, costs = evaluation.of(level), evaluation.costs(level)
    if not costs:
        return None
    points = {
        name: (sum(cost for cost, _ in own) / len(own), sum(value for _, value in own) / len(own))
        for name, own in ((name, costs[name].values()) for name in costs)
    }
    rows = [(name, pair, *own) for name in costs for pair, own in costs[name].items()]
    symbol = judged[0].symbol
    title = f"{LEVEL_NAMES[level]}: speed against correlation"
    told = f"Means over {many(len(judged), 'language pair')}; times are from this machine and run"
    columns = ("metric", "pair", "microseconds per translation", symbol)
    return Figure(
        f"speed-{level}", title, told, speed_scatter(title, points, f"mean {symbol}"), columns, tuple(rows)
    )


def all_figures(evaluation: Evaluation) -> Iterator[Figure]:
    """Everything that can be drawn of a task. Hybrids have no box plots and no speed: they are no more data."""
    for level in evaluation.levels:
        yield from matrices(evaluation.of(level))
    for level in evaluation.levels:
        if level != "hybrids":
            yield from filter(None, (boxes(evaluation.of(level)), speeds(evaluation, level)))


def write_figures(folder: str | Path, evaluation: Evaluation, *, png: bool = False) -> list[Path]:
    """Write all figures as SVG files, and as PNG files too if asked; gives the names of the files.

    PNG needs `pip install 'tertium[png]'` and a font on the machine.
    """
    figures = list(all_figures(evaluation))
    paint = _painter() if png else None
    root = Path(folder)
    root.mkdir(parents=True, exist_ok=True)
    written = []
    for figure in figures:
        path = root / (re.sub(r"[^\w.+-]", "_", figure.name) + ".svg")
        with write_atomically(path) as file:
            file.write(figure.svg + "\n")
        written.append(path)
        if paint is not None:
            picture = path.with_name(path.name.removesuffix(".svg") + ".png")
            picture.write_bytes(paint(figure.svg))
            written.append(picture)
    return written


def _painter() -> Callable[[str], bytes]:
    """What turns SVG text into a PNG file."""
    try:
        import resvg_py
    except ImportError:
        raise MissingExtraError("figures as PNG", "png") from None

    def drawn(svg: str) -> bytes:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, background="white", zoom=_ZOOM))

    if drawn(_PROBE.format('<text x="2" y="15">x</text>')) == drawn(_PROBE.format("")):
        raise InputError(
            "figures as PNG need a font: install DejaVu Sans or Liberation Sans (the SVG files need none)"
        )
    return drawn
