"""`tertium adapt serve`: a system that learns, at work in a folder, over HTTP."""

from __future__ import annotations

import atexit
import json
import os

from tertium.adaptation.base import Materials, system
from tertium.adaptation.live import LiveSystem
from tertium.adaptation.programs import ProgramSystem
from tertium.io.memories.pairs import Pair
from tertium.service.alone import standing_alone
from tertium.service.capabilities.adapting import routes
from tertium.web.guards import App

VARIABLE = "TERTIUM_ADAPT"


def live_system(given: dict[str, str]) -> LiveSystem:
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


def adaptive_application(live: LiveSystem) -> App:
    return standing_alone("Tertium adapt", routes(live), ("translate", "correct", "forget", "state"))


def from_environment() -> App:
    """The system that a server serves, from TERTIUM_ADAPT (JSON)."""
    live = live_system(json.loads(os.environ[VARIABLE]))
    atexit.register(live.close)
    return adaptive_application(live)
