"""`tertium.measure`: rows made once, shared by all metrics that can score them, streamed or whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import tertium as tt
from tertium import _native
from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.io.door import Batch, Inputs
from tertium.measuring import analyses, measure
from tertium.scoring import scores_of
from tertium.text.segments import References

BLEUS = [
    "bleu",
    "bleu:smooth=floor",
    "bleu:smooth=add-k",
    "bleu:smooth=none",
    "bleu:smooth=add-k,smooth_value=2",
    "bleu:order=2",
    "bleu:order=3,smooth=floor",
    "bleu:eff=always",
]


class Counted:
    """How often references were prepared and rows or totals made, by metric."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: Counter[str] = Counter()
        for name in ("prepare", "statistics", "total"):
            monkeypatch.setattr(Metric, name, self._counting(name, getattr(Metric, name)))

    def _counting(self, name: str, original: Any) -> Any:
        def counting(metric: Metric, *args: Any, **kwargs: Any) -> Any:
            self.made[name] += 1
            return original(metric, *args, **kwargs)

        return counting


@pytest.mark.parametrize(
    ("specs", "prepared", "rows"),
    [
        (BLEUS, 1, 1),
        (["bleu", "macrof", "microf", "macrof:beta=2", "bleu:RAC1", "bleu:PGBC4"], 1, 3),
        (["chrf", "chrf:beta=3", "chrf++", "chrf:eps=yes", "chrf:char_order=4"], 1, 1),
        (["chrf:like=popovic", "chrf:like=popovic,average=macro", "chrf"], 2, 2),
        (["bleu", "bleu:tok=none", "bleu:lowercase=yes", "ter"], 4, 4),
        (["gtm", "gtm:part=P", "gtm:part=R", "gtm:2", "gleu", "ribes", "bleu"], 1, 5),
        (["gtm:like=original", "gtm:tok=none", "bleu:tok=none"], 2, 3),
        (["rouge:1", "rouge:1,part=P", "rouge:1,part=R", "rouge:L", "rouge:tok=13a"], 2, 3),
        (["mtevalbleu:lowercase=no", "bleu", "sentbleu", "multibleu", "bleu:tok=none"], 3, 5),
    ],
)
def test_rows_are_made_once(
    monkeypatch: pytest.MonkeyPatch, specs: list[str], prepared: int, rows: int
) -> None:
    sample = tt.TestSet.sample()
    one = tt.TestSet.of(sample.references.first, sample.systems)
    alone = {spec: measure(one, spec) for spec in specs}
    counted = Counted(monkeypatch)
    together = measure(one, specs)
    assert counted.made == {"prepare": prepared, "statistics": rows * 3}
    counted.made.clear()
    tt.score(one.systems, one.references, specs)
    assert counted.made == {"prepare": prepared, "total": rows * 3}
    for spec in specs:
        for name in together.systems:
            mine, whole = alone[spec].segment_scores(name, spec), together.segment_scores(name, spec)
            assert mine.tolist() == whole.tolist()
            assert alone[spec].corpus_score(name, spec) == together.corpus_score(name, spec)
            metric = tt.metric(spec)
            totals = (found.totals()[name, metric] for found in (alone[spec], together))
            one_total, other_total = map(metric.components, totals)
            assert one_total == other_total


def test_several_references_are_chosen_by_the_score_of_chrf() -> None:
    """The best F decides which reference is counted, so that variants share nothing."""
    metrics = [tt.metric(spec) for spec in ("chrf", "chrf:beta=3", "chrf++")]
    assert len(set(analyses(metrics, None).values())) == 3
    assert len(set(analyses(metrics, 1).values())) == 1
    sample = tt.TestSet.sample()
    found = measure(sample, metrics)
    for metric in metrics:
        alone = metric.statistics(sample.systems["smooth"], sample.references)
        assert found.segment_scores("smooth", metric).tolist() == metric.score_rows(alone, "segment").tolist()


def test_rows_keep_the_columns_of_their_metric() -> None:
    found = measure(tt.TestSet.sample(), ["bleu:order=2", "bleu"])
    rows: Any = found["smooth", "bleu:order=2"]
    assert rows.columns == tt.metric("bleu:order=2").columns  # type: ignore[attr-defined]
    assert found.rows["smooth", found.metrics[0]] is found.rows["smooth", found.metrics[1]]
    assert found.sharing() == [found.metrics]


def test_measured_is_indexed_by_number_and_by_name() -> None:
    sample = tt.TestSet.sample()
    found = measure(sample, ["bleu", "chrf"])
    assert found[0] is found["literal", "bleu"]
    assert found[-1] is found["strong", "chrf"]
    with pytest.raises(KeyError, match="ambiguous"):
        found["bleu"]
    assert len(measure(sample, "bleu", systems=["smooth"])["bleu"]) == 69


def inputs(size: int) -> Inputs:
    sample = tt.TestSet.sample()

    def batches() -> Iterator[Batch]:
        for begin in range(0, len(sample), size):
            end = min(begin + size, len(sample))
            yield Batch(
                [lines.slice(begin, end) for lines in sample.systems.values()],
                References(tuple(lines.slice(begin, end) for lines in sample.references.streams)),
                sample.sources.slice(begin, end) if sample.sources is not None else None,
                list((sample.documents or ())[begin:end]),
            )

    return Inputs(list(sample.systems), 2, True, batches())


@pytest.mark.parametrize("level", ["segment", "document", "corpus"])
def test_streamed_or_whole_the_rows_are_the_same(level: Any) -> None:
    specs = [*BLEUS, "chrf", "ter", "macrof", "microf"]
    whole = measure(tt.TestSet.sample(), specs, level)
    for size in (1, 7, 69):
        streamed = measure(inputs(size), specs, level, threads=2)
        assert (streamed.systems, streamed.metrics, len(streamed)) == (whole.systems, whole.metrics, 69)
        assert (streamed.documents, streamed.n_references) == (whole.documents, whole.n_references)
        for one, other in zip(scores_of(streamed), scores_of(whole), strict=True):
            assert (one.system, one.values, one.ids) == (other.system, other.values, other.ids)
        assert [score.value for score in scores_of(streamed, level="corpus")] == [
            score.value for score in scores_of(whole, level="corpus")
        ]
        with pytest.raises(InputError, match="texts were not kept"):
            streamed.lengths("reference")


def test_references_prepared_by_one_metric_serve_another() -> None:
    references = References.of(["the cat sat on a mat"])
    prepared = tt.metric("bleu").prepare(references)
    shared = tt.metric("macrof:beta=2").statistics(["the cat sat on the mat"], prepared)
    own = tt.metric("macrof:beta=2").statistics(["the cat sat on the mat"], references)
    assert shared.types == own.types  # type: ignore[attr-defined]


def test_threads_mean_the_same_everywhere() -> None:
    """0 is all cores; any number gives the same bits; nonsense is refused."""
    sample = tt.TestSet.sample()
    metrics = ["bleu", "chrf", "macrof1", "ter"]
    one = tt.score(sample.systems, sample.references, metrics).data()
    for threads in (0, 3, 500):
        assert tt.score(sample.systems, sample.references, metrics, threads=threads).data() == one
    assert _native.thread_count(0) >= 1
    for threads in (-1, 4097, 10**12):
        with pytest.raises(tt.SpecError, match=r"threads must be from 0 \(all cores\) to 4096, not -?\d+"):
            tt.score(sample.systems, sample.references, metrics, threads=threads)
