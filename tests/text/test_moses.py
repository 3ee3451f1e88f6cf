"""The Moses tokeniser gives what sacremoses gives: rule by rule, on random text, and on real text."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import sacremoses
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium._native import Lines
from tertium.errors import SpecError, TertiumWarning
from tertium.text import moses
from tertium.text.tokenizers import tokenize
from tests.twins.moses import tokenize as twin
from tools import check_moses

NAMES = ["moses", *(f"moses-{language}" for language in moses.LANGUAGES)]
EVERY_NAME = pytest.mark.parametrize("name", NAMES)

# Every character that a rule mentions, and some of each sort that it looks at.
RULES = ".,'`-:;\"()[]<>|&!?@/ \t\xa0"
SORTS = "aBsdéßЖя09٣½²Ⅷⅷªк中한ア€„–́\x07😀"
WORDS = [
    "Mr.",
    "z.B.",
    "No.",
    "5",
    "etc.",
    "Dr.",
    "d'n'b",
    "3,5",
    "...",
    "..",
    ",",
    "e.g.",
    "U.S.",
    "l'eau",
    "90's",
]


def of(name: str, text: str) -> list[str]:
    return tokenize([text], name)[0]


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> dict[str, sacremoses.MosesTokenizer]:
    """sacremoses with our abbreviations, so that only the rules are compared."""
    folder = tmp_path_factory.mktemp("prefixes")
    made = {}
    for name in NAMES:
        language = name.partition("-")[2]
        always, before_numbers = moses.read_prefixes(language or "generic")
        path = folder / f"{name}.txt"
        lines = [*always, *(f"{word} #NUMERIC_ONLY#" for word in before_numbers)]
        path.write_text("\n".join(lines), encoding="utf-8")
        made[name] = sacremoses.MosesTokenizer(language or "xx", custom_nonbreaking_prefixes_file=str(path))
    return made


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("moses-en", "Mr. Smith's dog.", "Mr. Smith 's dog ."),
        ("moses-en", "It cost 5,300,000 dollars, or 3, 4.", "It cost 5,300,000 dollars , or 3 , 4 ."),
        ("moses-en", "a,,5", "a , ,5"),
        ("moses-en", "No. 5 says no. No. Never", "No. 5 says no . No . Never"),
        ("moses-en", "d'n'b", "d 'n'b"),  # a match uses up the n
        ("moses-en", "the '90s, the 1990's", "the ' 90s , the 1990 's"),
        ("moses-en", "He said 'so.'", "He said ' so . '"),
        ("moses-en", "Well... no.. U.S. army", "Well ... no .. U.S. army"),
        ("moses-fr", "l'eau d'Évian, c'est l'\"or\"", "l' eau d' Évian , c' est l ' \" or \""),
        ("moses-de", "am 3. Oktober z.B. geht's", "am 3. Oktober z.B. geht ' s"),
        ("moses", "it's", "it ' s"),
        ("moses-en", "co-op and/or x-1", "co-op and / or x-1"),
        ("moses-en-a", "co-op x-1 -y", "co @-@ op x @-@ 1 -y"),
        (
            "moses-en-e",
            "a|b <c> [d] 'e' & \"",
            "a &#124; b &lt; c &gt; &#91; d &#93; &apos; e &apos; &amp; &quot;",
        ),
        ("moses-ru", "в 2017 г. Он", "в 2017 г. Он"),
        ("moses-en", "中文ab", "中 文 ab"),
        ("moses-en-p", "中文ab", "中文ab"),
        ("moses-fi", "EU:n 12:30", "EU : n 12 : 30"),
        ("moses-fi-p", "EU:n 12:30", "EU:n 12 : 30"),
        ("moses-en", " \x07 ", ""),
        ("moses-en", ",5", ",5"),
        ("moses-en", "x ,5 5,", "x , 5 5 ,"),
    ],
)
def test_rules(name: str, text: str, tokens: str) -> None:
    assert of(name, text) == tokens.split()
    assert twin(name, text) == tokens.split()


@EVERY_NAME
def test_short_texts(name: str, engines: dict[str, sacremoses.MosesTokenizer]) -> None:
    """Every pair of characters that rules look at, in front of, between and behind letters."""
    pairs = [a + b for a in RULES + SORTS for b in RULES + SORTS]
    texts = [text for pair in pairs for text in (pair, f"x{pair}y", f"5{pair}6", f"a {pair} B", f"q.{pair}")]
    for text, ours in zip(texts, tokenize(texts, name), strict=True):
        assert ours == engines[name].tokenize(text, escape=False), text


@EVERY_NAME
@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.text(RULES + SORTS, max_size=8) | st.sampled_from(WORDS), max_size=12).map(" ".join)
    | st.text(RULES + SORTS, max_size=40)
)
def test_random_text(name: str, engines: dict[str, sacremoses.MosesTokenizer], text: str) -> None:
    theirs = engines[name]
    assert of(name, text) == twin(name, text) == theirs.tokenize(text, escape=False)
    assert of(f"{name}-e", text) == twin(f"{name}-e", text) == theirs.tokenize(text)
    assert of(f"{name}-a", text) == twin(f"{name}-a", text)
    assert of(f"{name}-a", text) == theirs.tokenize(text, escape=False, aggressive_dash_splits=True)
    assert of(f"{name}-aep", text) == twin(f"{name}-aep", text)


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Co"]), max_size=30))
def test_any_text_equals_the_twin(text: str) -> None:
    for name in ("moses-en", "moses-fr-a", "moses-fi-p", "moses-e"):
        assert of(name, text) == twin(name, text)


@pytest.mark.parametrize("language", moses.LANGUAGES)
def test_real_text(language: str, shared: Path) -> None:
    """At least 99.9% of lines equal, on a sample; `make check-moses` looks at all."""
    lines = check_moses.distinct_lines(check_moses.texts(shared, language), every=97)
    known = list(lines) if language in ("cs", "de", "en", "ru") else random.Random(5).sample(list(lines), 300)
    assert len(known) >= 250
    different = check_moses.differences(language, known)
    assert len(different) <= 0.001 * len(known), different[:3]


def test_french_challenge_set(shared: Path) -> None:
    lines = (shared / "data" / "challenge" / "ref.fr").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 108
    assert check_moses.differences("fr", lines) == []


@pytest.mark.parametrize("language", ["et", "lt", "kk", "gu"])
def test_languages_without_abbreviations_borrow_those_of_english(language: str) -> None:
    moses.note_english.cache_clear()
    text = "Dr. Tamm ja Mr. Kask: it's No. 5, l'ami. Jah."
    with pytest.warns(TertiumWarning, match=f"there are no abbreviations for '{language}'; those of English"):
        ours = moses.tokenizer(moses.MosesName(language, "")).cut(Lines([text]))[0].split()
    assert (
        of(f"moses-{language}", text) == ours == sacremoses.MosesTokenizer("kk").tokenize(text, escape=False)
    )
    assert "Dr." in ours


@pytest.mark.parametrize("language", ["lv", "fi"])
def test_abbreviations_are_those_of_moses(language: str) -> None:
    """Also those that we would think of, and Moses did not: kok., plkst."""
    theirs = sacremoses.MosesTokenizer(language)
    always, before_numbers = moses.read_prefixes(language)
    known = {word for word in theirs.NONBREAKING_PREFIXES if "#" not in word}
    assert set(always) | set(before_numbers) == known | set(theirs.NUMERIC_ONLY_PREFIXES)
    for text in ("kok. 5 alkaa", "ap plkst. 10 Nr. 7 un Nr. x", "prof. Prof. dr. sk. a"):
        assert of(f"moses-{language}", text) == theirs.tokenize(text, escape=False)


def test_prefix_files() -> None:
    for language in (*moses.LANGUAGES, "generic"):
        always, before_numbers = moses.read_prefixes(language)
        assert len(always) > 30
        assert len(set(always)) == len(always), f"{language}: a word is listed twice"
        assert not set(always) & set(before_numbers)
        assert not [word for word in always if word.endswith((".", ",", ":"))]


def test_missing_references_stay_missing() -> None:
    metric = tertium.metric("bleu:tok=moses-en")
    rows = metric.statistics(["It's a cat, no. Yes.", "b"], [["It's a cat, no. Yes.", "c"], ["x", None]])
    assert rows.take([0]).only("match_1") == 9
    assert rows.take([1]).only("match_1") == 0


def test_escaping_changes_no_word_score() -> None:
    hypotheses, references = ['It\'s "A & B" [x]', "a|b"], ["It's 'A & B' [y]", "a |b"]
    plain, escaped = (tertium.metric(f"bleu:tok=moses-en{tail}") for tail in ("", "-e"))
    assert (
        plain.statistics(hypotheses, references).data.tolist()
        == escaped.statistics(hypotheses, references).data.tolist()
    )


@pytest.mark.parametrize("name", ["moses-de-e", "moses-a", "moses-fi-aep", "moses"])
def test_names_round_trip(name: str) -> None:
    metric = tertium.metric(f"bleu:tok={name}")
    assert tertium.metric(str(metric)) == metric
    assert f"tok:{name}|" in metric.signature()


@pytest.mark.parametrize(
    "name", ["moses:de", "moses-xx", "moses-de-x", "moses-de-ea", "moses-de-", "moses-en-a-e", "mose"]
)
def test_unknown_names_are_refused(name: str) -> None:
    with pytest.raises(SpecError, match="moses"):
        tertium.metric(f'bleu:tok="{name}"')
