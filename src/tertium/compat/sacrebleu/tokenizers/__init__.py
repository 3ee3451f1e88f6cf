"""sacrebleu's tokenisers: from a line to a line whose tokens are separated by spaces."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
