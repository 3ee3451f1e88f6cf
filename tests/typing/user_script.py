"""A user's script: everything public, as type checkers see it. tests/test_typing.py checks it and runs it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, assert_type

import tertium as tt
import tertium.human

HYPOTHESES, REFERENCES = ["the cat sat on the mat"], ["the cat sat on a mat"]


@dataclass(frozen=True)
class Longer(tt.Metric):
    """A plug-in metric: how much longer a hypothesis is."""

    name: ClassVar[str] = "longer"
    title: ClassVar[str] = "characters of a hypothesis that its reference has not"
    formula: ClassVar[str] = "mean of |h| - |r|"
    paper: ClassVar[str] = ""

    scale: float = tt.option(1.0, "what a character counts")

    def _prepare(self, references: tt.References, threads: int) -> list[int]:
        return [len(text or "") for text in references.streams[0]]

    def _rows(self, hypotheses: Any, prepared: list[int], sources: Any, threads: int) -> tt.Statistics:
        differences = [len(h or "") - r for h, r in zip(hypotheses, prepared, strict=True)]
        return tt.weighted_scores([self.scale * difference for difference in differences])

    def _scores(self, statistics: tt.DenseStatistics, level: str) -> Any:
        return statistics["weighted"] / statistics["weight"]

    def signature_items(self, level: str = "corpus") -> dict[str, str]:
        return {"scale": str(self.scale)}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Longer:
        return cls(float(items["scale"]))


def score() -> None:
    scores = tt.score(HYPOTHESES, REFERENCES, metrics=["bleu", "chrf", Longer()])
    assert_type(scores, tt.Scores)
    assert_type(scores["bleu"].value, float | None)
    for one in scores:
        print(one.system, one.metric.label, one.value, one.signature)
    metric = tt.metric("bleu:tok=intl")
    assert_type(metric, tt.Metric)
    assert_type(metric.score(HYPOTHESES, REFERENCES), float | None)
    rows: tt.Statistics = metric.statistics(HYPOTHESES, tt.References.of(REFERENCES))
    assert isinstance(rows, tt.DenseStatistics)
    assert isinstance(tt.metric("macrof1").statistics(HYPOTHESES, REFERENCES), tt.TypeStatistics)
    print(metric.score_rows(rows, "segment").mean(), Longer(scale=2.0).score(HYPOTHESES, REFERENCES))


def compare() -> None:
    testset = tt.TestSet.sample()
    assert_type(testset, tt.TestSet)
    found = tt.compare(testset, ["chrf"], baseline="smooth", resamples=200)
    assert_type(found, tt.Comparison)
    print(*found.words(), sep="\n")
    assert found[0] is found["chrf"]
    for pair in found["chrf"]:
        print(pair.first, pair.second, pair.p)
    assert_type(found["chrf"]["strong", "smooth"].better, str | None)


def choose() -> None:
    listed = tt.metrics()
    print(listed[0].name, listed["chrf++"].options[0].help, len(listed))
    assert_type(listed["ter"].higher_is_better, bool | None)
    try:
        tt.metric("blue")
    except tt.SpecError as error:
        assert_type(error, tt.SpecError)
        refused: tt.TertiumError = error
        print(refused)
    errors: tuple[type[Exception], ...] = (tt.InputError, tt.TertiumWarning)
    print(tt.__version__, errors, tt.score_files.__doc__)


def detect() -> None:
    found = tt.detect(["Ein Haus."] * 2, ["A house.", "Yes yes yes yes yes yes."], pair="de-en")
    assert_type(found.reasons[1][0].sentence, str)
    print(*found.words(), sep="\n")


def rooms() -> None:
    task = tt.meta.Task("mine", metrics=("chrf",), human={"system": "DA.csv"})
    print(task.levels, tt.measure(tt.TestSet.sample(), ["chrf"]).systems)
    marked = tt.comparison.suspect_spans(tt.TestSet.sample(), "chrf", ["strong"])
    assert_type(marked["strong"][0], tuple[tuple[int, int], ...])
    harder = tt.readability.compare(HYPOTHESES, REFERENCES, target_language="en")
    assert_type(harder.difference, float | None)
    print(tertium.human.direct_assessment.__name__, tt.human.read_gold.__name__)


if __name__ == "__main__":
    score()
    compare()
    choose()
    detect()
    rooms()
