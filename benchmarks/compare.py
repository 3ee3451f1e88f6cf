"""Leave-one-out for all segments, against the loop one would write, and its growth with the corpus."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import tertium as tt
from benchmarks.commandline import cost
from benchmarks.measure import Line, seconds
from benchmarks.texts import Corpus, columns
from tertium.comparison import leave_one_out


def naive_bleu(text: Corpus) -> list[float]:
    """sacrebleu's statistics of each segment once, then for every segment the sum and the score of the others."""
    from sacrebleu.metrics import BLEU

    metric = BLEU()
    rows = metric._extract_corpus_statistics(text.hypotheses, [text.references])
    return [
        metric._compute_score_from_stats(
            [sum(column) for column in zip(*(rows[:i] + rows[i + 1 :]), strict=True)]
        ).score
        for i in range(len(rows))
    ]


def naive_macrof1(text: Corpus) -> list[float]:
    """Counters of the whole once, then for every segment its counts taken out and the mean over all types."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenize = Tokenizer13a()
    rows = [
        (Counter(tokenize(h.rstrip()).split()), Counter(tokenize(r.rstrip()).split()))
        for h, r in zip(text.hypotheses, text.references, strict=True)
    ]
    predicted, reference, matched = Counter[str](), Counter[str](), Counter[str]()
    for h, r in rows:
        predicted.update(h)
        reference.update(r)
        matched.update(h & r)
    found = []
    for h, r in rows:
        both = h & r
        predicted.subtract(h)
        reference.subtract(r)
        matched.subtract(both)
        types = [t for t in predicted.keys() | reference.keys() if predicted[t] or reference[t]]
        total = sum(2 * n / (predicted[t] + reference[t]) for t, n in matched.items() if n)
        found.append(100 * total / len(types))
        predicted.update(h)
        reference.update(r)
        matched.update(both)
    return found


def run(small: Corpus) -> Iterator[Line]:
    """3k segments: rows are there, since scoring made them; all of leave-one-out, ours and naive."""
    for name, spec, naive, target in (
        ("BLEU without each segment", "bleu", naive_bleu, 5000),
        ("MacroF1 without each segment", "macrof1", naive_macrof1, 200),
    ):
        metric = tt.metric(spec)
        rows = metric.statistics(small.hypotheses, small.references)
        ours, theirs = leave_one_out(metric, rows).tolist(), naive(small)
        if max(abs(a - b) for a, b in zip(ours, theirs, strict=True)) > 1e-9:
            raise SystemExit(f"{name}: the naive loop gives other numbers: no ratio for different numbers")
        yield Line(
            name,
            len(small),
            seconds(lambda m=metric, r=rows: leave_one_out(m, r), 7),  # type: ignore[misc]
            "naive loop",
            seconds(lambda n=naive: n(small), 1),  # type: ignore[misc]
            target,
        )


def growth(large: Corpus, sizes: tuple[int, ...] = (3_000, 30_000, 300_000)) -> Iterator[Line]:
    """Leave-one-out beside one scoring of the same text; us/segment should stay the same as the text grows.

    Beyond the text at hand lines are used again, each with a word of its own, so that the vocabulary grows too.
    """
    for spec in ("bleu", "chrf", "macrof1"):
        metric = tt.metric(spec)
        for size in sizes:
            n = len(large)
            text = Corpus(
                large.name,
                [large.hypotheses[i % n] + (f" w{i}" if i >= n else "") for i in range(size)],
                [large.references[i % n] + (f" w{i // 2}" if i >= n else "") for i in range(size)],
            )
            rows = metric.statistics(text.hypotheses, text.references)
            scoring = seconds(
                lambda m=metric, t=text: m.score_total(m.statistics(t.hypotheses, t.references)), 3
            )  # type: ignore[misc]
            ours = seconds(lambda m=metric, r=rows: leave_one_out(m, r), 3)  # type: ignore[misc]
            yield Line(f"{metric.label} without each segment", size, ours, "one scoring", scoring)


def whole() -> Iterator[str]:
    """`compare` of twenty systems and `report` of 100,000 segments, each a process: CPU and peak memory."""
    for command, systems, segments, goal in (
        ("compare", 20, 3_004, "4 s, 400 MB"),
        ("report", 3, 100_000, "20 s, 600 MB"),
    ):
        with tempfile.TemporaryDirectory() as folder:
            for name, lines in columns(systems, segments).items():
                Path(folder, name).write_text("\n".join(lines) + "\n", encoding="utf-8")
            names = sorted(str(path) for path in Path(folder).glob("system*"))
            out = ["-o", f"{folder}/report.html"] if command == "report" else ["-q"]
            texts = [f"{folder}/ref", "-i", *names, "-m", "bleu", "chrf", "ter", "macrof1", *out]
            peak, cpu = cost([command, *texts])
            what = f"{command}: {systems} systems, {segments:,} segments, 4 metrics"
            yield f"{what:<52}{cpu:6.1f} s CPU, {peak:5.0f} MB (goal {goal})"
