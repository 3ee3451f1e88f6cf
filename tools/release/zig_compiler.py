"""The compiler that tools/release/zig.cmake names: ziglang's, told in its own words what CMake tells clang.

Zig knows other names of processors. Its linker makes no bundles for macOS but libraries, which Python loads as well,
and reads no list of the symbols that Python has: what is missing may be found at run time (macho.py looks at it).
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path


def translated(words: list[str]) -> list[str]:
    made: list[str] = []
    for word in words:
        if word.startswith("-march="):
            made.append(f"-mcpu={word.removeprefix('-march=').replace('-', '_')}")
        elif word == "-bundle":
            made += ["-shared", "-Wl,-undefined,dynamic_lookup"]
        elif not word.startswith(("-Wl,@", "-Wl,-headerpad")):
            made.append(word)
    return made


if __name__ == "__main__":
    found = importlib.util.find_spec("ziglang")
    if found is None or found.origin is None:
        sys.exit("ziglang is not installed for this Python")
    zig = Path(found.origin).with_name("zig")
    os.execv(zig, [str(zig), *translated(sys.argv[1:])])
