"""Every command prints the same text on a terminal and into a pipe or a file, but for colours."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_damaged_files import CALLS, call_of, folder

__all__ = ["folder"]

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
WITHOUT_FILES = ["demo", "metrics", "metrics bleu", "explain bleu", "cache"]
BESIDES = [
    "compare REFERENCE -i SYSTEM OTHER --details",
    "compare REFERENCE -i SYSTEM OTHER -q",
    "score REFERENCE -i SYSTEM OTHER -m bleu chrf ter -f table",
    "score REFERENCE -i SYSTEM OTHER -m bleu chrf ter -f text",
]
ANEW = {  # differs between runs: how long components and translators took, names of cached files, a password drawn
    "adapt": re.compile(r"\s*\d+\.\d\d(?= │)"),
    "train": re.compile(r"[\d.]+(?:;\s+without\s+\w+,\s+which\s+takes[^=]*=\s+-?[\d.]+)?"),
    "vectors": re.compile(r"[0-9a-f]{16,}"),
    "annotate": re.compile(r"[\w-]{20}(?=\s)"),
}


def calls() -> list[list[str]]:
    found = [call_of(path, call)[0] for path, call in CALLS if path != ("challenge", "judge")]
    found += [call.split() for call in [*WITHOUT_FILES, *BESIDES]]
    # `score` without -f has sacrebleu's JSON in a pipe
    return [
        [*words, *(["-f", "table"] if words[0] == "score" and "-f" not in words else [])] for words in found
    ]


def both(folder: Path, given: list[list[str]], **settings: str) -> list[tuple[str, str]]:
    """What a terminal and a pipe get."""
    environment = {"TERM": "xterm", "TERTIUM_CACHE": str(folder.parent / "cache"), **settings}
    usual = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONDONTWRITEBYTECODE", "NO_COLOR", "COLUMNS", "SACREBLEU_FORMAT")
    }
    done = subprocess.run(
        [sys.executable, "-P", str(Path(__file__).with_name("both_ways.py")), str(folder)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=True,
        env=usual | environment,
    )
    made = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(made) == len(given)
    return [(shown, piped) for shown, piped in made]


def lasting(words: list[str], text: str) -> str:
    """Without what no two runs share."""
    return ANEW[words[0]].sub("#", text) if words[0] in ANEW else text


@pytest.fixture
def samples(folder: Path) -> Path:
    own = folder / "samples"
    own.mkdir()
    for path in list(folder.iterdir()):
        if path != own:
            shutil.move(path, own)
    return own


def test_a_pipe_gets_what_a_terminal_shows(samples: Path) -> None:
    given = calls()
    found = both(samples, given)
    boxed = coloured = 0
    for words, (shown, piped) in zip(given, found, strict=True):
        assert "\x1b" not in piped, words
        assert lasting(words, COLOUR.sub("", shown)) == lasting(words, piped), words
        boxed += "╭" in piped
        coloured += "\x1b[1;36m" in shown
    assert boxed > 30
    assert coloured > 30  # it was a terminal


def test_without_colours_nothing_else_changes(samples: Path) -> None:
    given = [["compare", "REFERENCE", "-i", "SYSTEM", "OTHER"], ["metrics"]]
    usual = both(samples, given)
    for settings in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        for (_, piped), (shown, again) in zip(usual, both(samples, given, **settings), strict=True):
            assert shown == again == piped


def test_columns_are_those_asked_for(samples: Path) -> None:
    given = [["compare", "REFERENCE", "-i", "SYSTEM", "OTHER", "--details"]]
    [(shown, piped)] = both(samples, given, COLUMNS="132")
    assert COLOUR.sub("", shown) == piped
    [(_, narrow)] = both(samples, given)
    boxes = re.compile("^[╭├│╰].*", re.MULTILINE)
    assert 80 < max(map(len, boxes.findall(piped))) <= 132
    assert max(map(len, boxes.findall(narrow))) <= 80
