"""What the pages show, read from the database: standings, series, what changed, and the texts behind it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import numpy as np
from markupsafe import Markup, escape
from numpy.typing import NDArray
from sqlalchemy import func, select

from tertium import registry
from tertium.families.base import Metric
from tertium.monitor import schema
from tertium.monitor.alarms import alarms
from tertium.monitor.history import Evaluations, begin_of, scored, series
from tertium.monitor.settings import USUAL
from tertium.service.dashboard.charts import ChartLevel, ChartMark, ChartPoint
from tertium.service.dashboard.telling import ToldChange, day, number, signed
from tertium.web.database import Database

DAY = 86400.0
EVERYTHING = 36500
MOST_ALARMS = 1000
TOGETHER = 30 * DAY  # so near to each other two changes are one
RANGES = {30: "30 days", 90: "90 days", 365: "a year", EVERYTHING: "everything"}
STEPS = {"": "fitting", "day": "days", "week": "weeks", "month": "months"}
_done, _scores, _systems = schema.evaluations.c, schema.scores.c, schema.systems.c
T = TypeVar("T")


@dataclass(frozen=True)
class WatchView:
    """What somebody wants to see: a metric, how far back, in which steps."""

    metric: str
    days: int = 90
    by: str = ""

    @property
    def step(self) -> str:
        """The steps that are shown: those asked for, or those that fit."""
        return self.by or ("day" if self.days <= 45 else "week" if self.days <= 400 else "month")

    @property
    def span(self) -> str:
        """How far back, in words."""
        return (
            "so far"
            if self.days == EVERYTHING
            else f"in the last {RANGES.get(self.days, f'{self.days} days')}"
        )

    @property
    def of(self) -> Metric:
        return registry.metric(self.metric)


@dataclass(frozen=True)
class SystemStanding:
    """How a system does in a domain: the last score, and those before it."""

    system: str
    domain: str
    value: float | None
    low: float | None
    high: float | None
    values: list[float]
    segments: int
    change: ToldChange | None


class Reading:
    """The database as the dashboard reads it. What takes long is remembered until something new comes in."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._known: dict[Any, Any] = {}
        self._stamp: Any = None
        self._lock = threading.Lock()

    def _once(self, key: Any, make: Callable[[], T]) -> T:
        row = self.database.rows(
            select(
                func.max(_done.id),
                func.count(_done.id),
                select(func.max(schema.alarms.c.id)).scalar_subquery(),
            )
        )[0]
        with self._lock:
            if self._stamp != tuple(row):
                self._known, self._stamp = {}, tuple(row)
            if key in self._known:
                found: T = self._known[key]
                return found
        made = make()
        with self._lock:
            if len(self._known) < 200 and self._stamp == tuple(row):
                self._known[key] = made
        return made

    def metrics(self, usual: Sequence[str]) -> list[str]:
        """Metrics that there are scores of, the usual ones first."""
        query = select(_scores.metric).distinct()
        found = self._once("metrics", lambda: [row.metric for row in self.database.rows(query)])
        first = [spec for spec in (*usual, *USUAL) if spec in found]
        return list(dict.fromkeys([*first, *sorted(found)]))

    def latest(self) -> float | None:
        """When the newest evaluation was translated."""
        newest: float | None = self.database.rows(select(func.max(_done.time).label("newest")))[0].newest
        return newest

    def since(self, view: WatchView) -> float | None:
        """Where the view begins: so many days before the newest evaluation."""
        newest = self.latest()
        return None if newest is None or view.days == EVERYTHING else newest - view.days * DAY

    def changes(self, spec: str) -> list[ToldChange]:
        """All changes by a metric, as they are told, the newest first."""
        return self._once(("changes", spec), lambda: self._changes(spec))

    def _changes(self, spec: str) -> list[ToldChange]:
        metric = registry.metric(spec)
        told = [
            ToldChange(
                own["system"],
                own["domain"],
                spec,
                metric.label,
                own["change"],
                own["begins"],
                own["time"],
                own["evaluation"],
                own["since"],
                own["batches"],
                number(own["before"], metric),
                number(own["after"], metric),
                signed(_minus(own["after"], own["before"]), metric),
                own["probe"],
            )
            for own in alarms(self.database, Evaluations(), spec, most=MOST_ALARMS)
        ]
        alone = [own for own in told if own.domain or not any(_within(own, other) for other in told)]
        return sorted(alone, key=lambda own: -own.told)

    def recent(self, view: WatchView) -> list[ToldChange]:
        """The last change of each series, if it lies within the view; those for worse first."""
        begin = self.since(view)
        last: dict[tuple[str, str, str], ToldChange] = {}
        for own in self.changes(view.metric):
            last.setdefault((own.system, own.domain, own.probe), own)
        found = [own for own in last.values() if begin is None or own.told >= begin]
        return sorted(found, key=lambda own: (own.kind != "worse", -own.told))

    def lines(self, view: WatchView, system: str = "", domain: str = "") -> list[dict[str, Any]]:
        """Series within the view: of what came in, or of probes where nothing else did."""
        key = ("lines", view, system, domain)
        wanted = Evaluations(system, domain, since=self.since(view))
        found = self._once(key, lambda: series(self.database, wanted, view.metric, view.step))
        work = {(own["system"], own["domain"]) for own in found if not own["probe"]}
        return [own for own in found if not own["probe"] or (own["system"], own["domain"]) not in work]

    def standings(self, view: WatchView) -> dict[str, dict[str, SystemStanding]]:
        """Systems by domains."""
        last = {(own.system, own.domain): own for own in self.recent(view) if not own.probe}
        found: dict[str, dict[str, SystemStanding]] = {}
        for line in self.lines(view):  # the newest signature of a series comes last
            points = [point for point in line["points"] if point["value"] is not None]
            if points:
                end, place = points[-1], (line["system"], line["domain"])
                found.setdefault(place[0], {})[place[1]] = SystemStanding(
                    *place,
                    end["value"],
                    end["low"],
                    end["high"],
                    [point["value"] for point in points],
                    sum(point["segments"] for point in points),
                    last.get(place),
                )
        return found

    def documents(
        self, view: WatchView, system: str, domain: str, *, since: float | None = None, most: int = 100
    ) -> list[dict[str, Any]]:
        """Documents of a series with their scores, the newest first."""
        query = scored(view.metric, _done.document, _done.size, _scores.value)
        query = Evaluations(system, domain, since=since).of(query).order_by(None)
        rows = self.database.rows(query.order_by(_done.time.desc(), _done.id.desc()).limit(most))
        return [dict(row._mapping) for row in rows]

    def segment_scores(self, change: ToldChange) -> tuple[_Side, _Side]:
        """Segments before a change and since: scores and lengths."""
        query = scored(change.metric, _done.lengths, _scores["values"]).where(_done.probe == change.probe)
        rows = self.database.rows(Evaluations(change.system, change.domain, until=change.told + 1).of(query))
        place = next((i for i, row in enumerate(rows) if row.id == change.first), len(rows))
        return _Side.of(rows[max(0, place - 500) : place]), _Side.of(rows[place:])

    def phrases(self, numbers: Sequence[int]) -> dict[int, list[list[tuple[int, int, float]]]]:
        """Words that nothing in references explains, segment by segment, where they were looked for."""
        query = select(schema.phrases).where(schema.phrases.c.evaluation.in_(numbers))
        return {row.evaluation: json.loads(row.spans) for row in self.database.rows(query)}

    def texts(self, numbers: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
        """The segments of evaluations, where their texts are still kept."""
        query = select(schema.texts).where(schema.texts.c.evaluation.in_(numbers))
        return {row.evaluation: json.loads(row.segments) for row in self.database.rows(query)}


@dataclass(frozen=True)
class _Side:
    """Segments of one side of a change."""

    numbers: NDArray[np.int64]  # which evaluation each segment is of
    places: NDArray[np.int64]
    values: NDArray[np.float64]
    words: float  # the mean length

    @staticmethod
    def of(rows: Sequence[Any]) -> _Side:
        own = [np.frombuffer(row.values) for row in rows]
        lengths = [np.frombuffer(row.lengths, dtype=np.int32) for row in rows]
        numbers = [np.full(len(values), row.id) for row, values in zip(rows, own, strict=True)]
        places = [np.arange(len(values)) for values in own]
        joined = np.concatenate(lengths) if lengths else np.array([])
        return _Side(
            np.concatenate([*numbers, np.array([], dtype=np.int64)]),
            np.concatenate([*places, np.array([], dtype=np.int64)]),
            np.concatenate([*own, np.array([])]),
            float(joined.mean()) if len(joined) else float("nan"),
        )

    def defined(self) -> list[float]:
        """Scores that there are."""
        return [float(value) for value in self.values if value == value]

    def worst(self, most: int, *, up: bool) -> list[tuple[int, int, float]]:
        """The worst segments: evaluation, place, score."""
        order = np.argsort(self.values if up else -self.values, kind="stable")
        kept = [i for i in order if self.values[i] == self.values[i]][:most]
        return [(int(self.numbers[i]), int(self.places[i]), float(self.values[i])) for i in kept]


def _within(whole: ToldChange, part: ToldChange) -> bool:
    """Whether a change over all domains is that of one of them."""
    same = (whole.system, whole.kind, whole.probe) == (part.system, part.kind, part.probe)
    return same and bool(part.domain) and abs(whole.told - part.told) < TOGETHER


def _minus(after: float | None, before: float | None) -> float | None:
    return None if after is None or before is None else after - before


def moment_of(point: Mapping[str, Any]) -> float:
    """When a point of a series is."""
    if point.get("begins") is None:
        return float(point["time"])
    return _began(point["begins"])


def _began(date: str) -> float:
    return datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp()


def spanned(text: str, spans: Sequence[Sequence[float]]) -> Markup:
    """A text with the words marked that nothing explains; `data-level` is how little, from 1 to 3.

    >>> print(spanned("the old <port>", [(4, 7, 1.0)]))
    the <mark data-level="3" title="not in the reference">old</mark> &lt;port&gt;
    """
    parts, last = [], 0
    for begin, end, score in spans:
        begin, end = int(begin), int(end)
        if last <= begin < end <= len(text):
            level = min(3, 1 + int(score * 3))
            said = "not in the reference" if level == 3 else "only partly in the reference"
            mark = Markup('<mark data-level="{}" title="{}">{}</mark>').format(level, said, text[begin:end])
            parts += [escape(text[last:begin]), mark]
            last = end
    return Markup("").join([*parts, escape(text[last:])])


def chart_points(line: Mapping[str, Any], metric: Metric) -> list[ChartPoint]:
    """A series as a chart takes it."""
    found = []
    for point in line["points"]:
        if point["value"] is not None:
            said = f"{day(moment_of(point))}: {metric.label} {number(point['value'], metric)}"
            if point["low"] is not None:
                said += f" ({number(point['low'], metric)} to {number(point['high'], metric)})"
            said += f", {point['documents']} documents, {point['segments']} segments"
            found.append(ChartPoint(moment_of(point), point["value"], point["low"], point["high"], said))
    return found


def chart_marks(
    told: Sequence[ToldChange],
    lines: Sequence[Sequence[ChartPoint]],
    released: Sequence[Mapping[str, Any]],
    step: str,
) -> list[ChartMark]:
    """Changes, at the first point that they are in, releases, and where other settings begin."""
    found = [
        ChartMark(_began(begin_of(own.since, step)), own.kind, f"{own.kind} {own.difference}") for own in told
    ]
    found += [ChartMark(own["time"], "release", f"release {own['version']}") for own in released]
    return found + [ChartMark(line[0].time, "settings", "other settings") for line in lines[1:] if line]


def chart_levels(told: Sequence[ToldChange], begin: float, end: float) -> list[ChartLevel]:
    """Where a series stood before its changes and after them; `told` is the newest first."""
    found = []
    known = [own for own in told if own.before != "–" and own.after != "–"]
    ordered = sorted(known, key=lambda own: own.since)
    for i, own in enumerate(ordered):
        after = ordered[i + 1].since if i + 1 < len(ordered) else end
        if not i:
            found.append(ChartLevel(begin, own.since, float(own.before)))
        found.append(ChartLevel(max(begin, own.since), after, float(own.after)))
    return [own for own in found if own.end > own.begin]


def segment_of(texts: Any, phrases: Any, place: int) -> dict[str, Any]:
    """A segment's texts; nothing where they were dropped."""
    own = texts[place] if texts is not None and place < len(texts) else {}
    return {
        "source": own.get("source", ""),
        "mt": own.get("mt"),
        "references": own.get("references", []),
        "spans": phrases[place] if phrases is not None and place < len(phrases) else [],
    }
