"""An item is what stands on one screen, with the key that no annotator sees; a task gives it to somebody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tertium.human.campaigns.segments import GivenSpan, Texts
from tertium.human.campaigns.units import units_of
from tertium.results import plain

GENUINE, REPEAT, DEGRADED, REFERENCE = "genuine", "repeat", "degraded", "reference"
REFERENCE_SYSTEM = "reference"  # the "system" of a reference shown as if it were an output


@dataclass(frozen=True)
class Output:
    """A translation and the systems that gave it."""

    text: str
    systems: tuple[str, ...]
    spans: tuple[GivenSpan, ...] = ()  # errors that somebody or something else has marked already


@dataclass(frozen=True)
class CampaignItem(Texts):
    """One screen, or a document of several. `original` is the genuine item that a control item belongs to."""

    id: str
    segment: str
    outputs: tuple[Output, ...]
    kind: str = GENUINE
    original: str | None = None
    inside: tuple[CampaignItem, ...] = ()  # a document judged whole: its segments
    whole: str = ""  # the document that a segment is judged in

    def data(self) -> dict[str, Any]:
        """For JSON, without id and kind; `CampaignItem.of` reads it back."""
        inside = [{"id": one.id, "kind": one.kind, **one.data()} for one in self.inside]
        found = plain({**vars(self), "units": [unit.data() for unit in self.units], "inside": inside})
        return {key: value for key, value in found.items() if key not in ("id", "kind")}

    @classmethod
    def of(cls, identity: str, kind: str, data: Mapping[str, Any]) -> CampaignItem:
        """From what `data` gave.

        >>> item = CampaignItem("x", "1", (Output("a cat", ("A",)),))
        >>> CampaignItem.of("x", "genuine", item.data()) == item
        True
        """
        values = dict(data)
        values["outputs"] = tuple(
            Output(
                one["text"],
                tuple(one["systems"]),
                tuple(GivenSpan(**span) for span in one.get("spans", ())),  # older campaigns have none
            )
            for one in values["outputs"]
        )
        for key in ("source_spans", "reference_spans"):
            values[key] = tuple((start, end) for start, end in values[key])
        values["units"] = units_of(values["units"], values["source"], "units") if values["units"] else ()
        values["inside"] = tuple(
            cls.of(one["id"], one["kind"], {key: one[key] for key in one if key not in ("id", "kind")})
            for one in values.get("inside", ())
        )
        return cls(id=identity, kind=kind, **values)


@dataclass(frozen=True)
class AnnotationTask:
    """An item on the way to an annotator: where it comes, and in which order its outputs are shown.

    `order[place]` is the output that stands at this place of the screen.
    """

    item: str
    position: int  # from 1
    batch: int  # from 1
    order: tuple[int, ...]
