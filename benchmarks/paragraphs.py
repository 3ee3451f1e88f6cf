"""Metrics over paragraphs of about 180 words, without parses: paragraphs a second on one core.

Two times, both CPU time of one thread. *First system*: everything that it takes to score one system, the references'
analysis and that of the sources included (files of words and vectors were opened before, with the first paragraph; the
least of three runs, of which the later ones remember the stems of words).
*Further systems*: what each system costs after it, since references and sources are read once, as in training. There
are no peers that compute these numbers, so the target is absolute, and holds for both. Where sources are needed,
references stand in for them: terms and pronouns are found by words linked across the languages, which is most of their
work.

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
from tertium.families.base import Metric, Prepared
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
REPEATS = 3
HEADER = (
    f"{'':<36}{'':>11}{'first system':>20}{'further systems':>20}\n"
    f"{'metric':<36}{'paragraphs':>11}{'us each':>10}{'a second':>10}{'us each':>10}{'a second':>10}"
)


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
                yield f"{shown:<36}{'not there yet':>36}"
                continue
            try:
                first, further = _timed(metric, given)
            except TertiumError as error:
                yield f"{shown:<36}  {error}"
                continue
            rates = [len(given) / one for one in (first, further)]
            each = [one / len(given) * 1e6 for one in (first, further)]
            told = "".join(f"{us:>10.1f}{rate:>10,.0f}" for us, rate in zip(each, rates, strict=True))
            yield f"{shown:<36}{len(given):>11,}{told}{'' if min(rates) >= TARGET else '  below the target'}"


def _timed(metric: Metric, given: Corpus) -> tuple[float, float]:
    """Seconds for the first system, and for one after it."""
    sources = given.references if metric.needs_source else None

    def scored(texts: Corpus, prepared: Prepared | None = None) -> None:
        known = metric.prepare(texts.references) if prepared is None else prepared
        metric.total(texts.hypotheses, known, sources=None if sources is None else texts.references)

    scored(given.first(1))
    first = seconds(lambda: scored(given), REPEATS)
    prepared = metric.prepare(given.references)
    scored(given, prepared)
    return first, seconds(lambda: scored(given, prepared), REPEATS)


def main() -> None:
    print(HEADER)
    for line in run(corpus(10_000, "en")):
        print(line, flush=True)


if __name__ == "__main__":
    main()
