"""Running the command line, as the tests of commands do; a Spark cluster of two workers, and a dataset."""

from __future__ import annotations

import importlib.util
import os
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tertium.engines import spark as engine
from tertium.testing import EXAMPLE
from tests.cli.conftest import run
from tests.conftest import ROOT, skip_or_fail

__all__ = ["run"]
AGAIN = 2  # times the example
MASTER = os.environ.get("TERTIUM_SPARK", "local-cluster[2,1,1024]")


def write_plugin(folder: Path) -> str:
    """A package that offers the tests' parser as packages do, so that executors know it, too."""
    own = folder / "trees_of_tests-1.dist-info"
    own.mkdir()
    (own / "METADATA").write_text("Metadata-Version: 2.1\nName: trees-of-tests\nVersion: 1\n")
    (own / "entry_points.txt").write_text("[tertium.parsers]\nmade = tests.trees:MADE\n")
    return str(folder)


@pytest.fixture(scope="session")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """With twins of slow tasks: what is twice as slow as others is started again elsewhere. Executors have a cache of
    their own."""
    speculation = {
        "": "true",
        ".interval": "100ms",
        ".multiplier": "2",
        ".quantile": "0.5",
        ".minTaskRuntime": "1s",
    }
    settings = {f"spark.speculation{key}": value for key, value in speculation.items()}
    settings["spark.executorEnv.TERTIUM_CACHE"] = str(tmp_path_factory.mktemp("executors"))
    told = " ".join(f"--conf {key}={value}" for key, value in settings.items())
    if importlib.util.find_spec("pyspark") is None or not shutil.which("java"):
        skip_or_fail("pyspark or Java is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_SUBMIT_ARGS", f"{told} pyspark-shell")
        for path in (ROOT, write_plugin(tmp_path_factory.mktemp("plugin"))):
            patch.syspath_prepend(str(path))
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
