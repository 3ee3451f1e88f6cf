"""sacrebleu 2.6.0's own tests, run with `sacrebleu` standing for our drop-in.

They come from its source distribution through pip, into a cache folder; nothing of them is kept here.
"""

from __future__ import annotations

import ast
import hashlib
import os
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import ROOT, skip_or_fail
from tests.testsets import bundled_sets, made_up, served_table, serving

CACHE = ROOT / ".cache" / "sacrebleu-2.6.0"
SHA256 = "91499b6cd46138d95154fff1e863c2f9be57e82f0c719d8dd718d0006cf6c566"
FILES = {
    "test_bleu.py": 27,
    "test_chrf.py": 25,
    "test_sentence_bleu.py": 30,
    "test_significance.py": 30,
    "test_ter.py": 7,
    "test_tokenizer_ter.py": 11,
}
WITH_SETS = {"test_api.py": 9, "test_dataset.py": 5}  # of test sets by name
DATA = "test/wmt17_en_de_systems.pkl.bz2"  # read from there by test_significance.py

ALIAS = """
import importlib, pkgutil, sys
import tertium.compat.sacrebleu as ours

for module in pkgutil.walk_packages(ours.__path__, ours.__name__ + "."):
    importlib.import_module(module.name)
for name in [name for name in sys.modules if (name + ".").startswith(ours.__name__ + ".")]:
    sys.modules["sacrebleu" + name.removeprefix(ours.__name__)] = sys.modules[name]
"""

IN_FORCE = """
import sys
import sacrebleu
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

def test_alias_is_in_force():
    assert sacrebleu.__name__ == "tertium.compat.sacrebleu"
    assert "tertium" in sacrebleu.__file__ and "site-packages/sacrebleu" not in sacrebleu.__file__
    for module in [sys.modules[name] for name in sys.modules if name.split(".")[0] == "sacrebleu"]:
        assert module.__name__.startswith("tertium.compat.sacrebleu")
    for thing in (BLEU, sacrebleu.metrics.BLEU, sacrebleu.corpus_chrf, TercomTokenizer, PairedTest):
        assert thing.__module__.startswith("tertium.compat.sacrebleu")
"""


@pytest.fixture(scope="module")
def source_distribution() -> Path:
    path = CACHE / "sacrebleu-2.6.0.tar.gz"
    if not path.is_file():
        fetch = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
        ]
        fetch += ["--no-binary", ":all:", "--dest", str(CACHE), "sacrebleu==2.6.0"]
        done = subprocess.run(fetch, capture_output=True, text=True, timeout=600)
        if done.returncode or not path.is_file():
            reason = (done.stderr.strip() or "no output").splitlines()[-1]
            skip_or_fail(f"sacrebleu's source distribution cannot be had from the package index: {reason}")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == SHA256, f"{path} is damaged: remove it"
    return path


def _passes(archive: Path, folder: Path, files: dict[str, int], *data: str, **more: str) -> None:
    """Run files of the source distribution in a folder of their own, and see that each of their tests passed."""
    with tarfile.open(archive) as opened:
        (folder / DATA).parent.mkdir(exist_ok=True)
        for name in (*(f"test/{name}" for name in files), *data):
            member = opened.extractfile(f"sacrebleu-2.6.0/{name}")
            assert member is not None
            (folder / (name if name in data else Path(name).name)).write_bytes(member.read())
    (folder / "conftest.py").write_text(ALIAS, encoding="utf-8")
    (folder / "test_alias.py").write_text(IN_FORCE, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    report = folder / "report.xml"
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    how: dict[str, Any] = {"capture_output": True, "text": True, "timeout": 600}
    done = subprocess.run([*run, *files, "test_alias.py"], cwd=folder, env=os.environ | more, **how)
    assert done.returncode == 0, done.stdout + done.stderr
    cases = list(ElementTree.parse(report).iter("testcase"))
    assert not [case.get("name") for case in cases if len(case)], "a test was skipped or failed"
    ran = [case.get("classname") for case in cases]
    assert "test_alias" in ran
    assert {name: ran.count(name.removesuffix(".py")) for name in files} == files


def test_sacrebleus_own_tests_pass(source_distribution: Path, tmp_path: Path) -> None:
    _passes(source_distribution, tmp_path, FILES, DATA)


def test_its_tests_of_test_sets_pass(source_distribution: Path, tmp_path: Path) -> None:
    """Against a server on loopback that has small archives of all test sets, with the lines that the tests expect."""
    with tarfile.open(source_distribution) as archive:
        member = archive.extractfile("sacrebleu-2.6.0/test/test_api.py")
        assert member is not None
        expected = _expected_lines(member.read().decode("utf-8"))
    sets = bundled_sets()
    known = {
        (path, number - 1): text
        for name, pair, number, *texts in expected
        for path, text in zip(sets[name]["pairs"][pair]["files"], texts, strict=True)
    }
    assert len(known) == 6
    with serving() as server:
        text = lambda path, line: known.get((path, line)) or made_up(path, line)  # noqa: E731
        table = served_table(server, sets, tmp_path / "table.json", text)
        folder = str(tmp_path / "sacrebleu")
        own = {"TERTIUM_TESTSETS": str(table), "SACREBLEU": folder, "TERTIUM_DOWNLOAD": "1"}
        _passes(source_distribution, tmp_path, WITH_SETS, **own)
        assert server.asked


def _expected_lines(code: str) -> list[tuple[Any, ...]]:
    """Test set, language pair, number of the line, source and reference, as its test has them."""
    for node in ast.parse(code).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "test_api_get_data":
            found: list[tuple[Any, ...]] = ast.literal_eval(node.value)
            return found
    raise AssertionError("test_api.py has no lines to expect")
