"""Completion, asked for as shells ask; in bash also by bash itself."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.cli.conftest import Run
from tests.conftest import ROOT

LINES = {
    "sc": {"score"},
    "score -m ch": {"chrf", "chrf++", "character"},
    "score -m bleu chrf+": {"chrf+", "chrf++"},
    "score ref -i a b -m yisi": {"yisi0", "yisi1", "yisi2"},
    "score --met": {"--metrics"},
    "score -m bleu --thr": {"--threads"},
    "score -f la": {"latex"},
    "compare -m ribe": {"ribes"},
    "explain yisi": {"yisi0", "yisi1", "yisi2"},
    "meta ru": {"run"},
    "nbest tu": {"tune"},
    "nbest tune ref -m bleu chrf+": {"chrf+", "chrf++"},
    "nbest ref -m bleu chrf+": {"chrf+", "chrf++"},
}


Answer = Callable[[str, str], str]


@pytest.fixture
def answer(run: Run, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Answer:
    """answer("bash", "score -m ch"): what a shell is told."""

    def asked(shell: str, line: str) -> str:
        words = ["tertium", *line.split(" ")]
        monkeypatch.setenv("_TERTIUM_COMPLETE", f"{shell}_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(words[:-1] if shell == "fish" else words))
        monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words) - 1))
        monkeypatch.setenv("COMP_LINE", " ".join(words))
        with pytest.raises(SystemExit) as stop:
            run()
        assert stop.value.code == 0
        return capfd.readouterr().out

    return asked


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(("line", "expected"), LINES.items())
def test_completions(answer: Answer, shell: str, line: str, expected: set[str]) -> None:
    out = answer(shell, line)
    values = [entry.partition(",")[2] for entry in out.splitlines()] if shell == "bash" else out.splitlines()
    assert expected <= {value.removeprefix("plain,").partition("\t")[0] for value in values}


@pytest.mark.parametrize(
    ("shell", "line", "expected"),
    [
        ("bash", "score -m bleu:to", "plain,tok="),  # bash has broken the word at the colon
        ("bash", "score -m bleu:tok=intl,smooth=fl", "plain,floor"),
        ("zsh", "score -m bleu:to", "plain\nbleu\\:tok=\n"),
        ("fish", "score -m bleu:smooth=fl", "plain,bleu:smooth=floor\n"),
        ("bash", "score re", "file,re"),
        ("fish", "compare ref -i ou", "file,ou\n"),
        ("zsh", "score ref -i one tw", "file\ntw\n"),
    ],
)
def test_options_of_specs_and_files(answer: Answer, shell: str, line: str, expected: str) -> None:
    assert expected in answer(shell, line)


def test_bash_itself() -> None:
    bash = shutil.which("bash")
    assert bash
    script = f"""
    tertium() {{ {shlex.quote(sys.executable)} -m tertium "$@"; }}
    env() {{ (for pair in "$@"; do case $pair in *=*) export "$pair";; *) "$pair"; break;; esac; done) }}
    compopt() {{ :; }}
    eval "$(_TERTIUM_COMPLETE=bash_source tertium)"
    for COMP_LINE in "tertium score -m bleu:smo" "tertium score -m bleu chrf+"; do
        COMP_POINT=${{#COMP_LINE}} COMPREPLY=()
        _tertium_completion tertium
        echo "${{COMPREPLY[*]}}"
    done"""
    done = subprocess.run(
        [bash, "-c", script],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["smooth=", "smooth_value=", "chrf+", "chrf++"], done.stderr
