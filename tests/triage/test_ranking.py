"""Documents by need of work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.estimation.estimator import Estimator
from tertium.triage.ranking import rank_documents
from tests.online.test_online import learning_estimator


def test_documents_are_ranked_by_their_means(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qe.model").write_bytes(learning_estimator())
    estimator = Estimator.read(tmp_path / "qe.model")  # of edits: more is worse
    found = rank_documents(estimator, [0.1, 0.3, 0.5], ["a", "b", "a"])
    assert [(own.name, own.segments) for own in found.documents] == [("a", 2), ("b", 1)]
    first, second = found.documents
    assert first.mean == pytest.approx(0.3)
    assert first.low is not None
    assert second.low is not None
    assert first.mean - first.low < second.mean - second.low  # more segments, surer
    saved = rank_documents(replace(estimator, target="saved"), [0.1, 0.5], ["a", "b"])
    assert saved.documents[0].name == "a"
    with pytest.raises(InputError, match="there are 2 translations, but names of documents for 1"):
        rank_documents(estimator, [0.1, 0.2], ["a"])
    with pytest.raises(InputError, match="line 2: the name of the document is empty"):
        rank_documents(estimator, [0.1, 0.2], ["a", " "])
    for name, text in (("src", "ein haus\nein hund\n"), ("out", "a house\nzap foo\n"), ("docs", "x\ny\n")):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / name) for name in ("src", "out")]
    model = ["--model", str(tmp_path / "qe.model"), "--documents", str(tmp_path / "docs")]
    assert main(["estimate", "score", *files, *model]) == 0
    assert "those that need most work first: y" in " ".join(capsys.readouterr().out.split())
