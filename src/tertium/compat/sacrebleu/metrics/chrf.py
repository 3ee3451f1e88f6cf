"""chrF with sacrebleu's class, score and signature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tertium.compat.sacrebleu.metrics.base import Metric, Score, Signature, Streams
from tertium.metrics import chrf
from tertium.statistics import DenseStatistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EPSILON = 1e-16


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

    def _table(self, rows: DenseStatistics) -> NDArray[np.float64]:
        return rows.array.astype("float64")

    def _resample_scores(self, sums: NDArray[np.float32]) -> NDArray[np.float64]:
        """F from quotients in single precision, to which NumPy scalars round them in sacrebleu."""
        import numpy as np

        counts, references, matches = (sums[:, part::3] for part in range(3))
        missing = np.full_like(matches, EPSILON)
        precisions = np.divide(matches, counts, out=missing.copy(), where=counts > 0).astype(np.float64)
        recalls = np.divide(matches, references, out=missing.copy(), where=references > 0).astype(np.float64)
        if self.eps_smoothing:
            means: NDArray[np.float64] = self._f(precisions, recalls, EPSILON).mean(axis=1)
            return 100 * means
        both = (counts > 0) & (references > 0)
        orders = np.maximum(both.sum(axis=1), 1)
        precision, recall = (np.where(both, part, 0.0).sum(axis=1) / orders for part in (precisions, recalls))
        return 100 * self._f(precision, recall, 0.0)

    def _f(
        self, precision: NDArray[np.float64], recall: NDArray[np.float64], undefined: float
    ) -> NDArray[np.float64]:
        import numpy as np

        square = self.beta**2
        below = square * precision + recall
        above = (1 + square) * precision * recall
        return np.divide(above, below, out=np.full_like(above, undefined), where=below > 0)
