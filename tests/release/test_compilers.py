"""The second compiler: for every platform of the wheels, and told what CMake meant; what a library for macOS asks."""

from __future__ import annotations

import re
import struct
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tools.release import macho
from tools.release.zig import TARGETS
from tools.release.zig_compiler import translated

WHEELS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["cibuildwheel"]


def test_every_platform_that_has_wheels() -> None:
    """As old as the wheels promise, and both flavours of Python's interface on each system."""
    image = re.fullmatch(r"manylinux_(\d+)_(\d+)", WHEELS["linux"]["manylinux-x86_64-image"])
    assert image
    oldest = WHEELS["macos"]["environment"]["MACOSX_DEPLOYMENT_TARGET"]
    linux = {f"{arch}-linux-gnu.{image[1]}.{image[2]}" for arch in WHEELS["linux"]["archs"]}
    mac = {f"{arch.replace('arm64', 'aarch64')}-macos.{oldest}" for arch in WHEELS["macos"]["archs"]}
    assert set(TARGETS) == linux | mac
    for system in (linux, mac):
        assert {python for target in system for python in TARGETS[target]} == {"3.11", "3.12"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("-O3 -march=x86-64-v2 -c a.cpp", "-O3 -mcpu=x86_64_v2 -c a.cpp"),
        ("-bundle -Wl,-headerpad_max_install_names", "-shared -Wl,-undefined,dynamic_lookup"),
        ("-Wl,@/there/darwin-ld-cpython.sym -Wl,-dead_strip", "-Wl,-dead_strip"),
    ],
)
def test_what_the_compiler_is_told(words: str, expected: str) -> None:
    assert translated(words.split()) == expected.split()


def library() -> bytes:
    """A library for macOS 11 on Apple silicon: four symbols and no code."""
    names = ("_PyInit_x", "_malloc", "_PyList_New", "_Py_Second")
    texts = b"\0" + b"".join(name.encode() + b"\0" for name in names)
    starts = [texts.index(name.encode()) for name in names]
    kinds = [(0x0F, 0), (0x01, 1 << 8), (0x01, 0), (0x01, 0xFE << 8)]
    loaded = b"/usr/lib/libSystem.B.dylib\0".ljust(32, b"\0")
    commands = struct.pack("<6I", 0x32, 24, 1, 11 << 16, 15 << 16, 0)
    commands += struct.pack("<6I", 0xC, 24 + len(loaded), 24, 0, 0, 0) + loaded
    symbols = 32 + len(commands) + 24
    commands += struct.pack("<6I", 0x2, 24, symbols, len(names), symbols + 16 * len(names), len(texts))
    table = [
        struct.pack("<IBBHQ", start, kind, 0, about, 0)
        for start, (kind, about) in zip(starts, kinds, strict=True)
    ]
    head = struct.pack("<8I", macho.MAGIC, 0x0100000C, 0, 6, 3, len(commands), 0, 0)
    return head + commands + b"".join(table) + texts


def test_a_library_for_macos(tmp_path: Path) -> None:
    path = tmp_path / "x.so"
    path.write_bytes(library())
    assert macho.read(path) == macho.Library(
        "arm64", (11, 0), ["/usr/lib/libSystem.B.dylib"], {"_PyInit_x"}, {"_PyList_New", "_Py_Second"}
    )
    path.write_bytes(b"\x7fELF" + bytes(60))
    with pytest.raises(ValueError, match="no 64-bit file of macOS"):
        macho.read(path)
