"""Files that only we write say what they are and in which version: both are checked in one place."""

from __future__ import annotations

from typing import Any

from tertium.errors import InputError


def check_own(values: Any, name: str, what: str, form: str, version: int) -> None:
    """Refuse what is no file of this form, or one of another version.

    >>> check_own({"format": "tertium metric", "version": 2}, "my.metric", "trained metric", "tertium metric", 1)
    Traceback (most recent call last):
    tertium.errors.InputError: my.metric: is version 2 of the format, and this Tertium reads version 1
    """
    if not isinstance(values, dict) or values.get("format") != form:
        raise InputError(f"{name}: is no {what} (its format is not {form!r})")
    if values.get("version") != version:
        raise InputError(
            f"{name}: is version {values.get('version')} of the format, and this Tertium reads version {version}"
        )


def own_version() -> str:
    """The version of this program, which files of rows and work for other machines carry."""
    from tertium import __version__

    return __version__
