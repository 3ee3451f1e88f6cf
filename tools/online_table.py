"""Writes the tables of docs/estimate-online.md: estimators that learn from the training part of MLQE-PE as a stream.

    python -m tools.online_table [--shared ../shared] [--only curve change random] [--page docs/estimate-online.md]

A base is trained on the first 1,000 segments of a pair, in the order of documents (each document's segments together);
the other 6,000 are its stream. What learning is was chosen on Estonian, which is not shown.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tertium.estimation.estimator import Estimator, targets_of, trained
from tertium.estimation.words import Numbers
from tertium.io.translations import Translations
from tertium.online.learner import CorrectionLearner, LearningScales
from tools.estimate_table import lines, material
from tools.pages import put, table_parser

_HERE = Path(__file__).resolve().parent.parent
BASE = 1_000
STREAMS = (("en-de", "hter"), ("ro-en", "hter"), ("en-de", "da"), ("ro-en", "da"))
PARTS = ((1, 500), (501, 1_000), (1_001, 2_000), (2_001, 4_000), (4_001, 6_000))
SETTLED = 100  # corrections over which errors are averaged to see whether they are small again
DRAWS = 5


class Stream(NamedTuple):
    """What a base says of the corrections that follow."""

    scales: LearningScales
    target: str
    rows: Numbers
    base: Numbers
    values: Numbers

    def learner(self) -> CorrectionLearner:
        return CorrectionLearner(self.scales, self.target)

    def errors(
        self, learner: CorrectionLearner, places: Sequence[int], values: Numbers | None = None
    ) -> Numbers:
        """Absolute errors of the base and of the learner, each before the correction is learnt."""
        truth = self.values if values is None else values
        said = np.array([learner.learn(self.rows[i], self.base[i], truth[i]) for i in places])
        return np.abs(np.column_stack([self.base[list(places)], said]) - truth[list(places), None])


def by_document(shared: Path, pair: str, target: str) -> Translations:
    """The training part, each document's segments together, in the order in which documents begin."""
    folder = shared / "data" / "mlqe-pe" / pair
    documents = lines(folder / "direct-assessments" / "train.doc_ids.xz")[1:]
    if target == "da":
        found = material(shared, pair, "train")
    else:
        texts = (lines(folder / "post-editing" / f"train.{kind}.xz") for kind in ("src", "mt", "pe"))
        source, output, edited = texts
        found = Translations(f"{pair} train", source, output, post_edits=edited)
    first: dict[str, int] = {}
    for name in documents:
        first.setdefault(name, len(first))
    order = sorted(range(len(documents)), key=lambda i: (first[documents[i]], i))
    return taken(replace(found, documents=documents), order)


def taken(texts: Translations, places: Sequence[int]) -> Translations:
    """Some translations, in this order."""
    own = {key: value for key, value in vars(texts).items() if isinstance(value, list | tuple)}
    return replace(texts, **{key: [value[i] for i in places] for key, value in own.items()})


@cache
def base_of(shared: Path, pair: str, target: str) -> tuple[Estimator, Translations]:
    texts = by_document(shared, pair, target)
    estimator = trained(taken(texts, range(BASE)), target=target, pair=pair)
    return estimator, taken(texts, range(BASE, len(texts)))


def streamed(estimator: Estimator, texts: Translations) -> Stream:
    rows = estimator.rows(texts, force=True)
    scales = estimator.parts["online"]
    assert isinstance(scales, LearningScales)
    return Stream(scales, estimator.target, rows, estimator.of(rows), targets_of(texts, estimator.target))


@cache
def stream(shared: Path, pair: str, target: str) -> Stream:
    return streamed(*base_of(shared, pair, target))


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _both(errors: Numbers) -> str:
    base, own = errors.mean(axis=0)
    return f"{base:.3f} / {own:.3f}"


def curve_table(shared: Path) -> str:
    """Errors along the stream."""
    names = [f"{pair} {target.upper()}" for pair, target in STREAMS]
    rows = [_row("corrections", *names), _row("---", *["---:"] * len(names))]
    found = []
    for pair, target in STREAMS:
        own = stream(shared, pair, target)
        learner = own.learner()
        begin = time.process_time()
        found.append(own.errors(learner, range(len(own.values))))
        spent = (time.process_time() - begin) / len(own.values)
        print(pair, target, f"{1000 * spent:.2f} ms a correction, alarms: {learner.noticed}", flush=True)
    for low, high in PARTS:
        rows.append(_row(f"{low:,} to {high:,}", *(_both(own[low - 1 : high]) for own in found)))
    return "\n".join([*rows, _row("all", *map(_both, found))])


def change_table(shared: Path) -> str:
    """After 1,500 corrections the stream becomes another one, as the base sees it."""
    rows = [
        _row("change", "before", "after, without learning", "after, learning", "corrections to recover"),
        _row("---", *["---:"] * 4),
    ]
    for name, before, after in changes(shared):
        learner = before.learner()
        usual = before.errors(learner, range(1_500))[-500:]
        joined = after.errors(learner, range(1_500))
        settled = joined[-500:, 1].mean()
        means = np.convolve(joined[:, 1], np.ones(SETTLED) / SETTLED, "valid")
        within = np.flatnonzero(means <= 1.05 * settled)
        rows.append(
            _row(
                name, _both(usual), f"{joined[:, 0].mean():.3f}", f"{joined[:, 1].mean():.3f}", int(within[0])
            )
        )
        print(rows[-1], learner.noticed, flush=True)
    return "\n".join(rows)


def changes(shared: Path) -> list[tuple[str, Stream, Stream]]:
    """What the stream was, and what it becomes."""
    found = []
    for pair, other in (("ro-en", "en-de"), ("en-de", "ro-en")):
        estimator, _ = base_of(shared, pair, "hter")
        own = stream(shared, pair, "hter")
        found.append(
            (f"{pair} to {other} (HTER)", own, streamed(estimator, base_of(shared, other, "hter")[1]))
        )
    for pair in ("ro-en", "en-de"):
        own = stream(shared, pair, "hter")
        strict = own._replace(values=np.clip(own.values + 0.3, 0.0, 1.0))
        found.append((f"{pair}: somebody who edits 0.3 more (made)", own, _later(strict, 1_500)))
    return found


def _later(own: Stream, begin: int) -> Stream:
    return own._replace(rows=own.rows[begin:], base=own.base[begin:], values=own.values[begin:])


def random_table(shared: Path) -> str:
    """After 1,500 good corrections, those of other segments: when that is noticed, and what harm it does."""
    rows = [
        _row(
            "stream",
            "r in training",
            "expected",
            "noticed after",
            "MAE before",
            "after 1,000 random",
            "false alarms",
        ),
        _row("---", *["---:"] * 6),
    ]
    for pair, target in STREAMS:
        own = stream(shared, pair, target)
        after, before, harmed = [], [], []
        for draw in range(DRAWS):
            learner = own.learner()
            own.errors(learner, range(1_500))
            apart = slice(3_000, 4_000)
            before.append(
                np.abs(learner.estimates(own.rows[apart], own.base[apart]) - own.values[apart]).mean()
            )
            values = np.random.default_rng(draw).permutation(own.values)
            own.errors(learner, range(1_500, 2_500), values)
            after.append(learner.noticed - 1_500 if learner.noticed else None)
            harmed.append(
                np.abs(learner.estimates(own.rows[apart], own.base[apart]) - own.values[apart]).mean()
            )
        alarms = 0
        for draw in range(DRAWS):  # the good stream in other orders
            learner = own.learner()
            order = np.random.default_rng(100 + draw).permutation(len(own.values))[:3_000]
            own.errors(learner, order.tolist())
            alarms += learner.noticed > 0
        known = sorted(one for one in after if one is not None)
        told = ", ".join(map(str, known)) + (f" (not: {DRAWS - len(known)})" if len(known) < DRAWS else "")
        rows.append(
            _row(
                f"{pair} {target.upper()}",
                f"{own.scales.correlation:.2f}",
                own.learner().notice_after,
                told,
                f"{np.mean(before):.3f}",
                f"{np.mean(harmed):.3f}",
                f"{alarms} of {DRAWS}",
            )
        )
        print(rows[-1], flush=True)
    return "\n".join(rows)


TABLES = {"curve": curve_table, "change": change_table, "random": random_table}


def main() -> None:
    parser = table_parser(__doc__, TABLES)
    given = parser.parse_args()
    tables = {name: TABLES[name](given.shared) for name in given.only}
    put(tables, given.page)


if __name__ == "__main__":
    main()
