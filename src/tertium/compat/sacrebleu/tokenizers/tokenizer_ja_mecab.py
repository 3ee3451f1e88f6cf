"""The tokeniser for Japanese: MeCab, an extra."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer


class TokenizerJaMecab(KernelTokenizer):
    """MeCab's words (`pip install 'tertium[ja]'`)."""

    kernel = "ja-mecab"
