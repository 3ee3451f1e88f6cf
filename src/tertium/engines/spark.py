"""Apache Spark: a session, whether its workers can do our work, and an engine that sends them parts."""

from __future__ import annotations

import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from tertium.engines.base import Engine, Shared
from tertium.engines.frames import FILE, PART, ROW
from tertium.engines.jvm import check_java, first_line, quiet, start_context
from tertium.engines.luggage import SHIP, check_version, folder_until_exit
from tertium.engines.processes import answered, opened
from tertium.errors import InputError, MissingExtraError
from tertium.io.ownfiles import own_version

T = TypeVar("T")
R = TypeVar("R")
USUAL = "local[*]"
BATCH = 10_000  # segments of an Arrow batch
_LACKING = re.compile(r"No module named '([\w.]+)'")
_OURS = re.compile(r"tertium\.errors\.\w+: (.*)")


class Spark(Engine):
    """A cluster, by its master's address: `spark://host:7077`, `yarn`, `local[4]`."""

    name = "spark"

    def __init__(self, master: str = "", partitions: int | None = None) -> None:
        self.partitions = partitions
        self.session = session(master)
        self.workers = int(self.session.sparkContext.defaultParallelism)
        check_workers(self.session)

    @classmethod
    def of(cls, value: str) -> Spark:
        return cls(value)

    def share(self, value: T) -> Shared[T]:
        shared: Shared[T] = self.session.sparkContext.broadcast(value)
        return shared

    def map(self, work: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
        """In waves of as many parts as there are cores: texts go from here to the workers."""
        context, left = self.session.sparkContext, iter(parts)
        while wave := list(islice(left, 2 * self.workers)):
            jobs = [pickle.dumps((work, part), pickle.HIGHEST_PROTOCOL) for part in wave]
            sent = [(own_version(), job) for job in jobs]
            with plain_errors():
                answers = context.parallelize(sent, len(sent)).map(_answer).collect()
            for answer in answers:
                yield opened(answer)


def session(master: str = "") -> Any:
    """The session that is open, or a new one."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtraError("the engine spark", "spark") from None
    running = SparkSession.getActiveSession()
    if running is not None:
        known = running.sparkContext.master
        if master not in ("", known):
            raise InputError(f"a Spark session is open at {known}: stop it before you ask for {master}")
        return running
    wanted = master or USUAL
    check_java()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = {
        "spark.master": wanted,
        "spark.app.name": "tertium",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",
        "spark.sql.execution.arrow.maxRecordsPerBatch": str(BATCH),
    }
    if wanted.startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        settings["spark.executorEnv.PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    if wanted.startswith("local-cluster"):
        import pyspark

        os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
        if "SPARK_WORKER_DIR" not in os.environ:
            os.environ["SPARK_WORKER_DIR"] = folder_until_exit("tertium-spark-")
    start_context(settings)
    with plain_errors():
        return SparkSession.builder.getOrCreate()


def read_frame(running: Any, path: str) -> Any:
    """A dataset of Parquet or JSON Lines, wherever it lies, with columns that say where each row comes from."""
    from pyspark.sql.functions import col

    json = path.rstrip("/").lower().split(".")[-1] in ("jsonl", "json", "ndjson")
    said = {FILE: "_metadata.file_path", PART: "_metadata.file_block_start"}
    if not json:
        said[ROW] = "_metadata.row_index"
    with plain_errors():
        frame = running.read.json(path) if json else running.read.parquet(path)
        return frame.select("*", *(col(where).alias(name) for name, where in said.items()))


def check_workers(running: Any) -> None:
    """Refuses executors without this package, or with another version of it."""
    own_one = own_version()

    def said(_: int) -> str:  # goes to the executors as it is, since they may not know us
        try:
            import pyarrow  # noqa: F401

            import tertium
        except ImportError as error:
            return f"no {error.name}"
        return str(tertium.__version__)

    context = running.sparkContext
    number = max(2, int(context.defaultParallelism))
    with plain_errors():
        found = set(context.parallelize(range(number), number).map(said).collect())
    for own in sorted(found - {own_one}):
        if own.startswith("no "):
            raise InputError(f"an executor has {own}: {SHIP}")
        raise InputError(f"an executor has Tertium {own}, and this is {own_one}: {SHIP}")


@contextmanager
def plain_errors() -> Iterator[None]:
    """What went wrong on a cluster, in one line."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        with quiet():
            yield
    except (Py4JError, PySparkException) as error:
        ours, lacking = (own.search(str(error)) for own in (_OURS, _LACKING))
        if lacking:
            raise InputError(f"an executor has no {lacking[1]}: {SHIP}") from None
        raise InputError(ours[1] if ours else f"Spark: {first_line(error)}") from None


def _answer(sent: tuple[str, bytes]) -> bytes:
    version, job = sent
    check_version(version)
    work, part = pickle.loads(job)
    return answered(work, part)
