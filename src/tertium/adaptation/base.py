"""What an adaptive system is: it translates a segment, and may learn from what somebody made of it.

A system is chosen by a spec string, `name[:value][,key=value...]`, from the registry `SYSTEMS`: one class a name. What
it needs beside its options (a machine translation, a memory, a model) is in `Materials`, so that several systems share
them. Programs of others take part by the same five verbs in JSON Lines (`programs.py`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.registry import Registry, parse_spec

if TYPE_CHECKING:
    from tertium.io.memories.pairs import Pair

MEMORY, MACHINE, NOTHING = "memory", "machine", ""
FIELDS = ("client", "document", "translator", "type", "date")


@dataclass(frozen=True)
class SourceSegment:
    """A source text, and what is known of it. Whatever is unknown is empty."""

    source: str
    client: str = ""
    document: str = ""
    translator: str = ""
    type: str = ""  # of text: "wind warning"
    date: str = ""

    def context(self) -> dict[str, str]:
        """What is known beside the text.

        >>> SourceSegment("Snow.", client="office", type="snow").context()
        {'client': 'office', 'type': 'snow'}
        """
        return {name: getattr(self, name) for name in FIELDS if getattr(self, name)}


@dataclass(frozen=True)
class Translation:
    """What a system makes of a segment.

    `score` is the share of edits that it expects to save, 0 to 1, None where it cannot say. `balance` is how much what
    was learnt from corrections (dynamic knowledge) counted, 0 to 1; None for systems that do not weigh.
    `others` are further candidates, best first, without `text`.
    """

    text: str
    score: float | None = None
    reasons: tuple[str, ...] = ()
    origin: str = MACHINE  # or MEMORY, or NOTHING
    others: tuple[str, ...] = ()
    balance: float | None = None
    tokens: tuple[str, ...] = ()
    token_scores: tuple[float, ...] = ()  # log-probabilities of the tokens, for estimators

    def because(self, *reasons: str) -> Translation:
        """The same with reasons put before those it has."""
        return replace(self, reasons=(*reasons, *self.reasons))

    @property
    def candidates(self) -> tuple[str, ...]:
        """All candidates, each once, best first; none where nothing is proposed."""
        return tuple(dict.fromkeys(text for text in (self.text, *self.others) if text))


@dataclass(frozen=True)
class Lesson:
    """What became of a correction."""

    learnt: bool
    reasons: tuple[str, ...] = ()


class AdaptiveSystem(ABC):
    """A system in the protocol. Construction stores settings; `translate` changes nothing that `learn` made."""

    name: ClassVar[str]
    sentence: ClassVar[str]
    options: ClassVar[tuple[str, ...]] = ()  # keys of its spec string
    needs: ClassVar[tuple[str, ...]] = ()  # names in `Materials` that it cannot do without

    @classmethod
    @abstractmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> AdaptiveSystem:
        """A system from the parts of its spec string; keys are known ones (`options`)."""

    @abstractmethod
    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        """The translation by all that was learnt until now; up to so many candidates in all."""

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        """Takes in what somebody made of a segment, before the next is translated. Static systems take in nothing."""
        return Lesson(False, ("this system does not learn",))

    def forget(self) -> None:
        """Back to what it knew before the first correction."""
        return

    def state(self) -> dict[str, Any]:
        """What it has learnt, in plain JSON types: all that `take` needs. Systems with large states write files of
        their own in `snapshot` and `restore`."""
        return {}

    def take(self, state: Mapping[str, Any]) -> None:
        """Has learnt what a state says, and nothing else."""
        self.forget()

    def snapshot(self, path: str) -> None:
        """Writes what was learnt, whole or not at all: who is killed meanwhile finds the snapshot before."""
        from tertium.adaptation.snapshots import write_snapshot

        write_snapshot(path, str(self), self.state())

    def restore(self, path: str) -> None:
        """Takes a snapshot in place of what was learnt."""
        from tertium.adaptation.snapshots import read_snapshot

        self.take(read_snapshot(path, str(self)))

    def close(self) -> None:
        """Ends what it has started."""
        return

    @property
    def balance(self) -> float | None:
        """How much what was learnt counts at present, 0 (static alone) to 1; None where nothing is weighed."""
        return None

    def __str__(self) -> str:
        """Its spec string: two that print alike can read each other's snapshots."""
        return self.name


@dataclass(frozen=True)
class Materials:
    """What systems are made of, beside their options."""

    machine: Callable[[], AdaptiveSystem] | None = None  # makes the static system
    memory: str | None = None  # a memory on disk, for what is known before the first correction
    model: str | None = None  # a folder with a trained model
    pair: Pair | None = None
    before: str = ""  # a date: units of the memory from that day on are not known

    def need(self, name: str, who: str) -> Any:
        """One of these, which `who` cannot do without. Where no other is given, a model is the machine translation."""
        value = getattr(self, name)
        if name == "machine" and value is None and self.model is not None:
            return lambda: system("nmt", self)
        if value is None:
            raise SpecError(f"{who} needs {_FROM[name]}")
        return value


_FROM = {
    "machine": "a machine translation: --mt 'PROGRAM', --outputs FILE, or --model FOLDER",
    "memory": "a memory: --memory FILE",
    "model": "a model: --model FOLDER",
}

SYSTEMS: Registry[type[AdaptiveSystem]] = Registry(
    "system",
    "tertium.adaptive_systems",
    {
        "static": "tertium.adaptation.static:Static",
        "source": "tertium.adaptation.static:Echo",
        "program": "tertium.adaptation.programs:ProgramSystem",
        "memory": "tertium.adaptation.memories:MemoryOnly",
        "memory+static": "tertium.adaptation.memories:MemoryElseMachine",
        "lexical": "tertium.adaptation.lexical:Lexical",
        "balanced": "tertium.adaptation.balanced:Balanced",
        "terms": "tertium.adaptation.taught:TaughtTerms",
        "nmt": "tertium.adaptation.strategies.machine:Machine",
        "repair": "tertium.adaptation.strategies.repairing:Repair",
        "finetune": "tertium.adaptation.strategies.finetuning:FineTuning",
        "adapters": "tertium.adaptation.strategies.adapters:Adapters",
        "knn": "tertium.adaptation.strategies.neighbours:StateNeighbours",
    },
)

WRAPPERS: Registry[Callable[[Callable[[], AdaptiveSystem], str], AdaptiveSystem]] = Registry(
    "option of all systems", "tertium.adaptive_wrappers", {"by": "tertium.adaptation.separate:Separate"}
)
"""Options that any system has: what each makes of it."""


def system(spec: str, materials: Materials) -> AdaptiveSystem:
    """The system that a spec string names; with `by=translator` (client, document, type) one for each of these, of
    which none learns from another.

    >>> from tertium.adaptation.static import Echo
    >>> made = system("static", Materials(machine=Echo))
    >>> made.translate(SourceSegment("one")).text
    'one'
    """
    name, value, options = parse_spec(spec)
    found = SYSTEMS[name]
    wrapped = {key: options.pop(key) for key in list(options) if key in WRAPPERS}
    for key in options:
        if key not in found.options:
            raise SpecError(f"{name} has no option {key!r}{did_you_mean(key, found.options)}")
    for material in found.needs:
        materials.need(material, name)
    made: Callable[[], AdaptiveSystem] = lambda: found.make(materials, value, options)  # noqa: E731
    for key, given in wrapped.items():
        return WRAPPERS[key](made, given)
    return made()


def number(options: Mapping[str, str], key: str, usual: float, low: float = 0.0, high: float = 1.0) -> float:
    """An option that is a number within limits.

    >>> number({"threshold": ".75"}, "threshold", 0.7)
    0.75
    """
    text = options.get(key)
    if text is None:
        return usual
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise SpecError(f"{key}={text}: a number from {low:g} to {high:g} is expected")
    return value


def checked_correction(segment: SourceSegment, correction: str) -> str:
    """A correction without blanks around it; an empty one is refused by all systems alike."""
    text = correction.strip()
    if not text:
        raise InputError(f"an empty correction teaches nothing (of {segment.source[:60]!r})")
    return text
