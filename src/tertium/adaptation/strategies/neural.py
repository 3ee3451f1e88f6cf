"""What strategies with a neural network share: pieces of segments and corrections, the gate, the balance, going back.

Before each correction is learnt from, static and dynamic side say how probable it is; that moves the balance. Every so
many corrections that are beyond doubt, what was learnt is marked, so that a poisoned stream can be taken back.
"""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from tertium.adaptation.base import (
    AdaptiveSystem,
    Lesson,
    SourceSegment,
    Translation,
    checked_correction,
)
from tertium.adaptation.nmt.examples import TaggedPair
from tertium.adaptation.nmt.pieces import PieceVocabulary, framed
from tertium.adaptation.strategies.weighing import DynamicWeight
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.adaptation.nmt.decoding import Hypothesis
    from tertium.adaptation.nmt.live import LiveNetwork

LONGEST = 200  # pieces of a source or a correction
MARKED = 25  # corrections between marks
Pair = tuple[list[int], list[int]]  # pieces of a source and of its correction


class Admitted(Protocol):
    """What a gate says of a correction."""

    @property
    def admitted(self) -> bool: ...
    @property
    def reasons(self) -> tuple[str, ...]: ...
    @property
    def back_to(self) -> int | None: ...


class Gatekeeper(Protocol):
    """What looks at corrections before they are learnt from."""

    seen: int
    calm: int

    @property
    def doubted(self) -> bool: ...
    def look(self, segment: SourceSegment, proposal: str, correction: str) -> Admitted: ...
    def state(self) -> dict[str, Any]: ...
    def take(self, state: Mapping[str, Any]) -> None: ...
    def forget(self) -> None: ...


def pieces_of(vocabulary: PieceVocabulary, segment: SourceSegment) -> list[int]:
    """What the encoder sees of a segment: its client and type, where they were seen in training, and the source."""
    return vocabulary.source(TaggedPair(segment.source, "", segment.client, segment.type), longest=LONGEST)


def translation_of(
    segment: SourceSegment,
    found: list[Hypothesis],
    reasons: tuple[str, ...] = (),
    balance: float | None = None,
) -> Translation:
    """The best hypothesis as a translation, the others beside it."""
    first, *others = found
    text = framed(segment.source, first.text)
    return Translation(
        text,
        reasons=reasons,
        others=tuple(framed(segment.source, own.text) for own in others),
        balance=balance,
        tokens=first.tokens,
        token_scores=first.token_scores,
    )


class NeuralSystem(AdaptiveSystem):
    """A system whose network, or what stands beside it, changes with every correction."""

    needs = ("model",)

    def __init__(self, live: LiveNetwork, gate: Gatekeeper | None = None) -> None:
        self.live, self.gate = live, gate
        self.weight = DynamicWeight()
        self.learnt = 0  # corrections
        self._shown: tuple[SourceSegment, str] | None = None
        self._marks: list[tuple[int, Any]] = []

    @abstractmethod
    def _found(self, segment: SourceSegment, source: list[int], candidates: int) -> list[Hypothesis]:
        """The best translations by what is learnt."""

    @abstractmethod
    def _absorb(self, segment: SourceSegment, pair: Pair) -> float:
        """Learns from a correction; the gain of the dynamic side before it did, in nats a piece."""

    @abstractmethod
    def _dynamic(self) -> Any:
        """What was learnt: something that `_take_dynamic` takes, and `torch.save` writes."""

    @abstractmethod
    def _take_dynamic(self, dynamic: Any) -> None:
        """Has learnt this; None: nothing."""

    @property
    def balance(self) -> float:
        return 0.0 if self.gate is not None and self.gate.doubted else self.weight.value

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        source = pieces_of(self.live.vocabulary, segment)
        found = self._found(segment, source, candidates)
        reasons = (f"{self.learnt:,} corrections learnt, which count {self.balance:.0%}",)
        made = translation_of(segment, found, reasons, self.balance)
        self._shown = segment, made.text
        return made

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        text = checked_correction(segment, correction)
        reasons: tuple[str, ...] = ()
        if self.gate is not None:
            shown = (
                self._shown[1] if self._shown and self._shown[0] == segment else self.translate(segment).text
            )
            look = self.gate.look(segment, shown, correction)
            if look.back_to is not None:
                self._back(look.back_to)
            if not look.admitted:
                return Lesson(False, look.reasons)
            reasons = look.reasons
        vocabulary = self.live.vocabulary
        target = vocabulary.target(TaggedPair(segment.source, text), longest=LONGEST)
        self.weight.learn(self._absorb(segment, (pieces_of(vocabulary, segment), target)))
        self.learnt += 1
        if self.learnt % MARKED == 0 and (self.gate is None or self.gate.calm == self.gate.seen):
            self._marks = [*self._marks[-1:], (self.learnt, self._dynamic())]
        return Lesson(True, reasons)

    def _back(self, corrections: int) -> None:
        """To the last mark at or before so many corrections."""
        fitting = [own for own in self._marks if own[0] <= corrections]
        self.learnt, dynamic = fitting[-1] if fitting else (0, None)
        self._marks = fitting
        self._take_dynamic(dynamic)
        self.weight.forget()

    def forget(self) -> None:
        self.learnt, self._marks, self._shown = 0, [], None
        self._take_dynamic(None)
        self.weight.forget()
        if self.gate is not None:
            self.gate.forget()

    def snapshot(self, path: str) -> None:
        torch = self.live.torch
        whole = {
            "format": "tertium adaptation",
            "system": str(self),
            "pieces": self.live.vocabulary.size,
            "learnt": self.learnt,
            "balance": self.weight.state(),
            "gate": None if self.gate is None else self.gate.state(),
            "dynamic": self._dynamic(),
        }
        part = f"{path}.{os.getpid()}.part"
        try:
            with open(part, "wb") as file:
                torch.save(whole, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except (OSError, RuntimeError) as error:
            if os.path.exists(part):
                os.remove(part)
            said = getattr(error, "strerror", None) or error
            raise InputError(
                f"{path}: the snapshot cannot be written: {said}; the one before is as it was"
            ) from None

    def restore(self, path: str) -> None:
        try:
            whole = self.live.torch.load(path, map_location=self.live.device, weights_only=True)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        except Exception:  # whatever torch says of a file that is none of its own
            raise InputError(f"{path}: no snapshot of {self}, or a damaged one") from None
        if not isinstance(whole, dict) or whole.get("system") != str(self):
            other = whole.get("system") if isinstance(whole, dict) else "something else"
            raise InputError(f"{path}: is a snapshot of {other}, not of {self}")
        if whole["pieces"] != self.live.vocabulary.size:
            raise InputError(
                f"{path}: is a snapshot of a model of another vocabulary ({whole['pieces']:,} pieces,"
                f" not {self.live.vocabulary.size:,})"
            )
        self.forget()
        self.learnt = whole["learnt"]
        self._take_dynamic(whole["dynamic"])
        self.weight.take(whole["balance"])
        if self.gate is not None and whole["gate"] is not None:
            self.gate.take(whole["gate"])
