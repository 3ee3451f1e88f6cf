"""Files of units in the making: they appear under their names once all of them are whole.

What was written before an input broke stays, as `.partial`, and the error says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from tertium.errors import InputError, TertiumError, many
from tertium.io.files import write_atomically
from tertium.io.memories.formats import UnitReader, UnitWriter, files_of, format_named
from tertium.io.memories.notes import Notes
from tertium.io.memories.pairs import NoMemoryError
from tertium.io.memories.unit import Unit
from tertium.memory.store import ENDINGS

PARTIAL = ".partial"


class UnitFile:
    """A file of units that is being written, in the format of its name or the one named."""

    def __init__(self, path: str, form: str | None = None) -> None:
        if form is None and path.endswith(ENDINGS):
            raise InputError(f"{path}: a memory on disk is made by tertium memory import ... -o {path}")
        self.path, self.form, self.units = path, format_named(path, form), 0
        self.files = files_of(path) if self.form.files == 2 else (path,)
        self.is_device = any(os.path.exists(own) and not os.path.isfile(own) for own in self.files)
        self._notes = Notes(path)
        self._writer: UnitWriter | None = None
        self._opened: list[object] = []

    def refuse(self, inputs: Sequence[str]) -> None:
        """Refuse to write what is being read."""
        read = {os.path.realpath(own) for path in inputs for own in files_of(path)}
        if read & set(map(os.path.realpath, self.files)):
            raise InputError(f"{self.path}: is to be read and written at once: name another file")

    def open(self, stack: ExitStack) -> None:
        beside = "" if self.is_device else PARTIAL
        for own in self.files:
            packed = own.endswith(".gz")
            self._opened.append(stack.enter_context(write_atomically(own + beside, packed=packed)))

    def begin(self, like: UnitReader | None) -> None:
        """Units come next, `like` those of this reader where all of them are its; begun once."""
        if self._writer is None:
            target = self._opened[0] if self.form.files == 1 else tuple(self._opened)
            self._writer = self.form.write(target, self._notes, like)

    def write(self, unit: Unit) -> None:
        assert self._writer is not None
        self._writer.write(unit)
        self.units += 1

    def finish(self) -> None:
        if self._writer is not None:
            self._writer.finish()

    @property
    def left(self) -> str:
        """What stays of it after an error."""
        return " and ".join(own + PARTIAL for own in self.files)

    def move(self) -> None:
        """To its place."""
        if not self.is_device:
            for own in self.files:
                os.replace(own + PARTIAL, own)
        self._notes.warn()


@contextmanager
def written(*outputs: UnitFile) -> Iterator[None]:
    """Open files, which the block within writes; what was read before a file broke stays as `.partial`."""
    broken: BaseException | None = None
    with ExitStack() as stack:
        for own in outputs:
            own.open(stack)
        try:
            yield
        except BaseException as error:
            kept = isinstance(error, TertiumError) and not isinstance(error, NoMemoryError)
            kept &= any(own.units for own in outputs) and not any(own.is_device for own in outputs)
            if not kept:
                with suppress(Exception):  # nothing of it stays, but Parquet's library wants to end
                    for own in outputs:
                        own.finish()
                raise
            broken = error
        for own in outputs:
            own.finish()
    if broken is not None:
        number = sum(own.units for own in outputs)
        left = " and ".join(own.left for own in outputs)
        are = "is" if number == 1 else "are"
        raise InputError(f"{broken} (the {many(number, 'unit')} before it {are} in {left})") from None
    for own in outputs:
        own.move()
