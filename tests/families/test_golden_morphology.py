"""doc:morph: hand-made parses with values computed by hand, the paper's table 2, the twin, what is refused."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import tertium as tt
from tertium.errors import InputError, SpecError
from tertium.families.morphology import Category, counts
from tertium.text.parses import Parsed
from tests.twins import morphology as twin

# Word, tag, features. She sees him. They sleep. / Il la voit. Elles dormaient: what counts is what is written here.
REFERENCE = """
Elle|PRON|Gender=Fem,Number=Sing
le|PRON|Gender=Masc,Number=Sing
voyait|VERB|Number=Sing,Tense=Imp
.|PUNCT|

Ils|PRON|Gender=Masc,Number=Plur
ont|AUX|Number=Plur,Tense=Pres
dormi|VERB|Tense=Past,VerbForm=Part
.|PUNCT|
"""
HYPOTHESIS = """
Elle|PRON|Gender=Fem,Number=Sing
le|PRON|Gender=Fem,Number=Sing
voyait|VERB|Number=Sing,Tense=Pres
.|PUNCT|

Ils|PRON|Number=Plur
ont|AUX|Number=Sing,Tense=Pres
mangé|VERB|Tense=Past,VerbForm=Part
.|PUNCT|
"""


def conllu(path: Path, *texts: str) -> str:
    """Rows as above in CoNLL-U; a chain of dependencies."""
    lines = []
    for text in texts:
        for sentence in text.strip().split("\n\n"):
            for number, row in enumerate(sentence.split("\n"), 1):
                word, tag, features = row.split("|")
                written = features.replace(",", "|") or "_"
                lines.append(
                    f"{number}\t{word}\t_\t{tag}\t_\t{written}\t{number - 1}\t{'root' if number == 1 else 'dep'}\t_\t_"
                )
            lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def plain(text: str) -> str:
    return " ".join(row.split("|")[0] for row in text.split("\n") if row)


@pytest.fixture
def files(tmp_path: Path) -> str:
    return conllu(tmp_path / "both.conllu", REFERENCE, HYPOTHESIS)


# By hand; all words are linked, dormi and mangé by their places.
EXPECTED = {
    "Gender@PRON": (2 * 1 / (2 + 3), 1 / 3),  # Elle; le is another; Ils has none in the hypothesis
    "Number@PRON": (1.0, 1.0),
    "Tense@VERB": (2 * 1 / (2 + 2), 1 / 2),  # voyait: another; dormi and mangé: the same
    "Tense@VERB/AUX": (2 * 2 / (3 + 3), 2 / 3),
    "Number@VERB/AUX": (2 * 1 / (2 + 2), 1 / 2),
    "VerbForm": (1.0, 1.0),  # of words with any tag: one on either side
    "Tense": (2 * 2 / (3 + 3), 2 / 3),
    "Mood@VERB": (None, None),
}


@pytest.mark.parametrize("of", EXPECTED)
def test_by_hand(of: str, files: str) -> None:
    for part, value in zip(("f1", "accuracy"), EXPECTED[of], strict=True):
        metric = tt.metric(f'doc:morph:{of},part={part},lang=fr,parser="conllu:{files}"')
        found = metric.score([plain(HYPOTHESIS)], [plain(REFERENCE)])
        assert found == (None if value is None else pytest.approx(100 * value)), part


def test_all_of_them(files: str) -> None:
    """Counts are added over categories, and the result has each."""
    spec = f'doc:morph:lang=fr,parser="conllu:{files}"'
    texts = [plain(HYPOTHESIS)], [plain(REFERENCE)]
    same, words = 1 + 3 + 2 + 1, (2 + 3) + (3 + 3) + (3 + 3) + (2 + 2)
    found = tt.score(*texts, spec, documents=["d"]).scores[0]
    assert found.value == pytest.approx(100 * 2 * same / words)
    metric = tt.metric(spec)
    parts = metric.components(metric.total(*texts))
    assert parts["Gender@PRON f1"] == pytest.approx(40)
    assert parts["Gender@PRON accuracy"] == pytest.approx(100 / 3)
    assert parts["Gender@PRON words"] == 3
    assert parts["Gender@VERB/AUX f1"] is None
    assert metric.verbose(metric.total(*texts)).startswith("Gender@PRON = 40.0 Number@PRON = 100.0 Tense")
    assert metric.reward(*texts).tolist() == [found.value]
    assert "conllu:" in metric.signature()
    assert "parser-hash:" in metric.signature()


def test_documents_add(files: str) -> None:
    """Sentences may be cut otherwise: only the text of the document counts."""
    spec = f'doc:morph:lang=fr,parser="conllu:{files}"'
    one, two = plain(HYPOTHESIS).split(" Ils ")
    cut = tt.score([one, "Ils " + two], [plain(REFERENCE), ""], spec, documents=["d", "d"])
    whole = tt.score([plain(HYPOTHESIS)], [plain(REFERENCE)], spec, documents=["d"])
    assert cut.scores[0].value == whole.scores[0].value


def test_the_best_of_several_references(files: str) -> None:
    metric = tt.metric(f'doc:morph:Gender@PRON,lang=fr,parser="conllu:{files}"')
    own = plain(HYPOTHESIS)
    assert metric.score([own], [[plain(REFERENCE)], [own]]) == 100.0
    assert metric.score([own], [[plain(REFERENCE)], [None]]) == pytest.approx(40)


def verbs(*words: tuple[str, str]) -> Parsed:
    """Verbs with their features."""
    features = tuple(dict(pair.split("=") for pair in own.split("|") if pair) for _, own in words)
    forms = tuple(word for word, _ in words)
    return Parsed(" ".join(forms), forms, tags=("VERB",) * len(words), features=features)


def test_the_papers_table_2() -> None:
    """Its figures follow if pairs of verbs that both lack a feature count as equal (German verbs have no gender), with
    the verbs below, and links between those that mean the same. It counts nine verbs for system A, one more than
    we see: here the particle."""
    finite, past, bare = "Number=Plur|Tense=Pres", "Number=Plur|Tense=Past", ""
    reference = verbs(("sind", finite), ("geeignet", bare), ("reissen", finite), ("verbrennen", finite))
    a = verbs(("sind", finite), ("wachsen", bare), ("rissen", past), ("heraus", bare), ("verbrannten", past))
    b = verbs(("sind", finite), ("haben", finite), ("ausgebrannt", bare), ("verbrannt", bare))
    systems = {"A": (a, ((0, 0), (2, 2), (4, 3))), "B": (b, ((0, 0), (3, 3)))}
    expected = {"A": (0.667, 0.667, 0.222), "B": (0.500, 0.250, 0.250)}
    for name, (own, links) in systems.items():
        found = []
        for feature in ("Gender", "Number", "Tense"):
            same, ours, theirs, *_ = counts(
                Category.of(f"{feature}@VERB"), own, reference, links, original=True
            )
            found.append(2 * same / (ours + theirs))
        assert found == pytest.approx(expected[name], abs=0.0005)


def test_accuracy_like_the_paper_is_over_all_links() -> None:
    one, two = verbs(("a", ""), ("b", "Tense=Past")), verbs(("a", ""), ("b", "Tense=Pres"))
    links = ((0, 0), (1, 1))
    assert counts(Category.of("Tense@VERB"), one, two, links)[3:] == (0, 1)
    assert counts(Category.of("Tense@VERB"), one, two, links, original=True)[3:] == (1, 2)


def test_as_the_twin_counts() -> None:
    draw = random.Random(5)

    def words(number: int) -> list[twin.Word]:
        features = ({}, {"Tense": "Past"}, {"Tense": "Pres"}, {"Tense": "Pres,Past"})
        return [(draw.choice(("VERB", "AUX", "NOUN")), dict(draw.choice(features))) for _ in range(number)]

    for _ in range(200):
        sides = words(draw.randint(0, 9)), words(draw.randint(0, 9))
        size = min(map(len, sides))
        links = list(
            zip(
                sorted(draw.sample(range(len(sides[0])), size)),
                draw.sample(range(len(sides[1])), size),
                strict=True,
            )
        )[: draw.randint(0, 9)]
        tags = draw.choice([[], ["VERB"], ["VERB", "AUX"]])
        parsed = [
            Parsed(
                "w " * len(own),
                ("w",) * len(own),
                tags=tuple(tag for tag, _ in own),
                features=tuple(features for _, features in own),
            )
            for own in sides
        ]
        same, ours, theirs, agreeing, linked = counts(
            Category("Tense", tuple(tags)), parsed[0], parsed[1], tuple(links)
        )
        f1, accuracy = twin.scores("Tense", tags, *sides, links)
        assert f1 == (pytest.approx(2 * same / (ours + theirs)) if ours + theirs else None)
        assert accuracy == (pytest.approx(agreeing / linked) if linked else None)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("doc:morph:Tense@", "'Tense@' is not a feature with tags, such as Tense@VERB"),
        ("doc:morph:Tense@VERB+Tense@VERB", "Tense@VERB is given twice"),
        ("doc:morph:Tense@VERB,of=Mood", "the features are given twice"),
        ("doc:morph:part=f2", "part='f2' is not valid"),
    ],
)
def test_wrong_specs(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        tt.metric(spec)


def test_without_features() -> None:
    pytest.importorskip("simplemma")
    with pytest.raises(SpecError, match="doc:morph needs tags and features, which the parser 'simplemma:fr'"):
        tt.metric('doc:morph:parser="simplemma:fr"').score(["a"], ["a"])
    with pytest.raises(SpecError, match="doc:morph needs parser, where parses come from"):
        tt.metric("doc:morph").score(["a"], ["a"])


def test_parses_of_other_texts(files: str) -> None:
    with pytest.raises(
        InputError, match=r"token 3 \('voyait'\) is not what the text has at character 11: 'it"
    ):
        tt.metric(f'doc:morph:parser="conllu:{files}"').score(["Elle le voit ."], [plain(REFERENCE)])


def test_lexicon(tmp_path: Path) -> None:
    path = tmp_path / "forms.tsv"
    path.write_text(
        "elle\til\tPRON\tGender=Fem|Number=Sing\nil\til\tPRON\tGender=Masc|Number=Sing\ndort\tdormir\n",
        "utf-8",
    )
    metric = tt.metric(f'doc:morph:Gender@PRON,lang=fr,parser="lexicon:{path}"')
    assert metric.score(["Elle dort."], ["elle dort bien"]) == 100.0
    assert metric.score(["Il dort."], ["elle dort bien"]) == 0.0
    path.write_text("elle\til\tPRON\tFem\n", "utf-8")
    with pytest.raises(InputError, match=r"forms.tsv: line 1: 'Fem' is not a feature"):
        metric.score(["Elle"], ["elle"])
    path.write_text("elle\n", "utf-8")
    with pytest.raises(InputError, match="line 1: 1 columns instead of word, lemma, tag, features"):
        metric.score(["Elle"], ["elle"])


def test_equal_texts_keep_everything(tmp_path: Path) -> None:
    """Whatever the aligner makes of words that are repeated."""
    path = tmp_path / "forms.tsv"
    path.write_text("il\til\tPRON\tGender=Masc\ndort\tdormir\tVERB\tTense=Pres\n", "utf-8")
    text = "Il dort. Dort-il? Il dort, il dort! " * 9
    metric = tt.metric(f'doc:morph:lang=fr,parser="lexicon:{path}"')
    assert metric.score([text, "Il dort."], [text, "Il dort bien."]) == 100.0
