"""Formulas: equal to their definitions by hand, one text or many; counts and syllables."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import tertium as tt
from tertium.errors import SpecError
from tertium.readability.counting import Counter, easy_words
from tertium.readability.formulas import FORMULAS, TextCounts
from tertium.readability.syllables import syllables

COUNTS = TextCounts(
    words=120, sentences=8, syllables=180, letters=560, polysyllables=15, complex=12, long=30, hard=18
)
BY_HAND = {
    "flesch": 206.835 - 1.015 * 15 - 84.6 * 1.5,
    "flesch-kincaid": 0.39 * 15 + 11.8 * 1.5 - 15.59,
    "smog": 3.1291 + 1.043 * math.sqrt(30 * 15 / 8),
    "fog": 0.4 * (15 + 10),
    "coleman-liau": 0.0588 * 560 / 1.2 - 0.296 * 8 / 1.2 - 15.8,
    "ari": 4.71 * 560 / 120 + 7.5 - 21.43,
    "dale-chall": 0.1579 * 15 + 0.0496 * 15 + 3.6365,
    "lix": 15 + 25,
    "rix": 30 / 8,
    "kandel-moles": 207 - 1.015 * 15 - 73.6 * 1.5,
    "amstad": 180 - 15 - 58.5 * 1.5,
    "fernandez-huerta": 206.84 - 1.02 * 15 - 60 * 1.5,
    "douma": 206.835 - 0.93 * 15 - 77 * 1.5,
    "gulpease": 89 + (300 * 8 - 10 * 560) / 120,
}


@pytest.mark.parametrize("name", list(FORMULAS.table))
def test_formulas_equal_their_definitions(name: str) -> None:
    assert FORMULAS[name](COUNTS) == pytest.approx(BY_HAND[name], rel=1e-14)
    assert math.isnan(FORMULAS[name](TextCounts(0, 0, 0, 0, 0, 0, 0, 0)))
    one, nothing = FORMULAS[name].every([COUNTS, [0] * 8])
    assert one == FORMULAS[name](COUNTS)
    assert math.isnan(nothing)


def test_few_hard_words_add_nothing_to_dale_chall() -> None:
    assert FORMULAS["dale-chall"](COUNTS._replace(hard=6)) == pytest.approx(0.1579 * 5 + 0.0496 * 15)


def test_counts_by_hand() -> None:
    (found,) = Counter("en", easy_words("en")).of(
        ["They don't sing. Dr Johnson's university was well-known!"]
    )
    assert found == TextCounts(
        words=8, sentences=2, syllables=14, letters=44, polysyllables=1, complex=1, long=3, hard=1
    )
    (found,) = Counter("fr").of(["L'ami n'y va pas. Aujourd’hui, c'est fini..."])
    assert (found.words, found.sentences, found.syllables) == (11, 2, 11)
    assert Counter("en").of(["", "... !", "42"]) == [
        TextCounts(0, 0, 0, 0, 0, 0, 0, 0),
        TextCounts(0, 0, 0, 0, 0, 0, 0, 0),
        TextCounts(1, 1, 0, 2, 0, 0, 0, 0),
    ]


def test_complex_words_are_no_names_no_compounds_and_no_inflections() -> None:
    words = ["He created it.", "He saw Barcelona.", "A father-in-law.", "An elephant."]
    assert [one.complex for one in Counter("en").of(words)] == [0, 0, 0, 1]
    assert Counter("en").of(["Elephants sleep."])[0].complex == 1  # a capital begins the sentence


ENGLISH = {
    1: "the cat walked loved makes strength one eyes played are two said thought league blue deals",
    2: "table little people going being wanted player science lion quiet something lovely didn't rhythm business",
    3: "beautiful idea area radio video usual museum happier capital family serious champion evidence",
    4: "reality society category biology information usually apostrophe understanding",
    5: "university readability opportunity creativity imagination",
}
FRENCH = {
    1: "le chat table parlent jouent langue août yeux vie eux que groupe",
    2: "parler moment souvent idée payer client théâtre nation maison créer argent pays",
    3: "société ouvrier poésie océan aérien amitié oublié président journalier",
    4: "propriété gouvernement évidemment appartement géographie",
    5: "lisibilité université réalisation",
}


@pytest.mark.parametrize(("lang", "table"), [("en", ENGLISH), ("fr", FRENCH)])
def test_syllables_of_words(lang: str, table: dict[int, str]) -> None:
    expected = {word: n for n, words in table.items() for word in words.split()}
    assert {word: syllables(word, lang) for word in expected} == expected


def test_the_metric_shares_counts_and_knows_its_direction() -> None:
    text = ["The cat sat. It was fat.", "Extraordinary circumstances necessitated departure."]
    rows = tt.metric("readability:smog").analysis().statistics(text, None)
    for name in (name for name in FORMULAS.table if FORMULAS[name].lang in ("", "en")):
        metric = tt.metric(f"readability:formula={name}")
        assert metric == tt.metric(str(metric)) == tt.metric(f"readability:{name}")
        if name != "dale-chall":
            assert metric.analysis() == tt.metric("readability:fog").analysis()
            assert metric.score_total(rows) == metric.score(text, None)
        easy, hard = (metric.score([one], None) for one in text)
        assert easy is not None
        assert hard is not None
        assert (easy > hard) == metric.higher_is_better


def test_many_segments_are_scored_as_one_by_one() -> None:
    text = ["The cat sat. It was fat.", "", "Extraordinary circumstances necessitated departure."] * 1000
    for name in ("smog", "dale-chall"):
        metric = tt.metric(f"readability:{name}")
        rows = metric.statistics(text, None)
        few, many = (list(metric.score_rows(own)) for own in (rows.take(range(3)), rows))
        assert repr(many) == repr(few * 1000)


def test_the_metric_in_french_and_with_a_list(tmp_path: Path) -> None:
    metric = tt.metric("readability:kandel-moles")
    assert metric.score(["Le chat dort."], None) == pytest.approx(207 - 1.015 * 3 - 73.6)
    file = tmp_path / "easy.txt"
    file.write_text("the\ncat\n")
    spec = f'readability:formula=dale-chall,easy="{file}"'
    assert tt.metric(spec).score(["The cat zzz."], None) == pytest.approx(
        0.1579 * 100 / 3 + 0.0496 * 3 + 3.6365
    )
    assert "easy-hash:" in tt.metric(spec).signature()
    with pytest.raises(SpecError, match="no list of easy words for the language 'fr'"):
        tt.metric("readability:dale-chall,lang=fr").score(["Le chat."], None)
