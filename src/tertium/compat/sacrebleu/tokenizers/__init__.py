"""sacrebleu's tokenisers: from a line to a line whose tokens stand between spaces."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
