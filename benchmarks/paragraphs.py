"""Metrics over paragraphs of about 180 words, without parses: paragraphs a second on one core.

Time is that of the hypotheses: references are prepared once, as in training. There are no peers that compute these
numbers, so the target is absolute. A metric that lands later is a line in SPECS. Where sources are needed, references
stand in for them: terms and pronouns are found by words linked across the languages, which is most of their work.

    python -m benchmarks.paragraphs
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import tertium as tt
from benchmarks.measure import seconds
from benchmarks.texts import Corpus, corpus
from benchmarks.yisi import write_vectors
from tertium.errors import TertiumError
from tertium.families.base import Metric
from tertium.registry import METRICS, SHORTHANDS, parse_spec
from tertium.text.units import WORDS, cut, joined, numbered

TARGET = 2_000  # paragraphs a second and core
SPECS = (
    *(
        "doc:bleu",
        "doc:chrf",
        "doc:chrf++",
        "doc:ter",
        "doc:macrof",
        "doc:meteor",
        "doc:meteor:soft,vectors=letters",
    ),
    *(
        "doc:cohesion",
        "doc:cohesion:difference",
        "doc:cohesion:synonyms=meteor",
        "doc:cohesion:vectors={vectors}",
    ),
    *("doc:connectives", "doc:terms", "doc:pronouns", "doc:coref"),
)
PATIENCE = 5.0  # seconds: what takes longer is timed once
HEADER = f"{'metric':<44}{'paragraphs':>12}{'us each':>12}{'a second':>12}"


def paragraphs(text: Corpus) -> Corpus:
    """Consecutive segments, joined."""
    groups = numbered(cut(text.references, None, WORDS))
    own, other = (joined(lines, groups, "\n") for lines in (text.hypotheses, text.references))
    return Corpus(text.name, own, other)


def _made(spec: str) -> Metric | None:
    """None for what is not there yet."""
    name = parse_spec(spec)[0]
    there = name in METRICS or name.removeprefix("doc:") in {*METRICS, *SHORTHANDS}
    return tt.metric(spec) if there else None


def run(text: Corpus) -> Iterator[str]:
    given = paragraphs(text)
    words = sorted({word for line in [*given.hypotheses, *given.references] for word in line.lower().split()})
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("TERTIUM_CACHE", folder)
        path = Path(folder, "random.bin")
        write_vectors(path, words)
        for spec in SPECS:
            metric = _made(spec.format(vectors=path))
            shown = spec.partition("{")[0] + ("300 numbers" if "{" in spec else "")
            if metric is None:
                yield f"{shown:<44}{'not there yet':>36}"
                continue
            sources = given.references if metric.needs_source else None
            try:
                prepared = metric.prepare(given.references)
                first = given.hypotheses, prepared, sources
                ours = seconds(lambda m=metric, g=first: m.total(g[0], g[1], sources=g[2]), 1)  # type: ignore[misc]
                if ours < PATIENCE:  # files are read now
                    again = seconds(lambda m=metric, g=first: m.total(g[0], g[1], sources=g[2]), 3)  # type: ignore[misc]
                    ours = min(ours, again)
            except TertiumError as error:
                yield f"{shown:<44}  {error}"
                continue
            rate = len(given) / ours
            missed = "" if rate >= TARGET else "  below the target"
            yield f"{shown:<44}{len(given):>12,}{ours / len(given) * 1e6:>12.1f}{rate:>12,.0f}{missed}"


def main() -> None:
    print(HEADER)
    for line in run(corpus(10_000, "en")):
        print(line, flush=True)


if __name__ == "__main__":
    main()
