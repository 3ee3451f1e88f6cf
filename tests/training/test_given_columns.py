"""Scores of other programs, given by a table: learnt from, asked for when the metric is used, refused in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium import registry
from tertium.cli import main
from tertium.errors import InputError, SpecError
from tertium.families.features import Component
from tertium.io.givencolumns import given_columns
from tertium.io.metricfiles import read_model, write_model
from tertium.training.training import train
from tests.training.test_training import judged


def table(path: Path, one: Any, columns: dict[str, Any], *, references: bool = True) -> Path:
    """A table with the texts of judged segments."""
    texts = [one.hypotheses, *([one.references] if references else [])]
    names = ["hypothesis", *(["reference"] if references else []), *columns]
    rows = zip(*texts, *(map(str, values) for values in columns.values()), strict=True)
    lines = {"\t".join(row): None for row in rows}
    path.write_text("\n".join(["\t".join(names), *lines]) + "\n", "utf-8")
    return path


def test_what_is_given_is_learnt_and_asked_for(tmp_path: Path) -> None:
    one = judged(noise=0.5)
    told = zip(zip(one.hypotheses, one.references, strict=True), one.judgements.tolist(), strict=True)
    exact = dict(told)
    column = [exact[texts] for texts in zip(one.hypotheses, one.references, strict=True)]
    path = table(
        tmp_path / "scores.tsv", one, {"DPMF": column, "noise": [len(text) % 3 for text in one.references]}
    )
    spec = f"given.*:file={path},columns=DPMF"
    with_it, without = (train(one, specs, learner="ridge") for specs in (["chrf", spec], ["chrf"]))
    assert with_it.correlation > 0.95 > without.correlation
    assert with_it.components[1].alone is not None
    assert with_it.components[1].alone > 0.95
    write_model(with_it.model, model := tmp_path / "m.metric")
    assert read_model(model).components == ("chrf", "given.*:columns=dpmf")  # no file of this machine
    new = tmp_path / "new.tsv"
    new.write_text("hypothesis\tDPMF\na new cat\t3\nan old cat\t1\n", "utf-8")
    metric = tt.metric(f"file:{model},given={new}")
    better, worse = metric.reward(["a new  cat", "an old cat"], ["any cat", "any cat"])
    assert better > worse
    assert tt.metric(str(metric)) == metric
    assert "|given-hash:" in metric.signature()
    assert registry.from_signature("file", metric.signature()) == metric
    with pytest.raises(InputError, match=r"the scores dpmf are not computed but given: name the table"):
        tt.metric(f"file:{model}").score(["a new cat"], ["any cat"])
    with pytest.raises(InputError, match=r"new\.tsv: has no line for segment 2, 'a dog'"):
        metric.score(["a new cat", "a dog"], ["a", "b"])
    table(tmp_path / "other.tsv", one, {"ENTF": column})
    with pytest.raises(InputError, match=r"other\.tsv: has no column 'dpmf'"):
        tt.metric(f"file:{model},given={tmp_path / 'other.tsv'}").score(["a new cat"], ["any cat"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hypothesis\nA\n", "there is no column of scores beside the texts"),
        ("text\tDPMF\nA\t1\n", "the header has no column 'hypothesis'"),
        ("hypothesis\tDPMF\nA\tgood\n", "line 2: .*'good'"),
        ("hypothesis\tDPMF\nA\tnan\n", "line 2: .*nan"),
        ("hypothesis\tDPMF\nA\n", "line 2: has 1 field, but the header names 2 columns"),
        ("hypothesis\tDPMF\nA\t1\n A\t2\n", "line 3: the same texts have other scores above"),
    ],
)
def test_bad_tables(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "g.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=message):
        given_columns(path)


def test_bad_specs(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"given\.\* has no option 'colums'; did you mean 'columns'"):
        Component.of("given.*:colums=dpmf")
    one = judged()
    with pytest.raises(SpecError, match=r"given\.\* needs a table of scores: given\.\*:file=scores\.tsv"):
        train(one, ["chrf", "given.*"], learner="ridge")
    write_model(train(one, ["chrf"], learner="ridge").model, path := tmp_path / "m.metric")
    with pytest.raises(InputError, match="has no columns that are given by file: leave out given="):
        tt.metric(f"file:{path},given=x.tsv").score(["a"], ["a"])
    with pytest.raises(SpecError, match="takes no options but given=FILE"):
        tt.metric(f"file:{path},tok=13a")


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = judged()
    files = {"ref": one.references, "sys": one.hypotheses, "human": [str(value) for value in one.judgements]}
    for name, lines in files.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    path = table(tmp_path / "scores.tsv", one, {"length": [len(text) for text in one.references]})
    texts = [str(tmp_path / "ref"), "-i", str(tmp_path / "sys")]
    how = ["-m", "chrf", f"given.*:file={path}", "--model", "ridge", "-o", str(tmp_path / "m.metric")]
    assert main(["train", "blend", *texts, "--human", str(tmp_path / "human"), *how]) == 0
    assert "given.*" in capsys.readouterr().out
    assert main(["score", *texts, "-m", f"file:{tmp_path / 'm.metric'},given={path}"]) == 0
    assert main(["score", *texts, "-m", f"file:{tmp_path / 'm.metric'}"]) == 2
    assert "name the table that has them" in " ".join(capsys.readouterr().err.split())
