"""Adapters of large packages, against the real ones: evaluate, both harnesses, MLflow, wandb, transformers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium.adapters import harness, hf_evaluate, tracking, trainer
from tests.conftest import skip_or_fail

pytestmark = [pytest.mark.heavy, pytest.mark.filterwarnings("ignore")]
HYPOTHESES = ["the cat sat", "a dog", "birds fly high"]
REFERENCES = ["the cat sat down", "the dog", "birds fly"]
SCORES = {own.metric.label: own.value for own in tt.score(HYPOTHESES, REFERENCES, ["bleu", "chrf"])}


def real(name: str) -> Any:
    """The package, which the extra test-heavy has."""
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        skip_or_fail(f"{name} cannot be imported: {error}")


def test_evaluate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_EVALUATE_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    real("evaluate")
    module = hf_evaluate.load(["bleu", "chrf"])
    found = module.compute(predictions=HYPOTHESES, references=REFERENCES)
    signatures = found.pop("signatures")
    assert found == SCORES
    assert signatures["chrF2"].startswith("nrefs:1|case:mixed|")
    several = [[one, "another"] for one in REFERENCES]
    again = hf_evaluate.load("chrf")
    again.add_batch(predictions=HYPOTHESES[:2], references=several[:2])
    again.add_batch(predictions=HYPOTHESES[2:], references=several[2:])
    want = tt.score(HYPOTHESES, references_per_segment=several, metrics="chrf")["chrf"].value
    assert again.compute()["chrF2"] == want
    combined = real("evaluate").combine([hf_evaluate.load("chrf"), hf_evaluate.load("ter")])
    assert set(combined.compute(predictions=HYPOTHESES, references=REFERENCES)) >= {"chrF2", "TER"}


def test_lm_evaluation_harness() -> None:
    registry = real("lm_eval.api.registry")
    assert harness.register("chrf", "ter") == ["tertium_chrf", "tertium_ter"]
    assert harness.register("chrf") == ["tertium_chrf"]
    items = list(zip(REFERENCES, HYPOTHESES, strict=True))
    keep = registry.get_metric("tertium_chrf")
    whole = registry.get_metric_aggregation("tertium_chrf")
    assert whole([keep(item) for item in items]) == SCORES["chrF2"]
    assert registry.is_higher_better("tertium_chrf")
    assert not registry.is_higher_better("tertium_ter")


def test_a_task_of_the_harness(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A whole run: a task that names our metrics, and a model that says what it was told."""
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    lm_eval, models = real("lm_eval"), real("lm_eval.api.model")

    class Parrot(models.LM):  # type: ignore[misc,name-defined]
        def loglikelihood(self, requests: Any) -> Any:
            raise NotImplementedError

        def loglikelihood_rolling(self, requests: Any) -> Any:
            raise NotImplementedError

        def generate_until(self, requests: Any) -> list[str]:
            return [HYPOTHESES[int(own.args[0])] for own in requests]

    rows = [json.dumps({"n": str(i), "ref": text}) for i, text in enumerate(REFERENCES)]
    (tmp_path / "test.jsonl").write_text("\n".join(rows), "utf-8")
    task = {
        "task": "translation",
        "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(tmp_path / "test.jsonl")}},
        "test_split": "test",
        "output_type": "generate_until",
        "doc_to_text": "{{n}}",
        "doc_to_target": "{{ref}}",
        "generation_kwargs": {"until": ["\n"]},
        "metric_list": [{"metric": name} for name in harness.register("chrf++", "ter")],
    }
    found = lm_eval.simple_evaluate(model=Parrot(), tasks=[task], log_samples=False)
    want = tt.score(HYPOTHESES, REFERENCES, ["chrf++", "ter"])
    own = found["results"]["translation"]
    assert own["tertium_chrf++,none"] == want["chrf++"].value
    assert own["tertium_ter,none"] == want["ter"].value


def test_lighteval() -> None:
    real("lighteval.metrics.utils.metric_utils")
    responses = real("lighteval.models.model_output")
    requests = real("lighteval.tasks.requests")
    metric = harness.lighteval_metric("chrf")
    kept = []
    for hypothesis, reference in zip(HYPOTHESES, REFERENCES, strict=True):
        doc = requests.Doc(query="q", choices=[reference], gold_index=0)
        response = responses.ModelResponse(text=[hypothesis])
        kept.append(metric.compute_sample(model_response=response, doc=doc)["tertium_chrf"])
    whole = metric.get_corpus_aggregations()["tertium_chrf"]
    assert whole(kept) == SCORES["chrF2"]


def test_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run in a local folder; what MLflow reads back is what was logged."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow = real("mlflow")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    result = tt.TestSet.sample().score(["bleu", "chrf"])
    with mlflow.start_run() as run:
        logged = tracking.log_mlflow(result, step=3)
    assert logged["strong/BLEU"] == result["strong", "bleu"].value
    client = mlflow.MlflowClient()
    assert client.get_run(run.info.run_id).data.metrics == logged
    (history,) = client.get_metric_history(run.info.run_id, "strong/BLEU")
    assert history.step == 3
    (path,) = tmp_path.rglob("scores.json")
    assert json.loads(path.read_text()) == json.loads(result.json())


def test_wandb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An offline run; nothing leaves this machine."""
    monkeypatch.setenv("WANDB_MODE", "offline")
    for name in ("WANDB_DIR", "WANDB_DATA_DIR", "WANDB_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("WANDB_SILENT", "true")
    wandb = real("wandb")
    result = tt.TestSet.sample().score(["bleu", "chrf"])
    run = wandb.init(project="tertium", dir=str(tmp_path))
    logged = tracking.log_wandb(result, name="sample")
    name = "sample/strong/BLEU"
    assert run.summary[name] == logged[name] == result["strong", "bleu"].value
    run.finish()
    (table,) = tmp_path.rglob("*.table.json")
    assert len(json.loads(table.read_text())["data"]) == len(result.records())
    with pytest.raises(tt.InputError, match=r"call wandb.init\(\) first"):
        tracking.log_wandb(result)


def test_transformers() -> None:
    """A real tokenizer, and predictions as the Trainer gives them."""
    transformers, tokenizers = real("transformers"), real("tokenizers")
    words = ["[PAD]", "[UNK]", "the", "cat", "sat", "down", "a", "dog"]
    model = tokenizers.models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]")
    inner = tokenizers.Tokenizer(model)
    inner.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="[PAD]", unk_token="[UNK]"
    )
    given = transformers.EvalPrediction(
        predictions=np.array([[2, 3, 4, 0], [6, 7, 0, 0]]),
        label_ids=np.array([[2, 3, 4, 5], [2, 7, -100, -100]]),
    )
    found = trainer.compute_metrics(tokenizer, "chrf")(given)
    want = tt.score(["the cat sat", "a dog"], ["the cat sat down", "the dog"], "chrf")["chrf"].value
    assert found == {"chrF2": want, "gen_len": 2.5}
