"""What trained metrics learn from: columns of numbers, some for each component.

A component is a metric, whose column is the score of the segment, or a set of features by its name and `.*`. Beside a
metric of documents all others are taken over documents, too: `chrf` is then `doc:chrf`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tertium import _native
from tertium._native import Lines, count_tokens
from tertium.errors import SpecError, TertiumWarning
from tertium.families import beer
from tertium.families.autoda import AutoDA, DeepAutoDA
from tertium.families.base import Metric, Prepared
from tertium.registry import Registry, lifted, metric, parse_spec
from tertium.text.segments import References
from tertium.text.word_ranks import word_ranks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALL = ".*"
LINE_BREAK = "\n"
LIFTED = "doc"  # the name of metrics that are lifted to documents


@dataclass(frozen=True)
class FeatureSet:
    """Features of a hypothesis and one reference: their names, and a function that gives them as rows. One that takes
    options (a parser) has a function that makes it anew with them, and a signature that says what decides it. One that
    reads a table has another name in models (`kept`), and a function that makes it anew with another table.
    """

    names: tuple[str, ...]
    values: Callable[[Lines, References, int], NDArray[np.float64]]
    given: Callable[[dict[str, str]], FeatureSet] | None = None
    signature: Callable[[], str] | None = None
    kept: str = ""
    from_table: Callable[[str], FeatureSet] | None = None


def _lengths(hypotheses: Lines, references: References, threads: int) -> NDArray[np.float64]:
    import numpy as np

    counted = [
        np.asarray(count_tokens(lines, tok, threads), dtype=np.float64)[:, 0]
        for tok in ("13a", "char")
        for lines in (hypotheses, references.streams[0])
    ]
    words, their_words, characters, theirs = counted
    ratios = [np.log((a + 1) / (b + 1)) for a, b in ((words, their_words), (characters, theirs))]
    return np.stack([*ratios, *map(np.abs, ratios), np.log(their_words + 1)], axis=1)


LENGTHS = FeatureSet(
    (
        "lengths.words",
        "lengths.characters",
        "lengths.words.either",
        "lengths.characters.either",
        "lengths.long",
    ),
    _lengths,
)


def _words(hypotheses: Lines, references: References, threads: int) -> NDArray[np.float64]:
    import numpy as np

    stream, names = _native.WordReferences([references.streams[0].lower()], "13a", threads), WORDS.names
    found = _native.rare_word_features(hypotheses.lower(), stream, "13a", word_ranks(), threads)
    return np.asarray(found).reshape(-1, len(names))


_SIDES = ("hypothesis", "reference")
WORDS = FeatureSet(
    (
        *(f"words.{what}.{side}" for what in ("weight", "strange") for side in _SIDES),
        "words.strange.missing",
        *(f"words.{what}.{side}" for side in _SIDES for what in ("found", "heaviest", "heavy", "missing")),
    ),
    _words,
)
BEER = FeatureSet(
    tuple(f"beer.{name}" for name in beer.FEATURES),
    lambda hypotheses, references, threads: beer.BEER().features(hypotheses, references, threads=threads),
)


def _parsed(metric: type[AutoDA | DeepAutoDA], options: dict[str, str]) -> FeatureSet:
    """Features that need a parser: `autoda.*:parser="conllu:all.conllu",lang=cs`."""
    if "model" in options:
        raise SpecError(f"{metric.name}.* are features, which have no model")
    own = metric.from_options(options)
    return FeatureSet(metric.names(), own.features, partial(_parsed, metric), own.feature_signature)


AUTODA, AUTODA_TECTO = _parsed(AutoDA, {}), _parsed(DeepAutoDA, {})
FEATURE_SETS: Registry[FeatureSet] = Registry(
    "set of features",
    "tertium.features",
    {
        "beer": "tertium.families.features:BEER",
        "lengths": "tertium.families.features:LENGTHS",
        "autoda": "tertium.families.features:AUTODA",
        "autoda-tecto": "tertium.families.features:AUTODA_TECTO",
        "words": "tertium.families.features:WORDS",
        "given": "tertium.families.given:GIVEN",
        "content": "tertium.families.content_features:CONTENT",
    },
)


@dataclass(frozen=True)
class Component:
    """A metric whose segment scores are one feature, or a set of features."""

    spec: str
    scored: Metric | None = None
    features: FeatureSet | None = None

    @classmethod
    def of(cls, spec: str) -> Component:
        """
        >>> Component.of("chrf++").names, len(Component.of("beer.*").names)
        (('chrf:word_order=2',), 62)
        """
        name, found, rest = spec.partition(ALL)
        if found and (not rest or rest.startswith(":")):
            features = FEATURE_SETS[name]
            options = parse_spec(f"{name}{rest}")[2]
            if options and features.given is None:
                raise SpecError(f"{name}.* takes no options")
            return cls(spec, features=features.given(options) if options and features.given else features)
        own = metric(spec)
        return cls(str(own), scored=own)

    @property
    def of_documents(self) -> bool:
        """Whether its texts are whole documents; features are what the texts are."""
        return self.scored is not None and self.scored.scope == "document"

    @property
    def kept(self) -> str:
        """Its name in models."""
        return self.spec if self.features is None else self.features.kept or self.spec

    def with_table(self, path: str) -> Component:
        """The same, where a table gives its features: this one."""
        made = None if self.features is None else self.features.from_table
        return self if made is None else replace(self, features=made(path))

    @property
    def names(self) -> tuple[str, ...]:
        return (self.spec,) if self.features is None else self.features.names

    @property
    def signature(self) -> str:
        if self.features is not None:
            return self.features.signature() if self.features.signature else self.spec
        own: Any = self.scored
        return f"{own.name}|{own.signature()}"

    def prepare(self, references: References, threads: int, made: Sequence[Any] = ()) -> Any:
        """One stream of references, analysed once: what other components made of it will do where it fits. What a
        metric would warn of by itself is no news of a part.
        """
        if self.scored is None:
            return references
        for other in made:
            if isinstance(other, Prepared) and other.fits(self.scored):
                return other
        references = references.map(self._texts)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TertiumWarning)
            return self.scored.prepare(references, threads=threads)

    def rows(
        self,
        hypotheses: Lines,
        prepared: Any,
        sources: Lines | None,
        threads: int,
        counted: dict[Metric, Any] | None = None,
    ) -> NDArray[np.float64]:
        """A row for each hypothesis, against what was prepared; NaN where a score is undefined. `counted` keeps what
        metrics that only score differently have counted together.
        """
        import numpy as np

        if self.features is not None:
            return self.features.values(hypotheses, prepared, threads)
        own: Any = self.scored
        counted, shared = {} if counted is None else counted, own.analysis(1)
        if shared not in counted:
            texts = (self._texts(hypotheses), None if sources is None else self._texts(sources))
            counted[shared] = own.statistics(texts[0], prepared, sources=texts[1], threads=threads)
        found = own.score_rows(counted[shared], "segment")
        return np.where(np.isfinite(found), found, np.nan)[:, None]

    def stand_in(self, column: NDArray[np.float64] | None = None) -> float:
        """What counts where a score is undefined: the worst; but of metrics that are of documents only, and undefined
        where a document has nothing that they look at, the mean of the others.
        """
        import numpy as np

        own = self.scored
        if own is None or own.name == LIFTED or own.scope == "segment" or column is None:
            return 0.0 if own is None or own.higher_is_better else 100.0
        known = column[np.isfinite(column)]
        return float(known.mean()) if len(known) else 0.0

    def _texts(self, lines: Lines) -> Lines:
        """Documents come with line breaks between segments; some metrics want other marks there."""
        own = self.scored
        if own is None or own.scope == "segment" or own.separator == LINE_BREAK:
            return lines
        return Lines([None if text is None else text.replace(LINE_BREAK, own.separator) for text in lines])


def components_of(specs: Iterable[str], *, documents: bool = False) -> tuple[Component, ...]:
    """The components that specs name, each once. If one is a metric of documents (or `documents` says so), all are.

    >>> [one.spec for one in components_of(["chrf++", "lengths.*", "doc:cohesion"])]
    ['doc:chrf:word_order=2', 'lengths.*', 'doc:cohesion']
    """
    parts = [Component.of(spec) for spec in specs]
    if documents or any(one.of_documents for one in parts):
        parts = [
            one if one.scored is None or one.of_documents else Component.of(str(lifted(one.scored)))
            for one in parts
        ]
    return tuple({one.spec: one for one in parts}.values())


def feature_blocks(
    components: Sequence[Component],
    hypotheses: Lines,
    prepared: Sequence[Any],
    sources: Lines | None = None,
    *,
    absent: Sequence[float] = (),
    threads: int = 1,
) -> Iterator[NDArray[np.float64]]:
    """The features of each component in turn; `absent` has for each feature what counts where it is undefined. What
    several count together is dropped when the last has had it: memory that is used again costs nothing, other memory
    does.
    """
    import numpy as np

    shared = [None if one.scored is None else one.scored.analysis(1) for one in components]
    instead = iter(absent or [one.stand_in() for one in components for _ in one.names])
    counted: dict[Metric, Any] = {}
    for i, (one, own) in enumerate(zip(components, prepared, strict=True)):
        block = one.rows(hypotheses, own, sources, threads, counted)
        stand_ins = [next(instead) for _ in one.names]
        yield block if np.isfinite(block).all() else np.where(np.isnan(block), stand_ins, block)
        if (done := shared[i]) is not None and done not in shared[i + 1 :]:
            del counted[done]
