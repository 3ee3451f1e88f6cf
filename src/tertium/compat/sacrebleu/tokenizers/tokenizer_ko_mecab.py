"""The tokeniser for Korean: MeCab, an extra."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer


class TokenizerKoMecab(KernelTokenizer):
    """MeCab's words (`pip install 'tertium[ko]'`)."""

    kernel = "ko-mecab"
