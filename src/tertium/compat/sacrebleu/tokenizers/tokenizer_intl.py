"""The international tokeniser of mteval-v14."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer


class TokenizerV14International(KernelTokenizer):
    """Punctuation and symbols of all scripts are tokens, but for punctuation between digits.

    >>> TokenizerV14International()("„So“, 1,5 €!")
    '„ So “ , 1,5 € !'
    """

    kernel = "intl"
