"""AutoDA: what aligned words of parsed texts have in common, and chrF3, weighed by a regression on judgements."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.errors import InputError, SpecError
from tertium.families.base import Level, Metric, option
from tertium.families.bleu import BLEU
from tertium.families.chrf import ChrF
from tertium.families.parsed import ParsedMetric, Row
from tertium.families.words import MEAN_COLUMNS, NO_SEGMENTS
from tertium.io.metricfiles import MetricModel, bundled_model, read_model
from tertium.io.tecto import GRAMMATEMES
from tertium.statistics import DenseStatistics, StatisticColumn
from tertium.text.alignment import Aligner, Links
from tertium.text.parses import DeepNode, Parsed
from tertium.text.segments import References

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CONTENT = frozenset(("NOUN", "PROPN", "ADJ", "VERB", "ADV"))
SURFACE = ("forms", "lemmas", "content_forms", "content_lemmas", "formemes", "tense", "number")
ATTRIBUTES = ("t_lemma", "formeme", "functor", "sempos", "form", "lemma", "tag", *GRAMMATEMES)
DEEP = (*ATTRIBUTES, "parent")


def ratio(equal: int, total: int) -> float:
    """How much is equal; where there is nothing to compare, 1.

    >>> ratio(2, 3), ratio(0, 0)
    (0.5, 1.0)
    """
    return equal / (total + 1) if total else 1.0


def formeme(parsed: Parsed, place: int) -> str:
    """How a word is built into its sentence: prepositions and case of a noun, form of a verb; "" for other words.

    >>> parsed = Parsed("on mats", ("on", "mats"), ("on", "mat"), ("ADP", "NOUN"), heads=(1, -1))
    >>> formeme(parsed, 1)
    'n:on+X'
    """
    tag, features = parsed.tags[place], parsed.features[place]
    if tag in ("NOUN", "PROPN"):
        parts = [
            (below, _lemma(parsed, below)) for below in parsed.children[place] if parsed.tags[below] == "ADP"
        ]
        return "n:" + "+".join(part for _, part in sorted([*parts, (place, features.get("Case", "X"))]))
    return {"VERB": f"v:{features.get('VerbForm', '')}", "ADJ": "adj:", "ADV": "adv:"}.get(tag, "")


def _lemma(parsed: Parsed, place: int) -> str:
    return parsed.lemmas[place] or parsed.words[place].lower()


def surface_ratios(hypothesis: Parsed, reference: Parsed, links: Links) -> Iterator[float]:
    """The seven ratios over linked words, in the order of `SURFACE`."""

    def counted(pairs: Sequence[tuple[Any, Any]]) -> float:
        return ratio(sum(a == b for a, b in pairs), len(pairs))

    def both(name: str) -> float:
        found = [(hypothesis.features[i].get(name), reference.features[j].get(name)) for i, j in content]
        return counted([pair for pair in found if None not in pair])

    forms = [(hypothesis.words[i].lower(), reference.words[j].lower()) for i, j in links]
    lemmas = [(_lemma(hypothesis, i), _lemma(reference, j)) for i, j in links]
    yield counted(forms)
    yield counted(lemmas)
    chosen = [n for n, (i, j) in enumerate(links) if {hypothesis.tags[i], reference.tags[j]} <= CONTENT]
    content = [links[n] for n in chosen]
    yield counted([forms[n] for n in chosen])
    yield counted([lemmas[n] for n in chosen])
    yield counted([(formeme(hypothesis, i), formeme(reference, j)) for i, j in content])
    yield both("Tense")
    yield both("Number")


def deep_ratios(ours: Sequence[DeepNode], theirs: Sequence[DeepNode], links: Links) -> Iterator[float]:
    """The 18 ratios over linked nodes, in the order of `DEEP`: of nodes that both have an attribute those with the same
    value, and of all those whose parents are linked as well."""
    for name in ATTRIBUTES:
        pairs = [(ours[i].values.get(name), theirs[j].values.get(name)) for i, j in links]
        known = [pair for pair in pairs if None not in pair]
        yield ratio(sum(a == b for a, b in known), len(known))
    linked = {*links, (-1, -1)}
    yield ratio(sum((ours[i].head, theirs[j].head) in linked for i, j in links), len(links))


@dataclass(frozen=True)
class _Regression(ParsedMetric):
    """What both share: features, and a model from a file that weighs them."""

    scope: ClassVar[Any] = "segment"
    paper: ClassVar[str] = "Mareček, Bojar, Hübsch, Rosa and Variš 2017, https://aclanthology.org/W17-4769"
    finer: ClassVar[int] = 2  # as the judgements are: often standardised
    perfect: ClassVar[float | None] = None  # as the judgements are
    undefined: ClassVar[str] = NO_SEGMENTS
    required: ClassVar[tuple[str, ...]] = ("parser", "model")

    model: str = option("", "the weights: a file that tertium train wrote", key="weights?", file=True)

    @classmethod
    @abstractmethod
    def names(cls) -> tuple[str, ...]:
        """The features, by name."""

    @abstractmethod
    def _ratios(self, pairs: Sequence[tuple[Parsed, Parsed]], threads: int) -> Iterator[list[float]]:
        """Those that look at parses."""

    def _surface(self, ours: Lines, theirs: Lines, threads: int) -> Iterable[Sequence[float]]:
        """Those that look at texts: chrF3."""
        return [(value,) for value in _scored(ChrF(beta=3), ours, theirs, threads)]

    def _features(self, pairs: Sequence[tuple[Parsed, Parsed]], threads: int) -> list[list[float]]:
        if not pairs:
            return []
        texts = [Lines([pair[side].text for pair in pairs]) for side in (0, 1)]
        found = zip(self._ratios(pairs, threads), self._surface(texts[0], texts[1], threads), strict=True)
        return [[*own, *more] for own, more in found]

    def features(self, hypotheses: Lines, references: References, threads: int = 1) -> NDArray[np.float64]:
        """A row of features for each hypothesis, against the one stream of references."""
        import numpy as np

        sides = [self._seen([text or "" for text in texts]) for texts in (hypotheses, references.streams[0])]
        found = self._features(list(zip(sides[0], sides[1], strict=True)), threads)
        return np.array(found, dtype=np.float64).reshape(-1, len(self.names()))

    def trained(self) -> MetricModel:
        """The weights."""
        found = read_model(self.model) if self.model else self._bundled()
        if found.features != self.names() or found.kind != "linear" or found.low:
            raise InputError(f"{self.model}: is no weighted sum of the features of {self.name}")
        return found

    def _bundled(self) -> MetricModel:
        raise NotImplementedError

    @property
    def _columns(self) -> tuple[StatisticColumn, ...]:
        return MEAN_COLUMNS

    def _pair_rows(
        self, pairs: Sequence[tuple[Parsed, Parsed]], links: Iterator[Links], threads: int
    ) -> Iterable[Row]:
        model = self.trained()
        return [
            (sum((w * f for w, f in zip(model.weights, own, strict=True)), model.intercept), 1)
            for own in self._features(pairs, threads)
        ]

    def _linked(self, pairs: Sequence[tuple[Parsed, Parsed]], threads: int) -> Any:
        return iter(())  # features find their own

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.mean_scores(statistics.data, 0, 1.0)

    def feature_signature(self) -> str:
        """What decides the features."""
        items = {"lang": self.lang, **self._parser.items()}
        return "|".join([f"{self.name}.*", *(f"{key}:{value}" for key, value in items.items())])

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return super().signature_items(level) | {"model": self.trained().hash}

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        found: Any = super().from_signature_items(items)
        if found.trained().hash != items.get("model"):
            raise SpecError(f"{found.model}: is not the model {items.get('model')} of this signature")
        made: Metric = found
        return made


def _scored(metric: Any, ours: Lines, theirs: Lines, threads: int) -> list[float]:
    """Scores of segments, from 0 to 1."""
    rows = metric.statistics(ours, [theirs], threads=threads)
    return [0.0 if value != value else value / 100 for value in metric._scores(rows, "segment")]


@dataclass(frozen=True)
class AutoDA(_Regression):
    """Seven ratios over aligned words and chrF3, in a weighted sum.

    >>> AutoDA.names()
    ('autoda.forms', 'autoda.lemmas', 'autoda.content_forms', 'autoda.content_lemmas', ...
    """

    name: ClassVar[str] = "autoda"
    label: ClassVar[str] = "AutoDA"
    title: ClassVar[str] = "AutoDA: aligned words of parsed texts, and chrF3, in a trained sum (parser=)"
    formula: ClassVar[str] = (
        "b + sum w_k f_k. f: chrF3, and of linked words the ratios equal / (all + 1), 1 if there are none, of forms,\n"
        "lemmas; of pairs of content words forms, lemmas, formemes, and where both have one tense and number.\n"
        "The corpus score is the mean of segment scores."
    )
    quirks: ClassVar[str] = (
        "Without model= the weights are ours, for English: trained on WMT15's judgements, which are standardised\n"
        "(0 is average). Words are linked by our aligner, not by the authors'. With several\n"
        "references a segment takes the best."
    )
    layers: ClassVar[tuple[str, ...]] = ("lemmas", "tags", "features", "heads")
    required: ClassVar[tuple[str, ...]] = ("parser",)

    def _bundled(self) -> MetricModel:
        return bundled_model("autoda")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(f"autoda.{name}" for name in (*SURFACE, "chrf3"))

    def _ratios(self, pairs: Sequence[tuple[Parsed, Parsed]], threads: int) -> Iterator[list[float]]:
        sides = [one for one, _ in pairs], [other for _, other in pairs]
        found = Aligner(lang=self.lang).link_many(*sides, threads)
        for (ours, theirs), links in zip(pairs, found, strict=True):
            yield list(surface_ratios(ours, theirs, links))


@dataclass(frozen=True)
class DeepAutoDA(_Regression):
    """18 ratios over aligned nodes of tectogrammatical trees, chrF3 and BLEU, in a weighted sum.

    >>> len(DeepAutoDA.names())
    20
    """

    name: ClassVar[str] = "autoda-tecto"
    label: ClassVar[str] = "AutoDA-TECTO"
    title: ClassVar[str] = (
        "AutoDA.TECTO: aligned nodes of tectogrammatical trees, chrF3 and BLEU, in a trained sum (parser=tecto:)"
    )
    formula: ClassVar[str] = (
        "b + sum w_k f_k. f: chrF3, BLEU, and of linked nodes the ratios equal / (all + 1), 1 if there are none, of\n"
        "t-lemma, formeme, functor, sempos, form, lemma, tag, ten grammatemes (where both have one), and linked\n"
        "parents. The corpus score is the mean of segment scores."
    )
    quirks: ClassVar[str] = (
        "The authors did not list their 18 features: these are ours. Nodes are linked by their t-lemmas. With several\n"
        "references a segment takes the best."
    )
    layers: ClassVar[tuple[str, ...]] = ("deep",)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(f"autoda-tecto.{name}" for name in (*DEEP, "chrf3", "bleu"))

    def _ratios(self, pairs: Sequence[tuple[Parsed, Parsed]], threads: int) -> Iterator[list[float]]:
        words = [[_t_lemmas(pair[side]) for pair in pairs] for side in (0, 1)]
        links = Aligner(lang=self.lang).align_many(words[0], words[1], threads)
        for (ours, theirs), ours_words, theirs_words, found in zip(pairs, *words, links, strict=True):
            same = ours_words == theirs_words
            own = tuple((i, i) for i in range(len(ours_words))) if same else found
            yield list(deep_ratios(ours.deep, theirs.deep, own))

    def _surface(self, ours: Lines, theirs: Lines, threads: int) -> Iterable[Sequence[float]]:
        return zip(
            *(_scored(metric, ours, theirs, threads) for metric in (ChrF(beta=3), BLEU())), strict=True
        )


def _t_lemmas(parsed: Parsed) -> list[str]:
    return [node.values.get("t_lemma") or node.values.get("form") or "#" for node in parsed.deep]
