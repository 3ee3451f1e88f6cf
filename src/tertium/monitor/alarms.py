"""Alarms: charts go on where they stopped, and what they tell is kept, once, together with where they stand."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from tertium import registry
from tertium.monitor import schema
from tertium.monitor.drift import SeriesWatch, Told, batch_of, threshold_of
from tertium.monitor.history import Evaluations, begin_of
from tertium.monitor.settings import keep
from tertium.web.database import Database, inserted

AT_ONCE = 500  # evaluations that are looked at in one transaction
TURN = 10.0  # seconds for which a process that has looked goes on alone
LATE = 86400.0  # seconds: of older evaluations alarms are kept, but nobody is called
_done, _scores, _watches, _alarms = (
    schema.evaluations.c,
    schema.scores.c,
    schema.watches.c,
    schema.alarms.c,
)
_WATCH = select(_watches.id, _watches.last).where(_watches.digest == bindparam("digest"))
_SETTING = select(schema.settings.c.value).where(schema.settings.c.name == bindparam("name"))
_STATE = select(_watches.state).where(_watches.id == bindparam("number"))


class _Busy(Exception):
    """Another process has looked at the same evaluations."""


Charts = dict[str, tuple[int, SeriesWatch]]  # by series: the evaluation that it saw last, and its chart


class _Open:
    """A series that is being looked at: who it is, and its chart."""

    def __init__(self, connection: Connection, who: Mapping[str, Any], charts: Charts) -> None:
        self.who = who
        self.digest = hashlib.sha256(json.dumps(list(who.values())).encode()).hexdigest()
        row = connection.execute(_WATCH, {"digest": self.digest}).first()
        self.number: int | None = None if row is None else row.id
        self.before = self.last = 0 if row is None else row.last
        how = {"up": registry.metric(who["metric"]).higher_is_better, "paired": bool(who["probe"])}
        known = charts.pop(self.digest, None)
        if row is None:
            self.chart = SeriesWatch(**how)
        elif known is not None and known[0] == row.last:
            self.chart = known[1]
        else:
            state = connection.execute(_STATE, {"number": row.id}).scalar_one()
            self.chart = SeriesWatch.of(json.loads(state), **how)

    def keep(self, connection: Connection) -> int:
        """Write where it stands, unless somebody else has done so since it was opened."""
        state = {"last": self.last, "state": json.dumps(self.chart.data())}
        if self.number is None:
            self.number = inserted(connection, schema.watches, digest=self.digest, **self.who, **state)
        else:
            own = (_watches.id == self.number) & (_watches.last == self.before)
            if not connection.execute(update(schema.watches).where(own).values(**state)).rowcount:
                raise _Busy
        return self.number


def look(database: Database, false_alarms: float = 1.0, charts: Charts | None = None, who: str = "") -> int:
    """Show the charts what came in since they looked last, and keep the alarms. Gives how many evaluations that were.

    Charts, alarms and what was looked at are written in one transaction: each evaluation is seen once, each alarm
    raised once, whatever is killed when, and however many processes look. They look before it begins, so that nobody
    waits for them; whoever comes second writes nothing. `charts` remembers charts from one look to the next, which is
    worth most if one process looks all the time: `who` has looked is left alone with it for some seconds.
    """
    charts = {} if charts is None else charts
    query = select(_done.id).where(_done.watched == 0).order_by(_done.id).limit(AT_ONCE)
    with database.reading() as connection:
        if who and _others_turn(connection, who):
            return 0
        new = [row.id for row in connection.execute(query)]
        if not new:
            return 0
        series, found, counted = _shown(connection, new, false_alarms, charts)
    try:
        with database.writing() as connection:
            own = _done.id.in_(new) & (_done.watched == 0)
            seen = connection.execute(update(schema.evaluations).where(own).values(watched=1)).rowcount
            if seen < len(new):
                raise _Busy
            numbers = {one.digest: one.keep(connection) for one in series}
            keep(connection, "looks", counted)
            if who:
                keep(connection, "looker", [who, time.time() + TURN])
            for one, row, told in found:
                _raise(connection, numbers[one.digest], row, told)
    except (_Busy, IntegrityError):  # the second: a series that is new to both
        return 0
    charts.update({one.digest: (one.last, one.chart) for one in series})
    return len(new)


def _shown(
    connection: Connection, new: Sequence[int], false_alarms: float, charts: Charts
) -> tuple[list[_Open], list[tuple[_Open, Any, Told]], list[float]]:
    """Series with what is new in them, what they tell, and how often charts have been looked at, from when to when."""
    columns = (_done.id, _done.system, _done.domain, _done.probe, _done.document, _done.time, _done.received)
    query = (
        select(*columns, _done.lengths, _scores.metric, _scores.signature, _scores.value, _scores["values"])
        .join(schema.scores, _scores.evaluation == _done.id)
        .where(_done.id.in_(new))
        .order_by(_done.id, _scores.metric)
    )
    rows = connection.execute(query).all()
    domains = _domains(connection, rows)
    looked = [(row, where) for row in rows for where in _places(row, domains)]
    counted = _counted(connection, [row.time for row, _ in looked])
    threshold = threshold_of(counted[0], counted[2] - counted[1], false_alarms)
    series: dict[tuple[Any, ...], _Open] = {}
    found: list[tuple[_Open, Any, Told]] = []
    for row, (domain, label) in looked:
        key = (row.system, domain, row.probe, row.metric, row.signature)
        if key not in series:
            names = ("system", "domain", "probe", "metric", "signature")
            series[key] = _Open(connection, dict(zip(names, key, strict=True)), charts)
        own = series[key]
        told = own.chart.add(batch_of(row, label), threshold)
        own.last = row.id
        if told is not None:
            found.append((own, row, told))
    return list(series.values()), found, counted


def _domains(connection: Connection, rows: Sequence[Any]) -> dict[int, set[str]]:
    """The domains of each system: those that have charts, and those of the rows."""
    found: dict[int, set[str]] = {}
    known = select(_watches.system, _watches.domain).where(_watches.probe == "", _watches.domain != "")
    for own in (*connection.execute(known.distinct()), *(row for row in rows if not row.probe)):
        found.setdefault(own.system, set()).add(own.domain)
    return found


def _places(row: Any, domains: Mapping[int, set[str]]) -> list[tuple[str, str]]:
    """The charts that an evaluation is shown to: of which domain, and what makes its texts hard there."""
    if row.probe:
        return [(row.domain, row.document)]
    several = len(domains[row.system]) > 1  # then all domains together, too, each with what is usual for it
    return [(row.domain, ""), *([("", row.domain)] if several else [])]


def _others_turn(connection: Connection, who: str) -> bool:
    """Whether another process has looked a short while ago."""
    text = connection.scalar(_SETTING, {"name": "looker"})
    looker, until = json.loads(text) if text else ("", 0.0)
    return looker != who and 0.0 < until - time.time() <= TURN


def _counted(connection: Connection, times: Sequence[float]) -> list[float]:
    """How often charts have been looked at, these times included; the first moment and the last."""
    text = connection.scalar(_SETTING, {"name": "looks"})
    count, first, last = json.loads(text) if text else (0, float("inf"), float("-inf"))
    return [count + len(times), min([first, *times]), max([last, *times])]


def _raise(connection: Connection, watch: int, row: Any, told: Told) -> None:
    now = time.time()
    alarm = inserted(
        connection, schema.alarms, watch=watch, evaluation=row.id, time=row.time, raised=now, **told._asdict()
    )
    if told.change == "worse" and now - row.received < LATE:
        for webhook in connection.execute(select(schema.webhooks.c.id)).scalars().all():
            new = {"alarm": alarm, "webhook": webhook, "tries": 0, "due": now, "said": ""}
            connection.execute(insert(schema.deliveries).values(**new))


def alarms(
    database: Database, wanted: Evaluations, spec: str = "", *, after: int = 0, most: int = 100
) -> list[dict[str, Any]]:
    """Alarms in the order in which they were raised."""
    query = (
        select(
            _alarms.id,
            schema.systems.c.name.label("system"),
            *(_watches[name] for name in ("domain", "probe", "metric", "signature")),
            *(column for column in schema.alarms.c if column.name not in ("id", "watch")),
        )
        .join(schema.watches, _watches.id == _alarms.watch)
        .join(schema.systems, schema.systems.c.id == _watches.system)
        .where(_alarms.id > after)
        .order_by(_alarms.id)
        .limit(most)
    )
    given = (
        (wanted.system, schema.systems.c.name == wanted.system),
        (wanted.domain, _watches.domain == wanted.domain),
        (spec, _watches.metric == spec),
        (wanted.since is not None, _alarms.time >= (wanted.since or 0.0)),
        (wanted.until is not None, _alarms.time < (wanted.until or 0.0)),
    )
    for asked, condition in given:
        if asked:
            query = query.where(condition)
    return [dict(row._mapping) | {"sentence": _sentence(row)} for row in database.rows(query)]


def _sentence(row: Any) -> str:
    """What happened, for people."""
    where = f"in {row.domain}" if row.domain else "over all domains"
    on = f" on the probe {row.probe}" if row.probe else ""
    label = registry.metric(row.metric).label
    known = row.before is not None and row.after is not None
    numbers = f"{label} {row.before:.1f} before, {row.after:.1f} after" if known else f"by {label}"
    many = f"{row.batches} evaluation{'s' if row.batches > 1 else ''} from number {row.since} on"
    day = begin_of(row.begins, "day")
    return f"{row.system} became {row.change} {where}{on} since {day}: {numbers} ({many})."
