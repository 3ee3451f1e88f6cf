"""Test sets: made from lists, from folders, from WMT's files, and from what comes with the package."""

from __future__ import annotations

import gzip
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium import InputError, TestSet
from tertium._native import Lines
from tertium.errors import TertiumWarning
from tests.conftest import SAMPLE


def texts(lines: Lines | None) -> list[str | None]:
    assert lines is not None
    return [lines[i] for i in range(len(lines))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with everything that a test set may have."""
    place = tmp_path / "newstest"
    (place / "systems").mkdir(parents=True)
    for name, text in {
        "source.de": "eins\nzwei\n",
        "reference10.en": "ten\nten\n",
        "reference2.en": "two\ntwo\n",
        "system-A.en": "one\nto\n",
        "systems/online.B.0.en": "won\ntwo\n",
        "systems/.hidden": "x",
        "documents.txt": "d1\nd2\n",
        "metadata.tsv": "domain\tauthor\nnews\tAnn\nchat\n",
        "README.md": "about\n",
    }.items():
        (place / name).write_text(text, encoding="utf-8")
    (place / "systems" / "C.en.gz").write_bytes(gzip.compress(b"1\n2\n"))
    return place


def refusal(*given: Any, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        TestSet.of(*given, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_from_lists() -> None:
    with pytest.warns(TertiumWarning, match="2 lists of 2"):
        ts = TestSet.of(
            [["a", "b"], ["c", None]],
            {"X": ["x", "y"], "Y": ("z", "w")},
            sources=["s", "t"],
            documents=[1, 1],
            metadata={"domain": ["news", "chat"]},
            name="mine",
        )
    assert len(ts) == 2
    assert ts.references.number is None
    assert {name: texts(lines) for name, lines in ts.systems.items()} == {"X": ["x", "y"], "Y": ["z", "w"]}
    assert texts(ts.sources) == ["s", "t"]
    assert ts.documents == ("1", "1")
    assert ts.metadata == {"domain": ("news", "chat")}
    assert repr(ts) == (
        "<TestSet 'mine': 2 segments in 1 document, 2 references, sources, 2 systems (X, Y), "
        "metadata (domain)>"
    )


def test_references_of_each_segment() -> None:
    ts = TestSet.of(references_per_segment=[["a", "b"], ["c"]])
    assert [texts(stream) for stream in ts.references.streams] == [["a", "c"], ["b", None]]
    assert repr(ts) == "<TestSet 'test set': 2 segments, 2 references, 0 systems>"


def test_many_systems_are_not_all_listed() -> None:
    ts = TestSet.of(["a"], {f"s{i}": ["a"] for i in range(20)})
    assert "20 systems (s0, s1, s2, s3, s4, ...)" in repr(ts)


def test_what_does_not_fit_is_refused() -> None:
    two = ["a", "b"]
    assert refusal([]) == "there are no references"
    assert refusal([[]]) == "test set 'test set' is empty: there are no segments"
    assert (
        refusal()
        == refusal(two, references_per_segment=[two])
        == ("give either references or references_per_segment")
    )
    assert (
        refusal(two, {"X": ["x"]}, name="T")
        == "test set 'T': the references have 2 segments, but system 'X' has 1"
    )
    assert refusal(two, sources=["x"]).endswith("the references have 2 segments, but the sources have 1")
    assert refusal(two, documents=["x"]).endswith(
        "the references have 2 segments, but the document ids are 1"
    )
    assert refusal(two, metadata={"d": []}).endswith("the references have 2 segments, but metadata 'd' has 0")
    assert refusal([["a", "b", "c"], ["a"]]) == "reference stream 2 has 1 segments, the hypotheses have 3"
    assert refusal(two, [("X", two), ("X", two)]) == "two systems are called 'X'"
    assert refusal(two, {"": two}) == "a system has no name"
    assert refusal(two, {"X": ["x", None]}) == "system 'X': segment 2 is missing (None)"
    assert "not one string" in refusal(two, documents="ab")
    assert "not one string" in refusal(two, sources="ab")


def test_from_a_folder(folder: Path) -> None:
    ts = TestSet.load(folder)
    assert ts.name == "newstest"
    assert [texts(stream) for stream in ts.references.streams] == [["two", "two"], ["ten", "ten"]]
    assert {name: texts(lines) for name, lines in ts.systems.items()} == {
        "A": ["one", "to"],
        "C": ["1", "2"],
        "online.B.0": ["won", "two"],
    }
    assert texts(ts.sources) == ["eins", "zwei"]
    assert ts.documents == ("d1", "d2")
    assert ts.metadata == {"domain": ("news", "chat"), "author": ("Ann", "")}


def test_a_folder_with_references_only(tmp_path: Path) -> None:
    (tmp_path / "reference.txt").write_text("grö\n", encoding="latin-1")
    ts = TestSet.load(str(tmp_path), encoding="latin-1")
    assert texts(ts.references.streams[0]) == ["grö"]
    assert (ts.sources, ts.documents, dict(ts.systems), dict(ts.metadata)) == (None, None, {}, {})
    with pytest.raises(InputError, match="has no systems to score"):
        ts.score()


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("system-A.en", "only one\n", r"different numbers of lines \(.*reference2.en: 2, .*system-A.en: 1"),
        ("source.en", "a\nb\n", "there are several sources"),
        ("system-A.de", "a\nb\n", "two systems are called 'A'"),
        ("systems/A.en", "a\nb\n", "two systems are called 'A'"),
        ("system-.en", "a\nb\n", "a system has no name"),
        ("documents.txt", "a\n", r"different numbers of lines .*documents.txt: 1"),
        ("documents.tsv", "a\n", "several files called documents"),
        ("metadata.tsv", "a\tb\n1\t2\n", "metadata 'a' has 1"),
        ("metadata.tsv", "a\ta\n1\t2\n1\t2\n", "line 1 must name each column"),
        ("metadata.tsv", "a\n1\n1\t2\n", "metadata.tsv: line 3 has 2 fields, but there are 1 columns"),
        ("system-A.en", "", "system-A.en: the file is empty"),
    ],
)
def test_folders_that_are_refused(folder: Path, name: str, text: str, problem: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        TestSet.load(folder)


def test_folders_without_references(folder: Path, tmp_path: Path) -> None:
    for file in folder.glob("reference*"):
        file.unlink()
    with pytest.raises(InputError, match="there is no reference file here"):
        TestSet.load(folder)
    with pytest.raises(InputError, match="no such file"):
        TestSet.load(tmp_path / "nowhere")


def test_from_wmt_files(tmp_path: Path) -> None:
    path = tmp_path / "wmt.xml"
    document = (
        '<doc id="d" origlang="en"><src><seg id="1">One.</seg></src>'
        '<ref translator="A"><seg id="1">Eins.</seg></ref>'
        '<ref translator="B"><seg id="1">Ein.</seg></ref><hyp system="X"><seg id="1">Eins!</seg></hyp></doc>'
    )
    path.write_text(f"<dataset>{document}</dataset>", encoding="utf-8")
    ts = TestSet.load(path)
    assert ts.name == "wmt"
    assert [texts(stream) for stream in ts.references.streams] == [["Eins."], ["Ein."]]
    assert texts(ts.systems["X"]) == ["Eins!"]
    assert ts.metadata == {"origlang": ("en",)}
    assert ts.documents == ("d",)
    path.write_text("<tstset><doc docid=a><seg id=1>x</seg></doc></tstset>", encoding="utf-8")
    with pytest.raises(InputError, match=r"wmt\.xml: holds no reference"):
        TestSet.load(path)


def test_the_sample() -> None:
    ts = TestSet.sample()
    assert repr(ts) == (
        "<TestSet 'sample': 69 segments in 8 documents, 2 references, sources, "
        "3 systems (literal, smooth, strong)>"
    )
    assert texts(ts.sources) == (SAMPLE / "source.de").read_text(encoding="utf-8").splitlines()


def test_the_sample_is_a_folder_like_any_other(tmp_path: Path) -> None:
    copy = shutil.copytree(SAMPLE, tmp_path / "copy")
    assert texts(TestSet.load(copy).references.streams[1]) == texts(TestSet.sample().references.streams[1])


def test_scoring() -> None:
    ts = TestSet.sample()
    scores = ts.score(["bleu", "ter"])
    assert scores.systems == ["literal", "smooth", "strong"]
    direct = tt.score(ts.systems["strong"], ts.references, "bleu")
    assert scores["strong", "bleu"].value == direct["bleu"].value
    documents = ts.score("chrf", level="document", threads=2)
    assert list(documents.scores[0].ids) == list(dict.fromkeys(ts.documents or ()))
    assert len(ts.score("chrf", level="segment").scores[0].values) == 69


def test_a_test_set_shows_itself() -> None:
    html = TestSet.of(["<b>"] * 5, {"A&B": ["x"] * 5}, name="<i>")._repr_html_()
    assert html.count("<tr>") == 5
    assert "&lt;b&gt;" in html
    assert "A&amp;B" in html
    assert "2 more segments" in html
    assert "<i>" not in html
    assert "reference 2" in TestSet.sample()._repr_html_()


def test_a_test_set_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        TestSet.sample().name = "other"  # type: ignore[misc]


def test_loading_imports_nothing_heavy() -> None:
    program = (
        "import sys; from tertium.testset import TestSet; TestSet.sample()\n"
        "above = ('tertium.families', 'tertium.scoring', 'tertium.cli')\n"
        "layers = [m for m in sys.modules if m.startswith(above)]\n"
        "assert not {'numpy', 'rich'} & set(sys.modules) and not layers, layers"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
