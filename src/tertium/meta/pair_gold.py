"""Better-worse pairs of a language pair: given, decided by judges, or made from raw direct assessment (DARR)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.human.darr import darr_pairs
from tertium.human.judgement import Gold
from tertium.io.coverage import Coverage
from tertium.io.pairs import BetterWorse
from tertium.io.scorematrix import ScoreMatrix

if TYPE_CHECKING:
    from tertium.meta.materials import PairData

TOP = 100.0  # of the scale of direct assessment


@dataclass(frozen=True)
class PairGold:
    """The pairs and the rule that made them; or no pairs, and why."""

    pairs: BetterWorse | None
    rule: str = ""
    reason: str = ""


def pair_gold(data: PairData, *, from_scores: bool = True) -> PairGold:
    """The better-worse pairs of a language pair. With `from_scores`, raw scores on a scale of 0 to 100 make pairs where
    no judge compared translations.

    The rule is that of the WMT17 metrics task: two distinct translations of one source whose scores differ by more
    than 25 points; identical outputs are one translation.
    """
    if data.better_worse is not None:
        if not len(data.better_worse):
            return PairGold(None, reason="no pair of translations fulfils the rule")
        return PairGold(data.better_worse, data.pairs_rule)
    if not from_scores:
        return PairGold(None, reason="nobody compared translations")
    segments = data.human.get("segment")
    raw = data.raw
    if raw is None and segments is None:
        return PairGold(None, reason="nobody compared translations, and there are no raw scores of segments")
    if raw is None:
        assert segments is not None
        known = segments.values[segments.defined]
        if not len(known) or known.min() < 0 or known.max() > TOP:
            span = f" ({known.min():.3g} to {known.max():.3g})" if len(known) else ""
            why = "are not raw scores from 0 to 100, so no difference of 25 points makes a pair"
            return PairGold(None, reason=f"the segment scores{span} {why}")
        raw = unweighted(segments)
    outputs = {} if data.testset is None else data.testset.systems
    texts = outputs if set(raw.scores.systems) <= set(outputs) else None
    made = darr_pairs(raw, texts=texts)
    if not len(made.pairs):
        return PairGold(
            None,
            reason=f"no two translations of one source differ by more than {made.margin:g} points "
            f"({made.all_pairs:,} pairs of judged translations)",
        )
    rule = (
        f"DARR: {len(made.pairs):,} of {made.all_pairs:,} pairs of judged translations of one source, those whose raw "
        f"scores differ by more than {made.margin:g} points"
    )
    if texts is None:
        rule += "; without texts, identical outputs are not known"
    elif made.merged:
        rule += f"; {made.merged:,} outputs identical to another system's count as one translation"
    return PairGold(made.pairs, rule)


def unweighted(scores: ScoreMatrix) -> Gold:
    """Scores whose judgements are not known, each taken for one."""
    used = int(scores.defined.sum())
    return Gold(scores, scores.defined.astype(np.int64), Coverage(scores.label, "scores", used))
