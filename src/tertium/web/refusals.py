"""What is wrong with a request, in a sentence, with a status and the place in the body."""

from __future__ import annotations

from tertium.errors import TertiumError


class Problem(TertiumError):
    """A request that is refused: a status, a sentence, and where in the body (JSON Pointer).

    >>> Problem(422, "this time is in the future", "/time").path
    '/time'
    """

    def __init__(self, status: int, detail: str, path: str = "") -> None:
        super().__init__(detail)
        self.status, self.detail, self.path = status, detail, path
