"""Noise: seeded, by language, each kind what it says, on real text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.challenge.perturbing import LAYOUTS, NOISES, neighbours, perturb
from tertium.errors import SpecError
from tertium.io.door import read_strings

TEXT = "Le café d'Émile coûte 3,50 €, « n'est-ce pas » ? Aujourd'hui, c'est fermé."


def one(noise: str, text: str = TEXT, language: str = "fr", **how: float) -> str:
    [copy] = perturb([text], language, [noise], **how).copies[noise]  # type: ignore[arg-type]
    return copy


@pytest.mark.parametrize("language", LAYOUTS)
def test_keyboards_have_every_key_once_and_neighbours_on_both_sides(language: str) -> None:
    keys = "".join(LAYOUTS[language])
    assert len(set(keys)) == len(keys) >= 26
    near = neighbours(language)
    for key in keys:
        assert 2 <= len(near[key]) <= 8
        for other in near[key]:
            assert key in near[other]


def test_layouts_differ() -> None:
    assert "z" in neighbours("de")["t"]
    assert "y" in neighbours("en")["t"]
    assert "z" in neighbours("fr")["a"]
    assert "ñ" in neighbours("es")["l"]
    with pytest.raises(SpecError, match="no keyboard is known for 'xx'"):
        perturb(["a"], "xx")
    assert perturb(["Ab"], "xx", ["lower"]).copies == {"lower": ("ab",)}


def test_what_each_noise_does() -> None:
    assert one("lower") == TEXT.lower()
    assert one("upper") == TEXT.upper()
    assert one("diacritics") == "Le cafe d'Emile coute 3,50 €, « n'est-ce pas » ? Aujourd'hui, c'est ferme."
    assert one("diacritics", "Ёлка и чай", "ru") == "Елка и чай"
    assert one("punctuation") == "Le café d'Émile coûte 3,50 € n'est-ce pas Aujourd'hui c'est fermé"
    typed, read = one("keyboard", share=1.0), one("ocr", share=1.0)
    assert len(typed.split()) == len(read.split()) == len(TEXT.split())
    assert [word for word in TEXT.split() if word in typed.split()] == ["Le", "3,50", "€,", "«", "»", "?"]
    assert read != TEXT


def test_one_mistake_a_word_and_the_first_letter_stays() -> None:
    words = ["house", "garden", "window", "street", "market"] * 20
    typed = one("keyboard", " ".join(words), "en", share=1.0).split()
    near = neighbours("en")
    for word, made in zip(words, typed, strict=True):
        assert made != word
        assert made[0] == word[0]
        assert abs(len(made) - len(word)) <= 1
        if len(made) == len(word) and sorted(made) != sorted(word):
            [(old, new)] = [(a, b) for a, b in zip(word, made, strict=True) if a != b]
            assert new in near[old]


def test_seed_share_and_neighbouring_lines() -> None:
    texts = [f"Number {n} goes home early today." for n in range(200)]
    found = perturb(texts, "en", ["keyboard"], share=0.2)
    assert found == perturb(texts, "en", ["keyboard"], share=0.2)
    assert found.copies != perturb(texts, "en", ["keyboard"], share=0.2, seed=1).copies
    changed = sum(
        a != b
        for one, two in zip(texts, found.copies["keyboard"], strict=True)
        for a, b in zip(one.split(), two.split(), strict=True)
    )
    assert 140 < changed < 260  # 200 of 1,000 words
    assert (
        perturb([*texts, "x"], "en", ["keyboard"], share=0.2).copies["keyboard"][:200]
        == found.copies["keyboard"]
    )
    for share in (0, 1.5, float("nan")):
        with pytest.raises(SpecError, match="above 0 and at most 1"):
            perturb(texts, "en", share=share)
    with pytest.raises(SpecError, match="unknown noise 'keybord'; did you mean 'keyboard'"):
        perturb(texts, "en", ["keybord"])


@pytest.mark.parametrize(
    ("pair", "language"), [("deen", "de"), ("ende", "en"), ("csen", "cs"), ("ruen", "ru")]
)
def test_real_text(shared: Path, pair: str, language: str) -> None:
    texts = read_strings(shared / "data" / "wmt17" / "sources" / f"newstest2017-{pair}-src.{language}.gz")[
        :500
    ]
    found = perturb(texts, language)
    assert list(found.copies) == list(NOISES)
    share = {row["noise"]: row["words %"] for row in found.records()}
    assert 6 < share["keyboard"] < 11
    assert 5 < share["ocr"] < 11
    assert all("\n" not in line for lines in found.copies.values() for line in lines)
