"""What `meta run --layout` takes by itself: on the real folder against the tool's own numbers, on made ones by rule."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.human import open_mtme
from tertium.io.mtmesets import known_pairs, known_testsets, standard_settings
from tertium.io.scorematrix import SHORT
from tertium.meta import Evaluation, evaluate, task_of_files
from tertium.stats.correlation import pearson
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def whole(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """WMT23 English-German with the stored scores of all metrics."""
    place = tmp_path_factory.mktemp("whole")
    for name in ("wmt23-en-de.tar.xz", "wmt23-en-de-metric-scores.tar.xz"):
        with tarfile.open(shared / "data" / "mtme" / name) as archive:
            archive.extractall(place / "wmt23" if "metric" not in name else place, filter="data")
    texts, scores = place / "wmt23" / "wmt23", place / "wmt23"
    shutil.rmtree(texts / "metric-scores")
    (scores / "metric-scores").rename(texts / "metric-scores")
    return texts


NAMES = {"accuracy": "accuracy", "pearson": "Pearson", "pce": "PCE", "KendallWithTiesOpt": "acc_eq"}


def test_every_number_of_the_tools_task_sets(whole: Path, golden: Any) -> None:
    """All primary metrics: systems' Pearson and accuracy, SPA (that tool's is random), segments' Pearson and acc*eq."""
    compared = 0
    for tasks in golden("mtme-wmt23-en-de-tasks.json").values():
        for task in tasks["tasks"]:
            settings = dict(part.split("=", 1) for part in task["name"].split() if "=" in part)
            level = {"sys": "system", "seg": "segment"}[settings["level"]]
            key = "statistic" if level == "system" else "segment_statistic"
            found = evaluate(
                task_of_files(
                    None,
                    layout=whole,
                    levels=(level,),
                    significance="none",
                    **{key: NAMES[settings["corr_fcn"]]},
                )
            ).judged[0]
            stored = {f"{name}-refA": value for name, value in task["corr"].items() if "[noref]" not in name}
            stored |= {
                f"{name.removesuffix('[noref]')}-src": value
                for name, value in task["corr"].items()
                if "[noref]" in name
            }
            assert set(found.names) == set(stored)
            near = 1e-2 if settings["corr_fcn"] == "pce" else 1e-9
            for name, value in stored.items():
                assert found[name].value == pytest.approx(value, abs=near), (task["name"], name)
                compared += 1
    assert compared == 6 * 32


def test_all_stored_metrics_on_request(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["meta", "run", "--layout", str(whole), "--levels", "system"]
    assert main([*call, "-f", "table"]) == 0
    assert "13 stored metrics that are neither primary nor baseline are not judged" in " ".join(
        capsys.readouterr().out.split()
    )
    assert main([*call, "--metric", "*", "-f", "json"]) == 0
    names = json.loads(capsys.readouterr().out)["results"][0]["metrics"]
    assert len(names) == 45
    assert not any(name.endswith("-synthetic_ref") for name in names)


def test_the_folder_is_known_under_another_name(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(whole)
    copy = tmp_path / "mine"
    shutil.copytree(whole, copy)
    found = evaluate(task_of_files(None, layout=copy, levels=("system",), significance="none"))
    assert found.defaults[0].testset == "wmt23"
    assert (found.judged[0].n, len(found.judged[0].names)) == (12, 32)


# Folders made for these tests: random scores under the names of real test sets.
def make(
    folder: Path,
    pairs: dict[str, dict[str, Any]],
    *,
    metrics: Sequence[str] = ("BLEU-refA", "BLEU-refB", "MetricX-23-QE-src", "mine-refB"),
    gold: Sequence[str] = ("mqm",),
    jsonl: bool = False,
) -> Path:
    rng = np.random.default_rng(7)
    for part in ("sources", "references", "documents", "human-scores", "metric-scores", "system-outputs"):
        (folder / part).mkdir(parents=True)
    for pair, one in pairs.items():
        systems, references = one["systems"], one["references"]
        ending = "jsonl" if jsonl else "txt"

        def write(path: Path, field: str) -> None:
            texts = [f"text {i}\nmore" if jsonl else f"text {i}" for i in range(5)]
            lines = [json.dumps({"doc_id": "d", field: text}) for text in texts] if jsonl else texts
            path.write_text("\n".join(lines) + "\n")

        write(folder / "sources" / f"{pair}.{ending}", "source")
        for name in references:
            write(folder / "references" / f"{pair}.{name}.{ending}", "target")
        (folder / "documents" / f"{pair}.docs").write_text("news\td\n" * 5)
        (folder / "system-outputs" / pair).mkdir()
        (folder / "metric-scores" / pair).mkdir()
        for name in systems:
            write(folder / "system-outputs" / pair / f"{name}.{ending}", "hypothesis")
        quality = {name: rng.normal() for name in systems}
        for name in one.get("gold", gold):
            for level in ("sys", "seg"):
                scored = one.get("scored", systems)
                rows = [
                    f"{system}\t{(quality[system] + rng.normal()) if system in scored else None!r}"
                    for system in systems
                    for _ in range(1 if level == "sys" else 5)
                ]
                (folder / "human-scores" / f"{pair}.{name}.{level}.score").write_text("\n".join(rows) + "\n")
        for name in metrics:
            against = name.rpartition("-")[2]
            for level in ("sys", "seg"):
                rows = [
                    f"{system}\t{quality[system] + rng.normal()!r}"
                    for system in systems
                    if system != against and system not in one.get("lacks", {}).get(name, ())
                    for _ in range(1 if level == "sys" else 5)
                ]
                path = folder / "metric-scores" / pair / f"{name}.{level}.score"
                path.write_text("\n".join(rows) + "\n")
    return folder


MT = [f"MT-{i}" for i in range(6)]


def scores(path: Path) -> dict[str, float | None]:
    rows = [line.split("\t") for line in path.read_text().splitlines()]
    return {system: None if value == "None" else float(value) for system, value in rows}


def tool_pearson(folder: Path, pair: str, gold: str, metric: str, systems: Sequence[str]) -> float:
    """As the tool does it: plain files, plain lists."""
    people = scores(folder / "human-scores" / f"{pair}.{gold}.sys.score")
    values = scores(folder / "metric-scores" / pair / f"{metric}.sys.score")
    rows = [(people[name], values.get(name, 0.0)) for name in systems if people[name] is not None]
    found = np.corrcoef(np.array(rows, dtype=float).T)[0, 1]
    return float(found)


def run(folder: Path, **settings: Any) -> Evaluation:
    return evaluate(
        task_of_files(settings.pop("human", None), layout=folder, significance="none", **settings)
    )


def test_the_standard_reference_is_not_the_first_one(tmp_path: Path) -> None:
    """Hebrew-English of WMT23: refB scores, refA is a system where people scored it, as in the tool's task set."""
    pair = {"he-en": {"systems": [*MT, "refA", "refB"], "references": ["refA", "refB"]}}
    folder = make(tmp_path / "wmt23", pair)
    found = run(folder, human="mqm", pairs=("he-en",), levels=("system",))
    (own,) = found.judged
    assert own.n == 7  # six systems and refA
    assert set(own.names) == {"BLEU-refB", "MetricX-23-QE-src"}  # `mine` is not a primary metric
    for name in own.names:
        expected = tool_pearson(folder, "he-en", "mqm", name, [*MT, "refA"])
        assert own[name].value == pytest.approx(expected, abs=1e-12)
    (defaults,) = found.defaults
    assert (defaults.references, defaults.humans, defaults.other_metrics) == (("refB",), ("refA",), ("mine",))
    text = found.text(terminal=False)
    assert "he-en: human translations that are judged like systems: refA." in text
    assert "metrics score against refB" in text
    unscored = make(tmp_path / "b" / "wmt23", {"he-en": {**pair["he-en"], "scored": MT}})
    assert run(unscored, levels=("system",)).judged[0].n == 6


def test_every_pair_of_every_known_set(tmp_path: Path) -> None:
    """A folder with the standard names of each: reference, gold of both levels, outliers, metrics."""
    for testset in known_testsets():
        for pair in known_pairs(testset)[:4]:
            standard = standard_settings(testset, pair)
            assert standard is not None
            other = "refX"
            metrics = [f"{name}-{standard.reference}" for name in sorted(standard.metrics)[:2]]
            folder = make(
                tmp_path / pair / testset,
                {
                    pair: {
                        "systems": [*MT, *standard.outliers, standard.reference, other],
                        "references": [standard.reference, other],
                    }
                },
                metrics=[*metrics, f"unofficial-{standard.reference}", f"unofficial-{other}"],
                gold=sorted(set(standard.gold.values())) or ["some"],
            )
            human = None if standard.gold else "some"
            found = run(folder, human=human, levels=("system", "segment"))
            defaults = found.defaults[0]
            assert defaults.testset == testset
            assert defaults.references == (standard.reference,)
            assert set(defaults.outliers) == set(standard.outliers)
            names = metrics if metrics else [f"unofficial-{standard.reference}"]
            for own in found.judged:
                assert set(own.names) == set(names), (testset, pair)
            assert found.of("system")[0].n == len(MT) + 1
            gold = standard.gold.get("system", "some")
            for name in names:
                expected = tool_pearson(folder, pair, gold, name, [*MT, other])
                assert found.of("system")[0][name].value == pytest.approx(expected, abs=1e-12)
            if standard.gold:
                assert {SHORT[k]: v for k, v in defaults.gold.items()} == {
                    k: standard.gold[level] for level, k in SHORT.items() if level in defaults.gold
                }
            first = next(found.words())
            assert ("primary metrics" in first) == (not standard.metrics), (testset, first)
            assert any("official human scores" in line for line in found.words()) == (not standard.gold)


def test_gold_differs_by_level(tmp_path: Path) -> None:
    """WMT21's news: standardised scores of systems, raw ones of segments; the segments of SPA are the systems' gold."""
    folder = make(
        tmp_path / "wmt21.news",
        {"en-cs": {"systems": [*MT, "refA"], "references": ["refA"]}},
        metrics=("BLEU-refA", "chrF-refA"),
        gold=("wmt-z", "wmt-raw"),
    )
    official = run(folder, statistic="SPA", levels=("system", "segment"))
    assert official.defaults[0].gold == {"system": "wmt-z", "segment": "wmt-raw"}
    by_name = {name: run(folder, human=name, statistic="SPA") for name in ("wmt-z", "wmt-raw")}
    for level, name in (("system", "wmt-z"), ("segment", "wmt-raw")):
        ours, same = official.of(level)[0], by_name[name].of(level)[0]
        assert [cell.value for cell in ours.cells] == [cell.value for cell in same.cells], level
    other = " ".join(by_name["wmt-z"].words())
    assert "human scores are wmt-z; the official ones are wmt-z (systems) and wmt-raw (segments)." in other


def test_several_references_and_none_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = {"en-de": {"systems": [*MT, "refA", "refB"], "references": ["refA", "refB"]}}
    folder = make(tmp_path / "ours", pair)
    call = ["meta", "run", "--layout", str(folder), "--levels", "system"]
    assert main([*call, "--human", "mqm", "-f", "text", "-m", "chrf"]) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith(f"en-de: {folder} is not recognised as a test set of mt-metrics-eval;")
    assert "there are several references (refA and refB) and none is known as the standard" in second
    found = run(folder, human="mqm", levels=("system",))
    assert found.judged[0].n == len(MT)
    assert set(found.judged[0].names) == {"BLEU-refA", "BLEU-refB", "MetricX-23-QE-src", "mine-refB"}
    chosen = run(folder, human="mqm", levels=("system",), reference="refB")
    assert chosen.judged[0].n == len(MT) + 1
    assert set(chosen.judged[0].names) == {"BLEU-refB", "MetricX-23-QE-src", "mine-refB"}
    assert not any("several references" in line for line in chosen.words())
    with pytest.raises(InputError, match="no reference 'refC'"):
        run(folder, human="mqm", reference="refC")
    assert main(call) == 2
    assert (
        "the official human scores of en-de are not known; it has mqm (--human NAME)"
        in capsys.readouterr().err
    )


def test_pairs_without_the_human_scores_are_named(tmp_path: Path) -> None:
    one = {"systems": [*MT, "refA"], "references": ["refA"]}
    folder = make(
        tmp_path / "wmt23",
        {"en-de": one, "zh-en": one, "cs-uk": {**one, "gold": ["da-sqm"]}},
        metrics=["BLEU-refA"],
    )
    found = run(folder, human="mqm", levels=("system",))
    assert [own.pair for own in found.judged] == ["en-de", "zh-en"]
    assert "Not judged, because they have no human scores called mqm: cs-uk." in list(found.words())
    assert [own.pair for own in run(folder, levels=("system",)).judged] == ["cs-uk", "en-de", "zh-en"]
    with pytest.raises(InputError, match="cs-uk has human scores called da-sqm: no 'mqm'"):
        run(folder, human="mqm", pairs=("cs-uk",))


def test_json_lines_are_read(tmp_path: Path) -> None:
    """As wmt24pp and WMT25 have them: the hypothesis may be a paragraph of several lines."""
    folder = make(
        tmp_path / "wmt25",
        {"cs-de_DE": {"systems": [*MT, "refA"], "references": ["refA"]}},
        metrics=["chrF-refA"],
        gold=["esa-human1"],
        jsonl=True,
    )
    found = run(folder, metrics=("chrf",), levels=("system", "segment"))
    assert found.of("system")[0].n == len(MT)
    assert found.of("segment")[0].n == len(MT) * 5
    assert found.defaults[0].testset == "wmt25"
    path = folder / "system-outputs" / "cs-de_DE" / "MT-0.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:4], json.dumps({"doc_id": "d"})]))
    with pytest.raises(InputError, match=r"MT-0\.jsonl: line 5 has no text called 'hypothesis'"):
        run(folder)
    path.write_text("\n".join(lines[:4]))
    with pytest.raises(InputError, match=r"MT-0\.jsonl has 4 lines, but the other files have 5"):
        run(folder)
    path.write_text("\n".join([*lines[:4], "{"]))
    with pytest.raises(InputError, match=r"MT-0\.jsonl: line 5"):
        run(folder)


def test_the_published_outputs_of_wmt25(shared: Path, tmp_path: Path) -> None:
    """Three systems' files as the workshop published them, in the place where mt-metrics-eval has outputs."""
    from tertium.io.mtme import read_mtme_layout

    folder = make(tmp_path / "wmt25", {"en-cs_CZ": {"systems": ["MT-0"], "references": ["refA"]}}, jsonl=True)
    outputs = folder / "system-outputs" / "en-cs_CZ"
    with tarfile.open(shared / "data" / "wmt25" / "systems.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    published = sorted((tmp_path / "systems").glob("*.jsonl"))
    for path in published:  # mt-metrics-eval has a folder for each language pair
        lines = path.read_text("utf-8").splitlines()
        own = [line for line in lines if json.loads(line)["doc_id"].startswith("en-cs_CZ")]
        (outputs / path.name).write_text("\n".join(own) + "\n", "utf-8")
    records = [json.loads(line) for line in (outputs / published[0].name).read_text("utf-8").splitlines()]
    (outputs / "MT-0.jsonl").unlink()
    for kind, field in (("sources/en-cs_CZ", "source"), ("references/en-cs_CZ.refA", "target")):
        rows = [json.dumps({field: "text"}) for _ in records]
        (folder / f"{kind}.jsonl").write_text("\n".join(rows) + "\n")
    (folder / "documents" / "en-cs_CZ.docs").unlink()
    texts = read_mtme_layout(folder, "en-cs_CZ")
    assert list(texts.systems) == [path.stem for path in published]
    assert list(texts.systems[published[0].stem]) == [record["hypothesis"] for record in records]
    assert any("\n" in record["hypothesis"] for record in records)


def test_a_system_that_a_metric_lacks_counts_as_zero_and_is_said(tmp_path: Path) -> None:
    folder = make(
        tmp_path / "wmt23",
        {
            "en-de": {
                "systems": [*MT, "refA"],
                "references": ["refA"],
                "lacks": {"chrF-refA": ["MT-3"]},
            }
        },
        metrics=("BLEU-refA", "chrF-refA"),
    )
    found = run(folder, levels=("system",))
    expected = tool_pearson(folder, "en-de", "mqm", "chrF-refA", MT)
    assert found.judged[0]["chrF-refA"].value == pytest.approx(expected, abs=1e-12)
    assert "en-de: without scores of some system, which counts as 0 there" in found.text(terminal=False)
    assert found.defaults[0].padded == ("chrF-refA",)


def test_human_scores_may_be_left_unnamed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = {"he-en": {"systems": [*MT, "refA", "refB"], "references": ["refA", "refB"]}}
    folder = make(tmp_path / "wmt23", pair)
    outputs = set()
    for human in ([], ["--human"], ["--human", "mqm"], ["--human", "official"]):
        assert main(["meta", "run", "--layout", str(folder), *human, "--levels", "system", "-f", "text"]) == 0
        outputs.add(capsys.readouterr().out)
    assert len(outputs) == 1


def test_names_that_people_type() -> None:
    from tertium.meta.agreement_statistics import STATISTICS

    for name in ("acc_eq", "acc*eq", "acc23", "ACC_EQ", "KendallWithTiesOpt", "calibrated accuracy"):
        assert STATISTICS.canonical(name) == "calibrated accuracy", name
    for name in ("SPA", "spa", "PCE", "pce", "Soft Accuracy"):
        assert STATISTICS.canonical(name) == "soft accuracy", name
    assert STATISTICS.canonical("Pearson") == "pearson"
    assert STATISTICS.canonical("pierson") == "pierson"
    assert all(target in STATISTICS for target in STATISTICS.aliases.values())
    assert all(name == name.lower() and name not in STATISTICS for name in STATISTICS.aliases)


def test_calibrated_accuracy_groups_by_item_unless_told(whole: Path, tmp_path: Path) -> None:
    few = tmp_path / "wmt23"  # one metric: over all segments at once there are 15 million pairs
    shutil.copytree(whole, few, ignore=lambda folder, names: [n for n in names if _other(folder, n)])

    def of(averaging: Any) -> float:
        task = task_of_files(
            "mqm",
            layout=few,
            levels=("segment",),
            segment_statistic="acc_eq",
            averaging=averaging,
            significance="none",
        )
        return evaluate(task).judged[0]["BLEURT-20-refA"].value or 0.0

    assert of(None) == of("item") == pytest.approx(0.572, abs=5e-4)
    assert of("none") == pytest.approx(0.670, abs=5e-4)
    plain = task_of_files("mqm", layout=few, levels=("segment",), significance="none")
    people = evaluate(plain).judged[0]
    assert people["BLEURT-20-refA"].value == pytest.approx(0.48444, abs=1e-5)  # Pearson's r stays ungrouped


def test_the_tables_of_the_pages_are_what_their_commands_print(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """docs/meta-statistics.md: calibrated accuracy of every pair, which the obvious command gives (docs/meta.md's
    commands stand above their output, and tests/docs compare the two)."""
    call = [
        "meta",
        "run",
        "--layout",
        str(whole),
        "--levels",
        "segment",
        "--significance",
        "none",
        "-f",
        "json",
    ]
    assert main([*call, "--segment-statistic", "acc_eq"]) == 0
    metrics = json.loads(capsys.readouterr().out)["results"][0]["metrics"]
    page = (ROOT / "docs" / "meta-statistics.md").read_text("utf-8")
    header, _, table = page.partition("| metric | the tool, a draw | every pair |")[2].partition("\n")
    rows = [[cell.strip() for cell in row.split("|")[1:4]] for row in table.splitlines()[1:7]]
    assert [row[0] for row in rows] == ["BLEU", "chrF", "COMET", "BLEURT-20", "f200spBLEU", "eBLEU"]
    for name, _, every in rows:
        assert f"{metrics[f'{name}-refA']['value']:.4f}" == every, name
    assert "draws of ours" in header


def test_what_is_not_known_is_said_in_every_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = {"en-de": {"systems": [*MT, "refA", "refB"], "references": ["refA", "refB"]}}
    folder = make(tmp_path / "ours", pair)
    (folder / "system-outputs" / "en-de" / ".DS_Store").write_text("")
    for form in ("tsv", "markdown", "latex", "json", "html", "table", "text"):
        assert main(["meta", "run", "--layout", str(folder), "--human", "mqm", "-f", form]) == 0
        shown = capsys.readouterr()
        assert "refA and refB" in " ".join((shown.out + shown.err).split()), form
        assert ("refA and refB" in shown.err) == (form in ("tsv", "markdown", "latex")), form


def test_the_standard_reference_of_a_folder_in_python(tmp_path: Path) -> None:
    pair = {"he-en": {"systems": [*MT, "refA", "refB"], "references": ["refA", "refB"]}}
    folder = make(tmp_path / "wmt23", pair)
    (folder / "references" / "he-en.refB.txt").write_text("B\n" * 5)
    assert list(open_mtme(folder, "he-en").references.streams[0]) == ["B"] * 5
    folder.rename(tmp_path / "ours")
    assert next(iter(open_mtme(tmp_path / "ours", "he-en").references.streams[0])) == "text 0"


def _other(folder: str, name: str) -> bool:
    """Whether this is the file of another metric than one."""
    return Path(folder).parent.name == "metric-scores" and not name.startswith("BLEURT-20-refA")


def test_wrong_settings_are_one_line(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["meta", "run", "--layout", str(whole), "--levels", "system"]
    for options, message in (
        (["--statistic", "acc_eq"], "statistic must be"),
        (["--statistic", "pierson"], "did you mean 'pearson'"),
        (["--provenance", "-f", "tsv"], "--provenance goes with -f table or text"),
        (["--averaging", "document"], "item"),
    ):
        assert main([*call, *options]) == 2, options
        shown = capsys.readouterr()
        assert message in shown.err
        assert "Traceback" not in shown.err


def test_pearson_of_this_file_is_ours() -> None:
    """The oracle above and the program agree on plain numbers."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 9))
    assert pearson(a, b).value == pytest.approx(float(np.corrcoef(a, b)[0, 1]), abs=1e-12)
