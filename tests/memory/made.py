"""Memories for tests: one that teaches a judge something, and a judge that needs no teaching."""

from __future__ import annotations

import random
from collections.abc import Sequence

from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import CHECKS, LearningCheck, reasons
from tertium.vetting.suspicion import Suspicion

VERBS = {"Open": "Ouvrir", "Close": "Fermer", "Save": "Enregistrer", "Print": "Imprimer", "Copy": "Copier"}
NOUNS = {"file": "fichier", "folder": "dossier", "message": "message", "page": "page", "site": "site"}
KINDS = {"first": "premier", "last": "dernier", "new": "nouveau", "old": "ancien"}


def good_units(number: int, seed: int = 5) -> list[Unit]:
    """Units without a fault."""
    draw = random.Random(seed)
    made = []
    for _ in range(number):
        (verb, noun, kind), n = (
            tuple(draw.choice(list(own.items())) for own in (VERBS, NOUNS, KINDS)),
            draw.randrange(2, 99),
        )
        made.append(
            Unit(
                f"{verb[0]} the {kind[0]} {noun[0]} {n} for the %s now.",
                f"{verb[1]} le {kind[1]} {noun[1]} {n} pour le %s maintenant.",
                "en",
                "fr",
            )
        )
    return made


class PlainJudge:
    """Checks of single units as independent witnesses."""

    learns, calibrated = False, False

    def __init__(self) -> None:
        made = [CHECKS[name]() for name in CHECKS]
        # numbers are looked at without having learnt, too
        self._checks = [own for own in made if own.name == "numbers" or not isinstance(own, LearningCheck)]
        self.checked = tuple(own.name for own in self._checks)

    def learn(self, units: Sequence[Unit]) -> None:
        raise AssertionError("there is nothing to learn")

    def judge(self, units: Sequence[Unit]) -> list[Suspicion]:
        made = []
        for unit in units:
            found = reasons(unit, self._checks)
            right = 1.0
            for own in found:
                right *= 1.0 - 0.9 * own.score
            made.append(Suspicion(1.0 - right, tuple(found)))
        return made
