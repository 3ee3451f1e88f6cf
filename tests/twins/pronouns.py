"""Pronoun translation accuracy, case by case: for each pronoun its translations in hypothesis and reference."""

from __future__ import annotations

from collections.abc import Sequence


def accuracy(cases: Sequence[tuple[set[str], set[str]]], *, linked: bool = False) -> float | None:
    counted = [(own, other) for own, other in cases if other and (own or not linked)]
    right = [own & other for own, other in counted if own & other]
    return 100 * len(right) / len(counted) if counted else None
