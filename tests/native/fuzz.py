"""Random text through every native kernel, for a bounded time. Run under sanitisers by `make test-native`.

Results are compared between one and three threads and between batches, so that the run also fails on wrong
numbers, not only on bad memory accesses.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import dataclasses
import functools
import os
import random
import shutil
import sys
import tempfile
import time

import numpy as np

from tertium import _native, registry
from tertium._native import Lines
from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.statistics import DenseStatistics, Statistics, TypeStatistics, parcels

ALPHABETS = [
    "abc .,-'1290&;<>\"quotampltg",
    "ab ",
    "абвгд ёж.,",
    "中文字。，、 a1",
    "😀é\u0301ß İı\u2028\u3000\u0085\xa0\x1c\t",
    "".join(chr(c) for c in range(1, 0x250)),
]
SPECS = [
    "bleu", "bleu:tok=intl,order=9", "bleu:tok=char,order=2", "bleu:tok=zh", "bleu:lowercase=yes",
    "bleu:tok=moses-en-a", "bleu:tok=moses-fr-ep", "macrof:tok=zh-wmt17+intl",
    "bleu:tok=none,smooth=floor",
    "chrf", "chrf++", "chrf:char_order=12,whitespace=yes", "chrf:eps=yes,beta=3",
    "ter", "ter:normalized=yes,asian_support=yes", "ter:no_punct=yes",
    "bleu:PGBC4", "bleu:FAB9,tok=char", "sentbleu", "multibleu:lowercase=yes,reflen=average", "mtevalbleu",
    "mtevalbleu:tok=intl,order=9", "nist", "nist:tok=intl,order=9,lowercase=no", "nist:like=nltk",
    "macrof", "microf:order=3", "macrof:unit=char,order=4",
    "wer", "wer:like=moses,tok=char", "per", "per:like=moses", "cder", "cder:tok=char,like=moses", "ter:like=moses",
    "character", "character:weight=length,tok=intl",
    "chrf++:like=popovic", "rouge:1", "rouge:3,stem=nltk", "rouge:2,stem=porter", "rouge:L", "rouge:Lsum", "rouge:W",
    "rouge:W,like=rouge-1.5.5", "rouge:S", "rouge:SU4", "rouge:SU,tok=char,like=rouge-1.5.5",
    "gtm:2", "gtm:1.2,tok=char", "gtm:like=original", "gleu", "gleu:tok=char", "ol", "ribes", "ribes:tok=char", "eed",
    "beer", "beer:tok=char", "tskm:seq",
    "meteor:modules=exact+stem", "meteor:lang=other,unit=char,beam=3", "meteor:modules=exact,normalize=nopunct",
    "meteor-hard:lang=fr,modules=exact", "meteor-soft:vectors=letters",
    "yisi0", "yisi0:tok=char,n=2,case=unicode", "yisi1", "yisi1:storage=int8,n=1,tok=none", "meant2-nosrl:case=unicode",
    "bleu2vec", "bleu2vec:tok=char,like=original", "ngram2vec:threshold=0.2,storage=float16",
]  # fmt: skip


def text(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.05:
        return ""
    if kind < 0.10:  # any code points at all, lone surrogates too
        return "".join(chr(rng.randrange(1, 0x110000)) for _ in range(rng.randrange(40)))
    length = rng.choice([5, 30, 63, 64, 65, 128, 300, 700] if kind < 0.98 else [5000])
    alphabet = rng.choice(ALPHABETS)
    return "".join(rng.choice(alphabet) for _ in range(rng.randrange(length + 1)))


def shuffled(rng: random.Random, line: str) -> str:
    words = line.split(" ")
    for _ in range(rng.randrange(4)):
        a, b = sorted(rng.randrange(len(words) + 1) for _ in range(2))
        block = words[a:b]
        del words[a:b]
        at = rng.randrange(len(words) + 1)
        words[at:at] = block
    return " ".join(words)


def with_vectors(metric: Metric) -> Metric:
    """The metric with the file of word vectors it requires: letters and words of the alphabets, some of them joined."""
    if "vectors" not in metric.required:
        return metric
    return dataclasses.replace(metric, vectors=vector_file())  # type: ignore[call-arg]


@functools.cache
def vector_file() -> str:
    rng = random.Random(5)
    words = {
        "".join(rng.choice(alphabet) for _ in range(rng.randrange(1, 5)))
        for alphabet in ALPHABETS
        for _ in range(400)
    }
    words = {word for word in words if not word.isspace() and word == "".join(word.split())}
    words |= {f"{a}_{b}" for a in sorted(words)[:60] for b in sorted(words)[:9]}
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ.setdefault("TERTIUM_CACHE", folder)
    path = os.path.join(folder, "fuzz.vec")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{len(words)} 11\n")
        for word in sorted(words):
            file.write(f"{word} {' '.join(f'{rng.uniform(-1, 1):.4f}' for _ in range(11))}\n")
    return path


def same(a: Statistics, b: Statistics) -> bool:
    if isinstance(a, DenseStatistics) and isinstance(b, DenseStatistics):
        return bytes(memoryview(a.data)) == bytes(memoryview(b.data))
    assert isinstance(a, TypeStatistics)
    assert isinstance(b, TypeStatistics)
    return a.types == b.types and all(
        bytes(x) == bytes(y) for x, y in zip(a.rows.entries(), b.rows.entries(), strict=True)
    )


def resample(rng: random.Random, metric: Metric, rows: Statistics) -> None:
    """Weighted and swapped sums against rows taken and added one by one."""
    n = len(rows)
    stream = _native.Pcg64(*(rng.getrandbits(64) for _ in range(4)))
    drawn, counts = np.asarray(stream.draws(n, 3)), np.asarray(stream.counts(n, 3))
    weights = np.stack([*counts, *(np.bincount(row, minlength=n) for row in drawn)]).astype(np.int16)
    found = metric.score_weighted(rows, weights, threads=2)
    for row, score in zip(weights, found, strict=True):
        expected = metric.score_total(rows.take(np.repeat(np.arange(n), row)))
        if not (score == expected or (expected is None and score != score)):
            raise AssertionError(f"{metric}: the weights {row.tolist()} score {score}, not {expected}")
    other = rows.take(rng.sample(range(n), n))
    masks = np.asarray(stream.coins(n, 5))
    for ours, theirs in zip(
        metric.score_swapped(rows, other, masks),
        map(metric.score_rows, swapped(rows, other, masks)),
        strict=True,
    ):
        if not np.array_equal(ours, theirs, equal_nan=True):
            raise AssertionError(f"{metric}: swapping {masks.tolist()} gives {ours}, not {theirs}")


def swapped(one: Statistics, other: Statistics, masks: np.ndarray) -> tuple[Statistics, Statistics]:
    return Statistics.swapped(one, other, masks)


def check_without_each(metric: Metric, whole: Statistics) -> None:
    """Leaving out each segment in turn gives the scores of the others, to the bit."""
    n = len(whole)
    fast = [float(value) for value in metric._scores(whole.without_each(), "corpus")]
    for i, value in enumerate(fast):
        slow = metric.score_total(whole.take([j for j in range(n) if j != i]))
        if (slow is None) != (value != value) or (slow is not None and slow != value):
            raise AssertionError(f"{metric}: without segment {i} the score is {slow}, not {value}")


def round_of(rng: random.Random) -> int:
    n = rng.randrange(1, 12)
    streams = rng.randrange(1, 4)
    references = [[text(rng) for _ in range(n)] for _ in range(streams)]
    for stream in references[1:]:
        for i in range(n):
            if rng.random() < 0.2:
                stream[i] = None  # type: ignore[call-overload]
    hypotheses = [shuffled(rng, references[0][i]) if rng.random() < 0.7 else text(rng) for i in range(n)]
    for spec in rng.sample(SPECS, 5):
        metric = with_vectors(registry.metric(spec))
        whole = metric.statistics(hypotheses, references)
        if not same(whole, metric.statistics(hypotheses, references, threads=3)):
            raise AssertionError(f"{spec}: threads change the rows of {hypotheses!r} / {references!r}")
        half = n // 2
        if half and not metric.needs_whole_set:
            first = metric.statistics(hypotheses[:half], [r[:half] for r in references])
            second = metric.statistics(hypotheses[half:], [r[half:] for r in references])
            if not same(whole, first.concat(second)):
                raise AssertionError(f"{spec}: batches change the rows of {hypotheses!r} / {references!r}")
        for direct in (metric.total(hypotheses, references), metric.total(hypotheses, references, threads=3)):
            if metric.score_total(direct) != metric.score_total(whole):
                raise AssertionError(f"{spec}: the direct total differs for {hypotheses!r} / {references!r}")
        check_parcels(rng, whole)
        metric.score_total(whole)
        metric._scores(whole, "segment")
        resample(rng, metric, whole)
        check_without_each(metric, whole)
    block = "\n".join(hypotheses).encode("utf-8", "surrogatepass")
    damaged = bytearray(block or b"x")
    damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    for candidate in (block, bytes(damaged)):
        bad = _native.first_bad_byte(candidate)
        try:
            candidate.decode("utf-8")
            expected = candidate.find(0)
        except UnicodeDecodeError as error:
            expected = error.start if candidate.find(0) < 0 else min(error.start, candidate.find(0))
        if bad != expected:
            raise AssertionError(f"first_bad_byte({candidate!r}) is {bad}, not {expected}")
        if bad < 0:
            lines = _native.split_lines(candidate)
            expected_lines = [line.rstrip() for line in candidate.decode().removesuffix("\n").split("\n")]
            if candidate and [lines[i] for i in range(len(lines))] != expected_lines:
                raise AssertionError(f"split_lines({candidate!r})")
    for tokenizer in ("13a", "intl", "char", "zh"):
        counts = [[len(row)] for row in _native.tokenize(Lines(hypotheses), tokenizer)]
        if memoryview(_native.count_tokens(Lines(hypotheses), tokenizer, 3)).tolist() != counts:
            raise AssertionError(f"{tokenizer}: tokens of {hypotheses!r}")
    if [Lines(hypotheses).lower()[i] for i in range(n)] != [h.lower() for h in hypotheses]:
        raise AssertionError(f"lower of {hypotheses!r}")
    return 5


def check_parcels(rng: random.Random, rows: Statistics) -> None:
    """Rows come back from bytes as they were; nonsense with a right checksum is refused or makes rows that add."""
    data = rows.to_bytes()
    if Statistics.from_bytes(data).to_bytes() != data:
        raise AssertionError(f"rows change on their way: {data!r}")
    body = bytearray(data[: -parcels.CHECKSUM])
    for _ in range(rng.randrange(1, 4)):
        body[rng.randrange(len(body))] = rng.choice([0, 1, 127, 128, 255])
    for candidate in (bytes(body), bytes(body[: rng.randrange(len(body))])):
        try:
            found = Statistics.from_bytes(candidate + parcels._checksum(candidate))
        except InputError:
            continue
        with contextlib.suppress(OverflowError):  # counts may be anything, and then their sum is refused
            found.concat(found.take(range(len(found)))).total()
        found.to_bytes()


def check_tables(rng: random.Random) -> None:
    """Cached tables with any content and right checksums are refused, or read without a step outside."""
    words = [
        "".join(rng.choice("abc") for _ in range(rng.randrange(1, 4))) for _ in range(rng.randrange(1, 40))
    ]
    with tempfile.NamedTemporaryFile("w+b") as source, tempfile.NamedTemporaryFile("w+b") as table:
        rows = {word: f"{word} {' '.join(f'{rng.uniform(-1, 1):.3f}' for _ in range(3))}\n" for word in words}
        source.write("".join(rows.values()).encode())
        source.flush()
        _native.build_vectors(source.fileno(), table.name, rng.choice(["float32", "float16", "int8"]))
        vectors = table.read()
    builder = _native.ParaphraseBuilder(ppdb=False)
    for word in words:
        builder.feed(f"0.5\n{word} {rng.choice(words)}\n{rng.choice(words)}\n".encode())
    for kind, content in (("vectors", vectors), ("paraphrases", builder.finish())):
        for _ in range(12):
            damaged = bytearray(content)
            for _ in range(rng.randrange(3)):
                at = rng.randrange(min(128, len(damaged)) if rng.random() < 0.5 else len(damaged))
                damaged[at] = rng.choice([0, 1, 2, 64, 127, 128, 255])
            if rng.random() < 0.2:
                del damaged[rng.randrange(len(damaged)) :]
            with tempfile.TemporaryFile() as file, contextlib.suppress(_native.DamagedFile):
                file.write(damaged)
                file.flush()
                use_table(kind, words, file.fileno(), bytes(damaged), lazy=rng.random() < 0.5)


def use_table(kind: str, words: list[str], file: int, content: bytes, *, lazy: bool) -> None:
    sums = _native.block_sums(content) if content else b""
    if kind == "paraphrases":
        table = _native.ParaphraseTable("fuzzed", file, len(content), sums)
        lexicon = _native.MeteorLexicon("none", [], None, table)
        texts = [" ".join(words[i:]) for i in range(0, len(words), 5)]
        references = _native.MeteorReferences(lexicon, [lexicon.read(Lines(texts))])
        _native.MeteorLinks(lexicon.read(Lines(texts[::-1])), references, ["paraphrase"], 40, 1)
        return
    found = _native.VectorTable("fuzzed", file, len(content), sums, not lazy)
    for i in range(min(len(found), 100)):
        found.word(i)
    if found.dimension < 1000:
        _native.cosines(found, [word.encode() for word in words], found, [b"a", b"<unk>"], "ascii")


def check_pairs(rng: random.Random) -> None:
    """Kernels over pairs of scores: counting by sorting, in bit slices and one by one gives the same numbers."""
    sizes = [rng.choice([0, 1, 2, 5, 23, 24, 25, 90]) for _ in range(rng.randrange(1, 5))]
    starts = np.cumsum([0, *sizes]).astype(np.int64)
    n, epsilon = int(starts[-1]), rng.choice([0.0, 0.5, 1.0])
    gold, first, second = (np.array([rng.randrange(7) / 2 for _ in range(n)]) for _ in range(3))
    shuffles = rng.choice([1, 63, 64, 65])
    masks = np.array([[rng.random() < 0.5 for _ in range(n)] for _ in range(shuffles)], dtype=bool)
    words = np.zeros((n, -(-shuffles // 64)), dtype=np.uint64)
    for s in range(shuffles):
        words[masks[s], s // 64] |= np.uint64(1 << s % 64)
    counts = np.asarray(_native.swap_counts(gold, first, second, starts, epsilon, epsilon, words, shuffles))
    counts = counts.reshape(shuffles, len(sizes), 2, 3)
    for s in {0, shuffles - 1}:
        for m, own in enumerate((np.where(masks[s], second, first), np.where(masks[s], first, second))):
            found = np.asarray(_native.pair_counts(gold, own, starts, epsilon))
            if not np.array_equal(counts[s, :, m], found[:, [0, 1, 4]]):
                raise AssertionError(f"pairs of {gold!r}, {own!r}, {starts!r}, {epsilon}")
    packed = np.packbits(masks, axis=1, bitorder="little")
    sums = np.asarray(
        _native.masked_sums(np.stack([gold, first, second]), packed)
    )  # halves: their sums are exact
    if not np.array_equal(sums, np.stack([gold, first, second]) @ masks.T):
        raise AssertionError(f"sums of {gold!r}, {first!r}, {second!r} over {masks!r}: {sums!r}")
    weights = np.ones(len(sizes), dtype=np.int64)
    margin, best, exact = _native.calibrate_ties(gold, first, starts, weights)
    for distance in {0.0, margin, 0.5, 1.0, 2.5}:
        found = np.asarray(_native.pair_counts(gold, first, starts, distance))
        right = int(found[:, 0].sum() + found[:, 4].sum())
        if (
            right > best
            or (distance == margin) != (right == best and distance <= margin)
            or (distance == 0 and right != exact)
        ):
            raise AssertionError(f"calibration of {gold!r}, {first!r}, {starts!r}: {margin}, {best}, {exact}")


def check_contexts(rng: random.Random) -> None:
    """Phrases of words in context: bounds are refused, the rest agrees with the formula."""

    def side() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        starts = np.cumsum([0, *(rng.choice([0, 1, 2, 7]) for _ in range(3))]).astype(np.int64)
        rows = np.array([[rng.uniform(-1, 1) for _ in range(8)] for _ in range(starts[-1])]).reshape(-1, 8)
        unit = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        return unit, np.array([rng.choice([0.5, 1.0, 3.0]) for _ in range(starts[-1])]), starts

    own, other, order = side(), side(), rng.choice([1, 2, 3, 9])
    pair = [rng.randrange(-1, 5) for _ in range(2)] + [rng.randrange(-1, 9) for _ in range(4)]
    mine, theirs, begin, end, first, last = pair
    inside = 0 <= mine < 3 and 0 <= theirs < 3 and 0 <= begin <= end and 0 <= first <= last
    inside = inside and end <= np.diff(other[2])[theirs] and last <= np.diff(own[2])[mine]
    try:
        found = np.asarray(_native.context_agreements(*own, *other, np.array([pair], np.int64), order, 2))[0]
    except (ValueError, IndexError):
        if inside:
            raise
        return
    if not inside:
        raise AssertionError(f"a phrase outside of its text was taken: {pair}, {own[2]}, {other[2]}")
    ours, others = own[2][mine] + np.arange(first, last), other[2][theirs] + np.arange(begin, end)
    n = min(order, len(ours), len(others))
    table = np.maximum(0, own[0][ours].astype(float) @ other[0][others].T)
    expected = [0.0, 0.0]
    for part, weights, matrix in ((0, own[1][ours], table), (1, other[1][others], table.T)) if n else ():
        grams, theirs_too = (size - n + 1 for size in matrix.shape)
        best = [
            max(sum(weights[i + k] * matrix[i + k, j + k] for k in range(n)) for j in range(theirs_too))
            for i in range(grams)
        ]
        expected[part] = sum(best) / sum(weights[i + k] for i in range(grams) for k in range(n))
    if not np.allclose(found, expected, atol=1e-5):
        raise AssertionError(f"{found} for {expected}: {pair}, {order}, {own!r}, {other!r}")


def check_envelopes(rng: random.Random) -> None:
    """Lines of candidates: what is not finite is refused, choices between turns are the highest; exchanges add up."""
    sizes = [
        rng.choice([0, 1, 2, 9] if rng.random() < 0.1 else [1, 2, 9]) for _ in range(rng.choice([0, 1, 5]))
    ]
    starts = np.cumsum([0, *sizes]).astype(np.int64)
    n = int(starts[-1])
    usual = [rng.choice([0.0, 1.0, -1.0, rng.gauss(0, 1), rng.gauss(0, 1) * 1e30]) for _ in range(2 * n)]
    if n and rng.random() < 0.1:
        usual[rng.randrange(2 * n)] = rng.choice([float("nan"), float("inf")])
    offsets, slopes = np.array(usual[:n]), np.array(usual[n:])
    good = 0 not in sizes and bool(np.isfinite(usual).all())
    try:
        first, where, before, after = map(np.asarray, _native.envelopes(offsets, slopes, starts))
    except ValueError:
        if good:
            raise
        return
    if not good:
        raise AssertionError(f"taken: {usual}, {sizes}")
    if (np.diff(where) < 0).any() or not np.isfinite(where).all():
        raise AssertionError(f"turns are not in order: {where}")
    rows = np.array([[rng.randrange(-9, 9), 1] for _ in range(n)], dtype=np.int64).reshape(-1, 2)
    ends = np.arange(len(where) + 1)
    sums = np.asarray(_native.exchanged(rows, first, before, after, ends))
    chosen = first.copy()
    for i in range(len(where) + 1):
        if i:
            (place,) = np.flatnonzero(chosen == before[i - 1])
            chosen[place] = after[i - 1]
        if sums[i].tolist() != rows[chosen].sum(axis=0).tolist():
            raise AssertionError(f"{sums[i]} for {rows[chosen].sum(axis=0)}")
    wrong = [np.array([rng.choice([-1, n, n + 7])], dtype=np.int64), np.zeros(1, dtype=np.int64)]
    rng.shuffle(wrong)
    with contextlib.suppress(IndexError):
        _native.exchanged(rows, first, *wrong, np.array([1]))
        raise AssertionError("a row that is not there was taken")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=20261115)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    end = time.monotonic() + options.seconds
    rounds = scored = 0
    while time.monotonic() < end or rounds < 50:
        scored += round_of(rng)
        check_pairs(rng)
        check_contexts(rng)
        check_envelopes(rng)
        check_tables(rng)
        rounds += 1
    print(
        f"fuzz: {rounds} random corpora, {scored} metric runs, seed {options.seed}, no failure ({_native.__file__})"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
