"""doc:connectives: what is found in texts of three languages, values by hand, the twin, lists of one's own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import tertium as tt
from tertium.errors import InputError, SpecError
from tertium.families.connectives import matched
from tertium.text.connectives import CLASSES, connectives
from tertium.text.cut import words_only
from tertium.text.parsers import parser
from tests.twins import connectives as twin


def found(lang: str, text: str) -> str:
    return "; ".join(
        f"{one.text}: {'/'.join(one.classes)}" for one in connectives(lang).find(words_only(text))
    )


@pytest.mark.parametrize(
    ("lang", "text", "expected"),
    [
        ("en", "But he came, because of the rain.", "But: contrast; because of: cause"),
        ("en", "All but one came and so we left.", "so: result"),  # "and" is none here, but begins a clause
        ("en", "Tea and so many cakes", "so: result"),  # wrong, but only a parser would know
        ("en", "So we left. It was so cold.", "So: result"),
        ("en", "He works as a cook. As it rained, he left.", "As: cause/temporal"),
        ("en", "Not only he, but also she.", "Not only: addition; but also: addition"),
        (
            "en",
            "\u201cHowever,\u201d he said, \u201cif you go...\u201d",
            "However: contrast/concession; if: condition",
        ),
        (
            "en",
            "Since 1990, all is well; since he left, too.",
            "Since: cause/temporal; since: cause/temporal",
        ),
        (
            "fr",
            "Parce qu\u2019il pleut, et parce que c\u2019est tard.",
            "Parce qu\u2019: cause; parce que: cause",
        ),
        ("fr", "Elle est si belle. Si elle vient, tant mieux.", "Si: condition"),
        (
            "fr",
            "C'est-à-dire qu'il dort jusqu'à ce qu'elle vienne.",
            "C'est-à-dire: reformulation; jusqu'à ce qu': temporal",
        ),
        ("fr", "Or il vend de l'or.", "Or: contrast"),
        ("fr", "D\u2019abord, lorsqu\u2019il pleut", "D\u2019abord: temporal; lorsqu\u2019: temporal"),
        ("de", "Er kam nicht, weil er krank war, sondern auch müde.", "weil: cause; sondern auch: addition"),
        (
            "de",
            "Größer als er. Als er kam, ging sie, damit er schlief.",
            "Als: temporal; damit: purpose/result",
        ),
        ("de", "Zum\nBeispiel: Aber ja!", "Zum\nBeispiel: example; Aber: contrast"),
        ("de", "Aberwitzig, denn-noch", ""),
        (
            "en",
            "BUT \u0130f, \u017fo and as \u017foon as",
            "BUT: contrast",
        ),  # letters that have capitals of others
        ("fr", "LORSQU'IL dort, puisque-là, bien\u00a0que", "LORSQU': temporal; bien\u00a0que: concession"),
    ],
)
def test_found(lang: str, text: str, expected: str) -> None:
    assert found(lang, text) == expected


def test_tags_decide_where_there_are_any(tmp_path: Path) -> None:
    path = tmp_path / "forms.tsv"
    path.write_text("après\taprès\tADP\t_\nsi\tsi\tADV\t_\n", "utf-8")
    tagged, plain = parser(f"lexicon:{path}"), parser("")
    text = ["Si, il vient."]
    assert [len(list(connectives("fr").find(own.parse(text)[0]))) for own in (tagged, plain)] == [0, 1]


@pytest.mark.parametrize("lang", ["en", "fr", "de"])
def test_every_entry_is_found_as_it_is_written(lang: str) -> None:
    listed = connectives(lang)
    assert {own.classes[0] for own in listed.entries.values()} >= {
        "contrast", "cause", "condition", "concession", "temporal", "addition"
    }  # fmt: skip
    for form, entry in listed.entries.items():
        expected = [] if entry.classes == ("-",) else [entry.classes]
        assert [one.classes for one in listed.find(words_only(form.capitalize()))] == expected, form


def test_by_hand() -> None:
    reference = "But it rained. We left because it was late. If you want, come."
    hypothesis = "However, it rained. Since it was late, we left. Therefore come, because I said so."
    metric = tt.metric("doc:connectives")
    # contrast, cause/temporal, result, cause against contrast, cause, condition: two of four and three
    assert metric.score([hypothesis], [reference]) == pytest.approx(100 * 2 * 2 / (4 + 3))
    parts = metric.components(metric.total([hypothesis], [reference]))
    assert parts["precision"] == pytest.approx(50)
    assert parts["recall"] == pytest.approx(200 / 3)
    assert parts["contrast"] == 100
    assert parts["condition"] == 0
    assert parts["condition reference"] == 1
    assert parts["purpose"] is None
    assert metric.verbose(metric.total([hypothesis], [reference])).startswith("contrast = 100.0")
    assert metric.score(["It rained."], ["Rain."]) is None
    assert metric.reward(["It rained."], ["Rain."]).tolist() == [0.0]


def test_ambiguous_ones_are_matched_as_well_as_can_be() -> None:
    draw = random.Random(1)
    kinds = [tuple(draw.sample(CLASSES[:4], draw.randint(1, 3))) for _ in range(12)]
    for _ in range(300):
        sides = [[draw.choice(kinds) for _ in range(draw.randint(0, 6))] for _ in "ab"]
        pairs = matched(*sides)
        assert sum(pairs.values()) == twin.most_pairs(*sides), sides
        assert all(set(mine) & set(own) for mine, own in pairs)
        for place, side in enumerate(sides):
            for kind in set(side):
                assert sum(n for pair, n in pairs.items() if pair[place] == kind) <= side.count(kind)


def test_lists(tmp_path: Path) -> None:
    path = tmp_path / "it.tsv"
    path.write_text("perché\tcause\nma\tcontrast\tclause\n", "utf-8")
    metric = tt.metric(f'doc:connectives:lang=it,list="{path}"')
    path.write_text("'cause\tcause\ncause and\taddition\n", "utf-8")
    own = connectives("en", str(path))
    text = "\u2019Cause it rained, 'cause it; a cause and the'cause"
    assert [one.text for one in own.find(words_only(text))] == ["\u2019Cause", "'cause", "cause and"]
    path.write_text("perché\tcause\nma\tcontrast\tclause\n", "utf-8")
    assert metric.score(["Ma dorme perché piove."], ["Dorme perché piove."]) == pytest.approx(100 * 2 / 3)
    assert "list-hash:" in metric.signature()
    for text, message in (
        ("perché\tcausa\n", "line 1: there is no class 'causa' of connectives; did you mean 'cause'"),
        ("perché\n", "line 1: 1 columns instead of"),
        ("a\tcause\nA\tcause\n", "line 2: 'A' is there twice"),
        ("a\tcause\tword\n", "line 1: a connective counts everywhere, or"),
    ):
        path.write_text(text, "utf-8")
        with pytest.raises(InputError, match=message):
            metric.score(["a"], ["b"])
    with pytest.raises(
        SpecError, match=r"no list of connectives for the language 'it' \(known: de, en, fr\)"
    ):
        tt.metric("doc:connectives:lang=it")
