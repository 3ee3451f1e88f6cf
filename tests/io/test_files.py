"""Lines come out as they went in, in flat memory, and what is wrong with a file is said in one line."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import subprocess
import sys
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertium._native import Lines
from tertium.errors import InputError, MissingExtraError, TertiumWarning
from tertium.io.files import LineReader, aligned, read_lines, write_atomically
from tertium.io.streams import open_bytes
from tests.conftest import skip_or_fail


def texts(lines: Lines | None) -> list[str | None]:
    assert lines is not None
    return [lines[i] for i in range(len(lines))]


def all_texts(reader: LineReader) -> list[str | None]:
    return [text for batch in reader for text in texts(batch)]


def write(folder: Path, data: bytes, name: str = "file.txt") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def refusal(path: Path, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        all_texts(LineReader(path, **options))
    message = str(caught.value)
    assert "\n" not in message
    assert path.name in message
    return message


# What a line is.


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\ntwo", ["one", "two"]),
        (b"\n", [""]),
        (b"\n\n", ["", ""]),
        (b"one\n\n", ["one", ""]),
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"one\rstill one\n", ["one\rstill one"]),
        (b"  one \t \ntwo\xe3\x80\x80\n", ["  one", "two"]),
        (
            "one\u2028still one\u2029and\x85on\x0b\x0c\x1cx\n".encode(),
            ["one\u2028still one\u2029and\x85on\x0b\x0c\x1cx"],
        ),
        ("ü中😀\n".encode(), ["ü中😀"]),
    ],
)
def test_what_a_line_is(tmp_path: Path, data: bytes, expected: list[str]) -> None:
    path = write(tmp_path, data)
    assert all_texts(LineReader(path)) == expected
    assert texts(read_lines(path)) == expected


@pytest.mark.parametrize("block_size", [*range(1, 24), 1 << 20])
def test_block_boundaries_do_not_matter(tmp_path: Path, block_size: int) -> None:
    """Among these sizes a boundary falls inside every character, inside CRLF, right behind a line break."""
    data = "a中b\r\n\r\nüü😀\n\nlast one 😀😀😀".encode()
    reader = LineReader(write(tmp_path, data), block_size=block_size)
    assert all_texts(reader) == ["a中b", "", "üü😀", "", "last one 😀😀😀"]
    assert reader.lines_read == 5


@pytest.mark.parametrize("shift", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize("at_boundary", ["\n", "\r\n", "😀", "中\n"])
def test_a_boundary_of_a_mebibyte(tmp_path: Path, shift: int, at_boundary: str) -> None:
    block = 1 << 20
    filling = "x" * 63 + "\n"
    text = (
        filling * (block // 64 - 1) + "y" * (64 + shift - len(at_boundary.encode())) + at_boundary + "z\n" * 3
    )
    path = write(tmp_path, text.encode())
    expected = [line.rstrip() for line in text.removesuffix("\n").split("\n")]
    reader = LineReader(path, block_size=block)
    assert all_texts(reader) == expected == texts(read_lines(path))


def test_a_line_longer_than_many_blocks(tmp_path: Path) -> None:
    long = "wörter " * 5000 + "end"
    path = write(tmp_path, f"a\n{long}\nb\n".encode())
    assert all_texts(LineReader(path, block_size=100)) == ["a", long, "b"]


@given(
    lines=st.lists(st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"])), min_size=1),
    block_size=st.integers(1, 40),
    final=st.booleans(),
    packed=st.sampled_from([bytes, gzip.compress, lzma.compress]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_what_is_written_is_read(
    tmp_path: Path, lines: list[str], block_size: int, final: bool, packed: Any
) -> None:
    text = "\n".join(lines) + ("\n" if final or not lines[-1] else "")
    path = write(tmp_path, packed(text.encode()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TertiumWarning)  # a text may well begin with U+FEFF
        assert all_texts(LineReader(path, block_size=block_size)) == [line.rstrip() for line in lines]


# Where lines come from.


@pytest.mark.parametrize(("pack", "suffix"), [(gzip.compress, ".gz"), (lzma.compress, ".xz")])
@pytest.mark.parametrize("named", [True, False])
def test_compressed_files_are_known_by_content(tmp_path: Path, pack: Any, suffix: str, named: bool) -> None:
    data = "eins ü\nzwei\n".encode() * 1000
    path = write(tmp_path, pack(data), "file" + (suffix if named else ""))
    assert texts(read_lines(path)) == ["eins ü", "zwei"] * 1000
    assert all_texts(LineReader(path, block_size=777)) == ["eins ü", "zwei"] * 1000


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_several_members_and_padding(tmp_path: Path, pack: Any) -> None:
    path = write(tmp_path, pack(b"one\ntw") + bytes(8) + pack(b"o\n") + bytes(40000))
    assert texts(read_lines(path)) == ["one", "two"]


def test_zstd(tmp_path: Path) -> None:
    try:
        import zstandard
    except ImportError:
        skip_or_fail("the extra zstd is not installed")
    packed = zstandard.ZstdCompressor().compress(b"one\ntwo\n" * 9999)
    path = write(tmp_path, packed + packed, "file.zst")
    assert len(read_lines(path)) == 4 * 9999
    assert "damaged zstd data: the file ends too early" in refusal(write(tmp_path, packed[:-9], "cut.zst"))
    assert "damaged zstd data" in refusal(write(tmp_path, packed[:8] + b"\xff" * 30 + packed[38:], "bad.zst"))


def test_zstd_without_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    reader = LineReader(write(tmp_path, b"\x28\xb5\x2f\xfd rest"))
    with pytest.raises(MissingExtraError, match=r"reading \.zst files needs an extra: .*tertium\[zstd\]"):
        reader.read()


class SlowInput(io.RawIOBase):
    """A pipe that gives a byte at a time."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._data.read(min(size, 1) if size >= 0 else -1)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, pack: Any) -> None:
    slow = SlowInput(pack("eins ü\nzwei".encode()))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(slow))  # type: ignore[type-var]
    reader = LineReader("-")
    assert reader.name == "<stdin>"
    assert all_texts(reader) == ["eins ü", "zwei"]
    assert not slow.closed


def test_standard_input_that_is_text_or_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("ü\n"))
    assert texts(read_lines("-")) == ["ü"]
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="<stdin>: standard input is closed"):
        read_lines("-")


@pytest.mark.parametrize(
    "encoding", ["latin-1", "utf-16", "utf-16-le", "cp1252", "UTF8", "gb18030", "utf-8-sig"]
)
@pytest.mark.parametrize("block_size", [1, 3, 1 << 20])
def test_other_encodings(tmp_path: Path, encoding: str, block_size: int) -> None:
    path = write(tmp_path, "größer\r\nund\n\nälter".encode(encoding))
    reader = LineReader(path, encoding=encoding, block_size=block_size)
    assert all_texts(reader) == ["größer", "und", "", "älter"]


# What is refused.


def test_missing_files_and_folders(tmp_path: Path) -> None:
    assert refusal(tmp_path / "missing.txt") == f"{tmp_path}/missing.txt: no such file"
    assert refusal(tmp_path).endswith(": is a directory, not a file")
    inside = write(tmp_path, b"x") / "inside"
    assert refusal(inside).endswith("inside: no such file")
    with pytest.raises(InputError, match="cannot be read"):
        LineReader("a\0b")


def test_missing_files_are_refused_before_they_are_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        LineReader(tmp_path / "missing.txt")


def test_permission_and_disk_errors_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, b"x\n")
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert refusal(path).endswith("no permission to read this file")
    monkeypatch.undo()
    reader = LineReader(path)
    path.unlink()
    with pytest.raises(InputError, match="no such file"):
        reader.read()
    with pytest.raises(InputError, match="cannot be read: Input/output error"):
        open_bytes("/proc/self/mem", "mem").read(10)


@pytest.mark.parametrize(
    "data", [b"", gzip.compress(b"", mtime=0), lzma.compress(b"")], ids=["plain", "gzip", "xz"]
)
def test_empty_files(tmp_path: Path, data: bytes) -> None:
    assert refusal(write(tmp_path, data)).endswith("file.txt: the file is empty")
    assert refusal(write(tmp_path, b"", "empty.gz")).endswith("empty.gz: the file is empty")


@pytest.mark.parametrize(
    ("data", "line", "byte", "offset"),
    [
        (b"\xff\n", 1, 1, 1),
        (b"one\ntwo\nab\xe4c\n", 3, 3, 11),
        ("ü\n中".encode() + b"\xc3\n", 2, 4, 7),
        (b"one\n\xed\xa0\x80\n", 2, 1, 5),  # a lone surrogate
        (b"one\n\xc0\x80\n", 2, 1, 5),  # an overlong form
        (b"one\ncut \xf0\x9f\x98", 2, 5, 9),
    ],
)
@pytest.mark.parametrize("block_size", [1, 4, 1 << 20])
def test_invalid_utf8(
    tmp_path: Path, data: bytes, line: int, byte: int, offset: int, block_size: int
) -> None:
    message = refusal(write(tmp_path, data), block_size=block_size)
    place = f"file.txt: line {line}, byte {byte} of the line (byte {offset} of the file) is not valid UTF-8;"
    assert place in message
    assert "-e latin-1" in message


@pytest.mark.parametrize("block_size", [1, 4, 1 << 20])
def test_nul_bytes(tmp_path: Path, block_size: int) -> None:
    message = refusal(write(tmp_path, b"one\ntwo\nab\0c\n"), block_size=block_size)
    assert "line 3, byte 3 of the line (byte 11 of the file) is a NUL byte" in message
    assert "line 1, character 2 of the line is a NUL" in refusal(
        write(tmp_path, b"\xe4\0"), encoding="latin-1"
    )


def test_a_file_in_utf16_is_recognised(tmp_path: Path) -> None:
    assert "not valid UTF-8; the file looks like UTF-16: name its encoding (-e utf-16)" in refusal(
        write(tmp_path, "ab\n".encode("utf-16"))
    )


@pytest.mark.parametrize("block_size", [1, 2, 7, 1 << 20])
def test_invalid_in_other_encodings(tmp_path: Path, block_size: int) -> None:
    path = write(tmp_path, "größer\nab".encode("cp1252") + b"\x81c\n")
    message = refusal(path, encoding="cp1252", block_size=block_size)
    assert "line 2, character 3 of the line (byte 10 of the file) is not valid cp1252;" in message
    path = write(tmp_path, "ü\n".encode("utf-16-le") + b"\x00\xd8a\0")
    message = refusal(path, encoding="utf-16-le", block_size=block_size)
    assert "line 2, character 1 of the line (byte 5 of the file) is not valid utf-16-le;" in message
    path = write(tmp_path, "ü\nx".encode("utf-16-le") + b"x")
    message = refusal(path, encoding="utf-16-le", block_size=block_size)
    assert "line 2, character 2 of the line (byte 7 of the file)" in message


def test_a_lone_surrogate_of_another_encoding(tmp_path: Path) -> None:
    message = refusal(write(tmp_path, b"ok\n\\ud800\n"), encoding="unicode_escape")
    assert "line 2, character 1 of the line is not valid Unicode" in message


@pytest.mark.parametrize("encoding", ["latin1000", "rot13", "hex", "undefined", "a\0b"])
def test_unknown_encodings(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(InputError, match="unknown encoding"):
        LineReader(write(tmp_path, b"x"), encoding=encoding)


@pytest.mark.parametrize(("pack", "what"), [(gzip.compress, "gzip"), (lzma.compress, "xz")])
def test_damaged_compressed_files(tmp_path: Path, pack: Any, what: str) -> None:
    packed = pack(bytes(range(32, 127)) * 50)
    assert f"damaged {what} data: the file ends too early" in refusal(write(tmp_path, packed[:-7]))
    assert f"damaged {what} data" in refusal(write(tmp_path, packed[:30] + b"\xaa\xbb\xcc" + packed[33:]))
    assert f"damaged {what} data" in refusal(write(tmp_path, packed + b"rubbish"))
    suffix = {"gzip": ".gz", "xz": ".xz"}[what]
    assert f"holds no {what} data" in refusal(write(tmp_path, b"plain text\n", "plain" + suffix))


# What is warned about.


def test_a_byte_order_mark_is_text(tmp_path: Path) -> None:
    path = write(tmp_path, b"\xef\xbb\xbfone\ntwo\n")
    with pytest.warns(TertiumWarning, match=r"file.txt: begins with a byte-order mark.*--strip-bom"):
        assert all_texts(LineReader(path)) == ["\ufeffone", "two"]
    for block_size in (1, 2, 100):
        assert all_texts(LineReader(path, strip_bom=True, block_size=block_size)) == ["one", "two"]
    assert refusal(write(tmp_path, b"\xef\xbb\xbf"), strip_bom=True).endswith("the file is empty")
    message = refusal(write(tmp_path, b"\xef\xbb\xbfab\xff\n"), strip_bom=True)
    assert "line 1, byte 3 of the line (byte 6 of the file)" in message


# Several files.


@pytest.mark.parametrize("block_sizes", [(1, 1, 1), (7, 40, 1000), (1 << 20, 5, 13)])
def test_aligned(tmp_path: Path, block_sizes: tuple[int, ...]) -> None:
    columns = [[f"{'x' * (i * k % 17)}{i}" for i in range(200)] for k in (1, 5, 11)]
    readers = [
        LineReader(write(tmp_path, "\n".join(column).encode(), f"{k}.txt"), block_size=size)
        for k, (column, size) in enumerate(zip(columns, block_sizes, strict=True))
    ]
    read: list[list[str | None]] = [[], [], []]
    for batches in aligned(readers):
        assert len({len(batch) for batch in batches}) == 1
        assert len(batches[0])
        for column, batch in zip(read, batches, strict=True):
            column += texts(batch)
    assert read == columns


@pytest.mark.parametrize("block_size", [1, 9, 1 << 20])
def test_different_line_counts(tmp_path: Path, block_size: int) -> None:
    paths = [write(tmp_path, b"line\n" * n, f"{n}.txt") for n in (30, 30, 31, 1)]
    with pytest.raises(InputError) as caught:
        for _ in aligned([LineReader(path, name=path.name, block_size=block_size) for path in paths]):
            pass
    expected = "the files have different numbers of lines (30.txt: 30, 30.txt: 30, 31.txt: 31, 1.txt: 1)"
    assert str(caught.value) == expected


def test_aligned_closes_its_files(tmp_path: Path) -> None:
    good = LineReader(write(tmp_path, b"x\n" * 100, "good"), block_size=10)
    bad = LineReader(write(tmp_path, b"x\n\xff\n", "bad"), block_size=2)
    with pytest.raises(InputError, match="bad: line 2"):
        list(aligned([good, bad]))
    assert good.read() is None


# Memory and time.


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("big") / "big.txt"
    block = "".join(f"Die Zeile {i} ist nicht länger als andere Zeilen.\n" for i in range(20000)).encode()
    with path.open("wb") as file:
        for _ in range(60_000_000 // len(block) + 1):
            file.write(block)
    return path


def test_memory_stays_flat(big: Path) -> None:
    assert big.stat().st_size > 60_000_000
    tracemalloc.start()
    try:
        assert sum(len(batch) for batch in LineReader(big)) % 20000 == 0
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 25e6


@pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="Linux tells the peak of a process in /proc"
)
def test_memory_of_the_process_stays_flat(big: Path) -> None:
    """Native memory too, and no numpy: the peak of a fresh process that reads two files side by side."""
    program = (
        "import sys, re\n"
        "from tertium.io.files import aligned, LineReader\n"
        "n = sum(len(a) for a, b in aligned([LineReader(sys.argv[1]), LineReader(sys.argv[1])]))\n"
        "heavy = [m for m in ('numpy', 'gzip', 'lzma', 'rich', 'tempfile') if m in sys.modules]\n"
        "print(n, re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1], *heavy)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program, str(big)], capture_output=True, text=True, check=True
    )
    n, peak, *heavy = result.stdout.split()
    assert int(n) % 20000 == 0
    assert int(peak) < 100_000  # kB
    assert heavy == []


# Writing.


def interrupted(path: Path) -> None:
    with write_atomically(path) as file:
        file.write("half")
        raise KeyboardInterrupt


def test_writing_is_all_or_nothing(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with write_atomically(path) as file:
        file.write("ü\n")
        assert not path.exists()
    assert path.read_bytes() == "ü\n".encode()
    path.chmod(0o640)
    with pytest.raises(KeyboardInterrupt):
        interrupted(path)
    assert path.read_bytes() == "ü\n".encode()
    with write_atomically(path) as file:
        file.write("new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["out.txt"]


def test_writing_through_links_and_to_devices(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with write_atomically(tmp_path / "link") as file:
        file.write("x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "x"
    with write_atomically("/dev/null") as file:
        file.write("x")
    assert not Path("/dev/null").is_file()


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written"), write_atomically(tmp_path / "no" / "such"):
        pytest.fail("there is nothing to write to")
    with pytest.raises(InputError, match="is a directory"), write_atomically(tmp_path):
        pytest.fail("there is nothing to write to")
    with pytest.raises(FileNotFoundError), write_atomically(tmp_path / "x"):
        raise FileNotFoundError  # the caller's own error stays what it is
    assert os.listdir(tmp_path) == []


def test_a_block_has_a_size(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        LineReader(write(tmp_path, b"x"), block_size=0)


def test_a_reader_shows_itself(tmp_path: Path) -> None:
    reader = LineReader(write(tmp_path, b"x\n"), name="mine")
    reader.read()
    assert repr(reader) == "<LineReader 'mine', 1 lines read>"
    reader.close()


@pytest.mark.parametrize("whole", [True, False])
def test_a_line_beyond_the_limit(tmp_path: Path, whole: bool) -> None:
    path = tmp_path / "long"
    path.write_bytes(b"one\ntwo\n" + b"a" * ((1 << 20) + 1) + b"\nfour\n")
    how: dict[str, Any] = {"block_size": None} if whole else {"block_size": 1000}
    with pytest.raises(InputError, match=r"long: line 3 is longer than 1 MB.*--line-limit"):
        all_texts(LineReader(path, line_limit=1, **how))
    assert len(all_texts(LineReader(path, line_limit=2, **how))) == 4
    path.write_bytes(b"a" * (1 << 20) + b"\n")
    assert len(all_texts(LineReader(path, line_limit=1, **how))) == 1
    with pytest.raises(InputError, match="at least 1"):
        LineReader(path, line_limit=0)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('<?xml version="1.0"?>\n<tmx version="1.4"><header/>', r"a translation memory \(TMX\)"),
        ('<tmx version="1.4">\n<header/>', r"a translation memory \(TMX\)"),
        ('\ufeff<?xml version="1.0"?><xliff version="1.1"><file>', r"a localisation file \(XLIFF\)"),
        ("<!DOCTYPE html>\n<html>", r"a web page \(HTML\)"),
        ("<HTML>\n<HEAD>", r"a web page \(HTML\)"),
        ('<?xml version="1.0"?>\n<!-- hm -->\n<something/>', r"an XML file \(<something>\)"),
        ('<refset setid="x">\n<doc docid="d">', r"a WMT test set \(SGML or XML\)"),
    ],
)
def test_mark_up_is_no_text(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "text"
    for encoding in ("utf-8", "utf-16"):
        path.write_text(text, encoding)
        with pytest.raises(InputError, match=f"text: is {what}"):
            all_texts(LineReader(path, encoding=encoding))


@pytest.mark.parametrize(
    "text", ["<b>Bold</b> words", "<html> is a tag", "<tmx> too", "a < b", "<3", "<dataset>", "<"]
)
def test_a_tag_at_the_beginning_is_text(tmp_path: Path, text: str) -> None:
    path = tmp_path / "text"
    path.write_text(text + "\n", "utf-8")
    assert all_texts(LineReader(path)) == [text]
