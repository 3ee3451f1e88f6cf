"""ROUGE, GLEU and RIBES from Python lists of strings, one thread, against rouge-score and nltk."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import tertium as tt
from benchmarks.measure import Line, seconds
from benchmarks.texts import Corpus


def _ours(spec: str, text: Corpus) -> Callable[[], float | None]:
    metric = tt.metric(spec)
    return lambda: metric.score_total(metric.statistics(text.hypotheses, text.references))


def _line(
    what: str, spec: str, text: Corpus, peer: str, theirs: Callable[[], float], target: float | None
) -> Line:
    """A ratio, if both compute the same number."""
    ours, other = _ours(spec, text)(), 100 * theirs()
    if ours is None or abs(ours - other) > 1e-7:
        raise SystemExit(f"{what}: ours is {ours}, the peer's {other}: no ratio for different numbers")
    repeats = 3 if len(text) <= 3000 else 1
    return Line(
        what, len(text), seconds(_ours(spec, text), 7), peer, seconds(lambda: theirs(), repeats), target
    )


def run(small: Corpus, large: Corpus) -> Iterator[Line]:
    from rouge_score.rouge_scorer import RougeScorer

    for text in (small,) if large is small else (small, large):
        for name, stem in (
            ("1", False),
            ("2", False),
            ("4", False),
            ("L", False),
            ("Lsum", False),
            ("1", True),
        ):
            if name == "Lsum" and text is not small:
                continue
            scorer = RougeScorer([f"rouge{name}"], use_stemmer=stem)

            def mean(text: Corpus = text, name: str = name, scorer: RougeScorer = scorer) -> float:
                pairs = zip(text.references, text.hypotheses, strict=True)
                values = [scorer.score(r, h)[f"rouge{name}"].fmeasure for r, h in pairs]
                return float(sum(values) / len(values))

            spec = f"rouge:{name},stem={'nltk' if stem else 'none'}"
            what = f"ROUGE-{name}" + (" with stems" if stem else "")
            yield _line(what, spec, text, "rouge-score", mean, 50)
    yield from _nltk(small)


def _nltk(text: Corpus) -> Iterator[Line]:
    from nltk.translate.gleu_score import corpus_gleu
    from nltk.translate.ribes_score import corpus_ribes

    hypotheses = [line.split() for line in text.hypotheses]  # its words are cut already: ours are not
    references = [[line.split()] for line in text.references]
    yield _line("GLEU", "gleu:tok=none", text, "nltk", lambda: corpus_gleu(references, hypotheses), None)
    yield _line("RIBES", "ribes:tok=none", text, "nltk", lambda: corpus_ribes(references, hypotheses), None)
