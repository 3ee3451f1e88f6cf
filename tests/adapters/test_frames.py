"""Adapters that need light packages only: pandas, polars, DuckDB, scikit-learn; the trainer's function; MBR."""

from __future__ import annotations

import tomllib
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tertium as tt
import tertium.adapters.frames
from tertium.adapters import database, harness, hf_evaluate, mbr, sklearn, tracking, trainer
from tertium.adapters.columns import segment_scores
from tertium.errors import InputError, MissingExtraError
from tests.conftest import ROOT

HYPOTHESES = ["the cat sat", "a dog", "", "birds fly high"]
REFERENCES = ["the cat sat down", "the dog", "nothing", "birds fly"]
OTHERS = ["a cat sat", "a dog", "none", "the birds fly high"]
SEGMENTS = tt.metric("chrf").reward(HYPOTHESES, REFERENCES).tolist()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(library: str) -> None:
    module = pytest.importorskip(library)
    assert library in tertium.adapters.frames.register()
    frame = module.DataFrame(
        {"mt": HYPOTHESES, "ref": REFERENCES, "other": OTHERS, "doc": ["a", "a", "b", "b"]}
    )
    for references, streams in (("ref", [REFERENCES]), (["ref", "other"], [REFERENCES, OTHERS])):
        found = frame.tertium.score("mt", references, ["bleu", "chrf"])
        want = tt.score(HYPOTHESES, streams, ["bleu", "chrf"])
        assert [own.value for own in found] == [own.value for own in want]
    column = frame.tertium.segments("mt", "ref", "chrf")
    assert type(column) is module.Series
    assert column.to_list() == SEGMENTS
    documents = frame.tertium.score("mt", "ref", "chrf", documents="doc", level="document")
    assert list(documents.scores[0].ids) == ["a", "b"]
    missing = module.DataFrame({"mt": ["a", None], "ref": ["a", "b"]})
    assert missing.tertium.segments("mt", "ref").to_list() == [100.0, 0.0]


def test_pandas_keeps_its_index() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"mt": HYPOTHESES, "ref": REFERENCES}, index=list("wxyz"))
    assert frame.assign(chrf=frame.tertium.segments("mt", "ref"))["chrf"].to_dict() == dict(
        zip("wxyz", SEGMENTS, strict=True)
    )


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (n INTEGER, mt VARCHAR, ref VARCHAR)")
    rows = list(zip(range(4), HYPOTHESES, REFERENCES, strict=True))
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", [*rows, (4, None, "a"), (5, "a", None)])
    assert database.register(connection) == "chrf"
    found = connection.execute("SELECT chrf(mt, ref) FROM t ORDER BY n").fetchall()
    assert [value for (value,) in found] == [*SEGMENTS, None, None]
    assert database.register(connection, "ter", "edits") == "edits"
    (worst,) = connection.execute(
        "SELECT n FROM t ORDER BY edits(mt, ref) DESC NULLS LAST LIMIT 1"
    ).fetchone()
    assert worst == int(np.argmin(tt.metric("ter").reward(HYPOTHESES, REFERENCES)))
    many = connection.execute("SELECT avg(chrf(mt, ref)) FROM t, range(5000)").fetchone()[0]
    assert many == pytest.approx(np.mean(SEGMENTS))


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "duckdb", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tertium\[duckdb\]'"):
        database.register(None)


@pytest.mark.parametrize(
    ("package", "extra", "call"),
    [
        ("duckdb", "duckdb", lambda: database.register(None)),
        ("sklearn", "train", lambda: sklearn.scorer("chrf")),
        ("evaluate", "evaluate", hf_evaluate.load),
        ("lm_eval", "lm-eval", lambda: harness.register("chrf")),
        ("lighteval", "lighteval", harness.lighteval_metric),
        ("mlflow", "mlflow", lambda: tracking.log_mlflow(tt.score(["a"], ["a"], "chrf"))),
        ("wandb", "wandb", lambda: tracking.log_wandb(tt.score(["a"], ["a"], "chrf"))),
    ],
)
def test_each_extra_is_named(package: str, extra: str, call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the page and pyproject.toml have it."""
    modules = __import__("sys").modules
    for name in [own for own in modules if own.partition(".")[0] == package]:
        monkeypatch.setitem(modules, name, None)
    monkeypatch.setitem(modules, package, None)
    with pytest.raises(
        MissingExtraError, match=rf"^the adapter for {package} needs .* 'tertium\[{extra}\]'$"
    ):
        call()
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert extra in known
    assert f"| `{extra}` |" in (ROOT / "docs" / "adapters.md").read_text("utf-8")


def test_scikit_learn() -> None:
    """A search finds the translator that a metric prefers, for errors as well."""
    base = pytest.importorskip("sklearn.base")
    selection = pytest.importorskip("sklearn.model_selection")

    class Cutter(base.BaseEstimator):  # type: ignore[misc]
        def __init__(self, words: int = 1) -> None:
            self.words = words

        def fit(self, X: Any, y: Any) -> Cutter:  # noqa: N803
            self.fitted_ = True
            return self

        def predict(self, X: Any) -> list[str]:  # noqa: N803
            return [" ".join(text.split()[: self.words]) for text in X]

    texts = np.array(["one two three four five"] * 12)
    for metric in ("chrf", "ter"):
        search = selection.GridSearchCV(Cutter(), {"words": [1, 3, 5]}, scoring=sklearn.scorer(metric), cv=3)
        search.fit(texts, texts)
        assert search.best_params_ == {"words": 5}
    value = sklearn.scorer("ter")(Cutter(4), texts, texts)
    assert value == pytest.approx(-20.0)


class Tokenizer:
    """Ids are places in a list of words."""

    words = ("<pad>", "the", "cat", "sat", "dog")
    pad_token_id = 0

    def batch_decode(self, rows: Any, *, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        return [" " + " ".join(self.words[i] for i in row if i) for row in rows]


@pytest.mark.parametrize("wrapped", [False, True])
def test_compute_metrics(wrapped: bool) -> None:
    predictions = np.array([[1, 2, 3], [1, 4, 0]])
    labels = np.array([[1, 2, 3], [1, 2, -100]])
    given = SimpleNamespace(predictions=(predictions, None) if wrapped else predictions, label_ids=labels)
    found = trainer.compute_metrics(Tokenizer(), ["chrf", "ter"])(given)
    texts = ["the cat sat", "the dog"], ["the cat sat", "the cat"]
    want = {own.metric.label: own.value for own in tt.score(*texts, ["chrf", "ter"])}
    assert found == want | {"gen_len": 2.5}


@pytest.mark.parametrize("metric", ["chrf", "bleu", "ter", "chrf++", "macrof1"])
def test_pairwise_utilities(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each pair by itself, however many at a time; threads change nothing."""
    own = tt.metric(metric)
    want = [[own.reward([h], [r])[0] for r in REFERENCES] for h in HYPOTHESES]
    for pairs in (1, 5, 8, 1 << 16):
        monkeypatch.setattr(mbr, "PAIRS", pairs)
        assert mbr.pairwise(HYPOTHESES, REFERENCES, metric).tolist() == want
    assert mbr.pairwise(HYPOTHESES, REFERENCES, own, threads=3).tolist() == want


def test_decode() -> None:
    candidates = ["the cat sat", "a cat sat", "the cat sits", "dogs"]
    utilities = mbr.pairwise(candidates, candidates)
    found = mbr.decode(candidates, top=4)
    assert sorted(found.places) == [0, 1, 2, 3]
    assert found.places[-1] == 3
    assert list(found.utilities) == sorted(utilities.mean(axis=1), reverse=True)
    assert mbr.decode(candidates, weights=[0, 0, 0, 1]).texts == ("dogs",)
    assert mbr.decode(candidates, references=["dogs"]).texts == ("dogs",)
    for weights in ([1], [0, 0, 0, 0], [1, 1, 1, -1]):
        with pytest.raises(InputError, match="weights must be 4 numbers"):
            mbr.decode(candidates, weights=weights)
    with pytest.raises(InputError, match="nothing to compare"):
        mbr.decode([])


def test_columns_of_several_references() -> None:
    both = segment_scores(HYPOTHESES, [REFERENCES, OTHERS], "chrf").tolist()
    assert both == [
        max(pair) for pair in zip(SEGMENTS, tt.metric("chrf").reward(HYPOTHESES, OTHERS), strict=True)
    ]
