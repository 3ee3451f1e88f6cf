"""Settings as typed classes: what is right is read, and whatever is wrong is named by its path, at every depth."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.io.settings import Between, File, NonEmpty, OneOf, Origin, Written, Wrong, check, keys_of, read
from tertium.io.toml import line_of


class Marks(TypedDict, total=False):
    good: float
    bad: float


@dataclass(frozen=True)
class Leaf:
    word: Annotated[str, NonEmpty()]
    count: Annotated[int, Between(0, 99)] = 1
    level: Literal["system", "segment"] = "system"
    leaves: tuple[Leaf, ...] = ()


@dataclass(frozen=True)
class Tree:
    name: str
    root: Leaf
    share: float = 0.5
    open: bool = False
    words: tuple[str, ...] = ()
    edges: tuple[int, int] | None = None
    files: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    colour: Annotated[str, OneOf(lambda: ("red", "green"))] = "red"
    marks: Marks = field(default_factory=Marks)
    hyphenated: int = field(default=0, metadata={"key": "with-hyphen"})
    secret: int = field(default=7, metadata={"key": None})


WORDS = st.text(min_size=1, max_size=5)
LEAVES = st.recursive(
    st.fixed_dictionaries({"word": WORDS}, optional={"count": st.integers(0, 99)}),
    lambda inner: st.fixed_dictionaries({"word": WORDS, "leaves": st.lists(inner, max_size=2)}),
    max_leaves=4,
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
TREES = st.fixed_dictionaries(
    {"name": st.text(max_size=3), "root": LEAVES},
    optional={
        "share": NUMBERS,
        "open": st.booleans(),
        "words": st.lists(st.text(max_size=3), max_size=3),
        "edges": st.lists(st.integers(), min_size=2, max_size=2),
        "files": st.dictionaries(WORDS, st.text(max_size=3) | st.lists(st.text(max_size=3)), max_size=2),
        "colour": st.sampled_from(["red", "green"]),
        "marks": st.fixed_dictionaries({}, optional={"good": NUMBERS, "bad": NUMBERS}),
        "with-hyphen": st.integers(),
    },
)


def plain(made: Tree) -> dict[str, Any]:
    found = json.loads(json.dumps(asdict(made)))
    found["with-hyphen"] = found.pop("hyphenated")
    del found["secret"]
    return {key: value for key, value in found.items() if value is not None}


@given(TREES)
def test_what_is_read_can_be_read_again(settings: dict[str, Any]) -> None:
    made = read(Tree, settings, "x")
    assert read(Tree, plain(made), "x") == made
    check(made)
    for key, value in settings.items():
        if key not in ("root", "with-hyphen"):
            assert plain(made)[key] == value


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of everything inside."""
    pairs = (
        value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
    )
    for key, one in pairs:
        yield (*path, key)
        yield from places(one, (*path, key))


def changed(value: Any, path: tuple[str | int, ...], new: Any) -> Any:
    found = copy.deepcopy(value)
    inner = found
    for key in path[:-1]:
        inner = inner[key - 1 if isinstance(key, int) else key]
    inner[path[-1] - 1 if isinstance(path[-1], int) else path[-1]] = new
    return found


def refusal(settings: Any) -> str:
    with pytest.raises(InputError) as error:
        read(Tree, settings, "x.toml")
    assert "\n" not in str(error.value)
    return str(error.value)


@given(TREES)
def test_every_wrong_value_is_refused_with_its_path(settings: dict[str, Any]) -> None:
    """No place takes a null, and no table takes a key that it does not know."""
    for path in places(settings):
        assert refusal(changed(settings, path, None)).startswith(Origin("x.toml").at(*path) + " must be ")
    for path in [("wrod",), ("root", "wrod"), ("marks", "godo")]:
        table = {"marks": {}, **settings}
        message = refusal(changed(table, path, 1))
        assert message.startswith(Origin("x.toml").at(*path) + ": unknown key; did you mean")
    for path in [("name",), ("root",), ("root", "word")]:
        short = copy.deepcopy(settings)
        del (short if len(path) == 1 else short["root"])[path[-1]]
        assert refusal(short).startswith(f"{Origin('x.toml').at(*path)} is missing: it must be a ")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("share",), "3", "share must be a number, not '3'"),
        (("share",), float("nan"), "share must be a number, not nan"),
        (("share",), 10**400, "share must be a number, not 1"),
        (("share",), True, "share must be a number, not True"),
        (("open",), 1, "open must be true or false, not 1"),
        (("root", "count"), 100, "root.count must be a whole number from 0 to 99, not 100"),
        (("root", "count"), 1.0, "root.count must be a whole number"),
        (("root", "word"), "", "root.word must be a string that is not empty"),
        (
            ("root", "level"),
            "sytem",
            "root.level must be \"system\" or \"segment\", not 'sytem'; did you mean 'system'?",
        ),
        (("root", "level"), ["system"], 'root.level must be "system" or "segment"'),
        (("root",), [], "root must be a table, not []"),
        (("edges",), [1, 2, 3], "edges must be a list of 2 whole numbers, not [1, 2, 3]"),
        (("edges",), [1, "2"], "edges[2] must be a whole number"),
        (("words",), "word", "words must be a list of strings, not 'word'"),
        (("files",), {"a b\n": 3}, "files.'a b\\n' must be a string or a list of strings, not 3"),
        (("files",), {"a": ["x", 3]}, "files.a[2] must be a string, not 3"),
        (("colour",), "grene", "colour must be \"red\" or \"green\", not 'grene'; did you mean 'green'?"),
        (("hyphenated",), 3, "hyphenated: unknown key; did you mean 'with-hyphen'?"),
        (("secret",), 3, "secret: unknown key"),
        (("name",), "x" * 500, ""),
    ],
)
def test_messages(path: tuple[str, ...], value: Any, message: str) -> None:
    settings = changed({"name": "", "root": {"word": "x"}}, path, value)
    if not message:
        assert read(Tree, settings, "x").name == value
    else:
        assert refusal(settings).startswith(f"x.toml: {message}")
        assert len(refusal(settings)) < 250


def upper(text: str) -> str:
    if text == "no":
        raise InputError("no is not enough")
    if text == "never":
        raise Wrong("must not be never")
    return text.upper()


@dataclass(frozen=True)
class Files:
    layout: Path | None = None
    one: File = ""
    two: tuple[Path, ...] = field(default=(), metadata={"under": "layout"})
    loud: Annotated[str, upper] = ""
    pair: Annotated[tuple[str, str], Written(str), lambda text: tuple(text.split("-"))] = ("", "")
    origin: str = field(default="", metadata={"key": None})


def test_supplied_fields_files_and_rules(tmp_path: Path) -> None:
    values = {"layout": "in", "one": "a.txt", "two": ["b.txt"], "loud": "x", "pair": "de-en"}
    made = read(Files, values, Origin("f", folder=tmp_path), origin="here")
    assert made == Files(
        tmp_path / "in", str(tmp_path / "a.txt"), (tmp_path / "in" / "b.txt",), "X", ("de", "en"), "here"
    )
    for text, message in (("no", "f: loud: no is not enough"), ("never", "f: loud must not be never")):
        with pytest.raises(InputError, match=f"^{message}$"):
            read(Files, {"loud": text}, "f")
    with pytest.raises(InputError, match=r"^f: one must be a file name, not '\\x00'$"):
        read(Files, {"one": "\0"}, "f")
    assert keys_of(Leaf) == ("word", "count", "level", "leaves")
    assert keys_of(Leaf, required=True) == ("word",)


def test_a_tree_that_is_too_deep() -> None:
    leaf: dict[str, Any] = {"word": "x"}
    for _ in range(5000):
        leaf = {"word": "x", "leaves": [leaf]}
    assert refusal({"name": "x", "root": leaf}) == "x.toml: is nested too deeply"


TOML = '''name = "x"
text = """
name = 3
[human]
"""
a.b = 3
[[metrics]]
spec = "x"
[[metrics]]
spec = 3
[metrics.specs]
"en-zh" = 7
[human]
"x y" = {z = 1}
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (["name"], 1),
        (["a", "b"], 6),
        (["metrics"], 7),
        (["metrics", 1, "spec"], 8),
        (["metrics", 2, "missing"], 9),
        (["metrics", 2, "spec"], 10),
        (["metrics", 2, "specs", "en-zh"], 12),
        (["human"], 13),
        (["human", "x y", "z"], 14),
        (["nothing"], None),
        ([], None),
    ],
)
def test_lines_of_keys(path: list[str | int], line: int | None) -> None:
    assert line_of(TOML, path) == line
