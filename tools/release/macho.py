"""What a 64-bit library for macOS asks of the machine that loads it, read from the file itself.

python -m tools.release.macho FILE
"""

from __future__ import annotations

import struct
import sys
from dataclasses import dataclass, field
from pathlib import Path

MAGIC = 0xFEEDFACF
PROCESSORS = {0x01000007: "x86_64", 0x0100000C: "arm64"}
SYMTAB, LOAD_DYLIB, VERSION_MIN, BUILD_VERSION = 0x2, 0xC, 0x24, 0x32
EXTERNAL, KIND, DEBUG = 0x01, 0x0E, 0xE0
OF_NO_LIBRARY = {0x00, 0xFE}  # Zig writes the first, Apple the second


@dataclass
class Library:
    processor: str
    oldest: tuple[int, int] = (0, 0)  # version of macOS
    libraries: list[str] = field(default_factory=list)
    exported: set[str] = field(default_factory=set)
    looked_up: set[str] = field(default_factory=set)  # wherever they are found at run time: in Python


def text_at(data: bytes, start: int) -> str:
    return data[start : data.index(0, start)].decode()


def read(path: Path) -> Library:
    data = path.read_bytes()
    magic, processor, _, _, commands, *_ = struct.unpack_from("<8I", data)
    if magic != MAGIC:
        raise ValueError(f"{path}: no 64-bit file of macOS")
    found = Library(PROCESSORS.get(processor, hex(processor)))
    place = 32
    for _ in range(commands):
        command, size, *_ = struct.unpack_from("<2I", data, place)
        if command in (VERSION_MIN, BUILD_VERSION):
            (version,) = struct.unpack_from("<I", data, place + (8 if command == VERSION_MIN else 12))
            found.oldest = (version >> 16, version >> 8 & 0xFF)
        elif command == LOAD_DYLIB:
            (name,) = struct.unpack_from("<I", data, place + 8)
            found.libraries.append(text_at(data, place + name))
        elif command == SYMTAB:
            symbols, count, texts, _ = struct.unpack_from("<4I", data, place + 8)
            for start in range(symbols, symbols + 16 * count, 16):
                text, kind, _, about, _ = struct.unpack_from("<IBBHQ", data, start)
                if kind & DEBUG or not kind & EXTERNAL:
                    continue
                name = text_at(data, texts + text)
                if kind & KIND:
                    found.exported.add(name)
                elif about >> 8 in OF_NO_LIBRARY:
                    found.looked_up.add(name)
        place += size
    return found


if __name__ == "__main__":
    print(read(Path(sys.argv[1])))
