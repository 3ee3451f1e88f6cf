"""Pictures of series as SVG text: scores with their intervals over time, changes and releases marked. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from tertium.svg import num, picture, plain, rule, scale, tag, tick_text, ticks_of, titled, width_of, words

DAY = 86400.0


@dataclass(frozen=True)
class ChartPoint:
    """A score with its interval at a time, and what is said of it."""

    time: float
    value: float
    low: float | None
    high: float | None
    said: str


@dataclass(frozen=True)
class ChartMark:
    """Something that happened: a change for worse or better, a release, other settings."""

    time: float
    kind: str  # worse, better, release, settings
    text: str


@dataclass(frozen=True)
class ChartLevel:
    """Where a series stood for a while."""

    begin: float
    end: float
    value: float


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "".join(f"{'L' if i else 'M'}{num(x)},{num(y)}" for i, (x, y) in enumerate(points))


def sparkline(values: Sequence[float], span: float, kind: str, said: str) -> str:
    """A series in the space of a word; `span` is the range of all of them, so that slopes can be compared.

    >>> sparkline([61.0, 60.0, 57.0], 10.0, "worse", "chrF").count("<circle")
    1
    """
    width, height, edge = 132, 34, 5
    if not values:
        return ""
    middle = (min(values) + max(values)) / 2
    half = max(span, max(values) - min(values), 1e-9) / 2
    up = scale(middle - half, middle + half, height - edge, edge)
    across = scale(0, max(1, len(values) - 1), edge, width - edge)
    places = [(across(i), up(value)) for i, value in enumerate(values)]
    x, y = places[-1] if len(values) > 1 else (width - edge, places[0][1])
    parts = [
        tag("path", d=_path(places), **{"class": "line"}),
        tag("circle", cx=x, cy=y, r=3.2, **{"class": "dot"}),
    ]
    box = f'viewBox="0 0 {width} {height}" preserveAspectRatio="xMinYMid"'
    return f'<svg class="spark {kind}" {box} role="img" aria-label="{plain(said)}">{"".join(parts)}</svg>'


def series_chart(
    lines: Sequence[Sequence[ChartPoint]],
    marks: Sequence[ChartMark],
    levels: Sequence[ChartLevel],
    *,
    title: str,
    said: str,
    label: str,
    width: int = 960,
) -> str:
    """Scores over time, one line for each signature, with intervals, levels before and after, and what happened.

    >>> points = [ChartPoint(DAY * i, 60.0 - i, 58.0 - i, 62.0 - i, f"day {i}") for i in range(3)]
    >>> svg = series_chart([points], [ChartMark(DAY, "worse", "worse")], [], title="a", said="b", label="chrF")
    >>> svg.count('class="dot"'), "style=" in svg
    (3, False)
    """
    every = [point for line in lines for point in line]
    narrow = width < 600
    top, height, left, right = 39, 210 if narrow else 260, 44, 14
    bounds = [value for point in every for value in (point.value, point.low, point.high) if value is not None]
    ticks = ticks_of(*_fair(bounds, [point.value for point in every]))
    begin, end = min(point.time for point in every), max(point.time for point in every)
    if end - begin < DAY:
        begin, end = begin - DAY / 2, end + DAY / 2
    across = scale(begin, end, left + 8, width - right - 8)
    place = scale(ticks[0], ticks[-1], top + height, top)

    def up(value: float) -> float:
        return place(min(max(value, ticks[0]), ticks[-1]))

    parts = []
    for tick in ticks:
        parts.append(rule(left, width - right, up(tick), up(tick)))
        parts.append(words(left - 8, up(tick) + 4, tick_text(tick, ticks), anchor="end"))
    parts.append(words(left - 8, 16, label, anchor="start", **{"class": "what", "dx": "-34"}))
    parts += _days(begin, end, across, top + height, 4 if narrow else 8)
    for line in lines:
        parts += _line(line, across, up)
    for level in levels:
        x1, x2, y = across(max(level.begin, begin)), across(min(level.end, end)), up(level.value)
        parts.append(tag("line", x1=x1, x2=x2, y1=y, y2=y, **{"class": "level"}))
    parts += _marks([mark for mark in marks if begin <= mark.time <= end], across, top, height, width)
    for i, point in enumerate(every):
        x, y = across(point.time), up(point.value)
        dot = tag("circle", cx=x, cy=y, r=3.5, **{"class": "dot", "data-i": str(i)})
        parts.append(f"<g>{titled(point.said)}{dot}</g>")
    return picture(width, top + height + 30, title, said, parts)


def _fair(bounds: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """What the axis shows: all values, and of intervals no more than twice as much."""
    low, high = min(values), max(values)
    reach = max(high - low, 1.0)
    return max(min(bounds), low - reach), min(max(bounds), high + reach)


def _line(
    line: Sequence[ChartPoint], across: Callable[[float], float], up: Callable[[float], float]
) -> list[str]:
    sure = [point for point in line if point.low is not None and point.high is not None]
    parts = []
    if len(sure) > 1:
        upper = [(across(point.time), up(point.high or 0.0)) for point in sure]
        lower = [(across(point.time), up(point.low or 0.0)) for point in reversed(sure)]
        parts.append(tag("path", d=_path([*upper, *lower]) + "Z", **{"class": "band"}))
    elif sure:
        x, low, high = across(sure[0].time), up(sure[0].low or 0.0), up(sure[0].high or 0.0)
        parts.append(tag("line", x1=x, x2=x, y1=low, y2=high, **{"class": "band"}))
    parts.append(tag("path", d=_path([(across(p.time), up(p.value)) for p in line]), **{"class": "line"}))
    return parts


def _marks(
    marks: Sequence[ChartMark], across: Callable[[float], float], top: float, height: float, width: float
) -> list[str]:
    parts, taken = [], [-1e9, -1e9]  # where the words of both rows end
    for mark in sorted(marks, key=lambda own: own.time):
        x = across(mark.time)
        wide = width_of([mark.text])
        start = min(max(4.0, x - 4), width - wide - 4)
        row = next((i for i, end in enumerate(taken) if start > end + 8), None)
        parts.append(f"<g class='mark {mark.kind}'>{titled(mark.text)}")
        parts.append(tag("line", x1=x, x2=x, y1=top - 2, y2=top + height))
        parts.append(tag("path", d=f"M{num(x - 5)},{top - 8}h10l-5,8Z"))
        if row is not None:
            parts.append(words(start, 11 + 13 * row, mark.text))
            taken[row] = start + wide
        parts.append("</g>")
    return parts


def _days(begin: float, end: float, across: Callable[[float], float], bottom: float, most: int) -> list[str]:
    """Days under the axis, at most so many."""
    first, last = int(begin // DAY) + 1, int(end // DAY)
    step = next((own for own in (1, 2, 7, 14, 28, 56, 91, 182, 365) if (last - first) / own < most), 730)
    parts = []
    for number in range(last, first - 1, -step):
        x = across(number * DAY)
        shown = datetime.fromtimestamp(number * DAY, UTC)
        text = f"{shown:%b %Y}" if step >= 91 else f"{shown.day} {shown:%b}"
        parts.append(
            tag("line", x1=x, x2=x, y1=bottom, y2=bottom + 5, stroke="currentColor", stroke_opacity=0.4)
        )
        parts.append(words(x, bottom + 20, text, anchor="middle"))
    return parts


def two_shapes(
    before: Sequence[float], after: Sequence[float], *, title: str, said: str, width: int = 960
) -> str:
    """How segment scores were spread before a change and since: shares of segments, in steps.

    >>> two_shapes([10.0, 20.0], [12.0, 15.0, 16.0], title="a", said="b").count('class="shape')
    2
    """
    low, high = min(*before, *after), max(*before, *after)
    ticks = ticks_of(low, max(high, low + 1.0))
    bins = 24
    place = scale(ticks[0], ticks[-1], 0, bins)
    left, right, top, height = 14, 14, 8, 120
    across = scale(0, bins, left, width - right)
    shares = []
    for values in (before, after):
        counts = [0] * bins
        for value in values:
            counts[min(bins - 1, max(0, int(place(value))))] += 1
        shares.append([count / len(values) for count in counts])
    up = scale(0, max(max(own) for own in shares), top + height, top)
    parts = []
    for kind, own in zip(("before", "after"), shares, strict=True):
        steps = [(across(i + side), up(share)) for i, share in enumerate(own) for side in (0, 1)]
        ends = [(across(0), up(0)), *steps, (across(bins), up(0))]
        parts.append(tag("path", d=_path(ends), **{"class": f"shape {kind}"}))
    parts.append(rule(left, width - right, up(0), up(0)))
    few = ticks if width > 600 else ticks[::2]
    parts += [
        words(across(place(tick)), top + height + 18, tick_text(tick, ticks), anchor="middle") for tick in few
    ]
    return picture(width, top + height + 28, title, said, parts)
