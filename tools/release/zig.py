"""The native core by a second compiler, for every platform that has wheels: the second half of `make cross`.

    python -m tools.release.zig [TARGET ...]

PyPI's ziglang has clang, LLVM's C++ library, and headers and linkers for all of them. With warnings as errors:

- Linux, x86-64: both wheels, audited for the oldest Linux that we promise, and installed in clean environments. Rows
  and scores must be those of this machine's own core, which GCC and GNU's library made;
- Linux, 64-bit ARM: under emulation, the same (cross.py);
- macOS: compiled and linked only. What the files ask for must be there on the oldest macOS that we promise.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.release import macho
from tools.release.cross import ROOT, build_tools, run
from tools.release.rehearse import TOOLS, check_wheel, environment, interpreter, repaired, tried

# 3.11 has Python's full API, 3.12 stands for the stable ABI. Each kind of Mac gets one, so that both are compiled.
TARGETS = {
    "x86_64-linux-gnu.2.28": ("3.11", "3.12"),
    "aarch64-linux-gnu.2.28": ("3.11",),
    "x86_64-macos.11.0": ("3.11",),
    "aarch64-macos.11.0": ("3.12",),
}
GCC = {"x86_64": "g++", "aarch64": "aarch64-linux-gnu-g++"}
# Of clang's runtime, which a Mac's compiler links and ziglang has not: what the processor can do.
OF_THE_COMPILER = {"___cpu_model", "___cpu_indicator_init"}


def built(target: str, python: str, tools: Path, folder: Path) -> Path:
    """The core, in a build folder of its own."""
    own = environment(interpreter(python), folder / "python", "nanobind")
    gcc = [] if "macos" in target else [GCC[target.partition("-")[0]], "-print-libgcc-file-name"]
    runtime = subprocess.run(gcc, capture_output=True, text=True, check=True).stdout.strip() if gcc else ""
    system = "darwin" if "macos" in target else target[: target.index(".")]
    named = [f"-DSKBUILD_SOABI=cpython-{python.replace('.', '')}-{system}", "-DSKBUILD_SOSABI=abi3"]
    stable = ["-DSKBUILD_SABI_COMPONENT=Development.SABIModule"] if python != "3.11" else []
    run(
        *(tools / "cmake", "-S", ROOT, "-B", folder / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
        *(f"-DCMAKE_TOOLCHAIN_FILE={Path(__file__).with_name('zig.cmake')}", f"-DTERTIUM_TARGET={target}"),
        *(f"-DTERTIUM_PYTHON={tools / 'python'}", f"-DPython_EXECUTABLE={own / 'python'}"),
        *(f"-DTERTIUM_RUNTIME={runtime}", f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}", "-DTERTIUM_STRICT=ON"),
        *(*named, *stable),
    )
    run(tools / "ninja", "-C", folder / "build", "--quiet", f"-j{os.cpu_count()}")
    return next((folder / "build").glob("_native*.so"))


def on_this_machine(core: Path, python: str, target: str, folder: Path) -> None:
    """A wheel with this core: how old the Linux may be, and whether it computes what our own core does."""
    own = environment(interpreter(python), folder / "builder")
    ready = f"--config-settings=cmake.define.TERTIUM_PREBUILT={core}"
    run(own / "pip", "wheel", "--quiet", "--no-deps", ready, "--wheel-dir", folder / "wheels", ROOT)
    (wheel,) = (folder / "wheels").iterdir()
    auditing = environment(Path(sys.executable), folder / "auditing", *TOOLS)
    wheel = repaired(wheel, auditing, folder)
    check_wheel(wheel, auditing)
    promised = int(target.rpartition(".")[2])
    if min(map(int, re.findall(r"manylinux_2_(\d+)", wheel.name))) > promised:
        sys.exit(f"make cross: {wheel.name} needs a newer Linux than manylinux_2_{promised}")
    theirs = tried(python, interpreter(python), wheel, folder)
    run(sys.executable, "-m", "tools.release.digest", folder / "here.json")
    run(sys.executable, "-m", "tools.release.digest", folder / "here.json", theirs)


def python_symbols(folder: Path) -> set[str]:
    """What a Mac's Python has for modules, by nanobind's list."""
    (listed,) = folder.glob("python/lib/python*/site-packages/nanobind/cmake/darwin-ld-cpython.sym")
    return set(listed.read_text("utf-8").split()) - {"-U"}


def for_a_mac(core: Path, target: str, folder: Path) -> None:
    """Nothing is asked of the system but its own library, and nothing of Python but what Python has."""
    found = macho.read(core)
    oldest = tuple(int(part) for part in target.partition("macos.")[2].split("."))
    missing = found.looked_up - python_symbols(folder) - OF_THE_COMPILER
    wrong = [
        *([f"for macOS {found.oldest}"] if found.oldest != oldest else []),
        *(f"needs {name}" for name in found.libraries if name != "/usr/lib/libSystem.B.dylib"),
        *(f"{name} is nowhere" for name in sorted(missing)),
        *([] if "_PyInit__native" in found.exported else ["has no _PyInit__native"]),
    ]
    if wrong:
        sys.exit(f"make cross: {core.name} for {target}: {', '.join(wrong)}")
    print(
        f"{core.name}, macOS {found.oldest[0]}, {found.processor}: {len(found.looked_up)} symbols of Python"
    )


def main() -> int:
    tools = build_tools()
    run(tools / "pip", "--disable-pip-version-check", "install", "--quiet", "ziglang")
    for target in sys.argv[1:] or TARGETS:
        for python in TARGETS[target]:
            with tempfile.TemporaryDirectory(prefix="tertium-zig-") as temporary:
                folder = Path(temporary)
                core = built(target, python, tools, folder)
                if "macos" in target:
                    for_a_mac(core, target, folder)
                elif target.startswith("x86_64"):
                    on_this_machine(core, python, target, folder)
                else:
                    run(sys.executable, "-m", "tools.release.cross", core)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"make cross: status {error.returncode}: {' '.join(error.cmd)}")
