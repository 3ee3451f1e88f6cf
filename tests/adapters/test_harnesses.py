"""The harnesses beyond a list of metrics: a task's own file, several references, errors by resampling in other
processes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.adapters import harness
from tests.adapters.sourced import ToSource
from tests.conftest import ROOT, skip_or_fail
from tools.site.blocks import blocks

HYPOTHESES = ["the cat sat on a mat", "a dog barks loudly", "birds fly high up there"]
LISTS = [
    ["the cat sat on the mat", "a cat sat"],
    ["the dog barks loudly"],
    ["birds fly", "birds fly high up", "x"],
]
METRICS = ["chrf++", "bleu:tok=intl,lowercase=yes", "ter"]
NAMES = ["tertium_chrf++", "tertium_bleu:tok=intl;lowercase=yes", "tertium_ter"]
SCORES = [own.value for own in tt.score(HYPOTHESES, references_per_segment=LISTS, metrics=METRICS)]

PAGE = (ROOT / "docs" / "adapters.md").read_text("utf-8")
UTILS, TASK = (own.text for own in blocks(PAGE) if "own_utils" in own.text or "harness.keep" in own.text)
REST = """
task: several
dataset_path: json
test_split: test
output_type: generate_until
doc_to_text: "{{n}}"
doc_to_target: "{{refs}}"
generation_kwargs: {until: ["\\n"]}
"""


def real(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        skip_or_fail(f"{name} cannot be imported: {error}")


def test_what_was_not_kept() -> None:
    """The harness asks of several references whether any scores, and keeps 1.0."""
    with pytest.raises(tt.InputError, match=r"let process_results be tertium.adapters.harness.keep"):
        harness.aggregation("chrf")([1.0, 1.0])
    with pytest.raises(tt.InputError, match="compares with the source text"):
        harness.aggregation(ToSource())  # type: ignore[arg-type,unused-ignore]


def test_what_is_missing() -> None:
    """An answer counts as empty, a reference does not exist."""
    found = harness.aggregation("chrf")([("a b", None), (["c", None], []), (["d"], [None]), ("e", "e")])
    assert found == tt.score(["", "", "", "e"], ["a b", "c", "d", "e"], "chrf")[0].value
    with pytest.raises(tt.InputError, match="segment 1 has no reference at all"):
        harness.aggregation("chrf")([(None, "a"), ("b", "b")])
    with pytest.raises(tt.InputError, match="segment 1 is of type dict"):  # not its keys
        harness.aggregation("chrf")([({"de": "die Katze", "en": "the cat"}, "the cat")])


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_what_is_kept() -> None:
    """References by a field or by a function; without the field, or outside the task's list, a line that says so."""
    real("lm_eval")
    document = {"translation": {"en": "the cat"}, "refs": ["a", "b"]}
    assert harness.keep("refs", "ter")(document, ["x"]) == {"tertium_ter": (["a", "b"], "x")}
    nested = harness.keep(lambda own: own["translation"]["en"], "ter")
    kept = nested(document, [["x", "y"]])["tertium_ter"]
    assert kept == ("the cat", "x")
    with pytest.raises(tt.InputError, match="documents have no field 'ref'; did you mean 'refs'"):
        harness.keep("ref", "ter")(document, ["x"])
    with pytest.raises(tt.InputError, match="metric_list lacks a metric"):
        real("lm_eval.api.metrics").mean([kept])


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_a_task_in_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What `lm_eval --include_path FOLDER` reads, with the blocks of the page: nothing of ours is called outside it."""
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    lm_eval, models, tasks = real("lm_eval"), real("lm_eval.api.model"), real("lm_eval.tasks")

    class Parrot(models.LM):  # type: ignore[misc,name-defined]
        def loglikelihood(self, requests: Any) -> Any:
            raise NotImplementedError

        def loglikelihood_rolling(self, requests: Any) -> Any:
            raise NotImplementedError

        def generate_until(self, requests: Any) -> list[str]:
            return [HYPOTHESES[int(own.args[0])] for own in requests]

    data = tmp_path / "test.jsonl"
    data.write_text("\n".join(json.dumps({"n": str(i), "refs": own}) for i, own in enumerate(LISTS)), "utf-8")
    (tmp_path / "own_utils.py").write_text(UTILS, "utf-8")
    given = f"dataset_kwargs: {{data_files: {{test: {data}}}}}\n"
    (tmp_path / "several.yaml").write_text(REST + given + TASK, "utf-8")
    manager = tasks.TaskManager(include_path=str(tmp_path), include_defaults=False)
    found = lm_eval.simple_evaluate(model=Parrot(), tasks=["several"], task_manager=manager)
    assert [found["results"]["several"][f"{name},none"] for name in NAMES] == SCORES
    assert list(found["higher_is_better"]["several"].values()) == [True, True, False]
    assert json.dumps(found["samples"], default=str)


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_options_in_the_wrong_place() -> None:
    registry = real("lm_eval.api.registry")
    (name,) = harness.register("ter")
    with pytest.raises(tt.InputError, match="options belong to the metric's name"):
        registry.get_metric(name)(references=["a"], predictions=["b"], lowercase=True)
    assert registry.get_metric("exact_match") is not None


@pytest.mark.heavy
@pytest.mark.filterwarnings("ignore")
def test_lighteval(monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents through its own loop; the standard error comes from its processes."""
    monkeypatch.setenv("LIGHTEVAL_DISABLE_TQDM", "1")
    apply = real("lighteval.metrics").apply_metric
    errors = real("lighteval.metrics.utils.stderr")
    responses, requests = real("lighteval.models.model_output"), real("lighteval.tasks.requests")
    metrics = [harness.lighteval_metric(metric) for metric in METRICS]
    documents = [requests.Doc(query="q", choices=own, gold_index=list(range(len(own)))) for own in LISTS]
    given = [responses.ModelResponse(text=[text, "a second sample"]) for text in HYPOTHESES]
    kept = apply(given, documents, metrics)
    for metric, name, value in zip(metrics, NAMES, SCORES, strict=True):
        values = [own[name] for own in kept]
        whole = metric.get_corpus_aggregations()[name]
        assert whole(values) == value
        assert errors.get_stderr_function(whole, number_experiments=10)(values) > 0
    assert [metric.higher_is_better for metric in metrics] == [True, True, False]
