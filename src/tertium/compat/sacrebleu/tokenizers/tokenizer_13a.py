"""The tokeniser of mteval-v13a."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer


class Tokenizer13a(KernelTokenizer):
    """mteval-v13a's tokenisation, the default.

    >>> Tokenizer13a()("Hello, world.")
    'Hello , world .'
    """

    kernel = "13a"
