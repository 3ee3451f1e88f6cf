"""A small set of our own, with outputs and judgements, for all tests of challenge sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.challenge.authors import Release, read_release
from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judgements import Answer, ChallengeJudgements, Judgement, Role
from tertium.challenge.outputs import Outputs, System

A, B = System("A"), System("B")
OLD, NEW = System("A", "2017-10-05"), System("A", "2018-01-16")


def item(identity: str, category: str = "Lexical", subcategory: str = "Idioms", **more: object) -> Item:
    values = {"source": f"Sentence {identity}.", "reference": f"Phrase {identity}.", **more}
    return Item(identity, category, subcategory, f"Is {identity} right?", **values)  # type: ignore[arg-type]


def small_set() -> ChallengeSet:
    return ChallengeSet(
        (
            item("L1", source="It rains cats and dogs.", source_spans=((3, 22),), languages="en-fr"),
            item("L2"),
            item("L3", subcategory="Compounds"),
            item("S1", "Syntactic", "Tags", reference="N'est-ce *pas* ?", notes="a star\tand a tab \\"),
            item("S2", "Syntactic", "Tags", judge={"accept": [r"\bpas\b"]}, metadata={"level": 2}),
        ),
        "small",
    )


def small_outputs() -> Outputs:
    items = small_set()
    return Outputs(
        {
            A: {i.id: f"Phrase {i.id} de A." for i in items},
            B: {i.id: f"Phrase {i.id} de {'A' if i.id == 'L2' else 'B'}." for i in items},
        }
    )


def judged(annotator: str, system: System, answers: str, role: Role = "judge") -> list[Judgement]:
    """One letter an item, in the order of the small set: y, n, a (not applicable), or a dot for no answer."""
    words: dict[str, Answer] = {"y": "yes", "n": "no", "a": "na"}
    return [
        Judgement(i.id, system, annotator, words[letter], role)
        for i, letter in zip(small_set(), answers, strict=True)
        if letter != "."
    ]


def three_annotators() -> ChallengeJudgements:
    return ChallengeJudgements(
        (
            *judged("ann", A, "yynna"),
            *judged("ben", A, "yynya"),
            *judged("eve", A, "ynnyy"),
            *judged("ann", B, "ynyyy"),
            *judged("ben", B, "ynyny"),
            *judged("eve", B, "yayyy"),
        )
    )


@pytest.fixture
def items() -> ChallengeSet:
    return small_set()


@pytest.fixture
def outputs() -> Outputs:
    return small_outputs()


@pytest.fixture
def judgements() -> ChallengeJudgements:
    return three_annotators()


@pytest.fixture(scope="session")
def paper(shared: Path) -> Release:
    """The first paper's set: 108 items, three systems, majority marks."""
    return read_release(shared / "data" / "challenge")


@pytest.fixture(scope="session")
def seed(shared: Path) -> list[str]:
    """The papers on challenge sets, as lines of text."""
    (path,) = (shared / "seeds").glob("002_*.txt")
    return path.read_text(encoding="utf-8").splitlines()
