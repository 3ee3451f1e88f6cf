"""The source as it stands is a proposal where a policy has learned that it helps, and is never shown as a match."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.matching.candidates import MatchJob
from tertium.matching.documents import DocumentSegment
from tertium.matching.index import MemoryIndex
from tertium.matching.matching import Matcher
from tertium.matching.policy import Policy
from tertium.matching.proposals import as_it_stands
from tertium.matching.training import train_policy
from tertium.matching.xliff import write_xliff
from tests.matching.test_matching import memory
from tests.matching.test_policy import WORDS

COMMAND = "run --verbose --file=q17_x q3_y"


def rows(n: int = 400) -> list[dict[str, str]]:
    """Every second text is a sentence that is translated, the others are commands, which stay as they are."""
    draws = random.Random(7)
    made = []
    for place in range(n):
        if place % 2:
            words = draws.sample(list(WORDS), 5)
            source, target = " ".join(words), " ".join(WORDS[word] for word in words)
        else:
            source = f"run --verbose --file=q{draws.randrange(9999)}_x q{draws.randrange(9999)}_y"
            target = source
        day = str(date(2023, 1, 1).replace(month=1 + place * 12 // n))
        made.append({"source": source, "target": target, "document": f"d{place // 20}", "date": day})
    return made


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("copying")
    path, policy = memory(folder, rows()), str(folder / "policy.json")
    train_policy(path, policy, since=date(2023, 7, 1))
    return path, policy


def test_commands_stay_as_they_are_and_sentences_do_not(trained: tuple[str, str]) -> None:
    path, policy = trained
    learned = Policy.load(policy)
    assert learned.knows_sources
    assert learned.earned["source as it stands"] > 0.05
    index = MemoryIndex.open(path)
    texts = [COMMAND, "open the old file again"]
    command, sentence = Matcher(index, policy=learned).document(texts, MatchJob(day="2024-01-01"))
    assert (command[0].origin, command[0].target, command[0].rate, command[0].unit) == (
        "source",
        COMMAND,
        0,
        0,
    )
    assert command[0].reasons[0].startswith("the source as it stands: ")
    assert dict(command[0].earned)["source as it stands"] > 0
    assert sentence[0].origin == "memory"
    assert sum(own.origin == "source" for own in command) == 1


def test_who_wants_none_gets_none(trained: tuple[str, str]) -> None:
    path, policy = trained
    index, learned = MemoryIndex.open(path), Policy.load(policy)
    for matcher in (
        Matcher(index, policy=learned, source=False),
        Matcher(index, policy=learned, least=1),  # it has no rate
        Matcher(index),
    ):
        assert all(own.origin == "memory" for own in matcher.document([COMMAND])[0])
    lines = tuple(own for own in learned.lines if own.piece != "source as it stands")
    old = replace(learned, lines=lines)  # as earlier versions learned them
    assert all(own.origin == "memory" for own in Matcher(index, policy=old).document([COMMAND])[0])


def test_a_stored_translation_of_the_same_text_comes_first(trained: tuple[str, str]) -> None:
    path, policy = trained
    text = next(own["source"] for own in rows() if own["source"].startswith("run"))
    found = Matcher(MemoryIndex.open(path), policy=Policy.load(policy)).document([text])[0]
    assert (found[0].origin, found[0].rate) == ("memory", 100)


def test_it_is_shown_as_what_it_is(
    trained: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, policy = trained
    document, output = tmp_path / "new.txt", tmp_path / "new.jsonl"
    document.write_text(COMMAND + "\n", "utf-8")
    command = ["memory", "match", str(document), "--memory", path, "--policy", policy, "-o", str(output)]
    assert main(command) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "1 segment is best left as the source stands, the policy expects." in said
    assert json.loads(output.read_text("utf-8"))["proposals"][0]["origin"] == "source"
    assert main([*command, "--no-source"]) == 0
    assert all(own["origin"] == "memory" for own in json.loads(output.read_text("utf-8"))["proposals"])


def test_xliff_has_no_rate_for_it() -> None:
    segments = [(DocumentSegment("ls -l"), [as_it_stands("ls -l", "why")])]
    one = write_xliff("x", segments, ("en", "fr"))
    assert '<alt-trans origin="source as it stands">' in one
    assert "match-quality" not in one
    two = write_xliff("x", segments, ("en", "fr"), version="2")
    assert 'type="other" subType="tertium:source"' in two
    assert "similarity" not in two
    assert "matchQuality" not in two
