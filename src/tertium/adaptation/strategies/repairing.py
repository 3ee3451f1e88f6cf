"""Neural fuzzy repair: the best match of the memory, corrections included, is shown to the network, which repairs it.

The network was trained for it: behind the source stands the match's target, after a mark that says how alike the
sources are (Bulte and Tezcan 2019). Whether a match helps is learnt for each band of likeness: with every correction it
is seen which of both inputs, with the match or without, made it more probable. Where that is the one without, the match
is not shown; a source that was corrected before has its last correction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tertium.adaptation.base import (
    MEMORY,
    AdaptiveSystem,
    Lesson,
    Materials,
    SourceSegment,
    Translation,
    checked_correction,
    number,
)
from tertium.adaptation.nmt.examples import TaggedPair
from tertium.adaptation.nmt.pieces import LEAST, STEPS
from tertium.adaptation.strategies.making import decoder_of, gate_of
from tertium.adaptation.strategies.neural import LONGEST, Gatekeeper, pieces_of, translation_of
from tertium.adaptation.strategies.weighing import DynamicWeight

if TYPE_CHECKING:
    from tertium.adaptation.nmt.decoding import Decoder
    from tertium.adaptation.strategies.stores import Corrections

SHOWN = 0.5  # weight from which on a band's matches are shown


class Repair(AdaptiveSystem):
    """The network with the best match, from the memory and all corrections, as a second input."""

    name = "repair"
    sentence = "neural fuzzy repair: the best match, corrections included, is shown to the network"
    options = ("beam", "least")
    needs = ("model",)

    def __init__(
        self, decoder: Decoder, stored: Corrections, gate: Gatekeeper | None = None, *, least: float = LEAST
    ) -> None:
        self.decoder, self.stored, self.gate, self.least = decoder, stored, gate, least
        self.bands = {step: DynamicWeight(0.6) for step in STEPS}
        self._shown: tuple[SourceSegment, str] | None = None

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> Repair:
        from tertium.adaptation.strategies.stores import Corrections, before

        return cls(
            decoder_of(materials, options),
            Corrections(before(materials)),
            gate_of(materials),
            least=number(options, "least", LEAST, LEAST),
        )

    @property
    def balance(self) -> float:
        """The mean over the bands of likeness."""
        if self.gate is not None and self.gate.doubted:
            return 0.0
        return sum(own.value for own in self.bands.values()) / len(self.bands)

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        found = self.stored.best(segment)
        doubted = self.gate is not None and self.gate.doubted
        if found is not None and found.likeness == 1.0 and found.corrected and not doubted:
            made = Translation(found.target, reasons=("corrected before",), origin=MEMORY, balance=1.0)
            self._shown = segment, made.text
            return made
        plain = pieces_of(self.decoder.vocabulary, segment)
        reasons, source, balance = ("no match is shown",), plain, 0.0
        if found is not None and found.likeness >= self.least and not doubted:
            balance = self.bands[band(found.likeness)].value
            where = "a correction" if found.corrected else "the memory"
            if balance >= SHOWN:
                source = self.with_match(segment, found.target, found.likeness)
                reasons = (
                    f"repairs a match of {found.likeness:.0%} from {where} (such help: {balance:.0%})",
                )
            else:
                reasons = (f"a match of {found.likeness:.0%} is not shown (such help: {balance:.0%})",)
        lists = self.decoder.translate([source], candidates=candidates, tokens=True)
        made = translation_of(segment, lists[0], reasons, balance)
        self._shown = segment, made.text
        return made

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        text = checked_correction(segment, correction)
        reasons: tuple[str, ...] = ()
        if self.gate is not None:
            shown = (
                self._shown[1] if self._shown and self._shown[0] == segment else self.translate(segment).text
            )
            look = self.gate.look(segment, shown, correction)
            if look.back_to is not None:
                self.stored.cut(look.back_to)
                for own in self.bands.values():
                    own.forget()
            if not look.admitted:
                return Lesson(False, look.reasons)
            reasons = look.reasons
        found = self.stored.best(segment)
        if found is not None and self.least <= found.likeness < 1.0:
            target = self.decoder.vocabulary.target(TaggedPair(segment.source, text), longest=LONGEST)
            sources = [
                self.with_match(segment, found.target, found.likeness),
                pieces_of(self.decoder.vocabulary, segment),
            ]
            dynamic, static = self.decoder.likelihood(sources, target)
            self.bands[band(found.likeness)].learn((dynamic - static) / len(target))
        self.stored.add(segment, text)
        return Lesson(True, reasons)

    def with_match(self, segment: SourceSegment, match: str, likeness: float) -> list[int]:
        """What the encoder sees of a segment and its match."""
        example = TaggedPair(
            segment.source, "", segment.client, segment.type, match.strip(), min(likeness, 0.999)
        )
        return self.decoder.vocabulary.source(example, match=True, longest=2 * LONGEST)

    def forget(self) -> None:
        self.stored.cut(0)
        self._shown = None
        for own in self.bands.values():
            own.forget()
        if self.gate is not None:
            self.gate.forget()

    def state(self) -> dict[str, Any]:
        return {
            "corrections": self.stored.state(),
            "bands": {str(step): own.state() for step, own in self.bands.items()},
            "gate": None if self.gate is None else self.gate.state(),
        }

    def take(self, state: Mapping[str, Any]) -> None:
        self.forget()
        self.stored.take(state["corrections"])
        for step, own in self.bands.items():
            own.take(state["bands"][str(step)])
        if self.gate is not None and state["gate"] is not None:
            self.gate.take(state["gate"])

    def __str__(self) -> str:
        return f"{self.name}:least={self.least:g}"


def band(likeness: float) -> int:
    """Tenths of likeness, each with a weight of its own."""
    return min(int(likeness * 10 + 1e-6), STEPS[-1])
