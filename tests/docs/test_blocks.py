"""Every code block of every page is run, or the page says why not; and then its commands and options at least exist."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tertium.cli.group import root
from tests.conftest import ROOT, SHARED
from tests.docs import commands
from tests.docs.given import make_further
from tests.docs.supplies import edited, office
from tests.docs.surroundings import Surroundings
from tools.site.blocks import Block, blocks, fenced_examples
from tools.site.commands import commands_of

PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
BOXES = re.compile(r"[╭╮╰╯├┤┬┴┼─│]")


def pages(*, heavy: bool = False) -> list[object]:
    """All pages, or those with heavy blocks."""
    return [
        pytest.param(path, id=str(path.relative_to(ROOT)))
        for path in PAGES
        if not heavy or "<!-- heavy: " in path.read_text("utf-8")
    ]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A good file of every kind that commands read."""
    from tests.cli.test_damaged_files import make_samples

    folder = tmp_path_factory.mktemp("samples")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        make_samples(folder)
        office(folder)
        make_further(folder)
    edited(folder)
    return folder


Run = Callable[[Path, bool], None]


@pytest.fixture
def run(
    samples: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> Run:
    """run(page, heavy): its blocks that are heavy, or those that are not."""
    (tmp_path / "shared").symlink_to(SHARED)  # pages write ../shared
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")  # `python`

    def run(page: Path, heavy: bool) -> None:
        around = Surroundings(page.name, lambda: request.getfixturevalue("meteor_home"))
        before = dict(os.environ)
        try:
            for block in blocks(fenced_examples(page.read_text("utf-8"))):
                if heavy and not (block.heavy or block.file):
                    continue
                try:
                    check(block, samples, capsys, around, heavy=heavy)
                except (Exception, SystemExit) as error:
                    error.add_note(f"{page.relative_to(ROOT)}: the block of line {block.line}:\n{block.text}")
                    raise
        finally:
            around.close()
            os.environ.clear()
            os.environ.update(before)

    return run


@pytest.mark.parametrize("page", pages())
def test_blocks(page: Path, run: Run) -> None:
    run(page, False)


@pytest.mark.heavy
@pytest.mark.filterwarnings("default")  # of packages that are not ours
@pytest.mark.parametrize("page", pages(heavy=True))
def test_heavy_blocks(page: Path, run: Run) -> None:
    run(page, True)


def check(
    block: Block, samples: Path, capsys: pytest.CaptureFixture[str], around: Surroundings, *, heavy: bool
) -> None:
    left = bool(block.reason or block.elsewhere or (block.heavy and not heavy))
    match block.language:
        case "toml" | "json" | "yaml" if block.reason:
            return  # a part of one
        case "pycon":
            return  # doctest runs them (make doctest)
        case "bash" | "console":
            shell(block, samples, capsys, around, left=left)
        case "toml":
            tomllib.loads(block.text)
        case "json":
            json.loads(block.text)
        case "yaml":
            yaml.safe_load(block.text)
        case "python":
            compile(block.text, "page", "exec")
            if not left:
                python(block.text, around)
        case _:
            assert block.reason or block.file, "say why it is not run: <!-- not run: ... --> before it"
    if block.file:
        Path(block.file).write_text(block.text, "utf-8")


def python(text: str, around: Surroundings) -> None:
    """Run it, with the names that its page takes for granted; modules that it replaces come back."""
    known, before = around.names(), dict(sys.modules)
    try:
        exec(compile(around.here(text), around.page, "exec"), known)
    finally:
        sys.modules.update(before)


def shell(
    block: Block, samples: Path, capsys: pytest.CaptureFixture[str], around: Surroundings, *, left: bool
) -> None:
    text = re.sub(r"\\\n\s*", " ", block.text)  # commands that go on in the next line
    printed = text.partition("\n")[2]
    if block.language == "console":
        text = "\n".join(line for line in text.splitlines() if line.startswith("$ "))
    for line in commands.commands(text):
        if left:
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
            assert shows(words(printed), words(shown))


def words(text: str) -> list[str]:
    """What is said, without boxes and line ends."""
    return BOXES.sub(" ", text).split()


def shows(page: list[str], printed: list[str]) -> bool:
    """Whether a page has what is printed; `...` stands for any words that it leaves out.

    >>> shows("a ... c d".split(), "a b b c d".split()), shows("a ... d".split(), "a b c".split())
    (True, False)
    """
    pattern = " ".join(map(re.escape, page)).replace(re.escape("..."), ".*?")
    return re.fullmatch(pattern, " ".join(printed)) is not None


def test_words_may_be_left_out() -> None:
    assert shows(["a", "...", "c"], ["a", "b", "b", "c"])
    assert not shows(["a", "...", "c"], ["a", "b", "b"])
    assert not shows(["a", "c"], ["a", "b", "c"])


def test_blocks_that_other_tests_run() -> None:
    """The test that a block names is there, and names the page."""
    found = [(page, block) for page in PAGES for block in blocks(fenced_examples(page.read_text("utf-8")))]
    named = [(page, block.elsewhere) for page, block in found if block.elsewhere]
    assert named
    for page, test in named:
        sources = "".join(path.read_text("utf-8") for path in (ROOT / test).parent.glob("*.py"))
        assert (ROOT / test).exists(), test
        assert f"{page.name}" in sources, f"{test} does not read {page.name}"


def test_most_blocks_are_run() -> None:
    """Reasons are counted, so that they do not become a habit."""
    found = [block for page in PAGES for block in blocks(fenced_examples(page.read_text("utf-8")))]
    shown = {"what is printed", "a formula", "a picture", "how cells are written", "a table with tabs"}
    shell = [block for block in found if block.language in ("bash", "console")]
    left = [block for block in shell if block.reason]
    others = [block for block in found if block.reason and block not in left and block.reason not in shown]
    print(len(found), len(shell), len(left), len(others))
    assert len(left) <= 10
    assert len(others) <= 10
    assert len([block for block in found if block.heavy]) <= 25


@pytest.mark.parametrize("words", [words for words, _ in commands_of(root, "tertium")])
def test_examples_in_help_are_read(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `tertium COMMAND --help` shows as examples: commands and options exist."""
    monkeypatch.setenv("TERTIUM_ANNOTATE_PASSWORD", "asked for otherwise")
    command = dict(commands_of(root, "tertium"))[words]
    for line in (command.help or "").splitlines():
        if line.strip().startswith("tertium "):
            for part in commands.commands(line.strip()):
                commands.parse(re.split(r" [|>] ", part)[0])
