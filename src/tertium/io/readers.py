"""What the door reads besides lines of files: texts in memory, paragraphs between blank lines, what holds several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium._native import Lines
from tertium.errors import InputError
from tertium.io.files import LineReader
from tertium.io.streams import unpacked_name

_TEST_FILES = (".sgm", ".sgml", ".xml")
_TABLES = (".jsonl", ".ndjson", ".parquet")


class Paragraphs:
    """Reads a file as one batch of paragraphs, their lines joined by line breaks.

    >>> reader = Paragraphs(LineReader(written("text.txt", "One.\\nTwo.\\n\\n\\nThree.\\n"), block_size=None))
    >>> list(reader.read()), reader.starts
    (['One.\\nTwo.', 'Three.'], [1, 5])
    """

    what = "paragraphs"

    def __init__(self, reader: LineReader) -> None:
        self.name, self.lines_read = reader.name, 0
        self.starts: list[int] = []  # the line where each begins
        self._reader: LineReader | None = reader

    def read(self) -> Lines | None:
        if self._reader is None:
            return None
        found: list[list[str]] = []
        open_ = False
        for number, line in enumerate((line or "" for batch in self._reader for line in batch), 1):
            if not line.strip():
                open_ = False
                continue
            if not open_:
                found.append([])
                self.starts.append(number)
            found[-1].append(line)
            open_ = True
        self.close()
        if not found:
            raise InputError(f"{self.name}: there is no paragraph in this file: all its lines are blank")
        self.lines_read = len(found)
        return Lines(["\n".join(own) for own in found])

    def __iter__(self) -> Iterator[Lines]:
        while (lines := self.read()) is not None:
            yield lines

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()
        self._reader = None

    @staticmethod
    def where_they_differ(readers: Sequence[Paragraphs]) -> str:
        """Where the first paragraph begins that not all files have."""
        fewest = min(reader.lines_read for reader in readers)
        longer = next(reader for reader in readers if reader.lines_read > fewest)
        place = f"{longer.name}: line {longer.starts[fewest]}"
        return f": paragraph {fewest + 1}, which begins at {place}, has no counterpart"


class Remembered:
    """A reader of texts that are in memory, or whose first batch has been looked at."""

    def __init__(self, texts: LineReader | Lines | Sequence[str | None], name: str = "") -> None:
        self.name, self.lines_read = name, 0
        self._rest: LineReader | None = None
        self._first: Lines | None
        if isinstance(texts, LineReader):
            self.name, self._rest, self._first = texts.name, texts, texts.read()
        else:
            self._first = texts if isinstance(texts, Lines) else Lines(texts)

    def first_line(self) -> str:
        return (self._first[0] or "") if self._first else ""

    def read(self) -> Lines | None:
        lines, self._first = self._first, None
        if lines is None and self._rest is not None:
            lines = self._rest.read()
        self.lines_read += len(lines) if lines is not None else 0
        return lines

    def __iter__(self) -> Iterator[Lines]:
        while (lines := self.read()) is not None:
            yield lines

    def close(self) -> None:
        if self._rest is not None:
            self._rest.close()


def with_several_texts(readers: Sequence[LineReader], columns: str | None) -> list[int]:
    """Which of these files, from 0, hold several texts; if `columns` of them are named, one has to."""
    found = [i for i, reader in enumerate(readers) if holds_several_texts(reader)]
    if columns is not None and readers and not found:
        raise InputError(
            f"--columns {columns}: {readers[0].name} is no JSON Lines or Parquet, whose columns have names "
            "(tab-separated: --tsv 1,2)"
        )
    return found


def holds_several_texts(reader: LineReader) -> bool:
    """Whether a file is a test set or a table, by its name or its first bytes; other readers are not imported."""
    head, name = reader.head(), unpacked_name(reader.name.lower())
    if name.endswith((*_TEST_FILES, *_TABLES)) or head.startswith(b"PAR1"):
        return True
    if b"<" not in head[:64]:
        return False
    from tertium.io.markup import is_test_set

    return is_test_set(head)
