"""The native core compiled for 64-bit ARM and tried out under emulation: the first half of `make cross`.

It is compiled with warnings as errors by Debian's cross compiler, put beside the Python files and imported by Debian's
own Python of that machine under qemu-user. Rows and scores must be those of this machine's core
(tools/release/digest.py), and random texts go through every kernel (tests/native/fuzz.py). What the ARM machine has is
downloaded once, into build/cross; every build has a new folder of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
KEPT = ROOT / "build" / "cross"
SUITE, PYTHON = "bookworm", "python3.11"
NEEDED = {
    "aarch64-linux-gnu-g++": "g++-aarch64-linux-gnu",
    "qemu-aarch64": "qemu-user",
    "debootstrap": "debootstrap",
    "dpkg-deb": "dpkg",
}


def run(*command: str | Path, **more: str) -> None:
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True, cwd=ROOT, env=os.environ | more)


def machine() -> Path:
    """Files of an ARM machine with Python and its headers; nothing of it is installed, only unpacked."""
    system = KEPT / "system"
    if (system / "usr" / "bin" / PYTHON).exists():
        return system
    packages = KEPT / "packages"
    asked = f"--include={PYTHON},lib{PYTHON}-dev"
    run("debootstrap", "--arch=arm64", "--variant=minbase", "--download-only", asked, SUITE, packages)
    unpacked = Path(tempfile.mkdtemp(dir=KEPT))
    for package in sorted(packages.glob("var/cache/apt/archives/*.deb")):
        subprocess.run(["dpkg-deb", "-x", str(package), str(unpacked)], check=True)
    unpacked.rename(system)
    return system


def build_tools() -> Path:
    """What a build needs, of this machine."""
    folder = KEPT / "tools"
    if not (folder / "bin" / "ninja").exists():
        run(sys.executable, "-m", "venv", folder)
        run(
            folder / "bin" / "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
            "nanobind",
            "cmake",
            "ninja",
        )
    return folder / "bin"


def built(system: Path, tools: Path, folder: Path) -> Path:
    """The compiled core."""
    run(
        *(tools / "cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"),
        *(f"-DCMAKE_TOOLCHAIN_FILE={Path(__file__).parent / 'aarch64.cmake'}", f"-DTERTIUM_SYSROOT={system}"),
        *(
            f"-DPython_EXECUTABLE={tools / 'python'}",
            f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}",
            "-DTERTIUM_STRICT=ON",
        ),
    )
    run(tools / "ninja", "-C", folder, "--quiet")
    return next(folder.glob("_native*.so"))


def packages_beside(core: Path, folder: Path, tools: Path) -> None:
    """Tertium with that core, and the packages that it always needs."""
    shutil.copytree(
        ROOT / "src" / "tertium", folder / "tertium", ignore=shutil.ignore_patterns("__pycache__", "*.so")
    )
    shutil.copy(core, folder / "tertium")
    run(
        *(tools / "pip", "--disable-pip-version-check", "install", "--quiet", "--target", folder),
        *(
            "--platform",
            "manylinux_2_28_aarch64",
            "--python-version",
            "3.11",
            "--only-binary=:all:",
            "numpy",
            "click",
        ),
    )


def main() -> int:
    missing = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if missing:
        print(f"make cross needs Debian's packages: apt-get install {' '.join(missing)}", file=sys.stderr)
        return 2
    KEPT.mkdir(parents=True, exist_ok=True)
    system, tools = machine(), build_tools()
    with tempfile.TemporaryDirectory(prefix="tertium-cross-") as temporary:
        folder = Path(temporary)
        core = Path(sys.argv[1]) if len(sys.argv) > 1 else built(system, tools, folder / "build")
        packages_beside(core, folder / "packages", tools)
        emulated = ("qemu-aarch64", "-L", system, system / "usr" / "bin" / PYTHON)
        there = {
            "PYTHONPATH": f"{folder / 'packages'}:{ROOT}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        run(*emulated, "-m", "tertium", "demo", **there)
        run(*emulated, "-m", "tools.release.digest", folder / "arm64.json", **there)
        run(sys.executable, "-m", "tools.release.digest", folder / "here.json")
        run(sys.executable, "-m", "tools.release.digest", folder / "here.json", folder / "arm64.json")
        run(*emulated, "tests/native/fuzz.py", "--seconds", os.environ.get("FUZZ_SECONDS", "20"), **there)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(f"make cross: status {error.returncode}: {' '.join(error.cmd)}")
