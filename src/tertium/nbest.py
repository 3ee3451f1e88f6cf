"""n-best lists and prefixes: many candidates for each sentence, scored, selected and reranked.

Everything works on rows of statistics, and so for every metric. A candidate's row is made once; selecting candidates
is adding rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium import registry
from tertium.errors import InputError
from tertium.families.base import Level, Metric
from tertium.families.for_texts import asked_for, warn_of
from tertium.io.escaping import UNDEFINED
from tertium.io.nbest import NBest
from tertium.io.tables import Column, Table, number_column
from tertium.measuring import Specs, analyses, chosen_for, joined
from tertium.progress import steps
from tertium.results import Result, metric_facts
from tertium.statistics import Statistics
from tertium.text.segments import References, Texts, as_lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

Weights = Mapping[str | Metric, float]
_BLOCK = 8 << 20  # characters of candidates and their references that are in memory at a time
MAX_ROUNDS = 100


@dataclass(frozen=True, eq=False)
class Selection:
    """One candidate for each sentence, and their corpus score."""

    metric: Metric
    index: Numbers  # numbers of candidates, in the order of the sentences
    value: float | None  # the corpus score; None: undefined
    rounds: int = 0  # passes over the sentences that were needed

    def texts(self, nbest: NBest) -> list[str]:
        """The chosen hypotheses, one per sentence."""
        return [nbest.hypotheses[i] for i in self.index.tolist()]


@dataclass(frozen=True, eq=False)
class NBestScores:
    """An n-best list with the rows and segment scores of its candidates by some metrics."""

    nbest: NBest
    metrics: tuple[Metric, ...]
    rows: tuple[Statistics, ...]
    scores: tuple[NDArray[np.float64], ...]  # NaN: undefined
    n_references: int | None

    def _place(self, spec: str | Metric | None) -> int:
        if spec is None:
            return 0
        wanted = asked_for(spec, self.metrics)
        if wanted not in self.metrics:
            known = ", ".join(map(str, self.metrics))
            raise InputError(f"the list was not scored by {wanted} (but by {known})")
        return self.metrics.index(wanted)

    def __getitem__(self, spec: str | Metric) -> NDArray[np.float64]:
        """The segment score of every candidate by one of the metrics."""
        return self.scores[self._place(spec)]

    def lines(self, digits: int = 2) -> Iterator[str]:
        """Tab-separated, a line per candidate: sentence (from 0), rank (from 1), model score, score of each metric."""
        yield "\t".join(["sentence", "rank", "model", *map(str, self.metrics)])
        rank = 0
        for i, segment in enumerate(self.nbest.segments):
            rank = rank + 1 if i and self.nbest.segments[i - 1] == segment else 1
            values = [float(column[i]) for column in self.scores]
            shown = [UNDEFINED if value != value else f"{value:.{digits}f}" for value in values]
            yield "\t".join([str(segment), str(rank), f"{self.nbest.model_scores[i]:.10g}", *shown])

    def chosen(self, index: Sequence[int] | Numbers, spec: str | Metric | None = None) -> Selection:
        """These candidates, one per sentence, with their corpus score by a metric (the first by default)."""
        place = self._place(spec)
        numbers = np.asarray(index, dtype=np.int64)
        segments = np.asarray(self.nbest.segments)[numbers]
        if not np.array_equal(segments, np.arange(self.nbest.n_sentences)):
            raise InputError("a selection needs one candidate for each sentence, in order")
        value = self.metrics[place].score_total(self.rows[place].take(numbers))
        return Selection(self.metrics[place], numbers, value)

    def first(self, spec: str | Metric | None = None) -> Selection:
        """The first candidate of each sentence: what the decoder itself chose."""
        return self.chosen(_starts(self.nbest), spec)

    def oracle(self, spec: str | Metric | None = None) -> Selection:
        """The best candidate of each sentence by its segment score; the first of equal ones."""
        place = self._place(spec)
        goodness = _goodness(self.metrics[place], self.scores[place])
        order = np.lexsort((-goodness, np.asarray(self.nbest.segments)))  # stable: ties keep the list's order
        return self.chosen(order[_starts(self.nbest)], spec)

    def corpus_oracle(self, spec: str | Metric | None = None, *, max_rounds: int = MAX_ROUNDS) -> Selection:
        """Candidates with a high corpus score, found greedily.

        Begins with `oracle`. Then each sentence in turn takes the candidate that gives the highest corpus score with
        the current choice for the others, until a whole round changes nothing. The corpus score never falls, so it is
        at least that of `oracle`; finding the highest of all is not feasible.
        """
        place = self._place(spec)
        metric, rows = self.metrics[place], self.rows[place]
        chosen = self.oracle(spec).index.copy()
        starts = [*_starts(self.nbest).tolist(), len(self.nbest)]
        total = rows.take(chosen).total()
        rounds, changed = 0, True
        while changed and rounds < max_rounds:
            changed = False
            rounds += 1
            for sentence, (begin, end) in enumerate(pairwise(starts)):
                if end - begin < 2:
                    continue
                others = total - rows.take([chosen[sentence]])
                possible = others.take([0] * (end - begin)) + rows.take(range(begin, end))
                goodness = _goodness(metric, metric.score_rows(possible, "corpus"))
                best = int(np.argmax(goodness))
                if goodness[best] > goodness[chosen[sentence] - begin]:
                    chosen[sentence] = begin + best
                    total = possible.take([best])
                    changed = True
        found = self.chosen(chosen, spec)
        return Selection(metric, found.index, found.value, rounds)

    def combined(self, weights: Weights | None = None, *, model_weight: float = 0.0) -> NDArray[np.float64]:
        """model_weight x the list's own score + the sum of weight x segment score, error metrics negated.

        Without `weights` the first metric has weight 1. Undefined segment scores count as the worst of the list.
        """
        if weights is None:
            weights = {self.metrics[0]: 1.0}
        sums = model_weight * np.asarray(self.nbest.model_scores, dtype=np.float64)
        for spec, weight in weights.items():
            place = self._place(spec)
            if weight == 0:
                continue
            scores = self.metrics[place].oriented(self.scores[place])
            worst = np.nanmin(scores) if np.isfinite(scores).any() else 0.0
            sums = sums + weight * np.where(np.isnan(scores), worst, scores)
        return sums

    def reranked(self, weights: Weights | None = None, *, model_weight: float = 0.0) -> Numbers:
        """The numbers of all candidates, those of each sentence in descending order of `combined`."""
        sums = self.combined(weights, model_weight=model_weight)
        return np.lexsort((-sums, np.asarray(self.nbest.segments))).astype(np.int64)

    def best(self, weights: Weights | None = None, *, model_weight: float = 0.0) -> Selection:
        """The first candidate of each sentence after `reranked`."""
        return self.chosen(self.reranked(weights, model_weight=model_weight)[_starts(self.nbest)])

    def selections(
        self, weights: Weights | None = None, *, model_weight: float = 0.0, digits: int = 2
    ) -> NBestSelections:
        """What the decoder chose, both oracles and the best after reranking, side by side."""
        chosen = {
            "first": self.first(),
            "oracle": self.oracle(),
            "corpus oracle": self.corpus_oracle(),
            "reranked": self.best(weights, model_weight=model_weight),
        }
        return NBestSelections(self, chosen, digits)


@dataclass(frozen=True, eq=False)
class NBestSelections(Result):
    """Selections from one list, with the corpus scores of each by every metric."""

    kind = "n-best selections"
    of: NBestScores
    chosen: Mapping[str, Selection]
    digits: int = 2

    def __getitem__(self, name: str) -> Selection:
        return self.chosen[name]

    def values(self, name: str) -> dict[Metric, float | None]:
        """The corpus scores of a selection."""
        return {metric: self.of.chosen(self[name].index, metric).value for metric in self.of.metrics}

    def contents(self) -> Mapping[str, Any]:
        return {
            "sentences": self.of.nbest.n_sentences,
            "candidates": len(self.of.nbest),
            "metrics": metric_facts(self.of.metrics, self.of.n_references),
            "selections": {
                name: {"scores": self.values(name), "rounds": own.rounds} for name, own in self.chosen.items()
            },
        }

    def table(self) -> Table:
        """A row for each selection."""
        facts = metric_facts(self.of.metrics, self.of.n_references)
        columns = [Column("selection")]
        columns += [
            number_column(
                f"{one['label']} {'↑' if one['higher_is_better'] else '↓'}", one["metric"], self.digits
            )
            for one in facts
        ]
        rows = tuple((name, *self.values(name).values()) for name in self.chosen)
        notes = [f"{one['label']}: {one['signature']}" for one in facts]
        rounds = self["corpus oracle"].rounds
        notes.append(f"oracles are by {facts[0]['label']}; corpus oracle: {rounds} rounds")
        title = f"{self.of.nbest.n_sentences} sentences, {len(self.of.nbest)} candidates"
        return Table(title, tuple(columns), rows, tuple(notes))


def score_nbest(
    nbest: NBest,
    references: Any,
    metrics: Specs = ("bleu",),
    *,
    sources: Texts | None = None,
    threads: int = 1,
) -> NBestScores:
    """Score every candidate against the references of its sentence, at segment level.

    >>> nbest = NBest((0, 0), ("the cat sat", "a cat sat on the mat"), (-1.0, -2.0))
    >>> scores = score_nbest(nbest, ["the cat sat on the mat"], ["chrf"])
    >>> scores["chrf"].round(1).tolist()
    [49.6, 81.3]
    >>> scores.oracle().texts(nbest)
    ['a cat sat on the mat']
    """
    checked = References.of(references)
    if len(checked) != nbest.n_sentences:
        raise InputError(
            f"the n-best list has {nbest.n_sentences} sentences, but there are {len(checked)} references"
        )
    chosen = chosen_for(metrics, checked)
    warn_of(chosen.notes)
    found = tuple(dict.fromkeys(chosen.metrics))
    texts = Candidates(checked, sources)
    of = analyses(found, checked.number)
    made = {
        analysis: texts.statistics(analysis, nbest.segments, nbest.hypotheses, threads)
        for analysis in dict.fromkeys(of.values())
    }
    rows = tuple(made[of[metric]] for metric in found)
    scores = tuple(metric.score_rows(own, "segment") for metric, own in zip(found, rows, strict=True))
    return NBestScores(nbest, found, rows, scores, checked.number)


def prefix_statistics(
    metric: str | Metric,
    hypothesis: str | Sequence[str],
    references: str | Sequence[str],
    *,
    source: str | None = None,
    threads: int = 1,
) -> Statistics:
    """A row for each prefix of a hypothesis: its first token, its first two, and so on to all of them.

    `hypothesis` is a string, cut at white space, or its tokens; `references` are all references of this one segment.
    """
    tokens = hypothesis.split() if isinstance(hypothesis, str) else list(hypothesis)
    if not tokens:
        raise InputError("the hypothesis has no tokens and therefore no prefixes")
    given = [references] if isinstance(references, str) else list(references)
    checked = References.of([[reference] for reference in given], 1)
    texts = Candidates(checked, None if source is None else [source])
    prefixes = (" ".join(tokens[: end + 1]) for end in range(len(tokens)))
    return texts.statistics(registry.metric(metric), [0] * len(tokens), prefixes, threads)


def prefix_scores(
    metric: str | Metric,
    hypothesis: str | Sequence[str],
    references: str | Sequence[str],
    *,
    level: Level = "segment",
    source: str | None = None,
    threads: int = 1,
) -> NDArray[np.float64]:
    """The score of each prefix of a hypothesis, in one call; NaN where it is undefined.

    >>> prefix_scores("ter", "the cat sat on a mat", "the cat sat on the mat").round(1).tolist()
    [83.3, 66.7, 50.0, 33.3, 33.3, 16.7]
    """
    found = registry.metric(metric)
    rows = prefix_statistics(found, hypothesis, references, source=source, threads=threads)
    return found.score_rows(rows, level)


class Candidates:
    """References and sources of sentences, against which any number of candidates of each are scored."""

    def __init__(self, references: References, sources: Texts | None = None) -> None:
        self._references = references
        self._streams = [[stream[i] for i in range(len(stream))] for stream in references.streams]
        lines = None if sources is None else as_lines(sources, "sources")
        if lines is not None and len(lines) != len(references):
            raise InputError(
                f"there are references for {len(references)} sentences, but {len(lines)} sources"
            )
        self._sources = None if lines is None else [lines[i] or "" for i in range(len(lines))]
        self._lengths = [
            sum(len(text) for text in texts if text is not None) for texts in zip(*self._streams, strict=True)
        ]

    def statistics(
        self, metric: Metric, segments: Sequence[int], hypotheses: Iterable[str], threads: int = 1
    ) -> Statistics:
        """A row for each candidate; candidate i belongs to sentence segments[i], and these are in ascending order."""
        counts = np.bincount(np.asarray(segments, dtype=np.int64), minlength=len(self._references))
        widest, n = int(counts.max()), len(self._references)
        # Where the lists are of about the same length, references are analysed once and the candidates of each rank
        # scored together. Metrics that need the whole reference set must be scored this way.
        if metric.needs_whole_set or (n >= widest and n * widest <= 2 * len(segments)):
            return self._by_rank(metric, counts, hypotheses, threads)
        return joined(list(steps(self._in_blocks(metric, segments, hypotheses, threads), "candidates", len)))

    def _by_rank(
        self, metric: Metric, counts: Numbers, hypotheses: Iterable[str], threads: int
    ) -> Statistics:
        prepared = metric.prepare(self._references, threads=threads)
        texts = list(hypotheses)
        starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
        parts, places = [], []
        for rank in steps(range(int(counts.max())), "ranks"):
            sentences = np.flatnonzero(counts > rank)
            column = [""] * len(counts)
            for sentence in sentences.tolist():
                column[sentence] = texts[starts[sentence] + rank]
            rows = metric.statistics(column, prepared, sources=self._sources, threads=threads)
            parts.append(rows if len(sentences) == len(counts) else rows.take(sentences))
            places.append(starts[sentences] + rank)
        back = np.argsort(np.concatenate(places), kind="stable")
        return joined(parts).take(back)

    def _in_blocks(
        self, metric: Metric, segments: Sequence[int], hypotheses: Iterable[str], threads: int
    ) -> Iterator[Statistics]:
        block: list[int] = []
        texts: list[str] = []
        size = 0
        for segment, text in zip(segments, hypotheses, strict=True):
            block.append(segment)
            texts.append(text)
            size += len(text) + self._lengths[segment]
            if size > _BLOCK:
                yield self._block(metric, block, texts, threads)
                block, texts, size = [], [], 0
        if block:
            yield self._block(metric, block, texts, threads)

    def _block(self, metric: Metric, segments: list[int], texts: list[str], threads: int) -> Statistics:
        streams = [[stream[i] for i in segments] for stream in self._streams]
        sources = None if self._sources is None else [self._sources[i] for i in segments]
        references = References.of(streams, len(segments))
        return metric.statistics(texts, references, sources=sources, threads=threads)


def _starts(nbest: NBest) -> Numbers:
    """The number of the first candidate of each sentence."""
    return np.searchsorted(np.asarray(nbest.segments), np.arange(nbest.n_sentences)).astype(np.int64)


def _goodness(metric: Metric, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores to choose by: the highest is the best, undefined is the worst."""
    good = metric.oriented(scores)
    return np.where(np.isnan(good), -np.inf, good)
