"""What `tertium.comparison`, `tertium.human` and `tertium.meta` offer, whatever was imported before."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from types import ModuleType

import pytest

import tertium as tt
from tests.conftest import ROOT

HEAVY = {
    "comparison": "tertium.comparison.buckets",
    "human": "tertium.io.mtme",
    "meta": "tertium.meta.task",
    "readability": "tertium.readability.scale",
}


@pytest.mark.parametrize("name", HEAVY)
def test_no_name_is_also_a_module(name: str) -> None:
    """A submodule of the same name would take the place of a function as soon as somebody imports it."""
    package = import_module(f"tertium.{name}")
    folder = ROOT / "src" / "tertium" / name
    modules = {path.stem for path in folder.glob("*.py")} | {
        path.name for path in folder.iterdir() if path.is_dir()
    }
    assert not modules & set(package.__all__)
    assert dir(package) == sorted(package.__all__)
    for offered in package.__all__:
        assert not isinstance(getattr(package, offered), ModuleType)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        package.nonsense  # noqa: B018


@pytest.mark.parametrize(("name", "heavy"), HEAVY.items())
def test_nothing_heavy_is_imported_early(name: str, heavy: str) -> None:
    code = f"import sys, tertium.{name}; print([m for m in ('numpy', 'rich', '{heavy}') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_names_of_the_issue() -> None:
    task = tt.meta.Task("mine", metrics=("chrf",), human={"system": "DA.csv"})
    assert task.levels == ("system",)
    assert callable(tt.meta.evaluate)
    assert tt.human.direct_assessment
