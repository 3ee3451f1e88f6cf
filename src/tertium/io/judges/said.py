"""What models and servers say, fit to be shown and kept."""

from __future__ import annotations

from tertium.io.escaping import one_line


def shown(text: str) -> str:
    r"""On one line, for a person: control characters written out, halves of characters replaced.

    >>> print(shown("no\n\x1b[2Jway \ud800"))
    no \x1b[2Jway �
    """
    return one_line(" ".join(whole(text).split()))


def whole(text: str) -> str:
    """With halves of characters replaced, so that it can be written."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
