"""Files in TOML: read whole, and refused in one line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from tertium.errors import InputError


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """What a file says; `what` is the kind of file, for messages ("project file")."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such {what}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: is not TOML: {error}") from None
