"""`tertium cache`: what is there, what is damaged, and away with it; nothing else goes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.cached_files import cached_files, clear_cache
from tertium.errors import InputError
from tertium.text import encoded, paraphrases
from tertium.text.vectors import Vectors
from tests.cli.conftest import Run


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with a file of most kinds, what an earlier version left, and what is not ours."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("TERTIUM_CACHE", str(folder))
    (tmp_path / "toy.vec").write_text("2 2\ncat 1 0\ndog 0 1\n")
    Vectors.open(tmp_path / "toy.vec")
    Vectors.open(tmp_path / "toy.vec", "int8")
    (tmp_path / "pairs").write_text("0.5\na\nb\n")
    paraphrases.read(tmp_path / "pairs")
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    encoded.model_hash(str(tmp_path / "model"))
    (folder / f"paraphrases-{'0' * 20}.bin").write_bytes(b"old")
    (folder / "vectors" / f"{'0' * 24}.float32").write_bytes(b"old")
    (folder / "vectors" / f"{'0' * 24}.float32.cache.123-0a0b0c0d.part").write_bytes(b"unfinished")
    (folder / "models" / "my-own-model.bin").write_bytes(b"precious")
    (folder / "models" / "notes.cache").write_bytes(b"precious")
    return folder


def damage(cache: Path) -> Path:
    path = next(path for path in sorted((cache / "vectors").glob("*.cache")) if "int8" in path.name)
    whole = path.read_bytes()
    path.write_bytes(whole[:5] + b"x" + whole[6:])
    return path


def test_info(run: Run, cache: Path) -> None:
    result = run("cache", "info", "-f", "json")
    assert (result.status, result.err) == (0, "")
    data = json.loads(result.out)
    assert data["folder"] == str(cache)
    counts = {
        kind: sum(file["kind"] == kind for file in data["files"])
        for kind in ("vectors", "paraphrases", "models")
    }
    assert counts == {"vectors": 4, "paraphrases": 2, "models": 1}
    assert all("precious" not in Path(file["path"]).read_text("latin-1") for file in data["files"])
    assert {file["source"] for file in data["files"] if file["kind"] == "models"} == {
        str(cache.parent / "model")
    }
    shown = run("cache", "info", "vectors", "-f", "table").out
    assert "word vectors" in shown
    assert str(cache) in " ".join(shown.split())  # lines are broken between words


def test_verify(run: Run, cache: Path) -> None:
    assert run("cache", "verify").status == 0
    path = damage(cache)
    result = run("cache", "verify", "-f", "text")
    assert (result.status, result.err) == (1, "")
    assert f"{path} is damaged" in result.out
    states = {file.state for file in cached_files(check=True).files}
    assert states == {"whole", "damaged", "left over"}
    assert run("cache", "verify", "models").status == 0


def test_clear(run: Run, cache: Path) -> None:
    nothing = run("cache", "clear")
    assert nothing.status == 2
    assert (
        "say what to remove: vectors, paraphrases, embeddings, models, answers, --damaged or --all"
        in nothing.err
    )
    path = damage(cache)
    assert run("cache", "clear", "--damaged").status == 0
    assert not path.exists()
    assert sorted({file.state for file in cached_files(check=True).files}) == ["whole"]
    assert run("cache", "clear", "vectors").status == 0
    assert {file.kind for file in cached_files().files} == {"paraphrases", "models"}
    assert run("cache", "clear", "--all").status == 0
    assert cached_files().files == ()
    assert (cache / "models" / "my-own-model.bin").read_bytes() == b"precious"
    assert (cache / "models" / "notes.cache").exists()


def test_what_does_not_exist(run: Run, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="the cache has no kind 'vector'; did you mean 'vectors'"):
        cached_files(["vector"])
    assert run("cache", "info", "vector").status == 2
    monkeypatch.setenv("TERTIUM_CACHE", str(cache / "nowhere"))
    assert run("cache", "info").status == 0
    assert clear_cache().files == ()
