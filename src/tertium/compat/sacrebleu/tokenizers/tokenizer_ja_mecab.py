"""The tokeniser for Japanese: MeCab, an extra."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer
from tertium.text.tokenizers import signature_items


class TokenizerJaMecab(KernelTokenizer):
    """MeCab's words (`pip install 'tertium[ja]'`)."""

    kernel = "ja-mecab"

    def signature(self) -> str:
        return signature_items(self.kernel)["tok"]
