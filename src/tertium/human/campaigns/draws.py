"""Seeded draws that are the same on every machine and with every version of Python.

A thing's place depends on a hash of the seed, of what is drawn, and of the thing itself, so adding a thing never
changes the order of the others.
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


def identity_of(*labels: object) -> str:
    """An id that tells nothing about what it stands for.

    >>> identity_of("1", "doc", "A+B")
    '08df049c3d4d6c51'
    """
    return _sha256(labels).hex()[:16]


def _hash(labels: Iterable[object]) -> int:
    return int.from_bytes(_sha256(labels), "big")


def _sha256(labels: Iterable[object]) -> bytes:
    return hashlib.sha256("\x1f".join(map(str, labels)).encode("utf-8", "surrogatepass")).digest()
