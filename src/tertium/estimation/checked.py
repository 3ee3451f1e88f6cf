"""What checks of memories (`vetting/checks`) doubt in translations, as features: the very checks, asked of each pair.

Checks that learn from a memory learn nothing here, so that what is said of one translation does not depend on others;
of names and acronyms the share counts that the translation lacks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tertium.estimation.view import QualityFeatures, View
from tertium.estimation.words import Numbers
from tertium.io.memories.unit import Unit
from tertium.vetting.batches import UnitBatch
from tertium.vetting.checks.base import CHECKS, looked_through
from tertium.vetting.checks.names import Acronyms, Names

DOUBTS = ("numbers", "codes", "negation", "quotes", "ending", "repeated", "copied")
LOST: dict[str, type[Names | Acronyms]] = {"names lost": Names, "acronyms lost": Acronyms}


def _checked(view: View) -> Sequence[Numbers]:
    source, _, target = view.pair.partition("-")
    sides = zip(view.source.lines, view.target.lines, strict=True)
    units = UnitBatch.of([Unit(ours, theirs, source, target) for ours, theirs in sides])
    found = [np.zeros(len(view)) for _ in CHECKS_OF_MEMORIES.names]
    for column, name in zip(found, DOUBTS, strict=False):
        for place, doubt in looked_through(CHECKS[name](), units):
            column[place] = doubt.score
    for column, check in zip(found[len(DOUBTS) :], LOST.values(), strict=False):
        column[:] = _lost(check(), units)
    found[-1] = np.sum(np.array(found[: len(DOUBTS)]) > 0, axis=0)
    return found


def _lost(check: Names | Acronyms, units: UnitBatch) -> Numbers:
    """The share of words that the check looks at, and that the target lacks."""
    found = np.zeros(len(units))
    for place in np.flatnonzero(check.sieve(units)).tolist():
        words = check.words(units[place].source)
        if words:
            found[place] = sum(word not in units[place].target for word in words) / len(words)
    return found


CHECKS_OF_MEMORIES = QualityFeatures(
    "what the checks of memories doubt: numbers, names, codes, denial, quotes and brackets, the end",
    (*DOUBTS, *LOST, "doubts"),
    _checked,
    needs_checks=True,
)
