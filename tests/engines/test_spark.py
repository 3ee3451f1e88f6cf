"""Spark with two workers of its own (real processes, real serialisation): the same bits as here."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium import registry
from tertium.engines import spark as engine
from tertium.errors import InputError, TertiumWarning
from tertium.families.base import Metric
from tertium.measuring import measure
from tertium.spark import read_frame, refusal
from tertium.testing import EXAMPLE
from tests.cli.conftest import Run
from tests.conftest import registered, skip_or_fail
from tests.engines.test_engines import AGAIN, PARTS, inputs

pytestmark = pytest.mark.heavy
MASTER = os.environ.get("TERTIUM_SPARK", "local-cluster[2,1,1024]")


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    if importlib.util.find_spec("pyspark") is None or not shutil.which("java"):
        skip_or_fail("pyspark or Java is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        own = engine.session(MASTER)
    yield own
    own.stop()


@pytest.fixture(autouse=True)
def others_warn() -> Iterator[None]:
    """pyspark has warnings of its own about pandas."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        warnings.simplefilter("ignore", ResourceWarning)
        yield


def table() -> list[dict[str, Any]]:
    rows = []
    for i in range(AGAIN * len(EXAMPLE)):
        at = i % len(EXAMPLE)
        rows.append(
            {
                "number": i,
                "one": EXAMPLE.hypotheses[at],
                "two": EXAMPLE.others[at],
                **{f"ref{n}": stream[at] for n, stream in enumerate(EXAMPLE.streams)},
                "src": EXAMPLE.sources[at],
                "doc": f"d{i // 3:02}",
                "domain": "law" if at % 3 else "news",
            }
        )
    return rows


def frame(session: Any, parts: int, rows: list[dict[str, Any]] | None = None) -> Any:
    texts = ("one", "two", "ref0", "ref1", "ref2", "src", "doc", "domain")
    kinds = ", ".join(["number long", *(f"{name} string" for name in texts)])
    return session.createDataFrame(table() if rows is None else rows, kinds).repartition(parts, "number")


COLUMNS: dict[str, Any] = {
    "hypothesis": ["one", "two"],
    "reference": ["ref0", "ref1", "ref2"],
    "source": "src",
}


def cluster_metrics(supply: Any) -> list[Metric]:
    """All registered metrics that a cluster can score, but those that need torch, or a parser that is only here."""
    found = [
        supply(registry.metric(spec)) for spec in registered() if registry.metric(spec).extra != "embeddings"
    ]
    return [
        metric
        for metric in found
        if not refusal(metric) and not str(getattr(metric, "parser", "")).startswith("made")
    ]


@pytest.mark.filterwarnings("ignore::tertium.errors.TertiumWarning")
def test_every_metric_gives_the_same_bits(session: Any, supply: Any) -> None:
    """Scores of everything, of documents and of segments, in 1, 3 and 17 partitions."""
    metrics = cluster_metrics(supply)
    assert len(metrics) > 20
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TertiumWarning)
        here = measure(inputs(), metrics)
        by_document = measure(inputs(), metrics, "document")
    for parts in PARTS:
        found = tt.spark.score(frame(session, parts), metrics=metrics, **COLUMNS)
        documents = tt.spark.score(frame(session, parts), metrics=metrics, document="doc", **COLUMNS).scores
        segments = found.segments.toArrow().sort_by("number").to_pydict()
        for metric in metrics:
            for name in ("one", "two"):
                assert found.scores[name, metric].value == here.corpus_score(name, metric), (parts, metric)
                own = [
                    None if value != value else value for value in here.segment_scores(name, metric).tolist()
                ]
                assert segments[f"{name}/{metric}"] == own, (parts, metric)
                rows = by_document.rows[name, metric]
                expected = [
                    None if value != value else value
                    for value in metric.score_rows(rows, "document").tolist()
                ]
                assert documents[name, metric].values == expected, (parts, metric)
        assert found.scores["one", metrics[0]].signature == here.signature(metrics[0])


def test_groups_in_one_pass(session: Any) -> None:
    found = tt.spark.score(frame(session, 5), "one", "src", ["bleu", "macrof1"], group="domain").scores
    for domain in ("law", "news"):
        rows = [row for row in table() if row["domain"] == domain]
        alone = tt.score([row["one"] for row in rows], [row["src"] for row in rows], ["bleu", "macrof1"])
        for metric in ("bleu", "macrof1"):
            assert found[domain, metric].value == alone[metric].value


def test_the_engine_gives_the_same_bits(session: Any) -> None:
    own = engine.Spark(MASTER, partitions=3)
    one, other = (
        measure(inputs(), ["bleu", "ter", "nist", "doc:chrf"], engine=where) for where in ("local", own)
    )
    for key, rows in one.rows.items():
        assert other.rows[key].to_bytes() == rows.to_bytes()


def executor_dies(flag: str) -> Any:
    """A step before scoring that kills the executor the first time it is reached."""

    def step(batches: Any) -> Any:
        for batch in batches:
            if batch.num_rows and not os.path.exists(flag):
                Path(flag).touch()
                status = Path(f"/proc/{os.getppid()}/status").read_text()  # of the daemon that started us
                os.kill(int(status.split("PPid:")[1].split()[0]), signal.SIGKILL)
            yield batch

    return step


@pytest.mark.skipif(not MASTER.startswith("local-cluster"), reason="there is no executor to kill")
def test_an_executor_that_is_killed_changes_nothing(session: Any, tmp_path: Path) -> None:
    plain = frame(session, 6)
    dying = plain.mapInArrow(executor_dies(str(tmp_path / "died")), plain.schema)
    found = tt.spark.score(dying, metrics=["bleu", "chrf", "ter"], **COLUMNS).scores
    assert (tmp_path / "died").exists()
    here = measure(inputs(), ["bleu", "chrf", "ter"])
    for metric in here.metrics:
        for name in ("one", "two"):
            assert found[name, metric].value == here.corpus_score(name, metric)


def test_a_dataset_is_scored_from_the_command_line(session: Any, tmp_path: Path, run: Run) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = table()
    data = tmp_path / "data"
    data.mkdir()
    for part in range(3):
        pq.write_table(pa.Table.from_pylist(rows[part::3]), data / f"part{part}.parquet")
    asked = (
        "score",
        "--engine",
        f"spark:{MASTER}",
        "--input",
        data,
        "-m",
        "bleu",
        "ter",
        "-f",
        "json",
        "-w",
        "9",
    )
    found = run(*asked, "--columns", "hypothesis=two,reference=src,document=doc")
    assert found.status == 0, found.err
    alone = tt.score([row["two"] for row in rows], [row["src"] for row in rows], ["bleu", "ter"])
    assert [own["score"] for own in json.loads(found.out)] == [round(own.value or 0, 9) for own in alone]
    for more, said in (
        (("--columns", "hypothesis=tow,reference=src"), "there is no column 'tow'; did you mean 'two'?"),
        (("--columns", "hypothesis=two"), "no column is named as the reference"),
        (("--columns", "hypothesis=two,reference=src", "--level", "segment"), "stay on the cluster"),
    ):
        bad = run(*asked, *more)
        assert (bad.status, bad.err.count("\n")) == (2, 1), bad.err
        assert said in bad.err


def test_bad_datasets_are_named_in_one_line(session: Any, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = table()
    rows[7]["one"] = None
    with pytest.raises(InputError, match=r"^partition 0, row 8 of it: column 'one' is null$"):
        tt.spark.score(frame(session, 1, rows).sort("number").coalesce(1), "one", "src", "bleu")
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    path = str(tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet: row 8: column 'one' is null$"):
        tt.spark.score(read_frame(session, path), "one", "src", "bleu")
    broken = pa.array([b"fine", b"b\xffd"], pa.binary()).view(pa.string())
    pq.write_table(pa.table({"mt": broken, "ref": ["a", "b"]}), tmp_path / "b.parquet")
    with pytest.raises(InputError, match=r"b\.parquet: row 2: column 'mt' is not UTF-8$"):
        tt.spark.score(read_frame(session, str(tmp_path / "b.parquet")), "mt", "ref", "bleu")
    with pytest.raises(InputError, match="no column 'on'; did you mean 'one'"):
        tt.spark.score(frame(session, 1), "on", "src", "bleu")
    for spec in ("nist", "doc:chrf"):
        with pytest.raises(InputError, match="cannot be scored on a cluster"):
            tt.spark.score(frame(session, 1), "one", "src", spec)
    with pytest.raises(InputError) as error:
        read_frame(session, str(tmp_path / "nowhere.parquet"))
    assert "\n" not in str(error.value)


def test_another_version_on_the_executors_is_refused(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tt, "__version__", "9.9")
    with pytest.raises(InputError, match=r"an executor has Tertium 0\.1\.0, and this is 9\.9"):
        engine.check_workers(session)


def test_no_java_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(SparkSession, "getActiveSession", lambda: None)
    with pytest.raises(InputError, match="Spark needs Java 17"):
        engine.session("local[1]")
