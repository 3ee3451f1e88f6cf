"""Running the command line in this process, and sacrebleu's beside it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tertium.cli import main
from tests.conftest import SAMPLE


class Result(NamedTuple):
    """What a run gave: exit status, standard output, standard error."""

    status: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """run("score", "ref", "-i", "hyp"): the command, in this process."""
    monkeypatch.delenv("SACREBLEU_FORMAT", raising=False)

    def call(*argv: object) -> Result:
        capfd.readouterr()
        status = main([str(word) for word in argv])
        out, err = capfd.readouterr()
        return Result(status, out, err)

    return call


@pytest.fixture
def texts(tmp_path: Path) -> Callable[..., Path]:
    """texts("ref", "one", "two"): a file with these lines."""

    def write(name: str, *lines: str) -> Path:
        path = tmp_path / name
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path

    return write


R1, R2, SRC = SAMPLE / "reference1.en", SAMPLE / "reference2.en", SAMPLE / "source.de"
STRONG, LITERAL, SMOOTH = (SAMPLE / f"system-{name}.en" for name in ("strong", "literal", "smooth"))
DOCUMENTS = SAMPLE / "documents.txt"
