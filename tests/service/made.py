"""An office of our own: two systems in three domains, day by day, of which one becomes worse in one domain."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from tertium.monitor.alarms import look
from tertium.monitor.evaluating import chosen_metrics, evaluated
from tertium.monitor.keys import ServiceKeys
from tertium.monitor.releases import release
from tertium.monitor.storing import SentDocument, store
from tertium.testset import TestSet
from tertium.web.database import Database

DAYS, DROP = 64, 55
DOMAINS = ("legal", "medical", "news")
BEGIN = datetime(2026, 3, 1, 9, tzinfo=UTC).timestamp()
SAMPLE = TestSet.sample()


def rows(system: str) -> list[dict[str, Any]]:
    """The bundled sample as segments."""
    sides = zip(SAMPLE.systems[system], *SAMPLE.references.streams, strict=True)
    sources = SAMPLE.sources or [""] * len(SAMPLE)
    return [
        {"source": source, "mt": mt, "references": references}
        for source, (mt, *references) in zip(sources, sides, strict=True)
    ]


def damaged(text: str) -> str:
    """Every third word is lost."""
    return " ".join(word for i, word in enumerate(text.split()) if i % 3)


def fill(
    database: Database, *, days: int = DAYS, drop: int = DROP, metrics: Sequence[str] = ("chrf", "ter")
) -> str:
    """Fill a database; gives a key that reads."""
    keys = ServiceKeys(database)
    keys.create("writer", ["administer"])
    writer = keys.found(keys.create("loader", ["administer"]))
    assert writer is not None
    chosen = chosen_metrics(list(metrics), [])
    for name, system in (("nmt-7", "strong"), ("nmt-8", "smooth")):
        every = rows(system)
        for d, domain in enumerate(DOMAINS):
            for day in range(days):
                own = [every[(7 * day + 5 * i + 11 * d) % len(every)] for i in range(12)]
                if day >= drop and (name, domain) == ("nmt-7", "legal"):
                    own = [{**one, "mt": damaged(one["mt"])} for one in own]
                title = f"{domain}-{day:03d}"
                sent = SentDocument(name, domain, title, BEGIN + 86400 * day, own, {}, title)
                store(database, sent, writer, evaluated(own, chosen, document=title))
    release(database, "nmt-7", "7.2", BEGIN + 86400 * (drop - 1), "a new tokeniser")
    while look(database):
        pass
    return keys.create("dashboard", ["read"])
