"""Items and their files: lossless both ways, and every slip named with its line."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.challenge.authors import Release
from tertium.challenge.checking import contents_table, doubts, problems
from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.outputs import Outputs
from tertium.challenge.setfiles import read_set, write_set
from tertium.challenge.spans import marked, unmarked
from tertium.errors import InputError
from tests.challenge.conftest import A, item

GOOD: dict[str, Any] = {"id": "1", "category": "Lexical", "question": "Well?", "source": "It rains."}


def jsonl(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["jsonl", "tsv"])
def test_there_and_back(items: ChallengeSet, tmp_path: Path, form: str) -> None:
    first, second = tmp_path / f"a.{form}", tmp_path / f"b.{form}"
    write_set(first, items)
    again = read_set(first)
    assert again.items == items.items
    write_set(second, again)
    assert first.read_bytes() == second.read_bytes()


TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=12).filter(
    lambda text: not any((c < " " and c not in "\t\n\r") or c == "\x7f" for c in text)
)
WORD = TEXT.map(lambda text: "".join(text.split()) + "x").filter(str.isprintable)


@st.composite
def any_item(draw: st.DrawFn, identity: str) -> Item:
    source, reference = draw(TEXT) + "s", draw(TEXT)

    def spans(text: str) -> tuple[tuple[int, int], ...]:
        edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
        pairs = tuple(zip(edges[::2], edges[1::2], strict=False))
        touching = tuple(itertools.pairwise(edges))
        return draw(st.sampled_from([pairs, touching]))

    return Item(
        identity,
        draw(WORD),
        draw(WORD),
        draw(TEXT) + "?",
        source,
        reference,
        spans(source),
        spans(reference),
        draw(st.sampled_from(["", "en-fr", "zh_Hant-pt_BR"])),
        draw(TEXT),
        draw(st.sampled_from([None, {}, {"accept": ["\\bx\t*"]}])),
        draw(st.sampled_from([{}, {"a": "\\\n*\u2028"}])),
    )


@settings(deadline=None)
@given(st.data())
def test_any_set_goes_through_both_forms(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("sets")
    items = ChallengeSet(tuple(data.draw(any_item(str(i))) for i in range(2)))
    write_set(folder / "a.tsv", items)
    write_set(folder / "a.jsonl", read_set(folder / "a.tsv"))
    assert read_set(folder / "a.jsonl").items == items.items


@given(TEXT)
def test_marks_are_undone(text: str) -> None:
    assert unmarked(marked(text, ()), "x") == (text, ())
    assert "\t" not in marked(text, ())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("an *open span", "never closes"),
        ("** nothing", "two stars with nothing in between"),
        (r"a \q", "a backslash stands before 'q'"),
        ("at the end \\", "a backslash stands before ''"),
    ],
)
def test_marks_that_say_nothing_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=f"^here: .*{words}"):
        unmarked(text, "here")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sourse": "x"}, "line 2: sourse: unknown key; did you mean 'source'?"),
        ({"id": 7}, "line 2: id must be a string, not 7"),
        ({"id": "1"}, "line 2: the id '1' occurs twice (first at line 1)"),
        ({"id": " x"}, "line 2: item ' x': 'id' has leading or trailing white space"),
        ({"question": " "}, "line 2: item '2': 'question' is empty"),
        ({"source_spans": [[3, 99]]}, "'source_spans' [3, 99] is out of range: the text has 9 characters"),
        ({"source_spans": [[-1, 2]]}, "'source_spans' [-1, 2] is out of range"),
        ({"source_spans": [[4, 3]]}, "'source_spans' [4, 3] is out of range"),
        ({"source_spans": [[3, 3]]}, "'source_spans' [3, 3] is empty"),
        ({"source_spans": [[0, 4], [3, 6]]}, "[3, 6] overlaps the span before it"),
        (
            {"reference_spans": [[0, 1]]},
            "'reference_spans' [0, 1] is out of range: the text has 0 characters",
        ),
        ({"source_spans": [[0, 1.5]]}, "source_spans[1][2] must be a whole number, not 1.5"),
        ({"source_spans": "0-3"}, "source_spans must be a list of [start, end] in characters, not '0-3'"),
        ({"languages": "english"}, "'languages' must be a pair such as en-fr, not 'english'"),
        ({"judge": ["x"]}, "judge must be an object, not ['x']"),
        ({"notes": "a\x07"}, "'notes' contains the control character '\\x07'"),
        ({"notes": None}, "notes must be a string, not None"),
    ],
)
def test_slips_in_json_lines(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    path = jsonl(tmp_path / "set.jsonl", GOOD, {**GOOD, "id": "2", **change})
    with pytest.raises(InputError) as refused:
        read_set(path)
    assert str(refused.value).startswith(f"{path}: line 2: ")
    assert words in str(refused.value)
    assert problems(path) == [str(refused.value)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"id": "1"', "line 1: is not JSON"),
        ("[1]", "line 1: holds a list, where an object"),
        ('{"id": "1", "id": "2"}', "line 1: the key 'id' occurs twice in one object"),
        ('{"id": NaN}', "line 1: NaN is not JSON"),
        ("\n\n", "has no items"),
        ('{"id": "1"}', "line 1: category, question and source are missing"),
        ("[" * 100_000, "line 1: the JSON is nested too deeply"),
    ],
)
def test_what_is_no_item_at_all(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_set(path)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["id\tcategory\tsource", "1\tx\ty"], "line 1: the header has no column 'question'"),
        (
            ["id\tcategory\tquestion\tsource\tsauce", ""],
            "line 1: unknown column 'sauce'; did you mean 'source'?",
        ),
        (["id\tid\tcategory\tquestion\tsource", ""], "line 1: the column 'id' occurs twice"),
        (
            ["id\tcategory\tquestion\tsource", "1\tx\ty"],
            "line 2: has 3 fields, but the header names 4 columns",
        ),
        (["id\tcategory\tquestion\tsource", "1\tx\t\ts"], "line 2: item '1': 'question' is empty"),
        (
            ["id\tcategory\tquestion\tsource", "1\tx\t\\q\ts"],
            "line 2, column question: '\\\\q' is not an escape sequence",
        ),
        (["id\tcategory\tquestion\tsource", "1\tx\tq\t*s"], "line 2, column source: a star opens"),
        (["id\tcategory\tquestion\tsource\tjudge", "1\tx\tq\ts\t{"], "line 2, column judge: is not JSON"),
    ],
)
def test_slips_in_tables(tmp_path: Path, lines: list[str], words: str) -> None:
    path = tmp_path / "set.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_set(path)
    assert words in str(refused.value)
    assert problems(path) == [str(refused.value)]


def test_a_table_from_windows(tmp_path: Path) -> None:
    path = tmp_path / "set.tsv"
    path.write_bytes(b"\xef\xbb\xbfid\tsource\tcategory\tquestion\r\n1\tA *b* c\tx\ty?\r\n")
    assert read_set(path)["1"].highlighted("source") == ("b",)
    assert read_set(path)["1"].question == "y?"


def test_all_problems_at_once(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "set.jsonl", {**GOOD, "x": 1}, GOOD, [], GOOD)
    found = problems(path)
    assert [line.split(": ")[1] for line in found] == ["line 1", "line 2", "line 3", "line 4"]
    assert problems(jsonl(path, GOOD)) == []


def test_a_set_is_a_jsonl_or_tsv_file(tmp_path: Path, items: ChallengeSet) -> None:
    for name in ("set.txt", "set"):
        with pytest.raises(InputError, match=r"is a \.jsonl or a \.tsv file"):
            write_set(tmp_path / name, items)
    with pytest.raises(InputError, match="a set is written uncompressed"):
        write_set(tmp_path / "set.tsv.gz", items)
    assert list(tmp_path.iterdir()) == []


def test_a_set_knows_its_items(items: ChallengeSet) -> None:
    assert "L1" in items
    assert items.categories == {"Lexical": ("Idioms", "Compounds"), "Syntactic": ("Tags",)}
    assert [i.id for i in items.only(["S1", "L1"])] == ["L1", "S1"]
    with pytest.raises(InputError, match="place: unknown item 'L9'; did you mean"):
        items.required("L9", "place")
    with pytest.raises(InputError, match="the id 'x' occurs twice"):
        ChallengeSet((item("x"), item("x")))
    with pytest.raises(InputError, match="has no items"):
        ChallengeSet(())


def test_contents_and_doubts(items: ChallengeSet) -> None:
    found = contents_table(items)
    assert found.rows[-1] == ("Overall", "", 5, 5, 1, 1)
    assert found.notes == ("languages: en-fr (1), unknown (4)",)
    twice = ChallengeSet((item("x", source="same"), item("y", source="same")))
    lines = list(doubts(Release(twice, Outputs({A: {"x": " "}}), None)))
    assert "the same source sentence occurs 2 times (x, y)" in lines
    assert "A has no output for 1 items: y" in lines
    assert "A has an empty output for x" in lines
    assert any(line.startswith("subcategories with fewer than 3 items") for line in lines)


def test_everything_wrong_with_a_line_is_said_at_once(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(
        '{"id": "1", "category": "a", "question": "q", "source": "s"}\n'
        '{"id": "1", "category": 3, "sourse": "s"}\n'
        "no JSON\n"
        '{"id": "2", "category": "a", "question": "q", "source": "s", "source_spans": [[0, 99]]}\n'
    )
    said = [line.removeprefix(f"{path}: ") for line in problems(path)]
    assert [line.partition("; did")[0] for line in said] == [
        "line 2: sourse: unknown key",
        "line 2: question and source are missing",
        "line 2: category must be a string, not 3",
        "line 2: the id '1' occurs twice (first at line 1)",
        "line 3: is not JSON: Expecting value at character 1",
        "line 4: item '2': 'source_spans' [0, 99] is out of range: the text has 1 characters",
    ]
