"""What the routes share: database, keys, settings, and who asks."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from starlette.requests import Request

from tertium.families.base import Metric
from tertium.monitor.evaluating import chosen_metrics
from tertium.monitor.keys import ServiceKey, ServiceKeys
from tertium.monitor.settings import OfficeChoices, choices
from tertium.service.equipment import Equipment, EquipmentSettings
from tertium.service.problems import Problem
from tertium.web.database import Database
from tertium.web.guards import STRANGER, RateLimit
from tertium.web.visiting import Premises, address

FRESH = 5.0  # seconds


@dataclass(frozen=True)
class ServiceSettings:
    """What an administrator decides."""

    metrics: tuple[str, ...] = ()  # the usual ones; these may name files and programs
    equipment: EquipmentSettings = field(default_factory=EquipmentSettings)  # what capabilities stand on


class Office(Premises):
    """A running service."""

    def __init__(self, database: Database, settings: ServiceSettings, *, https: bool = False) -> None:
        super().__init__(database, https=https)
        self.keys = ServiceKeys(database)
        self.settings = settings
        self.equipment = Equipment(settings.equipment)
        self._chosen: tuple[float, OfficeChoices] | None = None

    def choices(self) -> OfficeChoices:
        """What an administrator decided; looked up again every few seconds."""
        now = time.monotonic()
        if self._chosen is None or now - self._chosen[0] > FRESH:
            self._chosen = now, choices(self.database)
        return self._chosen[1]

    def usual_metrics(self) -> list[str]:
        """Metrics where a call names none."""
        return list(self.settings.metrics or self.choices().usual)

    def files(self) -> dict[str, str]:
        """The office's files, by the options of metrics that name such files."""
        estimate = self.settings.equipment.estimate
        model = {} if estimate is None else {"estimator": str(estimate.model)}
        return {"vectors": self.choices().vectors} | model

    def metrics(self, specs: Sequence[str]) -> dict[str, Metric]:
        """Metrics that a call may have, with the office's files where they need some."""
        return chosen_metrics(specs, self.settings.metrics, self.files())

    def key(self, request: Request, scope: str) -> ServiceKey:
        """The key of a request, if it opens this door."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        found = self.keys.found(token.strip()) if kind.lower() == "bearer" else None
        if found is None:
            if not self.limiter.allows("strangers", address(request), STRANGER):
                raise Problem(429, "too many wrong keys; wait a minute")
            raise Problem(
                401, "the header Authorization: Bearer KEY is needed (tertium monitor key makes one)"
            )
        if not found.may(scope):
            raise Problem(403, f"this key may not {scope}")
        if not self.limiter.allows("key", str(found.id), RateLimit(found.per_minute, found.per_minute / 60)):
            raise Problem(429, "too many requests with this key; wait a moment")
        return found
