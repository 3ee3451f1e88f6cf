"""Pronoun translation accuracy, case by case: for each pronoun its translations in hypothesis and reference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.text.alignment import Links
from tertium.text.parses import Parsed

_NEAR = 3  # words beside a pronoun whose links tell where its translation may stand


def accuracy(cases: Sequence[tuple[set[str], set[str]]], *, linked: bool = False) -> float | None:
    counted = [(own, other) for own, other in cases if other and (own or not linked)]
    right = [own & other for own, other in counted if own & other]
    return 100 * len(right) / len(counted) if counted else None


def outcome(own: frozenset[str], other: frozenset[str]) -> str:
    """What became of a pronoun, given its translations in hypothesis and reference."""
    if own and other:
        return "same" if own & other else "different"
    return "missing" if other else "added" if own else "neither"


def translations(
    source: Parsed, target: Parsed, links: Links, wanted: frozenset[str], listed: frozenset[str]
) -> Iterator[frozenset[str]]:
    """The words linked to each pronoun of the source, in lower case: listed pronouns among them, if any are. One
    without links is looked for among the free words between those linked to its neighbours."""
    by_source: dict[int, list[int]] = {}
    for i, j in links:
        by_source.setdefault(i, []).append(j)
    taken = {j for _, j in links}
    words = [_plain(word) for word in target.words]
    for place, word in enumerate(source.words):
        if _plain(word) not in wanted:
            continue
        found = {words[j] for j in by_source.get(place, ())}
        if not found:
            near = [j for k in range(place - _NEAR, place + _NEAR + 1) for j in by_source.get(k, ())]
            between = range(min(near) - 1, max(near) + 2) if near else range(0)
            free = [j for j in between if 0 <= j < len(words) and j not in taken and words[j] in listed]
            taken.update(free[:1])
            found = {words[j] for j in free[:1]}
        yield frozenset(found & listed or found)


def _plain(word: str) -> str:
    return word.lower().replace("\u2019", "'")
