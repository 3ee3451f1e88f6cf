"""An estimator as a metric, without references: `estimate:qe.model`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tertium._native import Lines
from tertium.errors import InputError, SpecError
from tertium.families.base import Level, Metric, option
from tertium.families.values import written
from tertium.families.words import NO_SEGMENTS
from tertium.io.translations import Translations
from tertium.statistics import DenseStatistics, Statistics, weighted_scores
from tertium.text.segments import References

if TYPE_CHECKING:
    from tertium.estimation.estimator import Estimator

_SURE = 9  # decimals that do not depend on how many rows are multiplied at once


@lru_cache(maxsize=8)
def _loaded(path: str, changed: int, size: int) -> tuple[Estimator, str]:
    from tertium.estimation.estimator import Estimator

    return Estimator.read(path), sha256(Path(path).read_bytes()).hexdigest()[:8]


@dataclass(frozen=True)
class Estimated(Metric):
    """What an estimator of `tertium estimate train` says of translations, by their sources alone.

    >>> import tertium as tt
    >>> tt.metric("estimate:no-such.model").score(["a"], None, sources=["a"])
    Traceback (most recent call last):
    tertium.errors.InputError: no-such.model: no such file
    """

    name: ClassVar[str] = "estimate"
    title: ClassVar[str] = "quality estimated without references: estimate:qe.model"
    formula: ClassVar[str] = (
        "(r(x) + t(x)) / 2 of features x of source and hypothesis; r is a ridge regression, t boosted trees, both\n"
        "from the file. The corpus score is the mean of segment scores. Of an estimator of edits the score is minus\n"
        "their share."
    )
    paper: ClassVar[str] = (
        "Specia, Turchi, Cancedda, Cristianini and Dymetman 2009, https://aclanthology.org/2009.eamt-1.5, for the task"
    )
    quirks: ClassVar[str] = (
        "The scale is that of what it was trained on. One that was trained with log-probabilities of tokens, a memory\n"
        "or context is refused here: tertium estimate score takes them. The languages are not checked."
    )
    finer: ClassVar[int] = 2  # as the judgements are: often standardised
    perfect: ClassVar[float | None] = None
    undefined: ClassVar[str] = NO_SEGMENTS
    needs_source: ClassVar[bool] = True
    needs_references: ClassVar[bool] = False
    required: ClassVar[tuple[str, ...]] = ("estimator",)

    estimator: str = option("", "the file of the estimator", file=True)

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Metric:
        if options:
            raise SpecError(f"estimate:{value} takes no options: they are in the file")
        return cls(value)

    def __str__(self) -> str:
        return super().__str__() if not self.estimator else f'estimate:estimator="{self.estimator}"'

    @property
    def label(self) -> str:
        return f"estimate[{Path(self.estimator).name.removesuffix('.model')}]"

    def _model(self) -> tuple[Estimator, str]:
        try:
            found = Path(self.estimator).stat()
        except OSError:
            raise InputError(f"{self.estimator}: no such file") from None
        return _loaded(self.estimator, found.st_mtime_ns, found.st_size)

    def _prepare(self, references: References, threads: int) -> Any:
        return None

    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> Statistics:
        import numpy as np

        assert sources is not None  # `needs_source`
        estimator, _ = self._model()
        for needed, what in (
            (estimator.needs_scores, "log-probabilities of tokens"),
            (estimator.needs_memory, "a memory"),
            (estimator.needs_documents, "context"),
        ):
            if needed:
                raise InputError(
                    f"{self.estimator} was trained with {what}, which a metric does not see: use tertium estimate score"
                )
        texts = Translations(
            self.label, [text or "" for text in sources], [text or "" for text in hypotheses]
        )
        found = np.round(estimator.estimates(texts, threads=threads), _SURE)
        return weighted_scores(found if estimator.higher else -found)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        import numpy as np

        with np.errstate(invalid="ignore", divide="ignore"):
            return statistics["weighted"] / statistics["weight"]

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return {"estimator": written(self.estimator), "hash": self._model()[1]}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        found = cls(items["estimator"])
        if found._model()[1] != items.get("hash"):
            raise SpecError(
                f"{items['estimator']}: is not the estimator {items.get('hash')} of this signature"
            )
        return found
