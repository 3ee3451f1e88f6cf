"""The judge by patterns: what matches, what is refused, and that nothing takes forever."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judges import PatternJudge, check_patterns, judge_all
from tertium.challenge.judges.expressions import compiled
from tertium.challenge.judges.patterns import LONGEST
from tertium.challenge.outputs import Outputs, System
from tertium.challenge.setfiles import read_set, write_set
from tertium.errors import InputError
from tertium.text.normalize import plain_typography

A = System("A")


def item(judge: Mapping[str, Any] | None, reference: str = "Tu me manques.") -> Item:
    return Item("1", "Lexical", "", "Well?", "I miss you.", reference, judge=judge)


def call(judge: Mapping[str, Any] | None, text: str) -> str:
    [ruling] = PatternJudge().rule(A, [item(judge)], [text])
    assert ruling.reason
    return ruling.call


@pytest.mark.parametrize(
    ("judge", "text", "expected"),
    [
        (None, "Tu me manques.", "unsure"),
        ({}, "Tu me manques.", "unsure"),
        ({"wrong": ["Je te manque."]}, "Je te manque.", "unsure"),
        ({"accept": [r"\bme manque"]}, "TU ME MANQUES!", "yes"),
        ({"accept": ["xyz", r"\bme manque"]}, "Tu me manques.", "yes"),
        ({"accept": [r"\bme manque"]}, "Tu comme manques", "unsure"),
        ({"accept": [r"manque"], "reject": [r"\bje\b"]}, "Je te manque.", "no"),
        ({"reject": [r"\bje\b"]}, "Tu me manques.", "unsure"),
        ({"accept": [r"(?-i:Tu)"]}, "tu", "unsure"),
        ({"accept": [r"\bl'ami\b"]}, "C\u2019est l\u2019ami.", "yes"),
        ({"accept": ["\\bl\u2019ami\\b"]}, "C'est l'ami.", "yes"),
        ({"accept": ["d'e\u0301te\u0301"]}, "un soir d\u2019été", "yes"),
        ({"accept": [" \\?$"]}, "Quoi\u202f?", "yes"),
        ({"accept": [r'" oui "']}, "Il dit «\u00a0oui\u00a0».", "yes"),
        ({"words": ["tu", "manques|manque"]}, "Tu me manque", "yes"),
        ({"words": ["tu", "manques"]}, "Tute manques", "unsure"),
        ({"words": ["est-ce que"]}, "Est\u2011ce  que tu viens?", "yes"),
        ({"words": ["c++"]}, "En C++ ?", "yes"),
        ({"order": [["tu", "manque"]]}, "Tu me manques.", "yes"),
        ({"order": [["tu", "manque"]]}, "Me manques-tu?", "no"),
        ({"order": [["tu", "manque"]]}, "Manques-tu? Tu me manques.", "yes"),
        ({"order": [["tu", "manque"]]}, "Tu viens.", "unsure"),
        ({"order": [["a", "ab"]]}, "ab", "no"),
        ({"order": [["tu", "manque"]], "accept": ["beaucoup"]}, "Tu me manques.", "unsure"),
        ({"order": [["tu", "manque"]], "accept": ["beaucoup"]}, "Tu me manques beaucoup.", "yes"),
        ({"accept": ["a"]}, "", "unsure"),
        ({"accept": ["a"]}, " \u200b ", "unsure"),
        ({"accept": ["a"]}, "a" * LONGEST, "yes"),
        ({"accept": ["a"]}, "a" * (LONGEST + 1), "unsure"),
    ],
)
def test_rulings(judge: Mapping[str, Any] | None, text: str, expected: str) -> None:
    assert call(judge, text) == expected


@pytest.mark.parametrize(
    ("judge", "said"),
    [
        ({"acept": ["a"]}, "judge: acept: unknown key; did you mean 'accept'?"),
        ({"accept": "a"}, "judge: accept must be a list of strings, not 'a'"),
        ({"accept": ["a", 3]}, "judge: accept[2] must be a string, not 3"),
        ({"reject": ["a", "("]}, "judge: reject[2]: '(': is not a regular expression"),
        ({"reject": [" "]}, "judge: reject[1]: ' ': the pattern is empty"),
        ({"accept": ["a*"]}, "judge: accept[1]: 'a*': matches the empty text"),
        ({"accept": ["a" * 501]}, "judge: accept[1]: the pattern has 501 characters"),
        ({"accept": ["(a+)+b"]}, "judge: accept[1]: '(a+)+b': a repeat can match the same text in two ways"),
        ({"accept": [r"(a)\1"]}, "a back-reference to a group"),
        ({"accept": ["a.*b.*c.*d.*e"]}, "has 4 runs over any text"),
        ({"order": [["a"]]}, "judge: order[1] must be a pair of patterns, not ['a']"),
        ({"order": [["a", "b"], ["a", "["]]}, "judge: order[2][2]: '[': is not a regular expression"),
        ({"words": ["a|"]}, "judge: words[1]: 'a|' names no word"),
        ({"wrong": [""]}, "judge: wrong[1] is empty"),
        ({"wrong": ["Tu  me manques."]}, "judge: wrong[1] is the reference itself"),
    ],
)
def test_what_cannot_be_used_is_named_by_item_and_key(judge: Mapping[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        call(judge, "Tu me manques.")
    assert str(error.value).startswith("item '1': judge: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


FINE = [
    r"(?: \w+){0,3} x",
    r"(?:\w+ )*x",
    r"(?:très |bien )*x",
    r"a(?:\w+\s+)*b",
    r"(?:[a-z]+, )+",
    r"(?:\w+(?:-\w+)? ){0,4}x",
    r"\b(?:n'|ne )(?:\w+ ){1,3}pas\b",
    r"(?:ab){2,5}",
    r"(?:le |le petit )*chat",
    r"(?:中国|日本)+人",
    r"ne .* pas .* plus",
    r"(?:a|b|c)+d",
    r"\bà(?! la)",
    r"(?<=x)a++b",
]
ENDLESS = [
    r"(a+)+$",
    r"(a*)*$",
    r"(?:ab|ab)*$",
    r"(a|b|ab)*$",
    r"(\w+\s?)*$",
    r"(?:\w+\w+ )*$",
    r"(.*)*$",
    r"(\d+|\w+)+$",
    r"(?:a?b?)+$",
    r"x(?=(?:\w+ ?)+$)",
    r"(?:\w+-?){0,9}$",
    r"(?:[^x]+中?)+$",
    r"(?:中+国?中)+$",
]


@pytest.mark.parametrize("expression", FINE)
def test_what_finishes_is_allowed(expression: str) -> None:
    assert compiled(expression)


@pytest.mark.parametrize("expression", ENDLESS)
def test_what_may_take_forever_is_refused(expression: str) -> None:
    with pytest.raises(InputError, match=r"two ways|empty text"):
        compiled("q" + expression)


ATOMS = st.sampled_from(["a", "b", " ", r"\w", "[ab]", "[^a]", "ab", "a?"])


@given(
    st.recursive(
        ATOMS,
        lambda inner: st.one_of(
            st.tuples(inner, inner).map("".join),
            st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
            st.tuples(inner, st.sampled_from(["*", "+", "?", "{1,3}"])).map(lambda p: f"(?:{p[0]}){p[1]}"),
        ),
        max_leaves=6,
    ),
    st.sampled_from(["a", "b", "ab", "a ", "ab b"]),
)
@example(r"(?:\w+)*", "a")
@example(r"(?:\w+ )*", "a ")
@settings(max_examples=500, deadline=None)
def test_allowed_expressions_need_few_steps(expression: str, turn: str) -> None:
    """What is allowed costs a power of the length at most: a matcher that tries all ways counts its steps."""
    try:
        compiled(f"q{expression}#")
    except InputError:
        return
    import re

    tree = re._parser.parse(expression)  # type: ignore[attr-defined]
    short, long = (
        _steps(list(tree), turn * n) for n in (8, 16)
    )  # twice the length: 64 times the steps is a sixth power
    assert long <= 64 * short, f"{expression!r} on {turn!r}: {short} steps, then {long}"


def _steps(tree: Any, text: str, most: int = 100_000) -> int:
    """How many steps a matcher that goes back takes to find that nothing follows an expression."""
    taken = 0

    def ways(parts: Any, at: int) -> Any:
        nonlocal taken
        taken += 1
        if taken > most:
            return
        if not parts:
            yield at
            return
        (operation, value), rest = parts[0], parts[1:]
        for end in one(str(operation), value, at):
            yield from ways(rest, end)

    def one(name: str, value: Any, at: int) -> Any:
        from tertium.challenge.judges.ambiguity import ATOMS, characters, parts

        if name in ATOMS:
            if at < len(text) and text[at] in characters([(name, value)]):
                yield at + 1
        elif name == "BRANCH":
            for way in value[1]:
                yield from ways(list(way), at)
        elif name == "MAX_REPEAT":
            yield from turns(value, at, 0)
        else:
            [inner] = parts(name, value)
            yield from ways(list(inner), at)

    def turns(value: Any, at: int, done: int) -> Any:
        least, most, body = value
        if done < most:
            for end in ways(list(body), at):
                if end > at:
                    yield from turns(value, end, done + 1)
        if done >= least:
            yield at

    for _ in ways(tree, 0):
        pass
    return taken


def test_a_looping_output_is_judged_soon() -> None:
    """The slowest pattern that is allowed, on the worst text of the greatest length: seconds, not hours."""
    assert call({"accept": [r"a.* .* .* x"]}, "a " * (LONGEST // 2)) == "unsure"


def test_references_must_pass_and_wrong_versions_must_not() -> None:
    good = item({"accept": [r"\bme manque"], "reject": [r"\bte manque"], "wrong": ["Je te manque."]})
    assert check_patterns(ChallengeSet((good,))) == []
    loose = item({"accept": ["manque"], "wrong": ["Je te manque."]}, reference="Il me manquera.")
    assert check_patterns(ChallengeSet((loose,))) == [
        "item '1': wrong[1] is judged yes, not no: 'accept' matches: manque"
    ]


def test_the_key_travels_through_both_file_forms(tmp_path: Path) -> None:
    judge = {
        "accept": [r"\bl'\w+\\"],
        "order": [["a", "b\t"]],
        "words": ["é|è"],
        "wrong": ['Il a dit "non".'],
    }
    items = ChallengeSet((item(judge),), "set")
    for name in ("set.jsonl", "set.tsv"):
        write_set(tmp_path / name, items)
        assert json.loads(json.dumps(read_set(tmp_path / name)["1"].judge)) == judge


def test_judge_all_keeps_the_order_and_skips_what_has_no_output() -> None:
    items = ChallengeSet(
        tuple(Item(str(i), "Lexical", "", "Well?", "x", judge={"accept": ["oui"]}) for i in range(3))
    )
    outputs = Outputs({System("B"): {"2": "oui", "0": "non"}, A: {"1": "oui"}})
    found = judge_all(items, outputs)
    assert [(v.system.name, v.item, v.call) for v in found] == [
        ("B", "0", "unsure"),
        ("B", "2", "yes"),
        ("A", "1", "yes"),
    ]
    assert [(j.item, j.annotator, j.answer) for j in found.judgements()] == [
        ("2", "auto:patterns", "yes"),
        ("1", "auto:patterns", "yes"),
    ]
    assert dict(found.for_people(outputs).texts) == {System("B"): {"0": "non"}}
    found.judgements().check(items, outputs)
    with pytest.raises(InputError, match="unknown item '9'"):
        judge_all(items, Outputs({A: {"9": "oui"}}))
    with pytest.raises(InputError, match="needs outputs"):
        judge_all(items)


@given(st.text(max_size=30))
@example("e\u200b\u0301")
@example("\u1fef")
def test_plain_typography_is_stable(text: str) -> None:
    plain = plain_typography(text)
    assert plain_typography(plain) == plain
    assert "  " not in plain
    assert plain == plain.strip()
