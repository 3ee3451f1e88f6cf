"""Word vectors by latent semantic analysis (Deerwester et al. 1990): words that stand in the same passages are alike.

A matrix of words and passages, log(1 + count) times what the word tells passages apart (1 - its entropy over passages,
Dumais 1991), is cut to its largest singular values; the vector of a word is its row of U S. Subspaces are found by
iteration (Halko, Martinsson and Tropp 2011) until the singular values stand still, with numpy alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.errors import InputError, SpecError
from tertium.text.training import Sentences, Training, write_vectors
from tertium.text.vectors import Vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Places = NDArray[np.int64]

_MORE = 10  # dimensions that are looked at besides those wanted
_ROUNDS = 100
_STILL = 1e-7  # how little singular values change at last, relatively
_BLOCK = 1 << 15  # values that are multiplied at a time
_LEAST = 1e-9  # a word that tells passages apart less than this has no vector


@dataclass(frozen=True)
class SemanticAnalysis:
    """How vectors are made: numbers of a vector, and what a passage is.

    >>> SemanticAnalysis(passages="words:100").words
    100
    """

    dimension: int = 100
    min_count: int = 2
    passages: str = (
        "lines"  # lines; blank: up to an empty line; words:180: consecutive lines with so many words
    )
    tok: str = "13a"
    lowercase: bool = False

    def __post_init__(self) -> None:
        if self.passages not in ("lines", "blank") and not self.words:
            raise SpecError(f"passages are lines, blank or words:180, not {self.passages!r}")
        Training(dimension=self.dimension, min_count=self.min_count, tok=self.tok)  # the same rules

    @property
    def words(self) -> int:
        """The least number of words in a passage; 0: it is not said by words."""
        kind, _, number = self.passages.partition(":")
        if kind != "words":
            return 0
        if not number.isdecimal() or len(number) > 10 or not 0 < int(number) <= 10**9:
            raise SpecError(f"passages {self.passages!r}: a number of words is given as words:180")
        return int(number)

    def cut(self, lines: Iterable[list[str]]) -> Iterator[list[str]]:
        """Passages of lines of words.

        >>> list(SemanticAnalysis(passages="words:2").cut([["a"], ["b", "c"], ["d"]]))
        [['a', 'b', 'c'], ['d']]
        """
        if self.passages == "lines":
            yield from filter(None, lines)
            return
        passage: list[str] = []
        for line in lines:
            passage += line
            if (len(passage) >= self.words) if self.words else not line:
                if passage:
                    yield passage
                passage = []
        if passage:
            yield passage


def analyse(corpora: Sequence[str], output: str, how: SemanticAnalysis | None = None) -> Vectors:
    """Make vectors of the words of files and write them; binary if `output` ends in .bin, else text."""
    import numpy as np

    how = SemanticAnalysis() if how is None else how
    lines = Sentences(corpora, Training(tok=how.tok, lowercase=how.lowercase))
    counts = [Counter(passage) for passage in how.cut(lines)]
    total: Counter[str] = Counter()
    for own in counts:
        total.update(own)
    kept = [word for word, number in total.items() if number >= how.min_count]
    where = ", ".join(corpora)
    if not kept:
        raise InputError(
            f"no word occurs {how.min_count} times in {where}: there is nothing to make vectors of"
        )
    if len(counts) < 2:
        raise InputError(f"{where}: words are told apart by their passages, but there is only one")
    numbers = {word: n for n, word in enumerate(kept)}
    cells = [
        (numbers[word], p, n) for p, own in enumerate(counts) for word, n in own.items() if word in numbers
    ]
    words, passages, times = np.array(cells, dtype=np.int64).T
    matrix = _Matrix.of(words, passages, _weighted(words, times, len(kept), len(counts)))
    vectors = _left_vectors(matrix, how.dimension)
    told = np.linalg.norm(vectors, axis=1) > _LEAST
    if not told.any():
        raise InputError(f"{where}: all words are in all passages alike, so that nothing tells them apart")
    write_vectors(output, [word for word, there in zip(kept, told, strict=True) if there], vectors[told])
    return Vectors.open(output)


def _weighted(words: Places, times: Places, n_words: int, n_passages: int) -> Numbers:
    """log(1 + count) times 1 minus the entropy of the word over passages, as a share of the greatest possible."""
    import numpy as np

    shares = times / np.bincount(words, weights=times, minlength=n_words)[words]
    entropy = np.bincount(words, weights=-shares * np.log(shares), minlength=n_words) / np.log(n_passages)
    telling = np.maximum(1.0 - entropy, 0.0)
    found: Numbers = np.log1p(times) * telling[words]
    return found


@dataclass(frozen=True, eq=False)
class _Matrix:
    """A sparse matrix, row by row and column by column; rows and columns without values are left out of it."""

    by_row: tuple[Places, Places, Numbers]  # where rows begin, columns, values
    by_column: tuple[Places, Places, Numbers]
    shape: tuple[int, int]

    @classmethod
    def of(cls, rows: Places, columns: Places, values: Numbers) -> _Matrix:
        import numpy as np

        columns = np.unique(columns, return_inverse=True)[1]
        sides = []
        for one, other in ((rows, columns), (columns, rows)):
            order = np.lexsort((other, one))
            begins = np.searchsorted(one[order], np.arange(int(one.max()) + 2))
            sides.append((begins, other[order], values[order]))
        return cls(sides[0], sides[1], (int(rows.max()) + 1, int(columns.max()) + 1))

    def times(self, other: Numbers) -> Numbers:
        return _product(*self.by_row, other)

    def turned_times(self, other: Numbers) -> Numbers:
        return _product(*self.by_column, other)


def _product(begins: Places, columns: Places, values: Numbers, other: Numbers) -> Numbers:
    import numpy as np

    found = np.empty((len(begins) - 1, other.shape[1]))
    first = 0
    while first < len(found):
        last = max(first + 1, int(np.searchsorted(begins, begins[first] + _BLOCK, "right")) - 1)
        begin, end = begins[first], begins[last]
        products = other[columns[begin:end]] * values[begin:end, None]
        found[first:last] = np.add.reduceat(products, begins[first:last] - begin, axis=0)
        first = last
    return found


def _left_vectors(matrix: _Matrix, dimension: int) -> Numbers:
    """U S of the largest singular values, as many as there are at most."""
    import numpy as np

    most = min(matrix.shape)
    kept, looked_at = min(dimension, most), min(dimension + _MORE, most)
    draw = np.random.default_rng(1).standard_normal((matrix.shape[1], looked_at))
    basis = np.linalg.qr(matrix.times(draw))[0]
    before = np.zeros(kept)
    for _ in range(_ROUNDS):
        there = np.linalg.qr(matrix.turned_times(basis))[0]
        basis, square = np.linalg.qr(matrix.times(there))
        values = np.linalg.svd(square, compute_uv=False)[:kept]
        if np.all(np.abs(values - before) <= _STILL * values[0]):
            break
        before = values
    turn, values, _ = np.linalg.svd(matrix.turned_times(basis).T, full_matrices=False)
    found: Numbers = (basis @ turn)[:, :kept] * values[:kept]
    largest = found[np.abs(found).argmax(axis=0), np.arange(kept)]
    return found * np.where(largest < 0, -1.0, 1.0)  # signs are free: one rule for them
