"""Word vectors: every format gives the same table, bad files are refused by line or word, the cache is renewed."""

from __future__ import annotations

import gzip
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tertium import _native
from tertium.errors import InputError, SpecError, TertiumWarning
from tertium.io.caches import cache_folder
from tertium.text.vectors import Vectors, file_items

WORDS = {
    "cat": [1.0, 0.5, -0.25],
    "Dog": [0.5, 2.0, 1e-3],
    "straße": [0.0, 0.0, 0.0],
    "2.5": [-1.5, 1e-40, 3e4],
}


def text_rows(words: dict[str, list[float]]) -> str:
    return "".join(f"{word} {' '.join(map(repr, row))}\n" for word, row in words.items())


def binary(words: dict[str, list[float]], ending: bytes = b"\n") -> bytes:
    rows = b"".join(word.encode() + b" " + struct.pack("<3f", *row) + ending for word, row in words.items())
    return f"{len(words)} 3\n".encode() + rows


FORMS = {
    "word2vec text": f"{len(WORDS)} 3\n{text_rows(WORDS)}".encode(),
    "trailing blanks": f"{len(WORDS)} 3\n{text_rows(WORDS)}".replace("\n", " \n").encode(),
    "carriage returns": f"{len(WORDS)} 3\n{text_rows(WORDS)}".replace("\n", "\r\n").encode(),
    "no last line break": f"{len(WORDS)} 3\n{text_rows(WORDS)}".encode().rstrip(b"\n"),
    "glove": text_rows(WORDS).encode(),
    "word2vec binary": binary(WORDS),
    "binary without line breaks": binary(WORDS, b""),
    "gzip": gzip.compress(f"{len(WORDS)} 3\n{text_rows(WORDS)}".encode()),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_table(tmp_path: Path, form: str) -> None:
    path = tmp_path / "v.vec"
    path.write_bytes(FORMS[form])
    vectors = Vectors.open(path)
    assert vectors.words() == list(WORDS)
    for word, row in WORDS.items():
        assert vectors[word].tolist() == np.array(row, dtype=np.float32).tolist()
        assert word in vectors
    assert "dog" not in vectors
    with pytest.raises(KeyError):
        vectors["dog"]
    one, other = np.array(WORDS["cat"]), np.array(WORDS["Dog"])
    cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    assert vectors.similarity("cat", "Dog") == pytest.approx(cosine, abs=1e-6)
    assert vectors.similarity("CAT", "Dog") == vectors.similarity("cat", "Dog")
    assert vectors.similarity("straße", "cat") == 0.0  # it has no direction
    assert vectors.similarity("bird", "cat") == 0.0


def test_words_with_blanks(tmp_path: Path) -> None:
    """GloVe has some: whatever stands before the numbers is the word."""
    path = tmp_path / "glove.txt"
    path.write_text("a 1 2 3\n. . . 4 5 6\nat x@y.z 7 8 9\n", encoding="utf-8")
    vectors = Vectors.open(path)
    assert vectors.words() == ["a", ". . .", "at x@y.z"]
    assert vectors[". . ."].tolist() == [4.0, 5.0, 6.0]


BAD = {
    "empty": (b"", "the file is empty"),
    "no numbers": (
        b"hello world again\nand so on\n",
        "line 1 is neither a line of sizes nor a word with its numbers",
    ),
    "too few numbers": (b"2 3\na 1 2 3\nb 1 2\n", "line 3 has 2 numbers, not 3"),
    "too many numbers": (b"a 1 2 3\nb 1 2 3 4\n", "line 2, word 'b', has 4 numbers, not 3"),
    "no number": (b"2 3\na 1 2 3\nb 1 x 3\n", "line 3: 'x' is no number"),
    "NaN": (b"2 3\na 1 2 3\nb 1 nan 3\n", "line 3, word 'b': a number is NaN"),
    "infinite": (b"a 1 2 3\nb 1 1e999 3\n", "line 2, word 'b': a number is infinite"),
    "text cut off": (b"3 3\na 1 2 3\nb 1 2 3\n", "line 1 says 3 words, but there are 2: the file is cut off"),
    "more than it says": (b"1 3\na 1 2 3\nb 1 2 3\n", "line 1 says 1 words, but there are 2"),
    "an empty line": (b"a 1 2 3\n\nb 1 2 3\n", "line 2 is empty"),
    "binary cut off": (binary(WORDS)[:-6], "ends inside the vector of word 4 of 4, '2.5'"),
    "binary cut before a word": (binary(WORDS).replace(b"4 3\n", b"5 3\n"), "it ends before word 5 of 5"),
    "binary with more": (binary(WORDS) + b"x", "there is more behind the last of 4 words"),
    "binary NaN": (binary({**WORDS, "bad": [0.0, float("nan"), 1.0]}), "word 5 of 5, 'bad': a number is NaN"),
    "binary rubbish": (binary({"\x01\n": [1.0, 2.0, float("nan")]}), "word 1 of 1, '?"),
    "no dimension": (b"4 0\na\n", "line 1 says that vectors have 0 numbers"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_files_are_refused_by_line_or_word(tmp_path: Path, what: str) -> None:
    content, message = BAD[what]
    path = tmp_path / "bad.vec"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        Vectors.open(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    left = [
        name for name in os.listdir(Path(cache_folder()) / "vectors") if "part" in name or "plain" in name
    ]
    assert not left, "half a table was left behind"


def test_missing_files_and_unknown_storage(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.vec: no such file"):
        Vectors.open(tmp_path / "none.vec")
    with pytest.raises(SpecError, match="cannot be stored as 'int4'"):
        Vectors.open(tmp_path / "none.vec", "int4")


def test_the_first_of_repeated_words_counts(tmp_path: Path) -> None:
    path = tmp_path / "twice.vec"
    path.write_text("3 2\na 1 2\nb 3 4\na 5 6\n", encoding="utf-8")
    with pytest.warns(TertiumWarning, match="1 words are repeated"):
        vectors = Vectors.open(path)
    assert vectors["a"].tolist() == [1.0, 2.0]
    assert len(vectors) == 2


@pytest.mark.parametrize(
    ("storage", "width", "error"), [("float32", 4, 0), ("float16", 2, 6e-4), ("int8", 1, 5e-3)]
)
def test_storage(tmp_path: Path, storage: str, width: int, error: float) -> None:
    draw = np.random.default_rng(3)
    rows = (draw.standard_normal((2000, 50)) * 10.0 ** draw.integers(-6, 5, (2000, 1))).astype(np.float32)
    path = tmp_path / "many.vec"
    lines = [f"w{i} {' '.join(map(str, row.tolist()))}" for i, row in enumerate(rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    vectors = Vectors.open(path, storage)
    kept = np.array([vectors[f"w{i}"] for i in range(2000)])
    largest = np.abs(rows).max(axis=1, keepdims=True)
    assert (np.abs(kept - rows) <= error * largest).all()
    assert os.path.getsize(vectors.cached) < 4096 + 2000 * (50 * width + 100) + 500
    unit = rows / np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
    names = [f"w{i}" for i in range(0, 2000, 7)]
    found = vectors.cosines(names, names)
    assert np.abs(found - unit[::7] @ unit[::7].T).max() < 1e-6 + 4 * error
    assert np.abs(np.diag(found) - 1).max() < 1e-6


def test_all_shapes_of_products(tmp_path: Path) -> None:
    """Blocks of the kernel and what is left over at their edges."""
    draw = np.random.default_rng(5)
    for dimension in (1, 2, 7, 8, 9, 33):
        rows = draw.standard_normal((13, dimension)).astype(np.float32)
        path = tmp_path / f"{dimension}.vec"
        lines = [f"w{i} {' '.join(map(str, row.tolist()))}" for i, row in enumerate(rows)]
        path.write_text("\n".join([f"13 {dimension}", *lines]) + "\n", encoding="utf-8")
        vectors = Vectors.open(path)
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        for m in (1, 2, 3, 4, 6, 13):
            for n in (1, 3, 4, 5, 9):
                found = vectors.cosines([f"w{i}" for i in range(m)], [f"w{i}" for i in range(n)])
                assert found == pytest.approx(unit[:m] @ unit[:n].T, abs=1e-6)


def test_the_cache_is_used_and_renewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "v.vec"
    path.write_text("2 2\na 1 2\nb 3 4\n", encoding="utf-8")
    first = Vectors.open(path)
    assert Vectors.open(path) is first
    written = os.stat(first.cached).st_mtime_ns
    from tertium.text import vectors as module

    monkeypatch.setattr(module, "_opened", {})  # as another process finds it
    assert Vectors.open(path)["b"].tolist() == [3.0, 4.0]
    assert os.stat(first.cached).st_mtime_ns == written
    path.write_text("2 2\na 1 2\nc 5 6\n", encoding="utf-8")
    os.utime(path, ns=(1, 1))
    changed = Vectors.open(path)
    assert changed.words() == ["a", "c"]
    assert changed.hash != first.hash


def test_another_process_opens_what_this_one_read(tmp_path: Path) -> None:
    path = tmp_path / "v.vec"
    path.write_text("2 2\na 1 2\nb 3 4\n", encoding="utf-8")
    Vectors.open(path)
    code = (
        "import sys\nfrom tertium import _native\n"
        "_native.build_vectors = None\n"  # not needed any more
        "from tertium.text.vectors import Vectors\n"
        "print(Vectors.open(sys.argv[1]).similarity('a', 'b'))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert float(done.stdout) == pytest.approx(11 / np.sqrt(5 * 25), abs=1e-6)


def test_small_letters() -> None:
    """Unicode's, for every letter of the scripts that have capitals; characters that become several stay."""
    for code in [
        *range(1, 0x250),
        *range(0x370, 0x530),
        *range(0x531, 0x557),
        *range(0x1E00, 0x1F00),
        0xFF21,
        0xFF3A,
    ]:
        character = chr(code)
        lowered = character.lower()
        known = _native.fold_case(character.encode(), "unicode").decode()
        simple = lowered if len(lowered) == 1 else character
        if not 0x180 <= code < 0x250 and not 0x370 <= code < 0x386 and not 0x3CF <= code < 0x400:
            assert known == simple, f"U+{code:04X}"
    assert _native.fold_case("ÀB".encode(), "ascii").decode() == "Àb"
    assert _native.fold_case("ÀB".encode(), "exact").decode() == "ÀB"


def test_file_items_name_and_hash(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"abc")
    assert file_items("idf", str(path)) == {"idf": f'"{path}"', "idf-hash": "ba7816bf8f01"}
