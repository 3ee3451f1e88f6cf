"""Contrastive pairs: does a system itself prefer the reference to a wrong version of it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tertium.challenge.items import Item
from tertium.challenge.judges.hints import read_hints
from tertium.challenge.judges.scorers import Scorer, checked_scores
from tertium.challenge.judges.verdicts import Ruling
from tertium.challenge.outputs import System
from tertium.errors import InputError, SpecError


def versions(items: Iterable[Item]) -> Iterator[tuple[Item, str]]:
    """What a scorer must score: the reference of each item that has wrong versions of it, then these."""
    listed = list(items)
    hints = read_hints(listed)
    for item in listed:
        if item.reference and hints[item.id].wrong:
            yield from ((item, text) for text in (item.reference, *hints[item.id].wrong))


@dataclass(frozen=True)
class ContrastiveJudge:
    """Judges systems by their own scores, not by their outputs, after Sennrich (2016).

    A system that can score a given translation, for example by its log-probability, scores the reference and each
    `wrong` version. The verdict is yes if the reference scores higher than every wrong version by more than `margin`,
    no if a wrong version scores higher than the reference by more than `margin`, and unsure otherwise, ties included.
    `scorers` has a scorer for each system: a callable that takes sources and translations and returns a number for
    each pair, higher being better, or a `CommandScorer`.

    >>> item = Item("1", "Lexical", "", "Well?", "It rains.", "Il pleut.", judge={"wrong": ["Il pleure beaucoup."]})
    >>> def shorter(sources, translations):
    ...     return [-len(text) for text in translations]
    >>> judge = ContrastiveJudge({System("A"): shorter})
    >>> judge.rule(System("A"), [item], [""])
    [Ruling(call='yes', reason='the reference scores -9, the best wrong version -19')]
    """

    scorers: Mapping[System, Scorer]
    margin: float = 0.0

    def __post_init__(self) -> None:
        if not self.scorers:
            raise SpecError("the contrastive judge needs a scorer for at least one system")
        if not 0 <= self.margin < float("inf"):
            raise SpecError(f"the margin of the contrastive judge cannot be {self.margin:g}")

    name = "contrastive"

    @property
    def signature(self) -> str:
        return f"contrastive pairs (Sennrich 2016)|margin:{self.margin:g}"

    @property
    def systems(self) -> tuple[System, ...]:
        return tuple(self.scorers)

    def rule(self, system: System, items: Sequence[Item], texts: Sequence[str]) -> list[Ruling]:
        if system not in self.scorers:
            raise InputError(f"there is no scorer for the system {system.label!r}")
        hints = read_hints(items)
        pairs = [(item.source, text) for item, text in versions(items)]
        sources, texts = [source for source, _ in pairs], [text for _, text in pairs]
        found = self.scorers[system](sources, texts) if pairs else []
        scores = iter(checked_scores(found, len(pairs), f"the scorer of {system.label}"))
        rulings = []
        for item in items:
            wrong = hints[item.id].wrong
            if not item.reference:
                rulings.append(Ruling("unsure", "the item has no reference"))
            elif not wrong:
                rulings.append(Ruling("unsure", "the item has no 'wrong' versions"))
            else:
                rulings.append(self._ruling(next(scores), max(next(scores) for _ in wrong)))
        return rulings

    def _ruling(self, right: float, wrong: float) -> Ruling:
        reason = f"the reference scores {right:.6g}, the best wrong version {wrong:.6g}"
        if abs(right - wrong) <= self.margin:
            apart = f", no further apart than {self.margin:g}" if self.margin else ", which is the same"
            return Ruling("unsure", reason + apart)
        return Ruling("yes" if right > wrong else "no", reason)
