"""Twelve ways to damage a unit: what the probe looks for, and what the combined probability is trained on.

Each takes a unit of the user's own memory and others of it, and gives the damaged copy, or None where the kind cannot
happen to this unit. The source is never touched: what is wrong is always in the target. Marks at the end stay where
they were, so that no rule about marks gives a damage away.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from tertium.io.memories.unit import Unit
from tertium.vetting.checks.placeholders import PLACEHOLDER, without_placeholders

_WORD = re.compile(r"[^\W\d_]+")
_ENDING = re.compile(r"[\s.!?…:;,。！？：]*$")
_CLAUSE = re.compile(r"[,;:.!?—–(]\s+")
_NUMBER = re.compile(r"(?<![\w.,])\d+(?![\w])")
_DIGITS = re.compile(r"(?<!\w)\d{2,}(?!\w)")
_NAME = re.compile(r"(?<![.!?:] )(?<!^)(?<![\w&%<\"'’«])[A-Z][^\W\d_]{2,}(?!\w)")
_NEGATIONS = {
    "fr": (r"\b(?:ne|n['’])\s?(\w+(?:[ -]\w+)?)\s+(?:pas|jamais|plus|rien)\b", r"\1"),
    "en": (r"\b(?:not|never)\s|n['’]t\b|(?<=\bcan)not\b", ""),
    "de": (r"\b(?:nicht|nie|niemals)\s|\bk(?=ein)", ""),
    "es": (r"\b(?:no|nunca|jamás)\s", ""),
    "it": (r"\bnon\s", ""),
    "pt": (r"\b(?:não|nunca)\s", ""),
    "nl": (r"\b(?:niet|nooit)\s|\bg(?=een\b)", ""),
}
POOL = 20_000  # units that others take texts from


class Others:
    """What damage is made of: texts of other units, by length; clauses, names, and words by how frequent they are."""

    def __init__(self, units: Sequence[Unit]) -> None:
        step = max(1, len(units) // POOL)
        pool = [own for own in units[::step] if own.target.strip() and own.source.strip()]
        self.targets = sorted(pool, key=lambda own: (len(own.target), own.target))
        self.lengths = [len(own.target) for own in self.targets]
        self.sources = sorted(pool, key=lambda own: (len(own.source), own.source))
        self.source_lengths = [len(own.source) for own in self.sources]
        self.clauses = [clause for own in pool if (clause := last_clause(own.target)) is not None]
        self.names = sorted({name for own in pool for name in _NAME.findall(own.target)})
        counts = Counter(
            word for own in pool for word in _WORD.findall(own.target) if len(word) > 3 and word.islower()
        )
        self.terms = [
            word for word, number in sorted(counts.items(), key=lambda item: (item[1], item[0])) if number > 2
        ]
        self.places = {word: i for i, word in enumerate(self.terms)}

    def like(self, unit: Unit, draw: Random, *, source: bool = False) -> Unit | None:
        """Another unit whose target (or source) is about as long as this one's target."""
        pool, lengths = (self.sources, self.source_lengths) if source else (self.targets, self.lengths)
        n = len(unit.target)
        low, high = bisect_left(lengths, int(n * 0.9)), bisect_left(lengths, int(n * 1.1) + 2)
        for _ in range(8):
            if low < high:
                found = pool[draw.randrange(low, high)]
                if found.target != unit.target and found.source != unit.source:
                    return found
        return None


def _ending(text: str) -> tuple[str, str]:
    """A text, and the marks and spaces at its end."""
    at = _ENDING.search(text)
    return (text, "") if at is None else (text[: at.start()], text[at.start() :])


def last_clause(text: str) -> tuple[int, str] | None:
    """Where the mark before the last clause stands, and the clause: two words or more, and as many before it.

    >>> last_clause("Ouvrez le fichier, puis fermez la fenêtre.")
    (17, 'puis fermez la fenêtre')
    """
    body, _ = _ending(text)
    found = None
    for mark in _CLAUSE.finditer(body):
        if len(body[: mark.start()].split()) >= 2 and len(body[mark.end() :].split()) >= 2:
            found = (mark.start(), body[mark.end() :])
    return found


def other_target(unit: Unit, others: Others, draw: Random, _before: Unit | None) -> str | None:
    found = others.like(unit, draw)
    return None if found is None else found.target


def neighbour(unit: Unit, _others: Others, _draw: Random, before: Unit | None) -> str | None:
    """The target of the unit before it in the same document."""
    if before is None or before.document != unit.document or before.client != unit.client:
        return None
    return before.target if before.target != unit.target and before.source != unit.source else None


def dropped_clause(unit: Unit, _others: Others, _draw: Random, _before: Unit | None) -> str | None:
    found = last_clause(unit.target)
    return None if found is None else unit.target[: found[0]] + _ending(unit.target)[1]


def added_clause(unit: Unit, others: Others, draw: Random, _before: Unit | None) -> str | None:
    if not others.clauses or len(unit.target.split()) < 2:
        return None
    body, ending = _ending(unit.target)
    return f"{body}, {draw.choice(others.clauses)[1]}{ending}"


def _replaced(text: str, found: re.Match[str], by: str) -> str:
    return text[: found.start()] + by + text[found.end() :]


def _shared(kind: re.Pattern[str], unit: Unit) -> list[re.Match[str]]:
    """Numbers of the target that the source has, too: what only one side has is no translation."""
    ours = set(kind.findall(without_placeholders(unit.source)))
    return [own for own in kind.finditer(without_placeholders(unit.target)) if own.group() in ours]


def number_changed(unit: Unit, _others: Others, draw: Random, _before: Unit | None) -> str | None:
    """A number that both sides have becomes another near it."""
    numbers = _shared(_NUMBER, unit)
    if not numbers:
        return None
    found = draw.choice(numbers)
    value = int(found.group())
    other = max(0, value + draw.choice((-10, -3, -2, -1, 1, 2, 3, 10)))
    return _replaced(unit.target, found, str(other if other != value else value + 1))


def digits_swapped(unit: Unit, _others: Others, draw: Random, _before: Unit | None) -> str | None:
    """Two digits of a number that both sides have change places."""
    numbers = [own for own in _shared(_DIGITS, unit) if len(set(own.group())) > 1]
    if not numbers:
        return None
    found = draw.choice(numbers)
    digits = list(found.group())
    at = draw.choice([i for i in range(len(digits) - 1) if digits[i] != digits[i + 1]])
    digits[at], digits[at + 1] = digits[at + 1], digits[at]
    return _replaced(unit.target, found, "".join(digits))


def name_changed(unit: Unit, others: Others, draw: Random, _before: Unit | None) -> str | None:
    """A name that both sides have becomes another."""
    names = [own for own in _NAME.finditer(unit.target) if own.group() in unit.source]
    if not names or len(others.names) < 2:
        return None
    found = draw.choice(names)
    other = draw.choice(others.names)
    return None if other == found.group() else _replaced(unit.target, found, other)


def negation_dropped(unit: Unit, _others: Others, _draw: Random, _before: Unit | None) -> str | None:
    pattern, by = _NEGATIONS.get(re.split("[-_]", unit.target_language.lower())[0], (None, ""))
    if pattern is None:
        return None
    made = re.sub(pattern, by, unit.target, count=1)
    return made if made != unit.target else None


def placeholder_lost(unit: Unit, _others: Others, draw: Random, _before: Unit | None) -> str | None:
    found = [own for own in PLACEHOLDER.finditer(unit.target) if own.group() != "%%"]
    if not found:
        return None
    own = draw.choice(found)
    made = (unit.target[: own.start()].rstrip(" ") + " " + unit.target[own.end() :].lstrip(" ")).strip(" ")
    return made or None


def term_replaced(unit: Unit, others: Others, draw: Random, _before: Unit | None) -> str | None:
    """A word becomes another that is about as frequent in the memory."""
    words = [own for own in _WORD.finditer(unit.target) if own.group() in others.places]
    if not words or len(others.terms) < 20:
        return None
    found = draw.choice(words)
    at = others.places[found.group()]
    reach = max(10, len(others.terms) // 20)
    other = others.terms[draw.randrange(max(0, at - reach), min(len(others.terms), at + reach))]
    return None if other[:4] == found.group()[:4] else _replaced(unit.target, found, other)


def wrong_language(unit: Unit, others: Others, draw: Random, _before: Unit | None) -> str | None:
    """A text in the source's language: half of the time the source itself, or else that of another unit."""
    if draw.random() < 0.5:
        return unit.source if unit.source != unit.target else None
    found = others.like(unit, draw, source=True)
    return None if found is None or found.source == found.target else found.source


def truncated(unit: Unit, _others: Others, draw: Random, _before: Unit | None) -> str | None:
    """Cut somewhere between a third and nine tenths; no mark at the end."""
    words = unit.target.split(" ")
    if len(words) < 4:
        return None
    left = draw.randrange(max(2, len(words) // 3), max(3, int(len(words) * 0.9)))
    made = " ".join(words[:left])
    return made if made != unit.target else None


Damage = Callable[[Unit, Others, Random, "Unit | None"], "str | None"]
DAMAGES: dict[str, Damage] = {
    "other target": other_target,
    "neighbour's target": neighbour,
    "clause dropped": dropped_clause,
    "clause added": added_clause,
    "number changed": number_changed,
    "digits swapped": digits_swapped,
    "name changed": name_changed,
    "negation dropped": negation_dropped,
    "placeholder lost": placeholder_lost,
    "term replaced": term_replaced,
    "wrong language": wrong_language,
    "truncated": truncated,
}


def damaged(
    kind: str,
    units: Sequence[Unit],
    others: Others,
    seed: int,
    befores: Sequence[Unit | None] | None = None,
) -> dict[int, Unit]:
    """All units that a kind can happen to, by their place, damaged; `befores`: the units before them.

    >>> units = [Unit("Wait 10 seconds", "Attendez 10 secondes", "en", "fr"), Unit("No", "Non", "en", "fr")]
    >>> [unit.target for unit in damaged("digits swapped", units, Others(units), 1).values()]
    ['Attendez 01 secondes']
    """
    make = DAMAGES[kind]
    found = {}
    for i, unit in enumerate(units):
        draw = Random(f"{seed} {kind} {i} {unit.source}")
        before = befores[i] if befores is not None else units[i - 1] if i else None
        target = make(unit, others, draw, before)
        if target is not None and target != unit.target:
            found[i] = unit.changed(target=target)
    return found
