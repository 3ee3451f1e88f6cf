"""What changed and where, in one sentence; numbers and days as people write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tertium.families.base import Metric

MOST = 3  # changes that one sentence can hold
ARROW = "→"


@dataclass(frozen=True)
class ToldChange:
    """A series that changed, as it is told."""

    system: str
    domain: str
    metric: str  # the spec
    label: str
    kind: str  # worse, better
    since: float
    told: float
    evaluation: int  # the one that told
    first: int  # the one since which it is so
    batches: int
    before: str
    after: str
    difference: str  # with its sign
    probe: str = ""  # the fixed set of texts that it was told on

    @property
    def where(self) -> str:
        """Where it changed; a system can change over all domains without any of them telling by itself."""
        place = f"in {self.domain}" if self.domain else "over all domains"
        return f"{place} on the probe {self.probe}" if self.probe else place

    @property
    def numbers(self) -> str:
        return f"{self.label} {self.before} {ARROW} {self.after}"


def number(value: float | None, metric: Metric) -> str:
    """A score as it is shown: a decimal where 100 is perfect, three where numbers are small.

    >>> from tertium import registry
    >>> number(61.234, registry.metric("chrf")), number(None, registry.metric("chrf"))
    ('61.2', '–')
    """
    if value is None or value != value:
        return "–"
    return f"{value:.1f}" if metric.perfect == 100.0 or abs(value) >= 10 else f"{value:.3f}"


def signed(value: float | None, metric: Metric) -> str:
    """A difference, with a true minus.

    >>> from tertium import registry
    >>> signed(-3.3, registry.metric("chrf"))
    '−3.3'
    """
    if value is None or value != value:
        return "–"
    shown = number(abs(value), metric)
    return f"{'−' if value < 0 else '+'}{shown}" if shown.strip("0.") else "±0"


def day(moment: float, now: float | None = None) -> str:
    """A day as people say it (UTC): by its name within a week before `now`, otherwise with the month.

    >>> day(1_600_000_000, 1_600_000_000 + 3 * 86400), day(1_600_000_000, 1_610_000_000)
    ('Sunday', '13 September 2020')
    >>> day(1_600_000_000, 1_602_000_000)
    '13 September'
    """
    there = datetime.fromtimestamp(moment, UTC)
    if now is None:
        return f"{there.day} {there:%B %Y}"
    here = datetime.fromtimestamp(now, UTC)
    if 0 <= (here.date() - there.date()).days < 7:
        return "today" if here.date() == there.date() else f"{there:%A}"
    return f"{there.day} {there:%B}" + ("" if there.year == here.year else f" {there.year}")


def clause(change: ToldChange, now: float) -> str:
    """One change.

    >>> own = ToldChange("nmt-7", "legal", "chrf", "chrF", "worse", 1.6e9, 1.6e9, 9, 7, 3, "61.2", "57.9", "−3.3")
    >>> clause(own, 1.6e9 + 86400)
    'nmt-7 became worse in legal since Sunday: chrF 61.2 → 57.9'
    """
    since = day(change.since, now)
    return f"{change.system} became {change.kind} {change.where} since {since}: {change.numbers}"


def sentence(changes: Sequence[ToldChange], series: int, now: float, span: str) -> str:
    """What changed and where, and that nothing else did.

    >>> sentence([], 12, 0.0, "in the last 30 days")
    'Nothing changed in the last 30 days: none of 12 series became worse or better.'
    >>> own = ToldChange("nmt-7", "legal", "chrf", "chrF", "worse", 1.6e9, 1.6e9, 9, 7, 3, "61.2", "57.9", "−3.3")
    >>> sentence([own], 12, 1.6e9 + 86400, "in the last 30 days")
    'nmt-7 became worse in legal since Sunday: chrF 61.2 → 57.9; nothing else changed.'
    """
    if not series:
        return "There is nothing to watch yet: no evaluation has come in."
    if not changes:
        which = (
            "the one series that there is did not become"
            if series == 1
            else f"none of {series} series became"
        )
        return f"Nothing changed {span}: {which} worse or better."
    first, rest = changes[:MOST], len(changes) - MOST
    told = "; ".join(clause(own, now) for own in first)
    if rest > 0:
        return f"{told}; and {rest} more {'changes' if rest > 1 else 'change'} below."
    return f"{told}; nothing else changed."


def likely(p: float | None) -> str:
    """A p-value as people read it.

    >>> likely(0.0004), likely(0.0312), likely(None)
    ('p < 0.001', 'p = 0.031', 'no test')
    """
    return "no test" if p is None else "p < 0.001" if p < 0.0005 else f"p = {p:.3f}"


def periods_sentence(system: str, found: Mapping[str, Any], since: str, metric: Metric) -> str:
    """Whether a system changed since a day, with texts as hard as before."""
    adjusted, p = found["adjusted"], found["p"]
    before, after = number(found["before"]["value"], metric), number(found["after"]["value"], metric)
    scores = f"{metric.label} {before} {ARROW} {after}"
    if adjusted is None or p is None:
        return f"{system} since {since}: {scores}; there is too little to say whether it changed."
    with_texts = f"{signed(adjusted, metric)} on texts as hard as before"
    if p >= 0.05:
        return f"{system} did not change since {since}: {scores}, {with_texts} ({likely(p)})."
    kind = "better" if (adjusted > 0) == metric.higher_is_better else "worse"
    return f"{system} is {kind} since {since}: {scores}, {with_texts} ({likely(p)})."
