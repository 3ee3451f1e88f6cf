"""sacrebleu 2.6.0's own tests, run with `sacrebleu` standing for our drop-in.

They come from its source distribution through pip, into a cache folder; nothing of them is kept here.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import ROOT, skip_or_fail

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


def test_sacrebleus_own_tests_pass(source_distribution: Path, tmp_path: Path) -> None:
    with tarfile.open(source_distribution) as archive:
        (tmp_path / DATA).parent.mkdir()
        for name in (*(f"test/{name}" for name in FILES), DATA):
            member = archive.extractfile(f"sacrebleu-2.6.0/{name}")
            assert member is not None
            (tmp_path / (name if name == DATA else Path(name).name)).write_bytes(member.read())
    (tmp_path / "conftest.py").write_text(ALIAS, encoding="utf-8")
    (tmp_path / "test_alias.py").write_text(IN_FORCE, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    report = tmp_path / "report.xml"
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
    done = subprocess.run(
        [*run, *FILES, "test_alias.py"], cwd=tmp_path, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    cases = list(ElementTree.parse(report).iter("testcase"))
    assert not [case.get("name") for case in cases if len(case)], "a test was skipped or failed"
    ran = [case.get("classname") for case in cases]
    assert "test_alias" in ran
    assert {name: ran.count(name.removesuffix(".py")) for name in FILES} == FILES
