"""The tokeniser for Korean: MeCab, an extra."""

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer
from tertium.text.tokenizers import signature_items


class TokenizerKoMecab(KernelTokenizer):
    """MeCab's words (`pip install 'tertium[ko]'`)."""

    kernel = "ko-mecab"

    def signature(self) -> str:
        return signature_items(self.kernel)["tok"]
