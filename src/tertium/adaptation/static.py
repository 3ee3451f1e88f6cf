"""Systems that do not learn: a machine translation as it is, or outputs that lie in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tertium.adaptation.base import AdaptiveSystem, Lesson, Materials, SourceSegment, Translation
from tertium.errors import InputError


class Echo(AdaptiveSystem):
    """The source as it stands: the least that any system should beat."""

    name = "source"
    sentence = "the source as it stands"

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> Echo:
        return cls()

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        return Translation(segment.source, reasons=("the source as it stands",), origin="source")


class FiledOutputs(AdaptiveSystem):
    """Translations that were made before: one for each source."""

    name = "outputs"
    sentence = "outputs of a system that lie in a file"

    def __init__(self, known: Mapping[str, Sequence[str]], file: str) -> None:
        self.known, self.file = known, file

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> FiledOutputs:
        raise InputError("outputs: name their file by --outputs FILE")

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        found = self.known.get(segment.source)
        if not found:
            raise InputError(f"{self.file} has no output for {segment.source[:60]!r}")
        return Translation(found[0], reasons=("the file's output",), others=tuple(found[1:candidates]))


class Static(AdaptiveSystem):
    """A machine translation that is told nothing."""

    name = "static"
    sentence = "the machine translation as it is; corrections are not shown to it"
    needs = ("machine",)

    def __init__(self, machine: AdaptiveSystem) -> None:
        self.machine = machine

    @classmethod
    def make(cls, materials: Materials, value: str | None, options: Mapping[str, str]) -> Static:
        return cls(materials.need("machine", cls.name)())

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        return self.machine.translate(segment, candidates=candidates)

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        return Lesson(False, ("static: corrections are not shown to it",))

    def close(self) -> None:
        self.machine.close()
