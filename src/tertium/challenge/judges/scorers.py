"""Scorers of translations: a Python callable, or a command that reads pairs and writes numbers.

The protocol of a command: it reads a line per pair from standard input, source and translation separated by a tab, in
UTF-8, and writes a line per pair to standard output, in the same order, with one number: the higher, the better (such
as a log-probability). It is started once, gets all pairs, and must end with status 0. Its standard error is shown only
if it fails. White space inside a text is one space.
"""

from __future__ import annotations

import math
import shlex
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tertium.challenge.outputs import System
from tertium.errors import InputError
from tertium.io.records import real_number

Scorer = Callable[[Sequence[str], Sequence[str]], Sequence[float]]


@dataclass(frozen=True)
class CommandScorer:
    """A command as a scorer. It is split into words as by a shell, but no shell is started.

    >>> score = CommandScorer("awk -F'\\\\t' '{ print -length($2) }'")
    >>> score(["I see", "I see"], ["Je vois", "Je le vois"])
    [-7.0, -10.0]
    """

    command: str
    timeout: float | None = None  # seconds

    def __call__(self, sources: Sequence[str], translations: Sequence[str]) -> list[float]:
        given = "".join(
            f"{_one_line(source)}\t{_one_line(translation)}\n"
            for source, translation in zip(sources, translations, strict=True)
        )
        lines = self._run(given).decode("utf-8", "replace").splitlines()
        if len(lines) != len(sources):
            raise InputError(f"the scorer {self.command!r} wrote {len(lines)} lines for {len(sources)} pairs")
        where = f"the scorer {self.command!r}: line"
        return [real_number(line, "score", f"{where} {i}") for i, line in enumerate(lines, 1)]

    def _run(self, given: str) -> bytes:
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise InputError(f"the scorer {self.command!r} is not a valid command: {error}") from None
        if not words:
            raise InputError("the command of the scorer is empty")
        try:
            done = subprocess.run(
                words,
                input=given.encode("utf-8", "replace"),
                capture_output=True,
                timeout=self.timeout,
                check=False,
            )
        except OSError as error:
            raise InputError(f"the scorer {words[0]!r} cannot be run: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise InputError(
                f"the scorer {self.command!r} took longer than {self.timeout:g} seconds"
            ) from None
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            last = f": {said[-1]}" if said else ""
            raise InputError(f"the scorer {self.command!r} ended with status {done.returncode}{last}")
        return done.stdout


def command_scorers(named: Sequence[str], timeout: float | None = None) -> dict[System, Scorer]:
    """Scorers as people type them: `SYSTEM=command`, or `SYSTEM@VERSION=command`.

    >>> command_scorers(["A@2=python -m my.model"])
    {System(name='A', version='2'): CommandScorer(command='python -m my.model', timeout=None)}
    """
    found: dict[System, Scorer] = {}
    for text in named:
        label, equals, command = text.partition("=")
        if not equals or not command.strip():
            raise InputError(f"{text!r} names no scorer: write SYSTEM=command")
        system = System.named(label, text)
        if system in found:
            raise InputError(f"the system {system.label!r} has two scorers")
        found[system] = CommandScorer(command.strip(), timeout)
    return found


def checked_scores(found: Sequence[float], wanted: int, where: str) -> list[float]:
    """What a scorer returned, as the `wanted` number of finite numbers."""
    try:
        scores = [float(value) for value in found]
    except (TypeError, ValueError):
        raise InputError(f"{where} must return a list of numbers, not {found!r:.80}") from None
    if len(scores) != wanted:
        raise InputError(f"{where} gave {len(scores)} scores for {wanted} pairs")
    for place, value in enumerate(scores, 1):
        if not math.isfinite(value):
            raise InputError(f"{where}: score {place} is {value}, which cannot be compared")
    return scores


def _one_line(text: str) -> str:
    return " ".join(text.split())
