"""What every result can do: print itself, go to JSON that the schema describes, to records and to data frames."""

from __future__ import annotations

import json
import pkgutil
from importlib import import_module, resources
from typing import Any

import jsonschema
import pytest

import tertium as tt
from tertium.errors import InputError
from tertium.results import FORMATS, Result, frame, metric_labels, plain, render
from tests.every_result import every_result

OUTSIDE = ("tertium.adapters.hf_metric", "tertium.app", "tertium.compat.sacrebleu.metrics.lib")  # need extras


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    return list(every_result(tmp_path_factory.mktemp("results")))


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    text = (resources.files("tertium") / "data" / "schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def all_kinds() -> set[str]:
    for module in pkgutil.walk_packages(tt.__path__, "tertium."):
        if not module.name.startswith(OUTSIDE) and not module.name.endswith("__main__"):
            import_module(module.name)

    def below(kind: type[Result]) -> set[type[Result]]:
        return {kind}.union(*map(below, kind.__subclasses__()))

    return {kind.kind for kind in below(Result) - {Result}}


def test_every_kind_has_an_example_and_a_definition(made: list[Result], schema: dict[str, Any]) -> None:
    kinds = all_kinds()
    assert "" not in kinds
    assert kinds == {result.kind for result in made} == set(schema["$defs"])


def test_data_is_what_the_schema_says(made: list[Result], schema: dict[str, Any]) -> None:
    checks = jsonschema.Draft202012Validator(schema)
    checks.check_schema(schema)
    for result in made:
        data = result.data()
        assert (data["tertium"], data["kind"], data["schema"]) == (tt.__version__, result.kind, result.schema)
        assert json.loads(json.dumps(data, allow_nan=False)) == data  # plain types, and no NaN
        errors = [f"{result.kind}: {error.json_path}: {error.message}" for error in checks.iter_errors(data)]
        assert not errors, errors[:3]


def test_the_schema_refuses_what_is_not_there(made: list[Result], schema: dict[str, Any]) -> None:
    checks = jsonschema.Draft202012Validator(schema)
    for result in made:
        data = result.data()
        assert list(checks.iter_errors({**data, "nonsense": 1})), result.kind
        assert list(checks.iter_errors({key: data[key] for key in ("tertium", "kind", "schema")})), (
            result.kind
        )


def test_every_form(made: list[Result]) -> None:
    for result in made:
        for form in FORMATS:
            assert render(result, form), (result.kind, form)
        assert str(result) == result.text()
        assert "─" not in result.lines(), result.kind
        assert result._repr_html_().startswith(("<table", "<p>")), result.kind
        assert all(isinstance(sentence, str) for sentence in result.words())


@pytest.mark.parametrize("library", ["polars", "pandas"])
def test_frames(made: list[Result], library: str) -> None:
    for result in made:
        found = result.to_frame(library)
        assert type(found).__module__.startswith(library)
        assert len(found) == len(result.records()), result.kind
        assert list(found.columns) == list(result.records()[0]) if result.records() else True, result.kind
    scores = tt.score(["a b c d e"], ["a b c d f"], ["bleu", "ter"]).to_frame(library)
    assert scores["BLEU"][0] == tt.score(["a b c d e"], ["a b c d f"], "bleu")["bleu"].value  # all digits


def test_frames_of_whichever_library_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"a": 1, "b": ""}, {"a": None, "b": 2.5}]
    assert type(frame(rows)).__module__.startswith("polars")
    assert frame(rows)["b"].to_list() == [None, 2.5]
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name == "pandas" or None)
    assert type(frame(rows)).__module__.startswith("pandas")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(
        InputError, match=r"neither polars nor pandas is installed: pip install 'tertium\[frames\]'"
    ):
        frame(rows)
    with pytest.raises(InputError, match="pandas is not installed"):
        frame(rows, "pandas")
    with pytest.raises(InputError, match="must be polars or pandas, not 'excel'"):
        frame(rows, "excel")


def test_one_label_everywhere() -> None:
    """Two BLEUs have the same name in tables, sentences, data and notes, and it tells them apart."""
    metrics = [tt.metric("bleu"), tt.metric("bleu:tok=char")]
    labels = metric_labels(metrics)
    assert labels == ["BLEU (bleu)", "BLEU (bleu:tok=char)"]
    found = tt.compare(tt.TestSet.sample(), metrics, resamples=50, strongest=1)
    assert [metric["label"] for metric in found.data()["metrics"]] == labels
    assert [test.label for test in found.tests] == labels
    sentences = list(found.words())
    for label in labels:
        assert any(label in sentence for sentence in sentences)
        for result in (
            found.buckets[0],
            found.components,
            found.means,
            found.preferences[0],
            found.strongest[0],
        ):
            assert label in result.text(terminal=False), (label, result.kind)
    scores = tt.score(["a"], ["a"], metrics)
    assert [column.name for column in scores.table().columns] == ["system", *labels]
    assert [entry["label"] for entry in scores.data()["scores"]] == labels


def test_plain() -> None:
    assert plain({1: (float("inf"), tt.metric("ter"))}) == {"1": [None, "ter"]}
    with pytest.raises(InputError, match="there is no format 'docx'"):
        render(tt.score(["a"], ["a"], "ter"), "docx")


def test_the_schema_knows_no_names_of_its_examples(schema: dict[str, Any]) -> None:
    sample = tt.TestSet.sample()
    systems = {f"new {i}": lines for i, lines in enumerate(sample.systems.values())}
    renamed = tt.TestSet.of(sample.references, systems, documents=sample.documents)
    found = tt.compare(renamed, ["chrf", "ter", "microf1"], resamples=20, strongest=1)
    checks = jsonschema.Draft202012Validator(schema)
    for result in (found, tt.score(systems, sample.references, ["ter", "chrf++"]), found.buckets[0]):
        assert [error.json_path for error in checks.iter_errors(result.data())] == []
