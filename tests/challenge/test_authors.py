"""Releases of authors, read tolerantly, with nothing lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tertium.challenge.authors import QUESTION, read_release
from tertium.challenge.checking import problems
from tertium.challenge.judgements import Place
from tertium.challenge.loading import load
from tertium.challenge.outputs import System
from tertium.errors import InputError


def released(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_the_shared_sample(shared: Path) -> None:
    found = read_release(shared / "data" / "formats" / "challenge.json")
    assert found.items["S1a"].highlighted("source") == ("calls",)
    assert found.items["S1a"].highlighted("reference") == ("appels",)
    assert found.outputs is not None
    assert found.judgements is not None
    assert found.outputs.text(System("PBMT-1"), "S1a") == "Les appels répétés est venu."
    answers = found.judgements.answers()[Place("S1a", System("PBMT-1"))]
    assert answers == {"annotator 1": "no", "annotator 2": "no", "annotator 3": "yes"}


def test_other_shapes(tmp_path: Path) -> None:
    item = {
        "SID": 12,
        "Type": "Lexical",
        "src": "A *lone star",
        "ref": "x",
        "year": 2017,
        "translations": [
            {"system": "A", "date": "2017", "translation": "le *x*", "judgments": {"ann": True, "ben": "✓"}},
            {
                "name": "B",
                "text": "y",
                "labels": [{"annotator": "ann", "answer": "X", "comment": "bad"}, None],
            },
        ],
    }
    found = read_release(released(tmp_path / "x.json", {"about": "x", "sentences": [item]}))
    (only,) = found.items
    assert (only.id, only.category, only.question) == ("12", "Lexical", QUESTION)
    assert (only.source, only.source_spans) == ("A *lone star", ())
    assert only.metadata == {"year": 2017}
    assert found.outputs is not None
    assert found.outputs.texts == {System("A", "2017"): {"12": "le x"}, System("B"): {"12": "y"}}
    assert found.judgements is not None
    assert [(j.annotator, j.answer, j.note) for j in found.judgements] == [
        ("ann", "yes", ""),
        ("ben", "yes", ""),
        ("ann", "no", "bad"),
    ]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "holds no list of items"),
        ({"a": [1], "b": [2]}, "an object with one such list"),
        ([3], "item 1: is not an object"),
        ([{"id": "x"}], "item 1: has no source sentence"),
        (
            [{"source": "x", "systems": 3}],
            "item 1 (1): the systems must be an object keyed by name, or a list",
        ),
        ([{"source": "x", "systems": {"A": 3}}], "the output of 'A' is neither a string nor an object"),
        ([{"source": "x", "systems": [{"output": "y"}]}], "does not say which system it is from"),
        (
            [{"source": "x", "systems": {"A": {"output": "y", "judgements": ["perhaps"]}}}],
            "item 1 (1), A, annotator 1: 'perhaps' is not an answer",
        ),
        ([{"source": "x", "source_spans": [[0, 9]]}], "is out of range"),
        ([{"id": "x", "source": "x"}, {"id": "x", "source": "y"}], "the id 'x' occurs twice"),
    ],
)
def test_what_cannot_be_understood(tmp_path: Path, value: Any, words: str) -> None:
    with pytest.raises(InputError) as refused:
        read_release(released(tmp_path / "x.json", value))
    assert words in str(refused.value)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "labels.tsv": "id\tcategory\tsubcategory\tquestion\tA\nS1\tx\ty\tz?\t✓\nS2\tx\ty\tz?\tX\n",
        "src.en": "one\ntwo\n",
        "ref.fr": "un\ndeux\n",
        "A.fr": "un\ndo\n",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_folder(folder: Path) -> None:
    found = load(folder)
    assert found.items["S2"].languages == "en-fr"
    assert found.judgements is not None
    assert [j.answer for j in found.judgements] == ["yes", "no"]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("A.fr", "un\n", "A.fr: has 1 lines, but labels.tsv has 2 items"),
        ("labels.tsv", "id\tcat\n", "labels.tsv: line 1 must begin with id, category"),
        ("labels.tsv", "id\tcategory\tsubcategory\tquestion\tA\nS1\tx\ty\nS2\tx\n", "line 2: has 3 fields"),
        ("labels.tsv", "id\tcategory\tsubcategory\tquestion\tB\nS1\tx\ty\tz\t✓\n", "one file B.LANGUAGE"),
        (
            "labels.tsv",
            "id\tcategory\tsubcategory\tquestion\tA\nS1\tx\ty\tz\t7\nS2\tx\ty\tz\tX\n",
            "column A: '7' is no",
        ),
    ],
)
def test_a_folder_that_does_not_fit(folder: Path, name: str, text: str, words: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_release(folder)
    assert words in str(refused.value)


def test_everything_wrong_with_a_release_is_listed(tmp_path: Path) -> None:
    """A set of the authors used to be refused at its first error."""
    good = {"id": "a", "source": "x"}
    bad: list[Any] = [
        good,
        3,
        {"id": "b"},
        {**good, "source": "y"},
        {
            "id": "c",
            "source": "x",
            "systems": {"A": 3, "B": {"output": "y", "judgements": ["perhaps", "what"]}},
        },
        {"id": "d", "source": "x", "systems": [{"output": "y"}]},
    ]
    told = problems(released(tmp_path / "x.json", bad))
    words = (
        "item 2: is not",
        "item 3: has no source",
        "'a' occurs twice",
        "output of 'A'",
        "'perhaps'",
        "'what'",
    )
    for line, expected in zip(told, (*words, "does not say which system"), strict=True):
        assert expected in line
        assert "x.json: item" in line


def test_everything_wrong_with_a_folder_is_listed(tmp_path: Path) -> None:
    labels = "id\tcategory\tsubcategory\tquestion\tA\tB\nS1\tx\ty\tz\t?!\t✓\nS2\tx\ty\nS1\tx\ty\tz\tX\tX\n"
    texts = {"labels.tsv": labels, "src.en": "one\ntwo\nthree\n", "ref.fr": "un\n", "A.fr": "a\nb\nc\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    told = problems(tmp_path)
    expected = (
        "one file B.LANGUAGE",
        "ref.fr: has 1 lines",
        "line 2, column A",
        "line 3: has 3",
        "'S1' occurs twice",
    )
    for line, words in zip(told, expected, strict=True):
        assert words in line
