"""Programs that read lines and write as many: a machine translation from the shell (`marian-decoder ...`)."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence

from tertium.errors import InputError

PATIENCE = 3600.0  # seconds


def filtered(command: str, lines: Sequence[str], *, timeout: float = PATIENCE) -> list[str]:
    """What a program makes of lines: one for each. Line breaks within a text become blanks.

    >>> filtered("tr a-z A-Z", ["one", "two"])
    ['ONE', 'TWO']
    """
    who = f"the program {_short(command)!r}"
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{who} cannot be read as a command: {error}") from None
    if not words:
        raise InputError("the command of a program is empty")
    given = "".join(f"{' '.join(line.split())}\n" for line in lines).encode("utf-8", "surrogatepass")
    try:
        done = subprocess.run(words, input=given, capture_output=True, timeout=timeout, check=False)
    except OSError as error:
        raise InputError(f"{who} cannot be started: {words[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise InputError(f"{who} has not ended within {timeout:g} seconds") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
        raise InputError(
            f"{who} ended with status {done.returncode}{': ' + _short(said[-1]) if said[-1] else ''}"
        )
    try:
        found = done.stdout.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{who} wrote what is not UTF-8") from None
    if found and not found[-1]:
        found.pop()
    if len(found) != len(lines):
        raise InputError(f"{who} wrote {len(found)} lines for {len(lines)}")
    return [own.rstrip("\r") for own in found]


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:80]}...{text[-35:]}"
