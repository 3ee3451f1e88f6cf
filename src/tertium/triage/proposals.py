"""Proposals of a memory on the scale of machine translations: what of 100 edits they save.

A memory tells by itself what its proposals are worth: some of its units are looked up among those that came before
them, and the proposal's target is compared with their own. So each percentage of likeness has a mean of what it saves;
the curve only rises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tertium.estimation.estimator import edit_rates
from tertium.estimation.words import Numbers
from tertium.io.memories.pairs import Pair
from tertium.io.translations import Translations
from tertium.matching.index import MemoryIndex, plain
from tertium.matching.matching import Matcher
from tertium.matching.proposals import Context, Proposal
from tertium.progress import steps
from tertium.stats.reliability import equal_bins, isotonic

ENOUGH = 500  # units with a proposal to learn from
ASKED = 4000  # units that are looked up for that
LEAST = 40  # fewer teach nothing
_BIN, _MOST_BINS = 20, 25


@dataclass(frozen=True, eq=False)
class ProposalWorth:
    """Percentages of likeness of proposals, and what they would have saved: 100 (1 - TER) against what was wanted."""

    rates: Numbers
    saved: Numbers
    asked: int  # units that were looked up

    @classmethod
    def learnt(cls, matcher: Matcher, *, enough: int = ENOUGH, asked: int = ASKED) -> ProposalWorth:
        """From units of the memory, each looked up among those before it."""
        numbers = np.random.default_rng(12345).permutation(np.array(matcher.index.numbers, np.uint64))[:asked]
        found: list[tuple[int, str, str]] = []
        looked_up = 0
        for own in steps(numbers.tolist(), "what proposals are worth"):
            ((number, unit),) = matcher.index.memory.chosen([own])
            looked_up += 1
            best = matcher.propose(unit.source, before=number)
            if best:
                found.append((min(best[0].rate, 100), best[0].target, unit.target))
            if len(found) >= enough:
                break
        if not found:
            return cls(np.zeros(0), np.zeros(0), looked_up)
        rates, proposed, wanted = zip(*found, strict=True)
        return cls(np.array(rates, float), 100 * (1 - edit_rates(proposed, wanted)), looked_up)

    @property
    def learned(self) -> bool:
        """Whether there was enough to learn from; if not, a proposal's percentage is taken as it is."""
        return len(self.rates) >= LEAST

    @cached_property
    def curve(self) -> tuple[Numbers, Numbers]:
        bins = equal_bins(self.rates, max(1, min(_MOST_BINS, len(self.rates) // _BIN)))
        at = np.array([self.rates[own].mean() for own in bins])
        return at, isotonic([self.saved[own].mean() for own in bins], [len(own) for own in bins])

    def marks(self, rates: Sequence[int]) -> Numbers:
        """What proposals of these percentages save."""
        given = np.minimum(np.asarray(rates, float), 100.0)
        return np.asarray(np.interp(given, *self.curve)) if self.learned else given


def opened(memory: str, pair: str = "") -> Matcher:
    """A memory, ready to be asked."""
    return Matcher(MemoryIndex.open_filled(memory, Pair.parse(pair) if pair else None), most=1)


def best_proposals(matcher: Matcher, sources: Sequence[str]) -> list[Proposal | None]:
    """The best proposal for each source, with its neighbours in view; None where there is none."""
    around = ["", *sources, ""]
    found = []
    for i, text in enumerate(steps(sources, "matching")):
        own = matcher.propose(text, Context(around[i], around[i + 2]))
        found.append(own[0] if own else None)
    return found


def with_matches(texts: Translations, memory: str, pair: str = "", *, training: bool = False) -> Translations:
    """Translations with the best match of a memory for each. For training, units with the very same source are left
    out: a memory often holds what became of the translations that are learnt from."""
    matcher = Matcher(opened(memory, pair).index, most=40 if training else 1)
    found: list[tuple[int, str] | None] = []
    for text in steps(texts.sources, "matching"):
        others = (own for own in matcher.propose(text) if not training or plain(own.source) != plain(text))
        best = next(others, None)
        found.append(None if best is None else (best.rate, best.target))
    return replace(texts, matches=found)
