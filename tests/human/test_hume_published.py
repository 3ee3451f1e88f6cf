"""HUME as it is published (github.com/bhaddow/hume-data, sentences.tsv of round 2, sentences.csv of round 1): all
languages in one file, texts inside with CSV's quotation marks, negative ids, some sentences without a reference.

The German and Czech rows are the real ones; the Polish ones are made up in the form of the published ones.
"""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.human.gold_files import kind_of, read_gold
from tertium.io.hume import read_hume_texts
from tertium.meta import Task, evaluate
from tertium.stats.correlation import pearson

POLISH = (
    "165\t-891\tPBMT\tpl_all4\tondrej1\tpl\t2016\tStand up .\tWstań .\t\t0-0\t0.0\t4\t1\t1\t0\t1\t1\t1\t0",
    "31\t-657\tNMT\tpl_all4\tondrej1\tpl\t2016\tStand up .\tStój .\t\t0-0\t0.0\t4\t1\t2\t0\t0\t0\t2\t0",
    "30\t-657\tNMT\tpl_all4\tondrej1\tpl\t2016\tStand up .\tStój .\t\t0-0\t0.0\t4\t1\t0\t0\t0\t0\t2\t2",
)


@pytest.fixture(scope="module")
def published(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file of three languages."""
    german, czech = (
        gzip.decompress((shared / "data" / "hume" / f"sentences.{lang}.tsv.gz").read_bytes())
        .decode()
        .splitlines()
        for lang in ("de", "cs")
    )
    path = tmp_path_factory.mktemp("hume") / "sentences.tsv"
    path.write_text("\n".join([*german, *czech[1:], *POLISH]) + "\n", encoding="utf-8")
    return path


def by_hand(path: Path, lang: str) -> dict[tuple[str, str], list[float]]:
    found: dict[tuple[str, str], list[float]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, dialect="excel-tab"):
            if row["lang"] == lang:
                a, b, o, r, g, m = (int(row[f"mteval_{letter}"]) for letter in "ABORGM")
                score = (a + g + o / 2) / (a + b + o + r + g + m)
                found.setdefault((row["system_id"], row["sent_id"]), []).append(score)
    return found


def test_a_language_of_the_file(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kind_of(published) == "hume"
    for lang in ("de", "cs"):
        gold = read_gold(published, pair=f"en-{lang}").segments
        assert gold is not None
        for (system, sentence), scores in by_hand(published, lang).items():
            cell = gold.scores.cells()[system, str(int(sentence) + 1)]
            assert cell == pytest.approx(sum(scores) / len(scores))
    assert main(["meta", "gold", str(published)]) == 2
    assert "is of the language cs, unlike the lines before (de): choose one" in capsys.readouterr().err
    assert main(["meta", "gold", str(published), "--pair", "en-ro"]) == 2
    assert "no judgements of en-ro (the file has cs, de, pl)" in capsys.readouterr().err


def test_negative_ids(published: Path) -> None:
    """They are no lines of a test set, and keep their numbers; two annotations of one translation are averaged."""
    gold = read_gold(published, pair="en-pl").segments
    assert gold is not None
    assert gold.scores.cells() == {("PBMT", "-891"): 0.625, ("NMT", "-657"): 0.75}
    with pytest.raises(InputError, match="no sentence has a reference"):
        read_hume_texts(published, pair="en-pl")


def test_metrics_on_the_texts_inside(published: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = read_hume_texts(published, pair="en-de")
    assert texts is not None
    with published.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, dialect="excel-tab") if row["lang"] == "de"]
    quoted = next(row for row in rows if '"' in row["source"])
    place = texts.segments.index(str(int(quoted["sent_id"]) + 1))
    assert (texts.sources[place], texts.references[place]) == (quoted["source"], quoted["reference"])
    command = ["meta", "run", "--human", str(published), "-m", "chrf", "--pairs", "en-de", "-f", "json"]
    assert main(command) == 0
    results = {own["level"]: own for own in json.loads(capsys.readouterr().out)["results"]}
    import tertium as tt

    scores = by_hand(published, "de")
    metric = tt.metric("chrf")
    first = {(row["system_id"], row["sent_id"]): row for row in reversed(rows)}
    places = sorted(scores)
    rowed = metric.statistics(
        [first[place]["target"].strip() for place in places],
        [first[place]["reference"].strip() for place in places],
    )
    expected = pearson(np.array([np.mean(scores[p]) for p in places]), metric.score_rows(rowed, "segment"))
    assert results["segment"]["n"] == len(places)
    assert results["segment"]["metrics"]["chrF2"]["value"] == pytest.approx(expected.value, abs=1e-9)


def test_the_first_round(tmp_path: Path) -> None:
    """Commas, one system without a column, here in rows made up in that form."""
    path = tmp_path / "sentences.csv"
    marks = ",".join(f"mteval_{letter}" for letter in "ABORGM")
    path.write_text(
        f"sent_id,annot_id,ucca_annot_id,lang,timestamp,source,target,reference,align,bleu,{marks}\n"
        '505,pl1,lexi1,pl,2015,"One , two .","Raz , dwa .","Raz i dwa .",0-0,0.3,2,0,0,0,2,0\n'
        "169,pl1,lexi1,pl,2015,Three .,Trzy .,Trzy .,0-0,0.2,1,1,0,0,2,0\n"
    )
    assert kind_of(path) == "hume"
    gold = read_gold(path)
    assert gold.systems.scores.systems == ("MT",)
    assert gold.segments is not None
    assert gold.segments.scores.cells() == {("MT", "170"): 0.75, ("MT", "506"): 1.0}
    texts = read_hume_texts(path)
    assert texts is not None
    assert texts.references == ("Trzy .", "Raz i dwa .")


def test_texts_of_a_folder_have_no_negative_lines(published: Path, shared: Path) -> None:
    task = Task(
        "HUME",
        layout=shared / "data" / "hume",
        pairs=("en-de",),
        human={"judgements": published},
        metrics=("chrf",),
        segments="judged",
        significance="none",
    )
    assert {own.level: own.n for own in evaluate(task).judged} == {"system": 3, "segment": 891}
