"""What an administrator decided, kept in the database: vectors, language, how long texts stay."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from sqlalchemy import Connection, insert, select, update

from tertium.families.base import Metric
from tertium.monitor import schema
from tertium.monitor.phrases import Explaining
from tertium.web.database import Database

USUAL = ("chrf", "ter")  # metrics where nobody names any, and there are no vectors
_columns = schema.settings.c


@dataclass(frozen=True)
class OfficeChoices:
    """What holds for all evaluations.

    >>> OfficeChoices(vectors="office/vectors/1.bin").usual
    ('chrf', 'ter', 'yisi1:weight=length')
    """

    vectors: str = ""  # the file that metrics of meaning use where a call names none
    lang: str = "other"  # of translations: whose stems are known
    keep_days: float = 0.0  # texts are dropped after so many days; 0: never
    false_alarms: float = 1.0  # a year, for all series together

    @property
    def usual(self) -> tuple[str, ...]:
        """Metrics where nobody names any: by characters, by edits, and by meaning where there are vectors."""
        return (*USUAL, *(("yisi1:weight=length",) if self.vectors else ()))


def choices(database: Database) -> OfficeChoices:
    """What was decided."""
    kept = {row.name: json.loads(row.value) for row in database.rows(select(_columns.name, _columns.value))}
    return OfficeChoices(**{own.name: kept[own.name] for own in fields(OfficeChoices) if own.name in kept})


def choose(database: Database, **values: Any) -> None:
    """Decide; what is not named stays."""
    decided = replace(OfficeChoices(), **values)  # there must be such names
    Explaining(decided.lang).spans(["a"], [["b"]])  # and such a language, with what its stems need
    with database.writing() as connection:
        for name, value in values.items():
            keep(connection, name, value)


def keep(connection: Connection, name: str, value: Any) -> None:
    """Write one setting."""
    text = json.dumps(value)
    if not connection.execute(
        update(schema.settings).where(_columns.name == name).values(value=text)
    ).rowcount:
        connection.execute(insert(schema.settings).values(name=name, value=text))


def equipped(metric: Metric, files: Mapping[str, str]) -> Metric:
    """A metric with the office's files where it needs one and names none.

    >>> from tertium import registry
    >>> str(equipped(registry.metric("yisi1"), {"vectors": "en.vec"}))
    'yisi1:vectors=en.vec'
    """
    given: Any = {
        name: files[name] for name in metric.required if files.get(name) and not getattr(metric, name)
    }
    return replace(metric, **given) if given else metric
