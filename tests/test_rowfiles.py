"""Rows as files: what comes home is what was sent, to the last bit, or is refused in one line."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError
from tertium.io import caches
from tertium.io.door import Files
from tertium.measuring import measure
from tertium.rowfiles.files import RowsFile
from tertium.rowfiles.reading import read_rows
from tertium.rowfiles.writing import merge_rows, write_rows
from tertium.scoring import scores_of
from tertium.statistics.packing import BLOCK, pack, packed_total, unpack

METRICS = ["bleu", "bleu:smooth=floor", "chrf", "chrf++", "ter", "macrof1", "wer", "ribes"]


@given(st.data())
def test_packed_rows_come_back(data: st.DataObject) -> None:
    limits = data.draw(
        st.sampled_from([(0, 1), (0, 3), (-2, 2), (0, 300), (-(2**31), 2**31), (-(2**63), 2**63 - 1)])
    )
    width = data.draw(st.integers(1, 4))
    cell = st.integers(*limits) | st.integers(-(2**63), 2**63 - 1)
    rows = data.draw(st.lists(st.lists(cell, min_size=width, max_size=width), max_size=40))
    array = np.array(rows, np.int64).reshape(len(rows), width)
    packed = pack(array)
    assert unpack(packed, len(rows), width).tolist() == array.tolist()
    if sum(abs(cell) for row in rows for cell in row) < 2**63:
        assert packed_total(packed, len(rows), width).tolist() == [array.sum(axis=0).tolist()]


def test_wrong_bytes_are_no_packed_rows() -> None:
    draws = random.Random(5)
    rows = np.array([[draws.randrange(50), draws.randrange(3), 7] for _ in range(500)])
    rows[17] = [1 << 40, -5, 7]
    whole = pack(rows)
    for data in (whole[:-1], whole + b"\0", b"", whole[:20]):
        with pytest.raises(ValueError, match=r"cut off|longer|wrong"):
            unpack(data, 500, 3)
    for _ in range(300):  # whatever stands there, nothing is read or written outside
        damaged = bytearray(whole)
        for _ in range(3):
            damaged[draws.randrange(min(60, len(damaged)))] = draws.randrange(256)
        with suppress(ValueError):
            assert unpack(bytes(damaged), 500, 3).shape == (500, 3)
            assert packed_total(bytes(damaged), 500, 3).shape == (1, 3)
    with pytest.raises(ValueError, match="at most"):
        pack(np.zeros((BLOCK + 1, 1), np.int64))


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, whole and in three shards, with documents."""
    folder = tmp_path_factory.mktemp("texts")
    sample = tt.TestSet.sample()
    lines = {
        "ref": list(sample.references.first),
        "A": list(sample.systems["strong"]),
        "B": list(sample.systems["smooth"]),
        "docs": list(sample.documents or ()),
    }
    cuts = [0, 20, 21, len(lines["ref"])]
    for name, own in lines.items():
        (folder / name).write_text("".join(f"{line}\n" for line in own), "utf-8")
        for shard in range(3):
            part = own[cuts[shard] : cuts[shard + 1]]
            (folder / f"{name}.{shard}").write_text("".join(f"{line}\n" for line in part), "utf-8")
    return folder


def files(folder: Path, ending: str = "", systems: str = "AB") -> Files:
    paths = [str(folder / f"{name}{ending}") for name in systems]
    return Files([str(folder / f"ref{ending}")], paths, documents=str(folder / f"docs{ending}"))


def shards(folder: Path, out: Path, metrics: list[str] = METRICS, systems: str = "AB") -> list[str]:
    paths = [str(out / f"{systems}{shard}.rows") for shard in range(3)]
    for shard, path in enumerate(paths):
        write_rows(files(folder, f".{shard}", systems).open(), metrics, path, names=tuple(systems))
    return paths


@pytest.mark.parametrize("level", ["corpus", "document", "segment"])
def test_shards_give_the_bits_of_the_whole(texts: Path, tmp_path: Path, level: str) -> None:
    made = merge_rows(shards(texts, tmp_path), str(tmp_path / "all.rows"))
    assert made.segments == 69
    found = scores_of(read_rows(made.file, level))  # type: ignore[arg-type]
    expected = scores_of(measure(files(texts).open(), METRICS, level))  # type: ignore[arg-type]
    for own, other in zip(found, expected, strict=True):
        assert own.values == other.values
        assert own.ids == other.ids
        assert own.signature == other.signature
        assert own.metric == other.metric
    assert found[0].system == "A"


@pytest.mark.parametrize("test", ["", "--paired-bs", "--paired-ar"])
def test_the_command_prints_what_score_prints(
    texts: Path,
    tmp_path: Path,
    test: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(texts)
    how = ["-f", "json", *filter(None, [test])]
    assert main(["score", "ref", "-i", "A", "B", "-m", "bleu", "chrf", "macrof1", *how]) == 0
    expected = capsys.readouterr().out
    paths = []
    for shard in range(3):
        paths.append(str(tmp_path / f"{shard}.rows"))
        call = ["rows", "write", f"ref.{shard}", "-i", f"A.{shard}", f"B.{shard}", "--names", "A", "B"]
        assert main([*call, "-m", "bleu", "chrf", "macrof1", "-o", paths[-1]]) == 0
    whole = str(tmp_path / "all.rows")
    assert main(["rows", "merge", *paths, "-o", whole]) == 0
    capsys.readouterr()
    assert main(["rows", "score", whole, *how]) == 0
    assert capsys.readouterr().out == expected


def test_confidence_needs_no_text(texts: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "a.rows")
    assert main(["rows", "write", str(texts / "ref"), "-i", str(texts / "A"), "-o", path]) == 0
    assert main(["score", str(texts / "ref"), "-i", str(texts / "A"), "-ci", "-f", "json"]) == 0
    expected = json.loads(capsys.readouterr().out.partition("\n{")[2].join(["{", ""]))
    assert main(["rows", "score", path, "-ci", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == expected


def test_systems_lie_side_by_side(texts: Path, tmp_path: Path) -> None:
    both = [merge_rows(shards(texts, tmp_path, systems=own), str(tmp_path / f"{own}.rows")) for own in "AB"]
    found = read_rows([own.file for own in both])
    assert found.systems == ("A", "B")
    expected = measure(files(texts).open(), METRICS)
    for metric in expected.metrics:
        for name, system in zip("AB", expected.systems, strict=True):
            assert found.corpus_score(name, metric) == expected.corpus_score(system, metric)
    with pytest.raises(InputError, match=r"B\.rows: has the system 'B', too"):
        read_rows([both[1].file, both[1].file])
    with pytest.raises(InputError, match="other segments or documents"):
        read_rows([both[0].file, str(tmp_path / "B0.rows")])


def test_many_segments_are_written_in_blocks(tmp_path: Path) -> None:
    (tmp_path / "ref").write_text("a b c\nd e\n" * (BLOCK // 2 + 100))
    (tmp_path / "out").write_text("a b\nd f\n" * (BLOCK // 2 + 100))
    path = str(tmp_path / "a.rows")
    made = write_rows(
        Files([str(tmp_path / "ref")], [str(tmp_path / "out")]).open(), ["bleu", "macrof1"], path
    )
    assert made.segments == BLOCK + 200
    assert len(RowsFile.open(path).facts["blocks"]) >= 2
    expected = measure(
        Files([str(tmp_path / "ref")], [str(tmp_path / "out")]).open(), ["bleu", "macrof1"], "corpus"
    )
    for level in ("corpus", "segment"):
        found = read_rows(path, level)  # type: ignore[arg-type]
        for metric in expected.metrics:
            assert found.corpus_score(found.systems[0], metric) == expected.corpus_score(
                expected.systems[0], metric
            )


def test_a_row_of_bleu_is_small(texts: Path, tmp_path: Path) -> None:
    lines = (texts / "ref").read_text("utf-8") * 300, (texts / "A").read_text("utf-8") * 300
    for name, text in zip(("ref", "out"), lines, strict=True):
        (tmp_path / name).write_text(text, "utf-8")
    inputs = Files([str(tmp_path / "ref")], [str(tmp_path / "out")]).open()
    made = write_rows(inputs, ["bleu"], str(tmp_path / "a.rows"), force=True)
    assert made.bytes <= 16 * made.segments


def changed_facts(path: str, to: str, **facts: object) -> str:
    """The same rows, as if somebody else had written them."""
    opened = RowsFile.open(path)

    def build(file: object) -> dict[str, object]:
        file.write(opened.content)  # type: ignore[attr-defined]
        return {**opened.facts, **facts}

    caches.make(to, build)  # type: ignore[arg-type]
    return to


def test_rows_of_others_are_refused(texts: Path, tmp_path: Path) -> None:
    first, second, _ = shards(texts, tmp_path, ["bleu"])
    other = str(tmp_path / "x.rows")
    with pytest.raises(InputError, match=r"x\.rows: these rows were made by Tertium 0\.0\.1, and this is"):
        read_rows(changed_facts(first, other, tertium="0.0.1"))
    with pytest.raises(InputError, match=r"x\.rows: is version 2 of the format"):
        read_rows(changed_facts(first, other, version=2))
    with pytest.raises(InputError, match=r"x\.rows: is no file of rows"):
        read_rows(changed_facts(first, other, format="something"))
    signed = [{"spec": "bleu", "rows": 0, "signed": "bleu|tok:none"}]
    with pytest.raises(InputError, match=r"x\.rows: these rows were made by bleu\|tok:none, not by bleu\|"):
        read_rows(changed_facts(first, other, metrics=signed))
    for facts in ({"blocks": [[5, [3]]]}, {"blocks": 7}, {"documents": [3]}, {"metrics": [{}]}):
        with pytest.raises(InputError, match=r"x\.rows: is damaged"):
            read_rows(changed_facts(first, other, **facts))
    write_rows(files(texts, ".1").open(), ["bleu:tok=intl"], other, names="AB")
    with pytest.raises(InputError, match=r"x\.rows: has other metrics than"):
        merge_rows([first, other], str(tmp_path / "all.rows"))
    write_rows(files(texts, ".1").open(), ["bleu"], other)
    with pytest.raises(InputError, match=r"x\.rows: has other systems than .*\(--names\)"):
        merge_rows([first, other], str(tmp_path / "all.rows"))
    with pytest.raises(InputError, match="named twice"):
        merge_rows([first, second, first], str(tmp_path / "all.rows"))
    assert not (tmp_path / "all.rows").exists()


@pytest.mark.parametrize("place", [0, 10, 100, -30, -1])
def test_damaged_files_are_refused_and_stay(texts: Path, tmp_path: Path, place: int) -> None:
    path = tmp_path / "a.rows"
    write_rows(files(texts).open(), ["bleu"], str(path))
    whole = path.read_bytes()
    turned = bytearray(whole)
    turned[place] ^= 64
    for damaged in (whole[:place], bytes(turned)):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"a\.rows: is no file of rows, or is damaged"):
            read_rows(str(path))
        assert path.read_bytes() == damaged  # it is the user's, not ours to remove


def test_what_cannot_be_cut_into_shards(texts: Path, tmp_path: Path) -> None:
    first, second = str(tmp_path / "0.rows"), str(tmp_path / "1.rows")
    for shard, path in enumerate([first, second]):
        write_rows(files(texts, f".{shard}").open(whole=True), ["nist"], path, names="AB")
    with pytest.raises(InputError, match="look at all references at once"):
        merge_rows([first, second], str(tmp_path / "all.rows"))
    with pytest.raises(InputError, match="scores whole documents"):
        write_rows(files(texts).open(whole=True), ["doc:cohesion"], first)
    with pytest.raises(InputError, match=r"2 systems, but 1 name"):
        write_rows(files(texts).open(), ["bleu"], first, names=["A"])
    with pytest.raises(InputError, match="the same name"):
        write_rows(files(texts).open(), ["bleu"], first, names=["A", "A"])
    plain = Files([str(texts / "ref.1")], [str(texts / "A.1"), str(texts / "B.1")])
    write_rows(plain.open(), ["bleu"], first, names="AB")
    with pytest.raises(InputError, match=r"has no documents: give ids"):
        read_rows(first, "document")
    write_rows(files(texts, ".2").open(), ["bleu"], second, names="AB")
    with pytest.raises(InputError, match="documents are known in only one"):
        merge_rows([first, second], str(tmp_path / "all.rows"))
    with pytest.raises(InputError, match="No such file"):
        read_rows(str(tmp_path / "none.rows"))
    with pytest.raises(InputError, match=r"File exists|Not a directory"):
        write_rows(plain.open(), ["bleu"], str(texts / "ref" / "a.rows"))
