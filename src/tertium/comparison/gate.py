"""A gate for pipelines: conditions in words, judged on a comparison with a baseline."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from tertium import registry
from tertium.comparison.winners import better
from tertium.errors import InputError, SpecError
from tertium.io.tables import Column, Table
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.comparison.comparison import Comparison

_WORSE = re.compile(r"(\S+) worse than (.+?) at p ?<= ?([\d.]+)|(\S+) worse than (.+?) at p ?< ?([\d.]+)")
_DROPS = re.compile(r"(\S+) drops? (?:by )?(?:more than )?([\d.]+)(?: points?)?(?: (?:below|from) (.+))?")


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

    def table(self) -> Table:
        """A row for each condition and system."""
        rows = tuple((v.condition, v.system, "failed" if v.failed else "passed", v.why) for v in self)
        marked = frozenset((r, 2) for r, verdict in enumerate(self) if verdict.failed)
        return Table("", tuple(map(Column, ("condition", "system", "verdict", "why"))), rows, (), marked)

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


def judge(comparison: Comparison, conditions: Sequence[str]) -> Gate:
    """What each condition says of each system.

    >>> from tertium import TestSet
    >>> from tertium.comparison import compare
    >>> found = compare(TestSet.sample(), ["chrf"], baseline="strong", resamples=200)
    >>> [v.failed for v in judge(found, ["chrf worse than baseline at p<0.05", "chrf drops by 90"])]
    [True, True, False, False]
    """
    return Gate(tuple(verdict for condition in conditions for verdict in _judge(comparison, condition)))


def _judge(comparison: Comparison, condition: str) -> list[GateVerdict]:
    text = condition.strip()
    worse, drops = _WORSE.fullmatch(text), _DROPS.fullmatch(text)
    if worse:
        spec, other, level = (part for part in worse.groups() if part is not None)
    elif drops:
        spec, level, other = drops.group(1), drops.group(2), drops.group(3) or "baseline"
    else:
        raise SpecError(
            f"cannot read the condition {condition!r}: write 'chrf worse than baseline at p<0.05' "
            "or 'chrf drops by 0.5 points'"
        )
    metric = comparison.measured.metric(registry.metric(spec))
    aliases = comparison.measured.testset.aliases
    base = comparison.baseline if other == "baseline" else aliases.get(other, other)
    if base is None:
        raise InputError(f"the condition {condition!r} needs a baseline: name it with --baseline")
    found = next(own for own in comparison.tests if own.metric == metric)
    if worse and found.least >= float(level):
        raise InputError(
            f"the condition {condition!r} can never be met: with {found.times} of {found.n_units:,} "
            f"{found.units}, p is at least {found.least:.2g} after Holm; ask for more (-n)"
        )
    verdicts = []
    for pair in found:
        if base not in (pair.first, pair.second):
            continue
        system = pair.second if pair.first == base else pair.first
        ours, theirs = found.system(system).value, found.system(base).value
        lost = better(metric, theirs, ours) > 0
        if ours is None or theirs is None:
            verdicts.append(GateVerdict(text, system, True, f"{found.label} is undefined"))
        elif worse:
            failed = lost and pair.p_holm is not None and pair.p_holm < float(level)
            verdicts.append(GateVerdict(text, system, failed, found.sentence(pair)))
        else:
            drop = abs(ours - theirs) if lost else 0.0
            why = f"{found.label} {theirs:.2f} ({base}) and {ours:.2f} ({system}): a drop of {drop:.2f}"
            verdicts.append(GateVerdict(text, system, drop > float(level), why))
    if not verdicts:
        raise InputError(f"the condition {condition!r} speaks of {base!r}, which is in no pair")
    return verdicts
