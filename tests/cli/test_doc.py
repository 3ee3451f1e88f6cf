"""`tertium doc`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_coreference(run: Run, tmp_path: Path) -> None:
    for name, cells in (("key", "(1 1) - (1) (2)"), ("own", "(1 1) - (1) (1)"), ("short", "(1 1)")):
        rows = "".join(f"w {cell}\n" for cell in cells.split())
        (tmp_path / name).write_text(f"#begin document (d)\n{rows}#end document\n", "utf-8")
    found = run("doc", "coref", tmp_path / "key", tmp_path / "own", "-f", "json")
    data = json.loads(found.out)
    assert data["measures"]["muc"] == {"recall": 1.0, "precision": 0.5, "f1": pytest.approx(2 / 3)}
    assert data["by_document"]["(d)"]["muc"] == pytest.approx(2 / 3)
    assert "CoNLL score" in run("doc", "coref", tmp_path / "key", tmp_path / "own").out
    bad = run("doc", "coref", tmp_path / "key", tmp_path / "short")
    assert (bad.status, bad.out) == (2, "")
    assert "document (d) has 5 tokens in the key and 2 in the response" in bad.err
