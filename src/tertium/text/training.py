"""Small word vectors from a corpus of your own: skip-gram with negative sampling (Mikolov et al. 2013), by gensim.

For vectors of n-grams (bleu2vec, ngram2vec) words are joined: with one order n the corpus is read as its n-grams, with
several each place gives its words and n-grams one after the other, so that they share their contexts.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tertium import _native
from tertium.errors import InputError, MissingExtraError, SpecError
from tertium.io.files import LineReader
from tertium.progress import parts
from tertium.text import tokenizers
from tertium.text.vectors import Vectors

MOST_NGRAMS = 9


@dataclass(frozen=True)
class Training:
    """How vectors are trained.

    >>> Training(dimension=50).window
    5
    """

    dimension: int = 100
    window: int = 5
    negative: int = 5
    epochs: int = 5
    min_count: int = 2
    ngrams: tuple[int, ...] = (1,)
    joiner: str = "_"
    tok: str = "13a"
    lowercase: bool = False
    seed: int = 1
    threads: int = 1  # 0: all cores; more are faster, but no two runs give the same numbers

    def __post_init__(self) -> None:
        tokenizers.check(self.tok)
        for name in ("dimension", "window", "negative", "epochs", "min_count", "threads"):
            if getattr(self, name) < 1:
                raise SpecError(f"{name} must be at least 1, not {getattr(self, name)}")
        if not self.ngrams or any(not 1 <= n <= MOST_NGRAMS for n in self.ngrams):
            raise SpecError(f"n-grams have 1 to {MOST_NGRAMS} words, not {self.ngrams}")


def train(corpora: Sequence[str], output: str, how: Training | None = None) -> Vectors:
    """Train vectors on files with one sentence per line and write them; binary if `output` ends in .bin, else text.

    The same seed gives the same vectors, with one thread.
    """
    word2vec = _word2vec()
    how = Training() if how is None else how
    sentences = Sentences(corpora, how)
    model = word2vec(
        vector_size=how.dimension,
        window=how.window,
        negative=how.negative,
        sg=1,
        min_count=how.min_count,
        epochs=how.epochs,
        seed=how.seed,
        workers=_native.thread_count(how.threads),
        hashfxn=_hash,
    )
    model.build_vocab(sentences)
    if not len(model.wv):
        raise InputError(
            f"no word occurs {how.min_count} times in {', '.join(corpora)}: there is nothing to train vectors on"
        )
    with parts(how.epochs) as part:
        told = _Epochs(part)
        model.train(sentences, total_examples=model.corpus_count, epochs=how.epochs, callbacks=[told])
    beside = f"{output}.{os.getpid()}.part"
    try:
        model.wv.save_word2vec_format(beside, binary=output.endswith(".bin"))
        os.replace(beside, output)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)
    return Vectors.open(output)


def _word2vec() -> Any:
    try:
        from gensim.models import Word2Vec
    except ImportError:
        raise MissingExtraError("training vectors", "vectors") from None
    return Word2Vec


class _Epochs:
    """The callbacks that gensim calls while training."""

    def __init__(self, part: Callable[[str], None]) -> None:
        self._part = part

    def on_epoch_begin(self, model: Any) -> None:
        self._part("training")

    def _nothing(self, model: Any) -> None:
        """A callback that does nothing."""

    on_train_begin = on_train_end = on_epoch_end = _nothing


def _hash(text: str) -> int:
    """Python's own differs from run to run."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))


class Sentences:
    """The words of files, sentence by sentence, as often as needed.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "corpus.txt")
    ...     _ = path.write_text("a b c\\n")
    ...     list(Sentences([str(path)], Training(ngrams=(2,)))), list(Sentences([str(path)], Training(ngrams=(1, 2))))
    ([['a_b', 'b_c']], [['a', 'a_b', 'b', 'b_c', 'c']])
    """

    def __init__(self, paths: Sequence[str], how: Training) -> None:
        self._paths, self._how = list(paths), how
        if not self._paths:
            raise InputError("there is no corpus to train on")

    def __iter__(self) -> Iterator[list[str]]:
        native, before = tokenizers.plan(self._how.tok)
        for path in self._paths:
            with LineReader(path) as reader:
                for lines in reader:
                    batch = lines.lower() if self._how.lowercase else lines
                    for words in _native.tokenize(batch if before is None else before(batch), native):
                        yield self._units(words)

    def _units(self, words: list[str]) -> list[str]:
        if self._how.ngrams == (1,):
            return words
        return [
            self._how.joiner.join(words[i : i + n])
            for i in range(len(words))
            for n in self._how.ngrams
            if i + n <= len(words)
        ]
