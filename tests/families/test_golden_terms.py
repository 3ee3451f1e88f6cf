"""doc:terms: terms that are found, choices that are told apart, glossaries, given links, values by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.documents.terms import term_consistency
from tertium.errors import InputError, SpecError
from tertium.families.terms import Terms, counts
from tertium.text.cut import Cut, words_only
from tertium.text.parsers import parser
from tertium.text.term_choices import TermChoice, TermTranslations, TermUse, Version, alike
from tertium.text.terms import GlossaryFinder, Term, TermFinder, TermPlace, repeated
from tests.twins import terms as twin

# The contract is a Vertrag twice and an Abkommen once; the court is always a Gericht, whatever its ending.
SOURCE = [
    "The contract was signed.",
    "The court read the contract.",
    "Nobody liked the contract.",
    "The courts slept.",
    "A contract is long.",
    "The court is long.",
    "The house was signed.",
    "Nobody liked the house.",
]
GERMAN = [
    "Der Vertrag wurde unterzeichnet.",
    "Das Gericht las den Vertrag.",
    "Niemand mochte das Abkommen.",
    "Die Gerichte schliefen.",
    "Ein Abkommen ist lang.",
    "Das Gericht ist lang.",
    "Das Haus wurde unterzeichnet.",
    "Niemand mochte das Haus.",
]
DOCUMENTS = ["a"] * 4 + ["b"] * 4


def found(finder: TermFinder | GlossaryFinder, *segments: str) -> dict[str, list[int]]:
    return {
        term.text: [place.segment for place in term.places]
        for term in finder.terms([words_only(text) for text in segments])
    }


def test_terms_of_a_document() -> None:
    finder = TermFinder.over([], "en")
    first = "Power plants need water. The power plant has water."
    assert found(finder, first, "Water, and power.") == {"Power plants": [0, 0], "water": [0, 0, 1]}
    assert found(finder, "The bank of England. The bank of England!") == {"bank of England": [0, 0]}
    assert found(finder, "Also made, also made: well.") == {}  # common words
    assert found(finder, "UN and WHO and EU, UN and WHO") == {"UN and WHO": [0, 0]}
    assert found(finder, "A city. Kansas City, a city, Kansas City") == {
        "city": [0, 0],
        "Kansas City": [0, 0],
    }
    assert found(finder, "He painted. She painted carefully; carefully.") == {}  # no nouns
    assert found(TermFinder.over([], "en", least=3), "lamp lamp cake lamp cake") == {"lamp": [0, 0, 0]}


def test_common_words_of_a_set() -> None:
    documents = [[words_only(f"the robot met robot {'zebra zebra' if n == 7 else ''}")] for n in range(30)]
    finder = TermFinder.over(documents, "en")
    assert [term.text for term in finder.terms(documents[7])] == ["zebra"]
    assert finder.terms(documents[3]) == []


def test_words_of_a_domain_are_terms_where_common_words_are_listed() -> None:
    documents = [[words_only("brush and brush" if n % 10 == 0 else "nothing")] for n in range(100)]
    found = {lang: TermFinder.over(documents, lang).terms(documents[0]) for lang in ("en", "cs")}
    assert [term.text for term in found["en"]] == ["brush"]
    assert found["cs"] == []  # in more than 5% of the documents


def test_the_same_words_in_two_translations_are_no_evidence() -> None:
    """Two systems that say the same make a link no surer; one that says it in other words does."""
    source = [[words_only("a plan")]]
    versions = [
        Version(source, [[words_only(text)]], [[((1, 1),)]])
        for text in ("ein Plan", "ein Plan", "der Plan", "kein Ding")
    ]
    known = [TermTranslations.over(own, "de")[0].known for own in (versions[:2], versions[:3], versions[2:])]
    assert known == [frozenset(), frozenset({("plan", "plan")}), frozenset()]


def test_tags_and_lemmas_of_the_source(tmp_path: Path) -> None:
    path = tmp_path / "forms.tsv"
    path.write_text("mice\tmouse\tNOUN\nmouse\tmouse\tNOUN\nspun\tspin\tVERB\n", "utf-8")
    segments = parser(f"lexicon:{path}").parse(["mice spun", "a mouse spun"])
    (term,) = TermFinder.over([], "en").terms(segments)
    assert (term.text, len(term.places)) == ("mice", 2)


def test_choices_that_are_one() -> None:
    assert alike("vertrag", "vertragspartn")
    assert alike("tschech", "englisch-tschech")
    assert not alike("vertrag", "abkomm")
    assert alike("lemmaabdeck", "oberflachenabdeck", compounds=True)
    assert not alike("lemmaabdeck", "oberflachenabdeck")
    assert not alike("mannschaft", "gesellschaft", compounds=True)


def test_by_hand() -> None:
    """Document a: contract with three pairs, one equal; court with one, equal. Document b: house with one, equal."""
    texts = ["\n".join(GERMAN[:4]), "\n".join(GERMAN[4:])]
    sources = ["\n".join(SOURCE[:4]), "\n".join(SOURCE[4:])]
    metric = Terms(lang="de")
    rows: Any = metric.statistics(texts, texts, sources=sources)
    assert rows.listed("pairs") == [4, 1]
    assert rows.listed("same") == [2, 1]
    assert metric.score_rows(rows).tolist() == [50.0, 100.0]
    assert metric.score_total(rows) == pytest.approx(60)
    assert metric.components(rows.total()) == {
        "terms": 3, "consistent": 2, "occurrences": 7, "translated": 7
    }  # fmt: skip
    scored = tt.score(GERMAN, None, metric, sources=SOURCE, documents=DOCUMENTS)
    assert scored.scores[0].value == pytest.approx(60)
    assert metric.reward(texts, texts, sources=sources).tolist() == [50.0, 100.0]


WORDS = [
    "the",
    "of",
    "and",
    "said",
    "contract",
    "contracts",
    "Contract",
    "court",
    "Court's",
    "courts",
    "mice",
    "UN",
    "WHO",
    "press",
    "press-room",
    "boss",
    "painted",
    "quickly",
    "é",
    "Éa",
    "straße",
    "Straßen",
    "kraftwerk",
    "Kraftwerk",
    "Kraftwerke",
    "Gesellschaft",
    "Mannschaft",
    "power",
    "plant",
    "plants",
    "Vertrag",
    "Vertrags",
    "vertragspartner",
    "Lemmaabdeckung",
    "Oberflächenabdeckung",
    "12",
    "_",
    "’s",
    "it’s",
]


@pytest.mark.parametrize(("lang", "source_lang"), [("de", "en"), ("en", "de"), ("fr", "fr"), ("en", "cs")])
def test_rows_as_names_and_places_say(lang: str, source_lang: str) -> None:
    """The kernel counts what the Python shows: terms, links in several places, choices."""
    draw = random.Random(15)
    for number in (3, 40):
        sources, texts = [], []
        for _ in range(number):
            known = draw.sample(WORDS, 12)
            lines = [" ".join(draw.choices([*known, ".", ",", "A"], k=draw.randint(0, 12))) for _ in range(4)]
            sources.append("\n".join(lines))
            texts.append(
                "\n".join(" ".join(draw.choices([*line.split(), *known[:3]], k=8)) for line in lines)
            )
        metric = Terms(
            lang=lang, source_lang=source_lang, least=draw.choice([2, 3]), words=draw.choice([1, 4])
        )
        cut = [own.split("\n") for own in sources]
        parsed = metric.parsed_sources(cut)
        terms = metric.terms(parsed)
        flat = [text for own in cut for text in own]
        segments = list(map(len, cut))
        found = repeated(Cut.of(flat), segments, TermFinder(source_lang, metric.least, metric.words)).shown()
        assert [
            [tuple((place[0] - 4 * d, *place[1:]) for place in term) for term in own]
            for d, own in enumerate(found)
        ] == [[term.places for term in own] for own in terms]
        (uses,) = metric.uses(terms, parsed, [[own.split("\n") for own in texts]])
        rows: Any = metric.statistics(texts, texts, sources=sources)
        assert rows.data.tolist() == list(map(counts, uses))
        assert sum(map(sum, rows.data.tolist())) > 20


def test_the_result_has_the_places() -> None:
    testset = tt.TestSet.of([GERMAN], {"A": GERMAN}, sources=SOURCE, documents=DOCUMENTS)
    found = term_consistency(testset, Terms(lang="de"))
    assert [own.system for own in found.systems] == ["reference", "A"]
    (varied,) = found["A"].varied
    assert (varied.document, varied.term) == ("a", "contract")
    assert varied.choices == varied.reference == (("Vertrag", (1, 2)), ("Abkommen", (3,)))
    assert "contract: Vertrag (1, 2), Abkommen (3) (the reference varies, too)" in found.text()
    data = found.data()
    assert data["systems"][1]["varied"][0]["choices"][1] == {"translation": "Abkommen", "segments": [3]}
    one = [text.replace("Abkommen", "Vertrag").replace("das Vertrag", "den Vertrag") for text in GERMAN]
    found = term_consistency(
        tt.TestSet.of([one], {"A": GERMAN}, sources=SOURCE, documents=DOCUMENTS), Terms(lang="de")
    )
    assert found["reference"].consistency == 100
    assert "reference: Vertrag (1, 2, 3)" in found.text()
    assert all(len(line) <= 80 for line in found.text(terminal=False).splitlines())


def test_glossary(tmp_path: Path) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text("# ours\nSource\tTarget\ncontract\tVertrag | Kontrakt\ncourt\tTribunal\n", "utf-8")
    texts = ["\n".join(GERMAN[:4]), "\n".join(GERMAN[4:])]
    sources = ["\n".join(SOURCE[:4]), "\n".join(SOURCE[4:])]
    listed = tt.metric(f'doc:terms:lang=de,part=glossary,glossary="{path}"')
    # contract: three in a, one in b, of which two are Vertrag; court: two in a, one in b, none Tribunal
    assert listed.score(texts, texts, sources=sources) == pytest.approx(100 * 2 / 7)
    assert "glossary-hash:" in listed.signature()
    testset = tt.TestSet.of([GERMAN], {"A": GERMAN}, sources=SOURCE, documents=DOCUMENTS)
    told = term_consistency(testset, Terms(lang="de", glossary=str(path))).text()
    assert "terms are not translated as listed" in told
    assert "listed: Tribunal" in told
    with pytest.raises(SpecError, match="doc:terms needs glossary, a table of terms"):
        tt.metric("doc:terms:part=glossary").score(texts, texts, sources=sources)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("contract Vertrag\n", "line 1: a term and its translation are separated by a tab"),
        ("contract\tVertrag\nContract\tAbkommen\n", "line 2: 'Contract' is there twice, first on line 1"),
        ("contract\t | \n", "line 1: the translation is empty"),
        ("\tVertrag\n", "line 1: the term is empty"),
        ("source\ttarget\n", "there are no terms in this file"),
    ],
)
def test_wrong_glossaries(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=message):
        tt.metric(f'doc:terms:glossary="{path}"').score(["a"], ["a"], sources=["a"])


def test_given_links(tmp_path: Path) -> None:
    """Links that people made, looked up by text; punctuation belongs to its word."""
    source, target = ["A bank, a bank.", "the bank"], ["Ufer und Bank.", "die Bank"]
    path = tmp_path / "links.tsv"
    path.write_text("A bank, a bank.\tUfer und Bank.\t1-0 3-2\nthe bank\tdie  Bank\t0-0 1-1\n", "utf-8")
    metric = tt.metric(f'doc:terms:lang=de,alignments="{path}"')
    rows: Any = metric.statistics(["\n".join(target)], [""], sources=["\n".join(source)])
    assert (rows.listed("pairs"), rows.listed("same")) == ([1], [1])  # the Ufer is linked once only: unknown
    assert "alignments-hash:" in metric.signature()
    with pytest.raises(InputError, match="there are no links between the words of 'a river' and 'ein Fluss'"):
        metric.score(["ein Fluss"], [""], sources=["a river"])
    path.write_text("A bank, a bank.\tUfer und Bank.\t1-0 3-9\n", "utf-8")
    with pytest.raises(
        InputError, match=r"links.tsv: line 1: the link 3-9 is out of range: the target has 3"
    ):
        metric.score(["Ufer und Bank."], [""], sources=["A bank, a bank."])


def test_as_the_twin_counts() -> None:
    draw = random.Random(4)
    for _ in range(100):
        documents, uses = [], []
        for _ in range(draw.randint(1, 3)):
            document, own = [], []
            for _ in range(draw.randint(0, 3)):
                choices = [draw.choice(["x", "y", None]) for _ in range(draw.randint(2, 5))]
                document.append(choices)
                places = tuple(TermPlace(i, 0, 1) for i in range(len(choices)))
                chosen = tuple(
                    TermChoice(name, tuple(i for i, choice in enumerate(choices) if choice == name))
                    for name in "xy"
                    if name in choices
                )
                own.append(TermUse(Term("t", places), chosen))
            documents.append(document)
            uses.append(own)
        rows = [counts(own) for own in uses]
        pairs, same = sum(row[0] for row in rows), sum(row[1] for row in rows)
        expected = twin.consistency(documents)
        assert expected == (pytest.approx(100 * same / pairs) if pairs else None)
