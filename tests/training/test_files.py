"""What a file of a trained metric carries, that it comes out the same twice, and HUME as what people said."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import tertium as tt
from tertium.cli import main
from tertium.families.features import Component
from tertium.io.metricfiles import segment_hash
from tertium.training.report import training_report
from tertium.training.training import train
from tests import trees
from tests.conftest import SHARED
from tests.training.test_training import WORDS, judged

HUME = SHARED / "data" / "hume"


def written_texts(folder: Path) -> list[str]:
    """References, a system and its judgements in files, as options."""
    one = judged()
    columns = {"ref": one.references, "sys": one.hypotheses, "human": map(str, one.judgements)}
    for name, lines in columns.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return [str(folder / "ref"), "-i", str(folder / "sys"), "--human", str(folder / "human")]


def test_the_file_carries_what_it_rests_on(tmp_path: Path) -> None:
    path, one = tmp_path / "m.metric", judged()
    how = ["-m", "chrf", "ter", "--model", "ridge", "--licence", "CC0", "-o", str(path)]
    assert main(["train", "blend", *written_texts(tmp_path), *how]) == 0
    file = json.loads(path.read_text("utf-8"))
    assert (file["format"], file["version"]) == ("tertium metric", 1)
    assert file["signatures"] == [Component.of(spec).signature for spec in ("chrf", "ter")]
    told = file["training"]
    assert told["segments"] == 400
    assert told["fingerprint"] == one.fingerprint
    assert told["licence"] == "CC0"
    assert 0.9 < told["correlation"] < 1
    assert "ridge" in told["by"]
    assert segment_hash(one.hypotheses[3], one.references[3]) in told["seen"]
    assert f"model:{tt.metric(f'file:{path}')._model()[0].hash}" in tt.metric(f"file:{path}").signature()  # type: ignore[attr-defined]


@pytest.mark.parametrize("learner", ["ridge", "linear", "svr"])
def test_the_same_data_give_the_same_file(tmp_path: Path, learner: str) -> None:
    made = []
    for name in ("one", "two"):
        path = tmp_path / name
        how = ["-m", "chrf", "ter", "lengths.*", "--model", learner, "--no-ablation", "-o", str(path)]
        assert main(["train", "blend", *written_texts(tmp_path), *how]) == 0
        made.append(path.read_bytes())
    assert made[0] == made[1]


def test_a_seed_draws_the_learning_curve() -> None:
    first, again, other = (
        training_report(judged(noise=0.9), ["chrf", "bleu"], learner="ridge", seed=seed).curve
        for seed in (1, 1, 2)
    )
    assert first == again != other
    assert first[-1] == other[-1]  # with everything there is nothing to draw


def marks(folder: Path) -> tuple[list[str], Path]:
    """Texts of two systems and HUME's marks of their units: the more words are right, the more units are green."""
    draw = random.Random(3)
    references = [" ".join(draw.choices(WORDS, k=8)) for _ in range(150)]
    lines = ["annotator\tsystem\tsegment\tunit\tmark"]
    for system, share in (("A", 0.2), ("B", 0.5)):
        outputs = []
        for number, reference in enumerate(references, 1):
            words = [draw.choice(WORDS) if draw.random() < share else word for word in reference.split()]
            outputs.append(" ".join(words))
            lines += [
                f"ann\t{system}\t{number}\t{unit}\t{'G' if ours == theirs else 'R'}"
                for unit, (ours, theirs) in enumerate(zip(words, reference.split(), strict=True), 1)
            ]
        (folder / system).write_text("".join(f"{line}\n" for line in outputs), "utf-8")
    (folder / "ref").write_text("".join(f"{line}\n" for line in references), "utf-8")
    (folder / "hume.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    return ["ref", "-i", "A", "B"], folder / "hume.tsv"


def test_autoda_learns_from_hume(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts, human = marks(tmp_path)
    monkeypatch.chdir(tmp_path)  # systems are named after their files
    parser, model = trees.plug_in(), tmp_path / "autoda.metric"
    how = ["-m", f"autoda.*:parser={parser}", "--model", "linear", "-o", str(model)]
    assert main(["train", "blend", *texts, "--human", str(human), *how]) == 0
    assert "300 judgements" in " ".join(capsys.readouterr().out.split())
    metric = tt.metric(f'autoda:parser="{parser}",model="{model}"')
    good, bad = metric.reward(["the cat sat on the mat", "a dog ran"], ["the cat sat on the mat"] * 2)
    assert good > bad


@pytest.mark.golden
def test_himls_counts_are_judgements_too(shared: Path, tmp_path: Path) -> None:
    """HUME of 2017, English to German: 894 translations. chrF alone has .443 to .455 (README of the data, and here)."""
    from tertium.io.streams import read_bytes
    from tertium.testset import TestSet
    from tertium.training.human_files import judged_in

    def lines(name: str) -> list[str]:
        return read_bytes(HUME / "en-de" / f"{name}.de.gz").decode("utf-8").splitlines()

    systems = {"NMT": "nmt", "PBMT": "pbmt", "Syntax": "syntax"}
    testset = TestSet.of(lines("ref"), {system: lines(name) for system, name in systems.items()})
    found = train(
        judged_in(testset, str(HUME / "sentences.de.tsv.gz")), ["chrf", "ter", "lengths.*"], learner="linear"
    )
    assert found.segments == 894
    assert found.components[0].alone == pytest.approx(0.455, abs=0.001)
    assert found.correlation == pytest.approx(0.474, abs=0.001)
