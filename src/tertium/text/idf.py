"""How informative a word is: inverse document frequencies of a corpus in which every line is a document.

weight(w) = log2(1 + (N + 1) / (c(w) + 1)), with N lines of which c(w) hold the word (Lo 2019). Counts are learnt from
any corpus, stored as text, and read back.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from tertium import _native
from tertium._native import Lines
from tertium.errors import InputError
from tertium.io.files import LineReader, write_atomically
from tertium.text import tokenizers
from tertium.text.segments import as_lines

_FIRST = "# tertium idf"


def learn(texts: Any, tok: str = "13a", *, threads: int = 1) -> _native.WordWeights:
    """Weights from a corpus: a list of strings, or `Lines`.

    >>> weights = learn(["the cat", "the dog", "the end"], tok="none")
    >>> [round(weights.weight(word, "exact"), 3) for word in (b"the", b"cat", b"new")]
    [1.0, 1.585, 2.322]
    """
    native, before = tokenizers.plan(tok)
    lines = as_lines(texts)
    words = _native.WordReferences([lines if before is None else before(lines)], native, threads)
    return _native.count_words([words])


def alike() -> _native.WordWeights:
    """Equal weights: 1 for every word."""
    return _native.WordWeights()


def of_counts(lines: int, counts: Mapping[bytes, int]) -> _native.WordWeights:
    """Weights from how many of so many lines hold each word.

    >>> round(of_counts(2, {b"the": 2}).weight(b"the", "exact"), 3)
    1.0
    """
    return _native.WordWeights(lines, list(counts), list(counts.values()))


def save(weights: _native.WordWeights, path: str | os.PathLike[str]) -> None:
    """Write counts as text: the number of lines, then a line for each word, the most frequent first."""
    with write_atomically(path) as file:
        file.write(f"{_FIRST}\t{weights.lines}\n")
        counts = weights.counts()
        for word in sorted(counts, key=lambda word: (-counts[word], word)):
            file.write(f"{counts[word]}\t{word.decode('utf-8', 'replace')}\n")


def load(
    path: str | os.PathLike[str], tok: str = "13a", *, lowercase: bool = False, threads: int = 1
) -> _native.WordWeights:
    """Weights from a file: one that `save` wrote, or a corpus, one sentence per line.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     stored = pathlib.Path(folder, "idf.tsv")
    ...     save(learn(["the cat", "the dog"], tok="none"), stored)
    ...     round(load(stored).weight(b"the", "exact"), 3)
    1.0
    """
    name = os.fspath(path)
    lines = list(_lines_of(name))
    if lines and lines[0].startswith(_FIRST):
        return _stored(name, lines)
    texts = Lines(lines)
    return learn(texts.lower() if lowercase else texts, tok, threads=threads)


def cached(path: str, tok: str, *, lowercase: bool, threads: int = 1) -> _native.WordWeights:
    """`load`, but a file is read again only if it has changed."""
    try:
        info = os.stat(path)
        stamp = info.st_size, info.st_mtime_ns
    except OSError:
        stamp = (-1, -1)  # `load` says what is wrong
    return _loaded(path, tok, lowercase, threads, stamp)


@lru_cache(maxsize=16)
def _loaded(
    path: str, tok: str, lowercase: bool, threads: int, _stamp: tuple[int, int]
) -> _native.WordWeights:
    return load(path, tok, lowercase=lowercase, threads=threads)


def _lines_of(name: str) -> Iterator[str]:
    with LineReader(name) as reader:
        for batch in reader:
            yield from (batch[i] or "" for i in range(len(batch)))


def _stored(name: str, lines: list[str]) -> _native.WordWeights:
    try:
        total = int(lines[0].split("\t")[1])
    except (IndexError, ValueError):
        raise InputError(f"{name}: line 1: the number of lines is missing after {_FIRST!r}") from None
    words, counts = [], []
    for number, line in enumerate(lines[1:], 2):
        count, tab, word = line.partition("\t")
        if not tab or not count.isdecimal() or not 0 < int(count) <= total:
            raise InputError(
                f"{name}: line {number}: expected a count from 1 to {total} and a word, not {line!r}"
            )
        words.append(word.encode("utf-8", "surrogatepass"))
        counts.append(int(count))
    return _native.WordWeights(total, words, counts)
