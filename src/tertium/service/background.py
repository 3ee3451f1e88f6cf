"""What a service does by itself: jobs, charts, calls. Every process does it; the database says who does what."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable

from tertium.monitor import jobs
from tertium.monitor.alarms import AT_ONCE, Charts, look
from tertium.monitor.retention import forget_jobs, forget_texts
from tertium.monitor.webhooks import deliver
from tertium.service.office import Office
from tertium.service.problems import described
from tertium.service.sending import Sending
from tertium.web.guards import complain_of
from tertium.web.running import AWAY, complain

HOUR = 3600.0
PAUSE = 1.0  # seconds between two looks at what there is to do


class _Hourly:
    """Things that are done once in an hour."""

    def __init__(self, *things: Callable[[], object]) -> None:
        self._things, self._last = things, float("-inf")

    def __call__(self) -> bool:
        if time.monotonic() - self._last > HOUR:
            self._last = time.monotonic()
            for thing in self._things:
                thing()
        return False


class Background:
    """Threads that do what nobody waits for, until they are stopped."""

    def __init__(self, office: Office) -> None:
        self._over = threading.Event()
        sending, database = Sending(office), office.database
        charts: Charts = {}
        who = secrets.token_hex(8)
        chores: tuple[Callable[[], object], ...] = (
            lambda: jobs.work(database, sending.measured, described),
            lambda: look(database, office.choices().false_alarms, charts, who) == AT_ONCE,
            lambda: deliver(database),
            _Hourly(
                lambda: forget_texts(database, office.choices().keep_days), lambda: forget_jobs(database)
            ),
        )
        self._threads = [
            threading.Thread(target=self._repeat, args=(chore,), daemon=True) for chore in chores
        ]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End, when what is being done is done."""
        self._over.set()
        for thread in self._threads:
            thread.join(20)

    def _repeat(self, chore: Callable[[], object]) -> None:
        while not self._over.is_set():
            try:
                if chore():
                    continue  # there may be more
            except AWAY as error:
                complain(error)
            except Exception as error:  # it must not end with one bad case
                complain_of(error)
            self._over.wait(PAUSE)
