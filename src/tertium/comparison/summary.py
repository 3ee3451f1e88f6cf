"""A comparison for a pull request: the verdict, a short table, and everything else folded below."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.comparison.ranking import ranking_table
from tertium.io.escaping import markdown
from tertium.results import metric_facts

if TYPE_CHECKING:
    from tertium.comparison.comparison import Comparison


def pull_request_summary(found: Comparison) -> str:
    """Markdown: what the gate says (without one, the answer), the systems, and in a fold the conditions and settings.

    >>> from tertium import TestSet, compare
    >>> found = compare(TestSet.sample(), ["chrf"], baseline="smooth", resamples=200)
    >>> pull_request_summary(found).splitlines()[0]
    '### Translation quality'
    """
    gate, table, answer = found.gate, ranking_table(found.tests, found.baseline), list(found.words())
    verdict = "" if gate is None else f": {'failed' if gate.failed else 'passed'}"
    references = found.measured.testset.references
    facts = metric_facts(found.measured.metrics, references.number, references.pseudo)
    signed = [f"{own['label']}: {own['signature']}" for own in facts]
    parts = [
        f"### Translation quality{verdict}",
        _listed(answer if gate is None else list(gate.words())),
        replace(table, notes=()).markdown(),
        "<details><summary>Conditions, tests and settings</summary>",
        *([] if gate is None else [gate.table().markdown(), _listed(answer)]),
        _listed([*table.notes, *signed]),
        "</details>",
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _listed(sentences: list[str]) -> str:
    return "\n".join(f"- {markdown(sentence)}" for sentence in sentences)
