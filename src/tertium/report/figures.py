"""Figures of meta-evaluation as SVG text: data in, text out, the same text for the same data.

Text and lines take the colour around them (`currentColor`), so that a figure reads on light and on dark paper; what a
colour shows is shown by a mark too. There are no style attributes: the pages' security policy forbids them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.io.records import formula_escaped
from tertium.svg import num, picture, rule, scale, tag, tick_text, ticks_of, titled, width_of, words

GREEN = "#2e9e6b"
BLUE = "#3f7fc4"
_LINES = (BLUE, "#d0782a", GREEN, "#8a5cc2")
_DASHES = ("", "6 4", "2 3")
_CELL = 22


@dataclass(frozen=True)
class Figure:
    """A picture, what it is called, and the numbers behind it."""

    name: str  # of its file
    title: str
    description: str
    svg: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]

    def csv(self) -> str:
        """The numbers, all digits included."""
        lines = [self.columns, *self.rows]
        return "".join(",".join(map(_csv_field, line)) + "\r\n" for line in lines)


def significance_matrix(title: str, names: Sequence[str], wins: Sequence[Sequence[bool]]) -> str:
    """Who beats whom (fig. 1 of Bojar, Graham and Kamran 2017): a green cell with a tick where the metric of the row
    correlates significantly better with people than the metric of the column.

    >>> svg = significance_matrix("de-en", ["chrF", "BLEU"], [[False, True], [False, False]])
    >>> svg.count("chrF is significantly better than BLEU"), svg.startswith("<svg")
    (1, True)
    """
    n = len(names)
    left = top = width_of(names) + 10
    size = n * _CELL
    parts = []
    for i, row in enumerate(wins):
        y = top + i * _CELL
        parts.append(words(left - 6, y + _CELL / 2 + 4, names[i], anchor="end"))
        x = left + (i + 0.5) * _CELL + 4
        turned = {"transform": f"rotate(-90 {num(x)} {num(top - 6)})"}
        parts.append(words(x, top - 6, names[i], **turned))
        for j, won in enumerate(row):
            x = left + j * _CELL
            place: dict[str, Any] = {"x": x + 1, "y": y + 1, "width": _CELL - 2, "height": _CELL - 2, "rx": 2}
            if i == j:
                parts.append(tag("rect", **place, fill="currentColor", fill_opacity=0.12))
            elif won:
                said = f"{names[i]} is significantly better than {names[j]}"
                tick = (
                    f"M{num(x + 6)},{num(y + 11.5)}L{num(x + 9.5)},{num(y + 15)}L{num(x + 16)},{num(y + 7.5)}"
                )
                line = tag("path", d=tick, fill="none", stroke="#ffffff", stroke_width=2)
                parts.append(f"<g>{titled(said)}{tag('rect', **place, fill=GREEN)}{line}</g>")
            else:
                parts.append(tag("rect", **place, fill="none", stroke="currentColor", stroke_opacity=0.2))
    count = sum(map(sum, wins))
    said = f"{count} of {n * (n - 1)} pairs of {n} metrics differ significantly."
    if n and count:
        most = max(map(sum, wins))
        first = [name for name, row in zip(names, wins, strict=True) if sum(row) == most]
        each = " each" if len(first) > 1 else ""
        said += f" Most wins: {', '.join(first)} ({most}{each})."
    return picture(left + size + 4, top + size + 4, title, said, parts)


def quartiles(values: Sequence[float]) -> tuple[float, float, float, float, float]:
    """The ends of whiskers, the box and the median: whiskers reach the last value within 1.5 boxes (Tukey).

    >>> quartiles([1.0, 2.0, 3.0, 4.0, 20.0])
    (1.0, 2.0, 3.0, 4.0, 4.0)
    """
    ordered = sorted(values)

    def at(share: float) -> float:
        place = share * (len(ordered) - 1)
        low = math.floor(place)
        high = min(low + 1, len(ordered) - 1)
        return ordered[low] + (place - low) * (ordered[high] - ordered[low])

    first, middle, third = at(0.25), at(0.5), at(0.75)
    reach = 1.5 * (third - first)
    inside = [value for value in ordered if first - reach <= value <= third + reach]
    return min(inside), first, middle, third, max(inside)


def box_plots(title: str, values: Mapping[str, Mapping[str, float]], label: str) -> str:
    """Correlations of each metric over language pairs (fig. 7): the box is the middle half, the line the median, and
    every language pair a dot with its name.

    >>> svg = box_plots("System level", {"chrF": {"de-en": 0.9, "cs-en": 0.95}}, "|r|")
    >>> "chrF, de-en: 0.900" in svg, "style=" in svg
    (True, False)
    """
    order = sorted(values, key=lambda name: (-quartiles(list(values[name].values()))[2], name))
    every = [value for own in values.values() for value in own.values()]
    ticks = ticks_of(min(every), max(every))
    left, top, width, row = width_of(order) + 14, 8, 520, 30
    across = scale(ticks[0], ticks[-1], left, left + width)
    bottom = top + row * len(order)
    parts = [*_grid_across(ticks, across, top, bottom, label)]
    for i, name in enumerate(order):
        own = values[name]
        y = top + (i + 0.5) * row
        low, first, middle, third, high = quartiles(list(own.values()))
        parts.append(words(left - 8, y + 4, name, anchor="end"))
        half = f"middle half {first:.3f} to {third:.3f}"
        said = f"{name}: median {middle:.3f}, {half}, {len(own)} language pairs"
        line: dict[str, Any] = {"stroke": "currentColor", "stroke_width": 1.25}
        box = [
            tag("line", x1=across(low), x2=across(first), y1=y, y2=y, **line),
            tag("line", x1=across(third), x2=across(high), y1=y, y2=y, **line),
            tag("rect", x=across(first), y=y - 8, width=max(across(third) - across(first), 0.5), height=16,
                 fill=BLUE, fill_opacity=0.3, stroke=BLUE, stroke_width=1.25),
            tag("line", x1=across(middle), x2=across(middle), y1=y - 8, y2=y + 8, stroke="currentColor",
                 stroke_width=2.5),
        ]  # fmt: skip
        parts.append(f"<g>{titled(said)}{''.join(box)}</g>")
        for pair, value in sorted(own.items()):
            outside = not low <= value <= high
            dot = {"fill": "none", "stroke": "currentColor"} if outside else {"fill": "currentColor"}
            circle = tag("circle", cx=across(value), cy=y, r=2.6, **dot, opacity=0.75)
            parts.append(f"<g>{titled(f'{name}, {pair}: {value:.3f}')}{circle}</g>")
    best = order[0]
    said = f"{best} has the highest median, {quartiles(list(values[best].values()))[2]:.3f}, of {len(order)} metrics."
    return picture(left + width + 16, bottom + 42, title, said, parts)


def speed_scatter(
    title: str,
    points: Mapping[str, tuple[float, float]],
    label: str,
    best_says: str = "has the highest value",
) -> str:
    """Microseconds for a translation, on a logarithmic scale, against the mean correlation (fig. 8).

    >>> svg = speed_scatter("System level", {"BLEU": (2.0, 0.91), "chrF": (4.0, 0.94)}, "mean |r|")
    >>> "chrF: 4.0 microseconds per translation, 0.940" in svg
    True
    """
    top, width, height = 10, 520, 300
    points = {name: (max(time, 1e-3), value) for name, (time, value) in points.items()}  # for the logarithm
    times, found = [x for x, _ in points.values()], [y for _, y in points.values()]
    decades = range(math.floor(math.log10(min(times))), max(math.ceil(math.log10(max(times))), 1) + 1)
    if len(decades) == 1:
        decades = range(decades[0], decades[0] + 2)
    ticks = ticks_of(min(found), max(found))
    left = max(56, width_of([tick_text(tick, ticks) for tick in ticks]) + 24)
    logs = scale(decades[0], decades[-1], left, left + width)
    up = scale(ticks[0], ticks[-1], top + height, top)
    parts = []
    for decade in decades:
        x = logs(decade)
        parts.append(rule(x, x, top, top + height))
        parts.append(words(x, top + height + 18, f"{10.0**decade:g}", anchor="middle"))
    for tick in ticks:
        parts.append(rule(left, left + width, up(tick), up(tick)))
        parts.append(words(left - 8, up(tick) + 4, tick_text(tick, ticks), anchor="end"))
    below = "microseconds per translation, as measured here"
    parts.append(words(left + width / 2, top + height + 38, below, anchor="middle"))
    turned = {"transform": f"rotate(-90 14 {num(top + height / 2)})"}
    parts.append(words(14, top + height / 2, label, anchor="middle", **turned))
    dots = {name: (logs(math.log10(time)), up(value)) for name, (time, value) in points.items()}
    taken = [(x - 6, x + 6, y + 4) for x, y in dots.values()]
    for name, (time, value) in sorted(points.items(), key=lambda point: (-point[1][1], point[0])):
        x, y = dots[name]
        said = f"{name}: {time:.1f} microseconds per translation, {value:.3f}"
        dot = tag("circle", cx=x, cy=y, r=4.5, fill=BLUE, stroke="currentColor", stroke_width=1)
        text, anchor, place = _free_place(x, y, name, taken, (left, left + width))
        taken.append(place)
        parts.append(f"<g>{titled(said)}{dot}{words(text, place[2], name, anchor=anchor)}</g>")
    best, fast = max(points, key=lambda n: points[n][1]), min(points, key=lambda n: points[n][0])
    said = f"{fast} is the fastest of {len(points)} metrics, {best} {best_says}."
    return picture(left + width + 60, top + height + 48, title, said, parts)


def curve(
    title: str,
    points: Sequence[tuple[float, float]],
    labels: tuple[str, str],
    said: str,
    *,
    diagonal: bool = False,
) -> str:
    """Dots joined by a line, with a dotted diagonal where both scales are the same.

    >>> svg = curve("Learning", [(100, 0.4), (200, 0.5)], ("judgements", "r"), "It grows.")
    >>> "judgements 200, r 0.500" in svg, "stroke-dasharray" in svg
    (True, False)
    """
    top, width, height = 10, 520, 300
    across_ticks, up_ticks = (ticks_of(min(own), max(own)) for own in zip(*points, strict=True))
    left = max(56, width_of([tick_text(tick, up_ticks) for tick in up_ticks]) + 24)
    across = scale(across_ticks[0], across_ticks[-1], left, left + width)
    up = scale(up_ticks[0], up_ticks[-1], top + height, top)
    parts = [*_grid_across(across_ticks, across, top, top + height, labels[0])]
    for tick in up_ticks:
        parts.append(rule(left, left + width, up(tick), up(tick)))
        parts.append(words(left - 8, up(tick) + 4, tick_text(tick, up_ticks), anchor="end"))
    turned = {"transform": f"rotate(-90 14 {num(top + height / 2)})"}
    parts.append(words(14, top + height / 2, labels[1], anchor="middle", **turned))
    if diagonal:
        low, high = max(across_ticks[0], up_ticks[0]), min(across_ticks[-1], up_ticks[-1])
        ends: dict[str, Any] = {"x1": across(low), "x2": across(high), "y1": up(low), "y2": up(high)}
        parts.append(tag("line", **ends, stroke="currentColor", stroke_dasharray="3 4", stroke_opacity=0.6))
    path = "".join(f"{'L' if i else 'M'}{num(across(x))},{num(up(y))}" for i, (x, y) in enumerate(points))
    parts.append(tag("path", d=path, fill="none", stroke=BLUE, stroke_width=2))
    for x, y in points:
        named = f"{labels[0]} {_short(x)}, {labels[1]} {y:.3f}"
        dot = tag("circle", cx=across(x), cy=up(y), r=4.5, fill=BLUE, stroke="currentColor", stroke_width=1)
        parts.append(f"<g>{titled(named)}{dot}</g>")
    return picture(left + width + 24, top + height + 42, title, said, parts)


def lines(
    title: str,
    across_labels: Sequence[str],
    series: Mapping[str, Sequence[float | None]],
    labels: tuple[str, str],
    said: str,
) -> str:
    """Several lines over the same steps, on white paper, for a page of text: each with a colour, a dash and its name.

    >>> svg = lines("Reliability", ["1", "10"], {"ours": [0.4, 0.8], "theirs": [0.2, None]}, ("sentences", "r"), "")
    >>> svg.count("<path"), "ours, sentences 10: r 0.800" in svg, "theirs, sentences 10" in svg
    (2, True, False)
    """
    top, width, height = 14, 460, 300
    known = [value for values in series.values() for value in values if value is not None]
    up_ticks = ticks_of(min(known), max(known))
    left = max(56, width_of([tick_text(tick, up_ticks) for tick in up_ticks]) + 24)
    across = scale(0, max(1, len(across_labels) - 1), left + 20, left + width - 20)
    up = scale(up_ticks[0], up_ticks[-1], top + height, top)
    legend = left + width + 16
    whole = legend + 40 + width_of(list(series)), top + height + 48
    parts = [tag("rect", width=whole[0] + 1, height=whole[1] + 1, fill="#ffffff")]
    for tick in up_ticks:
        parts.append(rule(left, left + width, up(tick), up(tick)))
        parts.append(words(left - 8, up(tick) + 4, tick_text(tick, up_ticks), anchor="end"))
    for place, label in enumerate(across_labels):
        parts.append(words(across(place), top + height + 16, label, anchor="middle"))
    parts.append(words(left + width / 2, top + height + 36, labels[0], anchor="middle"))
    turned = {"transform": f"rotate(-90 14 {num(top + height / 2)})"}
    parts.append(words(14, top + height / 2, labels[1], anchor="middle", **turned))
    for number, (name, values) in enumerate(series.items()):
        colour, dash = _LINES[number % len(_LINES)], _DASHES[number % len(_DASHES)]
        drawn: dict[str, Any] = {
            "stroke": colour,
            "stroke_width": 2,
            **({"stroke_dasharray": dash} if dash else {}),
        }
        points = [
            (across(place), up(value), value, place)
            for place, value in enumerate(values)
            if value is not None
        ]
        path = "".join(f"{'L' if i else 'M'}{num(x)},{num(y)}" for i, (x, y, _, _) in enumerate(points))
        parts.append(tag("path", d=path, fill="none", **drawn))
        for x, y, value, place in points:
            named = f"{name}, {labels[0]} {across_labels[place]}: {labels[1]} {value:.3f}"
            parts.append(f"<g>{titled(named)}{tag('circle', cx=x, cy=y, r=4, fill=colour)}</g>")
        y = top + 8 + 22 * number
        parts.append(tag("line", x1=legend, x2=legend + 28, y1=y, y2=y, **drawn))
        parts.append(words(legend + 34, y + 4, name))
    return picture(*whole, title, said, parts)


def _short(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.3f}"


def _free_place(
    x: float, y: float, name: str, taken: Sequence[tuple[float, float, float]], edges: tuple[float, float]
) -> tuple[float, str, tuple[float, float, float]]:
    """Where a label hides no other: beside its dot, on either side, or a little above or below."""
    wide = width_of([name])
    for shift in (4, -7, 15, -18, 26, -29, 37):
        for side in ("start", "end"):
            start = x + 9 if side == "start" else x - 9 - wide
            if (side == "start" and start + wide > edges[1] + 56) or (side == "end" and start < edges[0]):
                continue
            if all(
                abs(y + shift - other) > 12 or start > end or start + wide < begin
                for begin, end, other in taken
            ):
                return (x + 9 if side == "start" else x - 9), side, (start, start + wide, y + shift)
    return x + 9, "start", (x + 9, x + 9 + wide, y + 4)


def _grid_across(
    ticks: Sequence[float], across: Callable[[float], float], top: float, bottom: float, label: str
) -> Iterator[str]:
    for tick in ticks:
        x = across(tick)
        yield rule(x, x, top, bottom)
        yield words(x, bottom + 16, tick_text(tick, ticks), anchor="middle")
    yield words((across(ticks[0]) + across(ticks[-1])) / 2, bottom + 36, label, anchor="middle")


def _csv_field(value: str | float | None) -> str:
    text = "" if value is None else formula_escaped(value) if isinstance(value, str) else repr(value)
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\r\n') else text
