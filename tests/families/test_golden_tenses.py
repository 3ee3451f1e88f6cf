"""doc:tenses: values by hand, compound tenses, the twin."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import tertium as tt
from tertium.errors import SpecError
from tertium.families.tenses import common_length, tenses
from tertium.text.parses import Parsed
from tests.twins import tenses as twin

VERBS = {
    "dort": "Pres",
    "dormait": "Imp",
    "dormit": "Past",
    "dormira": "Fut",
}


@pytest.fixture
def lexicon(tmp_path: Path) -> str:
    rows = [f"{word}\tdormir\tVERB\tMood=Ind|Tense={tense}|VerbForm=Fin\n" for word, tense in VERBS.items()]
    rows += ["dormi\tdormir\tVERB\tTense=Past|VerbForm=Part\n", "dormir\tdormir\tVERB\tVerbForm=Inf\n"]
    path = tmp_path / "forms.tsv"
    path.write_text("".join(rows), "utf-8")
    return f"lexicon:{path}"


def test_by_hand(lexicon: str) -> None:
    reference = "Il dort. Il dormait. Il dormit. Il va dormir. Il dormira."
    hypothesis = "Il dormit. Il dort. Il dormit. Il dormit. Il dormira. Il dormira."
    metric = tt.metric(f'doc:tenses:lang=fr,parser="{lexicon}"')
    # Past Pres Past Past Fut Fut against Pres Imp Past Fut: Pres Past Fut
    assert metric.score([hypothesis], [reference]) == pytest.approx(100 * 2 * 3 / (6 + 4))
    assert metric.components(metric.total([hypothesis], [reference])) == {
        "precision": 50.0, "recall": 75.0, "verbs": 6, "reference verbs": 4
    }  # fmt: skip
    recall = tt.metric(f'doc:tenses:lang=fr,part=recall,parser="{lexicon}"')
    assert recall.score([hypothesis], [reference]) == 75.0
    linked = tt.metric(f'doc:tenses:lang=fr,by=links,parser="{lexicon}"')
    assert linked.score(["Il dort bien."], ["Il dort bien."]) == 100.0
    assert linked.score(["Il dormait bien."], ["Il dort bien."]) == 0.0
    assert metric.score(["Oui."], ["Non."]) is None
    assert "tenses:simple" in metric.signature()
    with pytest.raises(SpecError, match="doc:tenses needs parser, where parses come from"):
        tt.metric("doc:tenses").signature()


def test_compound_tenses_and_moods() -> None:
    words = ("a", "mangé", "est", "vu", "soit", "dormir", "mange")
    features = (
        {"Mood": "Ind", "Tense": "Pres", "VerbForm": "Fin"},
        {"Tense": "Past", "VerbForm": "Part"},
        {"Mood": "Ind", "Tense": "Pres", "VerbForm": "Fin"},
        {"Tense": "Past", "VerbForm": "Part"},
        {"Mood": "Sub", "Tense": "Pres"},
        {"VerbForm": "Inf"},
        {"Mood": "Imp"},
    )
    parsed = Parsed(
        " ".join(words),
        words,
        tags=("AUX", "VERB", "AUX", "VERB", "AUX", "VERB", "VERB"),
        features=features,
        heads=(1, -1, 3, -1, -1, -1, -1),
        relations=("aux:tense", "root", "aux:pass", "root", "root", "root", "root"),
    )
    assert tenses(parsed) == {0: "Pres+", 2: "Pres", 4: "SubPres", 6: "Imp"}


def test_as_the_twin_has_it() -> None:
    draw = random.Random(2)
    for _ in range(300):
        one, other = ([draw.choice("abc") for _ in range(draw.randint(0, 90))] for _ in "ab")
        assert common_length(one, other) == twin.common_length(one, other)
