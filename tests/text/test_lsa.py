"""Vectors by latent semantic analysis: as numpy's decomposition of the whole matrix has them, and what they are for."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.errors import InputError, SpecError
from tertium.text.lsa import SemanticAnalysis, _left_vectors, _Matrix, analyse

TOPICS = ("ship sea sail harbour captain", "court judge law trial witness", "bread oven flour baker dough")


def corpus(path: Path, number: int = 90) -> str:
    draw = random.Random(15)
    lines = [" ".join(draw.choices([*TOPICS[n % 3].split(), "the", "and"], k=12)) for n in range(number)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


def test_as_the_whole_decomposition() -> None:
    draw = np.random.default_rng(3)
    dense = np.where(draw.random((60, 45)) < 0.2, draw.random((60, 45)), 0.0)
    dense[:, 0] = dense[0, :] = 1.0
    rows, columns = np.nonzero(dense)
    found = _left_vectors(_Matrix.of(rows, columns, dense[rows, columns]), 6)
    left, values, _ = np.linalg.svd(dense)
    assert np.linalg.norm(found, axis=0) == pytest.approx(values[:6], rel=1e-6)
    expected = (left[:, :6] * values[:6]) @ (left[:, :6] * values[:6]).T
    assert found @ found.T == pytest.approx(expected, abs=1e-3)
    assert np.all(found[np.abs(found).argmax(axis=0), np.arange(6)] > 0)


def test_words_of_a_topic_are_alike(tmp_path: Path) -> None:
    vectors = analyse([corpus(tmp_path / "a.txt")], str(tmp_path / "a.vec"), SemanticAnalysis(dimension=3))
    assert vectors.dimension == 3
    assert vectors.similarity("ship", "harbour") > 0.9
    assert abs(vectors.similarity("ship", "judge")) < 0.3
    binary = analyse([corpus(tmp_path / "a.txt")], str(tmp_path / "a.bin"), SemanticAnalysis(dimension=3))
    assert binary.words() == vectors.words()
    assert binary["oven"] == pytest.approx(vectors["oven"])


def test_cohesion_of_what_does_not_repeat_a_word(tmp_path: Path) -> None:
    path = tmp_path / "a.vec"
    analyse([corpus(tmp_path / "a.txt")], str(path), SemanticAnalysis(dimension=3, lowercase=True))
    metric = tt.metric(f'doc:cohesion:vectors="{path}"')
    together = metric.score(["The ship left the harbour. Its captain saw the sea."], [""])
    apart = metric.score(["The ship left the court. Its baker saw the law."], [""])
    assert together is not None
    assert apart is not None
    assert together > apart + 20
    assert tt.metric("doc:cohesion").score(["The ship left the harbour."], [""]) == 0
    assert "vectors-hash:" in metric.signature()


def test_passages(tmp_path: Path) -> None:
    lines = [["a", "b"], [], [], ["c"], ["d"]]
    assert list(SemanticAnalysis().cut(lines)) == [["a", "b"], ["c"], ["d"]]
    assert list(SemanticAnalysis(passages="blank").cut(lines)) == [["a", "b"], ["c", "d"]]
    assert list(SemanticAnalysis(passages="words:3").cut(lines)) == [["a", "b", "c"], ["d"]]
    with pytest.raises(SpecError, match="a number of words is given as words:180"):
        SemanticAnalysis(passages="words:0")
    with pytest.raises(SpecError, match="passages are lines, blank or words:180, not 'sentences'"):
        SemanticAnalysis(passages="sentences")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a b c\nd\n", "no word occurs 2 times"),
        ("a a b b\n", "there is only one"),
        ("a b\na b\n", "nothing tells them apart"),
        ("", "the file is empty"),
    ],
)
def test_texts_that_teach_nothing(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "few.txt"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        analyse([str(path)], str(tmp_path / "out.vec"))
    assert not (tmp_path / "out.vec").exists()
