"""The judges by equality, by metric difference, by contrastive pairs and by threshold."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tertium import registry
from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judgements import ChallengeJudgements, Judgement
from tertium.challenge.judges import (
    CommandScorer,
    ContrastiveJudge,
    EqualityJudge,
    MetricJudge,
    command_scorers,
    fit_limits,
    judge_all,
    judge_left_out,
    judge_named,
)
from tertium.challenge.judges.metric import regions, windows
from tertium.challenge.judges.threshold import Limits
from tertium.challenge.outputs import Outputs, System
from tertium.errors import InputError, SpecError
from tests.conftest import registered

A = System("A")
CALLS = Item(
    "1",
    "Morpho-Syntactic",
    "",
    "Is agreement right?",
    "The calls from his mother should have helped us.",
    "Les appels de sa mère auraient dû nous aider.",
    judge={"wrong": ["Les appels de sa mère aurait dû nous aider."]},
)


def calls(judge: Any, item: Item, *texts: str) -> list[str]:
    rulings = judge.rule(A, [item] * len(texts), list(texts))
    assert all(ruling.reason for ruling in rulings)
    return [ruling.call for ruling in rulings]


def test_equality() -> None:
    texts = (
        CALLS.reference,
        "les appels de sa mère auraient dû nous  aider",
        CALLS.judge["wrong"][0],  # type: ignore[index]
        "Bof.",
        "",
    )
    assert calls(EqualityJudge(), CALLS, *texts) == ["yes", "yes", "no", "unsure", "unsure"]
    bare = Item("2", "Lexical", "", "Well?", "x")
    assert calls(EqualityJudge(), bare, "", "x") == ["unsure", "unsure"]


NOT_ON_THREE_WORDS = ("multibleu",)  # zero where no four words are alike
SUITABLE = [
    spec
    for spec in registered()
    if not registry.metric(spec).needs_whole_set
    and not registry.metric(spec).required
    and registry.metric(spec).needs_references  # versions of a passage stand in for references
    and registry.metric(spec).scope == "segment"
    and spec not in NOT_ON_THREE_WORDS
]


@pytest.mark.parametrize("metric", SUITABLE)
def test_every_metric_tells_right_from_wrong_at_the_place_in_question(metric: str) -> None:
    texts = (
        "Ces appels de sa mère auraient dû nous être utiles.",
        "Tous les appels de la mère aurait dû nous servir.",
        "Elle n'a pas appelé.",
        "",
        "...",
    )
    judge = MetricJudge(metric)
    assert calls(judge, CALLS, *texts) == ["yes", "no", "unsure", "unsure", "unsure"]
    assert calls(MetricJudge(metric, margin=1.01), CALLS, *texts[:1]) == ["unsure"]


def test_weights_of_a_whole_set_cannot_compare_versions() -> None:
    with pytest.raises(SpecError, match="NIST weighs words by the whole set"):
        MetricJudge("nist")
    with pytest.raises(SpecError, match="negative"):
        MetricJudge("chrf", margin=-1)


def test_no_wrong_version_no_ruling() -> None:
    bare = Item("1", "Lexical", "", "Well?", "It rains.", "Il pleut.")
    assert calls(MetricJudge(), bare, "Il pleut.") == ["unsure"]
    no_reference = Item("1", "Lexical", "", "Well?", "It rains.", judge={"wrong": ["Il neige."]})
    assert calls(MetricJudge(), no_reference, "Il pleut.") == ["unsure"]
    same_to_it = Item("1", "Lexical", "", "Well?", "It rains.", "Il pleut.", judge={"wrong": ["il PLEUT."]})
    assert "cannot tell" in MetricJudge("multibleu").rule(A, [CALLS], [CALLS.reference])[0].reason
    [ruling] = MetricJudge("ter").rule(A, [same_to_it], ["Il pleut."])
    assert ruling == ("unsure", "TER cannot tell the reference from a wrong version of it")


def test_one_wrong_version_that_is_nearer_is_enough() -> None:
    wrong = ["Les appels de sa mère aurait dû nous aider.", "Les appels de sa mère avaient dû nous aider."]
    item = Item("1", "M", "", "Well?", "x", CALLS.reference, judge={"wrong": wrong})
    assert calls(MetricJudge(), item, CALLS.reference, *wrong) == ["yes", "no", "no"]


def test_whole_sentences_where_there_are_no_spaces() -> None:
    item = Item(
        "1", "M", "", "Well?", "I see him.", "私は彼を見ます。", judge={"wrong": ["彼は私を見ます。"]}
    )
    texts = ("私は彼をよく見ます。", "彼は私をよく見ます。")
    assert calls(MetricJudge("chrf", whole=True), item, *texts) == ["yes", "no"]


def test_the_highlighted_span_belongs_to_the_place() -> None:
    reference = "Il a bien mangé hier."
    assert regions(reference, (), "Il a bien mangée hier.", 0) == ("mangé", "mangée")
    assert regions(reference, ((3, 4),), "Il a bien mangée hier.", 0) == ("a bien mangé", "a bien mangée")
    assert regions(reference, ((10, 20),), "Il a bien mangée hier.", 0) == ("mangé hier", "mangée hier")
    assert regions("a b c", (), "a c", 0) == ("b", "")
    assert regions("a b c", (), "a c", 1) == ("a b c", "a c")
    assert regions("a a a", (), "a a", 0) == ("a", "")
    assert list(windows("a b", [5, 0, 2])) == ["a b"]
    assert list(windows("", [1])) == []


def test_contrastive_pairs() -> None:
    def prefers(right: float, wrong: float) -> Any:
        return lambda sources, texts: [right if text == CALLS.reference else wrong for text in texts]

    bare = Item("2", "Lexical", "", "Well?", "x", "y")
    items = ChallengeSet((CALLS, bare))
    systems = {System("good"): prefers(-1, -2), System("bad"): prefers(-2, -1), System("tie"): prefers(0, 0)}
    found = judge_all(items, judge=ContrastiveJudge(systems))
    assert [(v.system.name, v.item, v.call) for v in found] == [
        ("good", "1", "yes"),
        ("good", "2", "unsure"),
        ("bad", "1", "no"),
        ("bad", "2", "unsure"),
        ("tie", "1", "unsure"),
        ("tie", "2", "unsure"),
    ]
    assert {j.annotator for j in found.judgements()} == {"auto:contrastive"}
    assert calls(ContrastiveJudge({A: prefers(-1, -2)}, margin=1), CALLS, "") == ["unsure"]
    several = Item("3", "M", "", "Well?", "s", "a", judge={"wrong": ["bb", "c"]})
    order = ContrastiveJudge({A: lambda sources, texts: [ord(text[0]) for text in texts]})
    assert calls(order, several, "") == ["no"]


@pytest.mark.parametrize(
    ("scorer", "said"),
    [
        (lambda sources, texts: [1.0], "gave 1 scores for 2 pairs"),
        (lambda sources, texts: [1.0, float("nan")], "score 2 is nan"),
        (lambda sources, texts: None, "must return a list of numbers"),
        (CommandScorer("cat"), "line 1: the score 'The calls from his mother should have helped us.\\t"),
        (CommandScorer("head -n 1"), "wrote 1 lines for 2 pairs"),
        (CommandScorer("false"), "ended with status 1"),
        (CommandScorer("sh -c 'echo no model >&2; exit 3'"), "ended with status 3: no model"),
        (CommandScorer("no-such-program-here"), "'no-such-program-here' cannot be run: No such file"),
        (CommandScorer("'"), "is not a valid command: No closing quotation"),
        (CommandScorer(" "), "is empty"),
        (CommandScorer("sleep 30", timeout=0.2), "took longer than 0.2 seconds"),
    ],
)
def test_scorers_that_fail_are_refused(scorer: Any, said: str) -> None:
    with pytest.raises(InputError) as error:
        ContrastiveJudge({A: scorer}).rule(A, [CALLS], [""])
    assert said in str(error.value)


def test_a_command_gets_pairs_and_gives_numbers(tmp_path: Path) -> None:
    program = tmp_path / "scorer.py"
    program.write_text(
        "import sys\nfor line in sys.stdin.buffer:\n"
        "    source, text = line.decode().rstrip('\\n').split('\\t')\n    print(len(source) - len(text))\n"
    )
    scorer = CommandScorer(f"'{sys.executable}' '{program}'")
    assert scorer(["a\tb", "é"], ["x\n y", ""]) == [0.0, 1.0]


def test_scorers_as_people_type_them() -> None:
    assert list(command_scorers(["A=x --y=z", "B@1=w"])) == [System("A"), System("B", "1")]
    for bad, said in (
        (["A"], "names no scorer"),
        (["A= "], "names no scorer"),
        (["A=x", "A=y"], "two scorers"),
    ):
        with pytest.raises(InputError, match=said):
            command_scorers(bad)


def test_limits() -> None:
    assert fit_limits([3, 1, 2, 4], [True, False, False, True]) == Limits(2.5, 2.5)
    assert fit_limits([1, 2], [True, True]) == Limits(1, 1)
    scores = [float(i) for i in range(40)]
    mixed = [i >= 30 or (10 <= i < 30 and i % 2 == 0) for i in range(40)]
    assert fit_limits(scores, mixed, 1.0) == Limits(29.5, 9.5)
    assert fit_limits(scores, [i >= 20 for i in range(40)], 0.9) == Limits(19.5, 19.5)
    assert fit_limits([1.0, 2.0], [False, True], 0.9) == Limits(None, None)  # too few to tell
    with pytest.raises(InputError, match="nothing to learn"):
        fit_limits([], [])


def test_an_item_never_helps_to_judge_itself() -> None:
    """Item 1 alone says yes to a bad output; its own mark must not move its own limit."""
    items = ChallengeSet(tuple(Item(str(i), "Lexical", "", "Well?", "x", "a b c d e f") for i in range(6)))
    texts = ["a b c d e f", "x y z", "a b c d e x", "x x", "y y y", "z"]
    marks = ["yes", "yes", "yes", "no", "no", "no"]
    outputs = Outputs({A: {str(i): text for i, text in enumerate(texts)}})
    people = ChallengeJudgements(tuple(Judgement(str(i), A, "ann", mark) for i, mark in enumerate(marks)))  # type: ignore[arg-type]
    found = judge_left_out(items, outputs, people, "wer")
    assert [verdict.call for verdict in found] == ["yes", "no", "yes", "no", "no", "no"]
    with pytest.raises(InputError, match="no other item"):
        judge_left_out(
            ChallengeSet((items["0"],)), Outputs({A: {"0": "x"}}), people.__class__(people.all[:1])
        )


def test_judges_by_name() -> None:
    assert judge_named("patterns").name == "patterns"
    assert judge_named("metric").name == "metric:chrf"
    assert judge_named("metric:bleu:tok=intl").signature.count("tok:intl") == 1
    with pytest.raises(SpecError, match="did you mean 'patterns'"):
        judge_named("pattern")
    with pytest.raises(SpecError, match="unknown metric"):
        judge_named("metric:blue")
