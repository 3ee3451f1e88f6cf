"""A first look at monitoring: the bundled sample as some weeks of traffic, in which a release makes a system worse."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from tertium.monitor.alarms import look
from tertium.monitor.releases import release
from tertium.service.office import Office
from tertium.service.replaying import line_of, replayed
from tertium.testset import TestSet

DAYS, DROP = 60, 40  # the release comes after so many days
SEGMENTS = 12  # in a document
WORSE = 0.5  # of the segments are those of the worse system after the release
DOMAINS = ("letters", "notices")
SYSTEMS = {"nmt": "strong", "rules": "literal"}


def traffic(until: datetime) -> Iterator[str]:
    """Documents of two systems in two domains, day by day, as lines: segments of the sample, again and again."""
    draw = random.Random(7)
    sample = TestSet.sample()
    assert sample.sources is not None
    references = [list(own) for own in zip(*sample.references.streams, strict=True)]
    for day in range(DAYS):
        moment = until - timedelta(days=DAYS - day)
        for hour, domain in enumerate(DOMAINS, 9):
            half = len(sample) // 2
            places = range(half) if domain == DOMAINS[0] else range(half, len(sample))
            document = draw.sample(places, SEGMENTS)  # by both, so that they can be compared
            for name, system in SYSTEMS.items():
                segments: list[dict[str, Any]] = []
                for i in document:
                    bad = name == "nmt" and domain == DOMAINS[1] and day >= DROP and draw.random() < WORSE
                    mt = sample.systems["smooth" if bad else system][i]
                    segments.append({"source": sample.sources[i], "mt": mt, "references": references[i]})
                yield line_of(
                    system=name,
                    domain=domain,
                    document=f"{domain}-{day + 1:02d}",
                    time=(moment + timedelta(hours=hour)).isoformat(),
                    segments=segments,
                )


def fill(office: Office) -> int:
    """Bring in the traffic, mark the release, and look at the charts. Gives how many documents there are."""
    until = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    many = replayed(office, traffic(until), "demo")
    moment = (until - timedelta(days=DAYS - DROP)).timestamp()
    release(office.database, "nmt", "8.0", moment, "the release of this demo that makes notices worse")
    while look(office.database):
        pass
    return many
