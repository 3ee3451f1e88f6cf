"""Other metrics as features: YiSi-2 with vectors of two languages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError, SpecError
from tertium.estimation.estimator import Estimator, trained
from tertium.estimation.features import FEATURES
from tertium.estimation.othermetrics import metric_features, set_of
from tertium.estimation.view import Learnt, View
from tertium.estimation.words import KeyedWords
from tertium.registry import metric
from tertium.triage.results import described
from tests.estimation.test_estimation import WORDS, made


@pytest.fixture
def spec(tmp_path: Path) -> str:
    """Words that translate each other have one vector."""
    draw = np.random.default_rng(1)
    places = {word: draw.normal(size=8) for word in WORDS}
    for name, words in (("de", list(WORDS)), ("en", list(WORDS.values()))):
        rows = [
            f"{word} {' '.join(map(str, place))}" for word, place in zip(words, places.values(), strict=True)
        ]
        (tmp_path / f"{name}.vec").write_text("\n".join([f"{len(words)} 8", *rows, ""]))
    files = f"vectors={tmp_path}/en.vec,source_vectors={tmp_path}/de.vec"
    return f"yisi2:{files},idf=none,source_idf=none,n=1"


def test_yisi2_is_a_feature(tmp_path: Path, spec: str) -> None:
    texts, new = made(120), made(30, seed=2)
    estimator = trained(texts, sets=("lengths",), metrics=[spec])
    assert estimator.sets == ("lengths", set_of(spec))
    assert estimator.correlation > 0.5 > trained(texts, sets=("lengths",)).correlation
    estimator.write(tmp_path / "qe.model")
    read = Estimator.read(tmp_path / "qe.model")
    assert read.estimates(new).tolist() == estimator.estimates(new).tolist()
    assert "similarity to the source" in str(described(read, 1))
    own, sides = metric(spec), (list(new.translations), list(new.sources))
    expected = own.score_rows(own.statistics(*sides, sources=sides[1]), "segment")
    words = KeyedWords.of(new.sources), KeyedWords.of(new.translations)
    learnt = Learnt.of(*words, np.asarray(new.scores))
    assert np.array_equal(FEATURES[set_of(spec)].columns(View(*words, learnt))[:, 0], expected)
    (tmp_path / "en.vec").write_text("2 2\na 1 0\nb 0 1\n")
    with pytest.raises(InputError, match="whose files are not those of today"):
        Estimator.read(tmp_path / "qe.model")
    (tmp_path / "en.vec").unlink()
    with pytest.raises(InputError, match=r"en\.vec: no such file"):
        Estimator.read(tmp_path / "qe.model")


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("bleu", "needs references"),
        ("yisi2:vectors=a,source_vectors=b", "depends on all texts: give idf=none"),
        ("no-such-metric", "unknown metric"),
    ],
)
def test_what_cannot_be_a_feature(wrong: str, why: str) -> None:
    with pytest.raises(SpecError, match=why):
        metric_features(wrong)
    with pytest.raises(SpecError, match=why):
        trained(made(60), metrics=[wrong])


def test_by_command(tmp_path: Path, spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    texts = made(60)
    rows = zip(texts.sources, texts.translations, texts.scores or (), strict=True)
    table = tmp_path / "train.tsv"
    table.write_text("source\tmt\tscore\n" + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in rows))
    command = ["estimate", "train", "--data", str(table), "-o", str(tmp_path / "qe.model"), "-m"]
    assert main([*command, spec]) == 0
    assert "yisi2" in capsys.readouterr().out
    assert main([*command, "bleu"]) == 2
    assert "bleu needs references" in capsys.readouterr().err
