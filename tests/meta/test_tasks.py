"""Tasks: read, run and refused by key; every level on made data, and WMT17 and WMT19 as published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium.cli import main
from tertium.human.gold_files import read_gold
from tertium.io.scorematrix import ScoreMatrix
from tertium.meta.against_people import judge_segments, judge_systems
from tertium.meta.correlations import CorrelationCell, Correlations
from tertium.meta.evaluation import Evaluation, evaluate
from tertium.meta.metric_lists import MetricEntry, entries_of
from tertium.meta.scored_metrics import ScoredMetric, measure_metrics, outside_metric
from tertium.meta.tables import wmt_tables
from tertium.meta.task import Task
from tertium.progress import listening
from tests.conftest import SAMPLE

PAIRS = ("cs-en", "de-en")


@pytest.fixture(scope="module")
def wmt17(shared: Path) -> Path:
    return shared / "data" / "wmt17"


@pytest.fixture(scope="module")
def evaluation(wmt17: Path) -> Evaluation:
    human = {"system": wmt17 / "DA-syslevel.csv", "segment": wmt17 / "DA-seglevel.csv", "kind": "DA"}
    task = Task(
        "WMT17",
        metrics=("@wmt17",),
        layout=wmt17,
        pairs=PAIRS,
        human=human,
        levels=("system", "segment", "hybrids"),
        significance="williams",
        hybrids=500,
    )
    steps: list[str] = []
    with listening(lambda stages: steps.append(" ".join(map(str, stages)))):
        found = evaluate(task)
    assert steps[0] == "cs-en 0 of 2"
    assert any(step.startswith("de-en 1 of 2 hybrids of ") for step in steps)
    assert steps[-1] == ""
    return found


def test_wmt17_as_published(evaluation: Evaluation) -> None:
    """Seed 003, tables 4 and 11. The human scores that are public have three digits, the organisers' had more."""
    published = {
        "system": {
            "BLEU": (0.971, 0.923),
            "NIST": (1.000, 0.931),
            "TER": (0.989, 0.906),
            "WER": (0.987, 0.896),
            "PER": (0.968, 0.951),
            "CDER": (0.989, 0.930),
            "chrF": (0.939, 0.968),
            "chrF++": (0.940, 0.965),
            "CharacTER": (0.972, 0.974),
        },
        "segment": {"sentBLEU": (0.435, 0.432), "chrF": (0.514, 0.531), "chrF++": (0.523, 0.534)},
    }
    for level, metrics in published.items():
        for name, values in metrics.items():
            for pair, value in zip(PAIRS, values, strict=True):
                (own,) = evaluation.of(level, pair)
                found = own.shown(own[name])
                assert found is not None
                near = 0.003 if name == "CharacTER" else 0.0016
                assert abs(found - value) < near, (level, name, pair, found)


def test_error_metrics_are_turned_round(evaluation: Evaluation) -> None:
    (own,) = evaluation.of("system", "de-en")
    assert all(cell.value is not None and cell.value > 0.8 for cell in own.cells)
    assert own.n == 11
    assert "BLEU" not in own.leading  # as in table 4
    assert {"chrF", "chrF++", "CharacTER", "PER"} <= set(own.leading)


def test_hybrids_agree_with_the_systems_they_are_made_of(evaluation: Evaluation) -> None:
    for pair in PAIRS:
        (hybrid,), (system,) = evaluation.of("hybrids", pair), evaluation.of("system", pair)
        assert hybrid.n == 500
        for cell in hybrid.cells:
            assert cell.value == pytest.approx(system[cell.name].value, abs=0.03)
        assert any("mixed by share" in note for note in hybrid.notes)


def test_tables_have_wmts_shape(evaluation: Evaluation) -> None:
    tables = list(evaluation.tables())
    assert [table.columns[1].label for table in tables] == ["cs-en"] * 3
    assert tables[0].rows[:2] == (("n", "4", "11"), ("correlation", "|r|", "|r|"))
    assert tables[2].columns[1].digits == 4
    assert (
        tables[0].title
        == "WMT17: Absolute Pearson correlation of system-level metrics with DA human assessment"
    )
    for table in tables:
        means = [np.mean([float(value) for value in row[1:]]) for row in table.rows[2:]]  # type: ignore[arg-type]
        assert means == sorted(means, reverse=True)
    assert "\\textbf" in tables[0].latex()
    text = str(evaluation)
    assert text.startswith("System level: ")  # the answer, also where it has many sentences
    assert "What was used:" not in text
    assert json.loads(json.dumps(evaluation.data(), allow_nan=False))["name"] == "WMT17"


def test_a_table_of_both_directions_and_both_kinds_of_judgement() -> None:
    """Table 12 has tau on DARR beside |r| with DA; tables 4 and 5 are to and out of English."""
    cell = CorrelationCell("chrF", 0.5)

    def own(pair: str, level: str, statistic: str, n: int = 560) -> Correlations:
        return Correlations(pair, level, statistic, n, (cell,))

    given = [own("cs-en", "segment", "pearson"), own("en-ru", "segment", "pearson")]
    given += [own("en-cs", "pairs", "darr", 32810), own("en-de", "hybrids", "pearson", 10_000)]
    to, out, hybrids = wmt_tables(given, kind="DA")
    assert (
        to.title
        == "Absolute Pearson correlation of to-English segment-level metrics with DA human assessment"
    )
    assert out.rows == (
        ("human evaluation", "DARR", "DA"),
        ("n", "32,810", "560"),
        ("correlation", "τ", "|r|"),
        ("chrF", 0.5, 0.5),
    )
    assert [column.label for column in out.columns] == ["metric", "en-cs", "en-ru"]
    assert hybrids.rows[0] == ("n", "10K")
    twice = [own("en-ru", "segment", "pearson"), own("en-ru", "pairs", "darr")]
    assert len(list(wmt_tables(twice))) == 2


def test_a_task_summed_up(evaluation: Evaluation) -> None:
    system, segment, _ = evaluation.summary_tables()
    names = [str(row[0]) for row in segment.rows]
    assert names == ["cs-en", "de-en", "Median", "Mean", "SD", "Wins"]
    assert (
        "cs-en" not in [str(row[0]) for row in system.rows][:1]
    )  # four systems: BLEU is not significant there


def test_scores_can_be_submitted(evaluation: Evaluation, tmp_path: Path) -> None:
    from tertium.io.wmtscores import read_wmt_scores
    from tertium.meta.writing import write_scores

    paths = list(write_scores(evaluation, tmp_path, "wmt17"))
    assert (tmp_path / "chrF.cs-en.seg.score") in paths
    matrix = read_wmt_scores(tmp_path / "BLEU.de-en.sys.score").matrix()
    own = next(metric for metric in evaluation.scores["de-en"] if metric.name == "BLEU")
    assert own.systems is not None
    assert matrix.cells() == own.systems.cells()
    assert list(write_scores(evaluation, tmp_path / "m", "mtme"))
    with pytest.raises(tt.TertiumError, match="no format 'wmt99'"):
        list(write_scores(evaluation, tmp_path, "wmt99"))


def test_darr_of_wmt19(shared: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pairs = shared / "data" / "wmt19-darr" / "kk-en.jsonl.gz"
    task = tmp_path / "darr.toml"
    task.write_text(
        f'name = "kk"\npairs = ["kk-en"]\nmetrics = ["chrf", "ter"]\nhuman = {{ pairs = "{pairs}" }}\n'
    )
    assert main(["meta", "run", str(task), "-f", "json", "-q"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["level"] == "pairs"
    assert result["n"] == 9728
    chrf = result["metrics"]["chrF2"]
    assert chrf["low"] < chrf["value"] < chrf["high"]
    metric = tt.metric("chrf")
    better = worse = ties = 0
    from tertium.io.pairs import read_pairs_jsonl

    found = read_pairs_jsonl(pairs)
    texts = {name: [text or "" for text in own] for name, own in found.outputs.items()}
    scores = {
        n: metric.score_rows(metric.statistics(own, found.references), "segment") for n, own in texts.items()
    }
    names = found.pairs.systems
    for segment, b, w in zip(found.pairs.segment, found.pairs.better, found.pairs.worse, strict=True):
        one, other = scores[names[b]][segment - 1], scores[names[w]][segment - 1]
        better, worse, ties = better + (one > other), worse + (one < other), ties + (one == other)
    assert chrf["value"] == pytest.approx((better - worse) / (better + worse + ties))


def made(n: int = 6, seed: int = 1) -> tuple[ScoreMatrix, list[ScoredMetric]]:
    rng = np.random.default_rng(seed)
    people = rng.normal(size=n)
    human = ScoreMatrix.of_systems("human", {f"s{i}": float(v) for i, v in enumerate(people)})

    def metric(name: str, noise: float, sign: int = 1) -> ScoredMetric:
        scores = {f"s{i}": float(sign * (v + noise * rng.normal())) for i, v in enumerate(people)}
        return outside_metric([ScoreMatrix.of_systems(name, scores)], higher_is_better=sign > 0)

    return human, [metric("good", 0.01), metric("error", 0.3, -1), metric("noise", 5.0)]


@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall", "accuracy"])
def test_system_statistics(statistic: str) -> None:
    human, metrics = made(12)
    found = judge_systems(human, metrics, "xx-yy", statistic=statistic)
    values = {cell.name: cell.value or 0.0 for cell in found.cells}
    assert values["good"] > 0.95
    assert values["good"] > values["noise"]
    assert values["error"] > 0.3  # lower is better, and it is handled
    if statistic == "pearson":
        assert found.wins is not None
        assert found.wins[0, 2]
        assert "good" in found.leading
        assert "noise" not in found.leading


def test_two_systems_say_nothing() -> None:
    human, metrics = made(2)
    found = judge_systems(human, metrics, "xx-yy")
    assert any("by construction" in note for note in found.notes)
    assert found.wins is None


def test_constant_and_missing_scores_are_undefined() -> None:
    human, _ = made(5)
    flat = outside_metric([ScoreMatrix.of_systems("flat", dict.fromkeys(human.systems, 1.0))])
    hole = outside_metric([ScoreMatrix.of_systems("hole", {**dict.fromkeys(human.systems, 1.0), "s2": None})])
    found = judge_systems(human, [flat], "xx-yy")
    assert found["flat"].value is None
    assert "all metric scores are equal" in (found["flat"].reason or "")
    assert "undefined" in found.table().text()
    with pytest.raises(tt.TertiumError, match="hole: there is no score for system 's2'"):
        judge_systems(human, [flat, hole], "xx-yy")
    found = judge_systems(human, [flat, hole], "xx-yy", missing="leave out")
    assert found.n == 4
    assert "1 left out: system s2 has no score in hole" in str(found.coverages[0])
    few = outside_metric([ScoreMatrix.of_systems("few", {"s0": 1.0, "s1": 2.0, "s9": 3.0})])
    with pytest.raises(tt.TertiumError, match=r"system 's2' is not in few|'s2'"):
        judge_systems(human, [few], "xx-yy")
    left = judge_systems(human, [few], "xx-yy", missing="leave out")
    assert left.n == 2
    assert any("left out" in str(coverage) for coverage in left.coverages)


@pytest.mark.parametrize(
    ("statistic", "averaging"),
    [("pearson", "none"), ("kendall", "item"), ("spearman", "system"), ("calibrated accuracy", "item")],
)
def test_segment_statistics(statistic: str, averaging: str) -> None:
    rng = np.random.default_rng(3)
    people = rng.normal(size=(5, 30))
    people[0, 3] = np.nan
    systems, items = tuple("ABCDE"), tuple(str(i) for i in range(1, 31))
    human = ScoreMatrix("human", "segment", systems, items, people)
    filled = np.nan_to_num(people)
    metrics = [
        outside_metric(
            [ScoreMatrix(name, "segment", systems, items, filled + noise * rng.normal(size=(5, 30)))]
        )
        for name, noise in (("good", 0.2), ("bad", 3.0))
    ]
    found = judge_segments(
        human,
        metrics,
        "xx-yy",
        statistic=statistic,
        averaging=averaging,
        significance="permutation",
        resamples=200,
    )
    assert found.n == 149
    assert (found["good"].value or 0) > (found["bad"].value or 0)
    assert found.wins is not None
    assert found.wins[0, 1]
    assert not found.wins[1, 0]


def test_aggregations() -> None:
    sample = tt.TestSet.sample()
    entries = [MetricEntry("a", "chrf"), MetricEntry("b", "chrf", aggregation="segments")]
    (corpus, mean), measured = measure_metrics(sample, entries, "de-en")
    assert measured is not None
    assert corpus.systems is not None
    assert mean.systems is not None
    assert corpus.systems.system("strong") == sample.score(["chrf"])["strong", "chrf"].value
    segments = measured.segment_scores("strong", "chrf")
    assert mean.systems.system("strong") == pytest.approx(float(np.mean(segments)))


BAD: list[tuple[dict[str, Any], str]] = [
    ({"sauce": 1}, "sauce: unknown key; did you mean 'source'"),
    ({"metrics": [{"spec": "bleu", "speck": 1}]}, r"metrics\[1\].speck: unknown key; did you mean 'spec'"),
    ({"metrics": ["blue"]}, "blue"),
    ({"metrics": []}, "there are no metrics to judge"),
    ({"metrics": ["@wmt99"]}, "no list of metrics @wmt99"),
    ({"statistic": "pierson"}, "did you mean 'pearson'"),
    ({"levels": ["sentence"]}, r"levels\[1\] must be .*, not 'sentence'; did you mean 'segment'"),
    ({"human": {}}, "there are no human scores"),
    ({"human": {"sistem": "x"}}, "did you mean 'system'"),
    ({"hybrids": -1}, "hybrids must be a whole number from 0 on, not -1"),
    ({"alpha": 2.0}, "alpha must be between 0 and 1"),
    ({"outside": [{"file": "x"}]}, r"outside\[1\].file: unknown key; did you mean 'files'"),
    ({"outside": [{"files": []}]}, r"outside\[1\].files must be a list of file names that is not empty"),
    (
        {"metrics": ["bleu", {"spec": 3}]},
        r"^task.toml: metrics\[2\].spec must be a string that is not empty, not 3",
    ),
    ({"metrics": [{"name": "BLEU"}]}, r"metrics\[1\].spec is missing: it must be a string"),
    ({"seed": True}, "seed must be a whole number from 0 on, not True"),
    ({"layout": "nowhere"}, "is not a folder"),
]


@pytest.mark.parametrize(("change", "message"), BAD)
def test_bad_tasks_are_named_by_key(change: dict[str, Any], message: str) -> None:
    given = {"metrics": ["bleu"], "layout": ".", "human": {"system": "DA.csv"}, **change}
    with pytest.raises(tt.TertiumError, match=message):
        _entries_checked(given)


def _entries_checked(given: dict[str, Any]) -> None:
    task = Task.of(given, Path("."), "task.toml")
    assert task.entries
    evaluate(task)


def test_the_command_line_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.toml").write_text("name = [", encoding="utf-8")
    for arguments, message in (
        ([str(tmp_path / "none.toml")], "no such task file"),
        ([str(tmp_path / "bad.toml")], "is not TOML"),
    ):
        assert main(["meta", "run", *arguments]) == 2
        shown = capsys.readouterr()
        assert message in shown.err
        assert shown.err.count("\n") == 1


def test_a_project_file_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    systems = "\n".join(
        f'{name} = "{SAMPLE / f"system-{name}.en"}"' for name in ("literal", "smooth", "strong")
    )
    scores = {"literal": 50, "smooth": 40, "strong": 90}
    rows = [f"{name}\t{i}\t{score + i % 7}" for name, score in scores.items() for i in range(1, 70)]
    (tmp_path / "human.tsv").write_text("\n".join(["system\tsegment\tscore", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "tertium.toml").write_text(
        f'references = ["{SAMPLE / "reference1.en"}"]\nmetrics = ["bleu", "chrf"]\n'
        f'human = {{ segment = "human.tsv", system = "human.tsv" }}\n[systems]\n{systems}\n',
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    assert main(["meta", "run", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [result["level"] for result in found["results"]] == ["system", "segment"]
    assert found["results"][0]["metrics"]["BLEU"]["value"] > 0.9
    assert found["results"][1]["n"] == 207


def test_names_are_told_apart() -> None:
    assert [entry.name for entry in entries_of(["bleu", "bleu:tok=intl"])] == ["bleu", "bleu:tok=intl"]
    with pytest.raises(tt.TertiumError, match="two metrics"):
        entries_of([{"name": "x", "spec": "bleu"}, {"name": "x", "spec": "bleu"}])


def test_hybrids_are_described_and_take_outside_metrics(tmp_path: Path) -> None:
    sample = tt.TestSet.sample()
    names = list(sample.systems)
    rng = np.random.default_rng(5)
    scores = {name: rng.normal(i, 1, size=len(sample)).tolist() for i, name in enumerate(names)}
    rows = [f"{name}\t{i + 1}\t{value}" for name, own in scores.items() for i, value in enumerate(own)]
    (tmp_path / "human.tsv").write_text("\n".join(["system\tsegment\tscore", *rows]) + "\n", encoding="utf-8")
    lines = [
        f"MINE\tde-en\tsample\t{name}\t{i + 1}\t{-value}"
        for name, own in scores.items()
        for i, value in enumerate(own)
    ]
    (tmp_path / "MINE.seg.score").write_text("\n".join(lines) + "\n", encoding="utf-8")
    given = {
        "metrics": ["bleu"],
        "pairs": ["de-en"],
        "references": [str(SAMPLE / "reference1.en")],
        "systems": {name: str(SAMPLE / f"system-{name}.en") for name in names},
        "human": {"segment": "human.tsv", "system": "human.tsv"},
        "outside": [{"files": ["MINE.seg.score"], "higher_is_better": False}],
        "levels": ["hybrids"],
        "hybrids": 50,
        "hybrid_human": "segments",
        "hybrid_files": "described",
    }
    (first,) = evaluate(Task.of(given, tmp_path)).judged
    assert first.names == ("BLEU", "MINE")
    assert first["MINE"].value == pytest.approx(1.0)  # it says what people say, turned round
    assert (tmp_path / "described" / "de-en.hybrids.tsv.gz").is_file()
    (again,) = evaluate(Task.of({**given, "seed": 7, "hybrids": 10}, tmp_path)).judged
    assert again.n == 50
    assert [cell.value for cell in again.cells] == [cell.value for cell in first.cells]


@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall", "accuracy"])
def test_system_scores_change_sides(statistic: str) -> None:
    """As in mt-metrics-eval: segment scores are not needed, and each system is a unit."""
    people = dict(zip("ABCDEF", range(6), strict=True))
    good = ScoreMatrix.of_systems("good", people)
    bad = ScoreMatrix.of_systems("bad", dict(zip("ABCDEF", [5, 4, 3, 2, 1, 0.5], strict=True)))
    metrics = [outside_metric([good]), outside_metric([bad])]
    found = judge_systems(ScoreMatrix.of_systems("human", people), metrics, "xx-yy", statistic=statistic)
    assert found.wins is not None
    assert found.wins.tolist() == [[False, True], [False, False]]
    assert found.p_values is not None
    assert found.p_values[0, 1] >= 1 / 64
    assert (
        "all 64 permutations; assumes that errors on different systems are independent" in found.significance
    )
    few = ScoreMatrix.of_systems("human", {name: people[name] for name in "ABCD"})
    found = judge_systems(few, metrics, "xx-yy", statistic=statistic, missing="leave out")
    assert (found.wins, found.leading) == (None, ())
    assert found.notes[0] == (
        "no permutation test of 4 systems can give p < 0.0625, so nothing is marked as better"
    )


def test_every_kind_of_judgement_is_gold_for_a_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("strong", "literal", "smooth")
    sides = [
        f"{who}\t{i}\t{a}\t{b}\tfirst"
        for who in ("ann", "bob", "eva")
        for i in (1, 2, 3)
        for a, b in (("strong", "literal"), ("strong", "smooth"), ("literal", "smooth"))
    ]
    ranks = [f"ann\t{i}\t{name}\t{rank}" for i in (1, 2) for rank, name in enumerate(names, 1)]
    marks = [
        f"ann\t{name}\t{i}\t{unit}\t{'G' if unit <= right else 'R'}"
        for name, right in zip(names, (4, 2, 1), strict=True)
        for i in (1, 2)
        for unit in range(1, 5)
    ]
    files = {
        "comparisons": ("annotator\tsegment\tfirst\tsecond\tchoice", sides, ["system", "pairs"]),
        "rankings": ("annotator\tsegment\tsystem\trank", ranks, ["system", "pairs"]),
        "hume": ("annotator\tsystem\tsegment\tunit\tmark", marks, ["system", "segment"]),
    }
    for kind, (header, rows, levels) in files.items():
        path = tmp_path / f"{kind}.tsv"
        path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
        assert main(["meta", "gold", str(path), "-f", "json"]) == 0
        assert json.loads(capsys.readouterr().out)["judged"] == kind
        given = {
            "metrics": ["bleu", "chrf"],
            "references": [str(SAMPLE / "reference1.en")],
            "systems": {name: str(SAMPLE / f"system-{name}.en") for name in names},
            "human": {"judgements": path.name},
        }
        found = evaluate(Task.of(given, tmp_path))
        assert [own.level for own in found.judged] == levels, kind
        chrf = found.of("system")[0]["chrF2"].value
        assert chrf is not None
        assert chrf > 0.7
    with pytest.raises(tt.TertiumError, match="unknown judgement format 'mark'"):
        read_gold(tmp_path / "hume.tsv", "mark")
