"""Every code block of every page is run, or the page says why not; and then its commands and options at least exist."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from tertium.cli.group import root
from tests.conftest import ROOT
from tests.docs import commands
from tests.docs.supplies import edited, office
from tests.docs.surroundings import Surroundings
from tools.site.blocks import Block, blocks, fenced_examples
from tools.site.commands import commands_of

PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
BOXES = re.compile(r"[╭╮╰╯├┤┬┴┼─│]")


def pages() -> list[object]:
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in PAGES]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good file of every kind that commands read."""
    from tests.cli.test_damaged_files import make_samples

    folder = tmp_path_factory.mktemp("samples")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        make_samples(folder)
        office(folder)
    edited(folder)
    return folder


@pytest.mark.parametrize("page", pages())
def test_blocks(
    page: Path,
    samples: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")  # `python`
    around, before = Surroundings(), dict(os.environ)
    try:
        for block in blocks(fenced_examples(page.read_text("utf-8"))):
            try:
                check(block, samples, capsys, around)
            except (Exception, SystemExit) as error:
                error.add_note(f"{page.relative_to(ROOT)}: the block of line {block.line}:\n{block.text}")
                raise
    finally:
        around.close()
        os.environ.clear()
        os.environ.update(before)


def check(block: Block, samples: Path, capsys: pytest.CaptureFixture[str], around: Surroundings) -> None:
    match block.language:
        case "toml" | "json" | "yaml" if block.reason:
            return  # a part of one
        case "pycon":
            return  # doctest runs them (make doctest)
        case "bash" | "console":
            shell(block, samples, capsys, around)
        case "toml":
            tomllib.loads(block.text)
        case "json":
            json.loads(block.text)
        case "yaml":
            yaml.safe_load(block.text)
        case "python":
            compile(block.text, "page", "exec")
            assert block.reason, "say why it is not run, or make an example of it (>>>)"
        case _:
            assert block.reason or block.file, "say why it is not run: <!-- not run: ... --> before it"
    if block.file:
        Path(block.file).write_text(block.text, "utf-8")


def shell(block: Block, samples: Path, capsys: pytest.CaptureFixture[str], around: Surroundings) -> None:
    text = re.sub(r"\\\n\s*", " ", block.text)  # commands that go on in the next line
    printed = text.partition("\n")[2]
    if block.language == "console":
        text = "\n".join(line for line in text.splitlines() if line.startswith("$ "))
    for line in commands.commands(text):
        if block.reason:
            if line.startswith("tertium "):
                commands.parse(line)
            else:
                commands.check_other(line)
            continue
        program = re.sub(r"^[A-Z_]+=\S+ ", "", line).split()[0]
        assert program in commands.PROGRAMS, f"say why it is not run: {line}"
        capsys.readouterr()
        commands.run(line, samples, around)
        shown = capsys.readouterr().out
        around.heard(line, shown)
        if block.language == "console":
            assert words(printed) == words(shown)


def words(text: str) -> list[str]:
    """What is said, without boxes and line ends."""
    return BOXES.sub(" ", text).split()


def test_most_blocks_are_run() -> None:
    """Reasons are counted, so that they do not become a habit."""
    found = [block for page in PAGES for block in blocks(fenced_examples(page.read_text("utf-8")))]
    shown = {"what is printed", "a formula", "a picture", "how cells are written", "a table with tabs"}
    shell = [block for block in found if block.language in ("bash", "console")]
    left = [block for block in shell if block.reason]
    others = [block for block in found if block.reason and block not in left and block.reason not in shown]
    print(len(found), len(shell), len(left), len(others))
    assert len(left) <= 65
    assert len(others) <= 12


@pytest.mark.parametrize("words", [words for words, _ in commands_of(root, "tertium")])
def test_examples_in_help_are_read(words: str) -> None:
    """What `tertium COMMAND --help` shows as examples: commands and options exist."""
    command = dict(commands_of(root, "tertium"))[words]
    for line in (command.help or "").splitlines():
        if line.strip().startswith("tertium "):
            for part in commands.commands(line.strip()):
                commands.parse(re.split(r" [|>] ", part)[0])
