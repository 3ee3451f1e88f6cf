"""The bias probe: fill one slot of a hypothesis with equally wrong alternatives, and see what a metric prefers.

Gowda, You, Lignos and May (2021, table 1): for the reference "You must be a doctor." BLEURT likes "He must be a
doctor." better than "She must be a doctor.", though both make the same error. Here that is done for many sentences
and any metric, with a test: would differences this large arise by chance if it had no preference?
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError, SpecError, TertiumWarning, many
from tertium.families.base import Metric
from tertium.families.for_texts import asked_for
from tertium.io.probes import Alternative, Template, read_alternatives, read_templates
from tertium.io.tables import Column, Table, Value, chance_column, number_column
from tertium.measuring import chosen_for
from tertium.results import Result, metric_labels
from tertium.scoring import score
from tertium.text.segments import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SEED = 12345
ALPHA = 0.05


@dataclass(frozen=True)
class WordPreference:
    """How a metric judges one alternative, or one group of them."""

    name: str
    group: str
    score: float  # the mean over sentences
    difference: float  # from the mean of all others; above 0 is preferred
    rank: int  # 1: preferred most
    preferred: float  # the share of sentences in which no other scores better; ties are shared out
    p: float | None  # of the difference; None with one sentence
    p_holm: float | None  # corrected for the number of alternatives


@dataclass(frozen=True)
class MetricProbe:
    """What one metric prefers."""

    metric: Metric
    label: str
    alternatives: tuple[WordPreference, ...]  # the preferred one first
    groups: tuple[WordPreference, ...]
    p: float | None  # that the alternatives differ at all
    sentences: int
    undefined: int  # sentences without a score for some alternative, left out

    @property
    def spread(self) -> float:
        """Between the scores of the first and the last."""
        values = [one.score for one in self.alternatives]
        return max(values) - min(values)


@dataclass(frozen=True)
class BiasProbe(Result):
    """What metrics prefer in one slot. Prints itself."""

    kind = "bias probe"
    sentences: int
    metrics: tuple[MetricProbe, ...]
    permutations: int
    seed: int
    signatures: tuple[str, ...]
    digits: int = 2

    def __getitem__(self, spec: str | Metric) -> MetricProbe:
        wanted = asked_for(spec, [one.metric for one in self.metrics])
        found = [one for one in self.metrics if one.metric == wanted]
        if not found:
            raise KeyError(spec)
        return found[0]

    def contents(self) -> Mapping[str, Any]:
        return {
            "sentences": self.sentences,
            "permutations": self.permutations,
            "seed": self.seed,
            "metrics": [
                vars(found) | {"signature": signature, "spread": found.spread}
                for found, signature in zip(self.metrics, self.signatures, strict=True)
            ],
        }

    def table(self) -> Table:
        """A row for each metric and alternative, and for each group."""
        grouped = any(one.group for found in self.metrics for one in found.alternatives)
        columns = [Column("metric"), Column("alternative"), *([Column("group")] if grouped else [])]
        columns += [
            number_column("score", digits=self.digits),
            number_column("difference", digits=self.digits),
            Column("rank", align="right"),
            number_column("preferred %", "preferred", 1),
            chance_column("p (Holm)", "p_holm"),
        ]
        rows: list[tuple[Value, ...]] = []
        for found in self.metrics:
            for one in (*found.alternatives, *found.groups):
                names = (one.name, one.group) if one in found.alternatives else (f"all {one.name}", one.name)
                values = one.score, one.difference, one.rank, 100 * one.preferred, one.p_holm
                rows.append((found.label, *(names if grouped else names[:1]), *values))
        title = many(self.sentences, "sentence")
        return Table(title, tuple(columns), tuple(rows), tuple(self._notes()))

    def _notes(self) -> list[str]:
        notes = []
        for found in self.metrics:
            first, last = found.alternatives[0], found.alternatives[-1]
            if all(one.difference == 0 for one in found.alternatives):
                said = "scores all of them the same"
            elif found.p is None:
                said = "one sentence shows a preference, but cannot be tested: give several"
            elif found.p < ALPHA:
                said = f"prefers {first.name} to {last.name} (by {found.spread:.{self.digits}f}); p = {found.p:.4f}"
            else:
                said = f"no preference beyond chance, p = {found.p:.4f}"
            notes.append(f"{found.label}: {said}")
            if found.undefined:
                notes.append(f"{found.label}: {found.undefined} sentences left out: {found.metric.undefined}")
        notes.append(
            f"difference: from the mean of the others, above 0 means preferred; p: {self.permutations} "
            f"permutations within sentences; p (Holm): the same, for each word against the others; seed {self.seed}"
        )
        pairs = zip(self.metrics, self.signatures, strict=True)
        return [*notes, *(f"{found.label}: {signature}" for found, signature in pairs)]


def probe_bias(
    templates: str | Sequence[Template],
    alternatives: str | Sequence[str | Alternative],
    metrics: str | Metric | Sequence[str | Metric] = ("bleu", "chrf"),
    *,
    permutations: int = 10_000,
    seed: int = SEED,
    threads: int = 1,
) -> BiasProbe:
    """What metrics prefer in the slot of these sentences.

    `templates` and `alternatives` are lists, files, or names of what comes with Tertium (pronouns, names, countries).

    >>> sentence = Template("{} must be a doctor.", ("You must be a doctor.",))
    >>> found = probe_bias([sentence], ["He", "Joe", "She"], "bleu")
    >>> [round(one.score, 1) for one in found["bleu"].alternatives]
    [76.0, 76.0, 76.0]
    >>> probe_bias("pronouns", "pronouns", "chrf")["chrf"].p > 0.05
    False
    """
    sentences = read_templates(templates) if isinstance(templates, str) else list(templates)
    given = read_alternatives(alternatives) if isinstance(alternatives, str) else list(alternatives)
    words = [one if isinstance(one, Alternative) else Alternative(one) for one in given]
    _check(sentences, words)
    if permutations < 1:
        raise InputError(f"there must be at least one permutation, not {permutations}")
    if not metrics:
        raise SpecError("there are no metrics to probe")
    references = References.per_segment([template.references for template in sentences])
    found_metrics = chosen_for(metrics, references)
    chosen = found_metrics.metrics
    sources = [template.source for template in sentences]
    for metric in chosen:
        if metric.needs_source and None in sources:
            raise InputError(f"{metric.name} needs the source: add a column source to the sentences")
    result = score(
        {word.word: [template.filled(word.word) for template in sentences] for word in words},
        references,
        found_metrics,
        sources=None if None in sources else sources,
        level="segment",
        threads=threads,
        force=True,
    )
    import numpy as np

    found, signatures = [], []
    for metric, label in zip(chosen, metric_labels(chosen), strict=True):
        own = [one for one in result if one.metric == metric][: len(words)]
        table = np.array([[np.nan if v is None else v for v in one.values] for one in own]).T
        found.append(_of_metric(metric, label, table, words, permutations, seed))
        signatures.append(own[0].signature)
    return BiasProbe(len(sentences), tuple(found), permutations, seed, tuple(signatures))


def _of_metric(
    metric: Metric,
    label: str,
    table: NDArray[np.float64],
    words: Sequence[Alternative],
    draws: int,
    seed: int,
) -> MetricProbe:
    """`table` has a row for each sentence and a column for each alternative."""
    import numpy as np

    from tertium.stats.blocks import block_permutation_p

    defined = np.isfinite(table).all(axis=1)
    kept = table[defined]
    if not len(kept):
        raise InputError(f"{label} has no score for any of the sentences: {metric.undefined}")
    names = list(dict.fromkeys(word.group for word in words if word.group))
    columns = [[i for i, word in enumerate(words) if word.group == name] for name in names]
    groups: tuple[WordPreference, ...] = ()
    if len(names) > 1:
        grouped = kept[:, [i for own in columns for i in own]]
        membership = np.repeat(np.eye(len(names)), [len(own) for own in columns], axis=1)
        membership /= membership.sum(axis=1, keepdims=True)
        groups = _preferences(metric, grouped, membership, [(name, "") for name in names], draws, seed)
    labels = [(word.word, word.group) for word in words]
    alternatives = _preferences(metric, kept, np.eye(len(words)), labels, draws, seed)
    p = block_permutation_p(kept, permutations=draws, seed=seed) if len(kept) > 1 else None
    return MetricProbe(metric, label, alternatives, groups, p, len(kept), int((~defined).sum()))


def _preferences(
    metric: Metric,
    scores: NDArray[np.float64],
    membership: NDArray[np.float64],
    names: Sequence[tuple[str, str]],
    draws: int,
    seed: int,
) -> tuple[WordPreference, ...]:
    """Words, or groups of words, against the others: `scores` has a column for each word, `membership` a row for each
    name: the weight of each word in its mean."""
    import numpy as np

    from tertium.stats.blocks import contrast_permutation_p
    from tertium.stats.multiple import holm

    table = scores @ membership.T
    oriented = metric.oriented(table)
    k = table.shape[1]
    others = (oriented.sum(axis=1, keepdims=True) - oriented) / (k - 1)
    differences = oriented - others
    # What rounding makes of equal scores is no preference.
    differences[np.abs(differences) <= 1e-12 * np.abs(oriented).max(initial=1.0)] = 0.0
    best = np.isclose(oriented, oriented.max(axis=1, keepdims=True), rtol=1e-12, atol=0.0)
    shares = (best / best.sum(axis=1, keepdims=True)).mean(axis=0)
    # Signs of differences from the mean of several others are not equally likely where scores are skewed; the words
    # of a sentence are exchangeable if the metric has no preference, and so they are what is shuffled.
    contrasts = membership - (membership.sum(axis=0) - membership) / (k - 1)
    p: list[float | None] = [None] * k
    if len(table) > 1:
        p = [*contrast_permutation_p(metric.oriented(scores), contrasts, permutations=draws, seed=seed)]
    corrected = holm(p)
    means = differences.mean(axis=0)
    rounded = np.round(means, 9)
    ranks = 1 + (rounded[None, :] > rounded[:, None]).sum(axis=1)
    made = [
        WordPreference(*names[j], score, difference, int(ranks[j]), share, p[j], corrected[j])
        for j, (score, difference, share) in enumerate(
            np.stack([table.mean(axis=0), means, shares], 1).tolist()
        )
    ]
    return tuple(sorted(made, key=lambda one: one.rank))


def _check(sentences: Sequence[Template], words: Sequence[Alternative]) -> None:
    if not sentences:
        raise InputError("there are no sentences to probe with")
    if len(words) < 2:
        raise InputError(f"a probe compares at least two alternatives, not {len(words)}")
    seen: set[str] = set()
    for word in words:
        if not word.word.strip() or "\n" in word.word:
            raise InputError(f"{word.word!r} cannot fill a slot")
        if word.word in seen:
            raise InputError(f"the alternative {word.word!r} is given twice")
        seen.add(word.word)
    for i, template in enumerate(sentences):
        for word in words:
            found = re.compile(rf"(?<!\w){re.escape(word.word)}(?!\w)", re.IGNORECASE)
            if any(map(found.search, template.references)) and not found.search(template.hypothesis):
                warnings.warn(
                    f"sentence {i + 1}: {word.word!r} is in the reference, so it is not an "
                    "error there: preferring it is not a bias",
                    TertiumWarning,
                    stacklevel=3,
                )
