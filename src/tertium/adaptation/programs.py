"""Programs of others as adaptive systems: started by us, asked and answered in JSON Lines, one verb a line.

    out  {"name": "my MT", "version": "1.0", "stays": true, "verbs": ["translate", "learn", ...]}
    in   {"id": 1, "verb": "translate", "source": "...", "client": "...", "candidates": 1}
    out  {"id": 1, "translation": "...", "score": 0.8, "reasons": ["..."]}
    in   {"id": 1, "verb": "learn", "source": "...", "correction": "...", "client": "..."}
    out  {"id": 1, "learnt": true}

Verbs are translate, learn, forget, snapshot and restore (with a path). An empty line follows each question: the answer
is due. A program whose `verbs` leave one out is never asked for it. docs/adapt.md has all of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from tertium.adaptation.base import (
    MACHINE,
    NOTHING,
    AdaptiveSystem,
    Lesson,
    Materials,
    SourceSegment,
    Translation,
    checked_correction,
)
from tertium.errors import InputError
from tertium.io.programs import HELLO, Program

WHAT = "machine translation"
PATIENCE = 600.0
VERBS = ("translate", "learn", "forget", "snapshot", "restore")
T = TypeVar("T")


class ProgramSystem(AdaptiveSystem):
    """Any system that speaks the protocol."""

    name = "program"
    sentence = "a program that speaks the protocol: it is shown corrections if it can learn"
    needs = ("machine",)

    def __init__(self, command: str, *, timeout: float = PATIENCE, hello: float = HELLO) -> None:
        self.command = command
        self._program = Program(command, timeout, hello, WHAT)
        said = self._program.introduction
        self.verbs = said.verbs or ("translate",)
        if not said.stays:
            self.close()
            raise InputError(
                f'{self._program.who}: its first line must say that it stays between questions ("stays": true)'
            )
        self.label = f"{said.name} {said.version}".strip()

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> AdaptiveSystem:
        made: AdaptiveSystem = materials.need("machine", cls.name)()
        return made

    def _asked(self, verb: str, read: Callable[[Program, Mapping[str, Any]], T], **given: Any) -> T:
        """The answer as `read` takes it. Who breaks a rule is ended."""
        try:
            (answer,) = self._program.answers([{"verb": verb, **given}], read)
        except BaseException:
            self.close()
            raise
        return answer

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        return self._asked(
            "translate", _translation, source=segment.source, **segment.context(), candidates=candidates
        )

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        text = checked_correction(segment, correction)
        if "learn" not in self.verbs:
            return Lesson(False, ("the program does not learn",))
        return self._asked("learn", _lesson, source=segment.source, correction=text, **segment.context())

    def forget(self) -> None:
        if "forget" in self.verbs:
            self._asked("forget", _nothing)
        elif "learn" in self.verbs:
            raise InputError(f"{self._program.who}: learns, but cannot forget")

    def snapshot(self, path: str) -> None:
        self._file("snapshot", path)

    def restore(self, path: str) -> None:
        self._file("restore", path)

    def _file(self, verb: str, path: str) -> None:
        if verb not in self.verbs:
            raise InputError(f"{self._program.who}: has no {verb}")
        self._asked(verb, _nothing, path=os.path.abspath(path))

    def close(self) -> None:
        self._program.stop()

    def __str__(self) -> str:
        return self.label


def _translation(program: Program, answer: Mapping[str, Any]) -> Translation:
    text = answer.get("translation")
    reasons = _texts(program, answer, "reasons")
    if text is None:
        return Translation("", reasons=reasons, origin=NOTHING)
    if not isinstance(text, str):
        raise program.wrong("has no translation: a text, or null for none")
    score = program.score(answer) if "score" in answer else None
    others = _texts(program, answer, "others")
    return Translation(text, score, reasons, MACHINE, others, _share(program, answer, "balance"))


def _lesson(program: Program, answer: Mapping[str, Any]) -> Lesson:
    return Lesson(answer.get("learnt") is not False, _texts(program, answer, "reasons"))


def _nothing(_program: Program, _answer: Mapping[str, Any]) -> None:
    return None


def _texts(program: Program, answer: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = answer.get(name) or []
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise program.wrong(f"has {name} that are no list of texts")
    return tuple(value)


def _share(program: Program, answer: Mapping[str, Any], name: str) -> float | None:
    value = answer.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise program.wrong(f"has the {name} {value!r}: a number from 0 to 1 is expected")
    return float(value)
