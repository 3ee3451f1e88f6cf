"""Charts of what came in: mixed domains, probes, and on PostgreSQL as on SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import func, select, update

from tertium.monitor import schema
from tertium.monitor.alarms import alarms, look
from tertium.monitor.database import ServiceDatabase
from tertium.monitor.drift import SeriesWatch, WatchedBatch, threshold_of
from tertium.monitor.history import Evaluations, series
from tertium.monitor.transfer import exported, imported
from tertium.service.application import application
from tertium.service.dashboard.reading import Reading, WatchView
from tertium.service.replaying import line_of, replayed
from tests.app.test_kill import postgres
from tests.service.site import segments
from tests.service.test_monitoring import worse


def batches(share: float, many: int, draw: np.random.Generator, *, labelled: bool) -> Iterator[WatchedBatch]:
    """Batches of two domains, one of which has scores that are lower by three standard errors."""
    for i in range(many):
        hard = bool(draw.random() < share)
        values = draw.normal(50 - 6 * hard, 14, 50)
        label = str(hard) if labelled else ""
        yield WatchedBatch(i, float(i), float(values.mean()), values, np.full(50, 15), label)


@pytest.mark.parametrize("labelled", [True, False])
def test_another_mix_of_domains_is_no_alarm(labelled: bool) -> None:
    """Fifty series whose harder domain grows from a fifth to four fifths; without the domains most would alarm."""
    told = 0
    for seed in range(50):
        draw, watch = np.random.default_rng(seed), SeriesWatch(up=True)
        mixed = [
            *batches(0.2, 100, draw, labelled=labelled),
            *batches(0.8, 60, draw, labelled=labelled),
        ]
        found = [(i, watch.add(batch, threshold_of(0, 0))) for i, batch in enumerate(mixed)]
        told += any(i >= 100 and one is not None and one.change == "worse" for i, one in found)
    assert told <= 3 if labelled else told >= 40


def filled(database: ServiceDatabase) -> None:
    """A probe of two documents, twice a day: the same texts and outputs, until a release changes some."""
    office = application(database)[1]
    every = segments(most=40)
    lines = []
    for day in range(40):
        for part in range(2):
            own = every[20 * part : 20 * part + 20]
            sent = [worse(one) if day >= 30 and i % 4 == 0 else one for i, one in enumerate(own)]
            how: dict[str, Any] = {"document": f"part-{part}", "probe": "fixed", "metrics": ["chrf"]}
            moment = f"2026-{1 + day // 28:02d}-{1 + day % 28:02d}T0{part}:00:00Z"
            lines.append(line_of(system="s", domain="news", segments=sent, time=moment, **how))
    replayed(office, lines, "probe")
    while look(database):
        pass


def test_a_probe_tells_soon(tmp_path: Path) -> None:
    database = ServiceDatabase(tmp_path / "service.db")
    filled(database)
    [found] = alarms(database, Evaluations())
    assert (found["change"], found["probe"]) == ("worse", "fixed")
    assert found["evaluation"] <= 60 + 12, "within six days"
    assert found["since"] == 61
    assert "on the probe fixed" in found["sentence"]
    database.close()


def test_a_probe_is_no_part_of_the_work(tmp_path: Path) -> None:
    """Its series is its own; the dashboard shows it only where nothing else came in."""
    database = ServiceDatabase(tmp_path / "service.db")
    filled(database)
    reading, view = Reading(database), WatchView("chrf", 90, "month")
    assert [own["probe"] for own in reading.lines(view)] == ["fixed"]
    line = line_of(
        system="s", domain="news", document="work", segments=segments(), time="2026-02-09T10:00:00Z"
    )
    replayed(application(database)[1], [line], "work")
    found = series(database, Evaluations(), "chrf", "month")
    assert [(own["probe"], sum(point["documents"] for point in own["points"])) for own in found] == [
        ("fixed", 80),
        ("", 1),
    ]
    assert [own["probe"] for own in reading.lines(view)] == [""]
    database.close()


def test_postgres_says_the_same(tmp_path: Path) -> None:
    """The same traffic; an export of one brought into the other; all numbers are equal."""
    lite = ServiceDatabase(tmp_path / "service.db")
    filled(lite)
    with postgres(tmp_path) as url:
        other = ServiceDatabase(url)
        assert imported(other, exported(lite, keys=True), "export") > 100
        for way in ("batch", "day", "month"):
            assert series(lite, Evaluations(), "chrf", way) == series(other, Evaluations(), "chrf", way)
        assert alarms(lite, Evaluations()) == alarms(other, Evaluations())
        office = application(other)[1]
        replayed(office, [line_of(system="s", document="new", segments=segments())], "new")
        newest = select(func.max(schema.evaluations.c.id))
        assert other.rows(newest)[0][0] == 81, "numbers go on"
        assert look(other) == 1
        with other.writing() as connection:
            connection.execute(update(schema.evaluations).values(watched=0))
        assert look(other) == 81
        assert json.loads(next(exported(other)))["kind"] == "tertium monitor"
        other.close()
    lite.close()
