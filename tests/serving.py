"""An application behind a real server, in a thread of this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.late import late_answers


@contextmanager
def served(app: Any, **options: Any) -> Iterator[str]:
    """Serve it on a free port; gives its address."""
    import uvicorn

    how = {"host": "127.0.0.1", "port": 0, "log_level": "error", "server_header": False, **options}
    server = uvicorn.Server(uvicorn.Config(late_answers(app), **how))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 60
    while not server.started:
        assert time.monotonic() < until, "the server does not start"
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
