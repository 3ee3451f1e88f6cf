"""Workers share what comes in: each takes one connection at a time, and the next is for whoever is free."""

from __future__ import annotations

import asyncio
from typing import Any

QUEUE = 2048  # connections that may wait for a worker


class SharingLoop(asyncio.SelectorEventLoop):
    """An event loop that accepts one connection whenever there are some.

    asyncio takes all that wait at once: a client with eight connections would mostly have one worker of several, and
    one processor, for all of them. How many it takes is the same number that the system is told to let wait, so that
    the system is told again afterwards.
    """

    async def create_server(self, *given: Any, **how: Any) -> asyncio.Server:
        """A server on a socket that was made before, or as always."""
        at = how.get("sock")
        if at is None:
            return await super().create_server(*given, **how)
        server = await super().create_server(*given, **{**how, "backlog": 1})
        at.listen(QUEUE)
        return server
