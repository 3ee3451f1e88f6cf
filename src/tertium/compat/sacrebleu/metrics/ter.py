"""TER with sacrebleu's class, score and signature."""

from __future__ import annotations

from functools import reduce
from operator import add
from typing import Any, ClassVar

from tertium.compat.sacrebleu.metrics.base import Metric, Score, Signature, Streams
from tertium.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from tertium.families import ter
from tertium.statistics import DenseStatistics


class TERSignature(Signature):
    """TER's options: case, normalisation, punctuation, Asian support."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}
        self.info |= {
            "case": "mixed" if args["case_sensitive"] else "lc",
            "tok": args["tokenizer_signature"],
            "norm": args["normalized"],
            "punct": not args["no_punct"],
            "asian": args["asian_support"],
        }


class TERScore(Score):
    """TER with the edits and the reference length it is made of."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(Metric[TERScore]):
    """Translation edit rate (Snover et al. 2006), as tercom computes it.

    >>> TER().sentence_score("on the mat the cat sat", ["the cat sat on a mat"]).num_edits
    2
    """

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Streams | None = None,
    ) -> None:
        super().__init__()
        self.normalized = normalized
        self.no_punct = no_punct
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer_signature = self.tokenizer.signature()
        self._cache_references(references)

    @property
    def tokenizer(self) -> TercomTokenizer:
        """tercom's tokeniser with these options. It cannot be exchanged: it runs inside the kernel."""
        return TercomTokenizer(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)

    def _worker(self) -> ter.TER:
        return ter.TER(
            normalized=bool(self.normalized),
            no_punct=bool(self.no_punct),
            asian_support=bool(self.asian_support),
            case_sensitive=bool(self.case_sensitive),
        )

    def _score(self, rows: DenseStatistics) -> TERScore:
        worker, total = self._worker(), rows.total()
        edits, length = (worker.components(total)[part] for part in ("edits", "reference_length"))
        score = float(worker._scores(total, "corpus")[0])
        if len(rows) > 1 and length:
            # Mean lengths may be fractions. Ours are summed exactly, sacrebleu's one after the other; where a
            # score lies on the edge between two roundings, only the same last bit prints the same digits.
            length = reduce(add, rows["reference_length"].tolist())
            score = 100 * (edits / length)
        return TERScore(score, edits, length)
