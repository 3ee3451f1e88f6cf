"""`tertium adapt serve`: a system that learns, at work in a folder, over HTTP."""

from __future__ import annotations

import atexit
import json
import os

from tertium.adaptation.live import LiveSystem
from tertium.service.alone import standing_alone
from tertium.service.capabilities.adapting import living_routes
from tertium.service.living import live_system
from tertium.web.guards import App

VARIABLE = "TERTIUM_ADAPT"


def adaptive_application(live: LiveSystem) -> App:
    return standing_alone(
        "Tertium adapt", living_routes(lambda: live), ("translate", "correct", "forget", "state")
    )


def from_environment() -> App:
    """The system that a server serves, from TERTIUM_ADAPT (JSON)."""
    live = live_system(json.loads(os.environ[VARIABLE]))
    atexit.register(live.close)
    return adaptive_application(live)
