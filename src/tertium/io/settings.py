"""Settings files and records are typed classes: one converter reads them from TOML and JSON and names what is wrong.

    @dataclass(frozen=True)
    class Entry:
        spec: str
        levels: tuple[Literal["system", "segment"], ...] = ()
        share: Annotated[float, Between(0, 1)] = 0.5

    read(Entry, {"spec": 3}, "task.toml")    # task.toml: spec must be a string, not 3

A field is a key; one without a default must be given. `metadata={"key": "other-name"}` spells the key differently,
`{"key": None}` means that the field is not a key, `{"under": "layout"}` makes file names relative to the folder that
this key names. A type may carry rules: `Annotated[int, Between(0, 30)]`, `OneOf(names)`, `NonEmpty()`,
`Written(kind)` where the file holds another type, and any function that returns the value or raises `InputError` (or
`Wrong`, where the message goes on after the key). A class may have a static method `completed` that adds what a table
leaves out. Lists are counted from 1 in messages, as people count.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from functools import cache, partial
from math import inf
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

from tertium.errors import InputError, TertiumError, did_you_mean
from tertium.io.toml import line_of

T = TypeVar("T")
Folder = Path | None
_BARE = re.compile(r"[A-Za-z0-9_@+-]{1,60}")


class Wrong(InputError):
    """What is wrong with a value, as a predicate ("must be a string"); the path grows while it is passed up."""

    def __init__(self, problem: str, *path: str | int, joint: str = " ") -> None:
        super().__init__(problem)
        self.path, self.joint = path, joint

    def inside(self, key: str | int) -> Wrong:
        return Wrong(str(self), key, *self.path, joint=self.joint)


@dataclass(frozen=True)
class Origin:
    """Where settings come from: the name of a file (and a line of it), the TOML text, the folder of relative paths."""

    name: str = ""
    text: str = ""
    folder: Folder = None
    table: str = "a table"  # what a mapping is called there

    def at(self, *path: str | int) -> str:
        """The place of a key.

        >>> Origin("a.toml", '[[metrics]]\\nspec = "bleu"\\n[[metrics]]\\nspec = 3\\n').at("metrics", 2, "spec")
        'a.toml: line 4: metrics[2].spec'
        """
        parts = [f"[{key}]" if isinstance(key, int) else f".{_spelled(key)}" for key in path]
        line = line_of(self.text, path)
        joined = "".join(parts).removeprefix(".")
        if joined.startswith("[") and not line:  # the name is that of a list
            return self.name + joined
        return ": ".join(filter(None, (self.name, f"line {line}" if line else "", joined)))


def _spelled(key: str) -> str:
    return key if _BARE.fullmatch(key) else _shown(key)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:50]}...{text[-25:]}"


@dataclass(frozen=True)
class Shape:
    """What a value must be, in words, and how it becomes what the class wants."""

    words: str
    many: str
    takes: Callable[[Any], bool]
    made: Callable[[Any, Folder], Any] | None = None  # None: as it is
    names: tuple[str, ...] = ()  # to suggest one of

    def read(self, value: Any, folder: Folder) -> Any:
        if self.takes(value):
            return value if self.made is None else self.made(value, folder)
        near = did_you_mean(value, self.names).partition(" (known")[0] if isinstance(value, str) else ""
        raise Wrong(f"must be {self.words}, not {_shown(value)}{near}")


@dataclass(frozen=True)
class Between:
    """A number from `low` to `high`, both included."""

    low: float
    high: float = inf

    def narrow(self, shape: Shape) -> Shape:
        words = f"{shape.words} from {self.low} " + ("on" if self.high == inf else f"to {self.high}")
        return replace(
            shape, words=words, takes=lambda value: shape.takes(value) and self.low <= value <= self.high
        )


@dataclass(frozen=True)
class NonEmpty:
    """A string, list or table that holds something."""

    def narrow(self, shape: Shape) -> Shape:
        words = f"{shape.words} that is not empty"
        return replace(shape, words=words, takes=lambda value: shape.takes(value) and bool(value))


@dataclass(frozen=True)
class OneOf:
    """A string that is one of these; a function gives names that plug-ins may add to."""

    names: Callable[[], Iterable[str]] | tuple[str, ...]

    def narrow(self, shape: Shape) -> Shape:
        return _choice(*(self.names() if callable(self.names) else self.names))


@dataclass(frozen=True)
class Words:
    """Describes in better words what a value must be, in singular and plural."""

    words: str
    many: str

    def narrow(self, shape: Shape) -> Shape:
        return replace(shape, words=self.words, many=self.many)


@dataclass(frozen=True)
class Written:
    """The file holds another type; the functions that follow convert it."""

    kind: Any


File = Annotated[str, Written(Path), str]  # a file name as text, made relative to the settings file's folder


@dataclass(frozen=True)
class Key:
    field: str
    shape: Shape
    required: bool
    under: str  # the key whose folder file names are relative to


@cache
def _keys(kind: Any) -> dict[str, Key]:
    """The keys of a class, as its fields say; of a typed dictionary, as its annotations say."""
    hints = get_type_hints(kind, include_extras=True)
    if is_typeddict(kind):
        return {
            name: Key(name, _shape(hint), name in kind.__required_keys__, "") for name, hint in hints.items()
        }
    found = {}
    for field in fields(kind):
        if (key := field.metadata.get("key", field.name)) is not None:
            required = field.default is MISSING and field.default_factory is MISSING
            found[key] = Key(field.name, _shape(hints[field.name]), required, field.metadata.get("under", ""))
    return found


def keys_of(kind: type, *, required: bool = False) -> tuple[str, ...]:
    """The keys that a class reads (or only those that must be there), in the order of its fields."""
    return tuple(name for name, key in _keys(kind).items() if key.required or not required)


def _made_class(kind: Any, given: Any, folder: Folder, /, what: str = "", **supplied: Any) -> Any:
    if not isinstance(given, Mapping):  # made already
        return given
    keys = _keys(kind)
    given = kind.completed(given) if hasattr(kind, "completed") else given
    for wrong in _wrong_keys(keys, given, what):
        raise wrong
    values = {}
    name = ""
    try:
        for name, value in given.items():
            key = keys[name]
            above = given.get(key.under) if key.under else None
            beside = folder / above if folder is not None and isinstance(above, str) else folder
            values[key.field] = key.shape.read(value, beside)
    except Wrong as wrong:
        raise wrong.inside(name) from None
    return _checked(lambda _: kind(**values, **supplied), None)


def _wrong_keys(keys: Mapping[str, Key], given: Mapping[Any, Any], what: str = "") -> Iterator[Wrong]:
    """Keys that nobody knows, then those that are missing."""
    for strange in (str(key) for key in given if key not in keys):
        hint = did_you_mean(strange, keys) if keys else " (there is nothing to set)"
        yield Wrong(f"unknown key{what}{hint}", strange, joint=": ")
    for name, key in keys.items():
        if key.required and name not in given:
            yield Wrong(f"is missing: it must be {key.shape.words}", name)


def _checked(function: Callable[[Any], Any], value: Any) -> Any:
    try:
        return function(value)
    except Wrong:
        raise
    except TertiumError as error:
        raise Wrong(str(error), joint=": ") from None


def _annotated(kind: Any, *rules: Any) -> Shape:
    shape = _shape(next((rule.kind for rule in rules if isinstance(rule, Written)), kind))
    for rule in rules:
        if hasattr(rule, "narrow"):
            shape = rule.narrow(shape)
        elif callable(rule):
            shape = replace(shape, made=partial(_then, shape.made, rule))
    return shape


def _then(
    first: Callable[[Any, Folder], Any] | None, rule: Callable[[Any], Any], value: Any, folder: Folder
) -> Any:
    return _checked(rule, value if first is None else first(value, folder))


def _either(*kinds: Any) -> Shape:
    shapes = [_shape(kind) for kind in kinds if kind is not NoneType]  # null is no value: the key is left out
    if len(shapes) == 1:
        return shapes[0]

    def made(value: Any, folder: Folder) -> Any:
        return next(shape for shape in shapes if shape.takes(value)).read(value, folder)

    words = " or ".join(shape.words for shape in shapes)
    return Shape(words, words, lambda value: any(shape.takes(value) for shape in shapes), made)


def _choice(*values: Any) -> Shape:
    shown = [f'"{value}"' if isinstance(value, str) else repr(value) for value in values]
    words = " or ".join(filter(None, (", ".join(shown[:-1]), *shown[-1:])))
    known = {(type(value), value) for value in values}
    names = tuple(value for value in values if isinstance(value, str))
    return Shape(
        words,
        words,
        lambda value: isinstance(value, str | int) and (type(value), value) in known,
        names=names,
    )


def _list(*kinds: Any) -> Shape:
    several = len(kinds) == 1 or kinds[1] is ...
    shapes = [_shape(kind) for kind in kinds if kind is not ...]

    def made(value: Sequence[Any], folder: Folder) -> tuple[Any, ...]:
        found = []
        for i, one in enumerate(value):
            try:
                found.append(shapes[0 if several else i].read(one, folder))
            except Wrong as wrong:
                raise wrong.inside(i + 1) from None
        return tuple(found)

    def takes(value: Any) -> bool:
        return isinstance(value, list | tuple) and (several or len(value) == len(shapes))

    number = "" if several else f"{len(shapes)} "
    return Shape(f"a list of {number}{shapes[0].many}", "lists", takes, made)


def _table(_: Any, kind: Any) -> Shape:
    shape = _shape(kind)

    def made(value: Mapping[str, Any], folder: Folder) -> dict[str, Any]:
        found = {}
        for key, one in value.items():
            try:
                found[key] = shape.read(one, folder)
            except Wrong as wrong:
                raise wrong.inside(str(key)) from None
        return found

    words = f"a table of {shape.many}" if shape.many else "a table"
    return Shape(words, "tables", lambda value: isinstance(value, Mapping), made)


def _number(value: Any) -> bool:
    largest = sys.float_info.max
    return isinstance(value, int | float) and not isinstance(value, bool) and -largest <= value <= largest


def _file(value: Any) -> bool:
    return isinstance(value, Path) or (isinstance(value, str) and value != "" and "\0" not in value)


def _path(value: Any, folder: Folder) -> Path:
    return Path(value) if folder is None else folder / value


_MAKERS: dict[Any, Callable[..., Shape]] = {
    Annotated: _annotated,
    Union: _either,
    UnionType: _either,
    Literal: _choice,
    **dict.fromkeys((tuple, list, Sequence), _list),
    **dict.fromkeys((dict, Mapping), _table),
}
_PLAIN = {
    str: Shape("a string", "strings", lambda value: isinstance(value, str)),
    int: Shape("a whole number", "whole numbers", lambda value: type(value) is int),
    float: Shape("a number", "numbers", _number, lambda value, folder: float(value)),
    bool: Shape("true or false", "true or false", lambda value: isinstance(value, bool)),
    Path: Shape("a file name", "file names", _file, _path),
    Any: Shape("anything", "", lambda value: True),
}


@cache
def _shape(kind: Any) -> Shape:
    if kind in _PLAIN:
        return _PLAIN[kind]
    if is_dataclass(kind) or is_typeddict(kind):
        own = () if is_typeddict(kind) else (kind,)
        return Shape(
            "a table", "tables", lambda value: isinstance(value, (Mapping, *own)), partial(_made_class, kind)
        )
    return _MAKERS[get_origin(kind)](*get_args(kind))


def read(
    kind: type[T], given: Any, origin: Origin | str, /, *path: str | int, what: str = "", **supplied: Any
) -> T:
    """What is given (a table of TOML, an object of JSON) as an instance of a class, or one line on what is wrong.

    `path` leads to what is given inside its file, `what` follows "unknown key" (" for the design pairwise"), and
    `supplied` are the fields that are no keys.

    >>> @dataclass
    ... class Entry:
    ...     spec: str
    ...     ensemble: bool = False
    >>> read(Entry, {"spec": "bleu"}, "task.toml")
    Entry(spec='bleu', ensemble=False)
    >>> read(Entry, {"speck": "bleu"}, "task.toml", "metrics", 2)
    Traceback (most recent call last):
    tertium.errors.InputError: task.toml: metrics[2].speck: unknown key; did you mean 'spec'? (known: ensemble, spec)
    """
    source = Origin(origin) if isinstance(origin, str) else origin
    wanted: Any = kind
    try:
        if (what or supplied) and isinstance(given, Mapping):
            return _made_class(kind, given, source.folder, what, **supplied)  # type: ignore[no-any-return]
        return _shape(wanted).read(given, source.folder)  # type: ignore[no-any-return]
    except Wrong as wrong:
        place = source.at(*path, *wrong.path)
        problem = str(wrong).replace("must be a table", f"must be {source.table}", 1)
        raise InputError(f"{place}{wrong.joint if place else ''}{problem}") from None
    except RecursionError:
        raise InputError(f"{source.at(*path)}: is nested too deeply") from None


def read_record(kind: type[T], values: Any, where: str, **supplied: Any) -> T:
    """An object of JSON that stands on one line of a file, as an instance of a class."""
    return read(kind, values, Origin(where, table="an object"), **supplied)


def all_wrong(kind: type, values: Mapping[str, Any], where: str) -> Iterator[InputError]:
    """Everything wrong with the keys of such an object, where `read_record` names the first."""
    keys = _keys(kind)
    values = kind.completed(values) if hasattr(kind, "completed") else values
    missing = [name for name, key in keys.items() if key.required and name not in values]
    wrong = list(_wrong_keys(keys, dict.fromkeys(missing[1:]) | dict(values)))
    for name, value in values.items():
        try:
            if name in keys:
                keys[name].shape.read(value, None)
        except Wrong as error:
            wrong.append(error.inside(name))
    for one in wrong:
        problem = str(one).replace("must be a table", "must be an object", 1)
        if len(missing) > 1 and one.path == (missing[0],):
            yield InputError(f"{where}: {', '.join(missing[:-1])} and {missing[-1]} are missing")
        else:
            yield InputError(f"{Origin(where).at(*one.path)}{one.joint}{problem}")


def check(made: Any, where: str = "", *, but: Sequence[str] = ()) -> None:
    """Check an instance made in Python against the rules of its fields, except those in `but`."""
    defaults = {field.name: field.default for field in fields(made)}
    kind: Any = type(made)
    for name, key in _keys(kind).items():
        value = getattr(made, key.field)
        if key.field not in but and value is not defaults[key.field]:
            try:
                key.shape.read(value, None)
            except Wrong as wrong:
                raise InputError(f"{Origin(where).at(name, *wrong.path)}{wrong.joint}{wrong}") from None
