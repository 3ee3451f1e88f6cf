"""The page of environment variables has every one that Tertium reads."""

from __future__ import annotations

import re

from tests.conftest import ROOT

OWN = re.compile(r"[\"'=](TERTIUM_[A-Z_]+|SACREBLEU(?:_[A-Z]+)?)[\"']")
BETWEEN_PROCESSES = {"TERTIUM_ADAPT", "TERTIUM_ANNOTATE_URL", "TERTIUM_MEMORY", "TERTIUM_SERVICE"}
OF_PYTHON = {"SACREBLEU_DIR"}  # a name in sacrebleu's module, not a variable


def test_page_has_every_variable_that_is_read() -> None:
    sources = (ROOT / "src" / "tertium").rglob("*.py")
    read = {name for path in sources for name in OWN.findall(path.read_text(encoding="utf-8"))}
    page = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    on_it = set(re.findall(r"`((?:TERTIUM|SACREBLEU)\w*)`", page))
    assert on_it == read - BETWEEN_PROCESSES - OF_PYTHON
    assert read > BETWEEN_PROCESSES | OF_PYTHON
