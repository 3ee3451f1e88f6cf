"""Lines of a shell, run in this process: what the pages show is what these do."""

from __future__ import annotations

import glob
import os
import re
import shlex
import shutil
import subprocess
import tomllib
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import click
import pytest

from tertium.cli import main
from tertium.cli.group import root
from tests.conftest import ROOT, SAMPLE
from tests.docs.between import between
from tests.docs.supplies import FILES, supply
from tests.docs.surroundings import Surroundings

CHECKED = ("pip", "make", "cd")
"""Programs that are not called, but what is asked of them is looked at."""
PROGRAMS = (*CHECKED, "tertium", "curl", "cat", "export", "tar", "(printf", "...")


def commands(text: str) -> list[str]:
    """Commands of a block: lines, with continuations and open quotes joined, comments and prompts removed.

    What people do in between (`... your systems translate ...`) is one, too.
    """
    found: list[str] = []
    rest = re.sub(r"\\\n\s*", " ", text).splitlines()
    while rest:
        line = re.sub(r"\s+#\s.*$|^#.*$", "", rest.pop(0).removeprefix("$ ")).strip()
        while line.startswith("curl ") and line.count("'") % 2 and rest:
            line += "\n" + rest.pop(0)
        ends = r"(?!)" if line.startswith(("curl ", "(", "... ")) else r"\s&&\s|;\s"
        found += [part.strip() for part in re.split(ends, line) if part.strip()]
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


def run(line: str, samples: Path, around: Surroundings) -> None:
    """A command, in a folder that has what it names."""
    if line.startswith("... "):
        between(line)
        return
    line = around.here(line)
    if line.startswith("curl "):
        print(around.curl(line))
        return
    if exported := re.fullmatch(r"export ([A-Z_]+)=(\S+)", line):
        os.environ[exported[1]] = exported[2]
        return
    if line.startswith(("tar ", "(printf ")):
        for name in FILES.findall(line):
            supply(name, Path.cwd(), samples, around.page)
        subprocess.run(["bash", "-c", line], check=True)
        return
    piped = re.match(r"cat (\S+) \| ", line)
    line = line.removeprefix(piped[0]) if piped else line
    set_before = re.match(r"([A-Z_]+)=(\S+) (?=tertium )", line)
    words = shlex.split(line.removeprefix(set_before[0]) if set_before else line)
    if words[0] == "cd":
        os.chdir(words[1])
        return
    if words[0] != "tertium":
        check_other(line)
        return
    words = [word for word in words if word != "..."]
    outputs = {
        following for word, following in pairwise(words) if word in ("-o", "--output", "--html", "--to")
    }
    for name in FILES.findall(f"{piped[1]} {line}" if piped else line):
        if name not in outputs:
            supply(name, Path.cwd(), samples, around.page)
    if "serve" in words[1:3]:
        around.start(words[1:])
        return
    for word in words:
        if "*" in word and not glob.glob(word):
            for path in SAMPLE.glob(word):
                shutil.copy(path, path.name)
    spread = [found for word in words[1:] for found in (sorted(glob.glob(word)) or [word])]
    with pytest.MonkeyPatch.context() as patch, ExitStack() as given:
        if set_before:
            patch.setenv(set_before[1], set_before[2])
        if piped:
            patch.setattr("sys.stdin", given.enter_context(Path(piped[1]).open(encoding="utf-8")))
        found = main(spread)
    assert found == 0 or (found == 1 and FOUND.search(line)), f"status {found}: {line}"
