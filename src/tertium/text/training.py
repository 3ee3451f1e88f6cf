"""Small word vectors from a corpus of your own: skip-gram with negative sampling (Mikolov et al. 2013), by fastText.

For vectors of n-grams (bleu2vec, ngram2vec) words are joined: with one order n the corpus is read as its n-grams, with
several each place gives its words and n-grams one after the other, so that they share their contexts.

fastText reads a file, and some words mean something to it. So it gets numbers for words, and the end of a line as a
label, which is no word and has no vector.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tertium import _native
from tertium.errors import InputError, MissingExtraError, SpecError
from tertium.io.files import LineReader
from tertium.progress import parts
from tertium.text import skipgram, tokenizers
from tertium.text.vectors import Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_NGRAMS = 9
SAMPLE = 1e-3  # words that are a larger share of the corpus are passed over at times, as by word2vec
RATE = 0.05  # how fast it learns at first: fastText's default; others were tried, see docs/licences.md
_SEEDS = 2**31 - 2**16  # fastText adds the number of a thread


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
            least = 0 if name == "threads" else 1
            if getattr(self, name) < least:
                raise SpecError(f"{name} must be at least {least}, not {getattr(self, name)}")
        if not self.ngrams or any(not 1 <= n <= MOST_NGRAMS for n in self.ngrams):
            raise SpecError(f"n-grams have 1 to {MOST_NGRAMS} words, not {self.ngrams}")


def train(corpora: Sequence[str], output: str, how: Training | None = None) -> Vectors:
    """Train vectors on files with one sentence per line and write them; binary if `output` ends in .bin, else text.

    The same seed gives the same vectors, with one thread. The corpora are read once, so that they may be pipes.
    """
    how = Training() if how is None else how
    sentences = Sentences(corpora, how)
    if find_spec("fasttext_pybind") is None:
        raise MissingExtraError("training vectors", "vectors")
    beside = os.path.dirname(os.path.abspath(output))
    with (
        tempfile.TemporaryDirectory(prefix="vectors.", suffix=".part", dir=beside) as folder,
        parts(1 + how.epochs) as part,
    ):
        part("reading")
        corpus = Numbered(sentences, Path(folder, skipgram.CORPUS))
        _check(corpus, how, ", ".join(corpora))
        part("training")
        for _ in _epochs(folder, _arguments(corpus, how)):
            part("training")
        numbers, vectors = _made(Path(folder, skipgram.MADE))
    write_vectors(output, [corpus.words[number] for number in numbers], vectors)
    return Vectors.open(output)


class Numbered:
    """A corpus as a file of numbers, its words in the order of their numbers, and how often each occurs."""

    def __init__(self, sentences: Iterable[list[str]], path: Path) -> None:
        self.path = path
        self.lines = 0
        numbers: dict[str, int] = {}
        self.counts: list[int] = []
        with open(path, "w", encoding="ascii", newline="\n") as file:
            for words in filter(None, sentences):
                own = [numbers.setdefault(word, len(numbers)) for word in words]
                self.counts += [0] * (len(numbers) - len(self.counts))
                for number in own:
                    self.counts[number] += 1
                # a thread may begin to read within a line: what is left of w12 there is no word
                file.write(" ".join([f"w{number}" for number in own]) + "\n")
                self.lines += 1
        self.words = list(numbers)

    def kept(self, min_count: int) -> list[int]:
        """The counts of words that are frequent enough."""
        return [count for count in self.counts if count >= min_count]


def _check(corpus: Numbered, how: Training, where: str) -> None:
    kept = corpus.kept(how.min_count)
    if not kept:
        raise InputError(
            f"no word occurs {how.min_count} times in {where}: there is nothing to train vectors on"
        )
    if len(kept) == 1:
        raise InputError(f"only one word occurs {how.min_count} times in {where}: vectors tell words apart")


def _arguments(corpus: Numbered, how: Training) -> dict[str, Any]:
    """fastText's, such that it does what word2vec does: no parts of words, and the same words are passed over."""
    tokens = sum(corpus.counts) + corpus.lines  # it counts ends of lines and rare words, too
    return {
        "dim": how.dimension,
        "ws": how.window,
        "neg": how.negative,
        "epoch": how.epochs,
        "minCount": how.min_count,
        "lr": RATE,
        "t": SAMPLE * sum(corpus.kept(how.min_count)) / tokens,
        "minn": 0,
        "maxn": 0,
        "bucket": 0,
        "label": "</s>",
        "thread": _native.thread_count(how.threads),
        # its generator makes proportional numbers of seeds that are near
        "seed": zlib.crc32(str(how.seed).encode("ascii")) % _SEEDS,
        "verbose": 0,
    }


def _epochs(folder: str, arguments: dict[str, Any]) -> Iterator[int]:
    """Each epoch as it begins, but the first; whatever happens here ends the process that trains."""
    said = Path(folder, "said")
    settings = json.dumps({"folder": folder, "arguments": arguments})
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with (
        open(said, "wb") as errors,
        subprocess.Popen(
            [sys.executable, "-m", skipgram.__name__, settings],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            begun = 0
            for line in process.stdout:
                told = json.loads(line)
                if told.get("error") == skipgram.TOO_LITTLE_MEMORY:
                    raise MemoryError
                if "error" in told:
                    raise InputError(f"vectors were not trained: {told['error']}")
                while begun < told["epoch"]:
                    begun += 1
                    yield begun
            if process.wait():
                last = said.read_text("utf-8", "replace").strip().rpartition("\n")[2]
                if "MemoryError" in last or "bad_alloc" in last or process.returncode == -9:
                    raise MemoryError  # what Python, C++ and the system say of it
                raise InputError(
                    f"vectors were not trained: the process ended ({process.returncode}) {last}".rstrip()
                )
        finally:
            process.kill()


def _made(path: Path) -> tuple[list[int], NDArray[Any]]:
    import numpy as np

    with np.load(path) as found:
        return found["numbers"].tolist(), found["vectors"]


def library() -> str:
    """What trains here: another version may give other vectors."""
    try:
        return f"fasttext-community {version('fasttext-community')}"
    except PackageNotFoundError:
        return "fastText"


def write_vectors(output: str, words: Sequence[str], vectors: NDArray[Any]) -> None:
    """In word2vec's formats: binary if `output` ends in .bin, else text."""
    import numpy as np

    small = vectors.astype(np.float32)
    binary = output.endswith(".bin")
    beside = f"{output}.{os.getpid()}.part"
    try:
        with open(beside, "wb") as file:
            file.write(f"{len(words)} {small.shape[1]}\n".encode())
            for word, row in zip(words, small, strict=True):
                file.write(word.encode("utf-8", "surrogatepass") + b" ")
                file.write(row.tobytes() if binary else " ".join(map(str, row.tolist())).encode() + b"\n")
        os.replace(beside, output)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(beside)


class Sentences:
    """The words of files, sentence by sentence.

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
