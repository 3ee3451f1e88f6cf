"""A regression trained on the component scores of BLEND's authors gives the scores that they published."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import numpy as np
import pytest

from tertium.families.trained import apply_model
from tertium.io.metricfiles import MetricModel
from tertium.training.models import RIDGE, SVR_RBF
from tests.conftest import SHARED
from tests.twins import trained as twin


@pytest.mark.parametrize("learner", [RIDGE, SVR_RBF])
def test_models_are_those_of_the_twin(learner: object) -> None:
    rng = np.random.default_rng(1)
    rows, human = rng.normal(size=(60, 3)), rng.normal(size=60)
    model = MetricModel("m", ("c",), tuple("abc"), **learner.fit(rows, human, 1.0))  # type: ignore[attr-defined]
    assert apply_model(model, rows) == pytest.approx([twin.predicted(model, row) for row in rows.tolist()])


@pytest.mark.golden
def test_the_published_blend_comes_out(shared: Path, tmp_path: Path) -> None:
    """Trained anew on the authors' component scores; one of the 29, DPMF, is cut short in what they published."""
    golden = json.loads((SHARED / "golden" / "blend_sample.json").read_text("utf-8"))
    with tarfile.open(SHARED / "data" / "blend" / "blend-sample-scores.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    used = [i for i, name in enumerate(golden["feature_order"]) if name != "DPMF"]
    columns = [tmp_path / f"train.mt-system.toen.{golden['feature_order'][i]}" for i in used]
    rows = np.stack([np.array(path.read_text("utf-8").split(), dtype=float) for path in columns], axis=1)
    folders = [
        f"da-wmt{year}/{language}-en"
        for year, languages in (("15", "cs de fi ru"), ("16", "cs de fi ro ru tr"))
        for language in languages.split()
    ]
    human = [
        next((SHARED / "data/daseg-wmt15-16" / name).glob("*.human.*")).read_text("utf-8") for name in folders
    ]
    fitted = SVR_RBF.fit(rows, np.array(" ".join(human).split(), dtype=float), 1.0)
    assert abs(len(fitted["weights"]) - golden["svr"]["n_sv"]) < 20
    model = MetricModel("blend", ("given",), tuple(map(str, used)), **fitted)
    ours = apply_model(model, np.array(golden["features"])[:, used])
    published = np.array(golden["published_blend"])
    assert np.corrcoef(ours, published)[0, 1] > 0.997
    assert np.abs(ours - published).mean() < 0.03
