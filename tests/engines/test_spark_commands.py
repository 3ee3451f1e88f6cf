"""Commands over datasets of a cluster: what they find is what is found in files here. And what they refuse."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium import __version__
from tertium.engines import spark as engine
from tertium.errors import InputError
from tertium.spark import planned, read_frame, refusal, write_rows
from tests.cli.conftest import Run
from tests.engines.conftest import MASTER, frame, table
from tests.vectors import write_estimator

pytestmark = pytest.mark.heavy
SPARK = ("--engine", f"spark:{MASTER}")
TWO = "hypothesis=one,hypothesis=two,reference=src,document=doc,order=number"


def stripped() -> list[dict[str, Any]]:
    """Texts as they are read from files of lines: without white space at the end."""
    return [
        {key: value.strip() if isinstance(value, str) else value for key, value in row.items()}
        for row in table()
    ]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three files, whose rows are not in the order of the segments."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = tmp_path_factory.mktemp("data") / "all.parquet"
    folder.mkdir()
    rows = stripped()
    for part in range(3):
        pq.write_table(pa.Table.from_pylist(rows[part::3]), folder / f"part{part}.parquet")
    return folder


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The same as lines."""
    folder = tmp_path_factory.mktemp("lines")
    made = {}
    for name in ("one", "two", "src", "doc"):
        made[name] = folder / name
        made[name].write_text("".join(f"{row[name]}\n" for row in stripped()), encoding="utf-8")
    return made


def said(run: Run, *command: Any) -> Any:
    found = run(*command)
    assert found.status == 0, found.err
    return json.loads(found.out)


def refused(run: Run, *command: Any) -> str:
    found = run(*command)
    assert (found.status, found.err.count("\n")) == (2, 1), found.err
    return str(found.err)


def test_scores_of_corpus_documents_and_segments(
    session: Any, dataset: Path, files: dict[str, Path], tmp_path: Path, run: Run
) -> None:
    import pyarrow.parquet as pq

    own = ("score", *SPARK, "--input", dataset, "-m", "bleu", "nist", "doc:chrf", "-f", "json", "-w", "9")
    there = ("score", files["src"], "-i", files["one"], files["two"], "--documents", files["doc"])
    usual = ("-m", "bleu", "nist", "doc:chrf", "-f", "json", "-w", "9")
    here = said(run, *there, *usual)
    found = said(run, *own, "--columns", TWO)
    assert [one["score"] for one in found] == [one["score"] for one in here]
    documents = said(run, *own, "--columns", TWO, "--level", "document")
    expected = said(run, *there, *usual, "--level", "document")
    assert [{**one, "system": ""} for one in documents] == [{**one, "system": ""} for one in expected]
    out = tmp_path / "scores.parquet"
    said(run, *own, "--columns", TWO, "--level", "segment", "--to", out)
    written = pq.read_table(out).sort_by("number").to_pydict()
    texts = {name: [row[name] for row in stripped()] for name in ("one", "two")}
    alone = tt.score(texts, [row["src"] for row in stripped()], ["bleu", "nist"], level="segment")
    for name in texts:
        assert written[f"{name}/nist"] == alone[name, "nist"].values
    for more, why in (
        (("--columns", TWO.replace("two", "tow")), "there is no column 'tow'; did you mean 'two'?"),
        (("--columns", "hypothesis=two"), "no column is named as the reference"),
        (("--columns", TWO, "--level", "segment"), "say where (--to scores.parquet)"),
        (("--columns", TWO.replace(",order=number", "")), "rows of a dataset have no order"),
        (("--columns", TWO.replace("=src", "=number")), "column 'number' does not hold texts, but bigint"),
        (("--columns", TWO, "--paired-bs"), "tertium compare does them"),
    ):
        assert why in refused(run, *own, *more)


def test_rows_come_home_and_systems_are_compared(
    session: Any, dataset: Path, files: dict[str, Path], tmp_path: Path, run: Run
) -> None:
    metrics = ("-m", "bleu", "chrf", "macrof1")
    there = (files["src"], "-i", files["one"], files["two"], "--documents", files["doc"], *metrics)
    far, near = tmp_path / "far.rows", tmp_path / "near.rows"
    said(
        run, "rows", "write", *SPARK, "--input", dataset, "--columns", TWO, *metrics, "-o", far, "-f", "json"
    )
    said(run, "rows", "write", *there, "--names", "one", "two", "-o", near, "-f", "json")
    for more in (("--level", "segment"), ("--level", "document"), ("--paired-bs", "-pbsn", "50")):
        one, other = (run("rows", "score", path, *more) for path in (far, near))
        assert (one.status, one.out) == (0, other.out), one.err
    asked = ("-n", "100", "-f", "json")
    found = said(run, "compare", *SPARK, "--input", dataset, "--columns", TWO, *metrics, *asked)
    here = said(run, "compare", *there, *asked)
    assert found["kind"] == "comparison of rows"
    assert found["significance"] == here["significance"]
    assert found["components"] == here["components"]
    own = ("compare", *SPARK, "--input", dataset, "--columns", TWO)
    gate = ("--baseline", "one", "--fail-if", "bleu drops by 90 points", "--details", "components")
    shown = run(*own, "-m", "bleu", "-n", "100", *gate)
    assert (shown.status, "brevity" in shown.out) == (0, True), shown.err
    assert "--training counts words" in refused(run, *own, "--training", files["src"])
    assert "--details ngrams needs texts" in refused(run, *own, "--details", "ngrams")
    assert "scores whole documents" in refused(run, *own, "-m", "doc:bleu")


def test_quality_is_estimated(
    session: Any, dataset: Path, files: dict[str, Path], tmp_path: Path, run: Run
) -> None:
    import pyarrow.parquet as pq

    model, out = write_estimator(tmp_path / "own.qe"), tmp_path / "estimates.parquet"
    columns = ("--columns", "source=src,target=one")
    own = ("estimate", "score", *SPARK, "--input", dataset, *columns, "--model", model, "-f", "json")
    found = said(run, *own, "--no-detectors", "--to", out)
    here = said(
        run, "estimate", "score", files["src"], files["one"], "--model", model, "--no-detectors", "-f", "json"
    )
    written = pq.read_table(out).sort_by("number").to_pydict()
    assert written["estimate"] == [round(value, 9) for value in here["values"]]
    assert found["segments"] == len(here["values"])
    assert found["estimate"] == pytest.approx(sum(here["values"]) / len(here["values"]), abs=1e-9)
    assert "--no-detectors" in refused(run, *own)
    assert "no column is named as the target" in refused(
        run, *own[:-2], "--columns", "source=src", "--no-detectors"
    )
    assert "name no files beside it" in refused(
        run, "estimate", "score", files["src"], files["one"], *own[2:]
    )


def test_a_memory_is_checked(session: Any, tmp_path: Path, run: Run) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        {
            "n": i,
            "en": f"Open {i} files in window {i % 7}",
            "fr": f"Ouvrir {i + (i % 40 == 3)} fichiers dans {i % 7}",
            "doc": f"d{i // 50}",
        }
        for i in range(12_000)
    ]
    lines = [
        {
            "source": row["en"],
            "target": row["fr"],
            "source_language": "en",
            "target_language": "fr",
            "document": row["doc"],
        }
        for row in rows
    ]
    near, far = tmp_path / "near.jsonl", tmp_path / "far.parquet"
    near.write_text("".join(json.dumps(line) + "\n" for line in lines))
    far.mkdir()
    for part in range(4):
        pq.write_table(pa.Table.from_pylist(rows[part::4]), far / f"{part}.parquet")
    columns = ("--columns", "source=en,target=fr,document=doc,order=n")
    here = said(run, "memory", "check", near, "--top", "5", "-f", "json")
    found = said(
        run,
        "memory",
        "check",
        *SPARK,
        "--input",
        far,
        *columns,
        "--pair",
        "en-fr",
        "--top",
        "5",
        "-f",
        "json",
    )
    assert here["look"] > 0
    assert {**found, "memory": ""} == {**here, "memory": ""}
    assert "no column is named as the source" in refused(run, "memory", "check", *SPARK, "--input", far)
    broken = pa.array([b"fine", b"b\xffd"], pa.binary()).view(pa.string())
    pq.write_table(
        pa.table({"en": ["a", "b"], "fr": broken, "doc": ["d", "d"], "n": [2, 1]}), far / "4.parquet"
    )
    why = refused(run, "memory", "check", *SPARK, "--input", far, *columns, "--pair", "en-fr")
    assert why.endswith("4.parquet: row 2: column 'fr' is not UTF-8\n")


@pytest.fixture
def elsewhere(session: Any, tmp_path: Path) -> Iterator[Path]:
    """A folder that executors look into first."""
    environment = session.sparkContext.environment
    environment["PYTHONPATH"] = str(tmp_path)
    yield tmp_path
    del environment["PYTHONPATH"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            'sys.modules["tertium"].__version__ = "0.0.9"',
            f"an executor has Tertium 0.0.9, and this is {__version__}",
        ),
        ('sys.modules["tertium"] = None', "an executor has no tertium: install it"),
    ],
)
def test_executors_without_the_package_or_with_another_are_refused(
    session: Any, elsewhere: Path, text: str, why: str
) -> None:
    before = 'import sys, types\nsys.modules["tertium"] = types.ModuleType("tertium")\n'
    (elsewhere / "sitecustomize.py").write_text(f"{before}{text}\n")
    with pytest.raises(InputError) as error:
        tt.spark.score(frame(session, 2), "one", "src", "bleu")
    assert str(error.value).startswith(why)


def fails(batches: Any) -> Any:
    """A step of somebody else's that goes wrong."""
    for _ in batches:
        raise ValueError("no such luck")
    yield from ()


def test_bad_datasets_are_named_in_one_line(session: Any, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    def why(path: Path) -> str:
        with pytest.raises(InputError) as error:
            tt.spark.score(read_frame(session, str(path)), "mt", "ref", "bleu")
        assert "\n" not in str(error.value)
        return str(error.value)

    rows = table()
    rows[7]["one"] = None
    with pytest.raises(InputError, match=r"^partition 0, row 8 of it: column 'one' is null$"):
        tt.spark.score(frame(session, 1, rows).sort("number").coalesce(1), "one", "src", "bleu")
    texts = ["fine", "good", None, "right"]
    pq.write_table(pa.table({"mt": texts, "ref": ["a", "b", "c", "d"]}), tmp_path / "a.parquet")
    assert why(tmp_path / "a.parquet").endswith("a.parquet: row 3: column 'mt' is null")
    numbered = {"mt": [*texts[:2], "x", None], "ref": ["a", "b", "c", "d"], "n": [9, 8, 7, 6]}
    pq.write_table(pa.table(numbered), tmp_path / "n.parquet")
    own = planned(read_frame(session, str(tmp_path / "n.parquet")), "mt", "ref", "bleu", order="n")
    with pytest.raises(
        InputError, match=r"n\.parquet: row 4: column 'mt' is null$"
    ):  # rows that come home, sorted
        write_rows(own, str(tmp_path / "n.rows"))
    broken = pa.array([b"fine", b"b\xffd"], pa.binary()).view(pa.string())
    pq.write_table(pa.table({"mt": broken, "ref": ["a", "b"]}), tmp_path / "b.parquet")
    assert why(tmp_path / "b.parquet").endswith("b.parquet: row 2: column 'mt' is not UTF-8")
    (tmp_path / "c.jsonl").write_text('{"mt": "a", "ref": "b"}\n{"mt": "a", "ref": null}\n')
    assert why(tmp_path / "c.jsonl").endswith("c.jsonl: row 2: there is no reference (null)")
    (tmp_path / "d.jsonl").write_bytes(b'{"mt": "a", "ref": "b"}\n{"mt": "\xff", "ref": "b"}\n')
    assert why(tmp_path / "d.jsonl").endswith("d.jsonl: row 2: cannot be read as JSON in UTF-8")
    (tmp_path / "e.parquet").mkdir()  # one file has a column that another lacks, or has of another kind
    pq.write_table(pa.table({"mt": ["a"], "ref": ["b"]}), tmp_path / "e.parquet" / "1.parquet")
    pq.write_table(pa.table({"ref": ["b"]}), tmp_path / "e.parquet" / "2.parquet")
    assert why(tmp_path / "e.parquet").endswith(
        "2.parquet: row 1: column 'mt' is null, or this file has no such column"
    )
    pq.write_table(pa.table({"mt": [1], "ref": ["b"]}), tmp_path / "e.parquet" / "2.parquet")
    assert "mt" in why(tmp_path / "e.parquet")
    (tmp_path / "f.parquet").write_bytes(b"PAR1 and nothing")
    assert "f.parquet" in why(tmp_path / "f.parquet")
    assert "nowhere.parquet" in why(tmp_path / "nowhere.parquet")
    with pytest.raises(InputError, match="no column 'on'; did you mean 'one'"):
        tt.spark.score(frame(session, 1), "on", "src", "bleu")
    given = frame(session, 1)
    with pytest.raises(InputError, match=r"^Spark: ValueError: no such luck$"):
        tt.spark.score(given.mapInArrow(fails, given.schema), "one", "src", "bleu")
    for column, more in (("doc", {"document": "doc"}), ("domain", {"group": ["doc", "domain"]})):
        rows = table()
        rows[5][column] = None
        with pytest.raises(InputError, match=rf"^partition 0, row 6 of it: column '{column}' is null$"):
            tt.spark.score(frame(session, 1, rows).sort("number").coalesce(1), "one", "src", "bleu", **more)
    lost = [{**row, "one": None if row["number"] == 4 else "a"} for row in table()]
    with pytest.raises(InputError, match=r"^doc 'd01', number 4: column 'one' is null$"):
        tt.spark.score(frame(session, 2, lost), "one", "src", "doc:chrf", document="doc", order="number")
    twice = [{**row, "number": 0} for row in table()]
    with pytest.raises(
        InputError, match=r"document 'd\d\d': two rows have the same order, 0: which comes first\?"
    ):
        tt.spark.score(frame(session, 2, twice), "one", "src", "doc:chrf", document="doc", order="number")


def test_what_a_cluster_cannot_score_is_said() -> None:
    reasons = {
        name: refusal(tt.metric(name), ordered=False) for name in ("bleu", "nist", "doc:terms", "doc:bleu")
    }
    assert not reasons["bleu"]
    assert not reasons["nist"]
    assert "cannot be added up" in reasons["doc:terms"]
    assert "no order" in reasons["doc:bleu"]


def command(*arguments: Any, **environment: str) -> subprocess.CompletedProcess[str]:
    """The real one, in a process of its own, with all that Spark says at 80 columns."""
    here = {
        key: value for key, value in os.environ.items() if key not in ("JAVA_HOME", "PYSPARK_SUBMIT_ARGS")
    }
    return subprocess.run(
        [sys.executable, "-m", "tertium", *map(str, arguments)],
        env={**here, "COLUMNS": "80", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_command_says_one_line_and_spark_nothing(dataset: Path, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = ("--columns", "hypothesis=one,reference=src", "-m", "bleu")
    own = ("score", "--engine", "spark:local[1]", "--input")
    good = command(*own, dataset, *columns, "-b")
    assert (good.returncode, good.stderr) == (0, "")
    assert float(good.stdout) > 0
    pq.write_table(pa.table({"one": ["a", None], "src": ["a", "b"]}), tmp_path / "a.parquet")
    bad = command(*own, tmp_path / "a.parquet", *columns)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr == f"tertium: file:{tmp_path}/a.parquet: row 2: column 'one' is null\n"


@pytest.mark.parametrize(
    ("master", "environment", "why"),
    [
        ("local[1]", {"PATH": ""}, "Spark needs Java 17 or later, and there is none: install it"),
        ("local[1]", {"JAVA_HOME": "/nowhere"}, "JAVA_HOME is /nowhere, and there is no bin/java in it"),
        ("nonsense", {}, "Spark could not be started at nonsense: Master must either be yarn or start with"),
    ],
)
def test_spark_that_does_not_start(dataset: Path, master: str, environment: dict[str, str], why: str) -> None:
    found = command("score", "--engine", f"spark:{master}", "--input", dataset, **environment)
    assert (found.returncode, found.stdout, found.stderr.count("\n")) == (2, "", 1), found.stderr
    assert why in found.stderr


def test_a_session_elsewhere_is_not_taken_for_another(session: Any) -> None:
    assert engine.session(MASTER) is session
    with pytest.raises(InputError, match=r"is open at .*: stop it before you ask for yarn"):
        engine.session("yarn")


def test_a_java_that_breaks_is_quoted(tmp_path: Path, dataset: Path) -> None:
    program = tmp_path / "bin" / "java"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'I am too old' >&2\nexit 1\n")
    program.chmod(0o755)
    found = command("score", "--engine", "spark:local[1]", "--input", dataset, JAVA_HOME=str(tmp_path))
    assert found.stderr == "tertium: Spark could not be started at local[1]: I am too old\n"


def test_languages_without_spaces_have_their_tokenisers(run: Run, tmp_path: Path) -> None:
    """As files have: the script of the references decides where nobody names the language."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [
        {"mt": "今天天气很好。", "ref": "今天的天气很好。"},
        {"mt": "我每天去市场。", "ref": "我每天都去市场。"},
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "zh.parquet")
    for name in ("mt", "ref"):
        (tmp_path / name).write_text("".join(f"{row[name]}\n" for row in rows), encoding="utf-8")
    columns = ("--columns", "hypothesis=mt,reference=ref", "-f", "json")
    there = run("score", "--engine", f"spark:{MASTER}", "-i", tmp_path / "zh.parquet", *columns)
    here = run("score", tmp_path / "ref", "-i", tmp_path / "mt", "-f", "json")
    assert "|tok:zh|" in json.loads(there.out)["signature"]
    assert json.loads(there.out)["score"] == json.loads(here.out)["score"]
    assert "scored as Chinese" in there.err
