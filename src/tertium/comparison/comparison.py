"""A whole comparison: which system is better, whether that is significant, on which segments and words, and why."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tertium.comparison.analyses import ANALYSES, ComparisonAnalysis
from tertium.comparison.answer import FULL, Brevity, about_runs, fitted, outcome, where
from tertium.comparison.buckets import Buckets, bare_buckets, score_buckets
from tertium.comparison.components import Components, compare_components
from tertium.comparison.doctor import Diagnosis, examine_testset
from tertium.comparison.errorclasses import error_classes
from tertium.comparison.favouritism import Favouritism
from tertium.comparison.gate import Gate
from tertium.comparison.groupings import Grouping, divided, training_counts
from tertium.comparison.labels import Labels
from tertium.comparison.means import Means, segment_means
from tertium.comparison.ngrams import MatchedNGrams, NGrams, compare_ngrams
from tertium.comparison.pair_results import PairTests, tests_by
from tertium.comparison.preferences import Preferences, preference_rates
from tertium.comparison.ranking import ranking_table
from tertium.comparison.rates import ClassRates
from tertium.comparison.robustness import Robustness
from tertium.comparison.runs import RunNames, by_system, median_runs, rows_of_runs
from tertium.comparison.significance import ResamplingPlan, pair_tests_by_metric
from tertium.comparison.strongest import StrongestSegments, strongest_segments
from tertium.comparison.tags import Tags
from tertium.comparison.typebuckets import TypeBuckets, type_buckets
from tertium.comparison.types import TypeCurve, TypeDifferences, counting_metric, type_curve, type_differences
from tertium.comparison.unseen import unseen_words
from tertium.comparison.winners import better
from tertium.errors import InputError, many
from tertium.families.for_texts import ChosenMetrics, tokenizer_of_lengths, warn_of
from tertium.io.tables import Table, room, sentences
from tertium.measured import Measured
from tertium.measuring import Specs, chosen_for, measure
from tertium.progress import parts, steps
from tertium.results import Result, metric_facts, metric_labels, plain, sentence
from tertium.stats.resampling import SEED

if TYPE_CHECKING:
    from tertium.families.base import Metric
    from tertium.testset import TestSet

STRONGEST = 10  # segments of each favouritism table
NGRAMS = 20  # n-grams of each ranking, and types of each system
LONG = 30_000  # segments: of more, longer n-grams than pairs of words would not fit into memory


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Systems compared by several metrics. Prints itself; `.data()` is everything as plain JSON types.

    What is looked at more closely (favouritism, types, n-grams) is computed when somebody asks for it.
    """

    kind = "comparison"
    measured: Measured  # one run a system: the one in the middle where there are several
    segmentwise: Measured  # without metrics of documents, unless all are
    runs: Mapping[str, tuple[str, ...]]  # the runs of each system
    shown: Mapping[str, str]  # the run of each that is looked at closely
    baseline: str | None
    seed: int
    tests: tuple[PairTests, ...]  # one a metric
    divisions: tuple[tuple[Grouping, bool], ...]  # and whether differences are tested in their buckets
    frequencies: TypeBuckets | None  # None: no training corpus is given
    unseen: ClassRates | None  # None: the source side of a training corpus is not given
    components: Components
    means: Means  # plain and length-weighted means of segment scores
    preferences: tuple[Preferences, ...]  # one a pair
    doctor: Diagnosis
    tags: Tags
    plan: ResamplingPlan
    language: str | None = None  # of the outputs
    tok: str = "13a"
    k: int = STRONGEST
    gate: Gate | None = None  # what conditions say of it
    robustness: Robustness | None = None  # what noise in the source does (`measure_robustness`)
    details: tuple[str, ...] = ()  # the analyses that are printed below the answer

    def __getitem__(self, key: int | str) -> PairTests:
        """The tests by one metric: by its number, or by its name, as `compare` was given it."""
        return tests_by(self.tests, key)

    @property
    def groupings(self) -> tuple[Grouping, ...]:
        return tuple(grouping for grouping, _ in self.divisions)

    @cached_property
    def buckets(self) -> tuple[Buckets, ...]:
        """One a grouping: scores with intervals, and p-values where differences are tested."""
        return tuple(
            score_buckets(
                self.segmentwise,
                grouping,
                tok=self.tok,
                pairs=self.pairs if tested else [],
                test=self.plan if tested else None,
            )
            for grouping, tested in steps(self.divisions, lambda one: f"by {one[0].by}")
        )

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs that are looked at closely: each system with the baseline, or with the best."""
        return list(dict.fromkeys(found.systems for found in self.preferences))

    @cached_property
    def strongest(self) -> tuple[StrongestSegments, ...]:
        """For each pair the segments with the strongest favouritism by each metric."""
        return tuple(
            strongest_segments(self.segmentwise, systems=pair, k=self.k or 1, tags=self.tags)
            for pair in self.pairs
        )

    @property
    def favouritism(self) -> tuple[Favouritism, ...]:
        """One a pair and metric."""
        return tuple(found for own in self.strongest for found in own.favouritisms)

    @cached_property
    def counting(self) -> str | Metric:
        """The metric whose types are looked at: the first that counts types, else MacroF1."""
        return counting_metric(self.measured, self.tok)

    @cached_property
    def curve(self) -> TypeCurve:
        return type_curve(self.measured, self.counting, self.measured.systems)

    @cached_property
    def type_differences(self) -> tuple[TypeDifferences, ...]:
        """For each pair the types that one gets and the other misses."""
        return tuple(type_differences(self.measured, self.counting, pair) for pair in self.pairs)

    @cached_property
    def _ngrams(self) -> tuple[Mapping[str, NGrams], tuple[MatchedNGrams, ...]]:
        order = 4 if len(self.measured) <= LONG else 2
        return compare_ngrams(self.measured, self.pairs, order=order, k=NGRAMS, tok=self.tok)

    @property
    def ngrams(self) -> Mapping[str, NGrams]:
        """What each system says too often and too rarely."""
        return self._ngrams[0]

    @property
    def matched_ngrams(self) -> tuple[MatchedNGrams, ...]:
        """For each pair the n-grams that one matches more often."""
        return self._ngrams[1]

    @cached_property
    def error_classes(self) -> ClassRates:
        """Inflection, order, missing, extra and wrong words, each system against the baseline or the best."""
        plan = replace(self.plan, baseline=self.baseline or self.pairs[0][0])
        return error_classes(self.measured, plan, language=self.language, tok=self.tok)

    def words(self) -> Iterator[str]:
        """The answer in a few sentences; what a reader must know of the tokenisers comes first."""
        yield from self.measured.notes
        yield from self._answer(FULL)

    def answer(self, width: int) -> list[str]:
        """The same with fewer names and details where it would need more than five lines."""
        return [*self.measured.notes, *fitted(self._answer, width)]

    @cached_property
    def _lead(self) -> tuple[dict[str, str], list[str]]:
        buckets = [bare_buckets(self.segmentwise, one, self.tok) for one in self.groupings]
        return where(self.tests[0], self.baseline, self.preferences, buckets, self.components)

    def _answer(self, brief: Brevity) -> Iterator[str]:
        yield from outcome(self.tests, self.baseline, brief=brief)
        lead, why = self._lead
        if clauses := why[: brief.clauses]:
            yield sentence("compare.lead", **lead, clauses="; ".join(clauses))
        if serious := [found for found in self.doctor.findings if found.severity != "look"]:
            yield sentence("compare.check-input", findings=many(len(serious), "serious finding"))
        yield from about_runs(self.runs, self.shown) if brief.details else ()

    def tables(self) -> Iterator[Table]:
        """The systems from the best down, then the tables of the analyses in `details`."""
        yield ranking_table(self.tests, self.baseline)
        for analysis in self._analyses():
            yield from analysis.tables(self)

    def _analyses(self) -> list[ComparisonAnalysis]:
        return [ANALYSES[name] for name in dict.fromkeys((*self.details, *(["gate"] if self.gate else [])))]

    def with_details(self, *names: str) -> Comparison:
        """The same, printed with these analyses, or with all.

        >>> from tertium import TestSet
        >>> found = compare(TestSet.sample(), ["chrf"], resamples=200).with_details("means")
        >>> [table.title for table in found.tables()]
        ['', 'Means of segment scores']
        """
        return replace(self, details=names or tuple(ANALYSES))

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """The answer in sentences, the systems from the best down, then the details asked for."""
        verdict = [] if self.gate is None else self.gate.words()
        how: dict[str, Any] = {"terminal": terminal, "width": width}
        answer = self._answer(FULL) if terminal is False else fitted(self._answer, width or room())
        found = [sentences([*self.measured.notes, *verdict, *answer], **how), next(self.tables()).text(**how)]
        for analysis in map(ANALYSES.__getitem__, self.details):
            found += [table.text(**how) for table in analysis.tables(self)]
            found += [text for text in analysis.texts(self) if text]
        return "\n\n".join(found)

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric and pair of systems."""
        return [
            {"metric": str(found.metric), "label": found.label, **record}
            for found in self.tests
            for record in found.records()
        ]

    def contents(self) -> Mapping[str, Any]:
        references = self.measured.testset.references
        analyses = ((name, ANALYSES[name].data) for name in ANALYSES)
        more = {name: data(self) for name, data in analyses if data is not None}
        return {
            **({"analyses": more} if more else {}),
            "name": self.measured.testset.name,
            "notes": self.measured.notes,
            "segments": len(self.measured),
            "systems": self.measured.systems,
            "aliases": self.measured.testset.aliases,
            "runs": {system: names for system, names in self.runs.items() if len(names) > 1},
            "shown": {system: run for system, run in self.shown.items() if run != system},
            "metrics": metric_facts(self.measured.metrics, references.number, references.pseudo),
            "baseline": self.baseline,
            "seed": self.seed,
            "findings": self.doctor.findings,
            "significance": {found.metric: found for found in self.tests},
            "buckets": self.buckets,
            "frequencies": self.frequencies,
            "unseen": self.unseen,
            "error_classes": self.error_classes if "error-classes" in self.details else None,
            "robustness": self.robustness,
            "means": self.means,
            "preferences": self.preferences,
            "components": self.components,
            "favouritism": self.strongest if self.k else (),
            "types": self.curve,
            "type_differences": self.type_differences,
            "ngrams": self.ngrams,
            "matched_ngrams": self.matched_ngrams,
            "words": tuple(self.words()),
            "gate": self.gate,
        }

    def texts(self) -> dict[str, Any]:
        """What `data()` leaves out because it is large: texts, scores and buckets of every segment, in plain types."""
        return plain(self.columns())  # type: ignore[no-any-return]

    def columns(self) -> dict[str, Any]:
        """The same as it lies in memory: scores and buckets as arrays, texts as sequences."""
        measured, testset, own = self.measured, self.measured.testset, self.segmentwise
        return {
            "documents": testset.documents,
            "sources": testset.sources,
            "references": testset.references.streams,
            "hypotheses": {name: testset.systems[name] for name in measured.systems},
            "scores": {
                name: {str(metric): own.segment_scores(name, metric) for metric in own.metrics}
                for name in measured.systems
            },
            "metadata": testset.metadata,
            "buckets": [grouping.groups for grouping in self.groupings],
        }


def compare(
    testset: TestSet,
    metrics: Specs = ("bleu", "chrf"),
    *,
    baseline: str | None = None,
    method: str | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    like: str | None = None,
    by: Sequence[str] | None = None,
    metadata: Sequence[str] = (),
    labels: Labels | str | os.PathLike[str] | None = None,
    tags: Tags | str | os.PathLike[str] | None = None,
    training: Any = None,
    training_source: Any = None,
    language: str | None = None,
    runs: RunNames | None = None,
    strongest: int = STRONGEST,
    tok: str | None = None,
    **how: Any,
) -> Comparison:
    """Compare the systems of a test set: significance, buckets, preferences, favouritism, types, components.

    `by` names what segments are divided by ("source", "reference", "hypothesis", "document", "difference", columns of
    metadata; by default length, documents and the columns in `metadata`), `labels` preferences of people, `tags` what
    people say of outputs, `training` a corpus (a file or texts) in which words are frequent or rare, `training_source`
    its source side, `language` that of the outputs, which decides tokenisers (`zh`) and by whose stems inflections are
    told, `runs` systems with several outputs each, `tok` the tokeniser that counts lengths (13a, or that of the
    language); further settings (`threads`, `engine`) are those of `measure`.

    >>> from tertium import TestSet
    >>> found = compare(TestSet.sample(), ["chrf"], baseline="smooth", resamples=200)
    >>> next(found.words())
    'strong has the best score (chrF2).'
    >>> found["chrf"]["smooth", "strong"].better
    'strong'
    """
    if len(testset) < 2:
        raise InputError("there is only one segment: with nothing to resample, no difference can be tested")
    if strongest < 0:
        raise InputError(f"the number of segments to show must be 0 or more, not {strongest}")
    if training_source is not None and training is None:
        raise InputError(
            "words unseen in training need both sides of the corpus: give the target side, too, with --training"
        )
    chosen = chosen_for(metrics, testset.references, testset.origin, language)
    warn_of(chosen.notes)
    tok = tok or tokenizer_of_lengths(testset.references.first, language, testset.origin)
    aliases = testset.aliases
    baseline = None if baseline is None else aliases.get(baseline, baseline)
    groups = {system: [aliases.get(run, run) for run in own] for system, own in (runs or {}).items()}
    with parts(5) as part:
        part("checking the input")
        doctor = examine_testset(testset, identify=False)  # which would take longer than the rest
        part("measuring")
        whole = _measured(testset, chosen, **how)
        systems = by_system(whole, groups)
        if whole.testset is not testset and (labels, tags) != (None, None):
            raise InputError("labels and tags are about segments: compare by a metric of segments, too")
        if like is not None and any(metric.scope == "document" for metric in whole.metrics):
            raise InputError(f"like={like} draws segments, but a metric of documents is among these")
        documents = None if like is not None else whole.testset.documents
        plan = ResamplingPlan(
            baseline, method, resamples, None, seed, documents, like, threads=how.get("threads", 1)
        )
        shared = [(alike, rows_of_runs(whole, alike[0], systems)) for alike in whole.sharing()]
        part("testing differences")
        tests = pair_tests_by_metric(shared, plan)
        shown = median_runs(whole, systems)
        measured = whole.renamed(shown)
        segmentwise = measured if whole.testset is not testset else measured.segmentwise()
        pairs = _pairs(measured, baseline)
        part("dividing segments")
        divisions = divided(segmentwise, pairs, by, metadata, tok)
        part("counting")
        return Comparison(
            measured=measured,
            segmentwise=segmentwise,
            runs=systems,
            shown=shown,
            baseline=baseline,
            seed=seed,
            tests=tuple(
                replace(tests[metric], label=label)
                for metric, label in zip(whole.metrics, metric_labels(whole.metrics), strict=True)
            ),
            divisions=tuple(divisions),
            frequencies=None if training is None else type_buckets(measured, training_counts(training, tok)),
            unseen=None
            if training_source is None
            else unseen_words(
                measured, replace(plan, baseline=baseline or pairs[0][0]), training_source, training, tok=tok
            ),
            components=compare_components(measured),
            means=segment_means(segmentwise, tok=tok),
            preferences=tuple(
                preference_rates(segmentwise, pair, labels=_between(labels, measured.testset, pair), tok=tok)
                for pair in pairs
            ),
            doctor=doctor,
            tags=_tags(tags, measured.testset),
            k=strongest,
            plan=plan,
            language=language,
            tok=tok,
        )


def _measured(testset: TestSet, chosen: ChosenMetrics, **how: Any) -> Measured:
    """Rows of segments. Where all metrics score documents, a document is a segment."""
    if testset.documents is None or any(metric.scope == "segment" for metric in chosen.metrics):
        return measure(testset, chosen, **how)
    found = measure(testset, chosen, "document", **how)
    n = len(found.documents)
    return replace(
        found, level="segment", n_segments=n, documents=(), begins=None, texts=testset.of_documents()
    )


def _between(given: Any, testset: TestSet, pair: tuple[str, str]) -> Labels | None:
    """The labels of a pair, if there are any."""
    if given is None:
        return None
    labels = given if isinstance(given, Labels) else Labels.read(given, testset)
    return labels if len(labels.between(*pair)) else None


def _tags(given: Any, testset: TestSet) -> Tags:
    return given or Tags() if given is None or isinstance(given, Tags) else Tags.read(given, testset)


def _pairs(measured: Measured, baseline: str | None) -> list[tuple[str, str]]:
    """Each system with the baseline; without one with the best by the first metric; two are the only pair."""
    if len(measured.systems) == 2:
        return list(combinations(measured.systems, 2))
    first = measured.metrics[0]
    centre = baseline
    if centre is None:
        for name in measured.systems:
            found = measured.corpus_score(name, first)
            if centre is None or better(first, found, measured.corpus_score(centre, first)) > 0:
                centre = name
    return [(centre, name) for name in measured.systems if name != centre] if centre is not None else []
