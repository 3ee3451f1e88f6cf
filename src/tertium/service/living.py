"""A system that learns, at work in a folder, from settings."""

from __future__ import annotations

from collections.abc import Mapping

from tertium.adaptation.base import Materials, system
from tertium.adaptation.live import LiveSystem
from tertium.adaptation.programs import ProgramSystem
from tertium.io.memories.pairs import Pair


def live_system(given: Mapping[str, str]) -> LiveSystem:
    """The system that these settings name (folder, system, mt, memory, before, model, pair)."""
    program = given.get("mt")
    materials = Materials(
        machine=None if not program else lambda: ProgramSystem(program),
        memory=given.get("memory") or None,
        model=given.get("model") or None,
        pair=Pair.parse(given["pair"]) if given.get("pair") else None,
        before=given.get("before", ""),
    )
    return LiveSystem(given["folder"], lambda: system(given["system"], materials))
