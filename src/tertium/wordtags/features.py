"""Features of words, of gaps and of source words: columns by name, over a `WordView`; and what is hashed of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from zlib import crc32

import numpy as np

from tertium.estimation.words import Keys, Numbers, Places, mixed
from tertium.wordtags.view import WordSide, WordView

_EMPTY = -30.0  # where there is no word
_NONE = np.uint64(3)  # the key of no word


def _seen(side: WordSide) -> Numbers:
    """How often a word has stood before in its text."""
    order = np.lexsort((np.arange(len(side)), side.kinds, side.segments))
    same = np.diff(side.kinds[order], prepend=-1) == 0
    same &= np.diff(side.segments[order], prepend=-1) == 0
    number = np.arange(len(order))
    number = number - np.maximum.accumulate(np.where(same, 0, number))
    found = np.zeros(len(side))
    found[order] = number
    return found


def _digits(form: str) -> str:
    return "".join(c for c in form if c.isdigit())


def _copied(ours: WordSide, theirs: WordSide) -> tuple[Numbers, Numbers]:
    """Whether a word stands in the other text, too, and whether its digits do (1: it has none)."""
    words = set(zip(theirs.segments.tolist(), theirs.words.forms, strict=True))
    digits = {(segment, _digits(form)) for segment, form in words if any(c.isdigit() for c in form)}
    copied, numbers = np.zeros(len(ours)), np.ones(len(ours))
    for i, (segment, form) in enumerate(zip(ours.segments.tolist(), ours.words.forms, strict=True)):
        copied[i] = (segment, form) in words
        if any(c.isdigit() for c in form):
            numbers[i] = (segment, _digits(form)) in digits
    return copied, numbers


def shape(form: str) -> int:
    """Letters small, capital first, all capital; digits; marks."""
    if any(c.isdigit() for c in form):
        return 3
    if not any(c.isalpha() for c in form):
        return 4
    return 2 if form.isupper() and len(form) > 1 else 1 if form[:1].isupper() else 0


def _own(words: WordView, side: WordSide, name: str) -> dict[str, Numbers]:
    """What is known of a word by itself."""
    view = words.view
    best, mean = view.forward if name == "target" else view.backward
    sizes = side.words.sizes[side.segments]
    surprise, rarity = view.surprise[name], view.rarity[name]
    return {
        "best": np.log(side.least(best)),
        "mean": np.log(side.least(mean)),
        "surprise": side.total(surprise),
        "most surprise": -side.least(-surprise),
        "rarity": -side.least(-rarity),
        "shape": side.each(shape),
        "letters": side.each(len),
        "parts": side.total(np.ones(len(side.owners))),
        "place": side.places / np.maximum(sizes - 1, 1),
        "from the end": sizes - side.places,
        "words": sizes.astype(float),
        "seen": _seen(side),
    }


def _linked(
    side: WordSide, other: WordSide, links: Places, chances: Numbers, own: Mapping[str, Numbers]
) -> dict[str, Numbers]:
    """What is known of the word that a word is linked to; `own` is known of those."""
    some = links >= 0
    place = np.where(some, links, 0)

    def there(values: Numbers, empty: float) -> Numbers:
        return np.where(some, values[place], empty) if len(other) else np.full(len(side), empty)

    number = np.bincount(links[some], minlength=len(other)).astype(float)
    relative = (
        (other.places / np.maximum(other.words.sizes[other.segments] - 1, 1)) if len(other) else np.zeros(0)
    )
    mine = side.places / np.maximum(side.words.sizes[side.segments] - 1, 1)
    at = np.where(some, place, -1)
    before, after = (side.beside(at, by, -1) for by in (-1, 1))
    known = some & (before >= 0), some & (after >= 0)
    return {
        "link": chances,
        "linked best": there(own["best"], -10.0),
        "linked rarity": there(own["rarity"], -1.0),
        "linked surprise": there(own["surprise"], -1.0),
        "linked shape": there(own["shape"], -1.0),
        "linked seen": there(own["seen"], -1.0),
        "fertility": there(number, 0.0),
        "apart": np.where(some, np.abs(there(relative, 0.0) - mine), -1.0),
        "jump before": np.where(known[0], at - before, -20.0),
        "jump after": np.where(known[1], after - at, -20.0),
        "lengths": np.log((side.words.sizes[side.segments] + 1) / (other.words.sizes[side.segments] + 1)),
    }


# How far neighbours are looked at.
_WINDOW = {"best": 1, "surprise": 1, "link": 1, "shape": 1, "tendency": 2, "sum": 2, "least": 1, "chance": 2}


def _window(side: WordSide, own: dict[str, Numbers]) -> dict[str, Numbers]:
    found = {}
    for name, far in _WINDOW.items():
        if name in own:
            for by in (*range(-far, 0), *range(1, far + 1)):
                found[f"{name} {by:+d}"] = side.beside(own[name], by, _EMPTY)
    return found


def _glass(words: WordView) -> dict[str, Numbers]:
    if words.pieces is None:
        return {}
    total, least, number = words.pieces
    side = words.target
    sizes = np.maximum(side.words.sizes, 1)
    mean = np.bincount(side.segments, total, len(side.words)) / sizes
    spread = np.sqrt(
        np.maximum(np.bincount(side.segments, total**2, len(side.words)) / sizes - mean**2, 1e-6)
    )
    order = np.lexsort((total, side.segments))
    rank = np.zeros(len(side))
    rank[order] = np.arange(len(side)) - side.words.starts[side.segments[order]]
    return {
        "sum": total,
        "least": least,
        "piece": total / np.maximum(number, 1),
        "pieces": number,
        "text": mean[side.segments],
        "above": (total - mean[side.segments]) / spread[side.segments],
        "rank": rank / sizes[side.segments],
    }


def target_columns(words: WordView, tendency: Numbers) -> dict[str, Numbers]:
    """Of each word of the translation."""
    ours, theirs = words.target, words.source
    links, chances, _, _ = words.links
    copied, numbers = _copied(ours, theirs)
    own = {
        **_own(words, ours, "target"),
        **_linked(ours, theirs, links, chances, _own(words, theirs, "source")),
        **_glass(words),
        "copied": copied,
        "numbers": numbers,
        "tendency": tendency,
        "estimate": words.estimates[ours.segments],
    }
    return own | _window(ours, own)


def source_columns(words: WordView, tendency: Numbers, chances: Numbers) -> dict[str, Numbers]:
    """Of each word of the source; `chances` are those of target words to be BAD."""
    ours, theirs = words.source, words.target
    forward, _, links, strength = words.links
    copied, numbers = _copied(ours, theirs)
    some = links >= 0
    place = np.where(some, links, 0)
    linked = forward >= 0
    worst = np.full(len(ours), -1.0)
    np.maximum.at(worst, forward[linked], chances[linked])
    mean = np.bincount(theirs.segments, chances, len(theirs.words)) / np.maximum(theirs.words.sizes, 1)
    most = np.zeros(len(theirs.words))
    np.maximum.at(most, theirs.segments, chances)
    beside = [theirs.beside(chances, by, -1.0) for by in (-1, 1)]

    def there(values: Numbers) -> Numbers:
        return np.where(some, values[place], -1.0) if len(theirs) else np.full(len(ours), -1.0)

    own = {
        **_own(words, ours, "source"),
        **_linked(ours, theirs, links, strength, _own(words, theirs, "target")),
        "copied": copied,
        "numbers": numbers,
        "tendency": tendency,
        "estimate": words.estimates[ours.segments],
        "chance": there(chances),
        "chance before": there(beside[0]),
        "chance behind": there(beside[1]),
        "worst": worst,
        "text": mean[ours.segments],
        "worst of text": most[ours.segments],
    }
    return own | _window(ours, own)


def gap_columns(words: WordView, tendency: Numbers, chances: Numbers) -> dict[str, Numbers]:
    """Of each gap: what stands on both sides of it, and what of the source lies between their links unexplained."""
    ours, theirs = words.target, words.source
    links, strength, _, _ = words.links
    left, right = gap_sides(ours)
    own = {
        **_own(words, ours, "target"),
        **{key: value for key, value in _glass(words).items() if key in ("sum", "least", "above")},
        "link": strength,
        "chance": chances,
    }
    found: dict[str, Numbers] = {}
    for name in ("best", "surprise", "rarity", "shape", "letters", "sum", "least", "above", "link", "chance"):
        if name in own:
            padded = np.append(own[name], _EMPTY)
            found |= {f"{name} left": padded[left], f"{name} right": padded[right]}
            further = np.append(ours.beside(own[name], -1, _EMPTY), _EMPTY)[left]
            found |= {
                f"{name} left 2": further,
                f"{name} right 2": np.append(ours.beside(own[name], 1, _EMPTY), _EMPTY)[right],
            }
    segment = gap_segments(ours)
    lost = np.log(theirs.least(words.view.backward[0])) < -4 if len(theirs) else np.zeros(0, bool)
    weight = np.where(lost, -theirs.least(-words.view.rarity["source"]), 0.0) if len(theirs) else np.zeros(0)
    linked = np.zeros(len(theirs), bool)
    linked[links[links >= 0]] = True
    weight = np.where(linked, 0.0, np.maximum(weight, 0.0) + 0.1)
    sums = np.concatenate([[0.0], np.cumsum(weight)])
    ends = np.append(links, -1)
    first = np.where(ends[left] >= 0, ends[left] + 1, theirs.words.starts[segment])
    last = np.where(ends[right] >= 0, ends[right], theirs.words.starts[segment + 1])
    between = np.where(first < last, sums[np.maximum(last, 0)] - sums[np.maximum(first, 0)], 0.0)
    all_of = np.asarray(np.bincount(theirs.segments, weight, len(theirs.words)), float)
    sizes = ours.words.sizes
    places = np.arange(len(segment)) - (ours.words.starts[:-1] + np.arange(len(sizes)))[segment]
    mean = np.bincount(ours.segments, chances, len(sizes)) / np.maximum(sizes, 1)
    return found | {
        "between": between,
        "left over": all_of[segment],
        "jump": np.where((ends[left] >= 0) & (ends[right] >= 0), ends[right] - ends[left], -20.0),
        "place": places / np.maximum(sizes[segment], 1),
        "words": sizes[segment].astype(float),
        "lengths": np.log((sizes[segment] + 1) / (theirs.words.sizes[segment] + 1)),
        "estimate": words.estimates[segment],
        "text": mean[segment],
        "tendency": tendency,
    }


def gap_segments(side: WordSide) -> Places:
    return np.repeat(np.arange(len(side.words)), side.words.sizes + 1)


def gap_sides(side: WordSide) -> tuple[Places, Places]:
    """The words on both sides of each gap; where there is none, the number of words."""
    segment = gap_segments(side)
    place = np.arange(len(segment)) - segment
    left = np.where(place > side.words.starts[segment], place - 1, len(side))
    right = np.where(place < side.words.starts[segment + 1], place, len(side))
    return left, right


def _letters(side: WordSide) -> list[Keys]:
    """Ends and beginnings of words, as they are written."""
    found = []
    for number, part in enumerate((slice(-2, None), slice(-3, None), slice(-4, None), slice(4), slice(None))):
        own = side.each(partial(_number_of, part))
        found.append(own.astype(np.uint64) * np.uint64(64) + np.uint64(number))
    return found


def _number_of(part: slice, form: str) -> float:
    return float(crc32(form[part].encode("utf-8", "surrogatepass")))


def _near(side: WordSide, by: int) -> Keys:
    return np.asarray(side.beside(side.keys, by, float(_NONE)), np.uint64)


def word_keys(words: WordView, name: str) -> list[Keys]:
    """What is hashed of each word: itself, its letters, its neighbours, the word it is linked to and its neighbours."""
    ours, theirs = (words.target, words.source) if name == "target" else (words.source, words.target)
    links = words.links[0] if name == "target" else words.links[2]
    before, after = _near(ours, -1), _near(ours, 1)
    there = []
    for by in (0, -1, 1):
        keys = np.append(_near(theirs, by) if by else theirs.keys, _NONE)
        there.append(keys[np.where(links >= 0, links, len(keys) - 1)])
    own = ours.keys
    return numbered(
        own,
        *_letters(ours),
        before,
        after,
        mixed(before, own),
        mixed(own, after),
        there[0],
        mixed(own, there[0]),
        there[1],
        there[2],
        _near(ours, -2),
        _near(ours, 2),
    )


def gap_keys(words: WordView) -> list[Keys]:
    ours, theirs = words.target, words.source
    left, right = gap_sides(ours)
    keys = np.append(ours.keys, _NONE)
    linked = np.append(theirs.keys, _NONE)
    links = np.append(words.links[0], -1)
    sources = [linked[np.where(links[side] >= 0, links[side], len(linked) - 1)] for side in (left, right)]
    after = np.append(_near(theirs, 1), _NONE)[np.where(links[left] >= 0, links[left], len(linked) - 1)]
    return numbered(
        keys[left],
        keys[right],
        mixed(keys[left], keys[right]),
        *sources,
        mixed(*sources),
        after,
    )


def numbered(*keys: Keys) -> list[Keys]:
    """The same keys, different for each place in the list."""
    return [mixed(np.full(len(own), number + 1, np.uint64), own) for number, own in enumerate(keys)]
