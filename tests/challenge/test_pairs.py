"""Contrastive pairs: every rule holds its example, real text gives pairs, and scores of them are counted rightly."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from tertium.challenge.contrast import metric_scorers, prefer, score_file, texts_to_score
from tertium.challenge.edits import Corpus, Rule, all_rules, rules_for
from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.pairs import AGAINST, make_pairs, make_pairs_of_files
from tertium.challenge.rates import OVERALL, Group
from tertium.challenge.setfiles import read_set, write_set
from tertium.errors import InputError, SpecError
from tertium.io.door import read_strings
from tertium.stats.proportions import mcnemar_exact, wilson_interval

NOTHING = Corpus(frozenset(), (), None, "", Random(0))
LANGUAGE_RULES = [rule for rule in all_rules() if rule.cases]


@pytest.mark.parametrize("rule", LANGUAGE_RULES, ids=lambda rule: rule.title)
def test_rule_turns_its_right_example_into_its_wrong_one(rule: Rule) -> None:
    assert [edit.made(rule.right) for edit in rule.edits(rule.right, NOTHING)] == [rule.wrong]


def test_what_languages_have() -> None:
    kinds = {
        code: {rule.kind for rule in rules_for(code) if rule.language}
        for code in ("en", "de", "fr", "cs", "ru")
    }
    assert kinds["en"] == kinds["de"] == {"agreement", "negation", "particle"}
    assert kinds["fr"] == {"agreement", "negation"}
    assert kinds["cs"] == kinds["ru"] == {"negation"}
    assert {rule.kind for rule in rules_for("xx")} == {"number", "name", "transliteration"}
    assert rules_for("cz") == rules_for("cs")
    with pytest.raises(SpecError, match="did you mean 'negation'"):
        rules_for("en", ["negations"])


@pytest.mark.parametrize(
    ("language", "kind", "text"),
    [
        ("en", "agreement", "If he was here, he would know."),  # were is right here, too
        ("en", "negation", "It is not only cold."),
        ("en", "negation", "Is it not cold?"),
        ("en", "negation", "Ask if they will come."),  # they will not is the same question
        ("fr", "negation", "Choisis si on doit partir."),
        ("cs", "negation", "Zeptej se, zda může přijít."),
        ("en", "agreement", "These species are rare, and those towards the end too."),
        ("en", "number", "We saw the A4 at 12:30 in B2B, %1 and 3rd."),
        ("de", "agreement", "Sie kam mit der Leiter und mit dem Angestellten."),
        ("de", "agreement", "Das ist für den Teil."),
        ("de", "negation", "Er war nicht nur hier."),
        ("de", "negation", "Er trat ein, als es eins schlug."),
        ("de", "particle", "Sie kam von Anfang an."),
        ("fr", "agreement", "Tu les portes sur les bras."),
        ("fr", "negation", "Les pays ne sont pas seulement grands."),
        ("ru", "negation", "Он не только знает."),
    ],
)
def test_unsure_places_are_left_alone(language: str, kind: str, text: str) -> None:
    assert [rule.title for rule in rules_for(language, [kind]) if rule.edits(text, NOTHING)] == []


def test_capitals_and_apostrophes_are_kept() -> None:
    def wrong(text: str, language: str) -> list[str]:
        return [str(item.judge["wrong"][0]) for item in make_pairs([text], language).items if item.judge]

    assert "Eine Frage blieb." in wrong("Keine Frage blieb.", "de")
    assert "Möglich war es." in wrong("Unmöglich war es.", "de")
    assert "C'est vrai." in wrong("Ce n'est pas vrai.", "fr")
    assert "C’est vrai." in wrong("Ce n’est pas vrai.", "fr")
    assert "They is late." in wrong("They are late.", "en")


def test_numbers_and_names() -> None:
    texts = ["We met Anna Novak in 2014.", "We met Peter Brown in 2015.", "The brown dog came."]
    pairs = make_pairs(texts, "en", kinds=["number", "name", "transliteration"], seed=3)
    assert pairs.seed == 3
    for item in pairs.items:
        [wrong] = (item.judge or {})["wrong"]
        (start, end) = item.reference_spans[0]
        old = item.reference[start:end]
        assert item.reference.startswith(wrong[:start])
        new = wrong[start : len(wrong) - (len(item.reference) - end)]
        if item.category == "number":
            assert re.fullmatch(r"[1-9]\d{3}", new)
            assert sum(a != b for a, b in zip(old, new, strict=True)) == 1
        elif item.category == "name":
            assert new in {"Anna", "Novak", "Peter"} - set(item.reference.split())
        else:
            assert sorted(old.lower()) == sorted(new.lower())
            assert old[0] == new[0]
            assert old != new
    assert not any("Brown" in item.highlighted("reference") for item in pairs.items)  # brown is a word here
    assert make_pairs(texts, "en", seed=3) == make_pairs(texts, "en", seed=3)
    names = [
        item for item in make_pairs(["Wir sahen Anna und 3 Hasen."], "de").items if item.category == "name"
    ]
    assert names == []  # all German nouns have a capital
    assert make_pairs(
        ["Wir sahen Anna.", "Wir sahen Peter."], "de", sources=["We saw Anna.", "We saw Peter."]
    )


def test_refused() -> None:
    with pytest.raises(InputError, match="nothing here can surely be made wrong"):
        make_pairs(["a b c"], "en")
    with pytest.raises(InputError, match="there are 1 texts, but 2 sources"):
        make_pairs(["He is 3."], "en", sources=["a", "b"])
    with pytest.raises(SpecError, match="at least one pair"):
        make_pairs(["He is 3."], "en", limit=0)


@pytest.mark.parametrize(("pair", "rules"), [("ende", 10), ("deen", 9), ("encs", 5), ("enru", 5)])
def test_real_text(shared: Path, tmp_path: Path, pair: str, rules: int) -> None:
    folder = shared / "data" / "wmt17"
    source, target = pair[:2], pair[2:]
    paths = (
        folder / "references" / f"newstest2017-{pair}-ref.{target}.gz",
        folder / "sources" / f"newstest2017-{pair}-src.{source}.gz",
    )
    made = make_pairs_of_files(paths[0], f"{source}-{target}", source=paths[1], limit=15)
    assert len(made.rules) == rules
    assert all(made.of(rule) for rule in made.rules)
    texts = read_strings(paths[0])
    for item in made.items:
        assert texts[item.metadata["line"] - 1] == item.reference
        assert item.judge
        assert item.judge["wrong"][0] != item.reference
        assert item.subcategory in {rule.title for rule in made.rules}
    write_set(tmp_path / "pairs.jsonl", made.items)
    assert read_set(tmp_path / "pairs.jsonl").items == made.items.items


def right_and_wrong(number: int, categories: tuple[str, ...] = ("negation", "number")) -> ChallengeSet:
    items = (
        Item(
            f"{n}",
            categories[n % len(categories)],
            "",
            "?",
            f"s{n}",
            f"right {n}",
            judge={"wrong": [f"wrong {n}"]},
        )
        for n in range(number)
    )
    return ChallengeSet(tuple(items), "made")


def test_preferences_are_counted(tmp_path: Path) -> None:
    """20 pairs: A gets every one right but 5, and ties in 3 of them; B all; tested by McNemar on 5 to 0."""
    items = right_and_wrong(20)
    assert texts_to_score(items)[:3] == [("s0", "right 0"), ("s0", "wrong 0"), ("s1", "right 1")]
    a = [-1.0, -2.0] * 15 + [-2.0, -1.0] * 2 + [-1.5, -1.5] * 3
    (tmp_path / "a").write_text("".join(f"{score}\n" for score in a), encoding="utf-8")
    found = prefer(
        items, {"A": score_file(tmp_path / "a"), "B": lambda _, texts: [float("right" in t) for t in texts]}
    )
    first, second = (own for own in found if own.group == OVERALL)
    assert (first.pairs, first.right, first.ties, first.share) == (20, 15, 3, 0.75)
    assert first.interval == wilson_interval(15, 20)
    assert (second.right, second.ties) == (20, 0)
    [contest] = [own for own in found.contests if own.group == OVERALL]
    assert contest.p == mcnemar_exact(0, 5)
    by = {(own.group, own.system.label): own.right for own in found}
    assert by[Group("negation"), "A"] + by[Group("number"), "A"] == 15
    assert len(by) == 6
    data = json.loads(found.json())
    assert data["preferences"][0]["ties"] == 3
    wide = prefer(items, {"A": score_file(tmp_path / "a")}, margin=1.0)
    assert next(iter(wide)).ties == 20
    assert wide.contests == ()


def test_several_wrong_versions_must_all_score_lower() -> None:
    item = Item("1", "c", "", "?", "s", "right", judge={"wrong": ["w1", "w2"]})
    scores = {"right": 2.0, "w1": 1.0, "w2": 3.0}
    found = prefer(ChallengeSet((item,)), {"A": lambda _, texts: [scores[text] for text in texts]})
    assert next(iter(found)).right == 0


def test_metrics_compare_with_another_reference() -> None:
    texts = ["He is not here today.", "She has seen 12 boats."]
    others = ["Today he is not here.", "She saw 12 boats."]
    pairs = make_pairs(texts, "en", references=others)
    assert pairs.items.items[0].metadata[AGAINST] in others
    by_items = prefer(pairs.items, metric_scorers(pairs.items, ["chrf", "ter"]))
    given = [others[item.metadata["line"] - 1] for item in pairs.items]
    by_lines = prefer(pairs.items, metric_scorers(pairs.items, ["chrf", "ter"], given))
    assert list(by_items) == list(by_lines)
    assert {own.system.label for own in by_items} == {"chrF2", "TER"}
    assert next(iter(by_items)).right > 0
    with pytest.raises(InputError, match="no other translation for a metric"):
        metric_scorers(right_and_wrong(2), ["chrf"])
    with pytest.raises(InputError, match="there are 2 items, but 1 references"):
        metric_scorers(right_and_wrong(2), ["chrf"], ["a"])
    with pytest.raises(SpecError, match="choose another metric"):
        metric_scorers(pairs.items, ["nist"])


def test_bad_scores(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("1\n2\n3\n", encoding="utf-8")
    with pytest.raises(InputError, match="a: has 3 scores, but there are 4 versions"):
        prefer(right_and_wrong(2), {"A": score_file(path)})
    path.write_text("1\n2\nnan\n4\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a: line 3: the score 'nan' is not a finite number"):
        prefer(right_and_wrong(2), {"A": score_file(path)})
    with pytest.raises(InputError, match="no item has a reference and a wrong version"):
        prefer(ChallengeSet((Item("1", "c", "", "?", "s", "r"),)), {"A": score_file(path)})
