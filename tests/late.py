"""Pages whose callbacks come late, as on a busy machine: a test that does not wait then fails always, not now and then.

`TERTIUM_LATE=300 pytest tests/report tests/app` (or `make test-late`) holds every frame, timer, fetch and observer,
and the opening of every folded part, back by 300 milliseconds.
"""

from __future__ import annotations

import os
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
