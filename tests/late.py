"""Pages come late on a busy machine.

Always: what is asked of a page is asked of a whole one (`ask_whole_pages`), not of one that is half read or just going.
`TERTIUM_LATE=300 pytest tests/report tests/app` (or `make test-late`) holds every frame, timer, fetch and observer, the
opening of every folded part, and head and body of every answer of the server back by 300 milliseconds: a test that
does not wait then fails always, not now and then.
"""

from __future__ import annotations

import asyncio
import functools
import os
from collections.abc import Callable
from typing import Any

LATE = int(os.environ.get("TERTIUM_LATE", "0"))

SCRIPT = """
(() => {
  const late = LATE;
  const timer = window.setTimeout.bind(window);
  window.setTimeout = (task, time = 0, ...given) => timer(task, time + late, ...given);
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (task) => timer(() => frame(task), late);
  window.cancelAnimationFrame = (which) => clearTimeout(which);
  const Seen = window.IntersectionObserver;
  window.IntersectionObserver = class extends Seen {
    constructor(task, options) {
      super((...given) => timer(() => task(...given), late), options);
    }
  };
  const asked = window.fetch?.bind(window);
  window.fetch = async (...given) => {
    const answer = await asked(...given);
    await new Promise((resume) => timer(resume, late));
    return answer;
  };
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (kind, task, ...rest) {
    const waits = kind === "toggle" || kind === "hashchange";
    const held = waits ? (event) => timer(() => task.call(this, event), late) : task;
    return listen.call(this, kind, held, ...rest);
  };
})();
"""


def held_back(context: Any) -> Any:
    """The browser's context, its pages late where the environment says so."""
    if LATE:
        context.add_init_script(SCRIPT.replace("LATE", str(LATE)))
    return context


ASKED = {
    "Page": ("content", "evaluate", "title"),
    "Locator": (
        "all",
        "all_inner_texts",
        "all_text_contents",
        "count",
        "evaluate",
        "evaluate_all",
        "is_visible",
    ),
}
LEAVING = ("context was destroyed", "navigating", "of null")


def whole(ask: Callable[..., Any]) -> Callable[..., Any]:
    """The question, asked when the page has been read to its end; again if the page goes away under it."""
    from playwright.sync_api import Error

    @functools.wraps(ask)
    def asked(self: Any, *given: Any, **named: Any) -> Any:
        page = getattr(self, "page", self)
        tries_left = 100
        while True:
            try:
                page.wait_for_load_state()
                return ask(self, *given, **named)
            except Error as error:
                if not tries_left or not any(sign in str(error) for sign in LEAVING):
                    raise
            tries_left -= 1
            page.wait_for_timeout(50)

    return asked


def ask_whole_pages() -> None:
    """From now on; calls that wait by themselves are left alone."""
    from playwright import sync_api

    for kind, names in ASKED.items():
        for name in names:
            ask = getattr(getattr(sync_api, kind), name)
            if not hasattr(ask, "__wrapped__"):
                setattr(getattr(sync_api, kind), name, whole(ask))


def late_answers(app: Any) -> Any:
    """A server's application whose answers come late where the environment says so: their heads, and their bodies."""
    if not LATE:
        return app

    async def late(scope: Any, receive: Any, send: Any) -> None:
        async def held(message: Any) -> None:
            if scope["type"] == "http":
                await asyncio.sleep(LATE / 1000)
            await send(message)

        await app(scope, receive, held)

    return late
