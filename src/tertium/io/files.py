"""Lines of files in constant memory, several files side by side, and files written whole or not at all.

A line ends at "\\n" and nowhere else: U+2028 or a lone "\\r" inside a line is text. Trailing white space is removed,
including the "\\r" of CRLF. A last line without "\\n" counts; a "\\n" at the end of the file starts no new line.

A file is checked while it is read: NUL bytes, invalid UTF-8, known mark-up and excessively long lines are refused with
their place as soon as they are met, so that neither `/dev/zero` nor a gigabyte packed into a kilobyte needs memory.
"""

from __future__ import annotations

import os
import stat
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from types import TracebackType
from typing import IO, Any, Self, TextIO, cast

from tertium._native import Lines, first_bad_byte, split_lines
from tertium.errors import InputError, TertiumWarning
from tertium.io.streams import (
    HEAD,
    STDIN,
    ByteStream,
    FilePath,
    check_readable,
    checked_encoding,
    display_name,
    open_bytes,
    recoded,
)

BLOCK = 4 << 20  # bytes read at a time
LINE_LIMIT = 64  # megabytes that a line may have; also in the parameters called line_limit
_BOM = b"\xef\xbb\xbf"
_BLANK = b" \t\r\n\xef\xbb\xbf\xff\xfe\0"  # what may stand before the first tag of mark-up


class LineReader:
    """Reads the lines of a file batch by batch, `-` for standard input; gzip, xz and zstd are decompressed.

    Missing files are refused when the reader is made, everything else as it is read. `name` is what messages call the
    file; `block_size=None` reads all of it as one batch; `strip=False` keeps white space at the end of lines;
    `line_limit` is the longest line allowed, in megabytes.

    >>> with LineReader(written("hyp.txt", "one \\r\\ntwo")) as reader:
    ...     for batch in reader:
    ...         print([batch[i] for i in range(len(batch))], reader.lines_read)
    ['one', 'two'] 2
    """

    def __init__(
        self,
        path: FilePath,
        *,
        encoding: str = "utf-8",
        strip_bom: bool = False,
        name: str | None = None,
        block_size: int | None = BLOCK,
        strip: bool = True,
        line_limit: int = LINE_LIMIT,
        markup: bool = False,
    ) -> None:
        if block_size is not None and block_size < 1:
            raise ValueError(f"block_size must be at least 1, not {block_size}")
        if line_limit < 1:
            raise InputError(f"the line limit must be at least 1 (megabyte), not {line_limit}")
        self._is_utf8 = checked_encoding(encoding) == "utf-8"
        self.name, self.encoding = display_name(path) if name is None else name, encoding
        check_readable(path, self.name)
        self.lines_read = 0
        self._path, self._strip_bom, self._block_size = path, strip_bom, block_size
        self._strip, self._line_limit, self._markup = strip, line_limit, markup
        self._head: bytes | None = None
        self._raw: ByteStream | None = None
        self._stream: ByteStream | None = None
        self._rest = b""  # the beginning of a line whose end was not read yet
        self._bytes_read = 0
        self._ended = False

    def head(self) -> bytes:
        """The first bytes of the file, decompressed but not decoded; they can still be read."""
        if self._head is None:
            self._raw = open_bytes(self._path, self.name)
            try:
                self._head = self._raw.peek(HEAD)
            finally:
                if self._path != STDIN and os.path.isfile(self._path):  # not a pipe: can be opened again
                    self._raw.close()
                    self._raw = None
        return self._head

    def _opened(self) -> ByteStream:
        if self._raw is None:
            self._raw = open_bytes(self._path, self.name)
        return self._raw

    def read_bytes(self, *, lines: bool = True) -> bytes:
        """All bytes of the file, decompressed but not decoded, for formats other than lines of text."""
        self._stream = self._opened()
        try:
            if not lines:
                return self._stream.read(-1)
            parts = list(iter(lambda: self._next_block(text=False), b""))
        finally:
            self.close()
        if not any(part.strip() for part in parts):
            raise InputError(f"{self.name}: the file is empty")
        return b"".join(parts)

    def read(self) -> Lines | None:
        """The next batch of lines, at least one; None at the end."""
        if self._ended:
            return None
        try:
            if self._stream is None:
                if not self._markup and self.head().lstrip(_BLANK).startswith(b"<"):
                    from tertium.io.markup import refuse_markup

                    refuse_markup(self.head(), self.name)
                self._stream = recoded(self._opened(), self.encoding, self.name)
            block = self._block() if self._block_size is not None else self._all_blocks()
        except BaseException:
            self.close()
            raise
        if not block:
            self.close()
            return None
        lines = split_lines(block, self._strip)
        self.lines_read += len(lines)
        return lines

    def _all_blocks(self) -> bytes:
        blocks, before = [], self.lines_read
        while block := self._block():
            blocks.append(block)
            self.lines_read += block.count(b"\n")  # for messages about the blocks that follow
        self.lines_read = before
        return b"".join(blocks)

    def _block(self) -> bytes:
        """Whole lines without a bad byte; nothing at the end."""
        first = self._bytes_read == 0
        block = self._next_block()
        if first:
            block = self._after_bom(block)
            if not block:
                raise InputError(f"{self.name}: the file is empty")
        if (bad := first_bad_byte(block)) >= 0:
            raise self._bad_byte(block, bad)
        self._bytes_read += len(block)
        return block

    def _next_block(self, *, text: bool = True) -> bytes:
        """Whole lines: up to the last line break of what is read, the rest is kept for the next time."""
        assert self._stream is not None
        parts = [self._rest] if self._rest else []
        open_line = len(self._rest)
        self._rest = b""
        size, have = self._block_size or BLOCK, 0
        while part := self._stream.read(size):
            have += len(part)
            end = part.rfind(b"\n") + 1
            if text and not end and b"\0" in part:  # this line may never end
                block = b"".join([*parts, part])
                raise self._bad_byte(block, first_bad_byte(block))
            self._check_length(open_line, part, parts)
            if end and have >= size:
                self._rest = part[end:]
                parts.append(part[:end])
                break
            open_line = len(part) - end if end else open_line + len(part)
            parts.append(part)
        return b"".join(parts)

    def _check_length(self, open_line: int, part: bytes, before: Sequence[bytes]) -> None:
        """Refuse a line beyond the limit, without waiting for its end."""
        limit = self._line_limit << 20
        if open_line + len(part) <= limit:
            return
        lines = part.split(b"\n")
        lengths = [open_line + len(lines[0]), *map(len, lines[1:])]
        if max(lengths) > limit:
            number = self.lines_read + sum(map(bytes.count, before, [b"\n"] * len(before)))
            number += next(i for i, length in enumerate(lengths) if length > limit)
            raise InputError(
                f"{self.name}: line {number + 1} is longer than {self._line_limit} MB, too long for a segment: is "
                "this a text with one segment per line? (--line-limit MB allows longer lines)"
            )

    def _after_bom(self, block: bytes) -> bytes:
        if not block.startswith(_BOM):
            return block
        if self._strip_bom:
            self._bytes_read += len(_BOM)
            return block[len(_BOM) :]
        warnings.warn(
            f"{self.name}: begins with a byte-order mark, which is scored as text (--strip-bom removes it)",
            TertiumWarning,
            stacklevel=3,
        )
        return block

    def _bad_byte(self, block: bytes, bad: int) -> InputError:
        line = self.lines_read + block.count(b"\n", 0, bad) + 1
        begin = block.rfind(b"\n", 0, bad) + 1
        if self._is_utf8:
            where = f"byte {bad - begin + 1} of the line (byte {self._bytes_read + bad + 1} of the file)"
        else:  # these bytes are not those of the file
            where = f"character {len(block[begin:bad].decode('utf-8', 'surrogatepass')) + 1} of the line"
        kind = "UTF-8" if self._is_utf8 else "Unicode"
        problem = "is a NUL byte" if block[bad] == 0 else f"is not valid {kind}"
        if self.lines_read == 0 and block.startswith((b"\xff\xfe", b"\xfe\xff")):
            advice = "the file looks like UTF-16: name its encoding (-e utf-16)"
        else:
            advice = "repair the file or, if it has another encoding, name it (such as -e latin-1)"
        return InputError(f"{self.name}: line {line}, {where} {problem}; {advice}")

    def close(self) -> None:
        """Close the file. Reading to the end closes it, too."""
        self._ended = True
        self._rest = b""
        if self._raw is not None:
            self._raw.close()
            self._raw = self._stream = None

    def __iter__(self) -> Iterator[Lines]:
        while (batch := self.read()) is not None:
            yield batch

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<LineReader {self.name!r}, {self.lines_read} lines read>"


def aligned(
    readers: Sequence[LineReader], where: Callable[[Sequence[Any]], str] = lambda readers: ""
) -> Iterator[list[Lines]]:
    """Batches with the same lines of all files: each list has one column for each reader, all equally long.

    Files with different numbers of lines are refused, after all of them are counted; `where` says more about them.
    """
    try:
        batches: list[Lines | None] = [None] * len(readers)
        used = [0] * len(readers)
        while True:
            for i, reader in enumerate(readers):
                batch = batches[i]
                if batch is None or used[i] == len(batch):
                    batches[i], used[i] = reader.read(), 0
            here = [batch for batch in batches if batch is not None]
            if not here:
                return
            if len(here) < len(readers):
                raise _different_lengths(readers, where)
            n = min(len(batch) - begin for batch, begin in zip(here, used, strict=True))
            yield [_part(batch, begin, begin + n) for batch, begin in zip(here, used, strict=True)]
            used = [begin + n for begin in used]
    finally:
        for reader in readers:
            reader.close()


def _part(batch: Lines, begin: int, end: int) -> Lines:
    return batch if end - begin == len(batch) else batch.slice(begin, end)


def _different_lengths(readers: Sequence[LineReader], where: Callable[[Sequence[Any]], str]) -> InputError:
    for reader in readers:
        for _ in reader:
            pass
    counts = ", ".join(f"{reader.name}: {reader.lines_read}" for reader in readers)
    what = getattr(readers[0], "what", "lines")
    return InputError(f"the files have different numbers of {what} ({counts}){where(readers)}")


def read_lines(
    path: FilePath,
    *,
    encoding: str = "utf-8",
    strip_bom: bool = False,
    name: str | None = None,
    line_limit: int = LINE_LIMIT,
) -> Lines:
    """All lines of a file, as one column."""
    with LineReader(
        path, encoding=encoding, strip_bom=strip_bom, name=name, block_size=None, line_limit=line_limit
    ) as reader:
        lines = reader.read()
    assert lines is not None  # an empty file was refused
    return lines


def write_bytes(path: FilePath, data: bytes) -> None:
    """Write a file of bytes, which appears under its name once it is complete."""
    with write_atomically(path) as file:
        file.buffer.write(data)


@contextmanager
def write_atomically(path: FilePath, *, packed: bool | None = None) -> Iterator[TextIO]:
    """A text file to write. It appears under its name once it is complete; after an error nothing is left behind.

    A file whose name ends in `.gz` is compressed (or one that is to be `packed`); the same text always gives the same
    bytes.

    >>> path = written("scores.tsv", "")
    >>> with write_atomically(path) as file:
    ...     _ = file.write("bleu\\t30.2\\n")
    >>> path.read_text()
    'bleu\\t30.2\\n'
    """
    name = os.fspath(path)
    target = os.path.realpath(name)  # a symbolic link stays one
    pack = target.endswith(".gz") if packed is None else packed
    with _writing(name):
        mode = os.stat(target).st_mode if os.path.exists(target) else None
        if mode is not None and stat.S_ISDIR(mode):
            raise InputError(f"{name}: is a directory, not a file to write to")
        whole = mode is None or stat.S_ISREG(mode)  # a pipe or a device has no "beside"
        beside = _beside(target) if whole else target
        raw = open(beside, "xb" if whole else "wb")  # noqa: SIM115
        file = TextIOWrapper(_packed(raw) if pack else raw, encoding="utf-8", newline="\n")
    try:
        yield file
        with _writing(name):
            file.close()
            raw.close()
            if whole:
                if mode is not None:
                    os.chmod(beside, stat.S_IMODE(mode))
                os.replace(beside, target)
    except BaseException:
        for opened in (file, raw):
            with suppress(OSError):
                opened.close()
        if whole:
            with suppress(FileNotFoundError):
                os.unlink(beside)
        raise


def _packed(raw: IO[bytes]) -> IO[bytes]:
    import gzip

    return cast("IO[bytes]", gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0))


@contextmanager
def _writing(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{name}: cannot be written: {error.strerror or error}") from None


def _beside(target: str) -> str:
    folder, base = os.path.split(target)
    return os.path.join(folder, f".{base[:200]}.{os.getpid()}-{os.urandom(4).hex()}.part")
