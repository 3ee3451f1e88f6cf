"""A gate for pipelines: conditions in words, judged on a comparison with a baseline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from tertium import registry
from tertium.comparison.pair_results import PairResult, PairTests
from tertium.errors import InputError, SpecError, many
from tertium.io.tables import Column, Table, p_text
from tertium.results import Result
from tertium.stats.multiple import holm

if TYPE_CHECKING:
    from tertium.comparison.comparison import Comparison

_AT = r"(?: (?:at|with) p ?(?P<order><=?) ?(?P<level>\d*\.?\d+))"
_POINTS = r"(?P<points>\d*\.?\d+)(?: points?)?"
_WORSE = re.compile(rf"(?P<metric>\S+) worse than (?P<other>.+?){_AT}")
_DROPS = re.compile(
    rf"(?P<metric>\S+) drops? (?:by )?(?:more than )?{_POINTS}(?: (?:below|from) (?P<other>.+?))?{_AT}?"
)
_AS_GOOD = re.compile(rf"(?P<metric>\S+) at least as good(?: as (?P<other>.+?))? within {_POINTS}{_AT}?")
_SURE = 0.05  # the level of a requirement that names none


@dataclass(frozen=True)
class GateVerdict:
    """One condition for one system."""

    condition: str
    system: str
    failed: bool
    why: str


@dataclass(frozen=True)
class Gate(Result):
    """What all conditions say of all systems."""

    kind = "gate"
    verdicts: tuple[GateVerdict, ...]

    def __iter__(self) -> Iterator[GateVerdict]:
        return iter(self.verdicts)

    @property
    def failed(self) -> bool:
        """Whether any system fails any condition."""
        return any(verdict.failed for verdict in self.verdicts)

    def words(self) -> Iterator[str]:
        """The verdict, and why, for each system that fails a condition."""
        failed = [verdict for verdict in self if verdict.failed]
        judged = failed or self.verdicts
        conditions = {verdict.condition for verdict in self}
        number = len({verdict.condition for verdict in judged})
        systems = ", ".join(dict.fromkeys(verdict.system for verdict in judged))
        how_many = (
            f"{number} of {many(len(conditions), 'condition')}" if failed else many(number, "condition")
        )
        yield f"Gate {'failed' if failed else 'passed'}: {systems} ({how_many})."
        for verdict in failed:
            yield f"{verdict.system} fails '{verdict.condition}': {verdict.why}."

    def table(self) -> Table:
        """A row for each condition and system."""
        rows = tuple((v.condition, v.system, "failed" if v.failed else "passed", v.why) for v in self)
        marked = frozenset((r, 2) for r, verdict in enumerate(self) if verdict.failed)
        columns = tuple(map(Column, ("condition", "system", "verdict", "why")))
        return Table("Gate", columns, rows, (), marked, star="")

    def junit(self) -> str:
        """A JUnit file: a test case for each condition and system."""
        failures = sum(verdict.failed for verdict in self)
        lines = [f'<testsuite name="tertium" tests="{len(self.verdicts)}" failures="{failures}">']
        for verdict in self:
            name = f"  <testcase classname={quoteattr(verdict.system)} name={quoteattr(verdict.condition)}"
            if verdict.failed:
                lines += [f"{name}>", f"    <failure>{escape(verdict.why)}</failure>", "  </testcase>"]
            else:
                lines.append(f"{name}/>")
        return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *lines, "</testsuite>", ""])


@dataclass(frozen=True)
class _Condition:
    """A condition on the systems compared with one of them by one metric."""

    text: str
    tests: PairTests
    base: str
    points: float
    level: float | None  # of p; None: the condition names none
    strictly: bool

    def reached(self, p: float | None) -> bool:
        """Whether p is below the level."""
        return (
            p is not None
            and self.level is not None
            and (p < self.level if self.strictly else p <= self.level)
        )

    @property
    def pairs(self) -> list[tuple[str, PairResult]]:
        """The other system of each pair that has the baseline, and the pair."""
        return [
            (pair.second if pair.first == self.base else pair.first, pair)
            for pair in self.tests
            if self.base in (pair.first, pair.second)
        ]

    def drop(self, system: str) -> float:
        """How many points the system is worse than the baseline; below 0, where it is better."""
        ours, theirs = (self.tests.system(name).value or 0.0 for name in (system, self.base))
        return theirs - ours if self.tests.metric.higher_is_better else ours - theirs

    def scores(self, system: str) -> str:
        """Both scores, and how far they are apart."""
        ours, theirs = (self.tests.system(name).value or 0.0 for name in (system, self.base))
        drop, digits = self.drop(system), 2 + self.tests.metric.finer
        size = "no change" if not drop else f"a {'drop' if drop > 0 else 'gain'} of {abs(drop):.{digits}f}"
        return (
            f"{self.tests.label} {theirs:.{digits}f} ({self.base}) and {ours:.{digits}f} ({system}): {size}"
        )


def judge(comparison: Comparison, conditions: Sequence[str] = (), required: Sequence[str] = ()) -> Gate:
    """What each condition says of each system: `conditions` must not be met, what is `required` must be shown.

    >>> from tertium import TestSet
    >>> from tertium.comparison import compare
    >>> found = compare(TestSet.sample(), ["chrf"], baseline="strong", resamples=200)
    >>> [v.failed for v in judge(found, ["chrf worse than baseline at p<0.05", "chrf drops by 90"])]
    [True, True, False, False]
    >>> [v.failed for v in judge(found, required=["chrf at least as good as baseline within 30"])]
    [False, True]
    """
    asked = [(text, _FAIL_IF) for text in conditions] + [(text, _REQUIRE) for text in required]
    return Gate(
        tuple(verdict for text, rules in asked for verdict in _judge(comparison, text.strip(), rules))
    )


def _judge(comparison: Comparison, text: str, rules: Sequence[_Rule]) -> list[GateVerdict]:
    rule, match = next(
        ((own, found) for own in rules if (found := own.pattern.fullmatch(text))), (None, None)
    )
    if rule is None or match is None:
        examples = " or ".join(repr(own.example) for own in rules)
        raise SpecError(f"cannot read the condition {text!r}: write {examples}")
    part = match.groupdict()
    metric = comparison.measured.metric(registry.metric(part["metric"]))
    other = part["other"] or "baseline"
    base = (
        comparison.baseline if other == "baseline" else comparison.measured.testset.aliases.get(other, other)
    )
    if base is None:
        raise InputError(f"the condition {text!r} needs a baseline: name it with --baseline")
    level = None if part["level"] is None else float(part["level"])
    if level is not None and not 0 < level < 1:
        raise SpecError(f"the condition {text!r}: p must be compared with a number between 0 and 1")
    tests = next(own for own in comparison.tests if own.metric == metric)
    points = float(part.get("points") or 0)
    asked = _Condition(text, tests, base, points, level, part["order"] != "<=")
    if not asked.pairs:
        raise InputError(f"the condition {text!r} speaks of {base!r}, which is in no pair")
    verdicts = rule.judged(asked)
    return [
        GateVerdict(text, system, True, f"{tests.label} is undefined")
        if None in (tests.system(system).value, tests.system(base).value)
        else GateVerdict(text, system, *verdicts[system])
        for system, _ in asked.pairs
    ]


def _worse(asked: _Condition) -> dict[str, tuple[bool, str]]:
    """Failed: significantly worse, by the p of all tables and sentences (Holm)."""
    _refuse_impossible(asked)
    tests = replace(asked.tests, alpha=asked.level or asked.tests.alpha)
    return {
        system: (asked.drop(system) > 0 and asked.reached(pair.p_holm), tests.sentence(pair))
        for system, pair in asked.pairs
    }


def _drops(asked: _Condition) -> dict[str, tuple[bool, str]]:
    """Failed: the score is lower by more points than allowed and, where a level is named, significantly so."""
    _refuse_impossible(asked)
    found = {}
    for system, pair in asked.pairs:
        drop, why = asked.drop(system), asked.scores(system)
        far = drop > asked.points
        if drop > 0:
            why += f", {'more' if far else 'not more'} than {asked.points:g}"
        if far and asked.level is not None:
            far = asked.reached(pair.p_holm)
            why += f"{', which is not significant' * (not far)} ({asked.tests.p_words(pair)})"
        found[system] = far, why
    return found


def _as_good(asked: _Condition) -> dict[str, tuple[bool, str]]:
    """Failed, unless a drop of so many points is ruled out (non-inferiority, `PairTests.p_of_drop`)."""
    asked = replace(asked, level=_SURE if asked.level is None else asked.level)
    ps = holm([asked.tests.p_of_drop(pair, asked.drop(system), asked.points) for system, pair in asked.pairs])
    if asked.tests.intervals == 0:
        raise InputError(f"the condition {asked.text!r} needs resamples: leave out --like and --method")
    several = ", Holm" if len(ps) > 1 else ""
    found = {}
    tests, fewest = asked.tests, asked.tests.metric.fewest_for_interval
    for (system, _), p in zip(asked.pairs, ps, strict=True):
        if tests.n_units < fewest:  # Student's t does not hold there (docs/evidence/tests.md)
            why = f"no drop can be ruled out with fewer than {fewest} {tests.units} by {tests.label}"
            found[system] = True, f"{asked.scores(system)}; {why}"
            continue
        sure = asked.reached(p)
        what = f"a true drop of {asked.points:g} or more is {'' if sure else 'not '}ruled out"
        size = p_text(p)
        size = size if size.startswith("<") else f"= {size}"
        found[system] = not sure, f"{asked.scores(system)}; {what} (p {size}{several})"
    return found


def _refuse_impossible(asked: _Condition) -> None:
    tests = asked.tests
    if asked.level is not None and not asked.reached(tests.least):
        raise InputError(
            f"the condition {asked.text!r} can never be met: with {tests.limit()}, p is at least "
            f"{p_text(tests.least)}{' after Holm' if len(tests) > 1 else ''}{tests.advice}"
        )


class _Rule(NamedTuple):
    pattern: re.Pattern[str]
    judged: Callable[[_Condition], dict[str, tuple[bool, str]]]  # for each system whether it failed, and why
    example: str


_FAIL_IF = (
    _Rule(_WORSE, _worse, "chrf worse than baseline at p<0.05"),
    _Rule(_DROPS, _drops, "chrf drops by more than 0.3 at p<0.05"),
)
_REQUIRE = (_Rule(_AS_GOOD, _as_good, "chrf at least as good as baseline within 0.5"),)
