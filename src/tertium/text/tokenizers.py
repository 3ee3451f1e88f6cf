"""Tokenisers by name: registered values, open to packages (entry-point group `tertium.tokenizers`).

Native ones run inside the kernels. The others (`moses-de`, `spm:<file>`, `ja-mecab`, `th-icu`, those of packages)
tokenise first and hand the kernels text that only needs to be split at white space. `zh-wmt17+intl` is one tokeniser
after the other: the second sees the first one's tokens with spaces between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError, did_you_mean
from tertium.registry import Registry
from tertium.text import moses
from tertium.text.scripts import SPACELESS

Before = Callable[[Lines], Lines]


@dataclass(frozen=True)
class Tokenizer:
    """A tokeniser: a description, what is done to texts first, and the kernels' tokeniser that comes last.

    Its functions get the name as it is written, `spm:model.file` say; `takes` gets what follows the registered name.

    >>> hyphens = Tokenizer("Splits at hyphens.", opened=lambda name: per_line(lambda text: text.replace("-", " - ")))
    >>> hyphens.kernel
    'none'
    """

    sentence: str
    kernel: str = "none"
    opened: Callable[[str], Before] | None = None
    takes: Callable[[str], bool] = lambda rest: not rest  # whether that can follow
    signed: Callable[[str], dict[str, str]] = lambda name: {"tok": name}  # what a signature says of it
    chains: bool = True  # it may stand in front of another one, or behind it
    wanted: str = ""  # what must follow the name, for those that cannot do without
    at_spaces_in: tuple[
        str, ...
    ] = ()  # languages without spaces between words that it does not cut into words


def per_line(cut: Callable[[str], str]) -> Before:
    """Makes a function over texts from one over a single text; tokens are separated by spaces."""

    def before(lines: Lines) -> Lines:
        texts = (lines[i] for i in range(len(lines)))
        return Lines([None if text is None else cut(text.rstrip()) for text in texts])

    return before


_ALL = tuple(SPACELESS)
_SOUTH_EAST = tuple(language for language in SPACELESS if language not in ("zh", "ja"))
NONE = Tokenizer("White space only.", "none", at_spaces_in=_ALL)
MTEVAL = Tokenizer("As mteval-v13a.pl, WMT's and sacrebleu's default.", "13a", at_spaces_in=_ALL)
INTERNATIONAL = Tokenizer("As mteval-v14.pl with international tokenisation.", "intl", at_spaces_in=_ALL)
CHARACTERS = Tokenizer("Every character is a token.", "char")
CHINESE = Tokenizer("Chinese characters apart, the rest as 13a.", "zh", at_spaces_in=_SOUTH_EAST)
CHINESE_WMT17 = Tokenizer(
    "Chinese characters apart, as WMT17's script.", "zh-wmt17", at_spaces_in=_SOUTH_EAST
)

TOKENIZERS: Registry[Tokenizer] = Registry(
    "tokeniser",
    "tertium.tokenizers",
    {
        "none": "tertium.text.tokenizers:NONE",
        "13a": "tertium.text.tokenizers:MTEVAL",
        "intl": "tertium.text.tokenizers:INTERNATIONAL",
        "char": "tertium.text.tokenizers:CHARACTERS",
        "zh": "tertium.text.tokenizers:CHINESE",
        "zh-wmt17": "tertium.text.tokenizers:CHINESE_WMT17",
        "moses": "tertium.text.pretokenizers:MOSES",
        "ja-mecab": "tertium.text.pretokenizers:JA_MECAB",
        "ko-mecab": "tertium.text.pretokenizers:KO_MECAB",
        "th-icu": "tertium.text.pretokenizers:TH_ICU",
        "lo-icu": "tertium.text.pretokenizers:LO_ICU",
        "km-icu": "tertium.text.pretokenizers:KM_ICU",
        "my-icu": "tertium.text.pretokenizers:MY_ICU",
        "spm": "tertium.text.pretokenizers:SPM",
    },
    also={f"moses-{language}": "" for language in moses.LANGUAGES} | {"spm:<model file>": ""},
)
NATIVE = tuple(name for name, where in TOKENIZERS.table.items() if ".tokenizers:" in where)
HELP = (
    f"tokeniser: {', '.join(NATIVE)}, moses-<language>, ja-mecab, ko-mecab, th-icu (lo, km, my), spm:<file>"
)


def check(name: str) -> None:
    """Raises SpecError for a tokeniser that does not exist."""
    parts = _parts(name)
    for part in parts:
        found = _found(part, name)
        if len(parts) > 1 and not found.chains:
            raise SpecError(f"{name!r} cannot chain {part!r}")


def _parts(name: str) -> list[str]:
    return [name] if name.startswith("spm:") else name.split("+")


def _found(name: str, whole: str) -> Tokenizer:
    """The registered tokeniser that a name belongs to: `moses` of `moses-de`, `spm` of `spm:model.file`."""
    stems = (name, name.partition(":")[0], name.partition("-")[0])
    for stem in (*(s for s in stems if s in TOKENIZERS.table), *stems):  # those of packages last
        if stem in TOKENIZERS and TOKENIZERS[stem].takes(name.removeprefix(stem)):
            return TOKENIZERS[stem]
    bare = name.rstrip(":")
    if bare in TOKENIZERS and (needed := TOKENIZERS[bare].wanted):
        raise SpecError(f"the tokeniser {bare!r} needs {needed}")
    what = f"unknown tokeniser {name!r}" if name == whole else f"{whole!r} cannot chain {name!r}"
    raise SpecError(what + did_you_mean(name, [*TOKENIZERS, *TOKENIZERS.also]))


def cuts_words_of(name: str, language: str) -> bool:
    """Whether a tokeniser cuts text in a language without spaces between words into words or characters.

    >>> cuts_words_of("13a", "zh"), cuts_words_of("zh+intl", "zh"), cuts_words_of("zh", "th")
    (False, True, False)
    """
    return any(language not in _found(part, name).at_spaces_in for part in _parts(name))


def plan(name: str) -> tuple[str, Before | None]:
    """The native tokeniser to use, and what to do to the texts before it (None: nothing)."""
    check(name)
    *first, last = _parts(name)
    found = _found(last, name)
    if first:
        return (found.kernel, _chain(*first)) if found.opened is None else ("none", _chain(*first, last))
    return found.kernel, None if found.opened is None else _opened(name)


@lru_cache(maxsize=8)
def _opened(name: str) -> Before:
    found = _found(name, name)
    assert found.opened is not None
    return found.opened(name)


def tokenize(lines: Sequence[str], tokenizer: str) -> list[list[str]]:
    """The tokens of every line.

    >>> tokenize(["Hello, world."], "13a")
    [['Hello', ',', 'world', '.']]
    """
    if tokenizer.startswith("tercom"):
        return _native.tokenize(Lines(lines), tokenizer)
    native, before = plan(tokenizer)
    texts = Lines(lines)
    return _native.tokenize(texts if before is None else before(texts), native)


@lru_cache(maxsize=8)
def _chain(*names: str) -> Before:
    """The texts with spaces between tokens, after one tokeniser or several in a row."""
    plans = [plan(name) for name in names]

    def before(lines: Lines) -> Lines:
        for native, first in plans:
            lines = lines if first is None else first(lines)
            if native != "none":
                tokens = _native.tokenize(lines, native)
                lines = Lines([None if lines[i] is None else " ".join(row) for i, row in enumerate(tokens)])
        return lines

    return before


def signature_items(name: str) -> dict[str, str]:
    """What a signature says of a tokeniser: its name, and for a model or dictionary which one it is."""
    check(name)
    return {"tok": name} if len(_parts(name)) > 1 else _found(name, name).signed(name)


def from_signature(text: str) -> str:
    """The tokeniser that a signature names (`ja-mecab-0.996-IPA` is `ja-mecab`, `th-icu-78.3` is `th-icu`)."""
    return re.sub(r"^(\w+-(?:mecab|icu))-.*", r"\1", text)
