"""How hard texts are to read: levels of texts and of their sentences, and what is said of a scale that was learnt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from tertium.errors import InputError
from tertium.io.pages import paragraphs
from tertium.io.streams import display_name
from tertium.io.tables import Column, Table, number_column
from tertium.readability.frequencies import Frequencies
from tertium.readability.reasons import facts_of, shares, why_hard
from tertium.readability.scale import Scale, cefr, percent
from tertium.readability.sentences import ReadSentence, left_out, mean_level, read_sentences, withheld
from tertium.results import Result

_HARDEST = 5


@dataclass(frozen=True)
class HardSentence:
    """A sentence, its level, and why it is hard."""

    text: str
    level: float
    reasons: Sequence[str]


@dataclass(frozen=True)
class TextLevel:
    """A text on the scale; None where no number would mean anything, and then why."""

    name: str
    sentences: int
    words: int
    level: float | None
    low: float | None
    high: float | None
    withheld: str
    hardest: Sequence[HardSentence]
    left_out: Mapping[str, int] = field(default_factory=dict)  # sentences without a level, by why


@dataclass(frozen=True)
class ReadabilityLevels(Result):
    """Texts of one language on the scale."""

    kind: ClassVar[str] = "readability"
    lang: str
    texts: Sequence[TextLevel]

    def table(self) -> Table:
        columns = (
            *(
                Column("text"),
                number_column("sentences", digits=0),
                number_column("words", digits=0),
                Column("CEFR"),
            ),
            *(number_column(name) for name in ("level", "low", "high")),
            number_column("0-100", digits=0),
            Column("withheld"),
        )
        rows = tuple(
            (
                *(one.name, one.sentences, one.words, "" if one.level is None else cefr(one.level)),
                *(
                    one.level,
                    one.low,
                    one.high,
                    None if one.level is None else percent(one.level),
                    one.withheld,
                ),
            )
            for one in self.texts
        )
        return Table("", columns, rows)

    def words(self) -> Iterator[str]:
        for one in self.texts[:_HARDEST]:
            if one.level is not None and one.hardest:
                worst = one.hardest[0]
                why = f" ({'; '.join(worst.reasons)})" if worst.reasons else ""
                yield f"{one.name}: the hardest sentence ({cefr(worst.level)}) is: {worst.text[:160]}{why}"


@dataclass(frozen=True)
class LearntScale(Result):
    """What was learnt, and how well it does where it was not."""

    kind: ClassVar[str] = "readability scale"
    file: str
    size: int
    scale: Scale

    def contents(self) -> dict[str, Any]:
        learnt = self.scale.learnt
        return {
            "file": self.file,
            "bytes": self.size,
            "sentences": dict(learnt.sentences) if learnt else {},
            "correlation": dict(learnt.correlation) if learnt else {},
            "within": self.scale.within,
            "between": self.scale.between,
        }

    def table(self) -> Table:
        told = self.contents()
        every = sum(told["sentences"].values())
        rows = [(lang, told["sentences"].get(lang, every), r) for lang, r in told["correlation"].items()]
        columns = (Column("language"), number_column("sentences", digits=0), number_column("r", digits=3))
        return Table("", columns, tuple(rows), ("r is cross-validated.",))


def read_levels(
    paths: Sequence[str], lang: str, scale: Scale, own: Frequencies | None = None, encoding: str | None = None
) -> ReadabilityLevels:
    """Files, plain text or HTML, on the scale: the level of a text is the mean of its sentences', by their words."""
    return ReadabilityLevels(
        lang,
        [
            text_level(display_name(path), paragraphs(path, encoding=encoding), lang, scale, own)
            for path in paths
        ],
    )


def text_level(
    name: str, parts: Sequence[str], lang: str, scale: Scale, own: Frequencies | None = None
) -> TextLevel:
    """Paragraphs on the scale."""
    read = read_sentences(parts, lang, scale, own)
    if not read:
        raise InputError(f"{name}: there is no text")
    words = sum(one.words for one in read)
    if why := withheld(read):
        return TextLevel(name, len(read), words, None, None, None, why, [], left_out(read))
    level = mean_level(read)
    kept = [one for one in read if one.level is not None]
    low, high = scale.interval(level, len(kept))
    worst = sorted(kept, key=lambda one: -(one.level or 0.0))[:_HARDEST]
    hardest = [HardSentence(one.text, one.level or 0.0, explained(one, lang, scale, own)) for one in worst]
    return TextLevel(name, len(read), words, level, low, high, "", hardest, left_out(read))


def explained(one: ReadSentence, lang: str, scale: Scale, own: Frequencies | None) -> tuple[str, ...]:
    """Why a sentence is harder than most."""
    parts = scale.seen([one.text], lang, own)[1]
    return why_hard(facts_of([one.text], scale.table(lang, own)), shares(parts, [one.words], scale))
