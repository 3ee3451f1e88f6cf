"""Data frames as people have them: missing values, column types, groups, lazy frames, several systems."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tertium as tt
import tertium.adapters.frames
from tertium.adapters.columns import by_label, corpus_scores
from tests.adapters.sourced import ToSource

ROWS: dict[str, list[Any]] = {
    "system": ["a", "a", "b", "b"],
    "mt": ["the cat sat on a mat", "a dog barks", None, "birds fly high"],
    "ref": ["the cat sat on the mat", "the dog barks", "nothing at all", "birds fly"],
    "other": ["a cat sat on a mat", None, "none", "the birds fly high up"],
}
TEXTS = [text or "" for text in ROWS["mt"]]
WANTED = tt.score(TEXTS, [ROWS["ref"], ROWS["other"]], ["bleu", "chrf"])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(ROWS),
        pd.DataFrame(ROWS, dtype="object"),
        pd.DataFrame(ROWS, dtype="string"),
        pd.DataFrame(ROWS, dtype=pd.ArrowDtype(pa.string())),
        pd.DataFrame(ROWS, dtype="category"),
        pd.DataFrame(ROWS, index=[7, 7, 3, 1]),
        pl.DataFrame(ROWS),
        pl.DataFrame(ROWS, schema=dict.fromkeys(ROWS, pl.Categorical)),
    ],
    ids=["str", "object", "string", "arrow", "category", "index", "polars", "polars-categorical"],
)
def test_missing_values_in_columns_of_any_type(frame: Any) -> None:
    """A missing translation is empty; a missing reference does not exist, as `tt.score` has it."""
    found = frame.tertium.score("mt", ["ref", "other"])
    assert [own.value for own in found] == [own.value for own in WANTED]
    assert [own.signature for own in found] == [own.signature for own in WANTED]
    rows = frame.tertium.segments("mt", "other", "chrf").to_list()
    there = [0, 2, 3]
    want = tt.metric("chrf").reward([TEXTS[i] for i in there], [ROWS["other"][i] for i in there])
    assert [rows[i] for i in there] == want.tolist()
    assert rows[1] is None or math.isnan(rows[1])
    with pytest.raises(tt.InputError, match="segment 2 has no reference at all"):
        frame.tertium.score("mt", "other", "chrf")


@pytest.mark.parametrize("library", [pd, pl])
def test_what_frames_have(library: Any) -> None:
    frame = library.DataFrame({**ROWS, "n": [1, 1, 2, 2], "second": TEXTS[::-1]})
    both = frame.tertium.score(["mt", "second"], "ref", "chrf")
    want = tt.score({"mt": TEXTS, "second": TEXTS[::-1]}, ROWS["ref"], "chrf")
    assert {own.system: own.value for own in both} == {own.system: own.value for own in want}
    documents = frame.tertium.score("mt", "ref", "chrf", documents="n", level="document")
    assert list(documents[0].ids) == ["1", "2"]
    with_pseudo = frame.tertium.score("mt", "ref", "chrf", pseudo_references={"B": "second"})
    assert "pseudo:B" in with_pseudo[0].signature
    with pytest.raises(tt.InputError, match=r"pseudo-reference 'B': segment 3 is missing \(None\)"):
        frame.tertium.score("second", "ref", "chrf", pseudo_references={"B": "mt"})
    plus = tt.metric("chrf++")
    assert frame.tertium.segments("mt", "ref", plus).name == str(plus)
    empty = frame[:0].tertium.segments("mt", "ref")
    assert type(empty) is library.Series
    assert len(empty) == 0
    for call, message in (
        (lambda: frame.tertium.score("mt", "reff"), "no column 'reff'; did you mean 'ref'"),
        (lambda: frame.tertium.score(frame["mt"], "ref"), "name one column of the frame here, not a Series"),
        (lambda: frame.tertium.segments(["mt", "second"], "ref"), "name one column of the frame here"),
        (lambda: frame.tertium.segments("mt", "ref", ["chrf", "bleu"]), "name one metric here, not 2"),
        (lambda: frame.tertium.score("n", "ref"), "segment 1 is of type int"),
        (lambda: frame[:0].tertium.score("mt", "ref"), "nothing to score"),
    ):
        with pytest.raises(tt.InputError, match=message):
            call()


@pytest.mark.parametrize("library", [pd, pl])
def test_a_column_of_lists(library: Any) -> None:
    """References of each segment, their number varies."""
    lists = [["the cat", "a cat sat"], ["the dog"], ["x", "nothing", "none"], ["birds fly"]]
    frame = library.DataFrame({"mt": TEXTS, "refs": lists})
    want = tt.score(TEXTS, references_per_segment=lists, metrics="chrf")["chrf"]
    found = frame.tertium.score("mt", "refs", "chrf")["chrf"]
    assert (found.value, found.signature) == (want.value, want.signature)
    without = library.DataFrame({"mt": TEXTS, "refs": [*lists[:3], []]}).tertium.segments("mt", "refs")
    assert without.to_list()[:3] == frame.tertium.segments("mt", "refs").to_list()[:3]
    assert without.is_null().to_list()[3] if library is pl else math.isnan(without[3])


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2)])
def test_a_column_of_texts_and_lists(order: tuple[int, ...]) -> None:
    """As JSON lines have it, whichever comes first. A dictionary is not the list of its keys."""
    texts = ["the cat", "the dog barks", "x"]
    mixed: list[Any] = [["a cat", "the cat"], "the dog barked", None]
    own = [i for i in order if mixed[i] is not None]
    lists = [mixed[i] if isinstance(mixed[i], list) else [mixed[i]] for i in own]
    frame = pd.DataFrame({"mt": [texts[i] for i in order], "refs": [mixed[i] for i in order]})
    want = tt.score([texts[i] for i in own], references_per_segment=lists, metrics="chrf", level="segment")
    assert frame.tertium.segments("mt", "refs").dropna().to_list() == list(want[0].values)
    languages = pd.DataFrame({"mt": ["the cat"], "refs": [{"en": "the cat"}]})
    with pytest.raises(tt.InputError, match="segment 1 is of type dict, not a string"):
        languages.tertium.score("mt", "refs")


def test_names_of_columns() -> None:
    """One that occurs twice is refused; a tuple may be a name; an index of names is several."""
    frame = pd.DataFrame([["a", "b", "c"]], columns=["mt", "mt", "ref"])
    with pytest.raises(tt.InputError, match="several columns 'mt'"):
        frame.tertium.score("mt", "ref")
    both = pd.DataFrame({"mt": TEXTS, "second": TEXTS[::-1], "ref": ROWS["ref"]})
    want = both.tertium.score(["mt", "second"], "ref", "chrf")
    assert both.tertium.score(both.columns[:2], "ref", "chrf").data() == want.data()
    assert both.tertium.score(("mt", "second"), ("ref",), "chrf").data() == want.data()
    assert both.tertium.score(both.columns[:2].to_numpy(), "ref", "chrf").data() == want.data()
    both.columns = pd.MultiIndex.from_tuples([("de", name) for name in both.columns])
    found = both.tertium.score(("de", "mt"), ("de", "ref"), "chrf")
    assert found[0].value == want[0].value
    assert both.tertium.segments(("de", "mt"), [("de", "ref")]).tolist()[3] > 0
    with pytest.raises(tt.InputError, match="name one column of the frame here, not a list"):
        both.tertium.segments(("de", "mt"), ("de", "ref"), sources=[("de", "ref")])


@pytest.mark.parametrize("library", [pd, pl])
def test_no_references(library: Any) -> None:
    """An error where a metric needs them: never a column of zeros."""
    frame = library.DataFrame(ROWS)
    with pytest.raises(tt.InputError, match="chrf compares with references, and none were given"):
        frame.tertium.segments("other")
    want = frame.tertium.segments("ref", None, "readability").to_list()
    assert len(set(want)) == 4
    if library is pl:
        own = pl.col("ref").tertium
        assert frame.select(own.segments(None, "readability")).to_series().to_list() == want
        whole = tt.score(ROWS["ref"], None, "readability")[0].value
        assert frame.select(own.score(None, "readability")).item() == whole
        for call in (own.segments, own.score):
            with pytest.raises(tt.InputError, match="chrf compares with references"):
                call(None)


def test_columns_of_different_lengths() -> None:
    """An error, not a score for the rows that are there."""
    frame = pl.DataFrame({**ROWS, "src": TEXTS})
    own = pl.col("ref").tertium
    for wrong, message in (
        (own.segments(pl.lit("the cat")), "the reference has 1 segments, the hypotheses have 4"),
        (own.segments(pl.col("ref").head(2)), "the reference has 2 segments"),
        (own.segments("ref", "chrf", sources=pl.col("src").head(3)), "the source has 3 segments"),
        (
            pl.col("ref").head(2).tertium.segments("ref"),
            "the reference has 4 segments, the hypotheses have 2",
        ),
    ):
        with pytest.raises(tt.InputError, match=message):
            frame.select(wrong)


def test_expressions_of_several_columns() -> None:
    """Each is a system and keeps its name; several references are a list, since polars would score each by itself."""
    frame = pl.DataFrame({"a": TEXTS, "b": TEXTS[::-1], "ref": ROWS["ref"]})
    want = {name: tt.score(frame[name].to_list(), ROWS["ref"], "chrf")[0].value for name in "ab"}
    for columns in (pl.col("a", "b"), pl.exclude("ref"), pl.col("^[ab]$")):
        found = frame.lazy().select(columns.tertium.score("ref")).collect()
        assert found.row(0, named=True) == want
    rows = frame.select(pl.col("a", "b").tertium.segments("ref").name.suffix("_chrf"))
    assert rows["b_chrf"].to_list() == frame.tertium.segments("b", "ref").to_list()
    with pytest.raises(tt.InputError, match="name several columns of references as a list"):
        pl.col("a").tertium.score(pl.col("b", "ref"))


def test_undefined_is_missing() -> None:
    texts = {"mt": ["", "a"], "ref": ["", "a"]}
    assert pl.DataFrame(texts).tertium.segments("mt", "ref", "macrof1").to_list() == [None, 100.0]
    assert pd.DataFrame(texts).tertium.segments("mt", "ref", "macrof1").isna().tolist() == [True, False]
    with pytest.warns(tt.TertiumWarning, match="all hypotheses are empty"):
        scores = corpus_scores([""], [""], "macrof1")
    assert math.isnan(by_label(scores)["MacroF1"])


def test_metrics_of_one_label_keep_apart() -> None:
    found = by_label(corpus_scores(["a b."], ["a b ."], ["bleu:smooth=floor", "bleu:smooth=floor,tok=none"]))
    assert len(found) == 2


@pytest.mark.parametrize("lazy", [False, True])
def test_expressions(lazy: bool) -> None:
    """In select, with_columns, groups and windows, of frames and lazy frames; every number is `tt.score`'s."""
    frame = pl.DataFrame(ROWS)
    given: Any = frame.lazy() if lazy else frame
    own = pl.col("mt").tertium

    def rows(found: Any) -> Any:
        return (found.collect() if lazy else found).to_dict(as_series=False)

    whole = rows(given.select(own.score(["ref", "other"]), own.score("ref", "ter").alias("edits")))
    ter = tt.score(TEXTS, ROWS["ref"], "ter")["ter"].value
    assert whole == {"chrf": [WANTED["chrf"].value], "edits": [ter]}
    halves = [tt.score(TEXTS[i : i + 2], ROWS["ref"][i : i + 2], "chrf++")["chrf++"].value for i in (0, 2)]
    groups = given.group_by("system", maintain_order=True).agg(own.score("ref", "chrf++"))
    assert rows(groups) == {"system": ["a", "b"], "chrf++": halves}
    windows = given.select(own.score("ref", "chrf++").over("system"))
    assert rows(windows)["chrf++"] == [halves[0], halves[0], halves[1], halves[1]]
    segments = given.with_columns(own.segments("ref"), own.segments(pl.col("other"), "ter"))
    assert rows(segments)["chrf"] == frame.tertium.segments("mt", "ref", "chrf").to_list()
    assert rows(segments)["ter"] == frame.tertium.segments("mt", "other", "ter").to_list()
    assert rows(segments)["mt"] == ROWS["mt"]
    nothing = given.filter(pl.col("system") == "z")
    assert rows(nothing.select(own.score("ref"))) == {"chrf": [None]}
    assert rows(nothing.select(own.segments("ref"))) == {"chrf": []}
    with pytest.raises(tt.SpecError, match="did you mean 'bleu'"):
        own.score("ref", "blue")


def test_groups_of_pandas() -> None:
    frame = pd.DataFrame(ROWS)
    found = frame.groupby("system")[["mt", "ref"]].apply(lambda own: own.tertium.score("mt", "ref")[1].value)
    for i, system in enumerate("ab"):
        part = slice(2 * i, 2 * i + 2)
        assert found[system] == tt.score(TEXTS[part], ROWS["ref"][part], "chrf")[0].value


def test_weights_over_the_whole_column() -> None:
    """NIST weighs words by all references: rows are scored as `tt.score` scores segments."""
    frame = pl.DataFrame({"mt": TEXTS, "ref": ROWS["ref"]})
    want = tt.score(TEXTS, ROWS["ref"], "nist", level="segment")[0].values
    assert frame.tertium.segments("mt", "ref", "nist").to_list() == list(want)
    assert frame.select(pl.col("mt").tertium.segments("ref", "nist"))["nist"].to_list() == list(want)
    assert not np.isnan([value for value in want if value is not None]).any()


@pytest.mark.parametrize("library", [pd, pl])
def test_sources(library: Any) -> None:
    frame = library.DataFrame({**ROWS, "src": [None, *TEXTS[1:]]})
    want = tt.score(TEXTS, ["", *TEXTS[1:]], "chrf")[0].value
    assert frame.tertium.score("mt", "ref", ToSource(), sources="src")[0].value == want
    rows = frame.tertium.segments("mt", "ref", ToSource(), sources="src").to_list()
    assert rows == tt.metric("chrf").reward(TEXTS, ["", *TEXTS[1:]]).tolist()
    if library is pl:
        own = pl.col("mt").tertium
        assert frame.select(own.score("ref", ToSource(), sources="src")).item() == want
        assert frame.select(own.segments("ref", ToSource(), sources="src")).to_series().to_list() == rows
