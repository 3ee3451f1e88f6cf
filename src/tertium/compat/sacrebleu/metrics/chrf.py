"""chrF with sacrebleu's class, score and signature."""

from __future__ import annotations

from typing import Any, ClassVar

from tertium.compat.sacrebleu.metrics.base import Metric, Score, Signature, Streams
from tertium.families import chrf
from tertium.statistics import DenseStatistics


class CHRFSignature(Signature):
    """chrF's options: case, smoothing, orders, white space. Beta is in the name of the score."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "space": "s"}
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "no" if args["eps_smoothing"] else "yes",
            "nc": args["char_order"],
            "nw": args["word_order"],
            "space": "yes" if args["whitespace"] else "no",
        }


class CHRFScore(Score):
    """chrF, named after its beta, with a plus for each word order.

    >>> CHRFScore(50.0, char_order=6, word_order=2, beta=2)
    chrF2++ = 50.00
    """

    def __init__(self, score: float, char_order: int, word_order: int, beta: float) -> None:
        super().__init__(f"chrF{beta}" + "+" * word_order, score)
        self.char_order = char_order
        self.word_order = word_order
        self.beta = beta


class CHRF(Metric[CHRFScore]):
    """chrF, chrF+ and chrF++ (Popović 2015, 2017).

    >>> CHRF(word_order=2).corpus_score(["the cat sat on the mat"], [["the cat sat on a mat"]])
    chrF2++ = 72.03
    """

    CHAR_ORDER: ClassVar[int] = 6
    WORD_ORDER: ClassVar[int] = 0
    BETA: ClassVar[int] = 2
    _SIGNATURE_TYPE: ClassVar[type[Signature]] = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: float = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Streams | None = None,
    ) -> None:
        super().__init__()
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.beta = beta
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        self._worker()  # refuses impossible options
        self._cache_references(references)

    def _worker(self) -> chrf.ChrF:
        return chrf.ChrF(
            char_order=self.char_order,
            word_order=self.word_order,
            beta=float(self.beta),
            lowercase=bool(self.lowercase),
            whitespace=bool(self.whitespace),
            eps=bool(self.eps_smoothing),
        )

    def _score(self, rows: DenseStatistics) -> CHRFScore:
        score = float(self._worker()._scores(rows.total(), "corpus")[0])
        return CHRFScore(score, self.char_order, self.word_order, self.beta)
