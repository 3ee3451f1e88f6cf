"""Checks of units: what they must see, and what they must leave alone."""

from __future__ import annotations

import pytest

from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import CHECKS, Doubt, reasons


def look(name: str, source: str, target: str, languages: str = "en-fr") -> Doubt | None:
    return CHECKS[name]().look(Unit(source, target, *languages.split("-")))


ALIKE = [
    ("1,234.5 km", "1 234,5 km"),
    ("1,234.50", "1234,5"),
    ("1,234,567 bytes", "1\u202f234\u202f567 octets"),
    ("on 3/4/2018", "le 04/03/2018"),
    ("on 2018-03-04", "le 4.3.2018"),
    ("at 12:30", "à 12 h 30"),
    ("at 3 pm", "à 15 h"),
    ("two files", "2 fichiers"),
    ("3 files", "trois fichiers"),
    ("%2$s and 5", "5 et %2$s"),
    ("version 1.2.3", "version 1.2.3"),
    ("٣ files", "3 fichiers"),
    ("nothing", "rien"),
    ("007", "7"),
]
DIFFERENT = [
    ("10 seconds", "100 secondes", "10 is missing; 100 is extra"),
    ("on 3/4/2018", "le 3/5/2018", "4 is missing; 5 is extra"),
    ("3.5", "35", "3.5 is missing; 35 is extra"),
    ("1,234", "1 235", "1,234 is missing; 1 235 is extra"),
    ("12 and 12", "12", "12 is missing"),
    ("a", "a 4", "4 is extra"),
    ("3 files", "deux fichiers", "3 is missing"),
    ("0.5", "0,05", "0.5 is missing; 0,05 is extra"),
]


@pytest.mark.parametrize(("source", "target"), ALIKE)
def test_numbers_that_are_the_same(source: str, target: str) -> None:
    assert look("numbers", source, target) is None


@pytest.mark.parametrize(("source", "target", "said"), DIFFERENT)
def test_numbers_that_differ(source: str, target: str, said: str) -> None:
    found = look("numbers", source, target)
    assert found is not None
    assert found.sentence == said
    shown = [source[a:b] for a, b in found.source] + [target[a:b] for a, b in found.target]
    assert all(text in said for text in shown)


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("%s of %d", "%2$d sur %1$s", None),
        ("50% done", "50 % des", None),
        ("100%", "100 %", None),
        ("%(name)s", "%(nom)s", "%(name)s is missing; %(nom)s is extra"),
        ("{0} {name}", "{name} {0}", None),
        ("{count, plural, one {x} other {y}}", "{count, plural, one {a} other {b}}", None),
        ("{n}", "n", "{n} is missing"),
        ('<a href="x">b</a>', '<a href="y">b</a>', None),
        ("<b>x</b>", "<b>x", "</b> is missing"),
        ("a < b > c", "a < b > c", None),
        ("${HOME}", "$HOME", "${HOME} is missing"),
        ("%1 of %2", "%2 de %1", None),
        ("%1 of %2", "%1", "%2 is missing"),
        ("a &amp; b", "a et b", None),
    ],
)
def test_placeholders(source: str, target: str, said: str | None) -> None:
    found = look("placeholders", source, target)
    assert (found and found.sentence) == said


@pytest.mark.parametrize(
    ("name", "source", "target", "said"),
    [
        ("addresses", "See www.a.org/b or x@y.org.", "Voir www.a.org/b ou x@y.org.", None),
        ("addresses", "Mail x@y.org.", "Écrivez.", "x@y.org is missing"),
        ("addresses", "none", "http://a.org", None),
        ("empty", "", "", None),
        ("empty", "\n", "x", "the source is empty"),
        ("copied", "GNU General Public License", "GNU General Public License", None),
        ("copied", "cannot open file", "cannot open file", "the target is the source"),
        ("mojibake", "été", "summer", None),
        ("mojibake", '"stabilised"', "«\u00a0stabilisé\u00a0».", None),
        ("mojibake", "summer", "Ã©tÃ©", "the target was read in a wrong encoding (such as Ã© for é)"),
        ("spaces", " a\n", " b\n", None),
        ("spaces", "a", " b ", "white space at the beginning and at the end differs"),
        ("ending", "Sure?", "Sûr ?", None),
        ("ending", "Wait...", "Attendez…", None),
        ("ending", "「はい。」", "Yes.", None),
        ("ending", "Name:", "Nom", "the source ends in :, the target in no mark"),
        ("repeated", "The the", "Le le", None),
        ("repeated", "We wash", "Nous nous lavons", None),
        ("repeated", "The file", "Le Le fichier", "Le is said twice"),
    ],
)
def test_form(name: str, source: str, target: str, said: str | None) -> None:
    found = look(name, source, target)
    assert (found and found.sentence) == said


def test_all_checks_keep_the_contract() -> None:
    odd = [
        "",
        " ",
        "a",
        "%",
        "%(",
        "{",
        "<",
        "12",
        "1.",
        ".",
        "é\u0301",
        "\ud800",
        "٣,٤",
        "1,,2",
        "a" * 10_000,
        "1 " * 500,
    ]
    checks = [CHECKS[name]() for name in CHECKS]
    for name, check in zip(CHECKS, checks, strict=True):
        assert check.name == name
        assert check.sentence.endswith(".")
    for source in odd:
        for target in odd:
            unit = Unit(source, target, "en", "fr")
            for reason in reasons(unit, checks):
                assert 0 < reason.score <= 1
                assert reason.sentence
                for text, spans in ((source, reason.source), (target, reason.target)):
                    assert all(0 <= a < b <= len(text) for a, b in spans), reason
