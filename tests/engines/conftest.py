"""Running the command line, as the tests of commands do; a Spark cluster of two workers, and a dataset."""

from __future__ import annotations

import importlib.util
import os
import shutil
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from tertium.engines import spark as engine
from tertium.testing import EXAMPLE
from tests.cli.conftest import run
from tests.conftest import skip_or_fail

__all__ = ["run"]
AGAIN = 2  # times the example
MASTER = os.environ.get("TERTIUM_SPARK", "local-cluster[2,1,1024]")


@pytest.fixture(scope="session")
def session() -> Iterator[Any]:
    """With twins of slow tasks: what is twice as slow as others is started again elsewhere."""
    settings = {
        "": "true",
        ".interval": "100ms",
        ".multiplier": "2",
        ".quantile": "0.5",
        ".minTaskRuntime": "1s",
    }
    told = " ".join(f"--conf spark.speculation{key}={value}" for key, value in settings.items())
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"{told} pyspark-shell"
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
