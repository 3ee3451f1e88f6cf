"""Semantic roles: CoNLL-2009 and ASSERT files become the frames of YiSi's program; bad ones are refused by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.io.conll09 import read_parses
from tertium.text.srl import Frame, Parse, Role, aligned_frames, kind, role_counts, weights_of_roles


def printed(path: Path) -> list[str]:
    return [line.rstrip() for line in path.read_text(encoding="utf-8").splitlines()]


def test_conll09_gives_the_graphs_of_srlutil_test(shared: Path) -> None:
    folder = shared / "data" / "yisi"
    parses = read_parses(folder / "test_ref.en.conll09")
    assert [line for parse in parses for line in parse.lines()] == printed(
        folder / "ref" / "srlutil_test.out"
    )
    assert len(parses) == 10


def test_assert_gives_the_graphs_of_srlgraph_test(shared: Path) -> None:
    folder = shared / "data" / "yisi"
    lines = [line for parse in read_parses(folder / "test_ref.en.assert") for line in parse.lines()]
    expected = [line for line in printed(folder / "ref" / "srlgraph_test.out")[2:] if "[TARGET " in line]
    # The program prints the sentence's own words, ASSERT its American spelling.
    assert lines == [line.replace("organisation", "organization") for line in expected]


ROW = "{}\t{}\t_\t_\t_\t_\t_\t_\t{}\t{}\t_\t_\t_\t{}\t{}"


def sentence(*rows: tuple[object, ...]) -> str:
    return "\n".join(ROW.format(n, word, head, head, pred, arg) for n, word, head, pred, arg in rows) + "\n"


GOOD = sentence((1, "He", 2, "_", "A0"), (2, "sleeps", 0, "sleep.01", "_"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\ta\tb\n", "line 1: CoNLL-2009 has 14 columns or more, found 3"),
        (GOOD.replace("\tA0", ""), "line 2: 15 columns, but the sentence begins with 14"),
        (GOOD.replace("2\tsleeps", "3\tsleeps"), "line 2: word 2 of the sentence has the number '3'"),
        (sentence((1, "He", 7, "_", "A0")), "line 1: the head '7' is not a word of the sentence"),
        (GOOD.replace("sleep.01", "_"), "line 1: the sentence has 0 predicates, but 1 columns of arguments"),
    ],
)
def test_bad_conll09_is_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.conll09"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_parses(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no number here\n", "line 1: a frame begins with the sentence's number and a colon"),
        ("0: [A0 He] sleeps\n", r"line 1: expected one \[TARGET ...\], found 0"),
        ("0: [A0 He] [TARGET sleeps]\n0: [A0 He\n", "line 2: the role A0 is not closed"),
        ("0: He [TARGET sleeps]\n0: She [TARGET sleeps]\n", "line 2: the words differ from an earlier frame"),
    ],
)
def test_bad_assert_is_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.assert"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_parses(path)


def test_arguments_do_not_reach_through_the_predicate(tmp_path: Path) -> None:
    """A relative clause: 'the man who sleeps snores', where the man is an argument of both."""
    rows = [
        "1\tthe\t_\t_\t_\t_\t_\t_\t2\t2\t_\t_\t_\t_\t_\t_",
        "2\tman\t_\t_\t_\t_\t_\t_\t5\t5\t_\t_\t_\t_\tA0\tA0",
        "3\twho\t_\t_\t_\t_\t_\t_\t4\t4\t_\t_\t_\t_\tR-A0\t_",
        "4\tsleeps\t_\t_\t_\t_\t_\t_\t2\t2\t_\t_\tY\tsleep.01\t_\t_",
        "5\tsnores\t_\t_\t_\t_\t_\t_\t0\t0\t_\t_\tY\tsnore.01\t_\t_",
    ]
    path = tmp_path / "clause.conll09"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    (parse,) = read_parses(path)
    assert parse.lines() == [
        "[A0 the man] [R-A0 who] [V sleeps] snores",
        "[A0 the man who sleeps] [V snores]",
    ]


def test_heads_in_a_circle_come_to_an_end(tmp_path: Path) -> None:
    path = tmp_path / "circle.conll09"
    path.write_text(
        sentence((1, "a", 2, "_", "A0"), (2, "b", 1, "_", "_"), (3, "c", 0, "c.1", "_")), encoding="utf-8"
    )
    (parse,) = read_parses(path)
    assert parse.lines() == ["[A0 a b] [V c]"]


def test_kinds_of_roles() -> None:
    same = {
        "predicate": "V VB C-V TARGET",
        "agent": "A0 C-A0 R-A0 ARG0 ARG0-BY arg0-agt arg0-src",
        "patient": "A1 ARG1 ARG1-TO C-ARG1-AS R-ARG1-IN arg1-tem arg1-pat",
        "beneficiary": "A2 ARG2-FROM ARGM-BNF arg2-ben arg3-exp argM-atr BNF",
        "time": "AM-TMP C-AM-TMP ARG2-TMP ARGM-TM argM-tmp TMP",
        "place": "A3 A4 AM-LOC AM-DIR ARG1-LOC ARG3-TO ARGM-TO arg4-des LOC DIR",
        "cause": "AM-CAU AM-PNC ARG2-CAU ARGM-PRP argM-cau PRP",
        "other": "AM-MNR AM-EXT AM-MOD AM-NEG A5 AA AM-ADV AM-DIS ARG2-MNR ARGM-ADV argM-adv whatever",
    }
    for name, labels in same.items():
        assert {label: kind(label) for label in labels.split()} == dict.fromkeys(labels.split(), name)


def test_role_weights_count_predicates_a_quarter() -> None:
    frame = Frame(Role("V", (1, 2)), (Role("A0", (0, 1)), Role("A1", (2, 3))))
    weights = weights_of_roles(role_counts([Parse(("a", "b", "c"), (frame, frame)), None]))
    assert weights["predicate"] == 1.5
    assert weights["agent"] == weights["patient"] == 3.0
    assert weights["time"] == 1.0


def test_frames_are_aligned_by_their_predicates() -> None:
    """Precision and recall may choose different pairs; here both take the heavier diagonal."""
    theirs = Parse(
        ("x", "y", "z"), (Frame(Role("V", (0, 1)), (Role("A1", (2, 3)),)), Frame(Role("V", (1, 2))))
    )
    ours = Parse(("p", "q", "r"), (Frame(Role("V", (0, 1))), Frame(Role("V", (1, 2)), (Role("A0", (2, 3)),))))
    table = {(0, 0): 0.2, (0, 1): 0.9, (1, 0): 0.7, (1, 1): 0.8, (2, 2): 0.5}

    def compare(pairs: object) -> list[tuple[float, float]]:
        return [(table[a, c], table[a, c] / 2) for a, _, c, _ in pairs]  # type: ignore[attr-defined]

    recalled, precise = aligned_frames(theirs, ours, compare)
    assert [one.predicate for one in recalled] == [0.45, 0.35]
    assert [one.predicate for one in precise] == [0.7, 0.9]
    assert recalled[0].arguments == {0: (0.25, "A0")}
    assert precise[1].arguments == {0: (0.5, "A1")}
