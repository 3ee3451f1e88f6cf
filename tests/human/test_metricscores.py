"""Our own scores on their way to a shared task."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.human import score_matrices
from tertium.io.mtme import read_mtme_scores, write_mtme_scores
from tertium.io.wmtscores import read_wmt_scores, write_wmt_scores


@pytest.mark.parametrize(("level", "name"), [("corpus", "sys"), ("document", "doc"), ("segment", "seg")])
def test_from_scores_to_files_and_back(tmp_path: Path, level: str, name: str) -> None:
    sample = tt.TestSet.sample()
    scores = sample.score(["bleu", "chrf", "ter"], level=level)
    matrices = score_matrices(scores)
    assert [matrix.name for matrix in matrices] == ["BLEU", "chrF2", "TER"]
    for matrix, metric in zip(matrices, scores.metrics, strict=True):
        for system in sample.systems:
            assert list(matrix.row(system)) == list(scores[system, str(metric)].values)
    path = tmp_path / f"OURS.{name}.score"
    write_wmt_scores(path, matrices, shape="wmt20", pair="de-en", testset="sample")
    found = read_wmt_scores(path)
    for matrix in matrices:
        assert np.array_equal(found.matrix(metric=matrix.name).values, matrix.values)
        same = read_mtme_scores(write_mtme_scores(tmp_path, "de-en", matrix, reference="refA"))
        assert np.array_equal(same.values, matrix.values)
