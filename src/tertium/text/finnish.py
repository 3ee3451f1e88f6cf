"""Snowball's Finnish stemmer as METEOR's jar has it.

The algorithm is Snowball's of 2015 (https://snowballstem.org/algorithms/finnish/stemmer.html) with one difference: four
case endings, -siin, -seen, -den and -tten, are tied to a condition on what stands before them, and the jar cannot call
that condition, so it never finds them. What is left of such a word ends in -n, which is then removed.
"""

from __future__ import annotations

_VOWELS = frozenset("aeiouyäö")
_LONG = ("aa", "ee", "ii", "oo", "uu", "ää", "öö")
_PARTICLES = ("kaan", "kään", "kin", "han", "hän", "ko", "kö", "pa", "pä", "sti")
_POSSESSIVES = ("nsa", "nsä", "mme", "nne", "ni", "si", "an", "än", "en")
_BEFORE_POSSESSIVE = {
    "an": ("ta", "ssa", "sta", "lla", "lta", "na"),
    "än": ("tä", "ssä", "stä", "llä", "ltä", "nä"),
    "en": ("lle", "ine"),
}
_BEFORE_CASE = {**{f"h{vowel}n": vowel for vowel in "aeioäö"}, "tta": "e", "ttä": "e"}
_CASES = (
    *_BEFORE_CASE,
    *("lla", "ssa", "lta", "sta", "llä", "ssä", "ltä", "stä", "lle", "ine", "ksi"),
    *("na", "ta", "nä", "tä", "a", "ä", "n"),
)
_COMPARISONS = ("mpi", "mpa", "mpä", "mmi", "mma", "mmä")
_OTHERS = (*(f"i{ending}" for ending in _COMPARISONS), "eja", "ejä", *_COMPARISONS)


def stem(word: str) -> str:
    """The stem of a word in lower case.

    >>> [stem(word) for word in ("taloissa", "alueiden", "alueisiin")]
    ['talo', 'alueid', 'alueis']
    """
    first, second = _regions(word)
    word = _without_possessive(_without_particle(word, first, second), first)
    shorter = _without_case(word, first)
    has_case = shorter != word
    word = _without_comparison(shorter, second, _OTHERS)
    if has_case:
        if len(word) > first and word[-1] in "ij":
            word = word[:-1]
    elif len(word) - 1 > first and word[-1] == "t" and word[-2] in _VOWELS:
        word = _without_comparison(word[:-1], second, ("imma", "mma"))
    return _tidy(word, first) if len(word) >= first else word


def _regions(word: str) -> tuple[int, int]:
    """Where the two regions begin: each after a run of vowels and one more letter."""
    starts = []
    place = 0
    for _ in range(2):
        while place < len(word) and word[place] not in _VOWELS:
            place += 1
        while place < len(word) and word[place] in _VOWELS:
            place += 1
        place = min(place + 1, len(word))
        starts.append(place)
    return starts[0], starts[1]


def _ending(word: str, begin: int, endings: tuple[str, ...]) -> str:
    """The longest of the endings (long ones come first) that begins at `begin` or later."""
    return next((e for e in endings if len(word) - len(e) >= begin and word.endswith(e)), "")


def _without_particle(word: str, first: int, second: int) -> str:
    ending = _ending(word, first, _PARTICLES)
    rest = word[: len(word) - len(ending)]
    if ending == "sti":
        return rest if len(rest) >= second else word
    return rest if ending and rest[-1:] and (rest[-1] in _VOWELS or rest[-1] in "nt") else word


def _without_possessive(word: str, first: int) -> str:
    ending = _ending(word, first, _POSSESSIVES)
    if not ending:
        return word
    rest = word[: -len(ending)]
    if ending == "si":
        return word if rest.endswith("k") else rest
    if ending == "ni":
        return f"{rest[:-1]}i" if rest.endswith("kse") else rest
    if ending in _BEFORE_POSSESSIVE:
        return rest if rest.endswith(_BEFORE_POSSESSIVE[ending]) else word
    return rest


def _without_case(word: str, first: int) -> str:
    ending = _ending(word, first, _CASES)
    if not ending:
        return word
    rest = word[: -len(ending)]
    if ending == "n":
        return rest[:-1] if rest.endswith((*_LONG, "ie")) else rest
    if ending in ("a", "ä"):
        return rest if len(rest) > 1 and rest[-1] in _VOWELS and rest[-2] not in _VOWELS else word
    return rest if rest.endswith(_BEFORE_CASE.get(ending, "")) else word


def _without_comparison(word: str, second: int, endings: tuple[str, ...]) -> str:
    ending = _ending(word, second, endings)
    rest = word[: len(word) - len(ending)]
    return word if ending in _COMPARISONS and rest.endswith("po") else rest


def _tidy(word: str, first: int) -> str:
    """Without a long vowel's second half, a last a, ä, e or i, j after o or u, o after j, and a doubled consonant."""
    if len(word) - 2 >= first and word.endswith(_LONG):
        word = word[:-1]
    if len(word) - 2 >= first and word[-1] in "aäei" and word[-2] not in _VOWELS:
        word = word[:-1]
    if len(word) - 2 >= first and word.endswith(("oj", "uj")):
        word = word[:-1]
    if len(word) - 2 >= first and word.endswith("jo"):
        word = word[:-1]
    last = len(word)
    while last and word[last - 1] in _VOWELS:
        last -= 1
    if last > 1 and word[last - 1] == word[last - 2]:
        word = word[: last - 1] + word[last:]
    return word
