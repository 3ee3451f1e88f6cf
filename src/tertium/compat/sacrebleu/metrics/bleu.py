"""BLEU with sacrebleu's class, score and signature."""

from __future__ import annotations

from array import array
from collections.abc import KeysView, Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, ClassVar

from tertium._native import Lines
from tertium.compat.sacrebleu.metrics.base import Metric, Score, Signature, Streams, logger
from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, kernel_of
from tertium.errors import did_you_mean
from tertium.families import bleu
from tertium.statistics import DenseStatistics

MAX_NGRAM_ORDER = 4

_TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}

LANGUAGES = {"zh": "Chinese", "ja": "Japanese", "ko": "Korean"}


def _get_tokenizer(name: str) -> type[BaseTokenizer]:
    """The class of a tokeniser by its name."""
    if name not in _TOKENIZERS:
        raise KeyError(f"unknown tokenizer {name!r}{did_you_mean(name, _TOKENIZERS)}")
    module, _, attribute = _TOKENIZERS[name].partition(".")
    found: type[BaseTokenizer] = getattr(
        import_module(f"tertium.compat.sacrebleu.tokenizers.{module}"), attribute
    )
    return found


class BLEUSignature(Signature):
    """BLEU's options: case, effective order, tokeniser, smoothing."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr |= {"case": "c", "eff": "e", "smooth": "s"}
        smooth, value = args["smooth_method"], args["smooth_value"]
        default = BLEU.SMOOTH_DEFAULTS[smooth]
        if default is not None:
            smooth = f"{smooth}[{default if value is None else value:.2f}]"
        self.info |= {
            "case": "lc" if args["lowercase"] else "mixed",
            "eff": "yes" if args["effective_order"] else "no",
            "tok": args["tokenizer_signature"],
            "smooth": smooth,
        }


class BLEUScore(Score):
    """BLEU with all that it is made of."""

    def __init__(
        self,
        score: float,
        counts: list[float],
        totals: list[float],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.counts = counts
        self.totals = totals
        self.precisions = precisions
        self.bp = bp
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self.ratio = sys_len / ref_len if ref_len else 0
        lengths = f"hyp_len = {sys_len:d} ref_len = {ref_len:d}"
        self._verbose = f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} {lengths})"


class BLEU(Metric[BLEUScore]):
    """BLEU (Papineni et al. 2002), as mteval computes it.

    `tokenizer` may be exchanged for any function from string to string with a `signature()`.

    >>> BLEU(effective_order=True).sentence_score("the cat sat", ["the cat sat"])
    BLEU = 100.00 100.0/100.0/100.0/0.0 (BP = 1.000 ratio = 1.000 hyp_len = 3 ref_len = 3)
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS: ClassVar[KeysView[str]] = _TOKENIZERS.keys()
    TOKENIZER_DEFAULT: ClassVar[str] = "13a"
    _TOKENIZER_MAP: ClassVar[dict[str, str]] = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
    _SIGNATURE_TYPE: ClassVar[type[Signature]] = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Streams | None = None,
    ) -> None:
        super().__init__()
        self._force = force
        self.lowercase = lowercase
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self.trg_lang = trg_lang
        _check_smoothing(smooth_method)
        fitting = self._TOKENIZER_MAP.get(trg_lang, self.TOKENIZER_DEFAULT)
        if tokenize not in (None, fitting) and trg_lang in LANGUAGES:
            logger.warning(f"Consider using the {fitting!r} or 'spm' tokenizer for {LANGUAGES[trg_lang]}.")
        self.tokenizer = _get_tokenizer(fitting if tokenize is None else tokenize)()
        self.tokenizer_signature = self.tokenizer.signature()
        self._worker()  # refuses impossible options
        self._cache_references(references)

    @staticmethod
    def compute_bleu(
        correct: Sequence[int],
        total: Sequence[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU from matches and counts of each order and the two lengths, all whole numbers.

        >>> BLEU.compute_bleu([9, 7, 5, 3], [10, 8, 6, 4], 11, 11)
        BLEU = 83.76 90.0/87.5/83.3/75.0 (BP = 1.000 ratio = 1.000 hyp_len = 11 ref_len = 11)
        """
        _check_smoothing(smooth_method)
        worker = _worker(smooth_method, smooth_value, max_ngram_order, effective_order)
        numbers = [sys_len, ref_len, *correct[:max_ngram_order], *total[:max_ngram_order]]
        if len(numbers) != len(worker.columns) or any(number != int(number) for number in numbers):
            raise ValueError(
                f"BLEU of order {max_ngram_order} needs that many matches and counts, all whole numbers"
            )
        row = memoryview(array("q", map(int, numbers))).cast("B").cast("q", (1, len(numbers)))
        return _score(worker, DenseStatistics(worker.columns, row))

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> BLEUScore:
        """BLEU of one segment; effective order is recommended for it."""
        if not self.effective_order:
            logger.warning("It is recommended to enable `effective_order` for sentence-level BLEU.")
        return super().sentence_score(hypothesis, references)

    def _worker(self) -> bleu.BLEU:
        kernel = kernel_of(self.tokenizer)
        return _worker(
            self.smooth_method,
            self.smooth_value,
            self.max_ngram_order,
            self.effective_order,
            tok=kernel or "none",
            lowercase=bool(kernel and self.lowercase),
        )

    def _before(self, lines: Lines) -> Lines:
        """Somebody's own tokeniser runs here, ours inside the kernel."""
        if kernel_of(self.tokenizer):
            return lines
        texts = (lines[i] for i in range(len(lines)))
        cased = (text.lower() if text is not None and self.lowercase else text for text in texts)
        return Lines([None if text is None else self.tokenizer(text.rstrip()) for text in cased])

    def _score(self, rows: DenseStatistics) -> BLEUScore:
        return _score(self._worker(), rows.total())


def _check_smoothing(method: str) -> None:
    if method not in BLEU.SMOOTH_DEFAULTS:
        known = did_you_mean(str(method), BLEU.SMOOTH_DEFAULTS)
        raise AssertionError(f"Unknown smooth_method {method!r}{known}")  # sacrebleu's kind of error


@lru_cache(maxsize=64, typed=True)
def _worker(method: str, value: float | None, order: int, effective: bool, **options: Any) -> bleu.BLEU:
    """Our metric for these options; kept, since scoring sentence by sentence asks for it again and again."""
    takes_value = BLEU.SMOOTH_DEFAULTS[method] is not None
    return bleu.BLEU(
        smooth=method,
        smooth_value=value if takes_value else None,
        order=order,
        eff="always" if effective else "never",
        **options,
    )


def _score(worker: bleu.BLEU, total: DenseStatistics) -> BLEUScore:
    """sacrebleu's score object; with add-k its matches and counts hold the k, if there are words and matches."""
    parts = worker.components(total)
    counts, totals = parts["matches"], parts["counts"]
    if worker.smooth == "add-k" and any(counts) and totals[0]:
        k = BLEU.SMOOTH_DEFAULTS["add-k"] if worker.smooth_value is None else worker.smooth_value
        counts, totals = ([row[0], *(number + k for number in row[1:])] for row in (counts, totals))
    return BLEUScore(
        float(worker._scores(total, "corpus")[0]),
        counts,
        totals,
        parts["precisions"],
        parts["brevity_penalty"],
        parts["hypothesis_length"],
        parts["reference_length"],
    )
