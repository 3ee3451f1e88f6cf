"""SentencePiece with the models that sacrebleu would download: they must lie where it would put them."""

from __future__ import annotations

import logging
import os

from tertium.compat.sacrebleu.tokenizers.tokenizer_base import KernelTokenizer
from tertium.compat.sacrebleu.utils import SACREBLEU_DIR
from tertium.errors import TertiumError

logger = logging.getLogger("sacrebleu")

FILES = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}


class TokenizerSPM(KernelTokenizer):
    """The pieces of one of those models."""

    kernel = "spm"

    def __init__(self, key: str = "") -> None:
        key = key or type(self).kernel
        if key == "spm":
            logger.warning(
                "Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future."
            )
            key = "flores101"
        path = os.path.join(SACREBLEU_DIR, "models", FILES[key])
        if not os.path.isfile(path):
            raise TertiumError(f"Tertium downloads nothing: put the SentencePiece model of {key} at {path}")
        self.name = key
        self.kernel = f"spm:{path}"  # type: ignore[misc]
        super().__init__()

    def signature(self) -> str:
        return self.name


class Flores101Tokenizer(TokenizerSPM):
    kernel = "flores101"


class Flores200Tokenizer(TokenizerSPM):
    kernel = "flores200"


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801, sacrebleu's name
    kernel = "spBLEU-1K"
