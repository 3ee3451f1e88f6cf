"""Workflow files, pre-commit, the image and its composition: they parse, and what they call exists."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT
from tests.docs.commands import parse

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
COMPOSED = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))


def scripts(found: object) -> Iterator[str]:
    """Every line that a shell would run."""
    if isinstance(found, dict):
        for key, value in found.items():
            if key in ("run", "script", "before_script", "entry"):
                yield from value if isinstance(value, list) else [value]
            else:
                yield from scripts(value)
    elif isinstance(found, list):
        for part in found:
            yield from scripts(part)


def make_targets(lines: Iterator[str]) -> set[str]:
    called = set()
    for line in lines:
        for part in re.split(r"&&|;|\n", line):
            words = [word for word in shlex.split(part) if not re.match(r"\w+=", word)]
            if words and words[0] == "make":
                called |= set(words[1:])
    return called


def test_there_are_workflows() -> None:
    assert [path.stem for path in WORKFLOWS] == ["docs", "test", "wheels"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (ROOT / ".github/workflows/test.yml", {"check", "lint-js", "test", "test-native"}),
        (ROOT / ".github/workflows/docs.yml", {"site"}),
        (ROOT / ".github/workflows/wheels.yml", set()),
        (ROOT / ".gitlab-ci.yml", {"check", "lint-js", "test", "site"}),
        (ROOT / ".pre-commit-config.yaml", {"lint-js"}),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_targets_that_are_called_exist(path: Path, expected: set[str]) -> None:
    parsed = yaml.safe_load(path.read_text("utf-8"))
    called = make_targets(scripts(parsed))
    assert called == expected
    assert called <= TARGETS


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_have_what_their_forge_needs(path: Path) -> None:
    parsed = yaml.safe_load(path.read_text("utf-8"))
    assert True in parsed  # `on`, which YAML takes for yes
    assert parsed["permissions"] == {"contents": "read"}
    for job in parsed["jobs"].values():
        assert job["steps"][0]["uses"].startswith("actions/checkout@")
        assert "runs-on" in job
        assert all(("run" in step) != ("uses" in step) for step in job["steps"])


def test_nothing_is_uploaded_to_an_index() -> None:
    for path in [*WORKFLOWS, ROOT / ".gitlab-ci.yml"]:
        text = path.read_text("utf-8")
        assert "twine upload" not in text
        assert "gh-action-pypi-publish" not in text


def test_wheels_of_all_platforms() -> None:
    built = yaml.safe_load((ROOT / ".github/workflows/wheels.yml").read_text("utf-8"))["jobs"]["wheels"]
    kinds = {(entry["os"].split("-")[0], entry["arch"]) for entry in built["strategy"]["matrix"]["include"]}
    assert kinds == {("ubuntu", "x86_64"), ("ubuntu", "aarch64"), ("macos", "x86_64"), ("macos", "arm64")}


def test_hooks_are_local_and_use_our_tools() -> None:
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert repository["repo"] == "local"
    hooks = {hook["id"]: hook for hook in repository["hooks"]}
    assert {"ruff", "ruff-format", "mypy", "clang-format", "biome"} <= set(hooks)
    tools = {re.split(r"[<>=]", name)[0] for name in EXTRAS["test"]}
    for hook in hooks.values():
        assert hook["language"] == "system"
        program = hook["entry"].split()[0]
        if program.startswith(".venv/bin/") and not program.endswith("python"):
            assert program.rpartition("/")[2] in tools
    release = re.compile(hooks["release"]["files"])
    for name in ("pyproject.toml", "CHANGELOG.md", ".github/workflows/test.yml", "compose.yaml"):
        assert release.match(name)
        assert (ROOT / name).exists()


def instructions() -> list[tuple[str, str]]:
    """Instructions of the Dockerfile, with their lines joined."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8"), flags=re.M)
    joined = re.sub(r"\\\n\s*", " ", text)
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in joined.splitlines() if line.strip()]


def test_the_image() -> None:
    found = instructions()
    stages = [words for kind, words in found if kind == "FROM"]
    assert len(stages) == 2
    assert all("-slim" in stage for stage in stages)
    last = found[max(i for i, (kind, _) in enumerate(found) if kind == "FROM") :]
    kinds = [kind for kind, _ in last]
    assert kinds.index("USER") < kinds.index("ENTRYPOINT")
    (user,) = [words for kind, words in last if kind == "USER"]
    assert re.fullmatch(r"[1-9]\d+:[1-9]\d+", user), "not root, and by number"
    assert any(kind == "RUN" and f"--uid {user.split(':')[0]}" in words for kind, words in last)
    assert "HEALTHCHECK" in kinds
    entry, command = (json.loads(words) for kind, words in last if kind in ("ENTRYPOINT", "CMD"))
    parse(shlex.join([*entry, *command]))
    (extras,) = re.findall(r"\.\[([\w,]+)\]", " ".join(words for _, words in found))
    assert set(extras.split(",")) <= set(EXTRAS)
    assert {"app", "postgres"} <= set(extras.split(","))


def test_what_the_image_copies_exists_and_is_sent() -> None:
    sent = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    copied = [
        words.split()[:-1] for kind, words in instructions() if kind == "COPY" and "--from" not in words
    ]
    for name in [name for names in copied for name in names]:
        assert (ROOT / name).exists()
        assert f"!{name}" in sent


@pytest.mark.parametrize("name", ["service", "annotate"])
def test_what_is_composed(name: str) -> None:
    """Commands and options exist; ports are those that the image opens, on this machine only."""
    service = COMPOSED["services"][name]
    parse(shlex.join(["tertium", *service["command"]]))
    (port,) = service["ports"]
    host, outside, inside = port.split(":")
    assert (host, outside) == ("127.0.0.1", inside)
    (exposed,) = [words for kind, words in instructions() if kind == "EXPOSE"]
    assert inside in exposed.split()
    checked = str(
        service.get("healthcheck") or [words for kind, words in instructions() if kind == "HEALTHCHECK"]
    )
    assert f"127.0.0.1:{inside}/health" in checked
    assert service["depends_on"]["database"]["condition"] == "service_healthy"
    assert "healthcheck" in COMPOSED["services"]["database"]
    (volume,) = service["volumes"]
    assert volume.partition(":")[0] in COMPOSED["volumes"]


def test_no_password_is_written_down() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    for line in re.findall(r".*PASSWORD:.*", text):
        assert "${POSTGRES_PASSWORD:?" in line
    assert not re.search(r"postgresql://\w+:", text)


def test_files_that_are_mounted_exist() -> None:
    for volume in COMPOSED["services"]["database"]["volumes"]:
        source = volume.split(":")[0]
        assert source in COMPOSED["volumes"] or (ROOT / source).is_file()
