"""Pronoun translation accuracy: whether pronouns of the source become what they become in the reference."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

from tertium import _native
from tertium._native import Forms, Lines
from tertium.errors import SpecError
from tertium.families.base import Level, Metric, option
from tertium.families.terms import segments
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text.crosslinks import cross_aligner, given_links
from tertium.text.cut import Cut
from tertium.text.segments import References

_FOLDER = Path(__file__).parent.parent / "data" / "pronouns"
OUTCOMES = ("same", "different", "missing", "added", "neither")
COLUMNS: tuple[StatisticColumn, ...] = columns(*OUTCOMES)
PARTS = ("accuracy", "linked")


@lru_cache(maxsize=8)
def pronouns(lang: str) -> frozenset[str]:
    """The pronouns of a language, in lower case; of some languages none are listed."""
    path = _FOLDER / f"{lang}.txt"
    return frozenset(path.read_text(encoding="utf-8").split() if path.is_file() else ())


def _plain(word: str) -> str:
    return word.lower().replace("\u2019", "'")


@dataclass(frozen=True)
class Pronouns(Metric):
    """Pronouns of the source that become in the hypothesis what they become in the reference.

    >>> import tertium as tt
    >>> str(tt.metric("doc:pronouns:it+they,lang=fr"))
    'doc:pronouns:of=it+they,lang=fr'
    """

    name: ClassVar[str] = "doc:pronouns"
    title: ClassVar[str] = "source pronouns translated as in the reference (doc:pronouns:it+they)"
    formula: ClassVar[str] = (
        "Each pronoun of the source is linked to words of the hypothesis and of the reference. Accuracy = same /\n"
        "(same + different + missing), where missing has a translation in the reference only; part=linked: same /\n"
        "(same + different). Counts add over documents."
    )
    paper: ClassVar[str] = (
        "after Miculicich Werlen and Popescu-Belis 2017 (APT), https://aclanthology.org/W17-4802"
    )
    quirks: ClassVar[str] = (
        "Links come from the test set itself (IBM model 1) or from files. Several references: a pronoun is right if\n"
        "it is as in one of them. No equivalent pronouns are known: German es and das differ."
    )
    perfect: ClassVar[float | None] = None  # 100 where pronouns are linked
    undefined: ClassVar[str] = "no pronoun of the source has a translation in the reference"
    scope: ClassVar[Any] = "document"
    needs_source: ClassVar[bool] = True
    needs_whole_set: ClassVar[bool] = True

    of: str = option("", "pronouns of the source, joined by + (those of our list)", key="of?")
    lang: str = option("en", "language of the translations", key="lang")
    source_lang: str = option("en", "language of the sources", key="source-lang", aliases=("src",))
    part: str = option("accuracy", "accuracy, linked (without missing ones)", choices=PARTS, key="part?")
    alignments: str = option(
        "",
        "links between words: source, translation, 0-0 1-2; files separated by ;",
        key="alignments?",
        file=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.wanted:
            raise SpecError(
                f"{self.name} has no list of pronouns of the language {self.source_lang!r}: name them, as in "
                f"{self.name}:it+they"
            )

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Self:
        if "of" in options:
            raise SpecError(f"{cls.name}:{value}: the pronouns are given twice")
        return cls.from_options({"of": value, **options})

    @property
    def wanted(self) -> frozenset[str]:
        """The pronouns that are looked at."""
        named = frozenset(_plain(word.strip()) for word in self.of.split("+") if word.strip())
        return named or pronouns(self.source_lang)

    @property
    def label(self) -> str:
        parts = [self.of] * bool(self.of) + [self.part] * (self.part != "accuracy")
        return f"{self.name}[{' '.join(parts)}]" if parts else self.name

    def analysis(self, n_references: int | None = None) -> Metric:
        return replace(self, part="accuracy")

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = super().signature_items(level)
        return items | ({"alignments-hash": given_links(self.alignments).hash} if self.alignments else {})

    def _prepare(self, references: References, threads: int) -> _ReferencePronouns:
        return _ReferencePronouns([list(stream) for stream in references.streams])

    def _rows(
        self, hypotheses: Lines, prepared: _ReferencePronouns, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        assert sources is not None  # `needs_source`
        texts = [source or "" for source in sources]
        there = prepared.of(self, texts)
        own = self.translated(texts, [text or "" for text in hypotheses], prepared.cut)
        return DenseStatistics(COLUMNS, _native.pronoun_rows(own, there))

    def translated(
        self, sources: Sequence[str], texts: Sequence[str | None], cut: _Cutting
    ) -> _native.PronounTranslations:
        """The translations of each pronoun of each document, in the order of the source."""
        ours: list[str] = []
        theirs: list[str] = []
        numbers = []
        for source, text in zip(sources, texts, strict=True):
            own = ([], []) if text is None else segments(source, text)
            ours += own[0]
            theirs += own[1]
            numbers.append(-1 if text is None else len(own[0]))
        sides = cut.sources(ours), Cut.of(theirs, cut.forms)
        links = cross_aligner(self.alignments).links(*sides)
        listed = sorted(pronouns(self.lang))
        return _native.pronoun_translations(
            sides[0].numbered, sides[1].numbered, links, numbers, sorted(self.wanted), listed
        )

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        below = ("same", "different", "missing")[: 3 if self.part == "accuracy" else 2]
        rows = zip(*map(statistics.listed, below), strict=True)
        return array("d", [100 * row[0] / sum(row) if sum(row) else math.nan for row in rows])

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """How many pronouns of the source there are of each outcome."""
        return {name: int(total.only(name)) for name in OUTCOMES}

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        return " ".join(f"{name} = {value}" for name, value in self.components(total, level).items())


class _Cutting:
    """One table of forms for all texts; sources that were cut just before are not cut again."""

    def __init__(self) -> None:
        self.forms = Forms()
        self._last = Cut.of([], self.forms)

    def sources(self, texts: list[str]) -> Cut:
        last = self._last
        if last.texts != texts:
            last = self._last = Cut.of(texts, self.forms)
        return last


class _ReferencePronouns:
    """What pronouns become in the references, which is the same for all systems: looked for once."""

    def __init__(self, streams: list[list[str | None]]) -> None:
        self._streams = streams
        self._last: tuple[Any, list[_native.PronounTranslations]] | None = None
        self.cut = _Cutting()

    def of(self, metric: Pronouns, sources: list[str]) -> list[_native.PronounTranslations]:
        """Those of each reference. Links are learnt from all references together."""
        key = metric.signature_items(), sources
        last = self._last
        if last is not None and last[0] == key:
            return last[1]
        number = len(self._streams)
        texts = [text for stream in self._streams for text in stream]
        found = metric.translated(sources * number, texts, self.cut).parts(number)
        self._last = key, found
        return found
