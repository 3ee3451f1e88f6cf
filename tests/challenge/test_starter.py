"""The bundled starter sets: complete, correct by their own patterns, in common words, and nobody else's sentences."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tertium.challenge.decisions import decide
from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.results import evaluate
from tertium.challenge.setfiles import read_set, write_set
from tertium.challenge.starter import PAIRS, starter_demo, starter_set
from tertium.io.records import read_tsv
from tests.conftest import ROOT, skip_or_fail

SETS = {pair: starter_set(pair) for pair in PAIRS}
ITEMS = [item for items in SETS.values() for item in items]
BY_ID = {item.id: item for item in ITEMS}
PARAPHRASES = Path(__file__).with_name("starter_paraphrases.tsv")
PAGE = ROOT / "docs" / "challenge-starter.md"

# Tables 3 of the two papers.
PAPERS = {
    "en-fr": {
        "Morpho-syntactic": (
            "Agreement across distractors",
            "Agreement through control verbs",
            "Agreement with coordinated target",
            "Agreement with coordinated source",
            "Agreement of past participles",
            "Subjunctive mood",
        ),
        "Lexico-syntactic": (
            "Argument switch",
            "Double-object verbs",
            "Fail-to",
            "Manner-of-movement verbs",
            "Overlapping subcat frames",
            "NP-to-VP",
            "Factitives",
            "Noun compounds",
            "Common idioms",
            "Syntactically flexible idioms",
        ),
        "Syntactic": (
            "Yes-no question syntax",
            "Tag questions",
            "Stranded preps",
            "Adv-triggered inversion",
            "Middle voice",
            'Fronted "should"',
            "Clitic pronouns",
            "Ordinal placement",
            "Inalienable possession",
            "Zero REL PRO",
        ),
    },
    "fr-en": {
        "Morpho-syntactic": ("Proclitic pronouns", '"Chez soi"', "Verb tense", "Verb tense concord"),
        "Lexico-syntactic": (
            "Argument switch",
            "Manner-of-movement verbs",
            "Verb-adverb transposition",
            "Non-finite → finite clause",
            '"De/à ce que" → "from the fact that"',
            "V1 V2inf → V1 how to V2inf",
            "Middle voice",
            "Control verbs",
            "Count vs mass nouns",
            '"Voilà [TIME] que"',
            "Factitives",
            "Two-position adjectives",
            "Genitives",
        ),
        "Syntactic": (
            "Yes-no question syntax",
            "Tag questions",
            "WH movement, relatives",
            "WH movement, questions",
            "Negation",
            "Double negation",
            "Other doubled concepts",
            "Inalienable possession",
            "Subject inversion",
        ),
        "Lexical": (
            "Common idioms – fixed",
            "Common idioms – variable",
            "Support verbs",
            "Translation of grammatical words",
        ),
    },
}
NAMES = {"marie", "paul"}  # need not be frequent words


def plain(text: str) -> str:
    text = unicodedata.normalize("NFC", text).translate({0x2018: "'", 0x2019: "'", 0x02BC: "'"})
    return " ".join(text.split())


def verdict(judge: Mapping[str, Any], text: str) -> str:
    """What the patterns say, written down a second time and without any of the library's code."""
    if any(re.search(pattern, plain(text), re.IGNORECASE) for pattern in judge["reject"]):
        return "no"
    if any(re.search(pattern, plain(text), re.IGNORECASE) for pattern in judge["accept"]):
        return "yes"
    return "unsure"


def words(text: str) -> list[str]:
    return re.findall(r"\w+", plain(text).casefold())


def trigrams(text: str) -> set[tuple[str, ...]]:
    found = words(text)
    return {tuple(found[i : i + 3]) for i in range(len(found) - 2)}


def counts(items: Iterable[Item]) -> Counter[tuple[str, str]]:
    return Counter((item.category, item.subcategory) for item in items)


@pytest.mark.parametrize(("pair", "least"), [("en-fr", 110), ("fr-en", 66)])
def test_enough_items(pair: str, least: int) -> None:
    assert len(SETS[pair]) >= least
    assert {item.languages for item in SETS[pair]} == {pair}


@pytest.mark.parametrize("pair", PAIRS)
def test_all_subcategories_of_the_papers_with_three_items_each(pair: str) -> None:
    assert SETS[pair].categories == PAPERS[pair]
    assert {key: count for key, count in counts(SETS[pair]).items() if count < 3} == {}


def test_grammatical_words_of_the_second_paper() -> None:
    """28 words, as the paper has, and each in three uses with its own word marked."""
    items = [item for item in SETS["fr-en"] if item.subcategory == "Translation of grammatical words"]
    words = Counter(item.metadata["word"] for item in items)
    assert len(words) == 28
    assert set(words.values()) == {3}
    for item in items:
        marked = re.split(r"[ -]|(?<=d')", " ".join(item.highlighted("source")).casefold())
        forms = {"tout": ("tout", "tous"), "à": ("à", "aux"), "que": ("que", "qu'")}
        assert set(forms.get(item.metadata["word"], (item.metadata["word"],))) & set(marked), item.id
    told = re.search(r'\["word"\]`\): (.*?)\.', " ".join(PAGE.read_text(encoding="utf-8").split()))
    assert told is not None
    assert set(told[1].split(", ")) == set(words)


def test_ids_and_sources_once_in_both_sets() -> None:
    assert len(BY_ID) == len(ITEMS)
    assert [text for text, count in Counter(item.source for item in ITEMS).items() if count > 1] == []


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_item_is_complete(item: Item) -> None:
    assert item.question.split("? ")[0].removesuffix("?")
    assert "?" in item.question
    assert item.notes.endswith(".")
    assert "\n" not in item.notes
    assert item.judge is not None
    assert set(item.judge) == {"accept", "reject", "wrong"}
    assert item.judge["accept"]
    assert item.judge["reject"]
    assert len(item.judge["wrong"]) == 1
    for text in (item.source, item.reference, *item.judge["wrong"]):
        assert plain(text) == text
        assert text[0].isupper()
        assert text[-1] in ".?!"


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_spans_stand_on_word_boundaries(item: Item) -> None:
    for text, spans in ((item.source, item.source_spans), (item.reference, item.reference_spans)):
        assert spans
        for start, end in spans:
            assert 0 <= start < end <= len(text)
            assert text[start:end] == text[start:end].strip()
            assert start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
            assert end == len(text) or not (text[end - 1].isalnum() and text[end].isalnum())
        assert all(a[1] <= b[0] for a, b in pairwise(spans))


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_patterns_accept_the_reference_and_reject_the_wrong_version(item: Item) -> None:
    assert item.judge is not None
    assert verdict(item.judge, item.reference) == "yes"
    assert [verdict(item.judge, text) for text in item.judge["wrong"]] == ["no"]


def test_patterns_know_other_translations() -> None:
    """Every item has another good translation here that its patterns accept; many have more bad ones, too."""
    seen = set()
    for where, values in read_tsv(PARAPHRASES, ("item", "verdict", "text"), ("item", "verdict", "text")):
        item = BY_ID[values["item"]]
        assert item.judge is not None
        assert values["text"] not in (item.reference, *item.judge["wrong"]), where
        assert verdict(item.judge, values["text"]) == values["verdict"], (where, values["text"])
        if values["verdict"] == "yes":
            seen.add(item.id)
    assert seen == set(BY_ID)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_common_words_only(item: Item) -> None:
    """Every word of a source at least once in a million words (Zipf frequency 3)."""
    try:
        import wordfreq
    except ImportError:
        skip_or_fail("wordfreq is not installed (pip install 'tertium[test]')")
    language = item.languages[:2]
    found = wordfreq.tokenize(item.source, language)
    assert found
    rare = {word for word in found if wordfreq.zipf_frequency(word, language) < 3}
    assert rare - NAMES == set()


def test_none_of_the_papers_sentences(shared: Path, seed: list[str]) -> None:
    theirs = list(seed)
    for name in ("src.en", "ref.fr"):
        theirs += (shared / "data" / "challenge" / name).read_text(encoding="utf-8").splitlines()
    assert len(theirs) > 216
    running = f" {' '.join(words(' '.join(theirs)))} "
    known = [trigrams(line) for line in theirs]
    for item in ITEMS:
        for text in (item.source, item.reference):
            assert f" {' '.join(words(text))} " not in running, text
            own = trigrams(text)
            near = max(len(own & line) for line in known)
            assert near <= 0.4 * len(own), (item.id, text)


@pytest.mark.parametrize("form", ["jsonl", "tsv"])
@pytest.mark.parametrize("pair", PAIRS)
def test_round_trip(pair: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / f"set.{form}"
    write_set(path, SETS[pair])
    assert read_set(path).items == SETS[pair].items


def test_the_page_tells_the_counts() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    told: dict[str, Counter[tuple[str, str]]] = {pair: Counter() for pair in PAIRS}
    totals = {}
    pair = category = ""
    for line in lines:
        if heading := re.fullmatch(r"## .*\((..-..)\): (\d+) items", line):
            pair = heading[1]
            totals[pair] = int(heading[2])
        elif row := re.fullmatch(r"\| (.*) \| (.+) \| (\d+) \|", line):
            category = row[1].strip() or category
            told[pair][category, row[2].strip()] = int(row[3])
    assert told == {pair: counts(items) for pair, items in SETS.items()}
    assert totals == {pair: len(items) for pair, items in SETS.items()}


def test_demo() -> None:
    demo = starter_demo()
    assert demo.outputs is not None
    assert demo.judgements is not None
    assert isinstance(demo.items, ChallengeSet)
    assert {system.name for system in demo.outputs.systems} == {"careful", "literal", "hasty"}
    assert len([system for system in demo.outputs.systems if system.name == "hasty"]) == 2
    assert demo.outputs.missing(demo.items) == {}
    assert {item.subcategory for item in demo.items} == {item.subcategory for item in SETS["en-fr"]}
    answers = demo.judgements.answers()
    assert len(answers) == len(demo.outputs)
    assert {len(given) for given in answers.values()} == {3}
    given = Counter(tuple(sorted(set(by.values()))) for by in answers.values())
    assert {("na",), ("no",), ("yes",), ("no", "yes"), ("na", "no"), ("na", "yes")} <= set(given)
    readme = (ROOT / "src" / "tertium" / "data" / "challenge" / "demo" / "README.md").read_text("utf-8")
    for number in (len(demo.items), len(demo.outputs), len(demo.judgements)):
        assert str(number) in readme
    assert evaluate(demo.items, demo.judgements, demo.outputs).systems == demo.outputs.systems


def test_demo_is_judged_as_the_patterns_say() -> None:
    """Where the patterns are sure, the imagined majority agrees: both are ours. Where it is not applicable, they are
    unsure."""
    demo = starter_demo()
    assert demo.outputs is not None
    assert demo.judgements is not None
    sure = 0
    for place, given in demo.judgements.answers().items():
        item, text = BY_ID[place.item], demo.outputs.text(place.system, place.item)
        assert item.judge is not None
        assert text is not None
        call = verdict(item.judge, text)
        decision = decide(place, tuple(given.values()))
        if decision.not_applicable > 1:
            assert call == "unsure", (place, text)
        elif call != "unsure":
            sure += 1
            assert (call == "yes") == decision.right, (place, text)
    assert sure > 0.8 * len(demo.outputs)
