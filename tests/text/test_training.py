"""Vectors are trained as word2vec does, by fastText in a process of its own, which ends when it should."""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError, MissingExtraError, SpecError
from tertium.progress import listening
from tertium.text import training
from tertium.text.training import Numbered, Sentences, Training, train
from tests.conftest import skip_or_fail

if importlib.util.find_spec("fasttext_pybind") is None:
    skip_or_fail("fastText is not installed")

FAST = Training(dimension=8, epochs=3, tok="none", min_count=1)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Sentences about ships or about courts."""
    draw = random.Random(1)
    topics = [["ship", "sea", "sail", "port", "wave"], ["law", "court", "judge", "trial", "jury"]]
    lines = [" ".join(draw.choices(topics[n % 2] + ["the"], k=12)) for n in range(400)]
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_one_thread_gives_the_same_bits(corpus: Path, tmp_path: Path) -> None:
    for name in ("one.vec", "two.vec"):
        train([str(corpus)], str(tmp_path / name), FAST)
    assert (tmp_path / "one.vec").read_bytes() == (tmp_path / "two.vec").read_bytes()
    seeds = [train([str(corpus)], str(tmp_path / "x.vec"), Training(**{**vars(FAST), "seed": seed}))["ship"]
             for seed in (-1, 0, 1, 2, 10**30)]  # fmt: skip
    assert len({row.tobytes() for row in seeds}) == 5
    assert left(tmp_path) == {"corpus.txt", "one.vec", "two.vec", "x.vec"}


def test_words_of_one_topic_are_near(corpus: Path, tmp_path: Path) -> None:
    how = Training(dimension=8, epochs=40, tok="none")
    found = train([str(corpus)], str(tmp_path / "x.vec"), how)
    assert {word for word, _ in found.nearest("court", 4)} == {"law", "judge", "trial", "jury"}
    assert found.words()[0] == "the"  # the most frequent
    several = train([str(corpus)], str(tmp_path / "y.vec"), Training(**{**vars(how), "threads": 2}))
    assert {word for word, _ in several.nearest("sea", 4)} == {"ship", "sail", "port", "wave"}


def test_words_that_mean_something_to_fasttext(tmp_path: Path) -> None:
    """Ends of lines, labels, numbers, and white space that is none to the tokeniser."""
    words = ["</s>", "__label__x", "w1", "7", "a\u00a0b", "a\x0bb", "<", "日本"]
    draw = random.Random(2)
    path = tmp_path / "corpus.txt"
    path.write_text("".join(" ".join(draw.sample(words, 5)) + "\n\n" for _ in range(60)), encoding="utf-8")
    counts = Counter(word for line in Sentences([str(path)], FAST) for word in line)
    assert {"</s>", "__label__x", "w1", "7", "日本"} <= set(counts)
    found = train([str(path)], str(tmp_path / "x.bin"), FAST)
    assert sorted(found.words()) == sorted(counts)
    assert [counts[word] for word in found.words()] == sorted(counts.values(), reverse=True)


def test_rare_words_have_no_vector(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("a b c\na b\na d d\n" * 2, encoding="utf-8")
    found = train([str(path)], str(tmp_path / "x.vec"), Training(**{**vars(FAST), "min_count": 4}))
    assert sorted(found.words()) == ["a", "b", "d"]


def test_words_are_passed_over_as_by_word2vec(tmp_path: Path) -> None:
    """word2vec compares a word's count with the sum of the words that are kept; fastText divides by all tokens."""
    path = tmp_path / "corpus.txt"
    path.write_text("a a b\n\nc a b\n", encoding="utf-8")
    numbered = Numbered(Sentences([str(path)], FAST), tmp_path / "numbers")
    assert (numbered.words, numbered.counts, numbered.lines) == (["a", "b", "c"], [3, 2, 1], 2)
    assert (tmp_path / "numbers").read_text("ascii") == "w0 w0 w1\nw2 w0 w1\n"
    given = training._arguments(numbered, Training(**{**vars(FAST), "min_count": 2}))
    share_of_a = 3 / 8  # six words, two ends of lines
    assert given["t"] / share_of_a == pytest.approx(training.SAMPLE * 5 / 3)


def test_a_corpus_may_be_a_pipe(corpus: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(corpus.read_bytes()))
    writer.start()
    train([str(pipe)], str(tmp_path / "piped.vec"), FAST)
    writer.join()
    train([str(corpus)], str(tmp_path / "read.vec"), FAST)
    assert (tmp_path / "piped.vec").read_bytes() == (tmp_path / "read.vec").read_bytes()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "the file is empty"),
        (b"each word once\n", "no word occurs 2 times"),
        (b"again again\n", "only one word occurs 2 times"),
        (b"good good\nbad \xff bad\n", "corpus.txt"),
    ],
)
def test_what_cannot_be_trained_on(
    tmp_path: Path, text: bytes, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "corpus.txt"
    path.write_bytes(text)
    assert main(["vectors", "train", str(path), "-o", str(tmp_path / "x.vec")]) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1
    assert left(tmp_path) == {"corpus.txt"}


def test_a_folder_that_is_not_there(corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vectors", "train", str(corpus), "-o", str(tmp_path / "no" / "x.vec")]) == 2
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert str(tmp_path / "no") in shown


def test_numbers_that_are_too_small() -> None:
    with pytest.raises(SpecError, match="threads must be at least 0, not -1"):
        Training(threads=-1)
    with pytest.raises(SpecError, match="epochs must be at least 1, not 0"):
        Training(epochs=0)


def test_the_extra_is_named(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fasttext_pybind", None)
    with pytest.raises(
        MissingExtraError, match=r"training vectors needs an extra: pip install 'tertium\[vectors\]'"
    ):
        train([str(corpus)], str(tmp_path / "x.vec"))


@pytest.mark.parametrize(
    ("module", "said"),
    [
        ("class args: __slots__ = ()", "the installed fastText is another one than expected: .*"),
        ("def args(): raise RuntimeError('NaN')", "fastText says: NaN"),
        ("import os; os.abort()", r"the process ended \(-6\)"),
    ],
)
def test_what_went_wrong_there_is_said_here(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, said: str
) -> None:
    (tmp_path / "stub").mkdir()
    (tmp_path / "stub" / "fasttext_pybind.py").write_text(module)
    monkeypatch.syspath_prepend(tmp_path / "stub")
    with pytest.raises(InputError, match=f"^vectors were not trained: {said}$"):
        train([str(corpus)], str(tmp_path / "x.vec"), FAST)
    assert left(tmp_path) == {"corpus.txt", "stub"}


def test_too_little_memory_there_is_too_little_here(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stub").mkdir()
    (tmp_path / "stub" / "fasttext_pybind.py").write_text("def args(): raise MemoryError")
    monkeypatch.syspath_prepend(tmp_path / "stub")
    with pytest.raises(MemoryError):
        train([str(corpus)], str(tmp_path / "x.vec"), FAST)
    assert left(tmp_path) == {"corpus.txt", "stub"}


def long_work(corpus: Path, output: Path) -> list[str]:
    """A command that would not end."""
    more = ["--epochs", "1000000", "--dimension", "8"]
    return [sys.executable, "-m", "tertium", "vectors", "train", str(corpus), "-o", str(output), *more]


def trainer(process: subprocess.Popen[bytes], folder: Path) -> int:
    """The process that trains, once it does: it has opened the numbered corpus."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while process.poll() is None:
        for child in children.read_text("ascii").split():
            try:
                opened = [os.readlink(path) for path in Path(f"/proc/{child}/fd").iterdir()]
            except OSError:
                continue
            if any(name.startswith(str(folder)) and name.endswith("/corpus") for name in opened):
                return int(child)
        time.sleep(0.05)
    raise AssertionError(process.communicate())


def gone(number: int) -> bool:
    """Whether a process ended; it may still have to be buried."""
    try:
        return Path(f"/proc/{number}/stat").read_text("ascii").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_training_ends_with_whoever_waits_for_it(corpus: Path, tmp_path: Path, stop: signal.Signals) -> None:
    with subprocess.Popen(
        long_work(corpus, tmp_path / "x.vec"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        child = trainer(process, tmp_path)
        process.send_signal(stop)
        _, said = process.communicate(timeout=60)
    if stop == signal.SIGINT:
        assert (process.returncode, said) == (130, b"tertium: interrupted\n")
        assert gone(child)
        assert left(tmp_path) == {"corpus.txt"}
        return
    until = time.monotonic() + 60
    while not gone(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert gone(child)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts what was read")
def test_progress_tells_epochs(corpus: Path, tmp_path: Path) -> None:
    """A corpus that takes long enough for several looks at it."""
    corpus.write_bytes(corpus.read_bytes() * 150)
    told: list[str] = []
    with listening(lambda stages: told.extend(map(str, stages))):
        train([str(corpus)], str(tmp_path / "x.vec"), Training(dimension=60, epochs=5, tok="none"))
    assert told[:2] == ["reading 0 of 6", "training 1 of 6"]
    epochs = [int(stage.split()[1]) for stage in told[1:]]
    assert epochs == list(range(1, len(epochs) + 1))
    assert 2 <= len(epochs) <= 5  # a machine that is fast, or busy, is looked at less often


def test_more_negative_samples_than_words(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("a b\n" * 5, encoding="utf-8")
    found = train([str(path)], str(tmp_path / "x.vec"), FAST)
    assert sorted(found.words()) == ["a", "b"]
    assert np.isfinite(found["a"]).all()
