"""Where a reference and a wrong version of it differ, and where in an output to look for either."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.challenge.items import Span
from tertium.text.normalize import plain_words


def regions(reference: str, spans: Sequence[Span], wrong: str, context: int = 1) -> tuple[str, str]:
    """The part of the reference that is highlighted or differs from the wrong version, and its counterpart there,
    with some words of context on either side. Both texts are in plain typography, and spans count in the reference.

    >>> regions("Les appels de sa mère auraient dû nous alerter.", (), "Les appels de sa mère aurait dû nous alerter.")
    ('mère auraient dû', 'mère aurait dû')
    """
    placed = plain_words(reference)
    ours, theirs = [word for word, _ in placed], [word for word, _ in plain_words(wrong)]
    shorter = min(len(ours), len(theirs))
    same = [a.casefold() == b.casefold() for a, b in zip(ours, theirs, strict=False)]
    before = next((place for place, equal in enumerate(same) if not equal), shorter)
    behind = 0
    while behind < shorter - before and ours[-1 - behind].casefold() == theirs[-1 - behind].casefold():
        behind += 1
    places = [(start, start + len(word)) for word, start in placed]
    for start, end in spans:
        inside = [i for i, (first, last) in enumerate(places) if first < end and start < last]
        if inside:
            before, behind = min(before, inside[0]), min(behind, len(ours) - 1 - inside[-1])
    before, behind = max(0, before - context), max(0, behind - context)
    return " ".join(ours[before : len(ours) - behind]), " ".join(theirs[before : len(theirs) - behind])


def windows(text: str, sizes: Sequence[int]) -> Iterator[str]:
    """Runs of words of these lengths; the whole text where it is shorter.

    >>> list(windows("a b c", [2]))
    ['a b', 'b c']
    """
    found = [word for word, _ in plain_words(text)]
    for size in dict.fromkeys(min(size, len(found)) for size in sizes if size > 0):
        for start in range(len(found) - size + 1):
            if size:
                yield " ".join(found[start : start + size])
