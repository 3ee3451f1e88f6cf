"""BLEU's family, NIST and the originals' BLEU from Python lists of strings, one thread, against nltk and sacrebleu."""

from __future__ import annotations

from collections.abc import Iterator

import tertium as tt
from benchmarks.measure import Line, seconds
from benchmarks.texts import Corpus
from tertium.families.bleu_family import family_scores, variant_names


def run(small: Corpus) -> Iterator[Line]:
    yield from family(small)
    yield from nist(small)
    yield from originals(small)


def family(text: Corpus) -> Iterator[Line]:
    """96 variants from one row; the peer is one of them alone, then all of them each on its own."""
    one = tt.metric("bleu:PGBC4")
    everyone = [tt.metric(f"bleu:{name}") for name in variant_names()]

    def single(metric: tt.Metric = one) -> float | None:
        return metric.score_total(metric.statistics(text.hypotheses, text.references))

    def all_at_once() -> object:
        return family_scores(one.statistics(text.hypotheses, text.references).total())  # type: ignore[arg-type]

    together = seconds(all_at_once, 7)
    yield Line("96 variants from one row", len(text), together, "one variant", seconds(single, 7))
    apart = seconds(lambda: [single(metric) for metric in everyone], 1)
    yield Line("96 variants from one row", len(text), together, "96 one by one", apart, 48)
    through_score = seconds(lambda: tt.score(text.hypotheses, text.references, everyone), 3)
    yield Line("96 variants by tertium.score", len(text), through_score, "96 one by one", apart)
    plain = tt.metric("bleu")
    theirs = seconds(lambda: plain.score_total(plain.statistics(text.hypotheses, text.references)), 7)
    yield Line("order 9, precision and recall", len(text), seconds(single, 7), "our bleu, order 4", theirs)


def nist(text: Corpus) -> Iterator[Line]:
    """From strings to a number on both sides: nltk is given the words that `split` makes, as we make them."""
    from nltk.translate.nist_score import corpus_nist

    def nltk() -> float:
        references = [[line.split()] for line in text.references]
        return float(corpus_nist(references, [line.split() for line in text.hypotheses], 5))

    theirs_value, theirs = nltk(), seconds(nltk, 2)
    for spec in ("nist:tok=none,lowercase=no", "nist:tok=none,lowercase=no,like=nltk"):
        metric = tt.metric(spec)

        def ours(metric: tt.Metric = metric) -> float | None:
            return metric.score_total(metric.statistics(text.hypotheses, text.references))

        value = ours()
        # The history "0" is the one difference between the two originals where there is one reference.
        if value is None or abs(value - theirs_value) > (1e-9 if "nltk" in spec else 0.01):
            raise SystemExit(
                f"{spec}: ours is {value}, nltk's {theirs_value}: no ratio for different numbers"
            )
        name = "NIST like nltk" if "nltk" in spec else "NIST"
        yield Line(name, len(text), seconds(ours, 7), "nltk", theirs, 100)


def originals(text: Corpus) -> Iterator[Line]:
    """sacrebleu's corpus and sentence BLEU do nearly the same work."""
    from sacrebleu.metrics import BLEU

    theirs = seconds(lambda: BLEU().corpus_score(text.hypotheses, [text.references]), 2)

    def each_line() -> list[float]:
        metric = BLEU(effective_order=True)
        return [
            metric.sentence_score(h, [r]).score for h, r in zip(text.hypotheses, text.references, strict=True)
        ]

    for name, spec, peer in (
        ("multi-BLEU (13a)", "multibleu:tok=13a", theirs),
        ("mteval's BLEU", "mtevalbleu", theirs),
        ("mteval's BLEU, intl", "mtevalbleu:tok=intl", theirs),
        ("sentBLEU (13a) of every sentence", "sentbleu:tok=13a", seconds(each_line, 1)),
    ):
        metric = tt.metric(spec)
        level = "segment" if spec.startswith("sent") else "corpus"

        def ours(metric: tt.Metric = metric, level: str = level) -> object:
            return metric.score_rows(metric.statistics(text.hypotheses, text.references), level)  # type: ignore[arg-type]

        yield Line(name, len(text), seconds(ours, 7), "sacrebleu's BLEU", peer)


if __name__ == "__main__":
    from benchmarks import texts
    from benchmarks.measure import HEADER

    print(HEADER)
    for line in run(texts.corpus(3000)):
        print(line.text(), flush=True)
