"""What `tertium.human` offers, whatever was imported before."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from tertium import human
from tests.conftest import ROOT


def test_no_name_is_also_a_module() -> None:
    modules = {path.stem for path in (ROOT / "src" / "tertium" / "human").glob("*.py")}
    assert not modules & set(human.__all__)
    assert human.__all__ == sorted(human._WHERE)
    assert dir(human) == human.__all__
    for name in human.__all__:
        assert not isinstance(getattr(human, name), ModuleType)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        human.nonsense  # noqa: B018


def test_nothing_heavy_is_imported_early() -> None:
    code = "import sys, tertium.human; print([m for m in ('numpy', 'rich', 'tertium.io.mtme') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
