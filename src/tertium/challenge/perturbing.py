"""Noisy copies of a text: misspellings of the keyboard and of OCR, lost diacritics, casing, missing punctuation.

Systems translate the copies, and `comparison.robustness` says what it costs them. Noise is drawn from a seed, line by
line, so that a line is damaged in the same way whatever stands around it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from tertium.errors import SpecError, did_you_mean
from tertium.io.tables import Column, Table, number_column
from tertium.progress import steps
from tertium.results import Result
from tertium.text.normalize import strip_diacritics

SEED = 12345
SHARE = 0.1
LAYOUTS = {
    "cs": ("qwertzuiopú", "asdfghjklů", "yxcvbnm"),
    "de": ("qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
    "en": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "es": ("qwertyuiop", "asdfghjklñ", "zxcvbnm"),
    "fr": ("azertyuiop", "qsdfghjklm", "wxcvbn"),
    "it": ("qwertyuiopè", "asdfghjklòà", "zxcvbnm"),
    "pt": ("qwertyuiop", "asdfghjklç", "zxcvbnm"),
    "ru": ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
}
_SHIFTS = (0.0, 0.25, 0.75)  # how far rows of keys stand to the right, in keys
_LOOKALIKES = (
    *(
        ("rn", "m"),
        ("m", "rn"),
        ("cl", "d"),
        ("vv", "w"),
        ("w", "vv"),
        ("ri", "n"),
        ("fi", "fl"),
        ("li", "h"),
    ),
    *(
        ("l", "1"),
        ("I", "l"),
        ("i", "l"),
        ("O", "0"),
        ("o", "0"),
        ("S", "5"),
        ("B", "8"),
        ("Z", "2"),
        ("g", "9"),
    ),
    *(
        ("e", "c"),
        ("c", "e"),
        ("h", "b"),
        ("n", "u"),
        ("u", "n"),
        ("a", "o"),
        ("t", "f"),
        ("f", "t"),
        ("G", "C"),
    ),
    *(
        ("ß", "B"),
        ("ä", "a"),
        ("ö", "o"),
        ("ü", "ii"),
        ("é", "e"),
        ("è", "e"),
        ("ç", "c"),
        ("ñ", "n"),
        ("à", "a"),
    ),
    *(
        ("ш", "щ"),
        ("щ", "ш"),
        ("и", "н"),
        ("н", "п"),
        ("б", "6"),
        ("о", "0"),
        ("з", "3"),
        ("е", "с"),
        ("л", "п"),
    ),
)
_WORD = re.compile(r"[^\W\d_]{3,}")  # shorter words are left alone
_PUNCTUATION = re.compile(r"""[.,;:!?…¿¡"'‘’‚“”„«»‹›()\[\]{}–—‐‑-]|[。，、！？：；「」『』（）]""")
_INSIDE = ".,:'’‐‑-"  # these may belong to a word or a number

Draw = Callable[[str, Random, str, float], str]


@cache
def neighbours(language: str) -> Mapping[str, str]:
    """The letters beside each letter on the keyboard of a language.

    >>> neighbours("en")["s"], neighbours("fr")["s"], neighbours("de")["z"]
    ('adzwxe', 'qdwzxe', 'tugh')
    """
    if language not in LAYOUTS:
        raise SpecError(f"no keyboard is known for {language!r}{did_you_mean(language, LAYOUTS)}")
    places = {
        key: (x + _SHIFTS[y], y) for y, row in enumerate(LAYOUTS[language]) for x, key in enumerate(row)
    }
    return {
        key: "".join(
            other
            for other, (u, v) in sorted(places.items(), key=lambda found: (abs(found[1][1] - y), found[1]))
            if other != key and abs(u - x) <= 1 and abs(v - y) <= 1
        )
        for key, (x, y) in places.items()
    }


def _mistyped(word: str, draw: Random, language: str) -> str:
    """A neighbouring key, a letter missing, doubled, or two swapped; not the first letter."""
    keys = neighbours(language)
    i = 1 + int(draw.random() * (len(word) - 1))
    near = keys.get(word[i].lower(), "")
    kinds = [
        word[:i] + word[i + 1 :],
        word[:i] + word[i] * 2 + word[i + 1 :],
        word[: i - 1] + word[i] + word[i - 1] + word[i + 1 :] if i > 1 else "",
    ]
    if near:
        other = near[int(draw.random() * len(near))]
        kinds.append(word[:i] + (other.upper() if word[i].isupper() else other) + word[i + 1 :])
    fit = [made for made in kinds if made and made != word]
    return fit[int(draw.random() * len(fit))]


def _misread(word: str, draw: Random, _: str) -> str:
    """One letter, or two, taken for others that look alike."""
    fit = [
        word[: match.start()] + new + word[match.end() :]
        for old, new in _LOOKALIKES
        for match in re.finditer(old, word)
    ]
    return fit[int(draw.random() * len(fit))] if fit else word


def _in_words(change: Callable[[str, Random, str], str]) -> Draw:
    def changed(text: str, draw: Random, language: str, share: float) -> str:
        return _WORD.sub(
            lambda word: change(word[0], draw, language) if draw.random() < share else word[0], text
        )

    return changed


def _without_diacritics(text: str, _: Random, __: str, ___: float) -> str:
    """й is a letter of its own: nobody leaves out its breve."""
    return re.sub(r"[^йЙ]+", lambda part: strip_diacritics(part[0]), unicodedata.normalize("NFC", text))


def _without_punctuation(text: str, _: Random, __: str, ___: float) -> str:
    """What stands between letters or digits (l'ami, 3.5) stays."""

    def left(found: re.Match[str]) -> str:
        before, behind = text[: found.start()][-1:], text[found.end() :][:1]
        return found[0] if found[0] in _INSIDE and before.isalnum() and behind.isalnum() else ""

    return " ".join(_PUNCTUATION.sub(left, text).split())


NOISES: Mapping[str, tuple[Draw, str]] = {
    "keyboard": (_in_words(_mistyped), "neighbouring keys, letters missing, doubled, swapped"),
    "ocr": (_in_words(_misread), "letters taken for others that look alike"),
    "diacritics": (_without_diacritics, "letters without their marks"),
    "lower": (lambda text, *_: text.lower(), "no capitals"),
    "upper": (lambda text, *_: text.upper(), "capitals only"),
    "punctuation": (_without_punctuation, "no punctuation, except inside words and numbers"),
}


@dataclass(frozen=True)
class Perturbed(Result):
    """Noisy copies of one text, by noise. Made by `perturb`."""

    kind = "perturbed texts"
    language: str
    share: float
    seed: int
    texts: tuple[str, ...]
    copies: Mapping[str, tuple[str, ...]]

    def contents(self) -> Mapping[str, Any]:
        rows = [dict(zip(("noise", "lines", "words"), row, strict=True)) for row in self._rows()]
        return {"language": self.language, "share": self.share, "seed": self.seed, "changed": rows} | {
            "copies": {noise: list(lines) for noise, lines in self.copies.items()}
        }

    def _rows(self) -> Iterator[tuple[str, int, int]]:
        """How many lines and words of each copy differ from the text."""
        for noise, copy in self.copies.items():
            pairs = [pair for pair in zip(self.texts, copy, strict=True) if pair[0] != pair[1]]
            gone = (Counter(clean.split()) - Counter(noisy.split()) for clean, noisy in pairs)
            yield noise, len(pairs), sum(map(Counter.total, gone))

    def table(self) -> Table:
        total, words = len(self.texts), sum(len(text.split()) for text in self.texts)
        columns = (
            Column("noise"),
            *(number_column(f"{what} %", digits=1) for what in ("lines", "words")),
            Column("what"),
        )
        rows = tuple(
            (noise, 100 * lines / max(1, total), 100 * changed / max(1, words), NOISES[noise][1])
            for noise, lines, changed in self._rows()
        )
        notes = (
            f"{total} lines; keyboard and ocr: a word of three letters or more with a chance of {self.share:g}",
            f"seed {self.seed}; keyboard: {self.language}",
        )
        return Table("Noisy copies: what changed", columns, rows, notes)


def perturb(
    texts: Sequence[str],
    language: str,
    noises: Sequence[str] = tuple(NOISES),
    *,
    share: float = SHARE,
    seed: int = SEED,
) -> Perturbed:
    """Copies of a text with these noises. `share` is the chance of a word of three letters or more to be misspelt
    (keyboard, ocr); the other noises change all they can. The language chooses the keyboard.

    >>> found = perturb(["Wir fahren morgen früh nach Köln."], "de", ["keyboard", "diacritics", "punctuation"], share=1)
    >>> for noise, [copy] in found.copies.items():
    ...     print(noise, copy)
    keyboard Wri fauren morgenn fürh nch Klln.
    diacritics Wir fahren morgen fruh nach Koln.
    punctuation Wir fahren morgen früh nach Köln
    """
    if not 0 < share <= 1:
        raise SpecError(f"the share of words must be above 0 and at most 1, not {share:g}")
    for noise in noises:
        if noise not in NOISES:
            raise SpecError(f"unknown noise {noise!r}{did_you_mean(noise, NOISES)}")
    if "keyboard" in noises:
        neighbours(language)
    copies = {
        noise: tuple(
            NOISES[noise][0](text, Random(f"{seed}|{noise}|{n}|{text}"), language, share)
            for n, text in enumerate(texts)
        )
        for noise in steps(list(dict.fromkeys(noises)), lambda noise: f"writing noise: {noise}")
    }
    return Perturbed(language, share, seed, tuple(texts), copies)
