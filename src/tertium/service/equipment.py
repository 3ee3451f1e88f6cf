"""What an office has: a memory, a policy, an estimator, a scale..., as its settings file names them.

`office.toml` in the folder of the office, or any file by `tertium serve --settings`; paths are relative to it. What it
does not name is not offered. Files are opened when somebody asks for the first time, and again when they have changed.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

from tertium.errors import InputError
from tertium.io.settings import Between, File, Origin, read
from tertium.io.toml import read_toml
from tertium.web.refusals import Problem

if TYPE_CHECKING:
    from datetime import date

    from tertium.adaptation.live import LiveSystem
    from tertium.analysis.analysing import Analyst, Staffing
    from tertium.estimation.estimator import Estimator
    from tertium.io.memories.pairs import Pair
    from tertium.matching.live import LiveMemory
    from tertium.readability.scale import Scale

T = TypeVar("T")
SETTINGS = "office.toml"


@dataclass(frozen=True)
class MemorySettings:
    """For match, search, add, assign and analyse."""

    file: File
    pair: str = ""
    policy: File | None = None
    glossary: File | None = None
    parts: bool = False
    terms: bool = False
    source: bool = True  # a policy may propose the source as it stands


@dataclass(frozen=True)
class EstimateSettings:
    """For estimate, detect and analyse."""

    model: File
    pair: str = ""


@dataclass(frozen=True)
class CheckSettings:
    """For check and detect: terms of a glossary, a reviewer's labels, an encoder of sentences."""

    glossary: File | None = None
    labels: File | None = None
    encoder: str = ""


@dataclass(frozen=True)
class ReadabilitySettings:
    """For readability: another scale than the bundled one."""

    scale: File | None = None


@dataclass(frozen=True)
class AssignSettings:
    """For assign and analyse: the history of jobs (by default the memory), and what is known of people."""

    memory: File | None = None
    pair: str = ""
    key: File | None = None
    people: File | None = None
    marks: File | None = None
    types: File | None = None
    vectors: File | None = None


@dataclass(frozen=True)
class AnalyseSettings:
    """For analyse: what an hour is worth, and a program that translates lines."""

    words_per_hour: Annotated[float, Between(1, 100_000)] | None = None
    reading: Annotated[float, Between(0, 1)] | None = None
    translate: str = ""


@dataclass(frozen=True)
class AdaptSettings:
    """For translate and correct, and for analyse: a system that learns, and the folder of what it learnt."""

    folder: File
    system: str = "memory"
    mt: str = ""  # a program that speaks the protocol
    memory: File | None = None
    before: str = ""
    model: File | None = None
    pair: str = ""


@dataclass(frozen=True)
class AnnotateSettings:
    """Campaigns of human judgement, served beside: a SQLite file, or the URL of a PostgreSQL database."""

    file: File | None = None
    url: str = ""

    def place(self) -> str:
        """The database."""
        if bool(self.file) == bool(self.url):
            raise InputError("[annotate] names the campaigns' database: file or url")
        return self.file or self.url


@dataclass(frozen=True)
class EquipmentSettings:
    """The settings file: a table for each capability."""

    memory: MemorySettings | None = None
    estimate: EstimateSettings | None = None
    check: CheckSettings = field(default_factory=CheckSettings)
    readability: ReadabilitySettings = field(default_factory=ReadabilitySettings)
    assign: AssignSettings = field(default_factory=AssignSettings)
    analyse: AnalyseSettings = field(default_factory=AnalyseSettings)
    adapt: AdaptSettings | None = None
    annotate: AnnotateSettings | None = None

    @classmethod
    def load(cls, path: str | Path) -> EquipmentSettings:
        """Read and check a settings file; errors name line and key."""
        where = Path(path)
        given, text = read_toml(where, "settings file")
        return read(cls, given, Origin(str(where), text, where.parent))


def settings_beside(place: str, named: str | None = None) -> str | None:
    """The settings file that was named, or the one in the folder of the office, if there is one.

    >>> settings_beside("postgresql://localhost/office") is None
    True
    """
    if named is not None or "://" in place:
        return named
    found = Path(place) / SETTINGS
    return str(found) if found.is_file() else None


class Kept(Generic[T]):
    """Something made of files, when it is first asked for, and again when one of them has changed.

    >>> path = written("a.txt", "one")
    >>> kept = Kept([str(path)], lambda: path.read_text())
    >>> first = kept()
    >>> path = written("a.txt", "three")
    >>> first, kept()
    ('one', 'three')
    """

    def __init__(self, files: list[str | None], make: Callable[[], T]) -> None:
        self._files, self._make = [own for own in files if own], make
        self._lock = threading.Lock()
        self._made: tuple[list[tuple[int, int] | None], T] | None = None

    def __call__(self) -> T:
        with self._lock:
            now = [_stamp(own) for own in self._files]
            if self._made is None or self._made[0] != now:
                self._made = now, self._make()
            return self._made[1]


def _stamp(path: str) -> tuple[int, int] | None:
    try:
        about = os.stat(path)
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


class Equipment:
    """What a running office has at hand."""

    def __init__(self, settings: EquipmentSettings | None = None) -> None:
        self.settings = settings or EquipmentSettings()
        memory, estimate = self.settings.memory, self.settings.estimate
        self._memory = Kept([memory.policy, memory.glossary] if memory else [], self._open_memory)
        model = estimate.model if estimate else ""
        self._estimator = Kept([model, f"{model}.learnt" if model else None], self._open_estimator)
        self._scale = Kept([self.settings.readability.scale], self._open_scale)
        files = [memory.policy, memory.glossary, model or None] if memory else []
        self._analyst = Kept([*files, self.settings.readability.scale], self._open_analyst)
        self._adaptive = Kept([], self._open_adaptive)
        self._analysing = threading.Lock()  # one document after the other

    def memory(self) -> LiveMemory:
        """The memory, or a refusal that says what to do."""
        return self._memory()

    def estimator(self) -> Estimator:
        return self._estimator()

    def adaptive(self) -> LiveSystem:
        return self._adaptive()

    def scale(self) -> Scale:
        return self._scale()

    @contextmanager
    def analyst(self) -> Iterator[Analyst]:
        """Whoever analyses documents, one after the other."""
        with self._analysing:
            yield self._analyst()

    def staffing(self, *, type: str, due: date | None, on: date | None, top: int) -> Staffing:
        """Where translators for a document come from."""
        from tertium.analysis.analysing import Staffing

        own = self.settings.assign
        return Staffing(
            own.memory,
            type,
            own.people,
            own.marks,
            None if due is None else str(due),
            own.types,
            own.vectors,
            own.key,
            on,
            top,
            pair_of(own.pair),
        )

    def history(self) -> tuple[str, dict[str, Any]]:
        """Who translated what: the memory of jobs, and how it is read."""
        own, memory = self.settings.assign, self.settings.memory
        if own.memory is None and memory is None:
            raise missing("a history of translators", "file = 'memory.db' under [memory]")
        path = own.memory or (memory.file if memory else "")
        pair = own.pair or (memory.pair if memory and own.memory is None else "")
        return path, {"pair": pair_of(pair)}

    def _open_memory(self) -> LiveMemory:
        from tertium.matching.live import LiveMemory

        own = self.settings.memory
        if own is None:
            raise missing("a memory", "file = 'memory.db' under [memory]")
        return LiveMemory(
            own.file,
            policy=own.policy,
            pair=pair_of(own.pair),
            parts=own.parts,
            terms=own.terms,
            glossary=own.glossary,
            source=own.source,
        )

    def _open_estimator(self) -> Estimator:
        from tertium.online.corrections import opened

        own = self.settings.estimate
        if own is None:
            raise missing("an estimator", "model = 'qe.model' under [estimate]")
        return opened(own.model)

    def _open_analyst(self) -> Analyst:
        from tertium.analysis.analysing import Analyst
        from tertium.analysis.effort import READING

        memory, own = self.settings.memory, self.settings.analyse
        if memory is None:
            raise missing("a memory", "file = 'memory.db' under [memory]")
        return Analyst(
            memory.file,
            pair=pair_of(memory.pair),
            policy=memory.policy,
            glossary=memory.glossary,
            terms=memory.terms,
            model=self.estimator() if self.settings.estimate else None,
            scale=self.scale(),
            words_per_hour=own.words_per_hour,
            reading=READING if own.reading is None else own.reading,
        )

    def _open_adaptive(self) -> LiveSystem:
        import atexit

        from tertium.service.living import live_system

        own = self.settings.adapt
        if own is None:
            raise missing("an adaptive system", "folder = 'learnt' under [adapt]")
        given = {field.name: getattr(own, field.name) or "" for field in fields(own)}
        memory = self.settings.memory
        if not given["memory"] and memory is not None:
            given |= {"memory": memory.file, "pair": given["pair"] or memory.pair}
        live = live_system(given)
        atexit.register(live.close)
        return live

    def _open_scale(self) -> Scale:
        from tertium.readability.scale import read_scale, usual_scale

        own = self.settings.readability.scale
        return read_scale(own) if own else usual_scale()


def pair_of(text: str) -> Pair | None:
    from tertium.io.memories.pairs import Pair

    return Pair.parse(text) if text else None


def missing(what: str, how: str) -> Problem:
    """What is not configured, in one line.

    >>> str(missing("a memory", "file = 'memory.db' under [memory]"))
    "this service has no memory: set file = 'memory.db' under [memory] in office.toml"
    """
    named = what.removeprefix("a ").removeprefix("an ")
    return Problem(404, f"this service has no {named}: set {how} in office.toml")
