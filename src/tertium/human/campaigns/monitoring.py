"""While a campaign runs: agreement so far, and what control items say of each annotator, in a few words."""

from __future__ import annotations

from dataclasses import dataclass

from tertium.human.campaigns.agreements import agreement, self_agreement
from tertium.human.campaigns.collected import Collected
from tertium.human.campaigns.conversions import SCORED, scores


@dataclass(frozen=True)
class Monitored:
    """What an administrator reads beside the progress."""

    agreement: tuple[tuple[str, str], ...]  # coefficient and value
    control: dict[str, str]  # by annotator


def monitored(collected: Collected) -> Monitored:
    """The state of a campaign so far; nothing here is a final verdict."""
    if not len(collected):
        return Monitored((), {})
    found = agreement(collected)
    named: list[tuple[str, str]] = []
    if found is not None:
        values = (
            ("P(A)", found.pairwise),
            ("kappa", found.chance_third),
            ("Krippendorff's alpha", found.krippendorff),
        )
        named = [(label, f"{value:.2f}") for label, value in values if value is not None]
    return Monitored(tuple(named), _control(collected))


def _control(collected: Collected) -> dict[str, str]:
    if collected.design not in SCORED:
        found = self_agreement(collected)
        if found is None:
            return {}
        return {name: f"repeats: {share:.0%} of {n} the same" for name, n, share in found.annotators}
    from tertium.human.quality import quality_control

    lines = {}
    for check in quality_control(scores(collected)).checks:
        parts = []
        if check.degraded:
            p = "" if check.p_degraded is None else f", p = {check.p_degraded:.3f}"
            parts.append(f"degraded lower by {check.drop:.1f} ({check.degraded}{p})")
        if check.repeats:
            parts.append(f"repeats differ by {check.shift:.1f} ({check.repeats})")
        if parts:
            lines[check.annotator] = "; ".join(parts)
    return lines
