"""What a sieve holds back, its check must not doubt: signs of a native scan against the checks themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium._native import SeenTranslations
from tertium.io.memories.unit import Unit
from tertium.vetting.batches import UnitBatch
from tertium.vetting.checks.base import CHECKS, LearningCheck, SievedCheck, looked_through
from tests.twins.seen_translations import SeenTranslationsTwin

PIECES = st.sampled_from(
    [
        *(
            "the file",
            "is not",
            "le fichier",
            "n'est pas",
            "n’est",
            "No",
            "cannot",
            "don't",
            "NOT",
            "_No",
            "kein",
            "keine",
            "Pas",
        ),
        *(
            "10",
            "1,234.5",
            "1 234,5",
            "1\u00a0234",
            "3 pm",
            "3 p. m.",
            "15 h",
            "12:30",
            "3rd March 2018",
            "3 mars 2018",
            "٣",
            "𝟛",
        ),
        *(
            "10 MB",
            "10 Mo",
            "5 %",
            "$5",
            "5 €",
            "5 euros",
            "5\u202fdollars",
            "20 °C",
            "1.2.3",
            "3/4/2018",
            "2018-03-04",
        ),
        *(
            "%s",
            "%2$d",
            "{name}",
            "{n, plural, other {x}}",
            "<b>",
            "</b>",
            "${x}",
            "%%",
            "100%",
            "{",
            "}",
            "(",
            ")",
            "[",
            "（",
            "）",
        ),
        *(
            '"',
            "“",
            "”",
            "«\u00a0",
            "\u00a0»",
            "``",
            "''",
            "'",
            "’",
            "`",
            "...",
            "…",
            ".",
            "?",
            "!",
            ":",
            "；",
            "。",
            ",",
            "-",
            "—",
        ),
        *(
            "http://a.org",
            "www.b.fr",
            "a@b.org",
            "&Open",
            "E_xit",
            "_File",
            "a_b",
            "--verbose",
            "x86_64",
            "UTF-8",
            "f()",
            "/usr/bin",
        ),
        *(
            "USB",
            "GTK+",
            "Paris",
            "the USB port",
            "in Paris",
            "GNOME 2",
            "A B",
            "É",
            "é»",
            "Ã©",
            "â€œ",
            "\ufffd",
            "été",
            "ÉTÉ",
            "İl",
            "ſ",
        ),
        *(
            "le le",
            "Le le",
            "the the",
            "nous nous",
            "et",
            "und der",
            "die das",
            "el la los",
            "il est",
            "de",
            "du",
            "for the",
            "ΟΔΟΣ",
        ),
        *(
            " ",
            "  ",
            "\n",
            "\t",
            "\u00a0",
            "\u3000",
            "",
            "日本語",
            "日本",
            "файл",
            "не",
            "😀",
            "𐐀",
            "e\u0301",
            "ß",
            "ǅ",
            "ﬁ",
            "½",
            "²",
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=9).flatmap(lambda own: st.sampled_from([" ".join(own), "".join(own)]))
LANGUAGES = st.sampled_from(["en", "fr", "de", "fr-FR", "es", "it", "ru", "xx", ""])
UNITS = st.builds(Unit, TEXTS, TEXTS, LANGUAGES, LANGUAGES, document=st.sampled_from(["a", "b"]))
CHECK_NAMES = [
    name for name in CHECKS if hasattr(CHECKS[name], "sieve") or hasattr(CHECKS[name], "look_through")
]
KNOWN = [
    Unit("Open the USB port in Paris now", "Ouvrez le port USB de Paris", "en", "fr"),
    Unit("Save the file of the user", "Enregistrer le fichier de la maison", "en", "fr"),
]


@pytest.mark.parametrize("name", CHECK_NAMES)
@settings(max_examples=40, deadline=None)
@given(units=st.lists(UNITS, min_size=1, max_size=8))
def test_nothing_that_a_check_doubts_is_held_back(name: str, units: list[Unit]) -> None:
    check = CHECKS[name]()
    if isinstance(check, LearningCheck):
        check.learn(KNOWN * 30)
        check.learn(units)
    one_by_one = [(i, found) for i, unit in enumerate(units) if (found := check.look(unit)) is not None]
    assert list(looked_through(check, UnitBatch(units))) == one_by_one


def test_all_our_checks_hold_something_back() -> None:
    assert list(CHECKS) == CHECK_NAMES
    plain = UnitBatch([Unit("Open the file", "Ouvrir le fichier", "en", "fr")])
    held = [CHECKS[name]() for name in CHECKS]
    assert not [check.name for check in held if isinstance(check, SievedCheck) and check.sieve(plain)[0]]


@settings(max_examples=50, deadline=None)
@given(
    batches=st.lists(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5)), max_size=60), max_size=6),
    most=st.integers(2, 30),
)
def test_translations_are_counted_as_by_dictionaries(batches: list[list[tuple[int, int]]], most: int) -> None:
    ours, twin = SeenTranslations(most), SeenTranslationsTwin(most)
    for batch in batches:
        keys = np.array(batch, dtype=np.uint64).reshape(-1, 2)
        ours.add(*(np.ascontiguousarray(side) for side in keys.T))
        twin.add(batch)
    asked = [(source, target) for source in range(41) for target in range(6)]
    keys = np.array(asked, dtype=np.uint64)
    found = np.asarray(ours.counts(*(np.ascontiguousarray(side) for side in keys.T))).tolist()
    assert found == [twin.counts(*pair) for pair in asked]
    assert len(ours) == len(twin.known)
