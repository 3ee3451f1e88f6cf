"""What `tertium.compare` offers, whatever was imported before."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from tertium import compare
from tests.conftest import ROOT


def test_no_name_is_also_a_module() -> None:
    """A submodule of the same name would take the place of a function as soon as somebody imports it."""
    folder = ROOT / "src" / "tertium" / "compare"
    modules = {path.stem for path in folder.glob("*.py")} | {
        path.name for path in folder.iterdir() if path.is_dir()
    }
    assert not modules & set(compare.__all__)
    for name in compare.__all__:
        assert not isinstance(getattr(compare, name), ModuleType)
    assert dir(compare) == sorted(compare.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        compare.nonsense  # noqa: B018


def test_nothing_heavy_is_imported_early() -> None:
    early = "('numpy', 'rich', 'tertium.compare.buckets')"
    code = f"import sys, tertium.compare; print([m for m in {early} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
