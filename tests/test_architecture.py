"""The shape of the house: rooms use what they may, imports are light, names and files stay few and small."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
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
MODULES = {
    ".".join(["tertium", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__"): path
    for path in FILES
}

DOCUMENT = ROOT / "docs" / "architecture.md"
FOR_ALL = {"errors", "exports", "progress", "__version__"}


def may_use() -> dict[str, set[str]]:
    """What each room may use, as docs/architecture.md says in its table."""
    rows = re.findall(
        r"^\| `src/tertium/(\w+)(?:\.py|/)` \|.*\|([^|]*)\|$", DOCUMENT.read_text("utf-8"), re.M
    )
    return {room: {name.strip(" `") for name in names.split(",")} | FOR_ALL | {room} for room, names in rows}


ROOMS = may_use()


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    """Line and module (without `tertium.`) of all of ours that a file imports, at its top or inside functions."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue  # names for the type checker only
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*package, *([node.module] if node.module else [])])
            within = [f"{base}.{alias.name}" for alias in node.names]
            names = [name if base == "tertium" or name in MODULES else base for name in within]
        else:
            names = []
        ours = dict.fromkeys(name for name in names if name.startswith("tertium."))
        yield from ((node.lineno, name.removeprefix("tertium.")) for name in ours)
        yield from imported(node, module)


def test_every_room_has_its_line() -> None:
    assert {layer_of(path) for path in FILES} - {"__init__", "__main__"} == set(ROOMS)
    known = {
        *ROOMS,
        "_native",
        "everything",
        *FOR_ALL,
        "",
        *(name.removeprefix("tertium.") for name in MODULES),
    }
    assert set().union(*ROOMS.values()) <= known, "the table names what is not there"


def imports_of(module: str) -> list[tuple[int, str]]:
    path = MODULES[module]
    inside = f"{module}.__init__" if path.name == "__init__.py" else module
    return list(imported(ast.parse(path.read_text(encoding="utf-8")), inside))


@pytest.mark.parametrize("module", MODULES)
def test_rooms_use_what_the_table_says(module: str) -> None:
    here = module.split(".")[1] if "." in module else "__init__"
    if here in ("__init__", "__main__"):
        assert {name for _, name in imports_of(module)} <= {"exports", "cli"}
        return
    allowed = ROOMS[here]
    wrong = [
        (line, name)
        for line, name in imports_of(module)
        if "everything" not in allowed and not {name, name.split(".")[0]} & allowed
    ]
    assert not wrong, (
        f"{MODULES[module].relative_to(ROOT)} uses what docs/architecture.md does not allow: {wrong}"
    )


def test_no_imports_go_round() -> None:
    """Imports inside functions count: they hide a cycle, they do not open it."""
    edges = {
        module: {f"tertium.{name}" for _, name in imports_of(module)} & set(MODULES) - {module, "tertium"}
        for module in MODULES
    }
    while leaves := [module for module, targets in edges.items() if not targets]:
        for leaf in leaves:
            del edges[leaf]
        edges = {module: targets - set(leaves) for module, targets in edges.items()}
    while unused := set(edges) - set().union(set(), *edges.values()):
        edges = {module: targets for module, targets in edges.items() if module not in unused}
    assert not edges, f"modules import each other: {sorted(edges)}"


def test_the_check_sees_imports() -> None:
    text = (
        "from tertium import cli\nimport tertium.io.files\ndef f():\n    from tertium.families import base\n"
    )
    assert list(imported(ast.parse(text), "tertium.x")) == [(1, "cli"), (2, "io.files"), (4, "families.base")]
    inner = "from . import score\nfrom .. import scoring\nfrom ..io.files import read\n"
    found = [name for _, name in imported(ast.parse(inner), "tertium.cli.x")]
    assert found == ["cli.score", "scoring", "io.files"]
    hidden = "if TYPE_CHECKING:\n    import tertium.cli\n"
    assert list(imported(ast.parse(hidden), "tertium.x")) == []


# Nobody adds to these: words of a grammar, keys, the levels of a shape, told apart where all are in view.
CHAINS_WITH_REASON = {
    "challenge.judges.ambiguity.characters": "nodes of Python's regular expressions",
    "cli.challenge.judge._loop": "keys that people press",
    "published._from_pluses": "labels of sacrebleu 1.x, which no longer change",
}


def test_no_chains_over_names() -> None:
    """What is chosen by name is a table or a registry, not three or more comparisons with strings."""
    chains = {}
    for module, path in MODULES.items():
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                compared: dict[str, set[str]] = {}
                for node in ast.walk(function):
                    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq):
                        right = node.comparators[0]
                        if isinstance(right, ast.Constant) and isinstance(right.value, str):
                            compared.setdefault(ast.unparse(node.left), set()).add(right.value)
                if any(len(names) > 2 for names in compared.values()):
                    chains[f"{module.removeprefix('tertium.')}.{function.name}"] = compared
    assert set(chains) == set(CHAINS_WITH_REASON), chains


def test_public_names_are_reached() -> None:
    """Each is used in the sources, or the documents say what it is for. What only tests reach goes."""
    documents = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", *(ROOT / "benchmarks").rglob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in (*FILES, *SOURCE.rglob("__init__.pyi"), *documents)]
    words = Counter(word for text in texts for word in re.findall(r"\w+", text))
    unreached = []
    for module, path in MODULES.items():
        if not module.startswith("tertium.compat") and ".migrations" not in module:  # called by others' names
            tree = ast.parse(path.read_text(encoding="utf-8"))
            public = [node for node in tree.body if not getattr(node, "name", "_").startswith("_")]
            methods = [inner for node in public if isinstance(node, ast.ClassDef) for inner in node.body]
            for node in (*public, *methods):
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                    own = len(re.findall(rf"\b{node.name}\b", ast.get_docstring(node) or ""))
                    if words[node.name] - own < 2:
                        unreached.append(f"{module}.{node.name}")
    assert unreached == []


def test_a_class_name_means_one_thing() -> None:
    """compat has the names of another package."""
    places: dict[str, list[str]] = {}
    for module, path in MODULES.items():
        if not module.startswith("tertium.compat"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, []).append(module)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


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


# They learn a model of words from the texts, or apply one that was learnt, beside which an import takes no time.
LEARNING = ("doc:terms", "doc:pronouns", "estimate", "file", "tertium")


@pytest.mark.parametrize(
    "spec", [spec for spec in registered() if not registry.metric(spec).extra and spec not in LEARNING]
)
def test_a_corpus_score_needs_no_numpy(supply: Any, spec: str) -> None:
    metric = supply(registry.metric(spec))
    sources = ["a Bob c Bob g"] if metric.needs_source else None
    texts = (
        f"['But a Bob c Bob e'], ['But a Bob c Bob f'], {str(metric)!r}, sources={sources}, documents=['1']"
    )
    code = "import tertium\nfrom tests import trees\ntrees.plug_in()\n"
    code += f"assert tertium.score({texts}).scores[0].value > 0"
    assert modules_after(code) == {"tertium", "tests"}


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
        "detect",
        "estimate",
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


SHARED_BY_METRICS = (
    "__init__",
    "base",
    "content_features",
    "contextual",
    "features",
    "for_texts",
    "given",
    "learning",
    "meteor_tasks",
    "nltk_bleu",
    "parsed",
    "phrases",
    "together",
    "values",
    "words",
)
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
TWIN_WITH = {
    "blend": "rare_words",
    "gleu": "bags",
    "lifted": "bleu",
    "llm": "outside",
    "overlap": "bags",
    "meteor_links": "meteor",
    "meteor_paragraphs": "aligner",
}
METRIC_FILES = [path for path in FILES if layer_of(path) == "families" and path.stem not in SHARED_BY_METRICS]


@pytest.mark.parametrize("path", METRIC_FILES, ids=lambda path: path.stem)
def test_every_metric_file_is_registered_documented_and_pinned(path: Path) -> None:
    module = f"tertium.families.{path.stem}:"
    names = [name for name, target in registry.METRICS.table.items() if target.startswith(module)]
    assert names or BRANCHES.get(path.stem) in registry.METRICS, "no line in the registry"
    for name in names or [path.stem]:
        page = ROOT / "docs" / "metrics" / f"{name.replace(':', '-')}.md"
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
        bound |= set(re.findall(r'nb::(?:class_|exception)<\w+>\(module, "(\w+)"', text))
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
