"""Vectors of both sides by an encoder: what is no nearer than other texts is doubted."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.io.memories.unit import Unit
from tertium.text import sentences
from tertium.text.encoded import Encoded
from tertium.vetting.judging import usual_judge
from tertium.vetting.sentencevectors import LEAST

WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("az", "eb", "ik", "om") for c in "oua"]


class WordBag:
    """An encoder of both languages: a word and its translation (it read backwards) have one vector."""

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        made = []
        for text in texts:
            assert text.strip()
            own = np.zeros(64, np.float32)
            for word in text.split():
                key = min(word.rstrip("e"), word.rstrip("e")[::-1])
                own += np.random.default_rng(zlib.crc32(key.encode())).normal(size=64)
            made.append(Encoded(("",), (own / np.linalg.norm(own))[None]))
        return made


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sentences, "_encoder", lambda name: WordBag())
    return "bag"


def units(number: int, seed: int = 1) -> list[Unit]:
    draw = Random(seed)
    made = []
    for _ in range(number):
        words = [draw.choice(WORDS) for _ in range(draw.randrange(5, 12))]
        made.append(Unit(" ".join(words), " ".join(word[::-1] + "e" for word in words), "en", "fr"))
    return made


def test_another_text_is_doubted_and_a_translation_is_not(encoder: str) -> None:
    judge = usual_judge(encoder=encoder)
    judge.learn(units(300))
    right, other = units(40, seed=2), units(40, seed=3)
    wrong = [unit.changed(target=own.target) for unit, own in zip(right, other, strict=True)]
    doubts = [
        [next((why for why in own.reasons if why.check == "vectors"), None) for own in judge.judge(batch)]
        for batch in (right, wrong)
    ]
    assert sum(own is not None for own in doubts[0]) <= 1
    assert all(own is not None and own.score > 0.5 for own in doubts[1])
    assert doubts[1][0] is not None
    assert doubts[1][0].source == ((0, len(wrong[0].source)),)
    assert "to the encoder: cosine" in doubts[1][0].sentence


def test_without_an_encoder_nothing_is_seen() -> None:
    judge = usual_judge()
    judge.learn(units(LEAST))
    assert not any(why.check == "vectors" for own in judge.judge(units(20, seed=4)) for why in own.reasons)


def test_empty_sides_and_few_units(encoder: str) -> None:
    judge = usual_judge(encoder=encoder)
    judge.learn(units(LEAST - 1))
    judge.judge([Unit("", "a", "en", "fr")])
    other = usual_judge(encoder=encoder)
    other.learn(units(200))
    (found,) = other.judge([Unit("bazo", "", "en", "fr")])
    assert "vectors" not in [why.check for why in found.reasons]


def test_the_command(encoder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.tsv"
    own = units(200)
    own[7] = own[7].changed(target=own[50].target)
    path.write_text("".join(f"{unit.source}\t{unit.target}\n" for unit in own), encoding="utf-8")
    call = ["memory", "check", str(path), "--pair", "en-fr", "--check", "vectors"]
    assert main([*call, "--encoder", encoder]) == 0
    assert "the sides mean different things" in " ".join(capsys.readouterr().out.split())
    assert main(call) == 2
    assert "the check vectors needs an encoder (--encoder NAME)" in capsys.readouterr().err


def test_an_encoder_that_is_not_there_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no encoder 'nowhere'"):
        usual_judge(encoder="nowhere")
    assert main(["memory", "check", str(tmp_path / "none.tmx"), "--encoder", "nowhere"]) == 2


@pytest.mark.heavy
def test_a_real_encoder_of_sentences() -> None:
    judge = usual_judge(encoder="use")
    places = {
        "kitchen": "cuisine",
        "garden": "jardin",
        "school": "école",
        "church": "église",
        "forest": "forêt",
    }
    animals = {
        "dog": "chien",
        "cat": "chat",
        "horse": "cheval",
        "bird": "oiseau",
        "cow": "vache",
        "pig": "cochon",
    }
    made = [
        Unit(f"The {a} sleeps in the {p}.", f"Le {b} dort dans la {q}.", "en", "fr")
        for a, b in animals.items()
        for p, q in places.items()
    ] + [
        Unit(f"I have seen a {a} and {n} trees.", f"J'ai vu un {b} et {n} arbres.", "en", "fr")
        for a, b in animals.items()
        for n in range(2, 8)
    ]
    judge.learn(made)
    wrong = Unit("The dog sleeps in the kitchen.", "Le parlement a rejeté la loi.", "en", "fr")
    (right, other) = judge.judge([made[0], wrong])
    assert "vectors" in [why.check for why in other.reasons]
    assert "vectors" not in [why.check for why in right.reasons]
