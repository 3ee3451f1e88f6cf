"""`tertium vectors` and `tertium probe`, from arguments to what is printed."""

from __future__ import annotations

import importlib.util
import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium.cli import main
from tertium.text.vectors import Vectors
from tests.conftest import SAMPLE, skip_or_fail


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    lines = (SAMPLE / "reference1.en").read_text(encoding="utf-8") * 20
    path.write_text(lines, encoding="utf-8")
    return path


def trained(corpus: Path, output: Path, *options: str) -> Vectors:
    if importlib.util.find_spec("fasttext_pybind") is None:
        skip_or_fail("fastText is not installed")
    fast = ["--dimension", "16", "--epochs", "2"]
    assert main(["vectors", "train", str(corpus), "-o", str(output), "-f", "table", *fast, *options]) == 0
    return Vectors.open(output)


def test_train_is_repeatable(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = trained(corpus, tmp_path / "one.vec"), trained(corpus, tmp_path / "two.bin")
    assert one.words() == other.words()
    assert one.dimension == 16
    word = one.words()[0]
    assert np.abs(one[word] - other[word]).max() < 1e-6
    different = trained(corpus, tmp_path / "three.vec", "--seed", "2")
    assert np.abs(one[word] - different[word]).max() > 1e-4
    said = capsys.readouterr().out
    note = "skip-gram, 5 negative samples, window 5, 2 epochs, seed 1, by fasttext-community "
    assert f"{note}{version('fasttext-community')}" in " ".join(said.split())


def test_train_ngrams(corpus: Path, tmp_path: Path) -> None:
    vectors = trained(corpus, tmp_path / "all.vec", "--ngrams", "1", "2", "--lowercase")
    assert any("_" in word for word in vectors.words())
    assert all(word == word.lower() for word in vectors.words())


def test_train_refuses_a_corpus_without_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if importlib.util.find_spec("fasttext_pybind") is None:
        skip_or_fail("fastText is not installed")
    path = tmp_path / "small.txt"
    path.write_text("each word once\n", encoding="utf-8")
    assert main(["vectors", "train", str(path), "-o", str(tmp_path / "x.vec")]) == 2
    assert "no word occurs 2 times" in capsys.readouterr().err
    assert not (tmp_path / "x.vec").exists()
    assert main(["vectors", "train", str(path), "-o", str(tmp_path / "x.vec"), "--ngrams", "0"]) == 2


def test_info(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "v.vec"
    path.write_text("3 2\na 1 0\nb 0.9 0.1\nc 0 1\n", encoding="utf-8")
    assert main(["vectors", "info", str(path), "-f", "json"]) == 0
    facts = {row["what"]: row["value"] for row in json.loads(capsys.readouterr().out)}
    assert (facts["words"], facts["dimension"], facts["storage"]) == (3, 2, "float32")
    assert main(["vectors", "info", str(path), "--near", "a", "--number", "1", "-f", "tsv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("a\tb\t0.99388372")
    assert main(["vectors", "info", str(path), "--near", "z"]) == 2
    assert "there is no vector for 'z'" in capsys.readouterr().err


def test_idf_is_used_by_score(tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = tmp_path / "idf.tsv"
    assert main(["vectors", "idf", str(corpus), "-o", str(stored)]) == 0
    capsys.readouterr()
    files = [str(SAMPLE / "reference1.en"), "-i", str(SAMPLE / "system-strong.en"), "-b", "-w", "6"]
    values = []
    for weights in (stored, corpus):
        assert main(["score", *files, "-m", f'yisi0:idf="{weights}"']) == 0
        values.append(capsys.readouterr().out)
    assert values[0] == values[1]


def test_reference_free_score(tmp_path: Path, supply: Any, capsys: pytest.CaptureFixture[str]) -> None:
    import tertium as tt

    metric = supply(tt.metric("yisi2"))
    hypotheses, sources = SAMPLE / "system-strong.en", SAMPLE / "source.de"
    assert main(["score", "-i", str(hypotheses), "--source", str(sources), "-m", str(metric), "-b"]) == 0
    assert float(capsys.readouterr().out) >= 0
    assert main(["score", "-i", str(hypotheses), "--source", str(sources), "-m", str(metric), "bleu"]) == 2
    assert "there are no references" in capsys.readouterr().err


def test_explain_says_what_is_required(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "yisi1"]) == 0
    assert "yisi1 needs vectors" in capsys.readouterr().out


def test_latent_semantic_analysis(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus, output = tmp_path / "corpus.txt", tmp_path / "lsa.vec"
    corpus.write_text("Ship sea ship\nsea ship\nlaw court\ncourt law law\n" * 3, "utf-8")
    assert main(["vectors", "lsa", str(corpus), "-o", str(output), "--dimension", "2", "--lowercase"]) == 0
    shown = capsys.readouterr().out
    assert "latent semantic analysis, passages: lines" in shown
    assert output.read_text("utf-8").startswith("4 2\nship ")
    wrong = ["--passages", "pages"]
    assert main(["vectors", "lsa", str(corpus), "-o", str(output), *wrong]) == 2
    assert "passages are lines, blank or words:180, not 'pages'" in capsys.readouterr().err
