"""Seeded draws that are the same on every machine and with every version of Python.

A thing's place is decided by a hash of the seed, of what is drawn, and of the thing itself. So adding a thing never
changes how the others are ordered among themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def number(below: int, *labels: object) -> int:
    """A number from 0 to below - 1.

    >>> number(6, 12345, "die"), number(6, 12345, "die"), number(6, 12346, "die")
    (3, 3, 5)
    """
    if below < 1:
        raise ValueError(f"there is no number below {below}")
    return _hash(labels) % below


def coin(*labels: object) -> bool:
    """Heads or tails.

    >>> sum(coin(1, toss) for toss in range(1000))
    495
    """
    return bool(_hash(labels) & 1)


def shuffled(things: Iterable[T], *labels: object, key: Callable[[T], object] | None = None) -> list[T]:
    """The things in random order. `key` tells equal-looking things apart; without it their places do.

    >>> shuffled("abcde", 12345, "letters")
    ['d', 'e', 'b', 'a', 'c']
    """
    listed = list(things)
    places = {
        place: _hash((*labels, place if key is None else key(thing))) for place, thing in enumerate(listed)
    }
    return [listed[place] for place in sorted(places, key=lambda place: (places[place], place))]


def _hash(labels: Iterable[object]) -> int:
    text = "\x1f".join(map(str, labels))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest(), "big")
