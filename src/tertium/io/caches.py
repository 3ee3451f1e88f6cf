"""Where files are kept that can be made again."""

from __future__ import annotations

import os


def cache_folder() -> str:
    """Where tables and embeddings are kept: TERTIUM_CACHE, or `tertium` in XDG_CACHE_HOME (~/.cache)."""
    own = os.environ.get("TERTIUM_CACHE")
    if own:
        return own
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "tertium")
