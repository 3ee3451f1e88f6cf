"""Examples in docstrings, as code blocks on the site's pages."""

from __future__ import annotations

from typing import Any

import griffe

from tools.site.blocks import coloured


class Examples(griffe.Extension):
    """Fences what begins with `>>>`."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """A docstring is a page."""
        if obj.docstring:
            obj.docstring.value = coloured(obj.docstring.value)
