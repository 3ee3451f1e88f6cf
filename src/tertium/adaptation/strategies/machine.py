"""A trained model as a machine translation that does not learn: what others are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tertium.adaptation.base import AdaptiveSystem, Materials, SourceSegment, Translation
from tertium.adaptation.strategies.making import decoder_of
from tertium.adaptation.strategies.neural import pieces_of, translation_of

if TYPE_CHECKING:
    from tertium.adaptation.nmt.decoding import Decoder


class Machine(AdaptiveSystem):
    """The model by CTranslate2, with 8-bit weights; it knows its clients' tags and learns nothing."""

    name = "nmt"
    sentence = "the trained model as it is"
    options = ("beam",)
    needs = ("model",)

    def __init__(self, decoder: Decoder) -> None:
        self.decoder = decoder

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> Machine:
        return cls(decoder_of(materials, options))

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        source = pieces_of(self.decoder.vocabulary, segment)
        found = self.decoder.translate([source], candidates=candidates, tokens=True)
        return translation_of(segment, found[0], ("the model as it was trained",))
