"""How wheels are built: no folder is shared, two wheels a platform, notices inside, native code for every processor."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.conftest import ROOT
from tools.release.notices import NOTICES, TARGET
from tools.release.rehearse import PYTHONS, UNWANTED

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
BUILD = PROJECT["tool"]["scikit-build"]
WHEELS = PROJECT["tool"]["cibuildwheel"]
# Folders and files of data that we made ourselves, or that say themselves where they come from.
OURS = {
    "adaptation", "aligner.json", "challenge", "closed_class", "common_words", "connectives", "detection.json",
    "function_words", "languages.tsv", "measures.tsv", "memory", "meta", "models", "prefixes", "probe", "prompts",
    "pronouns", "sample", "schema.json", "sentences.toml", "tags",
}  # fmt: skip
SPECIAL = re.compile(
    r"_mm\d*_|__m\d+i|[iet]mmintrin|__builtin_ia32|__builtin_cpu_supports|__builtin_shuffle|Py_UNICODE_|tp_name"
    r"|Py\w+_(GET_SIZE|AS_STRING|GET_ITEM|SET_ITEM|ITEMS|GET_LENGTH|IS_ASCII)\b"  # not in the stable ABI
)


def test_no_build_folder_is_shared() -> None:
    """Without a name, scikit-build-core makes a new folder for every build: nobody may give it one."""
    assert "build-dir" not in BUILD
    for name in ("Makefile", ".ci/run", ".ci/difficult-folder", "Dockerfile", ".gitlab-ci.yml"):
        assert "build-dir" not in (ROOT / name).read_text("utf-8"), name
    assert "SKBUILD_BUILD_DIR" not in (ROOT / "Makefile").read_text("utf-8")


def test_two_wheels_a_platform() -> None:
    assert WHEELS["build"] == [f"cp{python.replace('.', '')}-*" for python in PYTHONS]
    assert WHEELS["linux"]["archs"] == ["x86_64", "aarch64"]
    assert WHEELS["macos"]["archs"] == ["x86_64", "arm64"]
    (stable,) = BUILD["overrides"]
    assert stable == {
        "if": {"python-version": ">=3.12"},
        "wheel": {"py-api": "cp312"},
        "cmake": {"version": ">=3.26"},
    }
    rules = (ROOT / "CMakeLists.txt").read_text("utf-8")
    assert "nanobind_add_module(_native STABLE_ABI" in rules
    assert "${SKBUILD_SABI_COMPONENT}" in rules
    for python in PYTHONS:
        assert f"Programming Language :: Python :: {python}" in PROJECT["project"]["classifiers"]


@pytest.mark.parametrize("notice", NOTICES, ids=lambda notice: notice.name)
def test_everything_of_others_has_its_notice(notice: object) -> None:
    text = TARGET.read_text("utf-8")
    assert f"\n{notice.name} ({notice.licence})\n" in text  # type: ignore[attr-defined]
    for path in notice.where:  # type: ignore[attr-defined]
        assert (ROOT / path).exists()


def test_licences_are_complete() -> None:
    text = TARGET.read_text("utf-8")
    for words in (
        "Wenzel Jakob",
        "Thibaut Goetghebuer-Planchon",
        "UNICODE LICENSE V3",
        "Dr Martin Porter",
        "Amazon.com, Inc.",
        "Public Domain Dedication",
        "Martin Donath",
    ):
        assert words in text
    assert text.count("WITHOUT WARRANTY OF ANY") >= 2
    assert text.count("Redistributions in binary form must reproduce") == 2
    assert PROJECT["project"]["license-files"] == ["LICENSE", "THIRD_PARTY_NOTICES"]


def test_no_data_without_an_owner() -> None:
    """A new table is either ours, and listed here, or somebody else's, and has a notice."""
    data = {path.name for path in (ROOT / "src" / "tertium" / "data").iterdir() if path.name != "__pycache__"}
    noticed = {
        path.split("/")[3]
        for notice in NOTICES
        for path in notice.where
        if path.startswith("src/tertium/data/")
    }
    assert data == OURS | noticed
    assert not OURS & noticed


def test_nothing_vendored_in_scripts() -> None:
    """The pages' scripts are our own; one of another's would have a head that says whose."""
    for path in (ROOT / "src").rglob("*.js"):
        assert not re.search(r"copyright|@license|\(c\) \d{4}", path.read_text("utf-8"), re.IGNORECASE), (
            path.name
        )


def test_native_code_is_for_every_processor_and_compiler() -> None:
    """What only x86, one compiler or the full API of Python has stands behind a question."""
    found = 0
    for path in sorted((ROOT / "native").glob("*.?pp")):
        asked: list[bool] = []
        for line in path.read_text("utf-8").splitlines():
            words = line.strip()
            if words.startswith("#if"):
                asked.append(bool(re.search(r"__x86_64__|__SS+E|_X86|__clang__|Py_LIMITED_API", words)))
            elif words.startswith("#endif"):
                asked.pop()
            elif SPECIAL.search(words):
                found += 1
                assert any(asked), f"{path.name}: {words}"
    assert found > 50


@pytest.mark.parametrize(
    "line", ["__m256i x;", "_mm_add_epi16(a, b)", "__builtin_shuffle(a, b)", "PyBytes_AS_STRING(b)"]
)
def test_what_is_special_would_be_found(line: str) -> None:
    assert SPECIAL.search(line)
    assert not SPECIAL.search("PyBytes_AsStringAndSize(bytes, &data, &size)")


def test_what_the_source_distribution_leaves_out() -> None:
    left_out = PROJECT["tool"]["scikit-build"]["sdist"]["exclude"]
    assert {".ci", ".github", ".gitlab-ci.yml", ".pre-commit-config.yaml"} <= set(left_out)
    for name in (
        ".ci/run",
        "build/x/_native.so",
        "src/tertium/_native.abi3.so",
        "tests/__pycache__/x.pyc",
        ".venv-native/x",
    ):
        assert UNWANTED.search(name)
    for name in (
        "src/tertium/__init__.py",
        "tests/release/test_builds.py",
        "tools/site/check.py",
        "native/sort.hpp",
    ):
        assert not UNWANTED.search(name)
