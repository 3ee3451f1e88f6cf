"""Networks and gates for strategies, from what a command was given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tertium.adaptation.base import Materials, number

if TYPE_CHECKING:
    from tertium.adaptation.nmt.decoding import Decoder
    from tertium.adaptation.nmt.live import LiveNetwork
    from tertium.adaptation.strategies.neural import Gatekeeper

BEAM = 3


def live_of(materials: Materials, options: Mapping[str, str]) -> LiveNetwork:
    """A network of its own: nobody else's learning changes it."""
    from tertium.adaptation.nmt.live import LiveNetwork

    return LiveNetwork(
        materials.need("model", "this strategy"), beam=int(number(options, "beam", BEAM, 1, 64))
    )


def gate_of(materials: Materials) -> Gatekeeper:
    """What looks at corrections first."""
    from tertium.adaptation.gate import CorrectionGate

    return CorrectionGate("" if materials.pair is None else materials.pair.target)


def decoder_of(materials: Materials, options: Mapping[str, str]) -> Decoder:
    """The converted model."""
    from tertium.adaptation.nmt.decoding import Decoder

    return Decoder(materials.need("model", "this system"), beam=int(number(options, "beam", BEAM, 1, 64)))
