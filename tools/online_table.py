"""Writes the tables of docs/estimate-online.md: estimators that learn from the training part of MLQE-PE as a stream.

    python -m tools.online_table [--shared ../shared] [--only curve change random alarms] [--page FILE]

A base is trained on the first 1,000 segments of a pair, in the order of documents (each document's segments together);
the other 6,000 are its stream. What learning is was chosen on Estonian, which only the last two tables show.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tertium.estimation.estimator import Estimator, edit_rates, targets_of, trained
from tertium.estimation.view import Learnt
from tertium.estimation.words import Numbers
from tertium.io.translations import Translations
from tertium.online.learner import CorrectionLearner, LearningScales
from tertium.online.strayed import related_edits
from tools.estimate_table import lines, material
from tools.pages import put, table_parser

_HERE = Path(__file__).resolve().parent.parent
BASE = 1_000
CHOSEN_ON = ("et-en", "da")
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
    related: Sequence[float | None]  # of post-edits to their sources
    learnt: Learnt
    texts: Translations | None = None

    def learner(self) -> CorrectionLearner:
        return CorrectionLearner(self.scales, self.target)

    def errors(
        self, learner: CorrectionLearner, places: Sequence[int], values: Numbers | None = None
    ) -> Numbers:
        """Absolute errors of the base and of the learner, each before the correction is learnt."""
        truth = self.values if values is None else values
        said = np.array(
            [learner.learn(self.rows[i], self.base[i], truth[i], related=self.related[i]) for i in places]
        )
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
    values = targets_of(texts, estimator.target)
    related = related_edits(estimator.learnt, texts)
    return Stream(
        scales, estimator.target, rows, estimator.of(rows), values, related, estimator.learnt, texts
    )


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


def _later(own: Stream, begin: int, end: int | None = None) -> Stream:
    part = slice(begin, end)
    texts = None if own.texts is None else taken(own.texts, range(len(own.texts))[part])
    numbers = {name: getattr(own, name)[part] for name in ("rows", "base", "values", "related")}
    return own._replace(**numbers, texts=texts)


class Poison(NamedTuple):
    """Corrections without sense: what they say, and how far post-edits among them have to do with their sources."""

    values: Numbers
    related: Sequence[float | None]


def _of_others(own: Stream, chance: np.random.Generator) -> Poison:
    """Numbers that belong to other segments."""
    return Poison(chance.permutation(own.values), [None] * len(own.values))


def _drawn(own: Stream, chance: np.random.Generator) -> Poison:
    """Numbers between the least and the greatest of the training, all alike."""
    low, high = own.scales.value[2:]
    return Poison(chance.uniform(low, high, len(own.values)), [None] * len(own.values))


def _edits_of_others(own: Stream, chance: np.random.Generator) -> Poison:
    """Post-edits that belong to other segments, as texts."""
    assert own.texts is not None
    edits = list(own.texts.post_edits or ())
    other = [edits[i] for i in chance.permutation(len(edits)).tolist()]
    rates = np.minimum(edit_rates(own.texts.translations, other), 1.0)
    return Poison(rates, related_edits(own.learnt, replace(own.texts, post_edits=other)))


RANDOM = {
    "numbers of other segments": _of_others,
    "numbers drawn evenly": _drawn,
    "post-edits of other segments": _edits_of_others,
}


def random_table(shared: Path) -> str:
    """After 1,500 good corrections, such as make no sense: when that is noticed, and what harm it does."""
    head = ("stream", "r in training", "corrections", "noticed after", "MAE before", "1,000 later")
    rows = [_row(*head), _row("---", "---:", "---", "---:", "---:", "---:")]
    for pair, target in (*STREAMS, CHOSEN_ON):
        own = stream(shared, pair, target)
        for name, poison in RANDOM.items():
            if poison is _edits_of_others and target == "da":
                continue
            after, before, harmed = [], [], []
            for draw in range(DRAWS):
                learner = own.learner()
                own.errors(learner, range(1_500))
                before.append(_apart(own, learner))
                bad = poison(_later(own, 1_500, 2_500), np.random.default_rng(draw))
                later = _later(own, 1_500, 2_500)._replace(values=bad.values, related=bad.related)
                first = None
                for place in range(1_000):
                    later.errors(learner, [place])
                    first = place + 1 if first is None and learner.waits else first
                after.append(first)
                harmed.append(_apart(own, learner))
            known = sorted(one for one in after if one is not None)
            missed = f" (not: {DRAWS - len(known)})" if len(known) < DRAWS else ""
            cells = (f"{own.scales.correlation:.2f}", name, ", ".join(map(str, known)) + missed)
            errors = (f"{np.mean(own_errors):.3f}" for own_errors in (before, harmed))
            rows.append(_row(f"{pair} {target.upper()}", *cells, *errors))
            print(rows[-1], flush=True)
    return "\n".join(rows)


def _apart(own: Stream, learner: CorrectionLearner) -> float:
    """The mean absolute error on segments that it never saw."""
    apart = slice(3_000, 4_000)
    said = learner.estimates(own.rows[apart], own.base[apart])
    return float(np.abs(said - own.values[apart]).mean())


def alarms_table(shared: Path) -> str:
    """False alarms: good corrections in other orders, and in runs of 200 as they came."""
    rows = [_row("stream", "corrections", "false alarms"), _row("---", "---:", "---:")]
    for pair, target in (*STREAMS, CHOSEN_ON):
        own = stream(shared, pair, target)
        alarms = 0
        for draw in range(DRAWS):
            chance = np.random.default_rng(100 + draw)
            size = 200 if draw % 2 else 1
            runs = chance.permutation(len(own.values) // size)
            order = (runs[:, None] * size + np.arange(size)).ravel().tolist()
            learner = own.learner()
            for place in order:
                learner.learn(own.rows[place], own.base[place], own.values[place], related=own.related[place])
                if learner.waits:
                    alarms += 1
                    learner.calm()
        rows.append(_row(f"{pair} {target.upper()}", f"{DRAWS * len(own.values):,}", alarms))
        print(rows[-1], flush=True)
    return "\n".join(rows)


TABLES = {"curve": curve_table, "change": change_table, "random": random_table, "alarms": alarms_table}


def main() -> None:
    parser = table_parser(__doc__, TABLES)
    given = parser.parse_args()
    tables = {name: TABLES[name](given.shared) for name in given.only}
    put(tables, given.page)


if __name__ == "__main__":
    main()
