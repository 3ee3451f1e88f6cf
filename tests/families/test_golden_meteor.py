"""METEOR equals METEOR 1.5: every score of golden/meteor15.json, and the example that comes with METEOR."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium.io.sgml import parse_test_file
from tests.conftest import SHARED
from tests.families.golden import present, read
from tests.families.inputs import files

pytestmark = pytest.mark.golden
GOLDEN = json.loads((SHARED / "golden" / "meteor15.json").read_text("utf-8"))["sets"] if present() else {}
CASES = [
    (dataset, system, place)
    for dataset, systems in GOLDEN.items()
    for system, runs in systems.items()
    for place in range(len(runs))
]
# What METEOR prints of the whole, and what it is among our components or columns.
RATES = {"Precision": "precision", "Recall": "recall", "fMean": "fmean", "Fragmentation penalty": "penalty"}
COUNTS = {"Test words": "hypothesis_length", "Reference words": "reference_length", "Chunks": "chunks"}


def spec_of(options: list[str], home: Path) -> str:
    """METEOR's command line as a spec."""
    chosen = {"resources": f'"{home}"', "normalize": "none"}
    arguments = iter(options)
    for option in arguments:
        match option:
            case "-l":
                chosen["lang"] = next(arguments)
            case "-m":
                chosen["modules"] = next(arguments).replace(" ", "+")
            case "-t":
                chosen["task"] = next(arguments)
            case "-norm":
                chosen["normalize"] = "norm"
            case "-lower":
                chosen["normalize"] = "lower"
            case "-noPunct":
                chosen["normalize"] = "nopunct"
            case _:
                raise AssertionError(f"an option that this test does not know: {option}")
    return "meteor:" + ",".join(f"{key}={value}" for key, value in chosen.items())


@pytest.mark.parametrize(("dataset", "system", "place"), CASES or [(None, None, None)])
def test_meteor(shared: Path, meteor_home: Path, dataset: str, system: str, place: int) -> None:
    run = GOLDEN[dataset][system][place]
    metric: Any = tt.metric(spec_of(run["options"], meteor_home))
    hypotheses, references = files(dataset, system)
    rows = metric.statistics(read(hypotheses), [read(name) for name in references], threads=2)
    scores = metric.score_rows(rows, "segment") / 100
    expected = np.array([float(parts[-1]) for parts in run["segment"]])
    assert np.abs(scores - expected).max() < 1e-9
    assert metric.score_total(rows) / 100 == pytest.approx(float(run["final"]), abs=1e-12)
    printed = run["aggregate"]
    parts = metric.components(rows.total())
    for name, ours in RATES.items():
        assert parts[ours] == pytest.approx(float(printed[name]), abs=1e-12)
    for name, ours in COUNTS.items():
        assert parts[ours] == int(printed[name])
    assert metric.weights == "+".join(f"{float(weight):g}" for weight in printed["Weights"].split())


def test_number_of_values(shared: Path) -> None:
    assert len(CASES) == 28
    assert sum(len(GOLDEN[dataset][system][place]["segment"]) for dataset, system, place in CASES) == 8499


def test_the_example_of_meteor(shared: Path, meteor_home: Path) -> None:
    """Segments, documents and the system of METEOR's SGML example, with all four modules."""
    folder = shared / "data" / "meteor" / "example"
    test, reference = (
        parse_test_file((folder / name).read_bytes(), name) for name in ("test.sgm", "ref.sgm")
    )
    (hypotheses,), (references,) = test.texts.values(), reference.texts.values()
    assert (test.documents, test.segment_ids) == (reference.documents, reference.segment_ids)
    assert test.documents
    metric = tt.metric(f'meteor:resources="{meteor_home}"')
    rows = metric.statistics(hypotheses, references)
    places = zip(test.documents, test.segment_ids, strict=True)
    ours = dict(zip(places, metric.score_rows(rows, "segment").tolist(), strict=True))
    expected = {tuple(key[2:]): float(value) for *key, value in scores_in(folder / "meteor-seg.scr")}
    assert ours.keys() == expected.keys()
    assert max(abs(ours[place] / 100 - expected[place]) for place in ours) < 1e-9
    documents = list(dict.fromkeys(test.documents))
    grouped = rows.grouped([documents.index(document) for document in test.documents], len(documents))
    totals = dict(zip(documents, metric.score_rows(grouped, "document").tolist(), strict=True))
    by_document = {key[2]: float(value) for *key, value in scores_in(folder / "meteor-doc.scr")}
    assert totals.keys() == by_document.keys()
    assert max(abs(totals[name] / 100 - by_document[name]) for name in totals) < 1e-9
    ((*_, system),) = scores_in(folder / "meteor-sys.scr")
    assert (metric.score_total(rows) or 0) / 100 == pytest.approx(float(system), abs=1e-9)


def scores_in(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text("utf-8").splitlines()]
