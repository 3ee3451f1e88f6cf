"""What `train` and trained metrics cannot use: one line that says what, status 2, nothing written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tertium.cli import main
from tests.training.test_training import judged


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two outputs of 200 lines, with scores and votes of people."""
    monkeypatch.chdir(tmp_path)
    one = judged(400)
    sides: dict[str, Any] = {
        "ref": one.references[:200],
        "A": one.hypotheses[:200],
        "B": one.references[200:],
    }
    sides |= {"A.da": one.judgements[:200], "B.da": one.judgements[200:], "short.da": [1, 2, 3]}
    sides |= {"same.da": [1] * 200, "word.da": [*range(199), "good"], "few.da": [*range(40), *["-"] * 160]}
    for name, lines in sides.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    rows = [f"A\t{i}\t{i}" for i in range(1, 201)]
    for name, more in (("beyond", "A\t201\t1"), ("stranger", "C\t1\t1")):
        Path(f"{name}.tsv").write_text("\n".join(["system\tsegment\tscore", *rows, more]), "utf-8")
    header = "annotator\tsegment\tfirst\tsecond\tchoice\n"
    Path("votes.tsv").write_text(header + "ann\t1\tA\tB\tfirst\n", "utf-8")
    Path("odd.tsv").write_text(header + "ann\t1\tA\tB\tperhaps\n", "utf-8")
    Path("other.conllu").write_text("1\tQuelque\tquelque\tDET\t_\t_\t0\troot\t_\t_\n\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("--human A.da short.da -m chrf", "short.da: has 3 judgements, but B has 200 segments"),
        ("--human A.da -m chrf", "there are 2 systems, but 1 files of judgements"),
        ("--human A.da word.da -m chrf", "word.da: line 200: 'good' is no judgement"),
        ("--human same.da same.da -m chrf", "all 400 judgements are 1: there is nothing to learn from them"),
        (
            "--human few.da few.da -m chrf",
            "80 judgements are too few to train on: 200 are the least, 1,000 and more",
        ),
        (
            "--human beyond.tsv -m chrf",
            "people judged segment '201' of A, but the test set has segments 1 to 200",
        ),
        ("--human stranger.tsv -m chrf", "there is no output of system 'C'"),
        ("--human votes.tsv -m chrf", "1 comparisons with a better translation are too few to train on: 200"),
        ("--human odd.tsv -m chrf", "odd.tsv: line 2: the choice 'perhaps' is unknown"),
        ("--human nowhere.tsv -m chrf", "nowhere.tsv"),
        ("--human A.da B.da -m nosuch", "unknown metric 'nosuch'"),
        ("--human A.da B.da -m nosuch.*", "unknown set of features 'nosuch'"),
        ("--human A.da B.da -m chrf --model forest", "unknown model 'forest'"),
        ("--human A.da B.da -m autoda.*:parser=conllu:other.conllu", "other.conllu"),
        ("--human A.da B.da -m chrf --without-references", "needs pseudo-references"),
        ("--human A.da B.da -m chrf --pseudo-references x=B", "no system is compared with its own output"),
    ],
)
@pytest.mark.parametrize("command", ["blend", "report"])
def test_judgements_and_components(
    texts: Path, capsys: pytest.CaptureFixture[str], command: str, call: str, message: str
) -> None:
    more = ["-o", "my.metric"] if command == "blend" else []
    assert main(["train", command, "ref", "-i", "A", "B", *call.split(), *more]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert len(err.strip().splitlines()) == 1
    assert not Path("my.metric").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[: len(text) // 2], "m.metric"),
        (lambda text: "", "m.metric"),
        (lambda text: "\x00\x01", "m.metric"),
        (lambda text: "[1, 2]", "is no trained metric"),
        (lambda text: json.dumps(json.loads(text) | {"version": 2}), "is version 2 of the format"),
        (lambda text: json.dumps(json.loads(text) | {"weights": [1.0]}), "2 features, but 1 weights"),
        (
            lambda text: json.dumps(json.loads(text) | {"absent": [1.0]}),
            "2 features, but other numbers of values",
        ),
        (lambda text: json.dumps(json.loads(text) | {"weights": ["a", 1]}), "weights"),
        (
            lambda text: json.dumps(json.loads(text) | {"wieghts": [1]}),
            "wieghts: unknown key; did you mean 'weights'",
        ),
        (
            lambda text: json.dumps(json.loads(text) | {"components": ["chrf", "nosuch"]}),
            "unknown metric 'nosuch'",
        ),
        (lambda text: json.dumps(json.loads(text) | {"features": ["a", "b"]}), "do not give the features"),
        (lambda text: text.replace("nc:6", "nc:5"), "was trained with"),
    ],
)
def test_files_of_metrics(texts: Path, capsys: pytest.CaptureFixture[str], change: Any, message: str) -> None:
    call = "train blend ref -i A B --human A.da B.da -m chrf ter --model ridge -o m.metric --no-ablation"
    assert main(call.split()) == 0
    text = Path("m.metric").read_text("utf-8")
    Path("m.metric").write_text(change(text), "utf-8")
    capsys.readouterr()
    assert main(["score", "ref", "-i", "B", "-m", "file:m.metric", "-q"]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_a_number_that_is_not_finite(texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = "train blend ref -i A B --human A.da B.da -m chrf ter --model ridge -o m.metric --no-ablation"
    assert main(call.split()) == 0
    values = json.loads(Path("m.metric").read_text("utf-8")) | {"intercept": float("inf")}
    Path("m.metric").write_text(json.dumps(values), "utf-8")
    assert main(["score", "ref", "-i", "B", "-m", "file:m.metric", "-q"]) == 2
    assert "m.metric" in capsys.readouterr().err
