"""Metrics of other programs, COMET, MetricX, BLEURT or any other: a process with JSON Lines, or a Python function."""

from __future__ import annotations

import json
from array import array
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple, Self

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.io.outside import (
    Function,
    Identity,
    Item,
    function_identity,
    give_function,
    process_identity,
    run_function,
    run_process,
)
from tertium.metrics.base import Level, Metric, option
from tertium.metrics.words import MEAN_COLUMNS, NO_SEGMENTS
from tertium.statistics import DenseStatistics, Statistics, TypeStatistics
from tertium.text.segments import References

AVERAGES = ("mean", "median")


@dataclass(frozen=True, eq=False)
class ScoreStatistics(TypeStatistics):
    """Rows that keep scores apart: a type is a score, a sum is how often each occurs. So medians add, too."""

    @classmethod
    def of(cls, scores: list[float]) -> Self:
        lines = Lines([repr(score) for score in scores])
        same = _native.WordReferences([lines], "none", 1)
        return cls(_native.type_rows(lines, same, "none", 1, False, 1))

    def medians(self) -> list[float]:
        """The median of every row's scores; NaN without scores."""
        values = [float(name) for name in self.types]
        starts, types, counts = (part.tolist() for part in self.entries)
        found = []
        for begin, end in pairwise(starts):
            pairs = sorted((values[types[e]], counts[e][0]) for e in range(begin, end) if counts[e][0] > 0)
            found.append(_median(pairs))
        return found

    def without_each(self) -> Any:
        return Statistics.without_each(self)


def _median(pairs: list[tuple[float, int]]) -> float:
    total = sum(count for _, count in pairs)
    if total == 0:
        return float("nan")
    middle = [(total - 1) // 2, total // 2]
    found, seen = [], 0
    for value, count in pairs:
        found += [value for place in middle if seen <= place < seen + count]
        seen += count
    return (found[0] + found[1]) / 2


class Texts(NamedTuple):
    """The references of each segment, as the program gets them."""

    references: list[list[str]]


@dataclass(frozen=True)
class Outside(Metric):
    """What both have in common."""

    formula: ClassVar[str] = (
        "a segment's score is what the program says; the corpus score is the mean or the median of segment scores"
    )
    quirks: ClassVar[str] = (
        "Each distinct item (hypothesis, references, source) of a call is asked for once. A score that is missing or\n"
        "not finite is refused. The signature holds what the program says of itself: model, hash, versions."
    )
    perfect: ClassVar[float | None] = None
    undefined: ClassVar[str] = NO_SEGMENTS

    called: str = option("", "what the score is called in tables, letters and digits")
    source: bool = option(False, "whether the program gets the source texts")
    references: bool = option(True, "whether it gets references")
    higher: bool = option(True, "whether higher scores are better")
    average: str = option("mean", "the score of documents and the corpus: mean or median", choices=AVERAGES)

    def __post_init__(self) -> None:
        self._check_choice("average")
        if not all(character.isalnum() or character in "_." for character in self.called):
            raise SpecError(f"{self.name}: called={self.called!r} may have letters, digits, _ and . only")
        for name in self.required:
            if any(character in getattr(self, name) for character in '"|'):
                raise SpecError(f'{self.name}: {name} cannot hold " or |: put it into a script')
        # What a class says of other metrics depends on the program here.
        object.__setattr__(self, "needs_source", self.source)
        object.__setattr__(self, "needs_references", self.references)
        object.__setattr__(self, "higher_is_better", self.higher)

    def _identity(self) -> Identity:
        raise NotImplementedError

    def _scored(self, items: list[Item]) -> list[float]:
        raise NotImplementedError

    @property
    def label(self) -> str:
        return f"{self.name}-{self.called}" if self.called else self.name

    def _prepare(self, references: References, threads: int) -> Texts:
        rows = (
            [stream[i] for stream in references.streams if stream[i] is not None]
            for i in range(len(references))
        )
        return Texts([[text for text in row if text is not None] for row in rows])

    def _rows(self, hypotheses: Lines, prepared: Texts, sources: Lines | None, threads: int) -> Any:
        items: dict[str, Item] = {}
        keys = []
        for i in range(len(hypotheses)):
            item = Item(hypothesis=hypotheses[i] or "")
            if self.references:
                item["references"] = prepared.references[i]
            if self.source and sources is not None:
                item["source"] = sources[i] or ""
            key = json.dumps(item)
            keys.append(key)
            items.setdefault(key, Item(id=len(items), **item))
        found = self._scored(list(items.values()))
        known = dict(zip(items, found, strict=True))
        scores = [known[key] for key in keys]
        if self.average == "median":
            return ScoreStatistics.of(scores)
        return DenseStatistics(MEAN_COLUMNS, _digits(scores))

    def _scores(self, statistics: Any, level: Level) -> Any:
        if isinstance(statistics, ScoreStatistics):
            return array("d", statistics.medians())
        return _native.mean_scores(statistics.data, 0, 1.0)

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = {name: f'"{getattr(self, name)}"' for name in self.required}
        items |= {"src": _yes(self.source), "refs": _yes(self.references), "higher": _yes(self.higher)}
        return items | {"avg": self.average} | self._identity().items()

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Self:
        named: dict[str, Any] = {name: items.get(name, "") for name in cls.required}
        return cls(
            **named,
            called=items.get("label", "").removeprefix(cls.name).removeprefix("-"),
            source=items.get("src") == "yes",
            references=items.get("refs", "yes") == "yes",
            higher=items.get("higher", "yes") == "yes",
            average=items.get("avg", "mean"),
        )


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _digits(scores: list[float]) -> Any:
    """Rows of a score and a one, without numpy."""
    flat = memoryview(_native.to_digits(array("d", scores))).cast("B").cast("q")
    rows = array("q")
    for i in range(len(scores)):
        rows.extend(flat[i * _native.DIGITS : (i + 1) * _native.DIGITS])
        rows.append(1)
    if not scores:
        return DenseStatistics.build(MEAN_COLUMNS, []).data
    return memoryview(rows).cast("B").cast("q", (len(scores), _native.DIGITS + 1))


@dataclass(frozen=True)
class Process(Outside):
    """A program that reads and writes JSON Lines: `process:command="python comet.py",called=comet,source=yes`.

    >>> import tertium as tt
    >>> m = tt.metric('process:command="python comet.py",called=comet,source=yes')
    >>> m.label, m.needs_source
    ('process-comet', True)
    """

    name: ClassVar[str] = "process"
    title: ClassVar[str] = "scores of another program, by JSON Lines (command=...)"
    paper: ClassVar[str] = "the protocol: docs/outside-metrics.md"
    required: ClassVar[tuple[str, ...]] = ("command",)

    command: str = option("", "a command that reads and writes JSON Lines")

    def _identity(self) -> Identity:
        return process_identity(self.command)

    def _scored(self, items: list[Item]) -> list[float]:
        return run_process(self.command, items)


@dataclass(frozen=True)
class PythonFunction(Outside):
    """A Python function that scores a list of items: `function:call=my_package.metric:score`.

    >>> def longer(items):
    ...     return [len(item["hypothesis"]) - len(item["references"][0]) for item in items]
    >>> m = PythonFunction.of(longer, called="longer")
    >>> m.score(m.statistics(["ab", "abc"], ["a", "a"]), "segment").tolist()
    [1.0, 2.0]
    """

    name: ClassVar[str] = "function"
    title: ClassVar[str] = "scores of a Python function (call=module:name)"
    paper: ClassVar[str] = "docs/outside-metrics.md"
    required: ClassVar[tuple[str, ...]] = ("call",)

    call: str = option("", "a function, module:name, that takes a list of items and gives a number for each")

    @classmethod
    def of(cls, function: Function, **options: Any) -> Self:
        """A metric from a function at hand; its spec string holds within this process only."""
        return cls(call=give_function(getattr(function, "__name__", "function"), function), **options)

    def _identity(self) -> Identity:
        return function_identity(self.call)

    def _scored(self, items: list[Item]) -> list[float]:
        return run_function(self.call, items)
