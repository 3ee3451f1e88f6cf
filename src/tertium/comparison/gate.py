"""A gate for pipelines: conditions in words, judged on a comparison with a baseline."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from tertium import registry
from tertium.comparison.measured import better
from tertium.errors import InputError, SpecError

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


def judge(comparison: Comparison, conditions: list[str]) -> list[GateVerdict]:
    """What each condition says of each system.

    >>> from tertium import TestSet
    >>> from tertium.comparison import compare
    >>> found = compare(TestSet.sample(), ["chrf"], baseline="strong", resamples=200)
    >>> [v.failed for v in judge(found, ["chrf worse than baseline at p<0.05", "chrf drops by 90"])]
    [True, True, False, False]
    """
    return [verdict for condition in conditions for verdict in _judge(comparison, condition)]


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
    base = comparison.baseline if other == "baseline" else other
    if base is None:
        raise InputError(f"the condition {condition!r} needs a baseline: name it with --baseline")
    found = next(own for own in comparison.tests if own.metric == metric)
    verdicts = []
    for pair in found:
        if base not in (pair.first, pair.second):
            continue
        system = pair.second if pair.first == base else pair.first
        ours, theirs = found.system(system).value, found.system(base).value
        lost = better(metric, theirs, ours) > 0
        if ours is None or theirs is None:
            verdicts.append(GateVerdict(text, system, True, f"{metric.label} is undefined"))
        elif worse:
            failed = lost and pair.p is not None and pair.p < float(level)
            verdicts.append(GateVerdict(text, system, failed, found.words(pair)))
        else:
            drop = abs(ours - theirs) if lost else 0.0
            why = f"{metric.label} {theirs:.2f} ({base}) and {ours:.2f} ({system}): a drop of {drop:.2f}"
            verdicts.append(GateVerdict(text, system, drop > float(level), why))
    if not verdicts:
        raise InputError(f"the condition {condition!r} speaks of {base!r}, which is in no pair")
    return verdicts


def markdown(verdicts: list[GateVerdict]) -> str:
    """A summary for a pull request."""
    lines = ["| condition | system | verdict | why |", "| :--- | :--- | :--- | :--- |"]
    for verdict in verdicts:
        cells = (verdict.condition, verdict.system, "**failed**" if verdict.failed else "passed", verdict.why)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def junit(verdicts: list[GateVerdict]) -> str:
    """A JUnit file: a test case for each condition and system."""
    failures = sum(verdict.failed for verdict in verdicts)
    lines = [f'<testsuite name="tertium" tests="{len(verdicts)}" failures="{failures}">']
    for verdict in verdicts:
        name = f"  <testcase classname={quoteattr(verdict.system)} name={quoteattr(verdict.condition)}"
        if verdict.failed:
            lines += [f"{name}>", f"    <failure>{escape(verdict.why)}</failure>", "  </testcase>"]
        else:
            lines.append(f"{name}/>")
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *lines, "</testsuite>", ""])
