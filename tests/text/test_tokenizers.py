"""The tokenisers give what sacrebleu 2.6.0 gives: for every code point, every rule, and text at random."""

import itertools
import pathlib
from collections.abc import Callable, Iterator

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from tertium.text.tokenizers import tokenize
from tests.twins.tokenizers import tokenize as twin
from tools import make_unicode_tables


def tercom(flags: str) -> TercomTokenizer:
    # Lower-casing is done before the tokeniser is called.
    return TercomTokenizer(
        normalized="n" in flags, no_punct="p" in flags, asian_support="a" in flags, case_sensitive=True
    )


ORACLES = {
    "none": NoneTokenizer(),
    "char": TokenizerChar(),
    "13a": Tokenizer13a(),
    "intl": TokenizerV14International(),
    "zh": TokenizerZh(),
    "tercom": tercom(""),
    **{f"tercom-{flags}": tercom(flags) for flags in ("n", "p", "a", "np", "na", "pa", "npa")},
}
# Those that see where a line begins and ends; 13a and tercom put spaces around the text.
SEEING_EDGES = ["none", "char", "intl", "zh"]
EVERY_NAME = pytest.mark.parametrize("name", list(ORACLES))


def oracle(name: str) -> Callable[[str], list[str]]:
    tokenizer = ORACLES[name]
    call = type(tokenizer).__call__
    uncached = getattr(call, "__wrapped__", call)  # nothing here is asked twice
    return lambda line: uncached(tokenizer, line.rstrip()).split()


def check(name: str, lines: list[str]) -> None:
    assert lines
    expected = oracle(name)
    different = [
        (line, wanted, given)
        for line, given in zip(lines, tokenize(lines, name), strict=True)
        if given != (wanted := expected(line))
    ]
    line, wanted, found = different[0] if different else ("", [], [])
    assert not different, (
        f"{name}: {len(different)} of {len(lines)} lines differ, the first is {line!a}: "
        f"sacrebleu gives {wanted!a}, tertium {found!a}"
    )


# ---- every code point ------------------------------------------------------------------------------------

# Letters without case or rules of their own, private characters and surrogates: nine tenths of all assigned
# code points. They get fewer contexts and share lines.
UNIFORM = r"[\p{Co}\p{Cs}]|(?=[\u3400-\U0010ffff])\p{Lo}"


@pytest.fixture(scope="module")
def code_points() -> dict[str, list[str]]:
    everything = "".join(map(chr, range(0x110000)))
    uniform = regex.findall(UNIFORM, everything)
    unassigned = regex.findall(r"\p{Cn}", everything)
    known = {*uniform, *unassigned}
    various = [character for character in everything if character not in known]
    assert len(uniform) + len(unassigned) + len(various) == 0x110000
    return {"various": various, "uniform": uniform, "unassigned": unassigned}


def same_in_both_tables(name: str, characters: list[str]) -> list[str]:
    """Without the characters that an installed `regex` of another Unicode version sees differently."""
    if name != "intl":
        return characters
    _, ours = make_unicode_tables.read_header(make_unicode_tables.HEADER.read_text(encoding="utf-8"))
    theirs = make_unicode_tables.classes()
    return [character for character in characters if ours[ord(character)] == theirs[ord(character)]]


def batches(characters: list[str], size: int) -> Iterator[list[str]]:
    for start in range(0, len(characters), size):
        yield characters[start : start + size]


def test_the_unicode_tables_are_those_of_regex() -> None:
    text = make_unicode_tables.HEADER.read_text(encoding="utf-8")
    version, ours = make_unicode_tables.read_header(text)
    if version != make_unicode_tables.unicode_version():
        pytest.skip(f"tables are of Unicode {version}, regex has {make_unicode_tables.unicode_version()}")
    assert ours == make_unicode_tables.classes()
    assert text == make_unicode_tables.render()
    letters = make_unicode_tables.LETTERS_HEADER.read_text(encoding="utf-8")
    assert letters == make_unicode_tables.render_letters()


@EVERY_NAME
def test_various_code_points_in_many_contexts(name: str, code_points: dict[str, list[str]]) -> None:
    # Contexts are kept apart by tabs: a space would be one more symbol to the western rules, and slow.
    contexts = [
        "{c}.5", "{c}", "a{c}b", "1{c}2", "1{c}b", "a{c}2", "3.{c}4", "5{c},6", "7{c}-{c}8", ".{c}", "{c},",
        "x..{c}", "{c}..9", "'{c}s", "'{c}", "a's{c}", "{c}'s", "{c}",
    ]  # fmt: skip
    characters = same_in_both_tables(name, code_points["various"])
    check(name, ["\t".join(contexts).replace("{c}", character) for character in characters])


@pytest.mark.parametrize("name", [*SEEING_EDGES, "13a"])
def test_various_code_points_at_the_edges_of_a_line(name: str, code_points: dict[str, list[str]]) -> None:
    characters = same_in_both_tables(name, code_points["various"])
    for context in ("{c}", "1{c}", "{c}1", "a.{c}", "{c},", ".{c}2"):
        check(name, [context.replace("{c}", character) for character in characters])


@EVERY_NAME
def test_uniform_code_points(name: str, code_points: dict[str, list[str]]) -> None:
    characters = same_in_both_tables(name, code_points["uniform"])
    check(
        name,
        ["\t".join(f"{c}5\t1{c}.2{c}" for c in characters) for characters in batches(characters, 16)],
    )


@pytest.mark.parametrize("name", SEEING_EDGES)
def test_uniform_code_points_alone(name: str, code_points: dict[str, list[str]]) -> None:
    check(name, same_in_both_tables(name, code_points["uniform"]))


@pytest.mark.parametrize("name", ["13a", "intl", "zh", "tercom-npa"])
def test_unassigned_code_points(name: str, code_points: dict[str, list[str]]) -> None:
    characters = same_in_both_tables(name, code_points["unassigned"])
    check(name, ["\t".join(f"a{c}1" for c in characters) for characters in batches(characters, 64)])


# ---- every rule ------------------------------------------------------------------------------------------


@EVERY_NAME
def test_runs_of_points_between_all_sorts_of_neighbours(name: str) -> None:
    runs = ["".join(run) for n in range(1, 6) for run in itertools.product(".,", repeat=n)]
    runs += [mark * n for n in (6, 7) for mark in ".,"] + ["-", "--", ".-", "-.", ".-.", "..-..", ",-,"]
    neighbours = ["", "1", "a", " ", "-", "!", "'", "\t", "\u00a0", "\u0663", "é", "中", "&amp;"]
    check(name, [f"{left}{run}{right}" for left in neighbours for run in runs for right in neighbours])


@EVERY_NAME
def test_what_is_rewritten(name: str) -> None:
    pieces = [
        "&amp;", "&quot;", "&lt;", "&gt;", "&", "amp;", "quot;", "lt;", "gt;", "&apos;",
        "<skipped>", "<skip", "ped>", "-", "\n", "-\n", "\n-", "1", "a", " ", ".", ";",
    ]  # fmt: skip
    check(name, ["".join(parts) for n in (1, 2, 3) for parts in itertools.product(pieces, repeat=n)])


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("13a", "&amp;quot; &amp;lt; &amp;amp;gt;", ["&", "quot", ";", "<", "&", "amp", ";", "gt", ";"]),
        ("13a", "a<ski<skipped>pped>b", ["a", "<", "skipped", ">", "b"]),
        ("13a", "--\n\nb", ["-", "b"]),
        ("13a", "end-\n", ["end-"]),
        ("13a", "3.5 3..5 3...5", ["3.5", "3", ".", ".", "5", "3", ".", ".", ".5"]),
        ("13a", "x.5 x..5 3. .5", ["x", ".", "5", "x", ".", ".5", "3", ".", ".", "5"]),
        ("13a", "1-2--3 a-b", ["1", "-", "2", "-", "-3", "a-b"]),
        ("13a", "a\x1cb\u0085c\u3000d\u200be", ["a", "b", "c", "d\u200be"]),
        ("zh", ".5 3.", [".5", "3."]),
        ("zh", "\u2014中\U00020000文", ["\u2014", "中", "\U00020000", "文"]),
        ("intl", "In 2017.", ["In", "2017."]),
        ("intl", "1\u00b72\u00b7a $5", ["1\u00b72", "\u00b7", "a", "$", "5"]),
        ("char", "a b\ud800", ["a", "b", "\ud800"]),
        ("tercom", "Bob's 3.", ["Bob's", "3."]),
        ("tercom-n", "Bob's, Bob's! Bob's", ["Bob's", ",", "Bob", "'s", "!", "Bob", "'s"]),
        ("tercom-n", "Bob's\nBob's\tBob's中", ["Bob", "'s", "Bob's", "Bob's中"]),
        ("tercom-p", "U.S. (3.5)!", ["US", "35"]),
        ("tercom-np", "x 3.5.", ["x", "35"]),
        ("tercom-na", "かな漢字、カナ", ["かな", "漢", "字", "、", "カナ"]),
        ("tercom-npa", "かな漢字、カナ", ["かな", "漢", "字", "カナ"]),
        ("tercom-pa", "漢字、仮名（終）", ["漢字仮名終"]),
    ],
)  # fmt: skip
def test_oddities(name: str, text: str, tokens: list[str]) -> None:
    assert tokenize([text], name) == [tokens]
    assert oracle(name)(text) == tokens
    assert twin(name, text) == tokens


@EVERY_NAME
def test_long_lines_and_every_alignment(name: str) -> None:
    """Lines around the widths in which the scanner reads, with each thing at each place."""
    things = ["a", " ", ".", "1.5", "-", "&amp;", "'s ", "é", "\u00a0", "\u3000", "中", "\U0001f600"]
    lines = ["x" * before + thing + "y1" * 8 for before in range(70) for thing in things]
    lines += ["x" * before + thing for before in range(140) for thing in things]
    lines += ["." * 1000, "a." * 700 + "5", "1." * 3000, "! " * 3000, "中" * 1000, "'s " * 500]
    check(name, lines)


def test_no_lines_and_empty_lines() -> None:
    for name in ORACLES:
        assert tokenize([], name) == []
        assert tokenize(["", " ", "\n", "\u3000\t"], name) == [[], [], [], []]


# ---- at random -------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *".,.,.,--01ab &;<>\"'!?:()$+/\n\t", "word", "'s", "'s ", "-\n", "\n-",
        "<skipped>", "&amp;", "&quot;", "&lt;", "&gt;", "lt;",
        *"\u00a0\u3000\u2028\u0085\u1680\x1c\x1b\x7f\u200b\u2009",
        *"é٣½²Ⅷ€«»·،—“”…。、「」（）．，･ー・ｱあいアイㇰㇱ中文㈱㍻\ufe30\uf900",
        "\ud800", "\udfff", "\U00020000", "\U0001f600", "\U0001d7d9", "\U00010107",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=60).map("".join), st.text(max_size=40))


@EVERY_NAME
@settings(max_examples=100, deadline=None)
@given(lines=st.lists(TEXTS, min_size=1, max_size=8))
def test_text_at_random(name: str, lines: list[str]) -> None:
    check(name, lines)
    assert tokenize(lines, name) == [twin(name, line) for line in lines]


# ---- golden ----------------------------------------------------------------------------------------------


def read_lines(path: pathlib.Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


@pytest.mark.golden
def test_13a_gives_the_golden_tokens(shared: pathlib.Path) -> None:
    inputs = shared / "golden" / "inputs"
    tokenized = sorted((inputs / "tok13a").iterdir())
    assert tokenized
    for path in tokenized:
        folder, _, file = path.name.partition(".")
        tokens = tokenize(read_lines(inputs / folder / file), "13a")
        assert [" ".join(line) for line in tokens] == read_lines(path), path.name


@pytest.mark.golden
@EVERY_NAME
def test_golden_inputs(name: str, shared: pathlib.Path) -> None:
    every = 1 if name == "13a" else 8  # all of it takes long, nearly all of that in sacrebleu
    for folder in ("challenge", "multi", "snmt", "ted"):
        for path in sorted((shared / "golden" / "inputs" / folder).iterdir()):
            check(name, read_lines(path)[::every])
