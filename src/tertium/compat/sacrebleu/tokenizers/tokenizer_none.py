"""No tokenisation: the line is split at white space."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer


class NoneTokenizer(KernelTokenizer):
    """The line as it is."""

    kernel = "none"

    def __call__(self, line: str) -> str:
        return line
