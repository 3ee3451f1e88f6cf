"""One learner for each group of segments: corrections of one translator, client or type stay with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tertium.adaptation.base import FIELDS, AdaptiveSystem, Lesson, Materials, SourceSegment, Translation
from tertium.errors import SpecError, did_you_mean


class Separate(AdaptiveSystem):
    """Several of the same system, one for each value of a field: nobody learns from the corrections of another.

    Made by the option `by` of any spec string: `memory:by=translator`.
    """

    name = "separate"
    sentence = "one of the same system for each translator, client, document or type"

    def __init__(self, make: Callable[[], AdaptiveSystem], field: str) -> None:
        if field not in FIELDS:
            raise SpecError(f"by={field}: there is no such field{did_you_mean(field, FIELDS)}")
        self.field, self._make = field, make
        self._first = make()
        self.parts: dict[str, AdaptiveSystem] = {}

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> Separate:
        raise SpecError("separate systems are named by an option of others: memory:by=translator")

    def part(self, segment: SourceSegment) -> AdaptiveSystem:
        """The one that a segment belongs to."""
        key = str(getattr(segment, self.field))
        if key not in self.parts:
            self.parts[key] = self._make() if self.parts else self._first
        return self.parts[key]

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        return self.part(segment).translate(segment, candidates=candidates)

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        return self.part(segment).learn(segment, correction)

    def forget(self) -> None:
        for own in self.parts.values():
            own.forget()

    def state(self) -> dict[str, Any]:
        return {"parts": {key: own.state() for key, own in self.parts.items()}}

    def take(self, state: Mapping[str, Any]) -> None:
        self.forget()
        for key, own in state["parts"].items():
            self.part(SourceSegment("", **{self.field: key})).take(own)

    def close(self) -> None:
        for own in (self._first, *self.parts.values()):
            own.close()

    @property
    def balance(self) -> float | None:
        known = [own.balance for own in self.parts.values() if own.balance is not None]
        return sum(known) / len(known) if known else None

    def __str__(self) -> str:
        spec = str(self._first)
        return f"{spec}{',' if ':' in spec else ':'}by={self.field}"
