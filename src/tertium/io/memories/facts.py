"""What is known about a unit, by whatever name a format gives it, as fields and properties of units."""

from __future__ import annotations

from tertium.io.memories.dates import iso_date
from tertium.io.memories.notes import Notes
from tertium.io.memories.unit import METADATA

_ALIASES = {
    **{name: name for name in METADATA},
    "customer": "client", "project": "client", "author": "translator",
    "doc": "document", "file": "document", "filename": "document", "docname": "document",
    "usagecount": "used", "segmentnumber": "position",
}  # fmt: skip
NO_DATE = "dates that are no dates, and left out: {}"
NO_NUMBER = "numbers of use or position that are no whole numbers, and left out: {}"


def field_of(name: str) -> str:
    """The field of units that a property means; empty for all others.

    >>> field_of("x-Client"), field_of("x-domain")
    ('client', '')
    """
    return _ALIASES.get(name.lower().removeprefix("x-").replace("-", "").replace("_", ""), "")


class Facts:
    """Fields as texts (dates in ISO 8601, numbers in digits), properties, and what was wrong with either.

    >>> facts = Facts()
    >>> facts.add("date", "changedate", "20190121T000000Z"); facts.add("date?", "creationdate", "2018-12-24")
    >>> facts.add("", "x-domain", "tools"); facts.add("used", "usagecount", "many")
    >>> facts.fields, facts.properties
    ({'date': '2019-01-21T00:00:00Z'}, [('creationdate', '2018-12-24'), ('x-domain', 'tools')])
    """

    def __init__(self) -> None:
        self.fields: dict[str, str] = {}
        self.properties: list[tuple[str, str]] = []
        self.wrong: list[tuple[str, str]] = []  # for notes
        self._weak: dict[str, tuple[str, str]] = {}

    def add(self, field: str, name: str, value: str) -> None:
        """A fact. A `field` with a question mark gives way to one without, and becomes a property beside it."""
        weak = field.endswith("?")
        field = field.rstrip("?")
        if field and value:
            known = self._known(field, value)
            if known is None:
                return
            if field not in self.fields:
                self.fields[field] = known
                if weak:
                    self._weak[field] = name, value
                return
            if not weak:
                self._replace(field, known, name, value)
                return
        if value or not field:
            self.properties.append((name, value))

    def _replace(self, field: str, known: str, name: str, value: str) -> None:
        """The first of two stays, unless it was a weak one."""
        earlier = self._weak.pop(field, None)
        if earlier is None:
            self.properties.append((name, value))
        else:
            self.fields[field] = known
            self.properties.append(earlier)

    def _known(self, field: str, value: str) -> str | None:
        if field == "date":
            date = iso_date(value)
            if date is None:
                self.wrong.append((NO_DATE, repr(value[:40])))
            return date
        if field in ("position", "used") and not (value.isascii() and value.isdigit() and len(value) < 16):
            self.wrong.append((NO_NUMBER, f"{field} {value[:40]!r}"))
            return None
        return value

    def tell(self, notes: Notes, where: str) -> None:
        """What was wrong, with its place."""
        for sentence, text in self.wrong:
            notes.add(sentence, f"{where}: {text}")

    def number(self, field: str) -> int | None:
        text = self.fields.get(field)
        return int(text) if text else None
