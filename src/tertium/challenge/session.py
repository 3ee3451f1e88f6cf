"""Judging one output after the other: every answer is on disk before the next question is asked.

The log is a file of judgements in JSON Lines that is only ever appended to; withdrawing an answer appends a line, too.
An interrupted session continues where it stopped.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from io import BufferedRandom
from typing import Any, Self

from tertium.challenge.items import ChallengeSet
from tertium.challenge.judgements import (
    WITHDRAWN,
    Answer,
    ChallengeJudgements,
    Judgement,
    Role,
    read_judgements,
)
from tertium.challenge.outputs import Outputs
from tertium.challenge.tasks import JudgingTask, shown_answers, tasks
from tertium.errors import InputError, TertiumWarning
from tertium.io.logs import append, opened_log
from tertium.io.records import json_line
from tertium.io.streams import FilePath, display_name


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class JudgingSession:
    """The questions that are left for an annotator, and the log of the answers.

    >>> import tempfile, pathlib
    >>> from tertium.challenge.items import Item
    >>> from tertium.challenge.outputs import System
    >>> items = ChallengeSet((Item("1", "Lexical", "", "Well?", "It rains."),))
    >>> outputs = Outputs({System("A"): {"1": "Il pleut."}})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "ann.jsonl")
    ...     with JudgingSession(path, items, outputs, "ann", seed=7) as session:
    ...         session.answer("yes")
    ...     read_judgements([path]).all[0].answer, session.current
    ('yes', None)
    """

    def __init__(
        self,
        path: FilePath,
        items: ChallengeSet,
        outputs: Outputs,
        annotator: str,
        *,
        seed: int,
        role: Role = "judge",
        judgements: ChallengeJudgements | None = None,
        merge: bool = True,
        clock: Callable[[], str] = _now,
    ) -> None:
        """`judgements` are those in other files: the judge's, where this session checks or settles."""
        self.annotator, self.role = annotator, role
        self._outputs, self._items, self._clock = outputs, items, clock
        self._name = display_name(path)
        outputs.check(items)
        self._file = _opened(path, self._name)
        try:
            own = _logged(path, items, outputs)
            known = own if judgements is None else judgements.merged(own)
            if judgements is not None:
                judgements.check(items, outputs)
            left = tasks(items, outputs, annotator, seed=seed, role=role, judgements=known, merge=merge)
        except BaseException:
            self._file.close()
            raise
        self._waiting = list(reversed(left))  # the next one is the last
        self._skipped: list[JudgingTask] = []
        self._known = known
        self._done = self._batches(own)

    def _batches(self, own: ChallengeJudgements) -> list[list[Judgement]]:
        """Judgements in the order of the log; those made by one key stroke are together."""
        found: list[list[Judgement]] = []
        for judgement in own:
            if (judgement.annotator, judgement.role) != (self.annotator, self.role):
                continue
            if found and judgement.time and self._stroke(found[-1][0]) == self._stroke(judgement):
                found[-1].append(judgement)
            else:
                found.append([judgement])
        return found

    def _stroke(self, judgement: Judgement) -> tuple[str, str, str | None]:
        """What judgements made by one key stroke have in common."""
        return judgement.item, judgement.time, self._outputs.text(judgement.system, judgement.item)

    @property
    def current(self) -> JudgingTask | None:
        """What is to be judged now; skipped tasks come again at the end. None when nothing is left."""
        if not self._waiting and self._skipped:
            self._waiting, self._skipped = list(reversed(self._skipped)), []
        return self._waiting[-1] if self._waiting else None

    @property
    def left(self) -> int:
        return len(self._waiting) + len(self._skipped)

    @property
    def judged(self) -> int:
        """Answers in the log: texts, not systems."""
        return len(self._done)

    def answer(self, answer: Answer, note: str = "") -> None:
        """Answer the current question. When this returns, the answer is on disk."""
        task = self.current
        if task is None:
            raise InputError("there is nothing left to judge")
        time = self._clock()
        batch = [Judgement(*place, self.annotator, answer, self.role, note, time) for place in task.places]
        self._append(judgement.data() for judgement in batch)
        self._waiting.pop()
        self._done.append(batch)

    def skip(self) -> None:
        """Leave the current question for later."""
        if self.current is not None:
            self._skipped.append(self._waiting.pop())

    def undo(self) -> bool:
        """Withdraw the last answer, even one of an earlier session, and ask again. False if there is none."""
        if not self._done:
            return False
        batch = self._done[-1]
        withdrawn = {"answer": WITHDRAWN, "time": self._clock()}
        self._append(judgement.data() | withdrawn for judgement in batch)
        self._done.pop()
        first = batch[0]
        text = self._outputs.text(first.system, first.item)
        systems = tuple(judgement.system for judgement in batch)
        earlier = shown_answers(self._known, first.place, self.role)
        self._waiting.append(JudgingTask(self._items[first.item], text or "", systems, earlier))
        return True

    def _append(self, records: Iterable[Mapping[str, Any]]) -> None:
        append(self._file, "".join(map(json_line, records)).encode("utf-8"), self._name)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _opened(path: FilePath, name: str) -> BufferedRandom:
    """The log, for one session at a time; a line cut short by a crash is removed."""
    file, dropped = opened_log(path, name)
    if dropped:
        warnings.warn(
            f"{name}: the last line is incomplete and was dropped; its question will be asked again",
            TertiumWarning,
            stacklevel=3,
        )
    return file


def _logged(path: FilePath, items: ChallengeSet, outputs: Outputs) -> ChallengeJudgements:
    """What the log holds; nothing if it is new, or if everything in it was withdrawn."""
    if os.path.getsize(path) == 0:
        return ChallengeJudgements(())
    return read_judgements([path], items, outputs, allow_none=True)
