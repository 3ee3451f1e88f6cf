"""Outside metrics: COMET, MetricX, BLEURT or anything else, as a separate program or as a Python function."""

from __future__ import annotations

import hashlib
import importlib
import os
import shlex
import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.errors import InputError, SpecError, TertiumError
from tertium.families.base import Level, Metric, option
from tertium.families.words import MEAN_COLUMNS
from tertium.io.programs import HELLO, Introduction, ask, checked_score, introduction, segments_of
from tertium.programs import neural
from tertium.programs.neural import KNOWN
from tertium.statistics import DenseStatistics, Remainders, Statistics, ValueStatistics, mask_weights
from tertium.text.segments import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Function = Callable[[list[dict[str, Any]]], Sequence[float | None]]
NEEDS = ("references", "source", "both")
READY = tuple(sorted(KNOWN))
_functions: dict[str, Function] = {}  # functions that cannot be imported by name


@dataclass(frozen=True)
class Outside(Metric):
    """A metric that another program or function computes. Its corpus score is the mean or the median of segment scores.

    >>> def length_ratio(segments):
    ...     return [len(s["hypothesis"]) / len(s["references"][0]) for s in segments]
    >>> m = Outside.of(length_ratio)
    >>> m.score_total(m.statistics(["a b", "a b c d"], ["a b c d", "a b c d"]))
    0.7142857142857143
    """

    name: ClassVar[str] = "outside"
    title: ClassVar[str] = 'a metric computed elsewhere: outside:command="python my_metric.py"'
    formula: ClassVar[str] = (
        "The mean or the median of the scores that the program gives to segments, as it gives them."
    )
    paper: ClassVar[str] = (
        "mean and median as in Gowda, You, Lignos and May 2021, https://aclanthology.org/2021.naacl-main.90"
    )
    quirks: ClassVar[str] = (
        "A program reads and writes JSON Lines (docs/metrics/outside.md). With aggregate=median a row holds the value\n"
        "of its segment, so medians of documents, resamples and buckets are those of all their segments. A command is\n"
        "run as it is, without a shell; it is never taken from a published score line."
    )
    perfect: ClassVar[float | None] = None
    finer: ClassVar[int] = 2  # COMET's scores are around 0.8
    undefined: ClassVar[str] = "the program gave no score to any segment"
    runs_programs: ClassVar[bool] = True

    command: str = option(
        "", "the program with its arguments, which reads and writes JSON Lines", key="command"
    )
    call: str = option("", 'a Python function instead: "package.module:function"', key="call")
    program: str = option(
        "", f"a ready-made program: {', '.join(READY)}", choices=("", *READY), key="program"
    )
    model: str = option("", "the model of a ready-made program: a local file or folder")
    python: str = option("", "the Python that has its package (this one)", decides=False)
    aggregate: str = option("mean", "the corpus score: mean or median", choices=("mean", "median"), key="agg")
    needs: str = option(
        "references",
        "what hypotheses are compared with: references, source or both",
        choices=NEEDS,
        key="needs",
    )
    better: str = option(
        "higher", "which scores are better: higher or lower", choices=("higher", "lower"), key="better"
    )
    called: str = option("", "its name in tables (default: the program's)", key="called")
    timeout: float = option(
        600.0, "seconds to wait for output from the program", between=(0.001, 1e6), decides=False
    )
    hello: float | None = option(
        None,
        f"seconds to wait for its first line; default {HELLO:g}, for a ready-made program as long as for any other",
        between=(0.001, 1e6),
        decides=False,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("command", "call", "called", "model", "python"):
            if '"' in getattr(self, name) or not getattr(self, name).isprintable():
                raise SpecError(
                    f"outside: {name} cannot contain quotation marks or line breaks (use ' or a script)"
                )
        if sum(map(bool, (self.command, self.call, self.program))) > 1:
            raise SpecError(
                "outside: give command (a program), call (a Python function) or program (a ready-made one), not both"
            )
        if self.program and not self.model:
            raise SpecError(f"{self.program} needs a model on this disk: {self.program}:model=FOLDER")
        if self.model and not self.program:
            raise SpecError(f"outside: a model needs its program, one of {', '.join(READY)}")
        if self.program and self.needs == "source" and "source" not in KNOWN[self.program].needs:
            raise SpecError(
                f"outside: {self.program} compares with references alone: needs=source leaves it none"
            )
        if "[" in self.called or "]" in self.called:
            raise SpecError(f"outside: called={self.called} cannot contain brackets")

    @classmethod
    def of(cls, function: Function, *, name: str = "", **options: Any) -> Self:
        """A Python function as a metric: it takes a list of segments and returns a score for each.

        A segment is {"source": ..., "hypothesis": ..., "references": [...]}. The attributes `name`, `version`, `hash`
        and `versions` of the function go into the signature, if it has them. A function that cannot be imported by
        its name (of a notebook, a lambda) is known in this process only.
        """
        spot = f"{getattr(function, '__module__', '')}:{getattr(function, '__qualname__', '')}"
        if _importable(spot) is not function:
            spot = name or getattr(function, "__name__", type(function).__name__)
            if not spot.isidentifier():
                raise SpecError(f"outside: a function needs a name, one word (name=...), not {spot!r}")
            if _functions.setdefault(spot, function) is not function:
                _functions[spot] = function  # defined again, in a notebook
        elif name:
            options.setdefault("called", name)
        return cls(call=spot, **options)

    @property
    def label(self) -> str:
        return f"outside[{self.called or self._short_name()}]"

    def _short_name(self) -> str:
        """After the model, the script or program, or the function."""
        if self.program:
            return neural.called(self.model).replace("[", "(").replace("]", ")") or self.program
        if self.call:
            return self.call.rpartition(":")[2].rpartition(".")[2]
        try:
            words = [word for word in shlex.split(self.command) if not word.startswith("-")]
        except ValueError:
            words = []
        scripts = [word for word in words if word.endswith(".py")] or words[:1] or ["?"]
        return os.path.basename(scripts[0]).removesuffix(".py").replace("[", "(").replace("]", ")")

    @property
    def required(self) -> tuple[str, ...]:  # type: ignore[override]
        return () if self.call or self.program else ("command",)

    @property
    def _needs(self) -> str:
        """What it compares with: that of a ready-made program, unless the source alone is wanted."""
        if not self.program or self.needs == "source":
            return self.needs
        return "both" if len(KNOWN[self.program].needs) == 2 else "references"

    @property
    def first_line(self) -> float:
        """Seconds to wait for it. A ready-made program hashes its model first, which may have many gigabytes."""
        if self.hello is not None:
            return self.hello
        return self.timeout if self.program else HELLO

    @property
    def _command(self) -> str:
        """The program with its arguments; empty where a function is called."""
        if not self.program:
            return self.command
        words = [self.python or sys.executable, neural.__file__, self.program, "--model", self.model]
        return shlex.join(words if self.needs_references else [*words, "--no-references"])

    @property
    def needs_source(self) -> bool:  # type: ignore[override]
        return self._needs in ("source", "both")

    @property
    def needs_references(self) -> bool:  # type: ignore[override]
        return self._needs in ("references", "both")

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return self._better == "higher"

    @property
    def _better(self) -> str:
        return KNOWN[self.program].better if self.program else self.better

    def _introduction(self) -> Introduction:
        if self._command:
            return introduction(self._command, self.timeout, self.first_line)
        function = _function(self.call)
        about = {key: getattr(function, key, None) for key in ("name", "version", "hash", "versions")}
        about["name"] = about["name"] or self.call
        about["hash"] = about["hash"] or _code_hash(function)
        return Introduction.of(about, f"outside metric {self.call!r}")

    def _prepare(self, references: References, threads: int) -> list[list[str]]:
        return shown_references(references, self.needs_references)

    def _rows(
        self, hypotheses: Lines, prepared: list[list[str]], sources: Lines | None, threads: int
    ) -> Statistics:
        texts = [text or "" for text in line_texts(hypotheses)]
        origin = None if sources is None else [text or "" for text in line_texts(sources)]
        segments = list(segments_of(texts, prepared, origin))
        values = self._by_program(segments) if self._command else self._by_function(segments)
        return ValueStatistics.of(values) if self.aggregate == "median" else mean_rows(values)

    def _by_program(self, segments: list[dict[str, Any]]) -> list[float | None]:
        if not segments:
            return []
        have = ["references"] if self.needs_references else []
        have += ["source"] if segments[0]["source"] is not None else []
        return ask(self._command, segments, self.timeout, have, self.first_line)

    def _by_function(self, segments: list[dict[str, Any]]) -> list[float | None]:
        where = f"outside metric {self.call!r}"
        function = _function(self.call)
        try:
            given = list(function(segments))
        except TertiumError:
            raise
        except Exception as error:
            raise InputError(f"{where}: {type(error).__name__}: {' '.join(str(error).split())}") from error
        if len(given) != len(segments):
            raise InputError(f"{where}: gave {len(given)} scores for {len(segments)} segments")
        return [
            None if value is None else checked_score(_number(value, where, i), f"{where}: segment {i + 1}")
            for i, value in enumerate(given)
        ]

    def _scores(self, statistics: Any, level: Level) -> Any:
        if isinstance(statistics, ValueStatistics | Remainders):
            return array("d", statistics.medians())
        return _native.mean_scores(statistics.data, 0, 1.0)

    def score_weighted(
        self, statistics: Statistics, weights: Any, level: Level = "corpus", *, threads: int = 1
    ) -> NDArray[np.float64]:
        """As every metric's; medians are taken without holding the sums."""
        if isinstance(statistics, ValueStatistics):
            return statistics.weighted_medians(weights)
        return super().score_weighted(statistics, weights, level, threads=threads)

    def score_mixed(
        self, first: Any, second: Any, masks: Any, level: Level = "corpus", *, threads: int = 1
    ) -> NDArray[np.float64]:
        """As every metric's."""
        if not isinstance(first, ValueStatistics):
            return super().score_mixed(first, second, masks, level, threads=threads)
        return first.concat(second).weighted_medians(mask_weights(masks, len(first))[0])

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        who = self._introduction()
        named = {"program": self.program, "command": quoted(self.command), "call": quoted(self.call)}
        items = {key: value for key, value in named.items() if getattr(self, key)}
        items |= {"model": quoted(who.name), "model-version": quoted(who.version or "unknown")}
        items["model-hash"] = quoted(who.hash or "unknown")
        if who.versions:
            items["versions"] = quoted(",".join(f"{name}={version}" for name, version in who.versions))
        items |= {"agg": self.aggregate, "needs": self._needs, "better": self._better}
        return items | ({"called": quoted(self.called)} if self.called else {})


def shown_references(references: References, needed: bool) -> list[list[str]]:
    """The references of each segment as texts; none where they are not needed."""
    if not needed:
        return [[] for _ in range(len(references))]
    rows = zip(*(line_texts(stream) for stream in references.streams), strict=True)
    return [[text for text in row if text is not None] for row in rows]


def line_texts(lines: Lines) -> list[str | None]:
    """Lines as strings."""
    return [lines[i] for i in range(len(lines))]


def _number(value: Any, where: str, i: int) -> float:
    try:
        return float(value)  # numpy's and torch's numbers too
    except (TypeError, ValueError):
        raise InputError(f"{where}: segment {i + 1} has the score {value!r}: not a number") from None


def mean_rows(values: Sequence[float | None]) -> DenseStatistics:
    """Rows of score and how many segments have one."""
    return DenseStatistics.of_lists(MEAN_COLUMNS, [(value or 0.0, value is not None) for value in values])


def quoted(text: str) -> str:
    """Somebody else's words in a signature."""
    return f'"{" ".join(text.replace(chr(34), chr(39)).split())}"'


def _function(spot: str) -> Function:
    found = _functions.get(spot) or _importable(spot)
    if found is None:
        if ":" not in spot:
            raise SpecError(
                f"outside: call={spot} is not a function in this process; write package.module:function"
            )
        module, _, name = spot.partition(":")
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise SpecError(f"outside: call={spot}: {module} cannot be imported: {error}") from None
        raise SpecError(f"outside: call={spot}: there is no function {name} in {module}")
    return found


def _importable(spot: str) -> Function | None:
    """The function behind "module:name"; None where there is none."""
    module, colon, name = spot.partition(":")
    if not colon or not module or not name or "<" in name or module == "__main__":
        return None
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return found if callable(found) else None


def _code_hash(function: Any) -> str:
    """The hash of the file that defines a function, or else of what is known of its code."""
    code = getattr(function, "__code__", None)
    if code is None:
        return ""
    try:
        with open(code.co_filename, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:12]
    except OSError:
        return hashlib.sha256(code.co_code + repr(code.co_names).encode()).hexdigest()[:12]
