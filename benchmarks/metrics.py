"""Metrics from Python lists of strings, one thread, against sacrebleu and other peers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import tertium as tt
from benchmarks.counters import macrof1
from benchmarks.measure import Line, seconds
from benchmarks.texts import Corpus


def _ours(spec: str, text: Corpus) -> Callable[[], object]:
    metric = tt.metric(spec)
    return lambda: tt.score(text.hypotheses, text.references, metric, force=True).scores[0].value


def _our_segments(spec: str, text: Corpus) -> Callable[[], object]:
    metric = tt.metric(spec)
    return lambda: tt.score(text.hypotheses, text.references, metric, level="segment", force=True)


def _agree(what: str, ours: object, theirs: float) -> None:
    """A ratio between different numbers would mean nothing."""
    if not isinstance(ours, float) or abs(ours - theirs) > 1e-9 * max(1.0, abs(theirs)):
        raise SystemExit(f"{what}: ours is {ours}, the peer's {theirs}: no ratio for different numbers")


def run(small: Corpus, large: Corpus) -> Iterator[Line]:
    from sacrebleu.metrics import BLEU, CHRF, TER

    makers: list[tuple[str, str, Callable[[], BLEU | CHRF | TER], float]] = [
        ("BLEU", "bleu", lambda: BLEU(force=True), 100),
        ("chrF2", "chrf", CHRF, 150),
        ("chrF2++", "chrf++", lambda: CHRF(word_order=2), 100),
    ]
    for text in (small, large):
        repeats = 3 if text is small else 1
        for name, spec, make, target in makers:
            ours, peer = _ours(spec, text), make  # a fresh object each time: sacrebleu caches tokenised lines
            _agree(name, ours(), make().corpus_score(text.hypotheses, [text.references]).score)
            theirs = seconds(lambda m=peer, t=text: m().corpus_score(t.hypotheses, [t.references]), repeats)  # type: ignore[misc]
            yield Line(name, len(text), seconds(ours, 7), "sacrebleu", theirs, target)

        def each_line(text: Corpus = text) -> list[float]:
            metric = BLEU(effective_order=True)
            pairs = zip(text.hypotheses, text.references, strict=True)
            return [metric.sentence_score(h, [r]).score for h, r in pairs]

        theirs = seconds(each_line, repeats)
        yield Line(
            "BLEU of every sentence",
            len(text),
            seconds(_our_segments("bleu", text), 7),
            "sacrebleu",
            theirs,
            90,
        )

        ours = _ours("macrof1", text)
        _agree("MacroF1", ours(), macrof1(text.hypotheses, text.references))
        theirs = seconds(lambda t=text: macrof1(t.hypotheses, t.references), repeats)  # type: ignore[misc]
        yield Line("MacroF1", len(text), seconds(ours, 7), "Counter version", theirs, 100)

    ours = _ours("ter", small)
    _agree("TER", ours(), TER().corpus_score(small.hypotheses, [small.references]).score)
    theirs = seconds(lambda: TER().corpus_score(small.hypotheses, [small.references]), 1)
    yield Line("TER", len(small), seconds(ours, 7), "sacrebleu", theirs, 250)


def peers(small: Corpus) -> Iterator[Line]:
    """Other fast implementations, each on the job it does."""
    import bleuscore
    import fastchrf
    import jiwer
    from rapidfuzz.distance import Levenshtein

    h, r = small.hypotheses, small.references
    theirs = seconds(lambda: bleuscore.compute([[x] for x in r], h, 4, False), 2)
    yield Line("BLEU", len(small), seconds(_ours("bleu", small), 7), "bleuscore", theirs)
    theirs = seconds(lambda: fastchrf.aggregate_chrf([[x] for x in h], [[x] for x in r], 6, 2.0), 2)
    yield Line("chrF2", len(small), seconds(_our_segments("chrf", small), 7), "fastchrf", theirs)
    words = [(a.split(), b.split()) for a, b in zip(h, r, strict=True)]
    theirs = seconds(lambda: [Levenshtein.distance(a, b) for a, b in words], 3)
    yield Line(
        "TER against plain word distance", len(small), seconds(_ours("ter", small), 7), "rapidfuzz", theirs
    )
    theirs = seconds(lambda: jiwer.wer(r, h), 2)
    yield Line("TER against WER", len(small), seconds(_ours("ter", small), 7), "jiwer", theirs)
