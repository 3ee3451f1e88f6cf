"""WER, CDER, PER and CharacTER from Python lists of strings, one thread, against jiwer, rapidfuzz and cer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import tertium as tt
from benchmarks.measure import Line, seconds
from benchmarks.texts import Corpus


def _ours(spec: str, text: Corpus) -> Callable[[], float | None]:
    metric = tt.metric(spec)
    return lambda: metric.score_total(metric.statistics(text.hypotheses, text.references))


def _agree(what: str, ours: float | None, theirs: float) -> None:
    """A ratio between different numbers would mean nothing."""
    if ours is None or abs(ours - theirs) > 1e-9 * max(1.0, abs(theirs)):
        raise SystemExit(f"{what}: ours is {ours}, the peer's {theirs}: no ratio for different numbers")


def _spaced(text: Corpus) -> Corpus:
    """All white space as single spaces: jiwer splits at those only, we and str.split at any."""
    return Corpus(
        text.name,
        [" ".join(line.split()) for line in text.hypotheses],
        [" ".join(line.split()) for line in text.references],
    )


def _distances(text: Corpus) -> int:
    from rapidfuzz.distance import Levenshtein

    pairs = zip(text.hypotheses, text.references, strict=True)
    return sum(Levenshtein.distance(h.split(), r.split()) for h, r in pairs)


def _cer(text: Corpus) -> float:
    import cer

    pairs = zip(text.hypotheses, text.references, strict=True)
    return sum(cer.calculate_cer(h.split(), r.split()) for h, r in pairs) / len(text)


def run(small: Corpus, large: Corpus) -> Iterator[Line]:
    import jiwer

    for text in map(_spaced, [small] if large is small else [small, large]):
        repeats = 3 if len(text) == len(small) else 1
        wer = _ours("wer", text)
        _agree("WER", wer(), 100 * jiwer.wer(text.references, text.hypotheses))
        mine = seconds(wer, 7)
        theirs = seconds(lambda t=text: jiwer.wer(t.references, t.hypotheses), repeats)  # type: ignore[misc]
        yield Line("WER", len(text), mine, "jiwer", theirs, 20)
        words = sum(len(line.split()) for line in text.references)
        _agree("WER", wer(), 100 * _distances(text) / words)
        theirs = seconds(lambda t=text: _distances(t), repeats)  # type: ignore[misc]
        yield Line("WER", len(text), mine, "rapidfuzz, with split", theirs, 3)
        yield Line("PER", len(text), seconds(_ours("per", text), 7), "rapidfuzz, with split", theirs)
        yield Line("CDER", len(text), seconds(_ours("cder", text), 7), "rapidfuzz, with split", theirs)
        yield Line(
            "TER like Moses", len(text), seconds(_ours("ter:like=moses", text), 3), "our TER",
            seconds(_ours("ter:case_sensitive=yes", text), 3),
        )  # fmt: skip
    character = _ours("character", small)
    _agree("CharacTER", character(), _cer(small))
    theirs = seconds(lambda: _cer(small), 2)
    yield Line("CharacTER", len(small), seconds(character, 7), "cer", theirs, 20)
    yield from long_lines()


def long_lines() -> Iterator[Line]:
    """10,000 words on a line: time stays bounded. The peer is rapidfuzz's word distance."""
    import random

    rng = random.Random(1)
    vocabulary = [f"w{int(rng.paretovariate(0.7)) % 5000}" for _ in range(20_000)]
    reference = [rng.choice(vocabulary) for _ in range(10_000)]
    hypothesis = [word if rng.random() < 0.6 else rng.choice(vocabulary) for word in reference]
    specs = ("wer", "per", "cder", "ter:like=moses", "character")
    for size, measured in (
        (500, specs[-1:]),
        (2_000, specs[-1:]),
        (10_000, specs),
    ):  # CharacTER's hardest are in between
        text = Corpus("long", [" ".join(hypothesis[:size])], [" ".join(reference[:size])])
        theirs = seconds(lambda text=text: _distances(text), 1)  # type: ignore[misc]
        for spec in measured:
            label = f"{spec}, {size:,} words on a line"
            yield Line(label, 1, seconds(_ours(spec, text), 1), "rapidfuzz, with split", theirs)
    yield from long_texts()


def long_texts() -> Iterator[Line]:
    """200,000 characters on a line, of another text: the peer is rapidfuzz's distance of characters."""
    import random

    from rapidfuzz.distance import Levenshtein

    rng = random.Random(2)
    one, other = ("".join(rng.choices("etaoin shrdlu", k=200_000)) for _ in range(2))
    text = Corpus("long", [one], [other])
    theirs = seconds(lambda: Levenshtein.distance(one, other), 1)
    for spec in ("eed", "character"):
        mine = seconds(_ours(spec, text), 1)
        yield Line(f"{spec}, 200,000 characters on a line", 1, mine, "rapidfuzz, characters", theirs)
