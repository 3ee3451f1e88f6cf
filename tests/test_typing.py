"""What users' type checkers see: `tests/typing/user_script.py` is checked strictly, and runs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

SCRIPT = ROOT / "tests" / "typing" / "user_script.py"
PYRIGHT = (sys.executable, "-m", "basedpyright")


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of the user's own, with the script and no settings of ours."""
    folder = tmp_path_factory.mktemp("user")
    shutil.copy(SCRIPT, folder)
    settings = {"typeCheckingMode": "strict", "extraPaths": [str(ROOT / "src")]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    return folder


def ran(folder: Path, *command: str) -> str:
    environment = {"PATH": "/usr/bin:/bin", "MYPYPATH": str(ROOT / "src"), "HOME": str(folder)}
    done = subprocess.run(
        [*command, SCRIPT.name], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_mypy(elsewhere: Path) -> None:
    assert "no issues found" in ran(elsewhere, sys.executable, "-m", "mypy", "--strict")


def test_pyright(elsewhere: Path) -> None:
    assert "0 errors, 0 warnings" in ran(elsewhere, *PYRIGHT, "--pythonpath", sys.executable)


def test_a_mistake_would_be_seen(elsewhere: Path) -> None:
    wrong = elsewhere / "wrong.py"
    wrong.write_text(
        "import tertium as tt\nx: int = tt.compare(tt.TestSet.sample())\ntt.score(1, sistems=2)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", wrong.name],
        cwd=elsewhere,
        env={"MYPYPATH": str(ROOT / "src"), "HOME": str(elsewhere)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "[assignment]" in done.stdout
    assert "[call-arg]" in done.stdout


def test_it_runs(elsewhere: Path) -> None:
    assert "did you mean 'bleu'" in ran(elsewhere, sys.executable)
