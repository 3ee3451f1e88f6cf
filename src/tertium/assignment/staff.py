"""What the office knows besides the memory: who is available, how fast they are, and marks they were given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from tertium.errors import InputError
from tertium.io.memories.dates import parsed_date
from tertium.io.records import read_tsv, real_number, whole_number
from tertium.io.streams import FilePath

PEOPLE = ("translator", "available", "words_per_day")
MARKS = ("translator", "mark", "date")
DUE = ("document", "due")
TYPES = ("document", "type", "client")
NEVER = "no"


@dataclass(frozen=True)
class Person:
    """From when somebody can begin (None: never), and how many words a day they do (None: unknown)."""

    available: date | None
    words_per_day: int | None = None

    def ready(self, today: date, words: int) -> date | None:
        """When a document would be done; None: never."""
        if self.available is None:
            return None
        days = -(-words // self.words_per_day) if self.words_per_day else 0
        return max(today, self.available) + timedelta(days)


@dataclass(frozen=True)
class Staff:
    """People by id; those who are not in the file are available."""

    people: Mapping[str, Person] = field(default_factory=dict)
    marks: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def obstacle(self, translator: str, today: date, due: date | None, words: int) -> str:
        """Why somebody cannot take a document; empty where they can."""
        person = self.people.get(translator)
        if person is None:
            return ""
        if person.available is None:
            return "not available"
        ready = person.ready(today, words)
        if due is not None and ready is not None and ready > due:
            return f"done by {ready} at the earliest"
        return (
            "" if due is not None or person.available <= today else f"not available before {person.available}"
        )

    def quality(self) -> dict[str, float]:
        """Marks in standard deviations above the mean of all, drawn towards it where there are few (n / (n + 3))."""
        given = [mark for marks in self.marks.values() for mark in marks]
        if len(given) < 2:
            return {}
        mean = sum(given) / len(given)
        spread = (sum((mark - mean) ** 2 for mark in given) / len(given)) ** 0.5
        if not spread:
            return {}
        return {
            name: (sum(marks) / len(marks) - mean) / spread * len(marks) / (len(marks) + 3)
            for name, marks in self.marks.items()
        }


def read_people(path: FilePath, named: Callable[[str], str] = str) -> dict[str, Person]:
    """A table with the columns translator, available (a date, `no`, or nothing: now) and words_per_day.

    `named` gives the ids of those who are named.

    >>> read_people(written("people.tsv", "translator\\tavailable\\nt1\\tno\\n"))
    {'t1': Person(available=None, words_per_day=None)}
    """
    found: dict[str, Person] = {}
    for where, values in _rows(path, PEOPLE, ("translator",)):
        name = named(values["translator"])
        if name in found:
            raise InputError(f"{where}: translator {name!r} is there twice")
        from_when = values.get("available", "").strip()
        pace = values.get("words_per_day", "")
        found[name] = Person(
            None if from_when.lower() == NEVER else parsed_date(from_when, where) if from_when else date.min,
            whole_number(pace, "words a day", where) if pace else None,
        )
    return found


def read_marks(
    path: FilePath, before: date = date.max, named: Callable[[str], str] = str
) -> dict[str, tuple[float, ...]]:
    """A table with the columns translator, mark and perhaps date, a line a mark; higher is better.

    Marks of the day `before` or later are left out.

    >>> path = written("marks.tsv", "translator\\tmark\\tdate\\nt1\\t4\\t2024-05-01\\nt1\\t5\\t\\n")
    >>> read_marks(path), read_marks(path, date(2024, 5, 1))
    ({'t1': (4.0, 5.0)}, {'t1': (5.0,)})
    """
    found: dict[str, tuple[float, ...]] = {}
    for where, values in _rows(path, MARKS, MARKS[:2]):
        day = values.get("date", "").strip()
        if day and parsed_date(day, where) >= before:
            continue
        mark = real_number(values["mark"], "mark", where)
        name = named(values["translator"])
        found[name] = (*found.get(name, ()), mark)
    return found


def read_types(path: FilePath, client: Callable[[str], str] = str) -> dict[tuple[str, str], str]:
    """A table with the columns document, type and perhaps client: of what type documents are.

    >>> read_types(written("types.tsv", "document\\ttype\\tclient\\nmanual\\tguide\\tacme\\n"))
    {('acme', 'manual'): 'guide'}
    """
    return {
        (client(values.get("client", "")), values["document"]): values["type"].strip()
        for _, values in _rows(path, TYPES, TYPES[:2])
    }


def read_due(given: str) -> dict[str, date] | date:
    """When documents are due: a date for all, or a table with the columns document and due.

    >>> read_due("2026-11-20")
    datetime.date(2026, 11, 20)
    """
    try:
        return date.fromisoformat(given)
    except ValueError:
        return {
            values["document"]: parsed_date(values["due"], where) for where, values in _rows(given, DUE, DUE)
        }


def _rows(
    path: FilePath, known: tuple[str, ...], required: tuple[str, ...]
) -> Iterator[tuple[str, dict[str, str]]]:
    for where, values in read_tsv(path, known, required):
        row = {name: str(value) for name, value in values.items()}
        if not all(row.get(name, "").strip() for name in required):
            empty = next(name for name in required if not row.get(name, "").strip())
            raise InputError(f"{where}: the column {empty} is empty")
        yield where, row
