"""Tables 2, 4, 5 and 11 of Gowda et al. (2021), every cell, from the authors' score tables and the texts of WebNLG."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.meta.downstream import DownstreamCorrelations, correlate_downstream
from tertium.stats.kendall import tau_b
from tertium.stats.retrieval import query_weighted_value
from tertium.stats.summaries import Summary, summarise

Rows = list[dict[str, str]]
X = "x"  # before a number: printed as not significant

TABLE_11 = """
de-en .564 .564 .734 .661 .744
en-cs .758 .751 .767 .758 .878
en-de .714 .767 .562 .593 .720
en-fi .667 .697 .769 .718 .782
en-ru .556 .556 .778 .648 .669
en-zh .911 .911 .600 .854 .899
lv-en .905 .714 .905 .905 .905
ru-en .778 .611 .611 .722 .800
tr-en .911 .778 .674 .733 .907
zh-en .758 .780 .736 .824 .732
fi-en .867 .867 x.733 .867 .867
en-tr .857 .714 x.571 .643 .849
cs-en x1.000 x1.000 x.667 x.667 x.913
"""
TABLE_4 = """
2B ANALYSIS mAQWV .429 x.363 .508 x.385 .451 .420
2B ANALYSIS MAP .495 .429 .575 .451 .473 .486
2B DEVANALYSIS mAQWV x.345 .527 .491 .491 .491 .477
2B DEVANALYSIS MAP x.273 x.455 x.418 x.418 x.418 x.404
2C ANALYSIS mAQWV .559 .653 .574 .581 .584 .581
2C ANALYSIS MAP .493 .632 .487 .494 .558 .554
2C DEVANALYSIS mAQWV .589 .682 .593 .583 .581 .571
2C DEVANALYSIS MAP .519 .637 .523 .482 .536 .526
2S ANALYSIS mAQWV x.455 .550 .527 x.382 x.418 .418
2S ANALYSIS MAP .491 .661 .564 .491 .527 .527
2S DEVANALYSIS mAQWV x.257 .500 x.330 x.404 x.367 x.367
2S DEVANALYSIS MAP x.183 x.426 x.257 x.330 x.294 x.294
"""
TABLE_5 = """
cs .850 .867 .850 .850 .900 .867
de .900 .900 .900 .912 .917 .900
"""
# The same correlation stands in the same row with the mark: it was lost in the scan or in print.
MARK_LOST = {("2S", "ANALYSIS", "mAQWV", "BLEURTMedian")}


def table(path: Path) -> Rows:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def numbers(rows: Rows, column: str) -> list[float]:
    return [float(row[column]) for row in rows]


def printed(text: str, names: int) -> dict[tuple[str, ...], list[tuple[float, bool]]]:
    """By row: value and whether it was printed as significant."""
    found = {}
    for line in text.split("\n"):
        if line:
            fields = line.split()
            cells = [(float(cell.removeprefix(X)), not cell.startswith(X)) for cell in fields[names:]]
            found[tuple(fields[:names])] = cells
    return found


@pytest.fixture(scope="module")
def macroavg(shared: Path) -> Path:
    return shared / "data" / "macroavg"


WMT_METRICS = ("BLEU_m", "BLEU", "MacroF1", "MicroF1", "CHRF1")


def wmt17(macroavg: Path) -> tuple[list[str], np.ndarray, np.ndarray]:
    rows = table(macroavg / "wmt-scores-2017.tsv")
    kept = [row for row in rows if row["Human"].strip() and row["BLEU_m"].strip()]
    pairs = sorted({row["Langs"] for row in kept})
    found = [
        [tau_b(numbers(own, "Human"), numbers(own, metric)) for metric in WMT_METRICS]
        for own in ([row for row in kept if row["Langs"] == pair] for pair in pairs)
    ]
    values = np.array([[cell.value for cell in row] for row in found])
    return pairs, values, np.array([[cell.p for cell in row] for row in found])


def test_table_11(macroavg: Path) -> None:
    pairs, values, p = wmt17(macroavg)
    expected = printed(TABLE_11, 1)
    assert {(pair,) for pair in pairs} == set(expected)
    for pair, row, tests in zip(pairs, values, p, strict=True):
        for value, test, (number, significant) in zip(row, tests, expected[pair,], strict=True):
            assert round(value, 3) == number, pair
            assert (test < 0.05) == significant, pair


def test_summary_of_table_11(macroavg: Path) -> None:
    """The deviation of BLEU is .1105...: printed as .110. Two of the wins are printed otherwise (ERRATA: 4 and 2)."""
    pairs, values, p = wmt17(macroavg)
    found: Summary = summarise(values, p)
    assert found.mean.round(3).tolist() == [0.752, 0.713, 0.714, 0.742, 0.804]
    assert found.median.round(3).tolist() == [0.758, 0.733, 0.735, 0.728, 0.791]
    assert found.deviation == pytest.approx([0.132, 0.110, 0.103, 0.097, 0.088], abs=0.00101)
    assert found.wins.tolist() == [5, 3, 2, 3, 6]
    assert {pair for pair, used in zip(pairs, found.used, strict=True) if not used} == {
        "fi-en",
        "en-tr",
        "cs-en",
    }
    assert summarise(values, p, digits=3).wins.tolist() == [5, 3, 2, 3, 6]


CLIR_METRICS = ("BLEU", "MacroF1", "MicroF1", "ChrF1", "BLEURTMean", "BLEURTMedian")


def correlated(rows: Rows, metrics: tuple[str, ...], measure: str) -> DownstreamCorrelations:
    return correlate_downstream(
        {metric: numbers(rows, metric) for metric in metrics}, {measure: numbers(rows, measure)}
    )


@pytest.mark.parametrize("where", printed(TABLE_4, 3), ids="-".join)
def test_table_4(macroavg: Path, where: tuple[str, str, str]) -> None:
    experiment, domain, measure = where
    rows = table(macroavg / "clir" / "clssts-scores.tsv")
    own = [row for row in rows if row["expt"].split("-")[:2] == [experiment, domain]]
    found = correlated(own, CLIR_METRICS, measure)
    for metric, (number, significant) in zip(CLIR_METRICS, printed(TABLE_4, 3)[where], strict=True):
        cell = found.cells[measure, metric]
        assert cell.value is not None
        assert round(cell.value, 3) == number, metric
        assert cell.significant() == (significant and (*where, metric) not in MARK_LOST), metric


@pytest.mark.parametrize("language", ["cs", "de"])
def test_table_5(macroavg: Path, language: str) -> None:
    metrics = ("BLEU", "MacroF1", "MicroF1", "CHRF1", "BLEURTMean", "BLEURTMedian")
    rows = table(macroavg / "clir" / "europarl-scores.tsv")
    own = [
        row for row in rows if (row["Lang"], row["Dataset"], row["Model"]) == (language, "europarl", "bm25")
    ]
    assert len(own) == 16
    found = correlated(own, metrics, "RBO")
    for metric, (number, _) in zip(metrics, printed(TABLE_5, 1)[language,], strict=True):
        cell = found.cells["RBO", metric]
        assert cell.value is not None
        assert round(cell.value, 3) == number, metric
        assert cell.significant()


def test_query_weighted_values_are_the_authors(macroavg: Path) -> None:
    """AQWV = 1 - (P_miss + 40 P_FA) from the rates in the same table, to its three digits."""
    for row in table(macroavg / "clir" / "clssts-scores.tsv"):
        found = query_weighted_value([float(row["P_miss_rel"])], [float(row["P_fa"])])
        assert found == pytest.approx(float(row["mAQWV"]), abs=0.0006)


@pytest.mark.parametrize(
    ("spec", "fluency", "semantics"),
    [
        ("bleu", 0.444, 0.500),
        ("macrof1", 0.222, 0.722),
        ("microf1", 0.333, 0.611),
        ("chrf1", 0.333, 0.611),  # printed as .278 and .778, unexplained (ERRATA)
    ],
)
def test_table_2(shared: Path, spec: str, fluency: float, semantics: float) -> None:
    base = shared / "data" / "webnlg"
    triples = (base / "MRs.txt").read_text(encoding="utf-8").splitlines()
    references = (base / "gold-sample-reference0.lex").read_text(encoding="utf-8").splitlines()
    reference = dict(zip(triples, references, strict=True))
    with (base / "all_data_final_averaged.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["team"] != "webnlg"]
    metric, scores = tt.metric(spec), []
    human: dict[str, list[float]] = {"fluency": [], "grammar": [], "semantics": []}
    for team in sorted({row["team"] for row in rows}):
        own = [row for row in rows if row["team"] == team]
        for aspect, means in human.items():
            means.append(float(np.mean([float(row[aspect]) for row in own])))
        texts, golds = [row["text"] for row in own], [reference[row["mr"]] for row in own]
        scores.append(metric.score_total(metric.statistics(texts, golds)))
    assert len(scores) == 9
    found = {aspect: tau_b(means, scores) for aspect, means in human.items()}
    assert {aspect: round(cell.value or 0, 3) for aspect, cell in found.items()} == {
        "fluency": fluency,
        "grammar": fluency,
        "semantics": semantics,
    }
    assert not found["fluency"].significant()
    assert found["semantics"].significant() == (spec != "bleu")
