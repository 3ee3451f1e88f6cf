"""Spark with two workers of its own (real processes, real serialisation): the same bits as here."""

from __future__ import annotations

import os
import signal
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium import registry
from tertium.clusters.scoring import measured_of
from tertium.engines import spark as engine
from tertium.errors import TertiumWarning
from tertium.families.base import Metric
from tertium.measuring import measure
from tertium.scoring import scores_of
from tertium.spark import planned, refusal
from tests.conftest import registered
from tests.engines.conftest import MASTER, frame, table
from tests.engines.test_engines import BOTH, PARTS, inputs

pytestmark = pytest.mark.heavy


COLUMNS: dict[str, Any] = {
    "hypothesis": ["one", "two"],
    "reference": ["ref0", "ref1", "ref2"],
    "source": "src",
}


def cluster_metrics(supply: Any) -> list[Metric]:
    """All registered metrics that a cluster can score."""
    found = [registry.metric(spec) for spec in registered()]
    return [supply(metric) for metric in found if not refusal(metric)]


@pytest.fixture(scope="module")
def known(supply: Any) -> tuple[list[Metric], Any, Any]:
    """All metrics, and what they give here: rows of segments and of documents."""
    metrics = cluster_metrics(supply)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TertiumWarning)
        return metrics, measure(inputs(), metrics), measure(inputs(), metrics, "document")


def check_all(given: Any, known: tuple[list[Metric], Any, Any]) -> None:
    """Scores of everything, of documents and of segments are those that we have here."""
    metrics, here, by_document = known
    own = planned(given, metrics=metrics, document="doc", order="number", by_document=True, **COLUMNS)
    documents = scores_of(measured_of(own.sums(), own.plan, own.of, "document"))
    whole = replace(own, plan=replace(own.plan, by_document=False))
    everything = scores_of(measured_of(whole.sums(), whole.plan, whole.of, "corpus"))
    segments = own.segments().toArrow().sort_by("number").to_pydict()

    def plain(values: Any) -> list[float | None]:
        return [None if value != value else value for value in values.tolist()]

    for metric in metrics:
        for name in BOTH:
            assert everything[name, metric].value == here.corpus_score(name, metric), metric
            assert segments[f"{name}/{metric}"] == plain(here.segment_scores(name, metric)), metric
            rows = by_document.rows[name, metric]
            assert documents[name, metric].values == plain(metric.score_rows(rows, "document")), metric
    assert everything["one", metrics[0]].signature == here.signature(metrics[0])


@pytest.mark.parametrize("parts", PARTS)
def test_every_metric_gives_the_same_bits(session: Any, known: Any, parts: int) -> None:
    """In 1, 3 and 17 partitions."""
    names = {metric.name for metric in known[0]}
    assert set(registry.METRICS) - names == {"outside", "llm", "doc:terms", "doc:pronouns"}
    check_all(frame(session, parts), known)


def test_groups_of_several_columns_in_one_pass(session: Any, tmp_path: Path) -> None:
    """By metrics that add, and by one that knows the whole of each group."""
    specs = [
        "bleu:tok=13a",
        "macrof1:tok=13a",
    ]  # open ones have the script of the first 200 references looked at
    seen = noting(frame(session, 5), tmp_path)
    found = tt.spark.score(seen, ["one", "two"], "src", specs, group=["domain", "half"]).scores
    assert len(list(tmp_path.iterdir())) == len(table())  # each row was read once
    informed = tt.spark.score(seen, ["one", "two"], "src", ["nist"], group=["domain", "half"]).scores
    halves = {(row["domain"], str(row["number"] % 2)) for row in table()}
    assert {score.system for score in found} == {"/".join((*own, name)) for own in halves for name in BOTH}
    for domain, half in halves:
        rows = [row for row in table() if (row["domain"], str(row["number"] % 2)) == (domain, half)]
        for name in BOTH:
            texts = [row[name] for row in rows], [row["src"] for row in rows]
            alone = tt.score(*texts, [*specs, "nist"])
            for metric in specs:
                assert found[f"{domain}/{half}/{name}", metric].value == alone[metric].value
            assert informed[f"{domain}/{half}/{name}", "nist"].value == alone["nist"].value


def noting(given: Any, folder: Path) -> Any:
    """A DataFrame with halves, which leaves a file for each row and time that it is read."""
    place = str(folder)

    def step(batches: Any) -> Any:
        for batch in batches:
            for number in batch.column("number").to_pylist():
                Path(place, f"{number}-{os.urandom(4).hex()}").touch()
            yield batch

    return given.selectExpr("*", "number % 2 as half").mapInArrow(
        step, f"{','.join(' '.join(own) for own in given.dtypes)}, half long"
    )


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
def test_an_executor_that_is_killed_changes_nothing(session: Any, known: Any, tmp_path: Path) -> None:
    plain = frame(session, 6)
    dying = plain.mapInArrow(executor_dies(str(tmp_path / "died")), plain.schema)
    check_all(dying, known)
    assert (tmp_path / "died").exists()


def twice(folder: str) -> Any:
    """A step that is slow where it is tried first, so that a twin is started and comes home before it."""

    def step(batches: Any) -> Any:
        from pyspark import TaskContext

        task = TaskContext.get()
        for batch in batches:
            if batch.num_rows and task.partitionId() == 0:
                Path(folder, f"{task.taskAttemptId()}").touch()
                if task.attemptNumber() == 0:
                    time.sleep(4)
            yield batch

    return step


@pytest.mark.skipif(not MASTER.startswith("local-cluster"), reason="there are no twins")
def test_skew_and_speculative_twins_change_nothing(session: Any, tmp_path: Path) -> None:
    """One partition has nearly everything and long lines, and is worked on twice."""
    rows = table()
    for row in rows[:-4]:
        row["one"], row["src"] = (" ".join([row[name]] * 200) for name in ("one", "src"))
    kinds = frame(session, 1, rows).schema
    skewed = session.createDataFrame(
        session.sparkContext.parallelize(range(4), 4).flatMap(
            lambda part: rows[:-4] if part == 0 else [rows[-part]]
        ),
        kinds,
    )
    slow = skewed.mapInArrow(twice(str(tmp_path)), kinds)
    found = tt.spark.score(slow, "one", "src", ["bleu", "chrf", "nist", "macrof1"]).scores
    assert len(list(tmp_path.iterdir())) > 1  # there was a twin
    kept = [*rows[:-4], *rows[-3:]]
    alone = tt.score(
        [row["one"] for row in kept], [row["src"] for row in kept], ["bleu", "chrf", "nist", "macrof1"]
    )
    assert [own.value for own in found] == [own.value for own in alone]
