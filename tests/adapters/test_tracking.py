"""Names of numbers in trackers: legal, stable, none lost; with the real packages (heavy) what they read back."""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.adapters import tracking
from tests.conftest import skip_or_fail
from tests.every_result import every_result

HYPOTHESES = ["the cat sat on a mat", "a dog barks loudly here"]
REFERENCES = ["the cat sat on the mat", "the dog barks loudly there"]
SYSTEMS = ("a:b", "a?b", "/x//y", "../z", "猫 system", "...", "v1.2", "_hidden", "+", "n" * 300)


def odd() -> tt.Scores:
    """Systems named as files and people name them, and metrics of one label."""
    texts = dict.fromkeys(SYSTEMS, HYPOTHESES) | {"a?b": REFERENCES}
    return tt.score(texts, REFERENCES, ["bleu", "bleu:tok=intl", "chrf:word_order=1", "chrf++"])


def legal(name: str) -> bool:
    """By MLflow's rules, which are the strictest."""
    path = posixpath.normpath(name) == name and not name.startswith(("/", ".", "_"))
    return path and re.fullmatch(r"[/\w.\- ]+", name) is not None and len(name) <= 250


@pytest.mark.filterwarnings("ignore")
def test_every_kind_of_result(tmp_path: Path) -> None:
    """All its numbers have names; none of these holds a measured number."""
    seen = 0
    for result in every_result(tmp_path):
        found = tracking.numbers(result)
        rows = sum(tracking._is_number(value) for record in result.records() for value in record.values())
        assert len(found) >= rows, result.kind
        for name in found:
            assert legal(name), (result.kind, name)
            assert not re.search(r"\d\.\d{6}", name), (result.kind, name)
        seen += bool(found)
    assert seen > 80


def test_names_are_legal_and_none_is_lost() -> None:
    """Two systems whose names become one keep all their numbers."""
    found = tracking.numbers(odd())
    assert len(found) == len(SYSTEMS) * 4
    for name in found:
        assert legal(name)
    assert {found["a_b/chrF2pp"], found["a_b/chrF2pp_2"]} == {score.value for score in odd() if
        score.system in ("a:b", "a?b") and score.metric == tt.metric("chrf++")}  # fmt: skip
    assert {"v1.2/BLEU_bleu", "v1.2/BLEU_bleu_tok_intl", "v1.2/chrF2p", "x/y/chrF2p"} <= set(found)


def test_names_do_not_depend_on_the_outcome() -> None:
    """A curve over steps has one name, whoever is ahead, and even with one system."""
    sample = tt.TestSet.sample()
    names = list(sample.systems)
    texts = {name: list(map(str, sample.systems[name])) for name in names}
    other = dict(zip(names, reversed(list(texts.values())), strict=True))
    references = [list(map(str, stream)) for stream in sample.references.streams]
    ahead, behind = (tt.TestSet.of(references, given) for given in (texts, other))
    first, second = (
        tracking.numbers(tt.compare(own, ["bleu", "chrf"], resamples=100)) for own in (ahead, behind)
    )
    assert {name for name in first if "/p" not in name and not name.endswith(" p")} == {
        name for name in second if "/p" not in name and not name.endswith(" p")
    }
    assert first["strong/BLEU"] == tt.score(texts["strong"], ahead.references, "bleu")[0].value
    assert {"BLEU/literal/strong/p", "BLEU/literal/strong/difference", "strong/BLEU half width"} <= set(first)
    for texts in (HYPOTHESES, ["x", "y"]):
        assert set(tracking.numbers(tt.score(texts, REFERENCES, "chrf"))) == {"system/chrF2"}


def test_several_results_of_a_run() -> None:
    """Names keep them apart; what is no result is refused."""
    result = tt.score(HYPOTHESES, REFERENCES, "chrf")
    value = result[0].value
    assert tracking.numbers(result, "dev") == {"dev/system/chrF2": value}
    assert tracking.numbers(result, "WMT17/de:en") == {"WMT17/de_en/system/chrF2": value}
    for wrong in (result["chrf"], {"BLEU": 1.0}):
        with pytest.raises(tt.InputError, match=r"log a result, as .* give it, not a (Score|dict)"):
            tracking.numbers(wrong)  # type: ignore[arg-type]


def test_names_of_files() -> None:
    """wandb takes 128 characters, with some of its own."""
    result = tt.score(HYPOTHESES, REFERENCES, "chrf")
    for name, want in (("", "scores"), ("a/b: é", "a-b"), ("é", "result"), ("x" * 59 + "-y", "x" * 59)):
        assert tracking._file(result, name) == want


def test_undefined_is_left_out() -> None:
    with pytest.warns(tt.TertiumWarning, match="all hypotheses are empty"):
        found = tracking.numbers(tt.score([""], [""], ["chrf", "macrof1"]))
    assert set(found) == {"system/chrF2"}


def real(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        skip_or_fail(f"{name} cannot be imported: {error}")


def results() -> list[Any]:
    compared = tt.compare(tt.TestSet.sample(), ["bleu", "chrf"], resamples=100)
    segments = tt.score(HYPOTHESES * 300, REFERENCES * 300, ["chrf", "ter"], level="segment")
    return [odd(), compared, segments]


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Odd names, tests of significance, more numbers than one request takes; each step keeps its file."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow = real("mlflow")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    for result in results():
        with mlflow.start_run() as run:
            logged = [tracking.log_mlflow(result, step=step, name="own name") for step in (1, 2)]
        client = mlflow.MlflowClient()
        assert (
            client.get_run(run.info.run_id).data.metrics == logged[0] == tracking.numbers(result, "own name")
        )
        for step in (1, 2):
            path = client.download_artifacts(run.info.run_id, f"tertium/step-{step}/own-name.json", tmp_path)
            assert json.loads(Path(path).read_text("utf-8")) == json.loads(result.json())


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_wandb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offline; numbers under their names, rows as a table, all of it with signatures as an artifact."""
    for name in ("WANDB_DIR", "WANDB_DATA_DIR", "WANDB_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    wandb = real("wandb")
    for result in results():
        staged = set(tmp_path.glob("artifacts/staging/*"))
        run = wandb.init(project="tertium", dir=str(tmp_path), reinit="finish_previous")
        logged = tracking.log_wandb(result, run=run)
        assert {name: run.summary[name] for name in logged} == logged == tracking.numbers(result)
        run.finish()
        files = set(tmp_path.glob("artifacts/staging/*")) - staged  # the table's is among them
        assert json.loads(result.json()) in [json.loads(path.read_text("utf-8")) for path in files]
