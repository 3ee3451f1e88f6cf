"""Lines of a shell, run in this process: what the pages show is what these do."""

from __future__ import annotations

import glob
import os
import re
import shlex
import shutil
import tomllib
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import click

from tertium.cli import main
from tertium.cli.group import root
from tests.conftest import ROOT, SAMPLE
from tests.docs.supplies import FILES, supply

CHECKED = ("pip", "make", "cd")
"""Programs that are not called, but what is asked of them is looked at."""


def commands(text: str) -> list[str]:
    """Commands of a block: lines, with continuations joined and comments and prompts removed."""
    joined = re.sub(r"\\\n\s*", " ", text)
    lines = [line.removeprefix("$ ") for line in joined.splitlines()]
    found = []
    for line in lines:
        line = re.sub(r"\s+#\s.*$|^#.*$", "", line).strip()
        found += [part.strip() for part in re.split(r"\s&&\s|;\s", line) if part.strip()]
    return found


def parse(line: str) -> None:
    """Whether a command and its options exist: as click reads them, up to the point where files are opened."""
    words = shlex.split(line)[1:]
    context = click.Context(root, info_name="tertium")
    command: click.Command = root
    while isinstance(command, click.Group) and words:
        if getattr(command, "usual", "") and words[0] not in command.table:  # type: ignore[attr-defined]
            words = [command.usual, *words]  # type: ignore[attr-defined]
        _, command, words = command.resolve_command(context, words)
        context = click.Context(command, context, info_name=command.name)
    command.make_context(command.name, words, context.parent)


def check_other(line: str) -> None:
    """pip's extras and make's targets exist."""
    program = line.split()[0]
    words = shlex.split(line) if program in ("pip", "make", "python") else [program]
    if words[0] == "pip":
        settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        for extra in re.findall(r"tertium\[([^\]]+)\]", line):
            assert set(extra.split(",")) <= set(settings["optional-dependencies"]), f"no extra: {line}"
    elif words[0] == "make":
        makefile = (ROOT / "Makefile").read_text("utf-8")
        for target in words[1:]:
            assert "=" in target or re.search(rf"^{re.escape(target)}:", makefile, re.M), f"no target: {line}"
    elif words[:2] == ["python", "-m"]:
        assert find_spec(words[2]) is not None, f"no module: {line}"


FOUND = re.compile(
    r"--fail-if|tertium doctor|tertium verify|challenge check"
)  # status 1: something was found


def run(line: str, samples: Path) -> None:
    """A command of ours, in a folder that has what it names."""
    set_before = re.match(r"([A-Z_]+)=(\S+) (?=tertium )", line)
    words = shlex.split(line.removeprefix(set_before[0]) if set_before else line)
    if words[0] == "cd":
        os.chdir(words[1])
        return
    if words[0] != "tertium":
        check_other(line)
        return
    assert "serve" not in words[1:3], "it never ends"
    words = [word for word in words if word != "..."]
    outputs = {following for word, following in pairwise(words) if word in ("-o", "--output", "--html")}
    for name in FILES.findall(line):
        if name not in outputs:
            supply(name, Path.cwd(), samples)
    for word in words:
        if "*" in word and not glob.glob(word):
            for path in SAMPLE.glob(word):
                shutil.copy(path, path.name)
    spread = [found for word in words[1:] for found in (sorted(glob.glob(word)) or [word])]
    before = dict(os.environ)
    try:
        if set_before:
            os.environ[set_before[1]] = set_before[2]
        found = main(spread)
    finally:
        os.environ.clear()
        os.environ.update(before)
    assert found == 0 or (found == 1 and FOUND.search(line)), f"status {found}: {line}"
