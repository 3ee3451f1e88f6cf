"""What `tertium.meta` offers, whatever was imported before."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

import tertium as tt
from tertium import meta
from tests.conftest import ROOT


def test_no_name_is_also_a_module() -> None:
    modules = {path.stem for path in (ROOT / "src" / "tertium" / "meta").glob("*.py")}
    assert not modules & set(meta.__all__)
    assert meta.__all__ == sorted(meta._WHERE)
    assert dir(meta) == meta.__all__
    for name in meta.__all__:
        assert not isinstance(getattr(meta, name), ModuleType)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        meta.nonsense  # noqa: B018


def test_nothing_heavy_is_imported_early() -> None:
    code = "import sys, tertium.meta; print([m for m in ('numpy', 'rich', 'tertium.meta.task') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_names_of_the_issue() -> None:
    task = tt.meta.Task("mine", metrics=("chrf",), human={"system": "DA.csv"})
    assert task.levels == ("system",)
    assert callable(tt.meta.evaluate)
    assert tt.human.direct_assessment
