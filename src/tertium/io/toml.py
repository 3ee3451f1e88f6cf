"""Files in TOML: read whole, and refused in one line."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tertium.errors import InputError

_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_KEY = rf"({_PART}(?:\s*\.\s*{_PART})*)"
_HEADER = re.compile(rf"\s*(\[\[?)\s*{_KEY}\s*\]")
_SET = re.compile(rf"\s*{_KEY}\s*=")
_LONG_QUOTES = re.compile(r"\"{3}|'{3}")


def read_toml(path: Path, what: str) -> tuple[dict[str, Any], str]:
    """What a file says, and its text; `what` is the kind of file, for messages ("project file")."""
    try:
        text = path.read_bytes().decode("utf-8")
        return tomllib.loads(text), text
    except FileNotFoundError:
        raise InputError(f"{path}: no such {what}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: is not TOML: {error}") from None
    except ValueError:  # Python reads no longer ones
        raise InputError(f"{path}: a number has more than {sys.get_int_max_str_digits():,} digits") from None
    except RecursionError:
        raise InputError(f"{path}: the TOML is nested too deeply") from None


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """The line on which a key is set, or else the nearest that holds it; tables of a list are counted from 1.

    >>> line_of('name = "x"\\n\\n[sampling]\\nhow = "random"\\n', ["sampling", "how"])
    4
    """
    lines = _lines(text)
    for end in range(len(path), 0, -1):
        if found := lines.get(tuple(path[:end])):
            return found
    return None


def _lines(text: str) -> dict[tuple[str | int, ...], int]:
    found: dict[tuple[str | int, ...], int] = {}
    counts: dict[tuple[str | int, ...], int] = {}  # tables of a list so far
    table: tuple[str | int, ...] = ()
    quotes = ""  # those of a string over several lines, in which nothing is a key
    for number, line in enumerate(text.split("\n"), 1):
        within = quotes
        for mark in _LONG_QUOTES.findall(line):
            quotes = mark if not quotes else quotes if quotes != mark else ""
        header = _HEADER.match(line)
        match = header or _SET.match(line)
        if within or not match:
            continue
        place = () if header else table
        parts = [part.strip("\"'") for part in re.findall(_PART, match[match.re.groups])]
        for i, part in enumerate(parts, 1):
            place += (part,)
            if header and header[1] == "[[" and i == len(parts):
                counts[place] = counts.get(place, 0) + 1
            found.setdefault(place, number)
            if place in counts:
                place += (counts[place],)
                found.setdefault(place, number)
        table = place if header else table
    return found
