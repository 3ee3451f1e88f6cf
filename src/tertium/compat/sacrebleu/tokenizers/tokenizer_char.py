"""Characters as tokens."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer


class TokenizerChar(KernelTokenizer):
    """A space between all characters, those that are white space included.

    >>> TokenizerChar()("abc")
    'a b c'
    """

    kernel = "char"

    def __call__(self, line: str) -> str:
        return " ".join(line)
