"""Parts of estimators: learnt by name, kept in the file, refused when damaged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.estimation import parts
from tertium.estimation.estimator import Estimator, trained
from tertium.estimation.parts import TrainingRecord
from tertium.io.translations import read_translations
from tests.estimation.test_estimation import made


@dataclass(frozen=True, eq=False)
class Spread:
    """How far estimates of segments that were left out are from the truth."""

    errors: np.ndarray

    @classmethod
    def learnt(cls, training: TrainingRecord) -> Spread | None:
        return cls(np.abs(training.left_out - training.values)) if len(training.texts) > 60 else None

    def arrays(self) -> dict[str, np.ndarray]:
        return {"errors": self.errors}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Spread:
        return cls(arrays["errors"])


def test_a_part_is_learnt_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts.PARTS, "table", {"spread": "tests.estimation.test_parts:Spread"})
    learnt = trained(made(80))
    learnt.write(tmp_path / "qe.model")
    read = Estimator.read(tmp_path / "qe.model")
    (own,), (kept,) = learnt.parts.values(), read.parts.values()
    assert own.arrays()["errors"].tolist() == kept.arrays()["errors"].tolist()
    assert len(own.arrays()["errors"]) == 80
    assert not trained(made(60)).parts  # where there is nothing to learn
    monkeypatch.setattr(parts.PARTS, "table", {})
    with pytest.raises(InputError, match=r"needs a part that this Tertium does not have \(spread\)"):
        Estimator.read(tmp_path / "qe.model")


def test_documents_are_a_column(tmp_path: Path) -> None:
    table = tmp_path / "da.tsv"
    table.write_text("doc_id\tsrc\tmt\tda\nnews\tHaus\thouse\t1\nblog\tHund\tdog\t2\n", encoding="utf-8")
    assert read_translations(table).documents == ["news", "blog"]
