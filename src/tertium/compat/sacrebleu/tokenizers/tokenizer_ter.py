"""tercom's tokeniser."""

from __future__ import annotations

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from tertium.text.tokenizers import tokenize


class TercomTokenizer(BaseTokenizer):
    """Lower case, and as asked: normalised, without punctuation, with Asian scripts cut up.

    >>> TercomTokenizer(normalized=True)("It's 5-10, OK?")
    "it 's 5 - 10 , ok ?"
    """

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
    ) -> None:
        flags = ((normalized, "n"), (no_punct, "p"), (asian_support, "a"))
        letters = "".join(letter for on, letter in flags if on)
        self._name = f"tercom-{letters}" if letters else "tercom"
        self._case_sensitive = case_sensitive

    def signature(self) -> str:
        return "tercom"

    def __call__(self, sent: str) -> str:
        return " ".join(tokenize([sent if self._case_sensitive else sent.lower()], self._name)[0])
