"""Bytes in: files and standard input, decompressed, and in UTF-8 whatever they were.

A stream has `read(size)`, which gives about `size` bytes and nothing only at the end, and `close()`. Whatever
goes wrong is an `InputError` that names the file.
"""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from tertium.errors import InputError, MissingExtraError, did_you_mean

FilePath = str | os.PathLike[str]
STDIN = "-"
HEAD = 1 << 12  # bytes at the beginning of a file that tell what it is


class ByteStream(Protocol):
    """What the reader of lines wants of a file."""

    def peek(self, size: int, /) -> bytes: ...
    def read(self, size: int = -1, /) -> bytes: ...
    def close(self) -> None: ...


def display_name(path: FilePath) -> str:
    """What messages call a file.

    >>> display_name("-"), display_name("ref.txt")
    ('<stdin>', 'ref.txt')
    """
    return "<stdin>" if path == STDIN else os.fspath(path)


def check_readable(path: FilePath, name: str) -> None:
    """Refuse what is missing or not a file, before any work begins."""
    if path == STDIN:
        return
    try:
        if stat.S_ISDIR(os.stat(path).st_mode):
            raise IsADirectoryError
        if not os.access(path, os.R_OK):
            raise PermissionError
    except (OSError, ValueError) as error:
        raise unreadable(name, error) from None


def unreadable(name: str, error: Exception) -> InputError:
    """The one line for a file that the system does not let us read."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return InputError(f"{name}: no such file")
    if isinstance(error, IsADirectoryError):
        return InputError(f"{name}: is a directory, not a file")
    if isinstance(error, PermissionError):
        return InputError(f"{name}: no permission to read this file")
    return InputError(f"{name}: cannot be read: {getattr(error, 'strerror', None) or error}")


def recoded(stream: ByteStream, encoding: str, name: str) -> ByteStream:
    """A stream in an encoding as one of UTF-8."""
    codec = checked_encoding(encoding)
    return stream if codec == "utf-8" else _Recoded(stream, codec, encoding, name)


def checked_encoding(encoding: str) -> str:
    """Python's own name of an encoding.

    >>> checked_encoding("UTF8"), checked_encoding("latin-1")
    ('utf-8', 'iso8859-1')
    """
    try:
        " ".encode(encoding)  # unlike a bare look-up, refuses rot13 and the like
        return codecs.lookup(encoding).name
    except (LookupError, ValueError):
        common = ["utf-8", "latin-1", "cp1252", "utf-16", "gb18030", "big5", "shift_jis", "euc-kr", "koi8-r"]
        raise InputError(f"unknown encoding {encoding!r}{did_you_mean(encoding, common)}") from None


def read_bytes(path: FilePath) -> bytes:
    """All bytes of a file, decompressed but not decoded."""
    shown = display_name(path)
    check_readable(path, shown)
    stream = open_bytes(path, shown)
    try:
        return stream.read(-1)
    finally:
        stream.close()


@dataclass(frozen=True)
class _Compression:
    name: str
    magic: bytes
    suffixes: tuple[str, ...]
    load: Callable[[], tuple[Callable[[], Any], type[Exception]]]  # a maker of decompressors, and their error
    chunk: int  # packed bytes at a time: at most some 16 MB of text, even if all of it is one letter


def _gzip() -> tuple[Callable[[], Any], type[Exception]]:
    import zlib

    return lambda: zlib.decompressobj(wbits=31), zlib.error  # 31: with gzip's header and check sum


def _xz() -> tuple[Callable[[], Any], type[Exception]]:
    import lzma

    return lzma.LZMADecompressor, lzma.LZMAError


def _zstd() -> tuple[Callable[[], Any], type[Exception]]:
    try:
        import zstandard
    except ImportError:
        raise MissingExtraError("reading .zst files", "zstd") from None
    return lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError


_COMPRESSIONS = (
    _Compression("gzip", b"\x1f\x8b", (".gz",), _gzip, 1 << 14),
    _Compression("xz", b"\xfd7zXZ\0", (".xz",), _xz, 1 << 11),
    _Compression("zstd", b"\x28\xb5\x2f\xfd", (".zst", ".zstd"), _zstd, 1 << 9),
)
_LONGEST_MAGIC = max(len(compression.magic) for compression in _COMPRESSIONS)


def unpacked_name(name: str) -> str:
    """The name of a file without the suffix of its compression.

    >>> unpacked_name("online-A.en.gz")
    'online-A.en'
    """
    suffixes = [suffix for compression in _COMPRESSIONS for suffix in compression.suffixes]
    return next((name.removesuffix(suffix) for suffix in suffixes if name.endswith(suffix)), name)


def open_bytes(path: FilePath, name: str) -> ByteStream:
    """The bytes of a file, decompressed."""
    plain = _Plain(path, name)
    try:
        head = plain.peek(_LONGEST_MAGIC)
        for compression in _COMPRESSIONS:
            if head.startswith(compression.magic):
                return _Decompressed(plain, compression, name)
            if head and name.endswith(compression.suffixes):
                raise InputError(
                    f"{name}: is named like a {compression.name} file, but holds no {compression.name} data"
                )
    except BaseException:
        plain.close()
        raise
    return plain


class _Peekable:
    """A stream whose first bytes can be looked at, even those of a pipe."""

    _head = b""

    def peek(self, size: int, /) -> bytes:
        while len(self._head) < size and (more := self._read(size - len(self._head))):
            self._head += more
        return self._head

    def read(self, size: int = -1, /) -> bytes:
        head, self._head = self._head, b""
        if not head:
            return self._read(size)
        return head if 0 <= size <= len(head) else head + self._read(size - len(head) if size >= 0 else -1)

    def _read(self, size: int) -> bytes:
        raise NotImplementedError


class _Plain(_Peekable):
    """A file or standard input as it is."""

    def __init__(self, path: FilePath, name: str) -> None:
        self._name, self._ended = name, False
        self._owned = path != STDIN
        try:
            self._file = open(path, "rb") if self._owned else _standard_input()  # noqa: SIM115
        except OSError as error:
            raise unreadable(name, error) from None

    def _read(self, size: int) -> bytes:
        if self._ended:
            return b""
        try:
            data = bytes(self._file.read(size))
        except OSError as error:
            raise unreadable(self._name, error) from None
        # typed on a terminal: do not wait for a second end
        self._ended = not data or (len(data) < size and self._file.isatty())
        return data

    def close(self) -> None:
        if self._owned:
            self._file.close()


def _standard_input() -> Any:
    if sys.stdin is None:
        raise InputError("<stdin>: standard input is closed")
    if hasattr(sys.stdin, "buffer"):
        return sys.stdin.buffer
    import io

    return io.BytesIO(sys.stdin.read().encode())  # somebody replaced it by a text stream


class _Decompressed(_Peekable):
    """gzip, xz or zstd, of one member or several, as one stream."""

    def __init__(self, compressed: ByteStream, compression: _Compression, name: str) -> None:
        self._compressed, self._what, self._name = compressed, compression.name, name
        self._chunk = compression.chunk
        self._new_member, self._error = compression.load()
        self._member: Any = self._new_member()
        self._pending = b""

    def _read(self, size: int) -> bytes:
        parts: list[bytes] = []
        have = 0
        while (size < 0 or have < size) and (part := self._part()):
            parts.append(part)
            have += len(part)
        return b"".join(parts)

    def _part(self) -> bytes:
        while True:
            data = self._pending or self._compressed.read(self._chunk)
            self._pending = b""
            if self._member is None:  # between members only zeros may stand
                if not data:
                    return b""
                data = data.lstrip(b"\0")
                if not data:
                    continue
                self._member = self._new_member()
            elif not data:
                raise InputError(f"{self._name}: damaged {self._what} data: the file ends too early")
            try:
                part = self._member.decompress(data)
            except (self._error, EOFError) as error:
                raise InputError(f"{self._name}: damaged {self._what} data ({error})") from None
            if self._member.eof:
                self._pending = self._member.unused_data
                self._member = None
            if part:
                return bytes(part)

    def close(self) -> None:
        self._compressed.close()


class _Recoded(_Peekable):
    """Text of another encoding, as UTF-8."""

    def __init__(self, stream: ByteStream, codec: str, encoding: str, name: str) -> None:
        self._stream, self._encoding, self._name = stream, encoding, name
        self._decoder = codecs.getincrementaldecoder(codec)()
        self._bytes = self._lines = self._characters = 0  # what was decoded: all bytes, lines, the open line

    def _read(self, size: int) -> bytes:
        while True:
            raw = self._stream.read(size)
            text = self._decode(raw)
            self._bytes += len(raw)
            self._advance(text)
            if text or not raw:
                return text.encode(
                    "utf-8", "surrogatepass"
                )  # lone surrogates are refused with their line later

    def _decode(self, raw: bytes) -> str:
        state = self._decoder.getstate()
        try:
            return self._decoder.decode(raw, final=not raw)
        except UnicodeError as error:
            pending = start = 0
            if isinstance(error, UnicodeDecodeError):
                pending = len(error.object) - len(raw)  # bytes that the decoder had kept back
                start = error.start
            self._decoder.setstate(state)
            self._advance(self._decoder.decode(raw[: max(start - pending, 0)]))
            raise InputError(
                f"{self._name}: line {self._lines + 1}, character {self._characters + 1} of the line "
                f"(byte {self._bytes - pending + start + 1} of the file) is not valid {self._encoding}; "
                "name the file's actual encoding (-e)"
            ) from None

    def _advance(self, text: str) -> None:
        breaks = text.count("\n")
        self._lines += breaks
        self._characters = len(text) - text.rfind("\n") - 1 if breaks else self._characters + len(text)

    def close(self) -> None:
        self._stream.close()
