"""Counts of translations as dictionaries: what native/seen_translations.hpp does, without hashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable


class SeenTranslationsTwin:
    def __init__(self, most: int) -> None:
        self.most = most
        self.known: dict[Hashable, Counter[Hashable]] = {}

    def add(self, pairs: Iterable[tuple[Hashable, Hashable]]) -> None:
        for source, target in pairs:
            self.known.setdefault(source, Counter())[target] += 1
        least = 2
        while len(self.known) > (self.most if least == 2 else self.most // 2):
            self.known = {source: own for source, own in self.known.items() if own.total() >= least}
            least *= 2

    def counts(self, source: Hashable, target: Hashable) -> list[int]:
        own = self.known.get(source, Counter())
        return [len(own), own.total(), max(own.values()), own[target]] if own.total() > 1 else [0, 0, 0, 0]
