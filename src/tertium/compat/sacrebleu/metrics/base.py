"""What sacrebleu's metrics share: scores that print themselves, signatures, checks of arguments."""

from __future__ import annotations

import json
import logging
import statistics
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from tertium._native import Lines
from tertium.compat.sacrebleu.version import __version__
from tertium.errors import InputError
from tertium.families import base as core
from tertium.statistics import DenseStatistics
from tertium.text.segments import References, as_lines

Streams = Sequence[Sequence[str | None]]

logger = logging.getLogger("sacrebleu")

MANY_TOKENISED = 100
TOKENISED_WARNING = (
    "That's 100 lines that end in a tokenized period ('.')",
    "It looks like you forgot to detokenize your test data, which may hurt your score.",
    "If you insist your data is detokenized, or don't care, "
    "you can suppress this message with the `force` parameter.",
)


def confidence(scores: Sequence[float]) -> tuple[float, float]:
    """The mean, and half of the distance between the scores a fortieth from either end."""
    ordered = sorted(scores)
    tail = len(ordered) // 40
    return statistics.mean(ordered), 0.5 * (ordered[-1 - tail] - ordered[tail])


class Score:
    """A score with its name; `_mean` and `_ci` are set where a bootstrap was asked for."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(
        self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False
    ) -> str:
        """The score in a line, alone, or as JSON.

        >>> Score("chrF2", 48.3359).format(width=1, signature="nrefs:1|case:mixed")
        'chrF2|nrefs:1|case:mixed = 48.3'
        """
        number = f"{self.score:.{width}f}"
        fields: dict[str, Any] = {"name": self.name, "score": float(number), "signature": signature}
        if self._mean > 0:
            mean, half = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            interval = f"μ = {mean} ± {half}"
            number = f"{number} ({interval})"
            fields |= {"confidence_mean": float(mean), "confidence_var": float(half), "confidence": interval}
        if score_only:
            return number
        if is_json:
            if self._verbose:
                fields["verbose_score"] = self._verbose
            pairs = (item.partition(":") for item in signature.split("|") if item)
            return json.dumps(fields | {key: value for key, _, value in pairs}, indent=1, ensure_ascii=False)
        label = f"{self.name}|{signature}" if signature else self.name
        return " ".join(filter(None, (label, "=", number, self._verbose)))

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Take mean and interval from the scores of resamples."""
        self._mean, self._ci = confidence([score.score for score in scores])

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """Everything that decides the number, as key:value pairs; made from a metric's attributes."""

    def __init__(self, args: dict[str, Any]) -> None:
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        number = args["num_refs"]
        self._abbr = {
            "version": "v",
            "nrefs": "#",
            "test": "t",
            "lang": "l",
            "subset": "S",
            "origlang": "o",
            "seed": "rs",
        }
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": "var" if number == -1 else number,
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """Pairs joined by bars, the version last; `short` abbreviates the keys."""
        known = {key: value for key, value in self.info.items() if value is not None}
        known["version"] = known.pop("version")
        return "|".join(
            f"{self._abbr.get(key, key) if short else key}:{_yes_no(value)}" for key, value in known.items()
        )

    def update(self, key: str, value: Any) -> None:
        """Add a pair, or change one."""
        self.info[key] = value

    def __repr__(self) -> str:
        return self.format()


def _yes_no(value: Any) -> Any:
    return ("no", "yes")[value] if isinstance(value, bool) else value


S = TypeVar("S", bound=Score)


class Metric(ABC, Generic[S]):
    """A metric of ours behind sacrebleu's methods.

    Attributes may be changed between calls, as in sacrebleu: the metric that does the work is made from them
    anew for each call.
    """

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = Signature

    def __init__(self) -> None:
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self.num_refs: int
        self._force = True
        self._ref_cache: tuple[References, core.Prepared] | None = None

    @abstractmethod
    def _worker(self) -> core.Metric:
        """The metric of ours that the attributes describe."""

    @abstractmethod
    def _score(self, rows: DenseStatistics) -> S:
        """The score object of the sum of all rows."""

    def _before(self, lines: Lines) -> Lines:
        """What happens to texts before our metric sees them."""
        return lines

    def corpus_score(self, hypotheses: Sequence[str], references: Streams | None, n_bootstrap: int = 1) -> S:
        """The score of a corpus; references None are those given to the constructor.

        `n_bootstrap` above 1 adds mean and 95% confidence interval over that many resamples.
        """
        wrong = references is not None and _wrong_streams(references)  # as sacrebleu: references first
        if message := wrong or _wrong_hypotheses(hypotheses):
            raise TypeError(f"{type(self).__name__}: {message}")
        rows = self._statistics(hypotheses, references)
        score = self._score(rows)
        if n_bootstrap > 1:
            from tertium.comparison.single_precision import resample_scores
            from tertium.compat.sacrebleu.significance import environment_seed, stream

            self.n_bootstrap = n_bootstrap
            self.seed, seed = environment_seed()
            worker = self._worker()
            [scores] = resample_scores([worker], [rows], stream(seed), n_bootstrap)[worker]
            score._mean, score._ci = confidence(scores.tolist())
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> S:
        """The score of one segment against its references."""
        if message := _wrong_segment(hypothesis, references):
            raise TypeError(f"{type(self).__name__}: {message}")
        return self._score(self._statistics([hypothesis], [[reference] for reference in references]))

    def get_signature(self) -> Signature:
        """The signature; the number of references is known once something was scored."""
        return self._SIGNATURE_TYPE(vars(self))

    def _cache_references(self, references: Streams | None) -> None:
        if references is None:
            return
        if message := _wrong_streams(references):
            raise TypeError(f"{type(self).__name__}: {message}")
        checked = References.of(tuple(references)).map(self._before)
        self._ref_cache = checked, self._prepare(checked)

    def _prepare(self, references: References) -> core.Prepared:
        prepared = self._worker().prepare(references)
        self.num_refs = -1 if prepared.n_references is None else prepared.n_references
        return prepared

    def _prepared(self, references: Streams | None, n_segments: int) -> core.Prepared:
        if references is not None:
            return self._prepare(References.of(tuple(references), n_segments).map(self._before))
        if self._ref_cache is None:
            raise RuntimeError("No references provided and the cache is empty.")
        kept, prepared = self._ref_cache
        if prepared.metric != self._worker():  # an attribute was changed since
            prepared = self._prepare(kept)
            self._ref_cache = kept, prepared
        return prepared

    def _statistics(self, hypotheses: Sequence[str], references: Streams | None) -> DenseStatistics:
        lines = as_lines(hypotheses, "hypotheses")
        if not len(lines):
            raise InputError("there is nothing to score: no segments")
        prepared = self._prepared(references, len(lines))
        if not self._force and lines.count_ending(" .") >= MANY_TOKENISED:
            for line in TOKENISED_WARNING:
                logger.warning(line)
        rows = prepared.metric.statistics(self._before(lines), prepared)
        assert isinstance(rows, DenseStatistics)
        return rows


def _wrong_hypotheses(hypotheses: Any) -> str:
    if isinstance(hypotheses, str) or not isinstance(hypotheses, Sequence):
        return "`hyps` should be a sequence of strings."
    if hypotheses and not isinstance(hypotheses[0], str):
        return "Each element of `hyps` should be a string."
    return "Undefined line in hypotheses stream!" if any(line is None for line in hypotheses) else ""


def _wrong_streams(references: Any) -> str:
    if isinstance(references, str) or not isinstance(references, Sequence):
        return "`refs` should be a sequence of sequence of strings."
    if any(isinstance(stream, str) or not isinstance(stream, Sequence) for stream in references):
        return "Each element of `refs` should be a sequence of strings."
    if any(len(stream) and not isinstance(stream[0], str | None) for stream in references):
        return "`refs` should be a sequence of sequence of strings."
    return ""


def _wrong_segment(hypothesis: Any, references: Any) -> str:
    if not isinstance(hypothesis, str):
        return "The argument `hyp` should be a string."
    if isinstance(references, str) or not isinstance(references, Sequence):
        return "The argument `refs` should be a sequence of strings."
    if any(not isinstance(reference, str | None) for reference in references):
        return "Each element of `refs` should be a string."
    return ""
