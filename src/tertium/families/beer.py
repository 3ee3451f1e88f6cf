"""BEER: characters, words and pairs of words, weighed by a linear model that was trained on people's judgements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.errors import InputError, SpecError
from tertium.families.base import Level, Metric, option
from tertium.families.words import NO_SEGMENTS, WordMetric, words_from
from tertium.io.metricfiles import MetricModel, bundled_model, read_model
from tertium.text.segments import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SHARES = ("min", "max", "f1", "geometric")
_RUNS = (
    *(f"characters.{n}" for n in range(6)),
    *(f"words.{n}" for n in range(1, 5)),
    *(f"pairs.{gap}" for gap in (1, 2, 3, 4, "any")),
)
FEATURES = (
    *(f"{run}.{share}" for run in _RUNS for share in _SHARES),
    "imbalance.words",
    "imbalance.characters",
)


@dataclass(frozen=True)
class BEER(WordMetric):
    """BEER with our own model, or with one from a file.

    >>> import tertium as tt
    >>> m = tt.metric("beer")
    >>> round(m.score(["the cat sat on the mat"], ["the cat sat on the mat"]), 2)
    100.0
    """

    name: ClassVar[str] = "beer"
    label: ClassVar[str] = "BEER"
    title: ClassVar[str] = "BEER: shared characters, words and pairs of words, weighed by a trained model"
    formula: ClassVar[str] = (
        "BEER = b + sum w_k f_k within [0, 1]. Features: of characters (runs of 0 to 5), words (runs of 1 to 4) and\n"
        "pairs of words (up to 1, 2, 3, 4 or any number of words between them) the smaller and the larger of\n"
        "precision and recall, their F1 and geometric mean; and how far lengths differ, max / min - 1, in words and\n"
        "in characters. "
        "The corpus score is the mean of segment scores."
    )
    paper: ClassVar[str] = (
        "Stanojević and Sima'an 2015, https://aclanthology.org/W15-3050 (features as BEER 2.0 computes them)"
    )
    quirks: ClassVar[str] = (
        "Features are those of BEER 2.0 (docs/metrics/beer.md); the weights are ours, trained on WMT15 and WMT16.\n"
        "Runs of characters leave out the last one of the text, runs of words count its beginning and its end\n"
        "once more, as the program does. With several references a segment takes the best."
    )
    undefined: ClassVar[str] = NO_SEGMENTS

    model: str = option(
        "", "a file with other weights (default: the model that comes with Tertium)", file=True
    )

    def trained(self) -> MetricModel:
        """The weights."""
        if not self.model:
            return bundled_model("beer")
        model = read_model(self.model)
        if model.features != FEATURES:
            raise InputError(f"{self.model}: is trained on other features than those of BEER")
        return model

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        model = self.trained()
        return _native.beer_rows(lines, references, tokenizer, model.weights, model.intercept, threads)

    def features(self, hypotheses: Lines, references: References, *, threads: int = 1) -> NDArray[np.float64]:
        """The 62 numbers that the model weighs, for each hypothesis and each of its references."""
        import numpy as np

        prepared, tokenizer = self._prepare(references, threads), self._tokenizer()[0]
        found = _native.beer_features(self._texts(hypotheses), prepared, tokenizer, threads)
        return np.asarray(found).reshape(-1, len(FEATURES))

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return super().signature_items(level) | {"model": self.trained().hash}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        found = cls(**words_from(items))
        if items.get("model") != found.trained().hash:
            raise SpecError(
                f"beer: the model {items.get('model')} is not the one that comes with this version"
            )
        return found
