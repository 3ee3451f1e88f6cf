"""Campaign settings: everything that is wrong is named by its key."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tertium.errors import InputError
from tertium.human.campaigns.answers import checked_answer
from tertium.human.campaigns.designs import DESIGNS
from tertium.human.campaigns.items import CampaignItem, Output
from tertium.human.campaigns.language import BUNDLED
from tertium.human.campaigns.settings import Settings
from tertium.human.campaigns.units import units_of
from tertium.io.settings import keys_of

GOOD = {"name": "x", "design": "direct-assessment"}


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"sede": 1}, "sede: unknown key; did you mean 'seed'"),
        ({"name": ""}, "name: a campaign's name"),
        ({"name": "a/b"}, "name: a campaign's name"),
        ({"name": 3}, "name must be a string, not 3"),
        (
            {"design": "direct"},
            'design must be "direct-assessment", "pairwise", "ranking", "challenge", "error-spans" or "semantic-units",'
            " not 'direct'; did you mean 'direct-assessment'?",
        ),
        ({"design": ["x"]}, 'design must be "direct-assessment"'),
        ({"seed": -1}, "seed must be a whole number"),
        ({"seed": True}, "seed must be a whole number"),
        ({"title": ""}, "title must be a text"),
        ({"title": "a\x00b"}, "title contains the character"),
        ({"languages": "german"}, "languages must be a pair such as de-en"),
        ({"systems": []}, "systems must be a list"),
        ({"systems": ["A", "A"]}, "systems must be a list of different"),
        ({"annotators": []}, "annotators must be a table"),
        ({"annotators": {"name": ["A"]}}, "annotators.name: unknown key; did you mean 'names'"),
        ({"annotators": {"names": ["A"], "number": 2}}, "annotators.number: give names or a number"),
        ({"annotators": {"names": ["A", "A"]}}, "annotators.names: 'A' occurs twice"),
        ({"annotators": {"names": [" A"]}}, "annotators.names[1]: an annotator's name"),
        ({"annotators": {"number": 0}}, "annotators.number must be a whole number from 1"),
        ({"annotators": {"items": 0}}, "annotators.items must be a whole number from 1"),
        ({"annotators": {"sample": "some"}}, 'annotators.sample must be "same" or "different"'),
        ({"annotators": {"items": 5, "shared": 6}}, "annotators.shared must be a whole number from 0 to 5"),
        (
            {"sampling": {"how": "randomly"}},
            'sampling.how must be "random", "disagreement" or "documents", not \'randomly\'; did you mean \'random\'',
        ),
        ({"sampling": {"length": [24, 8]}}, "sampling.length must be true"),
        ({"sampling": {"length": 8}}, "sampling.length must be true"),
        ({"sampling": {"different": 1}}, "sampling.different must be true or false"),
        ({"sampling": {"documents": "d"}}, "sampling.documents must be a list"),
        ({"sampling": {"metrics": ["bleu"]}}, "sampling.metrics must be a list of two metrics"),
        (
            {"sampling": {"metrics": ["bleu", "blue"]}},
            "sampling.metrics[2]: unknown metric 'blue'; did you mean 'bleu'",
        ),
        (
            {"sampling": {"metrics": ["bleu", 'outside:command="touch x"']}},
            "sampling.metrics[2]: outside runs a program",
        ),
        ({"sampling": {"quality": {"above": "30"}}}, "sampling.quality.above must be a number, not '30'"),
        ({"sampling": {"quality": {"metric": "bleu"}}}, "sampling.quality needs a limit"),
        ({"sampling": {"quality": {"abov": 30}}}, "sampling.quality.abov: unknown key"),
        ({"options": {"against": "sauce"}}, "options.against must be"),
        ({"options": {"batch": 3}}, "options.batch must be a whole number from 4 on"),
        ({"options": {"undecided": True}}, "options.undecided: unknown key for the design direct-assessment"),
        ({"controls": {"repeat": 31}}, "controls.repeat must be a whole number from 0 to 30"),
        (
            {"design": "pairwise", "controls": {"degraded": 1}},
            "controls.degraded: unknown key for the design pairwise",
        ),
        (
            {"design": "error-spans", "options": {"categories": ["a", "a"]}},
            "options.categories must be a list",
        ),
        ({"instructions": ""}, "instructions must be a text"),
    ],
)
def test_what_is_wrong_is_named(more: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as found:
        Settings.of(GOOD | more)
    assert str(found.value).startswith(message)
    assert "\n" not in str(found.value)


def test_what_is_missing_is_named() -> None:
    for key in GOOD:
        with pytest.raises(InputError, match=f"^{key} is missing"):
            Settings.of({name: value for name, value in GOOD.items() if name != key})


def test_defaults_of_the_papers() -> None:
    made = Settings.of(GOOD | {"sampling": {"length": True}})
    assert made.sampling.length == (8, 24)  # seed 002
    assert (made.items, made.batch, dict(made.controls)) == (
        100,
        100,
        {"repeat": 10, "degraded": 10, "reference": 10},
    )
    assert Settings.of({"name": "x", "design": "pairwise"}).options["words"] == 180  # seed 004
    assert Settings.of({"name": "x", "design": "ranking"}).options["outputs"] == 5  # seed 001


@pytest.mark.parametrize("design", DESIGNS)
def test_what_is_stored_is_everything(design: str) -> None:
    """A campaign means the same after an update, whatever the defaults are then."""
    rich = {
        "name": "x",
        "design": design,
        "title": "T",
        "languages": "de-en",
        "systems": ["A", "B"],
        "annotators": {"names": ["Ann", "Ben"], "items": 7, "sample": "different", "shared": 2, "reserve": 3},
        "sampling": {"how": "disagreement", "length": [3, 9], "documents": ["d"], "quality": {"above": 3}},
    }
    for given in ({"name": "x", "design": design}, rich):
        settings = Settings.of(given)
        stored = json.loads(json.dumps(settings.stored()))
        assert Settings.of(stored) == settings
        assert set(stored["options"]) == set(keys_of(settings.design.options))
        assert stored["instructions"] == settings.instructions


@pytest.mark.parametrize("code", BUNDLED)
@pytest.mark.parametrize("design", DESIGNS)
def test_every_design_has_instructions(design: str, code: str) -> None:
    text = Settings.of({"name": "x", "design": design, "interface": code}).instructions
    assert text.startswith("# ")
    assert {"en": "**Keys:**", "fr": "**Touches\u00a0:**"}[code] in text


def item(n: int = 1, **more: Any) -> CampaignItem:
    return CampaignItem("i", "1", tuple(Output(f"text number {i}", (f"S{i}",)) for i in range(n)), **more)


TREE = units_of([{"id": "1", "text": "a b", "children": [{"id": "2", "text": "a"}]}], "a b", "u")


@pytest.mark.parametrize(
    ("design", "shown", "good", "bad"),
    [
        (
            "direct-assessment",
            item(),
            [{"score": 0}, {"score": 100}, {"score": 33.33}],
            [
                {},
                {"score": None},
                {"score": "50"},
                {"score": True},
                {"score": 101},
                {"score": float("nan")},
                5,
            ],
        ),
        (
            "pairwise",
            item(2),
            [{"choice": "A"}, {"choice": "undecided"}],
            [{"choice": "C"}, {}, {"choice": None}, {"choice": ["A"]}, {"choice": "A", "why": ""}],
        ),
        (
            "ranking",
            item(3),
            [{"ranks": [1, 1, 1]}, {"ranks": [3, 1, 2]}],
            [
                {"ranks": [1, 2]},
                {"ranks": [0, 1, 2]},
                {"ranks": [1, 2, 4]},
                {"ranks": [1, 2, None]},
                {"ranks": "123"},
            ],
        ),
        (
            "challenge",
            item(2),
            [{"answers": ["yes", "na"]}],
            [
                {"answers": ["yes"]},
                {"answers": ["yes", "maybe"]},
                {"answers": [None, "no"]},
                {"answers": None},
            ],
        ),
        (
            "error-spans",
            item(),
            [
                {"spans": [], "score": 3},
                {"spans": [{"start": 0, "end": 4, "severity": "minor"}], "score": 3},
                {
                    "spans": [{"start": 4, "end": 4, "severity": "minor"}],
                    "score": 3,
                },  # an omission, with its place
                {"spans": [{"start": None, "end": None, "severity": "major", "category": ""}], "score": 3},
            ],
            [
                {"spans": []},
                {"spans": [{"start": 4, "end": 3, "severity": "minor"}], "score": 3},
                {"spans": [{"start": 4, "end": 4, "severity": "minor", "in_source": True}], "score": 3},
                {"spans": [{"start": 0, "end": 4, "severity": "minor", "given": 0}], "score": 3},
                {"spans": [{"start": 0, "end": 99, "severity": "minor"}], "score": 3},
                {"spans": [{"start": 0, "end": None, "severity": "minor"}], "score": 3},
                {"spans": [{"start": 0, "end": 1, "severity": "awful"}], "score": 3},
                {"spans": [{"start": 0, "end": 1, "severity": "minor", "category": "x"}], "score": 3},
                {"spans": [{"start": 0, "end": 1, "severity": "minor"}] * 201, "score": 3},
                {"spans": "none", "score": 3},
            ],
        ),
        (
            "semantic-units",
            item(source="a b", units=TREE),
            [{"marks": {"1": "good", "2": "orange"}}],
            [
                {"marks": {"1": "good"}},
                {"marks": {"1": "green", "2": "red"}},
                {"marks": {"3": "red"}},
                {"marks": []},
            ],
        ),
    ],
)
def test_answers(design: str, shown: CampaignItem, good: list[Any], bad: list[Any]) -> None:
    settings = Settings.of({"name": "x", "design": design})
    for answer in good:
        assert checked_answer(settings, shown, answer) == checked_answer(
            settings, shown, checked_answer(settings, shown, answer)
        )
    for answer in bad:
        with pytest.raises(InputError):
            checked_answer(settings, shown, answer)


def test_drafts_may_have_gaps() -> None:
    for design, shown, draft in (
        ("direct-assessment", item(), {"score": None}),
        ("ranking", item(3), {"ranks": [None, 2, None]}),
        ("challenge", item(2), {"answers": [None, "no"]}),
        ("error-spans", item(), {"spans": [], "score": None}),
        ("semantic-units", item(source="a b", units=TREE), {"marks": {}}),
    ):
        settings = Settings.of({"name": "x", "design": design})
        assert checked_answer(settings, shown, draft, complete=False) == draft
        with pytest.raises(InputError):
            checked_answer(settings, shown, draft)


@pytest.mark.parametrize(
    "bad",
    [
        [],
        "x",
        [{"text": "a"}],
        [{"id": "1"}],
        [{"id": "1", "text": "a", "children": [{"id": "1", "text": "b"}]}],
        [{"id": "1", "span": [0, 9]}],
        [{"id": "1", "text": "a", "kids": []}],
        [{"id": "1", "text": "a", "children": "b"}],
    ],
)
def test_units_that_cannot_be(bad: Any) -> None:
    with pytest.raises(InputError, match=r"^file(\[|: | must be)"):
        units_of(bad, "a b", "file")
