"""The tokeniser for Chinese."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer


class TokenizerZh(KernelTokenizer):
    """Every Chinese character is a token; the rest is tokenised as by mteval.

    >>> TokenizerZh()("你好world")
    '你 好 world'
    """

    kernel = "zh"

    def __call__(self, line: str) -> str:
        return super().__call__(line.strip())
