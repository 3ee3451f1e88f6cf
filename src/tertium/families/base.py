"""What a metric is: a frozen set of options, and three functions (prepare, statistics, score)."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, get_args

from tertium._native import Lines
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.families.learning import LearningInParts
from tertium.families.learning import Prepared as Prepared
from tertium.families.values import check_options, parsed, references_said, type_hints, written
from tertium.families.values import option as option
from tertium.io.caches import mended, told
from tertium.statistics import DenseStatistics, Statistics, WholeCounts
from tertium.text.segments import References, Texts, as_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Level = Literal["segment", "document", "corpus"]
LEVELS: tuple[Level, ...] = get_args(Level)
MAX_BETA = 1e6  # of F measures


def checked_level(level: str) -> Level:
    """`level`, if it is one."""
    for known in LEVELS:
        if level == known:
            return known
    raise SpecError(f"unknown level {level!r}{did_you_mean(level, LEVELS)}")


@dataclass(frozen=True)
class Metric(LearningInParts, ABC):
    """A metric with its options. Constructing stores options; scoring changes nothing.

    Subclasses set the class attributes, declare options as dataclass fields made by `option`, and implement
    `_prepare`, `_rows` and `_scores`. Where a score needs more than references (the source), set `needs_source`;
    where `prepare` needs all references together (weights over the whole set), `needs_whole_set`; where its texts are
    whole documents, `scope` (`measure` joins their segments; here a document is just a text); where an option has no
    default that could work (a file), `required`; where options with a `key` do not say everything that decides the
    number, `signature_items` and `from_signature_items`.
    """

    name: ClassVar[str]
    title: ClassVar[str]  # one line for `tertium metrics`
    formula: ClassVar[str]
    paper: ClassVar[str]
    quirks: ClassVar[str] = ""
    higher_is_better: ClassVar[bool] = True
    perfect: ClassVar[float | None] = 100.0  # the score of a hypothesis equal to its reference
    fewest_for_interval: ClassVar[int] = 20  # segments or documents, simulated (docs/significance.md)
    finer: ClassVar[int] = 0  # decimals its scores are shown with beyond those of a metric from 0 to 100
    undefined: ClassVar[str] = ""  # when there is no score, and why
    needs_source: ClassVar[bool] = False
    needs_whole_set: ClassVar[bool] = False
    needs_references: ClassVar[bool] = True  # False: compares with the source alone
    scope: ClassVar[Literal["segment", "document"]] = "segment"  # what a text is: measure joins segments
    separator: ClassVar[str] = "\n"  # between the segments of a document: it may show where sentences end
    required: ClassVar[tuple[str, ...]] = ()  # options without a usable default: a file of vectors
    extra: ClassVar[str] = ""  # the extra of ours that must be installed
    runs_programs: ClassVar[bool] = False  # never made from a line or a file that somebody else wrote
    word_options: ClassVar[tuple[str, ...]] = ()  # options that say how text is cut into words

    def __post_init__(self) -> None:
        """Refuses values that are not among the `choices` of an option, or not `between` its limits."""
        check_options(self)

    # What a metric implements.

    @abstractmethod
    def _prepare(self, references: References, threads: int) -> Any:
        """The analysed references, in whatever form `_rows` wants."""

    @abstractmethod
    def _rows(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> Statistics:
        """One row for each hypothesis."""

    @abstractmethod
    def _scores(self, statistics: Any, level: Level) -> Any:
        """One score for each row, as a buffer of doubles; NaN where the score is undefined."""

    # What a metric may say in its own way.

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        """Everything that decides the number, without the number of references and the version."""
        items = self.word_items()
        for field in dataclasses.fields(self):
            key, value = field.metadata.get("key", ""), getattr(self, field.name)
            if key and (value != field.default or not key.endswith("?")):
                items[key.removesuffix("?")] = written(value)
        return items

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        """The metric that a signature describes."""
        keys = {
            field.name: field.metadata.get("key", "").removesuffix("?") for field in dataclasses.fields(cls)
        }
        return cls.from_options(
            cls.words_from(items) | {name: items[key] for name, key in keys.items() if key in items}
        )

    def word_items(self) -> dict[str, str]:
        """The part of the signature that says how words are read: case and tokeniser."""
        return {}

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        """The inverse of `word_items`, as options."""
        return {}

    @property
    def label(self) -> str:
        """The name people print beside the score."""
        return self.name

    def analysis(self, n_references: int | None = None) -> Metric:
        """The metric that makes the rows where each segment has so many references (None: unknown, or it varies).
        Variants that only score differently share one, and so share rows."""
        return self

    def covers(self, other: Metric, n_references: int | None = None) -> bool:
        """Of two analyses: whether our rows hold all columns of the other's, which then need not be made."""
        return self == other

    def fitted(self, statistics: Any) -> Any:
        """Rows made by an analysis that covers ours, with our columns only."""
        return statistics

    def finds_words_in(self, language: str) -> bool:
        """Whether the metric needs no words, or can cut text in a language without spaces between them (`zh`)."""
        return True

    def for_language(self, language: str, tok: str) -> Metric:
        """The metric as it is published for such a language, whose tokeniser is `tok`; by default the same."""
        return self

    @property
    def preparation(self) -> Hashable:
        """Of an analysis: what decides the form of prepared references. Where it is equal, they are shared."""
        return self

    @property
    def rows_signature(self) -> str:
        """Everything that decides our rows: what `Statistics.to_bytes` signs them with."""
        from tertium import __version__

        self._check_required()
        made_by = self.analysis()
        items = made_by.signature_items() | {"tertium": __version__}
        return "|".join([made_by.name, *(f"{key}:{value}" for key, value in items.items())])

    def components(self, total: Any, level: Level = "corpus") -> dict[str, Any]:
        """The parts of a score, from one row: precisions, lengths, edits."""
        return {}

    def verbose(self, total: Any, level: Level = "corpus") -> str:
        """The parts of a score in a line."""
        return ""

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Metric:
        """The metric that `name:value` names, for families whose variants have names of their own."""
        raise SpecError(f"{cls.name} takes options as key=value, not {value!r}")

    # What everybody uses.

    def prepare(
        self,
        references: Any,
        *,
        threads: int = 1,
        n_segments: int | None = None,
        learnt: WholeCounts | None = None,
    ) -> Prepared:
        """Analyse references once, for any number of systems. Where they are part of a set, `learnt` is what its parts
        add up to (`learn`)."""
        self._check_required()
        checked = References.of(references, n_segments)
        number = checked.number if self.needs_references else 0
        if learnt is None or not self.needs_whole_set:
            return Prepared(self, self._prepare(checked, threads), checked, number)
        return Prepared(self, self._prepare_learnt(checked, learnt, threads), checked, number, learnt)

    def statistics(
        self, hypotheses: Texts, references: Any, *, sources: Texts | None = None, threads: int = 1
    ) -> Statistics:
        """One row of statistics a segment. `references` are texts, or what `prepare` made of them."""
        return self._mended(self._rows, hypotheses, references, sources, threads)

    def total(
        self, hypotheses: Texts, references: Any, *, sources: Texts | None = None, threads: int = 1
    ) -> Statistics:
        """The sum of the rows that `statistics` gives, for callers that need no rows.

        >>> import tertium as tt
        >>> m = tt.metric("macrof1")
        >>> texts = ["a b", "c"], ["a b", "d"]
        >>> m.score_total(m.total(*texts)) == m.score_total(m.statistics(*texts))
        True
        """
        return self._mended(self._total, hypotheses, references, sources, threads)

    def _mended(self, rows: Callable[..., Statistics], *given: Any) -> Statistics:
        """Begun again where a cached table turns out to be damaged: texts can be prepared again."""
        if isinstance(given[1], Prepared):
            with told():
                return rows(*self._checked(*given))
        return mended(lambda: rows(*self._checked(*given)))

    def _total(self, hypotheses: Lines, prepared: Any, sources: Lines | None, threads: int) -> Statistics:
        return self._rows(hypotheses, prepared, sources, threads).total()

    def _checked(
        self, hypotheses: Texts, references: Any, sources: Texts | None, threads: int
    ) -> tuple[Lines, Any, Lines | None, int]:
        lines = as_lines(hypotheses, "hypotheses")
        if not isinstance(references, Prepared):
            references = self.prepare(
                self._references(references, len(lines)), threads=threads, n_segments=len(lines)
            )
        if references.metric is not self and not references.fits(self):
            raise InputError(f"the references were prepared for {references.metric}, not for {self}")
        if len(lines) != len(references):
            raise InputError(f"there are {len(lines)} hypotheses, but {len(references)} references")
        source_lines = None if sources is None else as_lines(sources, "sources")
        if self.needs_source and source_lines is None:
            raise InputError(f"{self.name} needs the source texts")
        if source_lines is not None and len(source_lines) != len(lines):
            raise InputError(f"there are {len(lines)} hypotheses, but {len(source_lines)} sources")
        return lines, references.data, source_lines, threads

    def _references(self, given: Any, number: int) -> Any:
        """None will do where they are not looked at."""
        if given is None and self.needs_references:
            raise InputError(f"{self.name} needs references")
        return [""] * number if given is None else given

    def score(
        self,
        hypotheses: Texts,
        references: Any,
        *,
        sources: Texts | None = None,
        level: Level = "corpus",
        threads: int = 1,
    ) -> float | None:
        """The score of these hypotheses: of all of them together, at the level they are taken for.

        None where it is undefined. `references` are texts, or what `prepare` made of them.

        >>> import tertium as tt
        >>> round(tt.metric("chrf").score(["the cat sat on the mat"], ["the cat sat on a mat"]), 1)
        72.1
        """
        lines = as_lines(hypotheses, "hypotheses")
        if not isinstance(references, Prepared):
            references = References.given(self._references(references, len(lines)), len(lines))
        return self.score_total(self.total(lines, references, sources=sources, threads=threads), level)

    def score_rows(self, statistics: Statistics, level: Level = "corpus") -> NDArray[np.float64]:
        """The score of every row, as one vector; NaN where it is undefined."""
        import numpy as np

        return np.asarray(self._scores(statistics, checked_level(level)), dtype=np.float64)

    def score_weighted(
        self, statistics: Statistics, weights: Any, level: Level = "corpus", *, threads: int = 1
    ) -> NDArray[np.float64]:
        """The score of each weighted sum of rows (`Statistics.weighted`): of resamples, for example.

        >>> import tertium as tt
        >>> m = tt.metric("ter")
        >>> rows = m.statistics(["a b", "c"], ["a b", "d"])
        >>> m.score_weighted(rows, [[1, 1], [2, 0], [0, 2]]).round(1).tolist()
        [33.3, 0.0, 100.0]
        """
        return self.score_rows(statistics.weighted(weights, threads=threads), level)

    def weighted_scorer(self, statistics: Statistics) -> Callable[..., NDArray[np.float64]]:
        """`score_weighted` for one block of weights after the other, where it pays to prepare rows once."""
        return partial(self.score_weighted, statistics)

    def score_swapped(
        self, first: Any, second: Any, masks: Any, level: Level = "corpus", *, threads: int = 1
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The scores of two systems after each swap of rows (`Statistics.swapped`)."""
        if not isinstance(first, DenseStatistics):  # sums of others are too large to hold
            pairs = (first, second), (second, first)
            ours, theirs = (self.score_mixed(a, b, masks, level, threads=threads) for a, b in pairs)
            return ours, theirs
        ours, theirs = (self.score_rows(own, level) for own in first.swapped(second, masks, threads=threads))
        return ours, theirs

    def score_mixed(
        self, first: Any, second: Any, masks: Any, level: Level = "corpus", *, threads: int = 1
    ) -> NDArray[np.float64]:
        """Half of `score_swapped`: by each row of `masks`, rows whose bit is set from `second`, others from `first`."""
        return self.score_rows(first.swapped(second, masks, threads=threads)[0], level)

    def score_exchanged(self, statistics: Statistics, *exchanges: Any) -> NDArray[np.float64]:
        """Corpus scores while rows are exchanged (`Statistics.exchanged`): of all choices along a line, for example."""
        return self.score_rows(statistics.exchanged(*exchanges))

    def swap_weights(self, systems: Sequence[Any], couples: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
        """What each segment adds to the difference of two systems (segments x couples), for metrics whose scores after
        swaps are slow to compute.

        A number's sign changes when the segment's outputs change sides, whatever other segments do: a randomisation
        test of their sum is exact. They are whole, so that they add exactly; their unit does not matter.
        """
        raise NotImplementedError(f"{self.name} is tested by its scores")

    def score_total(self, statistics: Statistics, level: Level = "corpus") -> float | None:
        """The score of the sum of all rows; None where it is undefined. Needs no numpy."""
        total = statistics if len(statistics) == 1 else statistics.total()
        value = float(self._scores(total, checked_level(level))[0])
        return None if value != value else value

    def reward(
        self,
        hypotheses: Texts,
        references: Any = None,
        *,
        sources: Texts | None = None,
        undefined: float | None = None,
        threads: int = 1,
    ) -> NDArray[np.float64]:
        """Segment scores of a batch as a reward for training: higher is better, and never NaN. For metrics over
        documents a text is a document.

        Error metrics are negated. Where the score of a segment is undefined, the reward is `undefined`: by default 0,
        or -100 for error metrics, which is one error for every word. `references` may be what `prepare` made.

        >>> import tertium as tt
        >>> tt.metric("ter").reward(["a b c d", "a b x d"], ["a b c d", "a b c d"]).tolist()
        [0.0, -25.0]
        """
        import numpy as np

        rows = self.statistics(hypotheses, references, sources=sources, threads=threads)
        scores = self.oriented(self.score_rows(rows, "segment"))
        return np.where(np.isfinite(scores), scores, self.least_reward if undefined is None else undefined)

    @property
    def least_reward(self) -> float:
        """The reward where there is no score."""
        return 0.0 if self.higher_is_better else -100.0

    def oriented(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Scores with their sign chosen so that higher is better."""
        return scores if self.higher_is_better else 0.0 - scores  # -scores makes -0.0 of a perfect score

    def signature(
        self, n_references: int | None = 1, level: Level = "corpus", *, pseudo: Sequence[str] = ()
    ) -> str:
        """sacrebleu's grammar: key:value pairs joined by bars, ending in our version (`references_said`)."""
        from tertium import __version__

        self._check_required()
        items = references_said(n_references, pseudo) if self.needs_references else {"nrefs": "0"}
        items.update(self.signature_items(level))
        items["tertium"] = __version__
        return "|".join(f"{key}:{value}" for key, value in items.items())

    def __str__(self) -> str:
        """The spec string; `tertium.metric(str(m)) == m`."""
        pairs = [pair for _, pair in self._given()]
        return f"{self.name}:{','.join(pairs)}" if pairs else self.name

    def _given(self) -> Iterator[tuple[str, str]]:
        """The options that are not at their default: name, and `name=value` as a spec has it."""
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                yield field.name, f"{field.name}={written(value)}"

    @classmethod
    def from_options(cls, given: dict[str, Any]) -> Self:
        """A metric from option strings, as a spec has them. Unknown options and impossible values are refused."""
        hints, named = type_hints(cls), cls.named(given)
        return cls(**{name: parsed(cls.name, name, text, hints[name]) for name, text in named.items()})

    @classmethod
    def named(cls, given: dict[str, str]) -> dict[str, str]:
        """Options under their own names instead of aliases. Unknown and repeated ones are refused."""
        fields = {field.name: field for field in dataclasses.fields(cls)}
        names = {alias: name for name, f in fields.items() for alias in f.metadata.get("aliases", ())}
        values: dict[str, str] = {}
        for key, text in given.items():
            name = names.get(key, key)
            if name not in fields:
                raise SpecError(f"{cls.name} has no option {key!r}{did_you_mean(key, fields)}")
            if name in values:
                raise SpecError(f"{cls.name}: {name} is given twice (once as {key})")
            values[name] = text
        return values

    def _needed(self) -> tuple[str, ...]:
        return self.required  # of this one: other options may take the place of some

    def _check_required(self) -> None:
        for name in self._needed():
            if not getattr(self, name):
                field = next(f for f in dataclasses.fields(self) if f.name == name)
                raise SpecError(
                    f"{self.name} needs {name}, {field.metadata['help']}: write {self.name}:{name}=..."
                )

    def _check_beta(self, beta: float) -> None:
        """Beyond `MAX_BETA` an F measure is recall to the last digit, and further on arithmetic overflows."""
        if not 0 < beta <= MAX_BETA:
            raise SpecError(f"{self.name}: beta must be above 0 and at most {MAX_BETA:g}, not {beta}")
