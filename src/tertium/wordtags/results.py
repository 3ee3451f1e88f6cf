"""What is said of words: which are BAD, how likely, and how well that agrees with tags."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.errors import InputError, many
from tertium.estimation.estimator import Estimator
from tertium.io.tables import Column, Table, number_column
from tertium.io.translations import Translations
from tertium.results import Result
from tertium.wordtags.tagging import KINDS, WordChances, WordTagger, matthews
from tertium.wordtags.tags import BlankWords, Flags, tags_of
from tertium.wordtags.view import WordView

_NAMES = {"words": "words", "gaps": "gaps", "source": "source words"}


@dataclass(frozen=True)
class TaggedTokens:
    """Words (of gaps there are none), OK or BAD, and how likely each is BAD."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    chances: tuple[float, ...]


@dataclass(frozen=True)
class TaggedTranslation:
    """One translation: its words, the gaps around them (one more), and the words of its source."""

    words: TaggedTokens
    gaps: TaggedTokens | None
    source: TaggedTokens | None

    def lines(self) -> tuple[str, str]:
        """Translation and source with what is BAD in brackets: a word, or + where words are missing."""
        words = _bracketed(self.words)
        if self.gaps is not None:
            missing = ["[+]" if tag == "BAD" else "" for tag in self.gaps.tags]
            words = [one for pair in zip(missing, [*words, ""], strict=True) for one in pair if one]
        return " ".join(words), "" if self.source is None else " ".join(_bracketed(self.source))


def _bracketed(own: TaggedTokens) -> list[str]:
    return [f"[{word}]" if tag == "BAD" else word for word, tag in zip(own.words, own.tags, strict=True)]


@dataclass(frozen=True)
class WordEstimates(Result):
    """Tags of the words of translations."""

    kind = "word estimates"
    translations: tuple[TaggedTranslation, ...]

    def table(self) -> Table:
        """A row for each word, gap and source word."""
        columns = (
            number_column("segment", digits=0),
            Column("of"),
            number_column("place", digits=0),
            *(Column("word"), Column("tag")),
            number_column("BAD", "chance", digits=3),
        )
        rows = [
            (number, name, place, own.words[place - 1] if own.words else "", tag, chance)
            for number, one in enumerate(self.translations, 1)
            for name, own in (("word", one.words), ("gap", one.gaps), ("source", one.source))
            if own is not None
            for place, (tag, chance) in enumerate(zip(own.tags, own.chances, strict=True), 1)
        ]
        return Table("", columns, tuple(rows))

    def words(self) -> Iterator[str]:
        said = []
        for kind in KINDS:
            own = [found for one in self.translations if (found := getattr(one, kind)) is not None]
            if own:
                bad, number = sum(one.tags.count("BAD") for one in own), sum(len(one.tags) for one in own)
                said.append(f"{bad:,} of {number:,} {_NAMES[kind]}")
        yield f"BAD are {', '.join(said)} of {many(len(self.translations), 'translation')}."

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """Texts with what is BAD in brackets; [+] is where words are missing."""
        wide = width or 80
        parts = textwrap.wrap(next(self.words()), wide)
        for number, one in enumerate(self.translations, 1):
            target, source = one.lines()
            for begin, line in ((f"{number}: ", target), ("   source: ", source)):
                if line or begin[0] != " ":
                    parts += textwrap.wrap(
                        line,
                        wide,
                        initial_indent=begin,
                        subsequent_indent="   ",
                        break_long_words=False,
                        break_on_hyphens=False,
                    ) or [begin.rstrip()]
        return "\n".join(parts)


@dataclass(frozen=True)
class TagScores:
    """How well tags of one kind agree with those that were given."""

    number: int
    bad: int
    said: int  # to be BAD
    mcc: float | None
    f1_bad: float | None
    f1_ok: float | None


@dataclass(frozen=True)
class EvaluatedTags(Result):
    """How tags agree with those of post-edits, or with given ones."""

    kind = "evaluated tags"
    scores: Mapping[str, TagScores]  # words, gaps, source

    def table(self) -> Table:
        columns = (
            Column("tags of"),
            *(number_column(name, digits=0) for name in ("number", "BAD", "said BAD")),
            *(number_column(name, digits=3) for name in ("MCC", "F1 BAD", "F1 OK")),
        )
        rows = tuple(
            (_NAMES[kind], own.number, own.bad, own.said, own.mcc, own.f1_bad, own.f1_ok)
            for kind, own in self.scores.items()
        )
        return Table("", columns, rows)

    def words(self) -> Iterator[str]:
        own = self.scores["words"]
        said = "MCC is not defined: tags do not vary" if own.mcc is None else f"MCC = {own.mcc:.3f}"
        yield f"{said} for the tags of {own.number:,} words, of which {own.bad:,} are BAD."


def word_chances(
    estimator: Estimator, texts: Translations, *, pair: str = "", force: bool = False
) -> WordChances:
    """How likely the words of these translations are BAD."""
    tagger = estimator.parts.get("words")
    if not isinstance(tagger, WordTagger):
        raise InputError(
            f"{estimator.called} does not tag words: train one on post-edits or tags (tertium estimate train)"
        )
    view = estimator.view(texts, pair=pair, force=force)
    try:
        return tagger.of(WordView(view, estimator.regression.of(estimator.features(view))))
    except ValueError as error:
        raise InputError(f"{estimator.called}: is a damaged estimator ({error})") from None


def tag_words(
    estimator: Estimator, texts: Translations, *, pair: str = "", force: bool = False
) -> WordEstimates:
    """A tag and a probability for each word, gap and source word of translations."""
    found = word_chances(estimator, texts, pair=pair, force=force)
    sides = {"words": BlankWords.of(texts.translations), "source": BlankWords.of(texts.sources)}
    tokens: dict[str, list[TaggedTokens]] = {}
    for kind, chances in found.chances.items():
        side = sides["source" if kind == "source" else "words"]
        starts = side.starts + (kind == "gaps") * np.arange(len(side.starts))
        tags = np.where(found.bad[kind], "BAD", "OK").tolist()
        rounded = np.round(chances, 6).tolist()
        tokens[kind] = []
        for i in range(len(side)):
            here = slice(starts[i], starts[i + 1])
            words = () if kind == "gaps" else tuple(side.forms[here])
            tokens[kind].append(TaggedTokens(words, tuple(tags[here]), tuple(rounded[here])))
    none: Sequence[TaggedTokens | None] = [None] * len(texts)
    parts = (tokens["words"], tokens.get("gaps", none), tokens.get("source", none))
    return WordEstimates(tuple(TaggedTranslation(*own) for own in zip(*parts, strict=True)))


def evaluate_tags(
    estimator: Estimator, texts: Translations, *, pair: str = "", force: bool = False
) -> EvaluatedTags:
    """Tags against given ones, or those of post-edits."""
    tags = tags_of(texts)
    if tags is None:
        raise InputError(f"{texts.name}: has no post-edits (pe), and no tags were given (--tags)")
    found = word_chances(estimator, texts, pair=pair, force=force)
    given = {kind: own for kind in KINDS if (own := getattr(tags, kind)) is not None and kind in found.bad}
    return EvaluatedTags({kind: tag_scores(own, found.bad[kind]) for kind, own in given.items()})


def tag_scores(bad: Flags, said: Flags) -> TagScores:
    """Tags that were said, against right ones.

    >>> tag_scores(np.array([True, False, True]), np.array([True, False, False])).f1_bad
    0.6666666666666666
    """

    def f1(ours: Flags, theirs: Flags) -> float | None:
        number = int(ours.sum() + theirs.sum())
        return 2 * int((ours & theirs).sum()) / number if number else None

    return TagScores(
        *(len(bad), int(bad.sum()), int(said.sum())), matthews(bad, said), f1(bad, said), f1(~bad, ~said)
    )
