"""The shape of the house: layers call downward, imports are light, names and files stay few and small."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import tertium
from tertium import registry
from tests.conftest import ROOT, registered

SOURCE = ROOT / "src" / "tertium"
FILES = sorted(SOURCE.rglob("*.py"))

# From the ground up. What stands in one line may use each other.
LAYERS = (
    ("errors", "_native", "__version__", "exports"),
    ("io", "text"),
    ("statistics", "registry", "testset", "project", "results"),
    ("stats",),
    ("families",),
    ("published",),
    ("scores", "measured"),
    ("measuring",),
    ("scoring",),
    ("testing", "nbest", "catalogue"),
    ("comparison",),
    ("human",),
    ("meta", "challenge"),
    ("compat",),
    ("report",),
    ("app",),
    ("cli",),
    ("__main__",),
)
# A method that hands over to a layer above, imported where it is used: for people who have the noun in hand.
CONVENIENCES = {("testset", "scoring")}
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    """Line and layer of everything of ours that a file imports, at its top or inside functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue  # names for the type checker only
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*package, *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}" for alias in node.names] if base == "tertium" else [base]
        else:
            names = []
        yield from ((node.lineno, name.split(".")[1]) for name in names if name.startswith("tertium."))
        yield from imported(node, module)


def test_every_part_has_its_layer() -> None:
    assert FILES
    assert {layer_of(path) for path in FILES} - {"__init__"} <= set(RANK)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_layers_call_only_downward(path: Path) -> None:
    module = ".".join(["tertium", *path.relative_to(SOURCE).with_suffix("").parts])
    here = layer_of(path)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if path.parent == SOURCE and here == "__init__":
        names = {name for _, name in imported(tree, module)}
        assert names == {"exports"}, "tertium/__init__.py imports by name, when a name is first used"
        return
    upward = [
        (line, name)
        for line, name in imported(tree, module)
        if RANK[name] > RANK[here] and (here, name) not in CONVENIENCES
    ]
    assert not upward, f"{path.relative_to(ROOT)} ({here}) uses what stands above it: {upward}"


def test_the_layer_check_sees_imports() -> None:
    text = (
        "from tertium import cli\nimport tertium.io.files\ndef f():\n    from tertium.families import base\n"
    )
    assert list(imported(ast.parse(text), "tertium.x")) == [(1, "cli"), (2, "io"), (4, "families")]
    inner = "from . import score\nfrom .. import scoring\nfrom ..io.files import read\n"
    assert [name for _, name in imported(ast.parse(inner), "tertium.cli.x")] == ["cli", "scoring", "io"]
    hidden = "if TYPE_CHECKING:\n    import tertium.cli\n"
    assert list(imported(ast.parse(hidden), "tertium.x")) == []


def modules_after(code: str) -> set[str]:
    """Top-level packages that are new after running `code`, beyond the standard library."""
    report = f"""import sys
before = set(sys.modules)
{code}
new = {{name.partition('.')[0] for name in set(sys.modules) - before}}
print(*sorted(new - set(sys.stdlib_module_names)))"""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_imports_are_light() -> None:
    assert modules_after("import tertium") == {"tertium"}
    assert modules_after("import tertium.cli") <= {"tertium", "click", "colorama"}


@pytest.mark.parametrize("spec", [spec for spec in registered() if not registry.metric(spec).extra])
def test_a_corpus_score_needs_no_numpy(supply: Any, spec: str) -> None:
    metric = supply(registry.metric(spec))
    sources = ["a b c d g"] if metric.needs_source else None
    texts = f"['a b c d e'], ['a b c d f'], {str(metric)!r}, sources={sources}"
    code = f"import tertium\nassert tertium.score({texts}).scores[0].value > 0"
    assert modules_after(code) == {"tertium"}


def test_what_is_heavy_would_be_noticed() -> None:
    assert "numpy" in modules_after("import tertium.testing")


def test_public_names() -> None:
    assert tertium.__all__ == [
        "Comparison",
        "DenseStatistics",
        "InputError",
        "Measured",
        "Metric",
        "References",
        "Scores",
        "SpecError",
        "Statistics",
        "TertiumError",
        "TertiumWarning",
        "TestSet",
        "TypeStatistics",
        "__version__",
        "compare",
        "measure",
        "metric",
        "metrics",
        "option",
        "score",
        "score_files",
        "weighted_scores",
    ]
    assert dir(tertium) == tertium.__all__
    for name in tertium.__all__:
        found = getattr(tertium, name)
        assert not isinstance(found, ModuleType)
        assert found.__doc__
        assert not isinstance(found, FunctionType) or ">>>" in found.__doc__, f"{name} has no example"
    assert not {path.stem for path in SOURCE.iterdir()} & set(tertium.__all__), (
        "a name is a module's name too"
    )
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        tertium.nonsense  # noqa: B018


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 420


SHARED_BY_METRICS = ("__init__", "base", "meteor_tasks", "phrases", "together", "values", "words")
BRANCHES = {"bleu_family": "bleu"}  # what a registered metric hands `name:value` over to
# One file of golden numbers, or one twin, serves several metrics; EED, Ol and others have only twins.
GOLDEN_WITH = {
    "gleu": "golden_rouge",
    "ribes": "golden_rouge",
    "eed": "properties_overlap",
    "overlap": "properties_overlap",
    "meteor_links": "properties_meteor",
    "meant": "properties_vectors",
    "bleu2vec": "properties_vectors",
}
TWIN_WITH = {"gleu": "bags", "overlap": "bags", "meteor_links": "meteor"}
METRIC_FILES = [path for path in FILES if layer_of(path) == "families" and path.stem not in SHARED_BY_METRICS]


@pytest.mark.parametrize("path", METRIC_FILES, ids=lambda path: path.stem)
def test_every_metric_file_is_registered_documented_and_pinned(path: Path) -> None:
    module = f"tertium.families.{path.stem}:"
    names = [name for name, target in registry.METRICS.table.items() if target.startswith(module)]
    assert names or BRANCHES.get(path.stem) in registry.METRICS, "no line in the registry"
    for name in names or [path.stem]:
        page = ROOT / "docs" / "metrics" / f"{name}.md"
        assert page.is_file(), f"no docs page {page.relative_to(ROOT)}"
    tests = ROOT / "tests" / "families" / f"test_{GOLDEN_WITH.get(path.stem, f'golden_{path.stem}')}.py"
    assert tests.is_file(), "no golden test"
    assert path.stem not in GOLDEN_WITH or any(name in tests.read_text(encoding="utf-8") for name in names)
    assert (ROOT / "tests" / "twins" / f"{TWIN_WITH.get(path.stem, path.stem)}.py").is_file(), (
        "no readable twin"
    )


def test_stub_declares_what_the_native_module_has() -> None:
    """What the C++ files bind and what the type stub declares are the same names."""
    bound = set()
    for path in sorted((ROOT / "native").glob("bind_*.cpp")):
        text = path.read_text(encoding="utf-8")
        bound |= set(re.findall(r'module\.def\(\s*"(\w+)"', text))
        bound |= set(re.findall(r'nb::class_<\w+>\(module, "(\w+)"', text))
        bound |= set(re.findall(r'module\.attr\("(\w+)"\)', text))
    stub = ast.parse((SOURCE / "_native.pyi").read_text(encoding="utf-8"))
    declared = {node.name for node in stub.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    declared |= {
        node.target.id
        for node in stub.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    assert bound == declared
    assert len(bound) > 20


def test_no_utils_and_no_helpers() -> None:
    ours = [path for path in FILES if layer_of(path) != "compat"]  # which has the names of another package
    assert not [path for path in ours if re.search(r"util|helper|misc|common", path.stem)]
